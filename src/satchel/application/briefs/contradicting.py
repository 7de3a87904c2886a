"""Marks contradictory decisions by colleagues and shows them side by side."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.trust import REPO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.outlet import Shown

_NOTE = "contradicts another one here: ask which holds"


def with_contradictions(rules: Sequence[Shown], decisions: Sequence[Shown]) -> list[list[Shown]]:
    """Return rules and decisions, marking those that contradict another author's.

    One's own later decision replaces the earlier one as it is written; a merge brings both.
    """
    every = [*rules, *decisions]
    if not any(one.record.trust == REPO for one in every):
        return [list(rules), list(decisions)]
    from satchel.engine.contradictions import AGAINST, Rule, clashes

    statements = [Rule(one.record.id, 0, one.record.content) for one in every]
    against: set[str] = set()
    for one in every:
        if one.record.trust != REPO:
            continue
        for clash in clashes(one.record.content, statements):
            if clash.what == AGAINST:
                against |= {one.record.id, clash.rule.path}
    return [
        [
            one._replace(note="; ".join(filter(None, (one.note, _NOTE))))
            if one.record.id in against
            else one
            for one in group
        ]
        for group in (rules, decisions)
    ]
