"""Parses an answer that selects suggestions: Y, N, 1,3, all-knowledge, all-behavioral. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from satchel.core.errors import BadInputError, NotFoundError
from satchel.features.proposals.values import (
    ACCEPTED,
    KNOWLEDGE,
    REJECTED,
    Proposal,
    QueuedProposal,
)

YES, NO = ("y", "yes", "all", "all-yes"), ("n", "no", "none")
_GROUPS = {"all-knowledge": "knowledge", "all-behavioral": "behavioral"}
_HINT = "Answer Y (all), N (none), numbers such as 1,3 or 2-4, all-knowledge or all-behavioral."

#: Most seconds between two decisions of one answer, if lines lack the answer's id.
_AT_ONCE = 1
_TIERS = {"high": 0, "medium": 1, "low": 2}


def in_review_order(proposals: Iterable[Proposal]) -> list[Proposal]:
    """Return new suggestions, knowledge before behavior, most certain first."""
    return sorted(
        proposals, key=lambda one: (one.group != KNOWLEDGE, _TIERS.get(one.tier, len(_TIERS)))
    )


def answered_last(every: Sequence[QueuedProposal]) -> list[QueuedProposal]:
    """Return the suggestions of the last answer, accepted or rejected, newest first."""
    decided = [one for one in every if one.state in (ACCEPTED, REJECTED)]
    decided.sort(key=lambda one: (one.decided.at, one.decided.line), reverse=True)
    last = decided[:1]
    for one in decided[1:]:
        before = last[-1].decided
        soon = one.state == before.state and one.decided.at >= before.at - _AT_ONCE
        if one.decided.answer != before.answer or not (before.answer or soon):
            break
        last.append(one)
    return last


def select_proposals(
    answer: str, pending: Sequence[QueuedProposal]
) -> tuple[list[QueuedProposal], list[QueuedProposal]]:
    """Return the suggestions that an answer accepts, and those it rejects.

    Numbers and groups accept what they name and leave the others waiting; N rejects all. Raises
    `BadInputError` for a meaningless answer, `NotFoundError` for an unknown number.
    """
    said = " ".join(answer.strip().lower().replace("_", "-").split())
    said = said.removeprefix("accept ").removeprefix("apply ")
    if said in YES:
        return list(pending), []
    if said in NO:
        return [], list(pending)
    if said in _GROUPS:
        return [one for one in pending if one.proposal.group == _GROUPS[said]], []
    by_number = {one.number: one for one in pending}
    numbers: set[int] = set()
    for part in said.replace(" ", ",").split(","):
        if part:
            numbers |= _span(part, by_number, answer)
    if not numbers:
        raise BadInputError("No answer was given.", hint=_HINT)
    return [by_number[number] for number in sorted(numbers)], []


def _span(part: str, waiting: Collection[int], answer: str) -> set[int]:
    first, dash, last = part.partition("-")
    ends = [first, last if dash else first]
    if not all(end.isascii() and end.isdigit() and len(end) < 6 for end in ends):  # noqa: PLR2004
        raise BadInputError(f"{answer[:60]!r} is not an answer.", hint=_HINT)
    low, high = int(ends[0]), int(ends[1])
    if low > high:
        raise BadInputError(f"{answer[:60]!r} is not an answer.", hint=_HINT)
    if low not in waiting or high not in waiting:
        raise NotFoundError(f"No suggestion {part} waits.", hint="`satchel review` lists them.")
    return {number for number in waiting if low <= number <= high}
