"""Front matter: the YAML between the first two `---` lines, and the body after it.

Bytes in, bytes out: whatever is not changed keeps its bytes, including a byte order mark and CRLF.
"""

from __future__ import annotations

from satchel.core.errors import BadInputError
from satchel.core.values import Any, NamedTuple
from satchel.engine.markdown.yaml_text import LARGEST, read_yaml, write_yaml

_BOM = b"\xef\xbb\xbf"
_FENCE = b"---"
_ENDS = (b"---", b"...")


class Parts(NamedTuple):
    """A file in four parts; `before + yaml + after + body` equals the file.

    Without front matter, everything but a byte order mark is body. `unclosed`: a fence opens but
    never closes.
    """

    before: bytes
    yaml: bytes
    after: bytes
    body: bytes
    unclosed: bool = False

    @property
    def has_fields(self) -> bool:
        """Return whether there is front matter."""
        return bool(self.after)

    @property
    def body_line(self) -> int:
        """Return the body's first line, from 1."""
        return 1 + sum(part.count(b"\n") for part in (self.before, self.yaml, self.after))


def split(data: bytes) -> Parts:
    """Split a file at its front matter. Never fails."""
    start = len(_BOM) if data.startswith(_BOM) else 0
    end = _line_end(data, start)
    if data[start:end].rstrip() != _FENCE or not data.startswith(_FENCE, start):
        return Parts(data[:start], b"", b"", data[start:])
    at = end
    while at < len(data):
        end = _line_end(data, at)
        line = data[at:end]
        if line.startswith(_ENDS) and line.rstrip() in _ENDS:
            head = _line_end(data, start)
            return Parts(data[:head], data[head:at], line, data[end:])
        at = end
    return Parts(data[:start], b"", b"", data[start:], unclosed=True)


def read_fields(parts: Parts) -> dict[str, Any]:
    """Return the front matter's fields, or {}.

    Raises `BadInputError` naming the line of the file and the reason.
    """
    if len(parts.yaml) > LARGEST:
        raise BadInputError(f"the front matter has more than {LARGEST // 1024} KB")
    try:
        text = parts.yaml.decode("utf-8")
    except UnicodeDecodeError as error:
        line = 2 + parts.yaml[: error.start].count(b"\n")
        raise BadInputError(f"line {line} of the front matter is not UTF-8") from None
    # Prepend newlines, so that line numbers match the file's.
    try:
        value = read_yaml("\n" + text.replace("\r\n", "\n"))
    except BadInputError as error:
        raise BadInputError(f"front matter, {error}", hint=error.hint) from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadInputError("the front matter is not a list of `field: value` lines")
    return value


def with_fields(data: bytes, changes: dict[str, Any]) -> bytes:
    """Return the file with some fields changed; None removes a field.

    All other fields keep their places, bytes and comments; the body keeps its bytes.
    """
    parts = split(data)
    newline = b"\r\n" if b"\r\n" in (parts.before + parts.after or data[:4096]) else b"\n"
    if not parts.has_fields:
        kept = {name: value for name, value in changes.items() if value is not None}
        head = parts.before + _FENCE + newline
        return head + _written(kept, newline) + _FENCE + newline + parts.body
    fields = read_fields(parts)
    wanted = {n: v for n, v in {**fields, **changes}.items() if v is not None or n not in changes}
    blocks = _blocks(parts.yaml)
    yaml = b"".join(
        block
        if name not in changes
        else b""
        if changes[name] is None
        else _written({name: changes[name]}, newline)
        for name, block in blocks
    )
    there = {name for name, _ in blocks}
    new = {n: v for n, v in changes.items() if v is not None and n not in there}
    if new:
        yaml += (b"" if not yaml or yaml.endswith(b"\n") else newline) + _written(new, newline)
    made = parts._replace(yaml=yaml)
    try:
        same = read_fields(made) == wanted
    except BadInputError:
        same = False
    if not same:  # fields that do not start at the margin: flow style, or quoted names
        made = parts._replace(yaml=_written(wanted, newline))
    return made.before + made.yaml + made.after + made.body


def _blocks(yaml: bytes) -> list[tuple[str, bytes]]:
    """Split YAML at the first lines of fields; text before the first is named ""."""
    blocks: list[tuple[str, bytes]] = [("", b"")]
    for line in yaml.splitlines(keepends=True):
        name, colon, _ = line.partition(b":")
        margin = line[:1].isalpha() or line[:1] == b"_"
        if margin and colon and b" " not in name and b"#" not in name:
            blocks.append((name.decode("utf-8", "replace"), line))
        else:
            blocks[-1] = (blocks[-1][0], blocks[-1][1] + line)
    return blocks


def _written(fields: dict[str, Any], newline: bytes) -> bytes:
    text = write_yaml(fields) if fields else ""
    return text.encode("utf-8", "replace").replace(b"\n", newline)


def _line_end(data: bytes, start: int) -> int:
    at = data.find(b"\n", start)
    return len(data) if at < 0 else at + 1
