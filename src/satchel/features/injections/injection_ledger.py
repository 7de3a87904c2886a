"""The injection ledger: one line each time something is shown to an agent."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.values import Any, NamedTuple
from satchel.storage.ledger.lines import decode, split_lines
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.ledger.contract import RecordLog

#: The event of a whole brief, and of what is new in a resumed conversation.
STARTED, RESUMED = "SessionStart", "SessionStart (resume)"


class InjectedItem(NamedTuple):
    """A memory shown to an agent: its section, its reason and its cost."""

    identity: str
    id: str
    section: str
    rank: int
    tokens: int
    why: str
    text: str = ""


class Injection(NamedTuple):
    """An injection: its time, session and event, its items and total cost.

    `id` is the ledger line's; `heard` is what the agent was asked to keep, "" for a brief.
    """

    ts: int
    session: str
    event: str
    agent: str
    tokens: int
    budget: int
    left_out: int
    items: tuple[InjectedItem, ...]
    id: str = ""
    heard: str = ""


class InjectionsRead(NamedTuple):
    """Every injection, oldest first, and the bytes they were read from."""

    data: bytes
    every: tuple[Injection, ...]


def still_held(injections: Sequence[Injection]) -> list[Injection]:
    """Return a session's injections that are still in its context, oldest first.

    A session that starts, is cleared or was compacted gets a whole brief; anything before is no
    longer in context. A resumed session keeps its context.
    """
    begun = [number for number, one in enumerate(injections) if one.event == STARTED]
    return list(injections[begun[-1] :]) if begun else list(injections)


class InjectionLedger:
    """The injections of a project."""

    def __init__(self, ledger: RecordLog) -> None:
        self.ledger = ledger

    def note(self, injection: Injection) -> str:
        """Record an injection; return its line's id."""
        data: dict[str, Any] = {
            "event": injection.event,
            "tokens": injection.tokens,
            "budget": injection.budget,
            "left_out": injection.left_out,
            "items": [list(item) for item in injection.items],
        }
        record = Record(
            kind="injection",
            key="injection",
            title=injection.heard,
            source="satchel",
            session=injection.session,
            agent=injection.agent,
            data=data,
        )
        (written,) = self.ledger.append([record])
        return written.id

    def of_session(self, session: str, *, whole: bool = False) -> list[Injection]:
        """Return a session's injections, oldest first. `whole` includes the archive."""
        # Only lines that name the session are parsed: this runs at every prompt.
        marker = session.encode("utf-8", "replace")
        data = self.ledger.data(marker, archived=whole)
        return _injections([raw for raw in split_lines(data) if marker in raw], session)

    def recent(self) -> list[Injection]:
        """Return injections of all sessions not yet archived, oldest first."""
        return _injections(split_lines(self.ledger.data(archived=False)), "")

    def all(self) -> list[Injection]:
        """Return every injection, oldest first."""
        return _injections(split_lines(self.ledger.data()), "")

    def follow(self, before: InjectionsRead | None) -> InjectionsRead:
        """Return every injection, parsing only lines added since."""
        data = self.ledger.data()
        data = data[: data.rfind(b"\n") + 1]
        if before is None or not data.startswith(before.data):
            return InjectionsRead(data, tuple(_injections(split_lines(data), "")))
        new = _injections(split_lines(data[len(before.data) :]), "")
        merged = {one.id: one for one in (*before.every, *new)}
        return InjectionsRead(data, tuple(sorted(merged.values(), key=lambda one: one.ts)))

    def told_in(self, section: str) -> frozenset[str]:
        """Return the identities that a section of any brief has shown."""
        items = (item for injection in self.all() for item in injection.items)
        return frozenset(item.identity for item in items if item.section == section)

    def sessions(self) -> dict[str, int]:
        """Return sessions with the tokens shown to them, newest last."""
        totals: dict[str, int] = {}
        for injection in self.all():
            total = totals.pop(injection.session, 0) + injection.tokens
            totals[injection.session] = total
        return totals


def _injections(lines: Sequence[bytes], session: str) -> list[Injection]:
    found: dict[str, Injection] = {}
    for raw in lines:
        record = decode(raw).record
        if record is None or record.kind != "injection" or not record.data:
            continue
        if session and record.session != session:
            continue
        data = record.data
        items = [InjectedItem(*item) for item in data.get("items", []) if len(item) == _FIELDS]
        found[record.id] = Injection(
            ts=record.ts,
            session=record.session,
            event=str(data.get("event", "")),
            agent=record.agent,
            tokens=int(data.get("tokens", 0)),
            budget=int(data.get("budget", 0)),
            left_out=int(data.get("left_out", 0)),
            items=tuple(items),
            id=record.id,
            heard=record.title,
        )
    return sorted(found.values(), key=lambda i: i.ts)


_FIELDS = len(InjectedItem._fields)
