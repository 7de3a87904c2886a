"""Scrubbing: a file's bytes without forgotten content.

Pure. Each removed record's lines become one empty line; other lines lose the words and get a new
hash.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Collection, Sequence

from satchel.application.forgetting.matching import TraceMatcher
from satchel.application.forgetting.said_again import SAID, marks_of
from satchel.application.forgetting.values import LEDGER, MARK
from satchel.core import quick_json
from satchel.core.hashing import is_whole, sealed
from satchel.core.shapes import list_of
from satchel.core.values import Any
from satchel.features.sessions.archive import FORGOTTEN
from satchel.storage.ledger.lines import decode, encode, split_lines
from satchel.storage.ledger.record import Record

#: Whether to remove a record whole.
Goes = Callable[[Record], bool]
#: The positions of a memory's id and text in an injection's item.
_ITEM_ID, _ITEM_TEXT = 1, 6
_GZIP = b"\x1f\x8b\x08"


def keeps_all_records(_: Record) -> bool:
    """Return that no record is removed whole."""
    return False


def without_lines(
    lines: Sequence[bytes],
    traces: TraceMatcher,
    goes: Goes,
    stays: Goes = keeps_all_records,
    *,
    now: int = 0,
    ids: Collection[str] = (),
) -> list[bytes]:
    """Return a file of JSON lines, such as a ledger, without forgotten content.

    Args:
        lines: without their newlines.
        traces: what to search for in lines that stay.
        goes: records to remove whole; each leaves one empty line.
        stays: records to leave unchanged, whatever they say.
        now: Unix seconds.
        ids: of the removed records: what was shown of them is removed by id, however short it is.
    """
    kept: list[bytes] = []
    gone: dict[str, list[Record]] = {}
    places: dict[str, int] = {}
    for raw in lines:
        record = decode(raw).record
        if record is None or not (is_tombstone(record) or goes(record) or stays(record)):
            shown = record is not None and record.kind == "injection" and bool(ids)
            kept.append(cleaned_line(_without_items(raw, ids) if shown else raw, traces))
        elif is_tombstone(record) or not goes(record):
            kept.append(raw)
        else:
            if record.id not in gone:
                places[record.id] = len(kept)
                kept.append(b"")
            gone.setdefault(record.id, []).append(record)
    for ident, records in gone.items():
        kept[places[ident]] = tombstone_of(records, now)
    return kept


def _without_items(raw: bytes, ids: Collection[str]) -> bytes:
    """Return an injection's line without its items about some records."""
    value: Any = quick_json.loads(raw.decode("utf-8", "replace"))
    items, changed = value.get("data", {}).get("items"), False
    for item in list_of(items):
        if isinstance(item, list) and len(item) > _ITEM_TEXT and item[_ITEM_ID] in ids:
            mark = [f"{LEDGER}-{item[_ITEM_ID]}".lower(), MARK]
            changed = changed or [item[0], item[_ITEM_TEXT]] != mark
            item[0], item[_ITEM_TEXT] = mark
    return _sealed(value, whole=is_whole(raw)) if changed else raw


def tombstone_of(records: Sequence[Record], now: int) -> bytes:
    """Return the line that replaces a record's versions: id and hashes, no content."""
    newest = max(records, key=lambda record: record.version)
    operation = (newest.data or {}).get("op")
    at = now or newest.ts
    data: dict[str, Any] = {LEDGER: sorted({record.hash for record in records})}
    marks = marks_of(records, at)
    if marks:
        data[SAID] = marks
    if isinstance(operation, str):
        data["op"] = operation
    stone = Record(
        kind=newest.kind,
        key=f"{LEDGER}-{newest.id.lower()}",
        source="satchel",
        ts=newest.ts,
        id=newest.id,
        rev=newest.rev + 1,
        deleted_at=at,
        data=data,
    )
    return encode(stone).rstrip(b"\n")


def is_tombstone(record: Record) -> bool:
    """Return whether only a tombstone is left of a record."""
    return record.deleted_at is not None and not record.content and LEDGER in (record.data or {})


