"""What is told besides memories: in sessions, here and on a team's server, and in episodes."""

from __future__ import annotations

from satchel.application.forgetting.on_server import said_in_sessions_on_server
from satchel.application.recall.results import ARCHIVE
from satchel.application.recall.tiers.project_tiers import ProjectTiers
from satchel.application.services import Services
from satchel.core.errors import SatchelError
from satchel.engine.search.tokens import distinctive_words

_EPISODES = "episodes"
_MOST = 50


def told_in_sessions(work: Services, query: str) -> list[str]:
    """Return passages of sessions with every significant word of a query."""
    words = frozenset(distinctive_words(query))
    if not words:
        return []
    tiers = ProjectTiers(work, query, weak=True)
    found: list[str] = []
    for tier in ("", ARCHIVE):
        try:
            answer = tiers.only(tier, _MOST) if tier else tiers.answer(_MOST)
        except SatchelError:
            continue  # what cannot be searched cannot show it either
        found += [
            one.text for one in answer.pieces if _EPISODES in one.source or one.tier == ARCHIVE
        ]
    # The index of this machine has no copies of them.
    found += said_in_sessions_on_server(work)
    lines = (line.strip().removeprefix("- ") for text in found for line in text.splitlines())
    return [line for line in dict.fromkeys(lines) if words <= frozenset(distinctive_words(line))]
