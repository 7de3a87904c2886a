"""Guesses, marked as such: sessions that match a commit only by time and words."""

from __future__ import annotations

from satchel.features.thread.guessing import distance, rank
from satchel.features.thread.values import GUESS, TIME, WORDS, Evidence, Link
from satchel.storage.commits import Commit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services
    from satchel.features.thread.linking import Linker

#: How far from a commit a session may be, in seconds; the most guesses, and hits.
_NEAR, _MOST, _HITS = 3 * 86_400.0, 3, 30
#: Odds below which a session is not a candidate.
_LEAST = -4.0


def guessed(work: Services, commit: Commit, linker: Linker) -> list[Link]:
    """Return sessions near in time or with a commit's words, best first.

    The sessions are this user's, so somebody else's commit comes from none of them.
    """
    if linker.is_anothers(commit):
        return []
    at = float(commit.author_time)
    near = work.thread.store.spans(at - _NEAR, at + _NEAR)
    clients = {session: client for session, client, *_ in near}
    # A session that began later cannot have written it, whatever it is about.
    spans = {session: (began, ended) for session, _, _, began, ended in near if began <= at}
    hits = work.sessions.archive.search(commit.subject, _HITS, now=at, weak=True)
    words: dict[str, float] = {}
    for one in hits:
        if one.session in spans:
            words[one.session] = max(words.get(one.session, 0.0), min(one.score, 1.0))
    found = []
    for session, odds in rank(at, spans, words)[:_MOST]:
        if odds < _LEAST:
            continue
        away = distance(at, *spans[session])
        evidence = [Evidence(TIME, f"{away / 60:.0f} min away" if away else "within it")]
        if session in words:
            evidence.append(Evidence(WORDS, f"{words[session]:.0%} alike"))
        found.append(Link(session, clients[session], GUESS, tuple(evidence)))
    return found
