"""Codex's `config.toml`: changes only Satchel's table, byte for byte."""

import json
import re
import tomllib
from typing import Any

from satchel.clients.settings_files.jsonc import LARGEST, NEXT_STEP, decoded
from satchel.core.errors import ConflictError

SERVERS, NAME = "mcp_servers", "satchel"
_HEADER = re.compile(r"[ \t]*\[{1,2}([^\[\]\n]+)\]{1,2}[ \t]*(?:#.*)?\r?\n?")
_OURS = re.compile(r"mcp_servers[ \t]*\.[ \t]*(?:satchel|\"satchel\"|'satchel')(?:[ \t]*\..*)?")
_COMMAND = re.compile(
    r"^([ \t]*command[ \t]*=[ \t]*)(?:\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*')", re.MULTILINE
)


def parse_toml(raw: bytes, path: str) -> dict[str, Any]:
    """Parse a TOML file.

    Raises:
        ConflictError: it is invalid; the message says where.
    """
    if len(raw) > LARGEST:
        raise ConflictError(f"{path} is larger than {LARGEST:,} bytes", hint=NEXT_STEP)
    try:
        return tomllib.loads(decoded(raw, path))
    except tomllib.TOMLDecodeError as error:
        raise ConflictError(f"{path} is not valid TOML: {error}", hint=NEXT_STEP) from None
    except RecursionError:
        raise ConflictError(f"{path} is nested too deeply", hint=NEXT_STEP) from None


def server_in(raw: bytes, path: str) -> Any:
    """Return the server called satchel in the file, or None."""
    servers = parse_toml(raw, path).get(SERVERS)
    return servers.get(NAME) if isinstance(servers, dict) else None


def with_server(raw: bytes, path: str, command: str) -> bytes:
    """Append our server, or change the existing one's command.

    Raises:
        ConflictError: the file's form does not allow adding to it.
    """
    before, text = parse_toml(raw, path), raw.decode()
    spelled = json.dumps(command, ensure_ascii=False)
    if server_in(raw, path) is not None:
        entry = {**before[SERVERS][NAME], "command": command}
        wanted = {**before, SERVERS: {**before[SERVERS], NAME: entry}}
        for start, end in _spans(text):
            block = _COMMAND.sub(lambda m: m[1] + spelled, text[start:end], count=1)
            if changed := _checked(text[:start] + block + text[end:], wanted, path):
                return changed
        raise _refused(path)
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    lines = (f"[{SERVERS}.{NAME}]", f"command = {spelled}", 'args = ["mcp"]')
    entry = {"command": command, "args": ["mcp"]}
    servers = before.get(SERVERS, {})
    if not isinstance(servers, dict):
        raise _refused(path)
    added = _checked(
        text + gap + newline.join(lines) + newline,
        {**before, SERVERS: {**servers, NAME: entry}},
        path,
    )
    if not added:
        raise _refused(path)
    return added


def without_server(raw: bytes, path: str) -> bytes:
    """Remove our server with its subtables."""
    before, text = parse_toml(raw, path), raw.decode()
    if server_in(raw, path) is None:
        return raw
    wanted = {**before, SERVERS: {k: v for k, v in before[SERVERS].items() if k != NAME}}
    less = {k: v for k, v in before.items() if k != SERVERS}
    spans = _spans(text)
    for first in range(len(spans)):
        left = text
        for start, end in reversed(spans[first:]):
            left = left[:start] + left[end:]
        if (done := _checked(left, wanted, path)) is None and not wanted[SERVERS]:
            done = _checked(left, less, path)
        if done is not None:
            return done
    raise _refused(path)


def _spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of Satchel's tables, with the blank line before each.

    A multi-line string may look like one: callers check the result of changing a span.
    """
    found, at, start = [], 0, -1
    for line in text.splitlines(keepends=True):
        header = _HEADER.fullmatch(line)
        if header and start >= 0:
            found.append((start, _before_comments(text, start, at)))
            start = -1
        if header and _OURS.fullmatch(header[1].strip()):
            start = at
            for blank in ("\r\n", "\n"):
                if text[:at].endswith(blank * 2) or text[:at] == blank:
                    start = at - len(blank)
                    break
        at += len(line)
    return [*found, (start, at)] if start >= 0 else found


def _before_comments(text: str, start: int, end: int) -> int:
    """Exclude blank lines and comments that belong to the next table."""
    lines = text[start:end].splitlines(keepends=True)
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        end -= len(lines.pop())
    return end


def _checked(text: str, wanted: dict[str, Any], path: str) -> bytes | None:
    """Return the bytes if they parse as intended, and nothing else changed."""
    raw = text.encode()
    try:
        return raw if parse_toml(raw, path) == wanted else None
    except ConflictError:
        return None


def _refused(path: str) -> ConflictError:
    return ConflictError(
        f"{path} cannot be changed without touching what is not Satchel's", hint=NEXT_STEP
    )
