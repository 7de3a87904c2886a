"""Rules that answer a question: soft rules, and lines of files that agents read, such as CLAUDE.md.

A brief only has room for the most certain soft rules; and people and agents of other clients also
ask about what a client reads itself.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from satchel.application.recall.results import HOT, Result
from satchel.application.recall.routing import RULES
from satchel.application.recall.tiers.instructions import instruction_lines, may_answer
from satchel.application.services import Services
from satchel.engine.search.binary_codes import least_likeness
from satchel.engine.search.tokens import coverage, shares_enough

#: Most rules to compare with a question by code: each takes most of a millisecond.
_CODED = 200


def rule_results(work: Services, question: str, limit: int) -> list[Result]:
    """Search the rules by words, best first, those ended by later ones last.

    Raises `BadInputError` for a file that cannot be read as soft rules.
    """
    lines = list(instruction_lines(work)) if may_answer(work, question) else []
    every = [*_soft_rules(work), *lines]
    found = [
        one._replace(score=coverage(question, one.title))
        for one in every
        if shares_enough(question, one.title)
    ]
    return _later_first(sorted(found, key=lambda piece: -piece.score), every)[:limit]


def rules_near(work: Services, question: str, limit: int) -> list[Result]:
    """Search the rules by meaning, for those nearer to a question than chance.

    They count as part of the memories, since they are used when no memory answers.
    """
    table = work.models.table()
    every = [*_soft_rules(work), *instruction_lines(work)][:_CODED] if table else []
    if table is None or not every:
        return []
    asked = int.from_bytes(table.code(question))
    codes = [table.code(one.title) for one in every]
    near = [1 - (int.from_bytes(one) ^ asked).bit_count() / (8 * len(one)) for one in codes]
    least = least_likeness(len(every) + work.memories.own.index.size())
    found = [
        one._replace(score=score) for one, score in zip(every, near, strict=True) if score >= least
    ]
    return _later_first(sorted(found, key=lambda piece: -piece.score), every)[:limit]


def _soft_rules(work: Services) -> Iterator[Result]:
    path = work.project.tracked.place("instincts")
    if not os.path.lexists(path):
        return
    shown = os.path.relpath(path, work.project.place.root)
    for one in work.instincts.strongest_for_brief():
        sure = f"confidence {work.instincts.current_confidence(one):.1f}"
        place = f"{shown}:{one.line}"
        yield Result(HOT, RULES, one.rule, sure, place, identity=f"instinct {one.id}")


def _later_first(found: Sequence[Result], every: Sequence[Result]) -> list[Result]:
    """Mark rules that another one contradicts; move the earlier ones of a file to the end.

    Accepted rules are written below existing ones.
    """
    if not found or len(every) == 1:
        return list(found)
    from satchel.engine.statements.contradictions import (  # most questions need none
        AGAINST,
        Rule,
        clashes,
    )

    rules = [Rule(*_place(one), one.title) for one in every]
    marked: list[tuple[bool, Result]] = []
    for one in found:
        path, line = _place(one)
        against = [each.rule for each in clashes(one.title, rules) if each.what == AGAINST]
        later = [rule for rule in against if rule.path == path and rule.line > line]
        notes = [f"{rule.path}:{rule.line}, written later, says otherwise" for rule in later[:1]]
        elsewhere = [rule for rule in against if rule.path != path]
        notes += [f"{rule.path}:{rule.line} says otherwise" for rule in elsewhere[:1]]
        text = "\n".join(filter(None, (one.text, *notes)))
        marked.append((bool(later), one._replace(text=text)))
    return [one for _, one in sorted(marked, key=lambda pair: pair[0])]


def _place(rule: Result) -> tuple[str, int]:
    """Return a rule's file and line."""
    path, _, line = rule.place.rpartition(":")
    return path, int(line)
