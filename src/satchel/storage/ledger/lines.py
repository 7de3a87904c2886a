"""Encodes records as JSON lines with a hash, and decodes any line."""

from __future__ import annotations

from satchel.core import hashing as integrity
from satchel.core import quick_json
from satchel.core.hashing import digest
from satchel.core.ids import derived_ulid, is_ulid, memory_key, ulid_ms
from satchel.core.values import Any, NamedTuple
from satchel.storage.ledger.record import BEADS_MEMORY_FIELDS, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Seconds and counts beyond this are damage: year 287 million.
_LARGEST = 2**53

_TEXTS = tuple(
    "title category client epic session chat agent branch worktree commit visibility trust "  # noqa: SIM905
    "text_id".split()
)
#: A line with none of these is neither a memory nor a deletion.
_SAYS_SOMETHING = ("content", "title", "data", "deleted_at")
_NUMBERS = ("confidence", "relevance")
_TIMES = ("valid_from", "valid_to", "expires_at", "deleted_at", "wall")
_LISTS = ("supersedes", "derived_from", "intent_anchors")
#: Written even if they are zero or false.
_ZEROS = frozenset((*_TIMES, *_NUMBERS))
_KNOWN = frozenset(
    (*BEADS_MEMORY_FIELDS, "id", "rev", "data", "hash", *_TEXTS, *_NUMBERS, *_TIMES, *_LISTS)
)
_OPTIONAL = tuple(
    name
    for name in Record._fields
    if name not in {"kind", "content", "key", "source", "tags", "ts", "task"}
    and name not in {"extra", "hash", "edited"}
)


class Line(NamedTuple):
    """A decoded line of a file.

    `record` is None if the line does not parse; `reason` then says why. `raw` is the line without
    its newline, verbatim.
    """

    raw: bytes
    record: Record | None
    reason: str = ""


def sealed(record: Record) -> tuple[Record, bytes]:
    """Encode a record as a line with newline; return it with its hash.

    Fields of beads memory come first, the hash last: it covers every byte before it.
    """
    line, mark = integrity.sealed(quick_json.dumps(fields_of(record)))
    return record._replace(hash=mark), line + b"\n"


def encode(record: Record) -> bytes:
    """Encode a record as a line with newline."""
    return sealed(record)[1]


def fields_of(record: Record) -> dict[str, Any]:
    """Return a record's JSON object, without its hash."""
    fields: dict[str, Any] = {
        "key": record.key,
        "type": record.kind,
        "content": record.content,
        "source": record.source,
        "tags": list(record.tags),
        "ts": record.ts,
        "bead": record.task,
    }
    for name in _OPTIONAL:
        value = getattr(record, name)
        if value or (value is not None and name in _ZEROS):
            fields[name] = list(value) if isinstance(value, tuple) else value
    for name, value in (record.extra or {}).items():
        fields.setdefault(name, value)
    return fields


def decode(raw: bytes) -> Line:
    """Decode a line. Never raises: invalid lines are returned with a reason."""
    text = raw.strip(b"\r\n \t")
    text = text.removeprefix(b"\xef\xbb\xbf")
    value = _object_in(text)
    if isinstance(value, str):
        return Line(raw, None, value)
    actual, given = integrity.seal_of(text)
    sound = given == actual
    if not ("hash" in value or any(map(value.get, _SAYS_SOMETHING))):
        return Line(raw, None, "neither content, title nor data")
    halves = b"\\u" in text and _has_half_characters(value)
    try:
        record = record_from(replace_surrogates(value) if halves else value)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        return Line(raw, None, f"a field has an impossible value ({error})")
    # Satchel writes id, time and hash together: if only some are left, somebody damaged the rest.
    # Another program's line has neither id nor hash, and is nobody's edit.
    ours = bool(given) or "hash" in value or is_ulid(str(value.get("id", "")))
    edited = (ours or "ts" not in value) and not sound
    return Line(raw, record._replace(hash=actual, edited=edited or halves))


