"""The repeat-correction rate: how often corrections repeat earlier ones. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.values import NamedTuple
from satchel.engine.statements.contradictions import SAME, Rule, clashes

#: Most corrections to compare with each other, newest first; more would take minutes.
_MOST = 2000


class Correction(NamedTuple):
    """A captured correction: its time, session and words."""

    id: str
    ts: int
    session: str
    text: str


class Rate(NamedTuple):
    """The number of corrections and sessions, and how many repeat an earlier one."""

    sessions: int
    corrections: int
    repeats: int

    @property
    def share(self) -> float:
        """Return the share of repeats, 0 to 1; 0 without corrections."""
        return self.repeats / self.corrections if self.corrections else 0.0


class Repeats(NamedTuple):
    """Rates before and since the first approval of a guard; and repeats, newest first."""

    before: Rate
    since: Rate
    pairs: tuple[tuple[Correction, Correction], ...]


def repeats(corrections: Sequence[Correction], *, guarded_from: int) -> Repeats:
    """Compare every correction with earlier ones.

    Args:
        corrections: in any order.
        guarded_from: when the first guard was approved, Unix seconds; 0 for never.
    """
    ordered = sorted(corrections, key=lambda one: (one.ts, one.id))[-_MOST:]
    pairs = []
    for at, one in enumerate(ordered):
        earlier = _earlier(one, ordered[:at])
        if earlier is not None:
            pairs.append((one, earlier))
    again = {one.id for one, _ in pairs}

    def rate(since: bool) -> Rate:  # noqa: FBT001
        some = [c for c in ordered if bool(guarded_from and c.ts > guarded_from) == since]
        sessions = {c.session for c in some if c.session}
        return Rate(len(sessions), len(some), sum(c.id in again for c in some))

    return Repeats(rate(since=False), rate(since=True), tuple(pairs[::-1]))


def _earlier(one: Correction, before: Sequence[Correction]) -> Correction | None:
    said = " ".join(one.text.casefold().split())
    for other in reversed(before):
        if " ".join(other.text.casefold().split()) == said:
            return other
    rules = [Rule(other.id, number, other.text) for number, other in enumerate(before)]
    same = [clash for clash in clashes(one.text, rules) if clash.what == SAME]
    return before[same[-1].rule.line] if same else None
