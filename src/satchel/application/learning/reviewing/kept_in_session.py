"""What a session's agent already remembered, so that reflection need not suggest it again."""

from __future__ import annotations

from satchel.core.errors import SatchelError
from satchel.core.kinds import KNOWLEDGE, kinds_for
from satchel.core.trust import AGENT
from satchel.engine.search.tokens import distinctive_words, meaning
from satchel.engine.statements.contradictions import AGAINST, Rule, clashes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services

#: The share of a lesson's significant words in a memory of the same session that also says it.
_SAYS_IT = 0.6
_MOST = 500


def kept_in_session(work: Services, session: str) -> list[tuple[str, str]]:
    """Return the texts of what a session's agent kept, each with the memory's id.

    Includes the user's words if the agent was asked to keep them.
    """
    if not session:
        return []
    live = work.memories.own.live(kinds=kinds_for(KNOWLEDGE), limit=_MOST)
    kept = [one for one in live if one.session == session and one.trust == AGENT]
    if not kept:
        return []
    try:
        asked = {one.id: one.heard for one in work.injections.of_session(session, whole=True)}
    except SatchelError:
        asked = {}
    heard = [(one.id, asked.get(cause, "")) for one in kept for cause in one.derived_from]
    return [*((one.id, one.content) for one in kept), *(pair for pair in heard if pair[1])]


def says_it(entry: str, text: str) -> bool:
    """Return whether a text has most of an entry's significant words, and its numbers."""
    if not _figures(entry) <= _figures(text):
        return False
    words = set(map(meaning, distinctive_words(entry)))
    shared = words & set(map(meaning, distinctive_words(text)))
    alike = bool(words) and len(shared) >= _SAYS_IT * len(words)
    return alike and all(one.what != AGAINST for one in clashes(entry, [Rule("", 0, text)]))


def _figures(text: str) -> set[str]:
    return set("".join(one if one.isdigit() else " " for one in text).split())
