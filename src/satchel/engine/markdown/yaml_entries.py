"""Edits entries of a user-owned YAML file in place, without rewriting the file.

A file holds a list of mappings under one field. A change touches the characters of one value or the
lines of one entry; comments, order, quotes and other fields stay, byte for byte. The result is
parsed again, and refused unless it says exactly what was meant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from satchel.core.errors import BadInputError, ConflictError
from satchel.core.values import Any, NamedTuple
from satchel.engine.markdown.yaml_serialization import as_item, encode_value
from satchel.engine.markdown.yaml_text import read_yaml

#: Largest file to read, in bytes.
LARGEST = 4 * 1024 * 1024
_BOM = "\ufeff"


class Place(NamedTuple):
    """A value's position in characters: [begin, end). `quote` is its quoting style."""

    begin: int
    end: int
    quote: str


class Entry(NamedTuple):
    """A list entry: its fields, its line (from 1), and its positions.

    `begin` is at its dash, or at its first character in a one-line list; `end` is where its last
    value ends. `column` is where its fields begin; `flow`: it is written as `{...}`.
    """

    fields: dict[str, Any]
    line: int
    begin: int
    end: int
    column: int
    flow: bool
    places: dict[str, Place]


class Listing(NamedTuple):
    """A parsed file: its entries, its other fields, and the list's position.

    `kind` is `missing`, `empty` (no value), `block` or `flow`; `strays` are the lines of list items
    that are not mappings.
    """

    text: str
    field: str
    entries: tuple[Entry, ...]
    others: dict[str, Any]
    kind: str
    begin: int
    end: int
    column: int
    strays: tuple[int, ...] = ()


def read_entries(text: str, field: str) -> Listing:
    """Parse the list of mappings under `field`.

    Raises `BadInputError` with the line and the reason if it is not YAML, or has no such list.
    """
    bare = text.removeprefix(_BOM)
    # An absent file is read as an empty one: no reason to load a YAML library.
    whole = read_yaml(bare, largest=LARGEST) if bare else None
    if whole is None:
        return Listing(
            text, field, (), others={}, kind="missing", begin=len(bare), end=len(bare), column=0
        )
    if not isinstance(whole, dict):
        raise BadInputError(f"it should begin with `{field}:`, and holds no fields")
    values = whole.get(field)
    if values is not None and not isinstance(values, list):
        raise BadInputError(f"`{field}` is not a list")
    root = _composed(bare)
    others = {name: value for name, value in whole.items() if name != field}
    shift = len(text) - len(bare)
    found = [(key, value) for key, value in root.value if key.value == field]
    if not found:
        kind = "missing" if not root.flow_style else "closed"
        return Listing(
            text, field, (), others=others, kind=kind, begin=len(text), end=len(text), column=0
        )
    key, node = found[0]
    if values is None:
        end = node.end_mark.index if node.value else key.end_mark.index
        end = max(end, bare.index(":", key.end_mark.index) + 1)
        kind = "closed" if root.flow_style else "empty"
        return Listing(
            text, field, (), others=others, kind=kind, begin=end + shift, end=end + shift, column=0
        )
    entries, strays = [], []
    for item, value in zip(node.value, values, strict=True):
        if isinstance(value, dict):
            entries.append(_entry(bare, item, value, shift, flow_list=bool(node.flow_style)))
        else:
            strays.append(item.start_mark.line + 1)
    kind = "flow" if node.flow_style else "block"
    begin, end = node.start_mark.index + shift, _end(bare, node) + shift
    return Listing(
        text,
        field,
        tuple(entries),
        others=others,
        kind=kind,
        begin=begin,
        end=end,
        column=node.start_mark.column,
        strays=tuple(strays),
    )