def cleaned_line(raw: bytes, traces: TraceMatcher) -> bytes:
    """Return a line without any match, with its hash recomputed."""
    try:
        value: Any = quick_json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        return _cleaned_text(raw, traces)
    made = traces.cleaned(value)
    if made == value:
        return raw
    if isinstance(made, dict) and "hash" in made:
        return _sealed(made, whole=is_whole(raw))
    return quick_json.dumps(made).encode("utf-8", "replace")


def _sealed(made: dict[str, Any], *, whole: bool) -> bytes:
    """Reseal a line; one whose seal was already broken stays broken."""
    mark = made.pop("hash")
    if "role" in made and "at" in made:
        # A turn in the archive: the next import must not bring it back.
        made[FORGOTTEN] = True
        made.pop("edits", None)  # marks of lines that may be forgotten content
    if whole:
        return sealed(quick_json.dumps(made))[0]
    return quick_json.dumps({**made, "hash": mark}).encode("utf-8", "replace")


def without_text(data: bytes, traces: TraceMatcher) -> bytes:
    """Return a text, JSON or compressed file without any match."""
    if data.startswith(_GZIP):
        return _without_packed(data, traces)
    try:
        value = quick_json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        lines = data.split(b"\n")
        cleaned = [cleaned_line(raw, traces) if raw.strip() else raw for raw in lines]
        # A run of words may continue on the next line.
        return _cleaned_text(b"\n".join(cleaned), traces)
    made = traces.cleaned(value)
    return data if made == value else (quick_json.dumps(made) + "\n").encode("utf-8", "replace")


def without_turns(data: bytes) -> bytes:
    """Return an archived session with empty turns: only ids, times and marks, and no title."""
    made: list[bytes] = []
    for raw in map(untitled, split_lines(_unpacked(data))):
        try:
            value = quick_json.loads(raw.decode("utf-8"))
        except (ValueError, RecursionError):
            continue
        if not isinstance(value, dict) or "head" in value or value.get(FORGOTTEN):
            made.append(raw)
            continue
        kept = {name: value[name] for name in ("id", "role", "at") if name in value}
        made.append(sealed(quick_json.dumps({**kept, FORGOTTEN: True}))[0])
    if made == split_lines(_unpacked(data)):
        return data
    return gzip.compress(b"\n".join(made) + b"\n", 6, mtime=0)


def contains_trace(data: bytes, traces: TraceMatcher) -> bool:
    """Return whether a file's bytes match: as text, compressed, or inside a database."""
    if data.startswith(_GZIP):
        data = _unpacked(data)
    if not traces.may_hit(data):
        return False
    if b"\0" in data[:4096]:
        return traces.in_bytes(data)
    if b"\\" in data:
        # A JSON escape is neither a word nor the end of one.
        return any(cleaned_line(raw, traces) != raw for raw in split_lines(data)) or traces.hits(
            data.decode("utf-8", "replace")
        )
    return traces.hits(data.decode("utf-8", "replace"))


def _cleaned_text(raw: bytes, traces: TraceMatcher) -> bytes:
    text = raw.decode("utf-8", "surrogateescape")
    made = traces.without(text)
    return raw if made == text else made.encode("utf-8", "surrogateescape")


def _without_packed(data: bytes, traces: TraceMatcher) -> bytes:
    plain = _unpacked(data)
    made = [cleaned_line(raw, traces) for raw in split_lines(plain)]
    if made == split_lines(plain):
        return data
    # A title retells the turns, in words of its own.
    return gzip.compress(b"\n".join(map(untitled, made)) + b"\n", 6, mtime=0)


def untitled(raw: bytes) -> bytes:
    """Return the line of a session's head without its title; any other line unchanged."""
    if b'"title"' not in raw:
        return raw
    try:
        value: Any = quick_json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        return raw
    head = value.get("head") if isinstance(value, dict) else None
    if not isinstance(head, dict) or head.pop("title", None) is None:
        return raw
    value.pop("hash", None)
    return sealed(quick_json.dumps(value))[0]


def _unpacked(data: bytes) -> bytes:
    """Return the readable contents of every member, skipping damage."""
    parts: list[bytes] = []
    while data.startswith(_GZIP):
        reader = zlib.decompressobj(31)
        try:
            parts.append(reader.decompress(data))
        except zlib.error:
            break
        data = reader.unused_data
    return b"".join(parts)
