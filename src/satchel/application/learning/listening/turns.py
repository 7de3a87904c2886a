"""Kinds of turns: self-contained requests, requests that go on from others, questions, lessons."""

from __future__ import annotations

import re

from satchel.application.learning.signals.context import names_nothing
from satchel.application.learning.signals.courtesies import thanks_or_leaves
from satchel.application.learning.signals.hearing import hear, may_last
from satchel.application.learning.signals.own_words import own_words, sentences
from satchel.application.learning.signals.reasons import accuses
from satchel.application.learning.signals.speech.clauses import peel
from satchel.application.learning.signals.speech.moments import GOES_ON
from satchel.application.learning.signals.speech.rules import DIRECTIVE
from satchel.application.learning.signals.speech.words import BEGUN
from satchel.application.learning.signals.values import FACT
from satchel.clients.transcript_format.values import USER
from satchel.clients.transcripts.tail import Message
from satchel.engine.search.tokens import distinctive_words
from satchel.storage.kept_patterns import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.learning.signals.values import Heard

#: Words of a request that needs no other to be understood, of one that names a file, and of a
#: praise beside a lesson.
_BY_ITSELF, _NAMING, _PRAISE = 5, 2, 3
_NAMES_A_FILE = re.compile(r"[\w-]/[\w-]|[\w-]{2}\.[a-z]{1,6}\b")
#: Telling words of a request that says what it is about, or a name in a shorter one.
_TOLD_OUT = 4
_NAMES = re.compile(
    r"`|[\w-]/[\w-]|[\w-]{2}\.[a-z]{1,6}\b|[a-z]_[a-z]|\w-\w|\d{2}|[a-z][A-Z]|(?<=\s)[A-Z][\w-]"
)
#: Says what not to do about it: "skip the tests this time, just run it".
_LEAVES_OUT = spoken(r"(?:just )?(?:skip|ignore|leave|stop|wait|go)\b")
_PLAN = re.compile(r"\s*Implement the following plan:\s*(?:#+\s*)?(?:Plan:\s*)?([^\n]+)")
#: Orders to git.
_GIT = (
    r"(?:please )?(?:commit|push|merge|rebase|squash|pr\b"
    r"|(?:(?:open|create) )(?:(?:a|the) )?(?:pr|pull request))"
)
#: Goes on from another request, if it is no longer than this: "and commit it, please".
_GOES_ON = spoken(
    rf"{BEGUN}"
    r"(?:(?:and|then|also) (?:\S+ ){0,5}\S+ ?\Z|(?:and|then|now|also) (?:\S+ ){0,9}"
    rf"(?:same|it|that|this|them|those|ones?)\b(?: \S+){{0,4}} ?\Z|{_GIT}\b,?(?: \S+){{0,9}} ?\Z"
    r"|.{0,40}\b(?:carry on|go on|go ahead|continue|keep going)\W*\Z"
    r"|\w{1,20} first\b(?: \S+){0,6} ?\Z|\w{1,20} (?:it|them)\b(?: \S+){0,6} ?\Z"
    # "Spec it. with travel_to, we removed timecop".
    r"|\w{1,20} (?:it|them)[.,;:!](?: \S+){1,12} ?\Z|(?:\S+ ){0,8}"
    r"(?:for|of|with|in|on|about|do|fix|add|update|try|see) (?:this|that|it|them)\W*\Z)"
)
#: One of what was listed before: "fix the first one, the second is on purpose".
_ONE_OF_THEM = spoken(
    r"\bthe (?:first|second|third|last|other|former|latter)(?: (?:one|two)s?\b| ?(?:[,.;!]|\Z))"
)
#: How lessons begin that ask for no work, and words of an answer to one.
_TEACHES = spoken(
    rf"{BEGUN}"
    r"(?:(?:in|for|on|with) (?:\S+ ){1,3}?(?=we\b))?"
    r"(?:(?:[\w./'-]+ ){1,4}?(?:is|are|has|have|goes?|stays?) (?:always|never|only)\b|no\b|nope\b"
    r"|nein\b|next time\b|not\b|don['\u2019]?t|do not|never\b|always\b|from now on|in future|we\b"
    r"|our\b|btw\b|by the way|fyi\b|remember\b|note\b|I(?:'d)? (?:prefer|like|hate)\b"
    r"|\w+ (?:immer|nie)\b|.{0,80}\bbtw\b)"
)
#: Answers what the agent did: what follows corrects the work that was asked for before.
_REPLIES = spoken(
    r"(?:yes|yeah|yep|no|nope|nah|right|hm+|wait|actually|but|not quite|almost|still)\b"
    r"|(?:(?:wtf|wth|omg|ugh|a+rgh|hey|man)\b[\s,.!?]{1,4}){0,2}why (?:did|do|are|would|have) "
    r"you\b"
    # "Don't push yet, I want to look first" asks for nothing.
    r"|(?:(?:please|pls|and|ok(?:ay)?)\b[\s,]{1,4}){0,2}"
    r"(?:don['\u2019]?t|do not) \w+\b[^.;]{0,40}\b(?:yet|for now)\b"
)
#: Orders to git and nothing else: "ok commit that with a good message, but don't push yet".
_ROUTINE = spoken(
    rf"{BEGUN}(?:lgtm[\s,.!]{{1,4}})?{_GIT}\b(?:[\s,.!+&]+(?:(?:and|but|then|just) )*(?:{_GIT}"
    r"|(?:don['\u2019]?t|do not|no) (?:push|merge)(?:ing)?|it|this|that|them|all|everything"
    r"|changes?|work|the|a|my|now|yet|please|pls|for (?:me|now|today)|to|into|on|origin|main"
    r"|master|remote|fork|branch|with|message|msg|as|good|short|proper|done|thanks|thx|again|too"
    r"|['\"`\u201c][^'\"`\n]{1,120}['\"`\u201d]|(?:we|i)(?:['\u2019](?:re|m)| are| am) done"
    r"|(?:that|this)(?:['\u2019]?s| is) (?:it|all)))*[\s.!]*\Z"
)
#: Forms of statements about how things are or are done, unless they begin with a verb.
_STATING = frozenset(("norm", "contrast", "elliptic", "likely", "forbids a thing"))
_ABROAD = "contrast abroad"
_JOKES = spoken(r"(?:.{1,300}\b)?(?:lol|haha\w{0,9}|lmao|jk|note to (?:my)?self)\b")
#: Asks to be told something, and for no work.
_ONLY_ASKS = re.compile(
    rf"{BEGUN}"
    r"(?:(?:what(?:'?s)?|why|where|who|when|which|is|are|was|were|does|did|do|has|have|how(?!\s+about\b))\b.*\?\s*\Z"
    r"|(?:what|why|where|who|when|which|how)\b(?!\s+(?:about|we|I|you)\b)[^,;.]{0,80}\Z"
    r"|(?:(?:can|could|would)\s+you\s+(?:please\s+|just\s+|quickly\s+)?)?(?:summari[sz]e|recap|explain|describe|tell\s+me|remind\s+me|walk\s+me)\b)",
    re.IGNORECASE | re.DOTALL,
)
#: Who decides like this asks for it as well.
_SETTLES = spoken(r"\blet'?s\b|\bgo(?:ing)? with\b|\bdecided\b")
#: What the person leaves for later: "tomorrow we do the invoice pdf", "let's finish it next week".
_LATER = (
    r"tomorrow|tmrw|later|next (?:time|week|session)|after (?:lunch|the (?:break|weekend|meeting))"
)
_WE_WILL = r"(?:(?:we|i)(?:['\u2019]ll| will)|let['\u2019]?s)"
_NAMED = r"(?<!\bit)(?<!\bthat)(?<!\bthis)(?<!\bthose)(?<!\bthem)"
_PUT_OFF = spoken(
    rf"{BEGUN}"
    rf"(?:(?:(?:{_LATER})(?: ?:|[\s,:]{{1,4}}(?:{_WE_WILL}|we|i))"
    rf"|(?:next|(?:on )?\w{{3,6}}day)[\s,:]{{1,4}}{_WE_WILL}) (?:then )?(?:(?:need|have) to )?"
    rf"(?P<step>\w[^?\n]{{5,160}}?{_NAMED})"
    rf"|(?:{_WE_WILL}|we) (?P<first>(?:do|continue|go on|finish|tackle|look|start|add|fix|write"
    rf"|make|test)\b[^?\n]{{3,160}}?{_NAMED}) (?:{_LATER})"
    # "Tomorrow the export".
    rf"|(?:{_LATER})[\s,:]{{1,4}}(?P<thing>the\s(?!.{{0,100}}\b(?:is|are|will|has|have)\b)"
    r"[^?\n]{3,100}))[\s.!]*\Z"
)


