"""What the agent of a session kept itself: reflection need not suggest it in other words."""

from __future__ import annotations

from satchel.core.errors import SatchelError
from satchel.core.kinds import KNOWLEDGE, kinds_for
from satchel.core.trust import AGENT
from satchel.engine.contradictions import AGAINST, Rule, clashes
from satchel.engine.search.tokens import distinctive_words, meaning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services

#: Share of a lesson's telling words that a memory of the same session has which says it too.
_SAYS_IT = 0.6
_MOST = 500


def kept_in_session(work: Services, session: str) -> list[tuple[str, str]]:
    """Return the texts of what a session's agent kept, each with the memory's id.

    What the person had said counts too, where the agent was asked to keep that.
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
    """Return whether a text has most words that an entry tells, and its figures."""
    if not _figures(entry) <= _figures(text):
        return False
    words = set(map(meaning, distinctive_words(entry)))
    shared = words & set(map(meaning, distinctive_words(text)))
    alike = bool(words) and len(shared) >= _SAYS_IT * len(words)
    return alike and all(one.what != AGAINST for one in clashes(entry, [Rule("", 0, text)]))


def _figures(text: str) -> set[str]:
    return set("".join(one if one.isdigit() else " " for one in text).split())
