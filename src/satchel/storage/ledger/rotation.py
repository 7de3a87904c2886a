"""Rotation: moves the oldest lines to the archive. Live data is unaffected."""

from __future__ import annotations

from satchel.core.values import NamedTuple
from satchel.storage.files import read_file
from satchel.storage.ledger.file import Ledger, append_durably
from satchel.storage.ledger.ledger_end import count_lines
from satchel.storage.ledger.lines import decode, split_lines
from satchel.storage.ledger.rewriting import rewrite


class RotationReport(NamedTuple):
    """The result of a rotation: lines moved, and lines kept."""

    moved: int
    kept: int


def rotate(ledger: Ledger, *, above: int = 1000, move: int = 500) -> RotationReport:
    """Move the oldest lines to the archive, `move` at a time, until at most `above` are left.

    All in one rewrite: after a large import, each of the next sessions would otherwise pay for one.
    Order on disk: the archive is appended and flushed, then the ledger is replaced by a shorter
    file. A crash in between leaves lines in both, which readers count once.
    """
    if count_lines(ledger.path) <= above:
        return RotationReport(0, 0)
    done = RotationReport(0, 0)

    def younger(lines: list[bytes]) -> list[bytes]:
        nonlocal done
        if len(lines) <= above:
            done = RotationReport(0, len(lines))
            return lines
        steps = -(-(len(lines) - above) // max(move, 1))
        oldest = _oldest(lines, steps * move)
        archived = set(split_lines(read_file(ledger.archive)))
        fresh = [raw for raw in oldest if raw not in archived]
        if fresh:
            append_durably(ledger.archive, b"\n".join(fresh) + b"\n")
        leaving = set(oldest)
        kept = [raw for raw in lines if raw not in leaving]
        done = RotationReport(len(lines) - len(kept), len(kept))
        return kept

    with ledger.lock():
        rewrite(ledger.path, younger)
    return done


def _oldest(lines: list[bytes], count: int) -> list[bytes]:
    """Return the oldest lines by time. Merges may have reordered lines.

    Damaged lines go too: the archive keeps them verbatim.
    """

    def age(numbered: tuple[int, bytes]) -> tuple[int, str, int]:
        record = decode(numbered[1]).record
        return (record.ts, record.id, numbered[0]) if record else (0, "", numbered[0])

    return [raw for _, raw in sorted(enumerate(lines), key=age)[:count]]
