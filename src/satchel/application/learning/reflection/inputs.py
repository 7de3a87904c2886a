"""What a reflection compares and counts: captures as signals, suggestions as rules. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from satchel.application.learning.drafting.proposing import key_of
from satchel.application.learning.drafting.routes import route
from satchel.application.learning.signals.patterns import category_of
from satchel.application.learning.signals.values import KNOWLEDGE, MEDIUM, Signal
from satchel.clients.transcript_format.values import USER
from satchel.engine.statements.contradictions import Rule
from satchel.features.proposals.values import Proposal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.features.injections.injection_ledger import InjectionLedger
    from satchel.storage.ledger.record import Record

#: Why a signal is not proposed that has been already, and that nobody has decided.
WAITS = "waits for review"


def signal_of(record: Record) -> Signal:
    """Return a captured memory as a signal, since somebody found it worth keeping."""
    learning = " ".join(record.content.split())
    learnt = "decision" if record.kind == "decision" else "pattern"
    return Signal(
        MEDIUM,
        "captured",
        KNOWLEDGE,
        learning_type=learnt,
        category=category_of(learning),
        learning=learning[:400],
        quote=record.content[:200],
        role="assistant",
        at=float(record.ts),
        turns=(),
    )


def as_rule(proposal: Proposal) -> Rule:
    """Return a suggestion as a rule that others may contradict."""
    text = proposal.edits[0].text if proposal.edits else ""
    return Rule("another suggestion", 0, text if "\n" not in text.strip() else proposal.title)


def proposed_before(
    signals: Iterable[Signal],
    drafted: Iterable[Proposal],
    proposed: Iterable[Proposal],
    waiting: Iterable[Proposal],
    *,
    remembers: bool,
) -> list[tuple[Signal, str]]:
    """Return the signals that were already suggested, whatever the decision.

    Args:
        waiting: suggestions that nobody has decided yet.
    """
    left = {one.key for one in drafted} - {one.key for one in proposed}
    open_now = {one.key for one in waiting}
    keys = [(one, key_of(route(one, remembers=remembers), one.learning)) for one in signals]
    return [
        (one, WAITS if key in open_now else "was proposed before")
        for one, key in keys
        if key in left
    ]


def counted(signals: Iterable[Signal]) -> dict[str, int]:
    """Count signals by tier and type of lesson."""
    counts: Counter[str] = Counter()
    for one in signals:
        counts[f"tier:{one.tier}"] += 1
        counts[f"type:{one.learning_type}"] += 1
    return dict(counts)


def unshown(signals: list[Signal], injections: InjectionLedger, session: str) -> list[Signal]:
    """Drop statements that the session's agent had been shown by Satchel before.

    A checkpoint quotes people: after a compaction the agent is shown their own words.
    """
    if not session:
        return signals
    shown = [
        (one.ts, item.section, " ".join(item.text.lower().split()))
        for one in injections.of_session(session, whole=True)
        for item in one.items
        if item.text and item.identity
    ]

    def is_repeated(signal: Signal) -> bool:
        said = " ".join(signal.learning.lower().split())
        return any(
            said in text
            for at, section, text in shown
            if not (signal.at and signal.at < at)
            and not (signal.role == USER and section == "checkpoint")
        )

    return [one for one in signals if not is_repeated(one)]
