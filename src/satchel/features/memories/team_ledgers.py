"""A project's ledgers on the team's server: `contract.MemoryLedgers` in rows."""

from __future__ import annotations

from satchel.core.clock import Clock
from satchel.engine.search.documents import Source
from satchel.engine.search.team.index import TeamIndex
from satchel.features.memories.ledgers import KNOWLEDGE, TEAM, ledger_name, ledger_names
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.team import TeamLedger
from satchel.storage.paths import PrivateState


class TeamLedgers:
    """One ledger for long-lived kinds, and one per short-lived kind, as in files.

    Args:
        index: derives documents from appended lines.
        state: private state on this machine, where faults are recorded.
    """

    def __init__(self, index: TeamIndex, *, clock: Clock, state: PrivateState) -> None:
        self.state = state
        self.clock = clock
        self.owner = TEAM
        self.root = ""
        self.index = index
        self._lines: dict[str, TeamLedger] = {}

    def named(self, name: str) -> TeamLedger:
        """Return a ledger by its name."""
        if name not in self._lines:
            self._lines[name] = TeamLedger(
                self.index.database,
                self.index.project,
                name,
                clock=self.clock,
                derive=self.index.derive,
            )
        return self._lines[name]

    def held(self) -> list[str]:
        """Return the names of non-empty ledgers."""
        sql = self.named(KNOWLEDGE).sql["ledgers"]
        return [str(row[0]) for row in self.index.database.read(sql, (self.index.project,))]

    @property
    def tracked(self) -> None:
        """The ledger that git tracks: a server has none."""

    def private(self, kind: str) -> TeamLedger:
        """Return the ledger of a kind: its own if it is short-lived."""
        return self.named(ledger_name(kind))

    def every_private(self) -> list[TeamLedger]:
        """Every ledger that may exist."""
        return [self.named(name) for name in ledger_names()]

    def files(self) -> list[Ledger]:
        """The ledgers that are files: none, since the server maintains its own."""
        return []

    def close(self) -> None:
        """Do nothing: the index's database closes the connection."""

    def sources(self) -> list[Source]:
        """Every ledger that is read."""
        return [Source(self.named(name).path, TEAM) for name in ledger_names()]

    def held_sources(self) -> list[Source]:
        """None: the server itself controls who may write."""
        return []
