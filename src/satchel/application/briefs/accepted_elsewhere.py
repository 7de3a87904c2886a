"""A brief's section with rules that the user accepted in another work tree of the repository.

They are in a file there, and reach this work tree by a commit and a merge. Meanwhile agents here
are told.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from satchel.application.briefs.sections import Item, Section
from satchel.core.trust import clean_line
from satchel.storage.files import text_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services
    from satchel.features.proposals.values import QueuedProposal

_MOST, _DAYS = 10, 30
_LONGEST_RULE = 400


def accepted_elsewhere(work: Services) -> Section:
    """Return the rules that another work tree's file has and the same file here lacks."""
    title = "## Rules accepted in another work tree, not merged here yet"
    section = Section("accepted_elsewhere", title, ())
    project = work.project
    common = project.place.common
    if not common or not os.path.isdir(os.path.join(common, "worktrees")):
        return section
    since = project.clock.now() - _DAYS * 86_400
    accepted = [one for one in accepted_here(work) if one.decided.at >= since]
    rules = dict.fromkeys(
        rule for one in reversed(accepted) for rule in _missing_here(one, project.place.root)
    )
    items = (Item(f"- {rule}", why="accepted elsewhere", raw=rule) for rule in list(rules)[:_MOST])
    return section._replace(items=tuple(items))


def accepted_here(work: Services) -> list[QueuedProposal]:
    """Return the suggestions that the user accepted in this project."""
    from satchel.features.proposals.queue import Queue
    from satchel.features.proposals.values import ACCEPTED
    from satchel.features.proposals.waiting import LEDGER

    project = work.project
    every = Queue(project.log(LEDGER)).all() if project.has_log(LEDGER) else []
    return [one for one in every if one.state == ACCEPTED]


def _missing_here(accepted: QueuedProposal, root: str) -> Iterator[str]:
    from satchel.features.proposals.values import ENTRY, PROJECT, STRUCTURED

    for edit in accepted.proposal.edits:
        if edit.below != PROJECT or edit.operation not in (ENTRY, STRUCTURED) or not edit.text:
            continue
        here, rule = os.path.join(root, edit.path), bare(edit.text)
        written = [path for path, *_ in accepted.decided.files if path.endswith(os.sep + edit.path)]
        if here in written or not any(rule in bare(text_in(path)) for path in written):
            continue  # it is already here, or was removed there
        if rule not in bare(text_in(here)):
            yield clean_line(edit.text)[:_LONGEST_RULE]


def bare(text: str) -> str:
    """Return a text without what its format adds: quotes, line breaks, marks."""
    return "".join(filter(str.isalnum, text.lower()))
