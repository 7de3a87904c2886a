"""Lines of a task file, parsed and written back without loss. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from satchel.core import quick_json
from satchel.core.quick_json import canonical
from satchel.core.values import Any, NamedTuple
from satchel.features.tasks.dialects import moment, status_of, text
from satchel.features.tasks.issue_ids import twin_id
from satchel.features.tasks.merging import are_different, merged
from satchel.features.tasks.values import TOMBSTONE

Data = dict[str, Any]


ISSUE, FOREIGN, DAMAGED = "issue", "foreign", "damaged"
_BOM = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """A line: its bytes without line ending, its type, an issue's fields, and its number."""

    raw: bytes
    what: str
    data: dict[str, Any] | None = None
    number: int = 0

    @property
    def id(self) -> str:
        """Return the issue's id; "" if the line is not an issue."""
        return text(self.data or {}, "id").strip()


class Group(NamedTuple):
    """A file's issue: its versions, and their line numbers from 0."""

    versions: tuple[dict[str, Any], ...]
    numbers: tuple[int, ...]

    @property
    def data(self) -> dict[str, Any]:
        """Return the issue merged from its versions."""
        return merged(self.versions)


def lines_in(content: bytes) -> list[Line]:
    """Split a file into lines, dropping blank ones and keeping damaged ones."""
    rows = enumerate(content.removeprefix(_BOM).split(b"\n"), 1)
    return [line_of(raw)._replace(number=number) for number, raw in rows if raw.strip()]


def line_of(raw: bytes) -> Line:
    """Classify a line. JSON lines that are not issues belong to another program."""
    try:
        data = quick_json.loads(raw.strip().decode("utf-8"))
    except (ValueError, RecursionError):
        return Line(raw, DAMAGED)
    if not isinstance(data, dict):
        return Line(raw, DAMAGED)
    if data.get("_type", ISSUE) != ISSUE:
        return Line(raw, FOREIGN)
    return Line(raw, ISSUE, data) if text(data, "id").strip() else Line(raw, DAMAGED)


def groups_in(lines: Sequence[Line]) -> dict[str, Group]:
    """Group the versions of each issue by id.

    Two issues that got the same id on two branches are separated: the younger gets a longer id, the
    same in every clone.
    """
    by_id: dict[str, list[tuple[int, Data]]] = {}
    for number, line in enumerate(lines):
        if line.data is not None:
            by_id.setdefault(line.id, []).append((number, line.data))
    found: dict[str, Group] = {}
    for ident, rows in by_id.items():
        for name, group in _parted(ident, rows) if len(rows) > 1 else [(ident, rows)]:
            found[name] = Group(tuple(d for _, d in group), tuple(n for n, _ in group))
    return found


def _parted(ident: str, rows: list[tuple[int, Data]]) -> list[tuple[str, list[tuple[int, Data]]]]:
    heaps: list[list[tuple[int, Data]]] = []
    for row in sorted(rows, key=lambda r: (moment(r[1].get("created_at")), canonical(r[1]))):
        if status_of(row[1]) == TOMBSTONE and heaps:
            heaps[0].append(row)
            continue
        heap = next((h for h in heaps if not are_different(h[0][1], row[1])), None)
        if heap is None:
            heaps.append([row])
        else:
            heap.append(row)
    named = [(ident, heaps[0])]
    for heap in heaps[1:]:
        first = heap[0][1]
        name = twin_id(ident, f"{first.get('created_at')}\0{first.get('title')}")
        named.append((name, [(number, renamed(data, name)) for number, data in heap]))
    return named


def renamed(data: Data, ident: str) -> Data:
    """Return an issue under another id, with its dependencies and comments."""
    before = data.get("id")
    result = {**data, "id": ident}
    for name in ("dependencies", "comments"):
        rows = data.get(name)
        if isinstance(rows, list):
            result[name] = [
                {**row, "issue_id": ident}
                if isinstance(row, dict) and row.get("issue_id") == before
                else row
                for row in rows
            ]
    return result


def encode_issue(data: Mapping[str, Any]) -> bytes:
    """Encode an issue as a line, keeping the order of fields."""
    try:
        return quick_json.dumps(dict(data)).encode()
    except UnicodeEncodeError:
        # A lone surrogate, which other programs write as an escape: so do we.
        import json

        return json.dumps(data, separators=(",", ":"), allow_nan=False).encode()


def replaced(
    lines: Sequence[Line],
    groups: Mapping[str, Group],
    changed: Mapping[str, bytes],
    foreign: Sequence[bytes] = (),
) -> bytes:
    """Return a file's new content.

    A changed issue replaces its first line; unchanged lines keep their bytes and place. New issues
    go where their id belongs if the file is sorted, else at the end.
    """
    put: dict[int, bytes] = {}
    gone: set[int] = set()
    new: list[tuple[str, bytes]] = []
    for ident, raw in changed.items():
        group = groups.get(ident)
        if group is None:
            new.append((ident, raw))
            continue
        put[group.numbers[0]] = raw
        gone |= set(group.numbers[1:])
    rows = [
        (line.id, put.get(number, line.raw))
        for number, line in enumerate(lines)
        if number not in gone
    ]
    ids = [ident for ident, _ in rows if ident]
    if all(one <= other for one, other in pairwise(ids)):
        rows = _woven(rows, sorted(new))
    else:
        rows += sorted(new)
    content = [raw for _, raw in rows] + list(foreign)
    return b"".join(raw + b"\n" for raw in content)


def _woven(rows: list[tuple[str, bytes]], new: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    result: list[tuple[str, bytes]] = []
    at = 0
    for row in rows:
        while row[0] and at < len(new) and new[at][0] < row[0]:
            result.append(new[at])
            at += 1
        result.append(row)
    return result + new[at:]
