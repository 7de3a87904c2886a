"""Purging on a team's server: removes long-deleted memories, leaving tombstones.

Each batch is one transaction under the project's lock, so a run may be killed, and a memory that
somebody brings back meanwhile stays. Documents are dropped last, wherever an earlier run stopped.
"""

from __future__ import annotations

from collections.abc import Iterable

from satchel.core.times import DAY
from satchel.engine.search.team.rows import bytes_of
from satchel.storage.database.contract import TeamDatabase
from satchel.storage.database.queries import load_queries
from satchel.storage.ledger.lines import decode, encode
from satchel.storage.ledger.purging import PurgeReport, tombstones_of
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.team import TeamLedger, array_of

#: The memories' ids, the lines to remove, and the tombstones.
Batch = tuple[list[str], list[bytes], list[bytes]]

#: What every member may count on, whatever another one's settings say.
_LEAST_DAYS = 30
_BATCH = 200


def purge_team(
    ledgers: Iterable[TeamLedger], *, now: float, after_days: float, dry_run: bool = False
) -> PurgeReport:
    """Remove all lines of memories deleted more than `after_days` ago, and at least 30.

    Args:
        ledgers: of one project.
        now: this machine's clock in Unix seconds; the server's counts if it is behind.
        after_days: how many days a deletion is kept.
        dry_run: only report what would be removed.
    """
    ids: list[str] = []
    lines, touched = 0, []
    for ledger in ledgers:
        purging = _Purging(ledger, now - max(after_days, _LEAST_DAYS) * DAY)
        for names, gone, _ in purging.look() if dry_run else purging.run():
            ids += names
            lines += len(gone)
            touched.append(ledger.path)
    return PurgeReport(tuple(ids), lines, tuple(dict.fromkeys(touched)))


def drop_unheld(database: TeamDatabase, project: str) -> None:
    """Drop the documents of lines that were purged."""
    sql = load_queries(__file__, "purging.sql")

    def work(_: bool) -> None:  # noqa: FBT001
        database.read(load_queries(__file__, "deriving.sql")["hold_project"], (project,))
        database.write(sql["drop_unheld"], (project,))
        database.write(sql["drop_unused_words"], (project,))

    database.attempt(work)


class _Purging:
    """The purging of one ledger."""

    def __init__(self, ledger: TeamLedger, before: float) -> None:
        self.ledger, self.database = ledger, ledger.database
        self.sql = load_queries(__file__, "purging.sql")
        ((server,),) = self.database.read(self.sql["now"])
        self.before = int(min(before, int(server or 0) - _LEAST_DAYS * DAY))

    def look(self) -> Iterable[Batch]:
        """Yield what would be removed, in one batch."""
        batch = self._batch(1_000_000)
        return [batch] if batch[0] else []

    def run(self) -> Iterable[Batch]:
        """Remove batch after batch; yield each once it is committed."""
        while True:
            done: list[Batch] = []

            def make() -> tuple[list[bytes], list[bytes]]:
                done[:] = [self._batch(_BATCH)]  # noqa: B023 -- called before the next turn
                return done[0][1], done[0][2]  # noqa: B023

            self.ledger.replace_made(make)
            if not done[0][0]:
                return
            yield done[0]

    def _batch(self, most: int) -> Batch:
        where = (self.ledger.project, self.ledger.name)
        found = self.database.read(self.sql["doomed"], (*where, self.before, most))
        identities = array_of([str(identity) for (identity,) in found])
        rows = self.database.read(self.sql["their_lines"], (*where, identities)) if found else []
        groups: dict[str, dict[bytes, Record]] = {}
        for identity, raw in rows:
            record = decode(line := bytes_of(raw)).record
            if record is not None:
                groups.setdefault(str(identity), {})[line] = record
        ids: list[str] = []
        stones: list[bytes] = []
        for lines in groups.values():
            made = tombstones_of(list(lines.values()))
            ids.append(made[0].id)
            stones += [encode(stone).rstrip(b"\n") for stone in made]
        return ids, [raw for lines in groups.values() for raw in lines], stones
