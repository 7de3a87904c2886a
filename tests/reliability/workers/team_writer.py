"""A client that writes to a team's store until it is told to stop, and logs what it was told."""

import os
import sys
import time
from collections.abc import Sequence

from reliability_kit.oracle import WorkLog, digest
from satchel.core.clock import Clock
from satchel.core.errors import SatchelError
from satchel.core.ids import new_ulid
from satchel.engine.search.records import parse_line
from satchel.engine.search.team.index import TeamIndex
from satchel.storage.database.contract import Statement
from satchel.storage.database.postgresql import PostgresDatabase
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.team import TeamLedger, _Head

PROJECT = "torture"


def ledger_at(url: str, *, patience: float, defect: str = "") -> TeamLedger:
    """Open the ledger as the workspace does, or with a seeded bug."""
    database = PostgresDatabase(url, PROJECT, patience=patience)
    index = TeamIndex(database, PROJECT, parse_line)
    kind = {"": TeamLedger, "no_idempotency": Forgetful, "early_ack": Hasty}[defect]
    return kind(database, PROJECT, "knowledge", clock=Clock(), derive=index.derive)


class Forgetful(TeamLedger):
    """Seeded bug: an attempt that comes again does not look at what the first one did."""

    def held_marks(self, marks: object) -> set[bytes]:
        del marks
        return set()


class Hasty(TeamLedger):
    """Seeded bug: a commit is acknowledged before it is on disk."""

    def _hold(self, asks: Sequence[Statement] = ()) -> _Head:
        self.database.script("SET LOCAL synchronous_commit = off")
        return super()._hold(asks)


def main(url: str, folder: str, number: int, defect: str) -> None:
    """Write until the file `stop` appears: by id made here, or by an id that the ledger makes."""
    log = WorkLog(os.path.join(folder, f"{number}.log"))
    ledger, count, slowest, refused = ledger_at(url, patience=20, defect=defect), 0, 0.0, 0
    parent = os.getppid()
    # A run that was killed leaves nobody to say stop.
    while not os.path.exists(os.path.join(folder, "stop")) and os.getppid() == parent:
        token, count = f"token{number}x{count}", count + 1
        record = Record(kind="decision", content=f"{token} was decided by client {number}")
        log.intend("write", token, digest(record.content))
        began = time.monotonic()
        try:
            if count % 2:
                ledger.append([record])
            else:
                named = record._replace(id=new_ulid(int(time.time() * 1000)), ts=int(time.time()))
                ledger.append_new([named])
                ledger.append_new([named])
        except SatchelError:
            refused += 1
            continue
        slowest = max(slowest, time.monotonic() - began)
        log.ack("write", token, digest(record.content))
    with open(os.path.join(folder, f"{number}.told"), "w", encoding="utf-8") as file:
        file.write(f"{count} {slowest} {refused}")
    ledger.database.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
