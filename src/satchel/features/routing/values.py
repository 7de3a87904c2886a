"""The values of routing: profiles, scores with their parts, decisions."""

from __future__ import annotations

from satchel.core.values import NamedTuple

SUCCESS, FAILURE = OUTCOMES = ("success", "failure")
#: Below this score a message goes to the fallback.
THRESHOLD = 0.15
FALLBACK = "seldon"


class Profile(NamedTuple):
    """An agent's profile. Weights of `keywords` are 0 to 1.

    `multiplier` holds until outcomes say otherwise. `path` is the file that says so.
    """

    id: str
    name: str = ""
    aliases: tuple[str, ...] = ()
    role: str = ""
    division: str = ""
    keywords: tuple[tuple[str, float], ...] = ()
    intents: tuple[str, ...] = ()
    negative: tuple[str, ...] = ()
    multiplier: float = 1.0
    path: str = ""


class Profiles(NamedTuple):
    """The available agents in order, the fallback, and the threshold."""

    profiles: tuple[Profile, ...]
    fallback: str = FALLBACK
    threshold: float = THRESHOLD
    path: str = ""

    def named(self, name: str) -> Profile | None:
        """Return a profile by its id, case-insensitively."""
        wanted = name.strip().lower()
        return next((one for one in self.profiles if one.id.lower() == wanted), None)


class Score(NamedTuple):
    """How well a message suits an agent, 0 to 1, and why.

    `keyword`, `intent`, `mention` and `division` are signals from 0 to 1 before they are weighed;
    `penalty` is what negative keywords take off; `multiplier` is what outcomes taught.
    """

    agent: str
    score: float
    keyword: float
    intent: float
    mention: float
    division: float
    penalty: float
    multiplier: float
    words: tuple[str, ...] = ()
    intents: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    against: tuple[str, ...] = ()


class Choice(NamedTuple):
    """The chosen agent. `fallback` means that no agent reached the threshold."""

    agent: str
    fallback: bool
    threshold: float
    ranked: tuple[Score, ...]


class Decision(NamedTuple):
    """A recorded choice. Times are Unix seconds.

    `message` is the id of the message at its source; `outcome` is "" until somebody tells it.
    `again` says that the decision stood already: the message came a second time. `order` is the
    ledger's own time of the newest version, which never runs backwards.
    """

    id: str
    agent: str
    text: str
    at: int
    score: float
    fallback: bool
    message: str = ""
    outcome: str = ""
    note: str = ""
    again: bool = False
    choice: Choice | None = None
    order: int = 0


class Message(NamedTuple):
    """An unrouted message: its id at its source, and its text."""

    id: str
    text: str
    division: str = ""
    task: str = ""


class Tally(NamedTuple):
    """An agent's outcomes within the window, and the resulting multiplier."""

    agent: str
    successes: int
    failures: int
    multiplier: float
