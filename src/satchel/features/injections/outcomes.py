"""Outcomes of injected memories, per session, as lines of a private ledger."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from satchel.core import times
from satchel.core.errors import SatchelError
from satchel.core.values import Any, NamedTuple
from satchel.project.store import ProjectStore
from satchel.storage.ledger.lines import records_in
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.ledger.contract import RecordLog

#: The ledger that they are in.
LEDGER = "usefulness"
#: The kind of their lines.
KIND = "usefulness"
HELPED, USED, IGNORED, HURT = "helped", "used", "ignored", "hurt"
OUTCOMES = (HELPED, USED, IGNORED, HURT)
#: In how many sessions a memory must be ignored, and never used, before it is shown less; before
#: archiving is suggested.
SELDOM, NEVER = 5, 10


class Usefulness(NamedTuple):
    """A memory's usefulness: its sessions by outcome, and the tokens they cost."""

    identity: str
    helped: int = 0
    used: int = 0
    ignored: int = 0
    hurt: int = 0
    tokens: int = 0

    @property
    def shown(self) -> int:
        """Return the number of judged sessions."""
        return self.helped + self.used + self.ignored + self.hurt

    @property
    def seldom(self) -> bool:
        """Return whether it was ignored often enough, and never used, to be shown less."""
        return not (self.helped or self.used) and self.ignored + self.hurt >= SELDOM

    @property
    def never(self) -> bool:
        """Return whether it has gone unused long enough to be archived."""
        return self.seldom and self.ignored + self.hurt >= NEVER

    @property
    def earned(self) -> float:
        """Return sessions it helped, plus half of those that used it, per 1,000 tokens."""
        gained = self.helped + self.used / 2 - self.hurt
        return round(1000 * gained / self.tokens, 3) if self.tokens else 0.0


class OutcomeLedger:
    """Outcomes of one project's sessions."""

    def __init__(self, ledger: RecordLog) -> None:
        self.ledger = ledger

    def note(self, session: str, outcomes: Mapping[str, tuple[str, int]]) -> None:
        """Record a session: identity -> outcome, tokens. Its last line counts."""
        items = {name: list(one) for name, one in outcomes.items()}
        data = {"items": items}
        self.ledger.append([Record(kind=KIND, session=session, source="reflect", data=data)])

    def usefulness(self) -> dict[str, Usefulness]:
        """Return every memory's usefulness, by identity."""
        return summed(self._last())

    def of(self, identity: str) -> dict[str, str]:
        """Return a memory's outcomes by session."""
        found = {}
        for record in self._last():
            told = ((record.data or {}).get("items") or {}).get(identity)
            if isinstance(told, list) and told and told[0] in OUTCOMES:
                found[record.session] = str(told[0])
        return found

    def by_month(self) -> dict[str, tuple[int, int]]:
        """Return the judged sessions per month, and those that a memory helped."""
        found: dict[str, tuple[int, int]] = {}
        for record in sorted(self._last(), key=lambda one: one.ts):
            month = times.day(record.ts)[:7]
            sessions, helped = found.get(month, (0, 0))
            items = ((record.data or {}).get("items") or {}).values()
            found[month] = (sessions + 1, helped + any(one[:1] == [HELPED] for one in items))
        return found

    def by_session(self) -> dict[str, dict[str, str]]:
        """Return the outcomes of all judged memories, by session and identity."""
        return {
            one.session: {
                name: str(told[0])
                for name, told in ((one.data or {}).get("items") or {}).items()
                if isinstance(told, list) and told and told[0] in OUTCOMES
            }
            for one in self._last()
        }

    def _last(self) -> list[Record]:
        """Return each session's last line."""
        last: dict[str, tuple[tuple[int, str], Record]] = {}
        for record in records_in(self.ledger.data()):
            if record.kind == KIND and isinstance(record.data, dict):
                order = (record.ts, record.id)
                if record.session not in last or last[record.session][0] < order:
                    last[record.session] = (order, record)
        return [record for _, record in last.values()]


def summed(records: Iterable[Record]) -> dict[str, Usefulness]:
    """Sum outcomes over sessions."""
    found: dict[str, Usefulness] = {}
    for record in records:
        items = (record.data or {}).get("items")
        for identity, told in items.items() if isinstance(items, dict) else ():
            if not (isinstance(told, list) and len(told) == 2 and told[0] in OUTCOMES):  # noqa: PLR2004
                continue
            one = found.get(identity) or Usefulness(identity)
            tokens = one.tokens + (told[1] if isinstance(told[1], int) else 0)
            counted: dict[str, Any] = {str(told[0]): getattr(one, told[0]) + 1, "tokens": tokens}
            found[identity] = one._replace(**counted)
    return found


def outcomes_of(project: ProjectStore) -> OutcomeLedger:
    """Open a project's outcomes."""
    return OutcomeLedger(project.log(LEDGER))


def rarely_useful(project: ProjectStore) -> frozenset[str]:
    """Return the identities of memories often shown and never used."""
    try:
        standing = outcomes_of(project).usefulness()
    except SatchelError:
        return frozenset()
    return frozenset(name for name, one in standing.items() if one.seldom)
