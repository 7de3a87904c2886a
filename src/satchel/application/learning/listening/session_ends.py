"""What a session's end writes if The Foundation's hooks are configured.

A hook writes no file that git tracks: entries go to a private LEARNINGS.md, numbered independently
of the project's own.
"""

from __future__ import annotations

import os

from satchel.application.briefs.session_steps import remember_closing
from satchel.core.kinds import KNOWLEDGE, kinds_for
from satchel.features.sessions.learnings import LearningEntry, append_learnt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from satchel.features.memories.service import Memories
    from satchel.project.store import ProjectStore
    from satchel.storage.ledger.record import Record

_MOST, _LOOKED_AT, _LONGEST = 3, 500, 500


def note_session_ends(
    project: ProjectStore, memories: Memories, written: Sequence[Record]
) -> list[Record]:
    """Write entry, insight and activity for every ended session with lessons."""
    ended = [one for one in written if (one.data or {}).get("event") == "agent_offline"]
    state = project.state.sessions
    made: list[Record] = []
    for one in ended:
        learned = _learnt_in(memories, one.session)
        if not learned:
            continue
        entry = LearningEntry(learned, one.agent)
        ident = append_learnt(
            state.learnings,
            state.lock("learnings"),
            entry,
            project.clock.now(),
            root=os.path.dirname(state.learnings),
            beside=project.tracked.learnings_log,
        )
        made += remember_closing(memories.remember, learned, ident, entry, one.session)
    return made


def _learnt_in(memories: Memories, session: str) -> str:
    """Return what a session remembered, newest first, or else its final state."""
    if not session:
        return ""
    for kinds in (kinds_for(KNOWLEDGE), ("checkpoint",)):
        live = memories.live(kinds=kinds, limit=_LOOKED_AT)
        told = [one.content for one in live if one.session == session][:_MOST]
        if told:
            return " / ".join(" ".join(text.split()) for text in told)[:_LONGEST]
    return ""
