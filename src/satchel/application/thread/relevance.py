"""Which memories of a session are about a line of code or a file. Pure."""

from __future__ import annotations

import os

from satchel.application.thread.values import LINE, SYMBOL, MemoryStory, SessionStory, Story
from satchel.engine.search.tokens import distinctive_words, meaning

#: Fewest words that a memory shares with a line or prompt it is about; one is enough for short
#: ones.
_SHARED, _FEW = 2, 3


def memories_about_lines(
    story: Story, session: SessionStory, memories: tuple[MemoryStory, ...]
) -> tuple[MemoryStory, ...]:
    """Return those of a session's memories that are about the requested lines.

    They share words with a line or its prompt, or name its file or symbol. Without lines, all are
    returned.
    """
    if story.kind not in (LINE, SYMBOL):
        return memories
    places = {(one.session, one.place) for line in story.lines for one in line.origin[:1]}
    texts = [line.text for line in story.lines]
    texts += [one.text for one in session.prompts if (session.session, one.place) in places]
    words = _words("\n".join(texts))
    names = {os.path.basename(story.path)}
    if story.kind == SYMBOL:
        names.add(story.asked.rpartition(":")[2])

    def is_about(one: MemoryStory) -> bool:
        own = _words(one.text)
        shared = words & own
        enough = len(shared) >= (_SHARED if min(len(words), len(own)) > _FEW else 1)
        return enough or any(name in one.text for name in names if name)

    return tuple(filter(is_about, memories))


def _words(text: str) -> set[str]:
    return set(map(meaning, distinctive_words(text)))
