"""The story of a session: its prompts, what its agent was told, what was learned."""

from __future__ import annotations

from satchel.application.thread.session_files import SessionFiles
from satchel.application.thread.values import (
    MemoryStory,
    PromptStory,
    SessionStory,
    only_agrees,
)
from satchel.application.thread.work_trees import SessionDirectory
from satchel.clients.transcript_format.values import Turn
from satchel.core.errors import SatchelError
from satchel.core.excerpts import beginning
from satchel.core.kinds import KNOWLEDGE, kinds_for
from satchel.core.line_marks import mark_of
from satchel.core.shapes import list_of
from satchel.engine.search.documents import Filter
from satchel.features.sessions.archive import read_session
from satchel.features.sessions.project_part import began_above
from satchel.features.sessions.prompts import is_prompt
from satchel.features.thread.values import CERTAIN, Evidence, SessionFacts, TurnFacts
from satchel.storage.files import read_file
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from satchel.application.services import Services
    from satchel.features.sessions.archive_service import SessionArchive
    from satchel.features.thread.service import Thread
    from satchel.project.store import ProjectStore


def open_thread(project: ProjectStore, archive: SessionArchive) -> Thread:
    """Open a project's thread, which the caller closes."""
    from satchel.features.thread.service import Thread

    def directory(cwd: str) -> SessionDirectory:
        return SessionDirectory(cwd, project.place.common, partly=began_above(project, cwd))

    return Thread(project, archive.every_file, lambda path: session_facts(path, directory))


def session_facts(
    path: str, directory: Callable[[str], SessionDirectory] = SessionDirectory
) -> SessionFacts | None:
    """Read an archive file; None if it contains no session."""
    found = read_session(read_file(path))
    if isinstance(found, str):
        return None
    head, turns = found.head, found.turns
    times = [turn.at for turn in turns if turn.at] or [head.started]
    files = SessionFiles(directory(head.cwd))
    facts = [_turn(turn, place, head.started, files) for place, turn in enumerate(turns)]
    return SessionFacts(
        head.session,
        head.client,
        head.parent,
        branch=head.branch,
        model=head.model,
        began=min(times),
        ended=max(times),
        turns=tuple(
            one for one in files.doubted(facts) if one.is_prompt or one.wrote or one.commits
        ),
    )


def _turn(turn: Turn, place: int, started: float, files: SessionFiles) -> TurnFacts:
    asks = is_prompt(turn)
    commits = [one.partition(" ")[::2] for one in turn.commits]
    return TurnFacts(
        turn.id,
        place,
        turn.at or started,
        is_prompt=asks,
        wrote=files.written(turn, place, is_prompt=asks),
        commits=tuple((ident, mark_of(subject)) for ident, subject in commits),
    )


#: How much of a memory and of a prompt to show, in characters; most memories of each sort.
_SHOWN, _PROMPT, _MOST = 200, 600, 8


def session_story(
    work: Services, facts: SessionFacts, places: Collection[int] = (), *, until: float = 0.0
) -> SessionStory:
    """Return the story of a session.

    Args:
        places: of the wanted prompts; empty for all.
        until: include what the agent had been told by then; 0 for any time.
    """
    told = SessionStory(
        facts.session,
        facts.client,
        branch=facts.branch,
        began=facts.began,
        ended=facts.ended,
        told=tuple(_memories_of(work, facts.session, until)),
        learnt=tuple(_learnt(work, facts.session)),
    )
    try:
        archived = work.sessions.archive.archived(facts.session)
    except SatchelError:
        return told._replace(archived=False)
    return told._replace(title=archived.head.title, prompts=tuple(_prompts(archived.turns, places)))


def _prompts(turns: Sequence[object], places: Collection[int]) -> list[PromptStory]:
    from satchel.clients.transcript_format.values import Turn

    asked = [
        (place, turn)
        for place, turn in enumerate(turns)
        if isinstance(turn, Turn) and is_prompt(turn)
    ]
    chosen: dict[int, Turn] = {}
    for number, (place, turn) in enumerate(asked):
        if places and place not in places:
            continue
        chosen[place] = turn
        # What is agreed to belongs to it, however often somebody agreed.
        before = number
        while places and before and only_agrees(asked[before][1].text):
            before -= 1
            chosen[asked[before][0]] = asked[before][1]
    return [
        PromptStory(turn.id, place, turn.at, turn.text[:_PROMPT])
        for place, turn in sorted(chosen.items())
    ]


def _memories_of(work: Services, session: str, until: float) -> list[MemoryStory]:
    """Return what the agent was shown, without duplicates, newest last."""
    found: dict[str, MemoryStory] = {}
    for injection in work.injections.of_session(session, whole=True):
        if until and injection.ts > until + 1:
            break
        for item in injection.items:
            if item.text:
                story = MemoryStory(item.id, item.section, beginning(item.text, _SHOWN))
                found[item.identity or item.id] = story
    return [*found.values()]


def _learnt(work: Services, session: str) -> list[MemoryStory]:
    # Checkpoints and presence also belong to the session, but nobody learned them.
    only = Filter(kinds=kinds_for(KNOWLEDGE), having=(("session", session),))
    listed = work.memories.list(only, _MOST)
    return [story_of(one.record) for one in reversed(listed)]


def learnt_for(work: Services, task: str) -> list[MemoryStory]:
    """Return what was learned for a task, outside of sessions too."""
    listed = work.memories.list(Filter(kinds=kinds_for(KNOWLEDGE), task=task), _MOST)
    reason = (Evidence("kept", task),)
    return [
        story_of(one.record)._replace(confidence=CERTAIN, evidence=reason)
        for one in reversed(listed)
    ]


def story_of(record: Record) -> MemoryStory:
    """Return a memory's first words."""
    return MemoryStory(record.id, record.kind, beginning(record.title or record.content, _SHOWN))


def learnt_about(work: Services, path: str, symbols: Collection[str] = ()) -> list[MemoryStory]:
    """Return live memories anchored to a file, or to these symbols in it."""
    found = []
    for record in work.memories.own.live():
        anchors = (record.data or {}).get("anchors")
        for one in list_of(anchors):
            about = one.get("path") if isinstance(one, dict) else None
            symbol = one.get("symbol") if isinstance(one, dict) else ""
            if about == path and (not symbol or not symbols or symbol in symbols):
                found.append(record)
                break
    anchored = (Evidence("anchored", path),)
    return [
        story_of(one)._replace(confidence=CERTAIN, evidence=anchored)
        for one in sorted(found, key=lambda r: r.version)[-_MOST:]
    ]