def with_entry(listing: Listing, fields: Mapping[str, Any], *, in_line: bool = False) -> str:
    """Return the text with an entry appended to the list, optionally on one line."""
    text, new = listing.text, _newline(listing.text)
    if listing.kind in ("flow", "closed"):
        return _checked(listing, _in_flow(listing, fields), [*_values(listing), dict(fields)])
    if listing.kind == "missing":
        text = text if not text or text.endswith("\n") else text + new
        if not listing.others:
            text += f"version: 1{new}"
        made = text + f"{listing.field}:{new}" + as_item(fields, 2, new, in_line=in_line)
    else:
        column = listing.column if listing.kind == "block" else 2
        at = _line_after(text, listing.end)
        head = text[:at] if text[:at].endswith("\n") else text[:at] + new
        made = head + as_item(fields, column, new, in_line=in_line) + text[at:]
    others = listing.others
    if listing.kind == "missing" and not others:
        others = {"version": 1}
    return _checked(listing, made, [*_values(listing), dict(fields)], others)


def with_changes(listing: Listing, changes: Sequence[tuple[Entry, Mapping[str, Any]]]) -> str:
    """Return the text with some entries' fields changed, new fields at their ends."""
    text, new = listing.text, _newline(listing.text)
    edits: list[tuple[int, int, str]] = []
    wanted = {id(entry): entry.fields for entry in listing.entries}
    for entry, fields in changes:
        wanted[id(entry)] = {**wanted[id(entry)], **fields}
        added: dict[str, Any] = {}
        for name, value in fields.items():
            place = entry.places.get(name)
            if place is None:
                added[name] = value
                continue
            said = encode_value(value, place.quote)
            empty = place.begin == place.end
            edits.append((place.begin, place.end, " " + said if empty else said))
        if added:
            edits.append(_addition(text, entry, added, new))
    return _checked(listing, _edited(text, edits), list(wanted.values()))


def without_entries(listing: Listing, gone: Sequence[Entry]) -> str:
    """Return the text without some entries, keeping comments around them."""
    text = listing.text
    edits: list[tuple[int, int, str]] = []
    for entry in gone:
        if listing.kind == "flow":
            begin, end = entry.begin, entry.end
            after = _skip(text, end)
            if text[after : after + 1] == ",":
                end = after + 1
        else:
            begin, end = text.rfind("\n", 0, entry.begin) + 1, _line_after(text, entry.end)
        edits.append((begin, end, ""))
    left = {id(entry) for entry in listing.entries} - {id(entry) for entry in gone}
    kept = [entry.fields for entry in listing.entries if id(entry) in left]
    return _checked(listing, _edited(text, edits), kept)


def _edited(text: str, edits: list[tuple[int, int, str]]) -> str:
    parts, at = [], 0
    for begin, end, said in sorted(edits):
        parts += [text[at:begin], said]
        at = end
    return "".join([*parts, text[at:]])


def _addition(text: str, entry: Entry, added: Mapping[str, Any], new: str) -> tuple[int, int, str]:
    if entry.flow:
        close = entry.end - 1
        said = ", ".join(f"{encode_value(name)}: {encode_value(v)}" for name, v in added.items())
        before = text[entry.begin : close].rstrip()
        comma = "" if before.endswith((",", "{")) else ", "
        return close, close, comma + said
    at = _line_after(text, entry.end)
    indent = " " * entry.column
    lines = "".join(
        f"{indent}{encode_value(name)}: {encode_value(v)}{new}" for name, v in added.items()
    )
    if at and text[at - 1 : at] != "\n":
        lines = new + lines
    return at, at, lines


def _in_flow(listing: Listing, fields: Mapping[str, Any]) -> str:
    text, new = listing.text, _newline(listing.text)
    if listing.kind == "closed":
        return text  # never intended: reported as such
    inside = text[listing.begin + 1 : listing.end - 1]
    if not inside.strip() and "\n" not in inside and _is_block_value(text, listing.begin):
        head = text[: listing.begin].rstrip(" ") + text[listing.end :]
        at = _line_after(head, len(text[: listing.begin].rstrip(" ")))
        front = head[:at] if head[:at].endswith("\n") else head[:at] + new
        return front + as_item(fields, 2, new) + head[at:]
    close = listing.end - 1
    comma = "" if text[:close].rstrip().endswith((",", "[")) else ", "
    said = encode_value(dict(fields))
    return text[:close] + comma + said + text[close:]


