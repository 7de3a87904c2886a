"""The repeat-correction rate: how often something was said that had been said before. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.values import NamedTuple
from satchel.engine.contradictions import SAME, Rule, clashes

#: Corrections that are compared with each other, newest first; more would take minutes.
_MOST = 2000


class Correction(NamedTuple):
    """One correction as it was captured: when, in which session, in which words."""

    id: str
    ts: int
    session: str
    text: str


class Rate(NamedTuple):
    """Corrections in so many sessions, and how many of them repeat an earlier one."""

    sessions: int
    corrections: int
    repeats: int

    @property
    def share(self) -> float:
        """The repeats' share, 0 to 1; 0 without corrections."""
        return self.repeats / self.corrections if self.corrections else 0.0


class Repeats(NamedTuple):
    """Before the first approval of a guard, and since; and what was repeated, newest first."""

    before: Rate
    since: Rate
    pairs: tuple[tuple[Correction, Correction], ...]


def repeats(corrections: Sequence[Correction], *, guarded_from: int) -> Repeats:
    """Compare every correction with those before it, in its order of time.

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
