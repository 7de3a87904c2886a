"""Rules that answer a question: soft rules, and lines of files that agents read, such as CLAUDE.md.

A brief has room only for the surest soft rules; and what a client reads by itself is still asked
about, by people and by agents of other clients.
"""

from __future__ import annotations

import os

from satchel.application.recall.instruction_tier import instruction_lines
from satchel.application.recall.results import HOT, Result
from satchel.application.recall.routing import RULES
from satchel.engine.search.tokens import coverage, shares_enough

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from satchel.application.services import Services


def rule_results(work: Services, question: str, limit: int) -> list[Result]:
    """Search the rules by their words, the best match first.

    Raises `BadInputError` for a file that cannot be read as soft rules.
    """
    found = [*_soft_rules(work, question), *instruction_lines(work, question)]
    return sorted(found, key=lambda piece: -piece.score)[:limit]


def _soft_rules(work: Services, question: str) -> Iterator[Result]:
    path = work.project.tracked.place("instincts")
    if not os.path.lexists(path):
        return
    shown = os.path.relpath(path, work.project.place.root)
    for one in work.instincts.strongest_for_brief():
        if shares_enough(question, one.rule):
            yield Result(
                HOT,
                RULES,
                one.rule,
                f"confidence {work.instincts.current_confidence(one):.1f}",
                f"{shown}:{one.line}",
                score=coverage(question, one.rule),
                identity=f"instinct {one.id}",
            )
