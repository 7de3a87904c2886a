"""Statistics of the last 5,000 outcomes, with a multiplier per agent.

Derived from the ledger. The file saves reading it again; it is used only where it still agrees
with the index, so that losing it, or a kill before it is saved, changes no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from satchel.core import quick_json
from satchel.core.errors import StoreError
from satchel.core.values import NamedTuple
from satchel.features.routing.values import SUCCESS, Decision, Tally
from satchel.storage.files import read_object, replace_file

WINDOW = 5000
#: Outcomes of an agent from which on they count.
LEAST = 5
LOWEST, HIGHEST = 0.7, 1.3
#: Seconds between two savings at least.
DEBOUNCE = 10.0
_FORMAT = 1


class Mark(NamedTuple):
    """The ledger's state: the number of decisions with outcome, and the newest version."""

    decided: int = 0
    newest: str = ""


def multiplier(successes: int, failures: int) -> float | None:
    """Return .7 to 1.3, linear in the success rate; None below five outcomes."""
    told = successes + failures
    if told < LEAST:
        return None
    return round(LOWEST + (HIGHEST - LOWEST) * successes / told, 9)


class OutcomeStats:
    """The outcomes within the window.

    Args:
        path: of the file that saves reading the ledger.
        now: seconds, for the pause between two savings.
    """

    def __init__(self, path: str, now: Callable[[], float]) -> None:
        self.path = path
        self._now = now
        self._window: dict[str, tuple[int, str, bool]] = {}
        self.mark = Mark()
        self._saved_at = now()
        self.unsaved = False

    def refresh(self, mark: Mark, read: Callable[[], Iterable[Decision]]) -> None:
        """Update the window from the ledger.

        Args:
            mark: how the ledger stands.
            read: gives the newest decisions that have an outcome, called only if need be.
        """
        if self.mark == mark:
            return
        if not self.mark.newest and self._load() and self.mark == mark:
            return
        self._window = {}
        for decision in read():
            self._put(decision)
        self.mark = mark
        self.unsaved = True

    def add(self, decision: Decision, mark: Mark) -> None:
        """Count an outcome that was just recorded."""
        self._put(decision)
        self.mark = mark
        self.unsaved = True
        if self._now() - self._saved_at >= DEBOUNCE:
            self.flush()

    def flush(self) -> None:
        """Save changes. If the disk refuses, only the next reader loses time."""
        if not self.unsaved:
            return
        rows = [[i, at, agent, int(won)] for i, (at, agent, won) in self._window.items()]
        body = {"format": _FORMAT, "mark": list(self.mark), "window": rows}
        try:
            replace_file(self.path, quick_json.dumps(body).encode())
        except StoreError:
            return
        self._saved_at, self.unsaved = self._now(), False

    def multipliers(self) -> dict[str, float]:
        """Return the multipliers of all agents that have one."""
        return {a: told for a, (_, _, told) in self._by_agent().items() if told is not None}

    def tallies(self) -> list[Tally]:
        """Return outcomes by agent, most outcomes first."""
        found = [
            Tally(agent, won, lost, 1.0 if told is None else told)
            for agent, (won, lost, told) in self._by_agent().items()
        ]
        return sorted(found, key=lambda one: (-one.successes - one.failures, one.agent))

    def __len__(self) -> int:
        return len(self._window)

    def _by_agent(self) -> dict[str, tuple[int, int, float | None]]:
        won: dict[str, list[int]] = {}
        for _, agent, success in self._window.values():
            won.setdefault(agent, [0, 0])[0 if success else 1] += 1
        return {agent: (*both, multiplier(*both)) for agent, both in won.items()}  # type: ignore[misc]

    def _put(self, decision: Decision) -> None:
        won = decision.outcome == SUCCESS
        self._window[decision.id] = (decision.order, decision.agent, won)
        if len(self._window) > WINDOW:
            del self._window[min(self._window, key=lambda one: (self._window[one][0], one))]

    def _load(self) -> bool:
        body = read_object(self.path)
        if body.get("format") != _FORMAT:
            return False
        mark, rows = body.get("mark"), body.get("window")
        if not (_is_mark(mark) and isinstance(rows, list) and all(map(_is_row, rows))):
            return False
        self.mark = Mark(*mark)  # type: ignore[misc]
        self._window = {i: (at, agent, bool(won)) for i, at, agent, won in rows[-WINDOW:]}
        return True


def _is_mark(value: object) -> bool:
    return isinstance(value, list) and [type(one) for one in value] == [int, str]


def _is_row(value: object) -> bool:
    return isinstance(value, list) and [type(one) for one in value] == [str, int, str, int]