def _is_block_value(text: str, at: int) -> bool:
    """Return whether `[]` at this position is the value of a field on its own line."""
    line = text[text.rfind("\n", 0, at) + 1 : at].removeprefix(_BOM)
    return line[:1] not in ("{", " ", '"', "'") and line.rstrip().endswith(":")


def _checked(
    listing: Listing,
    made: str,
    wanted: Sequence[dict[str, Any]],
    others: dict[str, Any] | None = None,
) -> str:
    """Return the new text if it parses as intended, and nothing else changed."""
    rows = [{k: list(v) if isinstance(v, tuple) else v for k, v in one.items()} for one in wanted]
    expected = {**(listing.others if others is None else others), listing.field: rows}
    try:
        said = read_yaml(made.removeprefix(_BOM), largest=2 * LARGEST)
    except BadInputError:
        said = None
    if isinstance(said, dict) and said.get(listing.field) is None:
        said = {**said, listing.field: []}
    if said != expected or listing.strays:
        raise ConflictError(
            "The file is formatted in a way that cannot be edited without rewriting it.",
            hint="Change it by hand, or give each entry lines of its own.",
        )
    return made


def _values(listing: Listing) -> list[dict[str, Any]]:
    return [entry.fields for entry in listing.entries]


def _entry(text: str, node: Any, fields: dict[str, Any], shift: int, *, flow_list: bool) -> Entry:
    places = {}
    for key, value in node.value:
        begin, end = value.start_mark.index, _end(text, value)
        quote = getattr(value, "style", None)
        scalar = isinstance(value.value, str)
        quote = quote if scalar and quote in ("'", '"') else ""
        places[str(key.value)] = Place(begin + shift, max(begin, end) + shift, quote)
    begin = node.start_mark.index
    start = begin if flow_list else _dash_before(text, begin)
    column = node.value[0][0].start_mark.column if node.value else node.start_mark.column
    return Entry(
        fields,
        node.start_mark.line + 1,
        start + shift,
        end=_end(text, node) + shift,
        column=column,
        flow=bool(node.flow_style),
        places=places,
    )


def _end(text: str, node: Any) -> int:
    """Return a node's real end, since a block's end mark comes after trailing lines."""
    if isinstance(node.value, str):
        begin, end = int(node.start_mark.index), int(node.end_mark.index)
        block = getattr(node, "style", None) in ("|", ">")
        return max(begin, _end_of_block(text, begin, end)) if block else end
    if node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    if not isinstance(last, tuple):
        return _end(text, last)
    key, value = last
    return max(int(key.end_mark.index), _end(text, value))


def _end_of_block(text: str, begin: int, end: int) -> int:
    """Return a block text's end, without trailing blank lines and comments."""
    lines = text[begin:end].split("\n")
    body = [line for line in lines[1:] if line.strip()]
    indent = len(body[0]) - len(body[0].lstrip(" ")) if body else 0
    while len(lines) > 1 and (
        not lines[-1].strip() or len(lines[-1]) - len(lines[-1].lstrip(" ")) < indent
    ):
        lines.pop()
    return begin + len("\n".join(lines))


def _dash_before(text: str, at: int) -> int:
    """Return the position of an item's dash, on its line or one above."""
    while True:
        begin = text.rfind("\n", 0, at) + 1
        line = text[begin:at].split(" #", maxsplit=1)[0].rstrip()
        if line.endswith("-") and not line.lstrip().startswith("#"):
            return begin + len(line) - 1
        if begin == 0:
            return at
        at = begin - 1


def _line_after(text: str, at: int) -> int:
    if at and text[at - 1 : at] == "\n":
        return at
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _composed(text: str) -> Any:
    import yaml

    loader: Callable[..., Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    opened = loader(text)
    try:
        return opened.get_single_node()
    finally:
        opened.dispose()