def request(message: Message) -> str:
    """Return a message's request in the person's own words, or the plan it hands on."""
    if message.role != USER:
        return ""
    plan = _PLAN.match(message.text)
    return own_words(message.text) or (f"implement the plan: {plan[1]}" if plan else "")


def asks(message: Message) -> bool:
    """Return whether a message is a self-contained request by a person."""
    said = request(message)
    return stands_alone(said) and not only_teaches(said)


def stands_alone(said: str) -> bool:
    """Return whether a request needs no other to be understood."""
    if len(said.split()) < (_NAMING if _NAMES_A_FILE.search(said) else _BY_ITSELF):
        return False
    return not (
        _ONE_OF_THEM.search(said)
        or _GOES_ON.match(said)
        or closes(said)
        or _REPLIES.match(said)
        or _JOKES.match(said)
        or accuses(said)
    )


def tells_its_subject(said: str) -> bool:
    """Return whether a request says by itself what it is about."""
    whole = len(distinctive_words(said)) >= _TOLD_OUT or bool(_NAMES.search(said))
    sighs = GOES_ON.search(said) or _LEAVES_OUT.match(said) or names_nothing(said)
    return whole and not sighs


def closes(said: str) -> bool:
    """Return whether a turn is nothing but thanks, praise or a goodbye."""
    if thanks_or_leaves(said):
        return True
    before, later = left_for_later(said)
    return bool(later) and (not before or closes(before))


