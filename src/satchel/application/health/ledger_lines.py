"""Every line of every ledger, and whether the index holds exactly those."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from satchel.application.findings import ERROR, NOTE, WARNING, Finding, listed
from satchel.core.errors import StoreError
from satchel.core.plurals import counted
from satchel.core.times import DAY
from satchel.engine.search.contracts import SearchIndex
from satchel.engine.search.index import SCHEMA
from satchel.storage.files import read_file
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.lines import decode

_MOST_LINES = 20
_CONFLICT = "a git conflict marker"


class Damaged(NamedTuple):
    """A line that does not parse: its number from 1, and the reason."""

    number: int
    reason: str


class LedgerLines(NamedTuple):
    """The contents of a file: hashes of its records, and numbers of notable lines."""

    path: str
    hashes: frozenset[str]
    damaged: tuple[Damaged, ...]
    edited: tuple[int, ...]
    future: tuple[int, ...]


def read_lines(path: str, now: float) -> LedgerLines:
    """Read a ledger. Raises `NotReadableError` if the file cannot be read."""
    hashes: set[str] = set()
    damaged, edited, future = [], [], []
    for number, raw in enumerate(read_file(path).split(b"\n"), 1):
        if not raw.strip():
            continue
        line = decode(raw)
        if line.record is None:
            damaged.append(Damaged(number, line.reason))
            continue
        hashes.add(line.record.version[3])
        if line.record.edited:
            edited.append(number)
        if line.record.when > now + DAY:
            future.append(number)
    return LedgerLines(path, frozenset(hashes), tuple(damaged), tuple(edited), tuple(future))


def line_findings(lines: LedgerLines) -> list[Finding]:
    """Report damaged, edited and future-dated lines."""
    found = []
    for damage in lines.damaged[:_MOST_LINES]:
        place = f"{lines.path}:{damage.number}"
        if damage.reason == _CONFLICT:
            step = "Delete the marker lines and keep the lines between them; order does not matter."
            found.append(Finding(ERROR, place, "is a git conflict marker", step))
        else:
            step = "Fix or delete the line; a copy of it is in quarantine."
            found.append(Finding(WARNING, place, f"cannot be read: {damage.reason}", step))
    if len(lines.damaged) > _MOST_LINES:
        more = f"{len(lines.damaged) - _MOST_LINES} more lines cannot be read"
        found.append(Finding(WARNING, lines.path, more))
    if lines.edited:
        what = f"edited by hand: line {_numbers(lines.edited)}; trusted as imported text is"
        found.append(Finding(NOTE, lines.path, what))
    if lines.future:
        what = f"dated more than a day ahead of this clock: line {_numbers(lines.future)}"
        step = "Check this machine's clock. Such lines win over newer ones until their time."
        found.append(Finding(WARNING, lines.path, what, step))
    return found


def lost_end_findings(ledgers: Sequence[Ledger]) -> list[Finding]:
    """Report ledgers that lost lines at their end after these were saved."""
    found = []
    for ledger in ledgers:
        try:
            lost = ledger.lost_end()
        except StoreError:
            continue  # reading its lines says why
        if lost:
            many = f"{lost.lines} lines" if lost.lines > 1 else "what was saved"
            what = f"lost its end: {many} up to {lost.last} cannot be found any more"
            step = (
                "Restore it from a backup: `satchel backup --list`. If it is gone on purpose, "
                f"delete {ledger.lock().path}, and nothing is missed any more."
            )
            found.append(Finding(ERROR, ledger.path, what, step))
    return found


def index_findings(
    every: Sequence[LedgerLines], index: SearchIndex, behind: Sequence[str], known: AbstractSet[str]
) -> list[Finding]:
    """Compare ledgers with the index in both directions.

    `behind` are files changed since; `known` are the work tree's own, also if they are unreadable.
    """
    try:
        held = index.hashes()
        problems = index.problems()
        schema = index.database.read("SELECT value FROM meta WHERE name = 'schema'")
    except StoreError as error:
        step = "Run `satchel rebuild`; the ledgers hold everything."
        return [Finding(ERROR, "index", f"cannot be used: {error}", step)]
    found = [Finding(ERROR, "index", what, "Run `satchel rebuild`.") for what in problems]
    if schema != [(SCHEMA,)]:
        other = repr(schema[0][0]) if schema else "none"
        what = f"its schema is {other}, ours is {SCHEMA!r}"
        step = "Another version of Satchel uses it too; update the older one."
        found.append(Finding(ERROR, "index", what, step))
    for lines in every:
        found += _divergence(lines, frozenset(held.get(lines.path, ())), lines.path in behind)
    others = sorted(path for path in held if path not in known)
    if others:
        what = f"also holds ledgers of other work trees: {listed(others)}"
        found.append(Finding(NOTE, "index", what))
    return found


def _divergence(lines: LedgerLines, held: frozenset[str], behind: bool) -> list[Finding]:  # noqa: FBT001
    missing, extra = lines.hashes - held, held - lines.hashes
    parts = []
    if missing:
        parts.append(
            f"{counted(len(missing), 'line')} of it not in the index ({listed(sorted(missing))})"
        )
    if extra:
        parts.append(f"the index holds {len(extra)} that it lacks ({listed(sorted(extra))})")
    if not parts:
        return []
    if behind:
        return [Finding(WARNING, lines.path, "; ".join(parts), "The index is behind: try again.")]
    step = "Run `satchel rebuild`; the ledgers hold everything."
    return [Finding(ERROR, lines.path, "; ".join(parts), step)]


def _numbers(numbers: tuple[int, ...]) -> str:
    return listed([str(number) for number in numbers])
