"""Brings back what an accepted suggestion had removed when the suggestion itself is taken back.

"We switch to bun" took "Use pnpm, not npm" out of CLAUDE.md: "forget bun" brings that line back,
under its heading, unless what holds now contradicts it.
"""

from __future__ import annotations

from satchel.application.outlet import ASIDE
from satchel.core.errors import NotFoundError
from satchel.engine.markdown.sections import sections
from satchel.engine.statements.contradictions import AGAINST, Rule, clashes
from satchel.features.instructions.values import LEARNED_RULES
from satchel.features.proposals.values import (
    ENTRY,
    MEMORIES,
    PROJECT,
    REMEMBER,
    SET_ASIDE,
    STRUCTURED,
    TAKE_OUT,
    Edit,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from satchel.application.learning.reviewing.targets import ProjectTargets
    from satchel.application.services import Services
    from satchel.features.proposals.values import QueuedProposal

#: A restored soft rule is as certain as one stated on purpose.
NEW_SOFT_RULE = {"confidence": 0.7, "category": "convention", "scope": "project"}


def brought_back(
    work: Services,
    targets: ProjectTargets,
    accepted: Sequence[QueuedProposal],
    gone: Edit,
    instead: str,
) -> list[Edit]:
    """Return the edits that bring back what the now removed suggestion had replaced.

    Args:
        targets: the rules in its files.
        accepted: the suggestions accepted in it.
        gone: the edit that removes what that suggestion wrote.
        instead: what the user says holds now, if anything.
    """
    stands = {rule.text for rule in targets.rules()}
    made = [
        back
        for one in accepted
        if _wrote(work, one, gone)
        for edit in one.proposal.edits
        for back in _inverse(work, one, edit)
    ]
    texts = [Rule("", 0, back.text) for back in made]
    against = {one.rule.text for one in clashes(instead, texts) if one.what == AGAINST}
    return [back for back in made if back.text not in stands | against]


def _wrote(work: Services, accepted: QueuedProposal, gone: Edit) -> bool:
    """Return whether a suggestion wrote the line, soft rule or memory that an edit removes."""
    proposal = accepted.proposal
    if gone.operation == SET_ASIDE:
        return proposal.id in work.memories.find(gone.path).record.derived_from
    said = gone.text.strip().removeprefix("- ")
    return any((one.path, one.text) == (gone.path, said) for one in proposal.own_edits)


def _inverse(work: Services, accepted: QueuedProposal, edit: Edit) -> Iterator[Edit]:
    if edit.operation == TAKE_OUT and edit.below == PROJECT:
        before = next(
            (text for path, _, text in accepted.decided.files if path.endswith("/" + edit.path)), ""
        )
        for line in edit.text.splitlines():
            text = line.strip().lstrip("-*+").strip()
            yield Edit(ENTRY, PROJECT, edit.path, text, _heading(before or "", line))
    elif edit.operation == STRUCTURED and edit.takes_out:
        yield Edit(
            STRUCTURED,
            PROJECT,
            edit.path,
            text=edit.text,
            section="instinct",
            data=dict(NEW_SOFT_RULE),
        )
    elif edit.operation == SET_ASIDE:
        try:
            record = work.memories.find(edit.path).record
        except NotFoundError:
            return  # it was deleted meanwhile
        if ASIDE in record.tags:
            yield Edit(REMEMBER, MEMORIES, "", record.content, record.kind)


def _heading(text: str, line: str) -> str:
    """Return the heading that a line was under."""
    at = f"\n{text}\n".find(f"\n{line}\n")
    titles = [one.title for one in sections(text) if one.level and one.start <= at < one.end]
    return titles[-1] if titles else LEARNED_RULES
