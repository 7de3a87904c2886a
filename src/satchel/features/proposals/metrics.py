"""Reflection metrics: what was read, found, suggested and accepted. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from satchel.features.proposals.values import (
    ACCEPTED,
    PENDING,
    REJECTED,
    UNDONE,
    QueuedProposal,
    Scan,
)


def project_metrics(standings: Sequence[QueuedProposal], scans: Iterable[Scan]) -> dict[str, Any]:
    """Return a project's figures for reflect's metrics file; reworded suggestions count once.

    `acceptance_rate` is the share of those decided, from 0 to 1; None if none was.
    """
    signals: Counter[str] = Counter()
    sessions = 0
    for scan in scans:
        sessions += 1
        signals.update({name: count for name, count in scan.found.items() if count > 0})
    standings = [one for one in standings if not one.decided.reworded]
    states = Counter(one.state for one in standings)
    accepted = [one for one in standings if one.state == ACCEPTED]
    decided = states[ACCEPTED] + states[REJECTED] + states[UNDONE]
    updated = Counter(one.proposal.agent for one in accepted if one.proposal.agent)
    return {
        "total_sessions_analyzed": sessions,
        "total_signals_detected": sum(n for name, n in signals.items() if name.startswith("tier:")),
        "total_changes_proposed": len(standings),
        "total_changes_accepted": states[ACCEPTED],
        "total_changes_rejected": states[REJECTED],
        "total_changes_undone": states[UNDONE],
        "pending": states[PENDING],
        "acceptance_rate": round(states[ACCEPTED] / decided, 3) if decided else None,
        "signals_by_confidence": _named(signals, "tier:"),
        "signals_by_type": _named(signals, "type:"),
        "proposed_by_kind": dict(sorted(Counter(s.proposal.kind for s in standings).items())),
        "accepted_by_kind": dict(sorted(Counter(s.proposal.kind for s in accepted).items())),
        "accepted_by_scope": dict(sorted(Counter(s.proposal.scope for s in accepted).items())),
        "confidence_breakdown": dict(sorted(Counter(s.proposal.tier for s in accepted).items())),
        "most_updated_agents": [name for name, _ in updated.most_common(5)],
    }


def _named(counts: Counter[str], prefix: str) -> dict[str, int]:
    return {
        name.removeprefix(prefix): count
        for name, count in sorted(counts.items())
        if name.startswith(prefix)
    }


def summed(projects: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Sum the figures of several projects."""
    total: dict[str, Any] = {}
    for figures in projects:
        for name, value in figures.items():
            if isinstance(value, dict):
                held = total.setdefault(name, {})
                for key, count in value.items():
                    held[key] = held.get(key, 0) + count
            elif isinstance(value, int):
                total[name] = total.get(name, 0) + value
    decided = sum(
        total.get(f"total_changes_{name}", 0) for name in ("accepted", "rejected", "undone")
    )
    accepted = total.get("total_changes_accepted", 0)
    total["acceptance_rate"] = round(accepted / decided, 3) if decided else None
    return total
