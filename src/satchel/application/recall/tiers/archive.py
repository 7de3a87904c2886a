"""The archive tier: turns of earlier sessions, as clients wrote them."""

from __future__ import annotations

from satchel.application.recall.results import ARCHIVE, Result
from satchel.application.recall.routing import TRANSCRIPTS
from satchel.application.services import Services
from satchel.engine.search.tokens import shares_enough

_EXCERPT = 600


def archive_results(work: Services, question: str, limit: int, *, asked_for: bool) -> list[Result]:
    """Search the archive: words, words in a period, events in a period.

    Unless the archive was requested, a turn must share more than one word and not end in a
    question.
    """
    sessions = work.sessions
    try:
        hits = sessions.archive.search(question, limit)
    finally:
        sessions.close()
    if not asked_for:
        said = (hit for hit in hits if not hit.text.rstrip().endswith("?"))
        hits = [hit for hit in said if shares_enough(question, hit.text)]
    return [
        Result(
            ARCHIVE,
            TRANSCRIPTS,
            hit.title or f"{hit.role} in {hit.session[:8]}",
            text=hit.text[:_EXCERPT],
            place=f"{hit.client} {hit.session}".strip(),
            at=hit.at,
            score=hit.score,
            parts=dict(hit.parts),
            identity=f"{hit.session} {' '.join(hit.turns)}",
        )
        for hit in hits
    ]
