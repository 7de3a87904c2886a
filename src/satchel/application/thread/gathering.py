"""What an archived session is evidence of: places, marks and ids, but no conversation."""

from __future__ import annotations

from satchel.clients.transcript_format.texts import is_command
from satchel.clients.transcript_format.values import USER, Turn
from satchel.core.line_marks import mark_of
from satchel.features.sessions.archive import read_session
from satchel.features.thread.values import SessionFacts, TurnFacts, WrittenFile
from satchel.storage.locks import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.features.sessions.archive_service import SessionArchive
    from satchel.features.thread.service import Thread
    from satchel.project.store import ProjectStore


def open_thread(project: ProjectStore, archive: SessionArchive) -> Thread:
    """Open a project's thread, which the caller closes."""
    from satchel.features.thread.service import Thread

    return Thread(project, archive.every_file, session_facts)


def session_facts(path: str) -> SessionFacts | None:
    """Read an archive file; None if it contains no session."""
    found = read_session(read_file(path))
    if isinstance(found, str):
        return None
    head, turns = found.head, found.turns
    times = [turn.at for turn in turns if turn.at] or [head.started]
    facts = (_turn(turn, place, head.started) for place, turn in enumerate(turns))
    return SessionFacts(
        head.session,
        head.client,
        head.parent,
        branch=head.branch,
        model=head.model,
        began=min(times),
        ended=max(times),
        turns=tuple(one for one in facts if one.is_prompt or one.wrote or one.commits),
    )


def is_prompt(turn: Turn) -> bool:
    """Return whether a turn is a user's request to the agent."""
    return turn.role == USER and bool(turn.text) and not is_command(turn.text)


def _turn(turn: Turn, place: int, started: float) -> TurnFacts:
    commits = [one.partition(" ")[::2] for one in turn.commits]
    return TurnFacts(
        turn.id,
        place,
        turn.at or started,
        is_prompt(turn),
        tuple(WrittenFile(*edit) for edit in turn.edits),
        tuple((ident, mark_of(subject)) for ident, subject in commits),
    )
