"""Lines written by accepted suggestions: they come from the session that caused the suggestion."""

from __future__ import annotations

import os
from contextlib import closing, suppress

from satchel.application.learning.reviewing.queue import open_queue
from satchel.core.errors import SatchelError
from satchel.features.instructions.places import readers_of
from satchel.features.proposals.values import ACCEPTED as IS_ACCEPTED
from satchel.features.proposals.values import APPEND, ENTRY, PROJECT, REMEMBER, STRUCTURED
from satchel.features.sessions.prompts import is_prompt
from satchel.features.thread.lines import SLACK
from satchel.features.thread.values import ACCEPTED, CERTAIN, LOG, WROTE, Evidence, Link
from satchel.storage.files import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services
    from satchel.features.proposals.values import Proposal
    from satchel.storage.commits import Commit

_WRITES = (ENTRY, APPEND, STRUCTURED)
#: The characters around a rule's text in its line.
_AROUND = " \t-*+\"'"
_SHORTEST = 8
#: Fewest characters of an id to ask for it by.
_SHORTEST_ID = 10
_IN_LINE = ', rule: "'
_WROTE_IT = {WROTE, ACCEPTED, LOG}
_FILES = (".md", ".yaml", ".yml")


class AcceptedLines:
    """The lines of an open project that accepted suggestions wrote; the queue is read once."""

    def __init__(self, work: Services) -> None:
        self._work = work
        self._read: list[Proposal] | None = None

    def origin(self, path: str, text: str, known: list[Link], commit: Commit | None) -> list[Link]:
        """Return the session whose words are in a line, or else its origin as far as known.

        Args:
            path: of the file, below the work tree.
            text: of the line.
            known: its origin according to its commit and the sessions' tools.
            commit: the commit that added it, if known. Later sessions did not write it.
        """
        if is_of_rules(path):
            # A session that committed the file need not have written the line.
            known = [one for one in known if _WROTE_IT & {why.kind for why in one.evidence}]
        said = _bare(text)
        certain = bool(known) and known[0].confidence == CERTAIN
        if certain or not path.endswith(_FILES) or len(said) < _SHORTEST:
            return known
        made = commit.made_at if commit is not None and commit.sha else float("inf")
        for one in reversed(self._accepted()):
            link = _link(self._work, one) if _wrote(one, path, said) else None
            if link is not None and (link.at or one.ts) <= made + SLACK:
                return [link]
        return known

    def _accepted(self) -> list[Proposal]:
        if self._read is None:
            self._read = []
            with suppress(SatchelError), closing(open_queue(self._work)) as queue:
                self._read = [one.proposal for one in queue.all() if one.state == IS_ACCEPTED]
        return self._read


def is_of_rules(path: str) -> bool:
    """Return whether a file is one of those whose rules clients read."""
    return bool(readers_of(path.rpartition("/")[2]))


def _wrote(proposal: Proposal, path: str, said: str) -> bool:
    return bool(proposal.session) and any(
        edit.operation in _WRITES
        and edit.below == PROJECT
        and edit.path == path
        and said in map(_bare, edit.text.splitlines())
        for edit in proposal.edits
    )


def _bare(line: str) -> str:
    if _IN_LINE in line:  # a one-line entry of instincts.yaml
        return line.partition(_IN_LINE)[2].partition('", ')[0].strip(_AROUND)
    return line.strip().removeprefix("- ").removeprefix("rule:").strip(_AROUND)


def _link(work: Services, proposal: Proposal) -> Link:
    facts = work.thread.store.sessions(proposal.session)[:1]
    turn, place, at = _said(work, proposal)
    return Link(
        proposal.session,
        facts[0].client if facts else "",
        CERTAIN,
        evidence=(Evidence(ACCEPTED, f"{proposal.id[:14]}, {proposal.why}"),),
        turn=turn,
        place=place,
        at=at,
    )


def _said(work: Services, proposal: Proposal) -> tuple[str, int, float]:
    """Return the prompt that a suggestion comes from: its turn, its place in the session, its time.

    One that the agent was asked for only has the words of the prompt.
    """
    try:
        turns = work.sessions.archive.archived(proposal.session).turns
    except SatchelError:
        return proposal.turns[0] if proposal.turns else "", -1, 0.0
    for place, turn in enumerate(turns):
        quoted = not proposal.turns and bool(proposal.quote) and proposal.quote in turn.text
        if turn.id in proposal.turns or (quoted and is_prompt(turn)):
            return turn.id, place, turn.at
    return "", -1, 0.0


def meant_by(work: Services, asked: str) -> str:
    """Return what a suggestion's id stands for: its line, its memory, or else its session.

    Anything else is returned unchanged.
    """
    if len(asked) < _SHORTEST_ID or not asked.isalnum():
        return asked
    with suppress(SatchelError):
        work.memories.find(asked)
        return asked
    with suppress(SatchelError), closing(open_queue(work)) as queue:
        proposal = queue.find(asked).proposal
        return _line_of(work, proposal) or _memory_of(work, proposal) or proposal.session or asked
    return asked


def _line_of(work: Services, proposal: Proposal) -> str:
    """Return FILE:LINE of what a suggestion wrote into the project, while it is still there."""
    root = work.project.place.root
    for edit in proposal.edits:
        if edit.operation not in _WRITES or edit.below != PROJECT:
            continue
        with suppress(SatchelError):
            text = read_file(os.path.join(root, *edit.path.split("/"))).decode("utf-8", "replace")
            for number, line in enumerate(text.splitlines(), 1):
                if _wrote(proposal, edit.path, _bare(line)):
                    return f"{os.path.join(root, edit.path)}:{number}"
    return ""


def _memory_of(work: Services, proposal: Proposal) -> str:
    kinds = tuple({one.section for one in proposal.edits if one.operation == REMEMBER})
    live = work.memories.own.live(kinds=kinds) if kinds else []
    return next((one.id for one in live if proposal.id in one.derived_from), "")
