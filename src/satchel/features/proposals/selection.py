"""Parses an answer that selects suggestions: Y, N, 1,3, all-knowledge, all-behavioral. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.errors import BadInputError, NotFoundError
from satchel.features.proposals.values import (
    ACCEPTED,
    KNOWLEDGE,
    PENDING,
    REJECTED,
    Decision,
    Proposal,
    QueuedProposal,
)

YES, NO = ("y", "yes", "all", "all-yes"), ("n", "no", "none")
_GROUPS = {"all-knowledge": "knowledge", "all-behavioral": "behavioral"}
_HINT = "Answer Y (all), N (none), numbers such as 1,3 or 2-4, all-knowledge or all-behavioral."

#: Most seconds between two decisions of one answer, if lines lack the answer's id.
_AT_ONCE = 1
_TIERS = {"high": 0, "medium": 1, "low": 2}


def in_order(every: Sequence[QueuedProposal]) -> list[QueuedProposal]:
    """Return pending ones: knowledge before behavior, most certain first, then oldest.

    A reworded one takes the original's place, so that a list's numbers stay valid.
    """
    places: dict[str, tuple[bool, int, str]] = {}
    for one in every:
        made_of = next(iter(one.proposal.derived_from), "")
        of_behaviour = one.proposal.group != KNOWLEDGE
        own = (of_behaviour, _TIERS.get(one.proposal.tier, len(_TIERS)), one.proposal.id)
        places[one.proposal.id] = places.get(made_of, own)
    return sorted(
        (one for one in every if one.state == PENDING),
        key=lambda one: (places[one.proposal.id], one.proposal.id),
    )


def in_review_order(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return new suggestions in the order of a review."""
    every = [QueuedProposal(one, Decision()) for one in proposals]
    return [one.proposal for one in in_order(every)]


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
    numbers: set[int] = set()
    for part in said.replace(" ", ",").split(","):
        if part:
            numbers |= _span(part, len(pending), answer)
    if not numbers:
        raise BadInputError("No answer was given.", hint=_HINT)
    return [pending[number - 1] for number in sorted(numbers)], []


def _span(part: str, most: int, answer: str) -> set[int]:
    first, dash, last = part.partition("-")
    ends = [first, last if dash else first]
    if not all(end.isascii() and end.isdigit() and len(end) < 6 for end in ends):  # noqa: PLR2004
        raise BadInputError(f"{answer[:60]!r} is not an answer.", hint=_HINT)
    low, high = int(ends[0]), int(ends[1])
    if low > high:
        raise BadInputError(f"{answer[:60]!r} is not an answer.", hint=_HINT)
    if not 1 <= low <= high <= most:
        raise NotFoundError(
            f"There is no suggestion {part}; {most or 'none'} {'waits' if most == 1 else 'wait'}.",
            hint="Numbers change with every review: `satchel review` shows them.",
        )
    return set(range(low, high + 1))
