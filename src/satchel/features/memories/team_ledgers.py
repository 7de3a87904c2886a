"""The ledgers of a project that live on the team's server, with the contract of `Ledgers`."""

from __future__ import annotations

from satchel.core.clock import Clock
from satchel.core.kinds import KINDS
from satchel.engine.search.documents import Source
from satchel.engine.search.team_index import TeamIndex
from satchel.features.memories.ledgers import TEAM, Ledgers
from satchel.storage.ledger.team import TeamLedger
from satchel.storage.paths import PrivateState

KNOWLEDGE = "knowledge"


class TeamLedgers(Ledgers):
    """One ledger for what lives long, and one for each short-lived kind, as in files.

    Args:
        index: derives documents from what is appended.
        clock: the time.
        state: private state on this machine, where faults are noted.
    """

    def __init__(self, index: TeamIndex, *, clock: Clock, state: PrivateState) -> None:
        self.state = state
        self.clock = clock
        self.owner = TEAM
        self.root = ""
        self.index = index
        self._tracked = ""
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
        """Names of the ledgers that hold anything."""
        sql = self.named(KNOWLEDGE).sql["ledgers"]
        return [str(row[0]) for row in self.index.database.read(sql, (self.index.project,))]

    def lines_given(self) -> int:
        """How many lines the project was ever given: more after every write by anybody."""
        sql = self.named(KNOWLEDGE).sql["lines_given"]
        return int(self.index.database.read(sql, (self.index.project,))[0][0] or 0)

    def private(self, kind: str) -> TeamLedger:
        """Return the ledger of a kind: its own if it is short-lived."""
        known = KINDS.get(kind)
        return self.named(kind if known and not known.long_lived else KNOWLEDGE)

    def close(self) -> None:
        """Nothing is open but the connection, which the index's database closes."""

    def sources(self) -> list[Source]:
        """Every ledger that is read."""
        return [Source(self.named(name).path, TEAM) for name in self._private_names()]
