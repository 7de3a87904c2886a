"""The story of a session: its prompts, what its agent was told, what was learned."""

from __future__ import annotations

from satchel.application.thread.gathering import is_prompt
from satchel.application.thread.values import MemoryStory, PromptStory, SessionStory
from satchel.core.errors import SatchelError
from satchel.engine.search.documents import Filter
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from satchel.application.services import Services
    from satchel.features.thread.values import SessionFacts

#: Characters of a memory and of a prompt that are told, and memories of each sort.
_SHOWN, _PROMPT, _MOST = 200, 600, 8
#: Words of a prompt that only agrees: then what was asked before belongs to it.
_ASSENT = 4


def session_story(
    work: Services, facts: SessionFacts, places: Collection[int] = (), *, until: float = 0.0
) -> SessionStory:
    """Return the story of a session.

    Args:
        places: of the prompts that are wanted; all without any.
        until: what the agent had been told by then; at any time for 0.
    """
    told = SessionStory(
        facts.session,
        facts.client,
        branch=facts.branch,
        began=facts.began,
        ended=facts.ended,
        told=tuple(_told(work, facts.session, until)),
        learnt=tuple(_learnt(work, facts.session)),
    )
    try:
        archived = work.sessions.archive.archived(facts.session)
    except SatchelError:
        return told._replace(archived=False)
    return told._replace(
        title=archived.head.title,
        prompts=tuple(_prompts(archived.turns, places)),
    )


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
        if places and number and len(turn.text.split()) < _ASSENT:
            before, meant = asked[number - 1]
            chosen[before] = meant
        chosen[place] = turn
    return [
        PromptStory(turn.id, place, turn.at, turn.text[:_PROMPT])
        for place, turn in sorted(chosen.items())
    ]


def _told(work: Services, session: str, until: float) -> list[MemoryStory]:
    """Return what the agent was shown, without duplicates, newest last."""
    found: dict[str, MemoryStory] = {}
    for injection in work.injections.of_session(session, whole=True):
        if until and injection.ts > until + 1:
            break
        for item in injection.items:
            if item.text:
                story = MemoryStory(item.id, item.section, item.text[:_SHOWN])
                found[item.identity or item.id] = story
    return [*found.values()]


def _learnt(work: Services, session: str) -> list[MemoryStory]:
    only = Filter(having=(("session", session),))
    listed = work.memories.list(only, _MOST)
    return [story_of(one.record) for one in reversed(listed)]


def story_of(record: Record) -> MemoryStory:
    """Return a memory's first words."""
    return MemoryStory(record.id, record.kind, (record.title or record.content)[:_SHOWN])


def learnt_about(work: Services, path: str, symbols: Collection[str] = ()) -> list[MemoryStory]:
    """Return live memories anchored to a file, or to these symbols in it."""
    found = []
    for record in work.memories.own.live():
        anchors = (record.data or {}).get("anchors")
        for one in anchors if isinstance(anchors, list) else ():
            about = one.get("path") if isinstance(one, dict) else None
            symbol = one.get("symbol") if isinstance(one, dict) else ""
            if about == path and (not symbol or not symbols or symbol in symbols):
                found.append(record)
                break
    return [story_of(one) for one in sorted(found, key=lambda r: r.version)[-_MOST:]]
