"""Removes what a user rejected from accounts of a session: checkpoints, episodes. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from satchel.features.proposals.values import REJECTED, QueuedProposal
from satchel.storage.ledger.record import Record

#: Separates the first and last request; the beginning of that line in a checkpoint's text.
_THEN, _ASKED = "; then: ", "Asked: "
#: Fewest letters of a quotation to recognize it.
_FEWEST = 12


def rejected_words(every: Sequence[QueuedProposal]) -> frozenset[str]:
    """Return the quotations of rejected suggestions, without marks; none of reworded ones."""
    gone = (one for one in every if one.state == REJECTED and not one.decided.reworded)
    said = {_bare(text) for one in gone for text in (one.proposal.quote, one.proposal.title)}
    return frozenset(text for text in said if len(text) >= _FEWEST)


def without_rejected(record: Record, rejected: frozenset[str]) -> Record | None:
    """Return a checkpoint without the requests that were rejected; None if nothing is left."""
    data = dict(record.data or {})
    asked = str(data.get("asked") or "")
    left = _without(asked, rejected)
    lines = [
        _ASKED + _without(line[len(_ASKED) :], rejected) if line.startswith(_ASKED) else line
        for line in record.content.split("\n")
    ]
    content = "\n".join(line for line in lines if line != _ASKED)
    if content == record.content and left == asked:
        return record
    return record._replace(content=content, data={**data, "asked": left}) if content else None


def without_rejected_lessons(text: str, every: Sequence[QueuedProposal]) -> str:
    """Return an episode's text without the items that list rejected suggestions as learned."""
    for one in every:
        if one.state == REJECTED and not one.decided.reworded and one.proposal.title in text:
            title = re.escape(one.proposal.title)
            text = re.sub(rf"(?:- )?{title}[^(\n]*\([a-z ]+\)", "", text)
    return text.strip()


def _without(asked: str, rejected: frozenset[str]) -> str:
    return _THEN.join(part for part in asked.split(_THEN) if not _says(_bare(part), rejected))


def _says(part: str, rejected: frozenset[str]) -> bool:
    return any(one in part or (len(part) >= _FEWEST and part in one) for one in rejected)


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))
