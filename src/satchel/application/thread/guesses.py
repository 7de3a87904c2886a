"""Guesses, marked as such: sessions that match a commit only by time and words.

Both are evidence, and their odds multiply. Words: how well a session matches the commit's message,
from 0 to 1. Time: the longer before or after, the less likely, by the logarithm, since work comes
in bursts of every length.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from satchel.engine.search.tokens import coverage
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
#: The weight of a full match of the message, in units of e, and the time of one turn.
_WORDS, _TURN = 8.0, 60.0
#: After this many that are best by both together, each kind of evidence adds its own.
_TOGETHER = 3


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
    words, said = dict[str, float](), dict[str, str]()
    for one in hits:
        if one.session in spans:
            words[one.session] = max(words.get(one.session, 0.0), min(one.score, 1.0))
            said[one.session] = f"{said.get(one.session, '')}\n{one.text}"
    found = []
    for session, odds in rank(at, spans, words)[:_MOST]:
        if odds < _LEAST:
            continue
        away = distance(at, *spans[session])
        evidence = [Evidence(TIME, f"{away / 60:.0f} min away" if away else "within it")]
        if session in words:
            # A score only compares the sessions: the best one may have hardly a word in common.
            evidence.append(Evidence(WORDS, f"{coverage(commit.subject, said[session]):.0%}"))
        found.append(Link(session, clients[session], GUESS, tuple(evidence)))
    return found


def distance(at: float, began: float, ended: float) -> float:
    """Return the seconds between a time and a session; 0 within it."""
    return max(began - at, at - ended, 0.0)


def rank(
    at: float, spans: Mapping[str, tuple[float, float]], words: Mapping[str, float]
) -> list[tuple[str, float]]:
    """Rank sessions for a commit, with each one's log odds.

    Args:
        at: the author time.
        spans: session -> its beginning and end.
        words: session -> how well it matches the message, 0 to 1; others are left out.
    """
    away = {one: distance(at, *span) for one, span in spans.items()}
    odds = {
        one: _WORDS * words.get(one, 0.0) - math.log1p(far / _TURN) for one, far in away.items()
    }
    both = sorted(odds, key=lambda one: (-odds[one], one))
    by_time = sorted(away, key=lambda one: (away[one], one))
    by_words = sorted(words.keys() & away.keys(), key=lambda one: (-words[one], one))
    return [(one, odds[one]) for one in _hedged(both, by_time, by_words)]


def _hedged(both: Sequence[str], *single: Sequence[str]) -> list[str]:
    """Return the overall best, then alternate between the best by each signal."""
    found = dict.fromkeys(both[:_TOGETHER])
    for place in range(len(both)):
        for ranked in (*single, both):
            if place < len(ranked):
                found.setdefault(ranked[place])
    return list(found)
