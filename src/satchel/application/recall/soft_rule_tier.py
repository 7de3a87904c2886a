"""Soft rules that answer a question: a brief has room only for the surest of them."""

from __future__ import annotations

import os

from satchel.application.recall.results import HOT, Result
from satchel.application.recall.routing import RULES
from satchel.engine.search.tokens import coverage, shares_enough

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services


def soft_rule_results(work: Services, question: str, limit: int) -> list[Result]:
    """Search the soft rules by their words.

    Raises `BadInputError` for a file that cannot be read as rules.
    """
    path = work.project.tracked.place("instincts")
    shown = os.path.relpath(path, work.project.place.root)
    found = [
        Result(
            HOT,
            RULES,
            one.rule,
            f"confidence {work.instincts.current_confidence(one):.1f}",
            f"{shown}:{one.line}",
            score=coverage(question, one.rule),
            identity=f"instinct {one.id}",
        )
        for one in work.instincts.strongest_for_brief()
        if shares_enough(question, one.rule)
    ]
    return sorted(found, key=lambda piece: -piece.score)[:limit]
