"""Scoring: how well a message suits an agent, by five signals. Pure.

    score = (.4 keyword + .3 intent + .2 mention + .1 division - .2 for each negative keyword)
            x outcome multiplier, between 0 and 1

Where The Foundation's texts disagree, docs/decisions/0030-routing.md says what was chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log

from satchel.engine.search.tokens import COMMON, stem, without_accents, words_of
from satchel.features.routing.values import Choice, Profile, Profiles, Score

KEYWORD, INTENT, MENTION, DIVISION = 0.4, 0.3, 0.2, 0.1
_NEGATIVE, _MOST_NEGATIVE = 0.2, 1.0
#: As many of a profile's strongest keywords make a whole keyword signal.
_STRONGEST = 2
#: Characters of a message that are read: a pasted document is not a message.
_READ = 20_000
_DIGITS = 9


class MessageWords:
    """A message's words: plain, stemmed, with positions."""

    __slots__ = ("plain", "stems", "text")

    def __init__(self, text: str) -> None:
        self.plain = words_of(without_accents(text[:_READ]))
        self.stems = [stem(word) for word in self.plain]
        self.text = " " + " ".join(self.stems) + " "

    def holds(self, phrase: str) -> bool:
        """Return whether a phrase's words occur side by side, in any inflection."""
        wanted = " ".join(_stems(phrase))
        return bool(wanted) and f" {wanted} " in self.text

    def names(self, name: str) -> bool:
        """Return whether a name occurs verbatim, as whole words."""
        wanted = " ".join(words_of(without_accents(name)))
        return bool(wanted) and f" {wanted} " in " " + " ".join(self.plain) + " "


class Scorer:
    """Scores messages for a set of profiles.

    Args:
        profiles: of the agents that may be chosen.
        multiplier: what outcomes taught of an agent, by id; None for nothing yet.
    """

    def __init__(
        self, profiles: Profiles, multiplier: Callable[[str], float | None] = lambda _: None
    ) -> None:
        self.profiles = profiles
        self._multiplier = multiplier
        self._rarity = _rarity(profiles.profiles)
        #: Every word that tells a kind of work; other words of a message say nothing about that.
        self._tasks = {
            word for one in profiles.profiles for intent in one.intents for word in _task(intent)
        }

    def choose(self, text: str, *, division: str = "") -> Choice:
        """Return the agent for a message.

        An agent that a negative keyword speaks against comes after every other that reaches the
        threshold. Equal scores keep the order of the profiles.

        Args:
            text: the message.
            division: where it comes from or belongs, if the sender says so.
        """
        said, threshold = MessageWords(text), self.profiles.threshold
        scores = [self.score(said, one, division) for one in self.profiles.profiles]
        ranked = sorted(
            scores, key=lambda one: (one.score < threshold, bool(one.against), -one.score)
        )
        best = ranked[0] if ranked else None
        if best is None or best.score < threshold:
            ranked.sort(key=lambda one: -one.score)
            return Choice(self.profiles.fallback, True, threshold, tuple(ranked))
        return Choice(best.agent, False, threshold, tuple(ranked))

    def score(self, said: MessageWords, profile: Profile, division: str = "") -> Score:
        """Return an agent's score for a message."""
        words = tuple(word for word, _ in profile.keywords if said.holds(word))
        mentions = tuple(
            dict.fromkeys(
                name for name in (profile.id, profile.name, *profile.aliases) if said.names(name)
            )
        )
        intent, intents = self._intent(said, profile)
        belongs = bool(profile.division) and (
            division.strip().lower() == profile.division.lower() or said.names(profile.division)
        )
        against = tuple(word for word in profile.negative if said.holds(word))
        penalty = min(_MOST_NEGATIVE, _NEGATIVE * len(against))
        learnt = self._multiplier(profile.id)
        multiplier = profile.multiplier if learnt is None else learnt
        keyword = self._keyword(profile, words)
        total = (
            KEYWORD * keyword
            + INTENT * intent
            + MENTION * bool(mentions)
            + DIVISION * belongs
            - penalty
        )
        score = round(min(1.0, max(0.0, total) * multiplier), _DIGITS)
        return Score(
            profile.id,
            score,
            keyword,
            intent=intent,
            mention=float(bool(mentions)),
            division=float(belongs),
            penalty=penalty,
            multiplier=multiplier,
            words=words,
            intents=intents,
            mentions=mentions,
            against=against,
        )

    def _keyword(self, profile: Profile, found: Sequence[str]) -> float:
        """Score found keywords relative to the profile's strongest; rare words count more."""
        weights = {word: weight * self._rarity[_key(word)] for word, weight in profile.keywords}
        most = sum(sorted(weights.values(), reverse=True)[:_STRONGEST])
        return min(1.0, sum(weights[word] for word in found) / most) if most > 0 else 0.0

    def _intent(self, said: MessageWords, profile: Profile) -> tuple[float, tuple[str, ...]]:
        """Compare a message's action words with each intent's; the best match counts."""
        asked = self._tasks.intersection(said.stems)
        best, found = 0.0, list[str]()
        for intent in profile.intents:
            wanted = set(_task(intent))
            share = len(asked & wanted) / len(asked | wanted) if asked and wanted else 0.0
            if share > best:
                best, found = share, []
            if share and share == best:
                found.append(intent)
        return best, tuple(found)


def _rarity(profiles: Sequence[Profile]) -> dict[str, float]:
    """Return each keyword's rarity: 1 if one profile has it, less with each more."""
    held: dict[str, int] = {}
    for one in profiles:
        for key in {_key(word) for word, _ in one.keywords}:
            held[key] = held.get(key, 0) + 1
    every = log(len(profiles) + 1)
    return {key: 1 - log(count) / every for key, count in held.items()}


def _key(phrase: str) -> str:
    return " ".join(_stems(phrase))


def _stems(phrase: str) -> list[str]:
    return [stem(word) for word in words_of(without_accents(phrase))]


def _task(intent: str) -> list[str]:
    words = words_of(without_accents(intent))
    return [stem(word) for word in words if word not in COMMON] or [stem(word) for word in words]