def left_for_later(said: str) -> tuple[str, str]:
    """Return a turn without what it leaves for another time, and that; "" if it leaves nothing."""
    parts = _last_apart(said)
    found = _PUT_OFF.match(parts[-1])
    if not found:
        return said, ""
    # A dash in it is told as a comma: then nothing is cut off.
    at = said.rfind(parts[-1])
    return (said[:at].rstrip(" ,").removesuffix(" and") if at >= 0 else said), found[
        "step"
    ] or found["first"] or found["thing"]


def _last_apart(said: str) -> list[str]:
    """Return a turn's sentences; what is put off behind a comma in the last is one of its own."""
    *before, last = sentences(said) or [said]
    for mark in (", ", " and "):
        done, _, rest = last.rpartition(mark)
        if done and _PUT_OFF.match(rest):
            return [*before, done, rest]
    return [*before, last]


def only_asks(said: str) -> bool:
    """Return whether a turn asks to be told something, and for no work."""
    return bool(_ONLY_ASKS.match(said))


def settles(said: str) -> bool:
    """Return whether a turn decides something."""
    return bool(_SETTLES.search(said))


def is_aside(said: str) -> bool:
    """Return whether a turn says nothing of the work once it is answered.

    That is a question, a joke, or an order to commit or push.
    """
    return bool(_ONLY_ASKS.match(said) or _JOKES.match(said) or _ROUTINE.match(said))


def teaches(said: str) -> bool:
    """Return whether a turn holds a lesson that decides nothing; it may be an order as well."""
    return any(not settles(one.sentence) for one in hear(said))


def _bids_nothing(one: Heard) -> bool:
    """Return whether a lesson states how things are or are done, and orders nothing."""
    if one.form == _ABROAD:
        return True
    return one.form in _STATING and not peel(one.sentence).begins(DIRECTIVE)


def only_teaches(said: str, *, surely: bool = False) -> bool:
    """Return whether a turn holds nothing but lessons: they are kept elsewhere, if at all.

    By its first words, too, unless it tells a fact: "add logging to all handlers" may sound like a
    rule, and is an order. `surely`: the agent worked for it, so it needs a word for what lasts.
    """
    if surely and said.isascii() and not may_last(said):
        return False
    taught = bool(_TEACHES.match(said))
    lessons = {
        one.sentence
        for one in hear(said)
        if (taught or one.label == FACT or _bids_nothing(one)) and not settles(one.sentence)
    }
    return bool(lessons) and all(
        one in lessons or len(one.split()) < _PRAISE or closes(one) for one in sentences(said)
    )