def _object_in(text: bytes) -> dict[str, Any] | str:
    """Return a line's JSON object, or why it has none."""
    if text[:7] in (b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||"):
        return "a git conflict marker"
    if b"\0" in text:
        return "zero bytes, as a power loss leaves them"
    try:
        value = quick_json.loads(text.decode("utf-8"))
        if isinstance(value, str):
            # Some writers of beads memory's format encode the object twice.
            value = quick_json.loads(value)
    except UnicodeDecodeError:
        return "not UTF-8"
    except RecursionError:
        return "nested too deeply"
    except ValueError as error:
        return f"not JSON ({str(error).split(':')[0].lower()})"
    return value if isinstance(value, dict) else "not a JSON object"


def record_from(fields: dict[str, Any]) -> Record:
    """Build a record from a JSON object, tolerating other writers' variations.

    Raises ValueError for numbers that no store could hold.
    """
    content = _text(fields.get("content"))
    kind = _text(fields.get("type")) or "learned"
    key = _text(fields.get("key")) or memory_key(kind, content)
    ident = _id(fields.get("id"))
    ts = _seconds(fields.get("ts"))
    if ts is None:
        ts = ulid_ms(ident) // 1000 if is_ulid(ident) else 0
    if not ident:
        # From the line's content, not its spelling: the same line read in place, imported, or with
        # another program's spacing is the same.
        said = {name: value for name, value in fields.items() if name not in ("hash", "id")}
        ident = derived_ulid(ts * 1000, digest(quick_json.canonical(said).encode()))
    tags = fields.get("tags")
    named: dict[str, Any] = {
        name: _READERS[name](value)
        for name, value in fields.items()
        if value is not None and name in _READERS
    }
    return Record(
        kind=kind,
        content=content,
        key=key,
        source=_text(fields.get("source")),
        tags=tuple(_text(t) for t in tags) if isinstance(tags, list) else _split(tags),
        ts=ts,
        task=_text(fields.get("bead")),
        id=ident,
        rev=_whole(fields.get("rev") or 0),
        data=fields["data"] if isinstance(fields.get("data"), dict) else None,
        extra={k: v for k, v in fields.items() if k not in _KNOWN} or None,
        **named,
    )


def replace_surrogates(value: Any) -> Any:
    """Replace lone surrogates, which make a client's session unusable."""
    return quick_json.loads(quick_json.dumps(value).encode("utf-8", "replace").decode())


def _has_half_characters(value: Any) -> bool:
    try:
        quick_json.dumps(value).encode()
    except UnicodeEncodeError:
        return True
    return False


def split_lines(data: bytes) -> list[bytes]:
    """Split bytes into lines at newlines only, dropping blank ones."""
    return [line for line in data.split(b"\n") if line.strip()]


def records_in(data: bytes) -> Iterator[Record]:
    """Yield the records of a ledger's bytes; lines that do not parse are left out."""
    for raw in split_lines(data):
        record = decode(raw).record
        if record is not None:
            yield record


def _id(value: Any) -> str:
    """Return an id; "" for what can be none: an option, words, or what a terminal would obey."""
    text = _text(value)
    return text if text.isprintable() and " " not in text and text[:1] != "-" else ""


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else quick_json.dumps(value)


def _whole(value: Any) -> int:
    number = int(value)
    if abs(number) > _LARGEST:
        raise ValueError("a number beyond any time or count")
    return number


def _texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(_text(v) for v in value)
    return (_text(value),) if value else ()


def _split(value: Any) -> tuple[str, ...]:
    return tuple(t.strip() for t in _text(value).split(",") if t.strip())


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if value == value and abs(value) != float("inf") else None  # noqa: PLR0124


def _seconds(value: Any) -> int | None:
    """Convert a number or an ISO time to Unix seconds, detecting milliseconds."""
    if isinstance(value, str) and value:
        if value.lstrip("-").isdigit():
            value = _whole(value)
        else:
            from satchel.core.times import seconds_of

            seconds = seconds_of(value)
            return None if seconds is None else _whole(seconds)
    number = _number(value)
    if number is None:
        return None
    return _whole(number / 1000 if abs(number) > 1e11 else number)  # noqa: PLR2004


_READERS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(_TEXTS, _text),
    **dict.fromkeys(_NUMBERS, _number),
    **dict.fromkeys(_TIMES, _seconds),
    **dict.fromkeys(_LISTS, _texts),
}
