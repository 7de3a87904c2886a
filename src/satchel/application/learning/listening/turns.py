"""Kinds of turns: self-contained requests, requests that go on from others, questions, lessons."""

from __future__ import annotations

import re

from satchel.application.learning.signals.context import names_nothing
from satchel.application.learning.signals.hearing import Heard, hear, may_last
from satchel.application.learning.signals.own_words import own_words, sentences
from satchel.application.learning.signals.speech.clauses import peel
from satchel.application.learning.signals.speech.moments import GOES_ON
from satchel.application.learning.signals.speech.rules import DIRECTIVE
from satchel.application.learning.signals.values import FACT
from satchel.clients.transcript_format.values import USER
from satchel.clients.transcripts.tail import Message
from satchel.engine.search.tokens import distinctive_words

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
_LEAVES_OUT = re.compile(r"(?:just\s+)?(?:skip|ignore|leave|stop|wait|go)\b", re.IGNORECASE)
_PLAN = re.compile(r"\s*Implement the following plan:\s*(?:#+\s*)?(?:Plan:\s*)?([^\n]+)")
#: Orders to git.
_GIT = (
    r"(?:please\s+)?"
    r"(?:commit|push|merge|rebase|squash|pr\b|(?:(?:open|create)\s+)(?:(?:a|the)\s+)?(?:pr|pull\s+request))"
)
#: Goes on from another request, if it is no longer than this: "and commit it, please".
_GOES_ON = re.compile(
    r"(?:(?:ok(?:ay)?|great|perfect|nice|good|yes|thanks)\b[\s,.!]{1,4}){0,2}"
    r"(?:(?:and|then|also)\s{1,4}(?:\S+\s+){0,5}\S+\s*\Z"
    r"|(?:and|then|now|also)\s{1,4}(?:\S+\s+){0,9}(?:same|it|that|this|them|those|ones?)\b(?:\s+\S+){0,4}\s*\Z"
    rf"|{_GIT}\b,?(?:\s+\S+){{0,9}}\s*\Z"
    r"|.{0,40}\b(?:carry\s+on|go\s+on|go\s+ahead|continue|keep\s+going)\W*\Z"
    r"|\w{1,20}\s+first\b(?:\s+\S+){0,6}\s*\Z"
    r"|\w{1,20}\s+(?:it|them)\b(?:\s+\S+){0,6}\s*\Z"
    r"|(?:\S+\s+){0,8}(?:for|of|with|in|on|about|do|fix|add|update|try|see)\s+(?:this|that|it|them)\W*\Z)",
    re.IGNORECASE,
)
#: One of what was listed before: "fix the first one, the second is on purpose".
_ONE_OF_THEM = re.compile(
    r"\bthe\s+(?:first|second|third|last|other|former|latter)(?:\s+(?:one|two)s?\b|\s*(?:[,.;!]|\Z))",
    re.IGNORECASE,
)
#: How lessons begin that ask for no work, and words of an answer to one.
_TEACHES = re.compile(
    r"(?:(?:ok(?:ay)?|great|perfect|nice|good|yes|thanks|right|cool|und|bitte|please|and|also|so)\b[\s,.!]{1,4}){0,3}"
    r"(?:(?:in|for|on|with)\s+(?:\S+\s+){1,3}?(?=we\b))?"
    r"(?:(?:[\w./'-]+\s+){1,4}?(?:is|are|has|have|goes?|stays?)\s+(?:always|never|only)\b"
    r"|no\b|nope\b|nein\b|next\s+time\b|not\b|don['\u2019]?t|do\s+not|never\b|always\b|from\s+now\s+on|in\s+future|we\b|our\b|btw\b|by\s+the\s+way"
    r"|fyi\b|remember\b|note\b|I(?:'d)?\s+(?:prefer|like|hate)\b|\w+\s+(?:immer|nie)\b|.{0,80}\bbtw\b)",
    re.IGNORECASE,
)
#: Answers what the agent did: what follows corrects the work that was asked for before.
_REPLIES = re.compile(
    r"(?:yes|yeah|yep|no|nope|nah|right|hm+|wait|actually|but|not\s+quite|almost|still)\b"
    r"|(?:(?:wtf|wth|omg|ugh|a+rgh|hey|man)\b[\s,.!?]{1,4}){0,2}why\s+(?:did|do|are|would|have)\s+you\b"
    # "Don't push yet, I want to look first" asks for nothing.
    r"|(?:(?:please|pls|and|ok(?:ay)?)\b[\s,]{1,4}){0,2}(?:don['\u2019]?t|do\s+not)\s+\w+\b[^.;]{0,40}\b(?:yet|for\s+now)\b",
    re.IGNORECASE,
)
#: Orders to git and nothing else: "ok commit that with a good message, but don't push yet".
_ROUTINE = re.compile(
    r"(?:(?:and|now|then|also|ok(?:ay)?|so|great|perfect|nice|good|yes|thanks|thx|cool|lgtm)\b[\s,.!]{1,4}){0,4}"
    rf"{_GIT}\b(?:[\s,.!+&]+(?:(?:and|but|then|just)\s+)*"
    rf"(?:{_GIT}|(?:don['\u2019]?t|do\s+not|no)\s+(?:push|merge)(?:ing)?|it|this|that|them|all|everything|changes?"
    r"|work|the|a|my|now|yet|please|pls|for\s+(?:me|now|today)|to|into|on|origin|main|master|remote|fork|branch"
    r"|with|message|msg|as|good|short|proper|done|thanks|thx|again|too|['\"`\u201c][^'\"`\n]{1,120}['\"`\u201d]"
    r"|(?:we|i)(?:['\u2019](?:re|m)|\s+are|\s+am)\s+done|(?:that|this)(?:['\u2019]?s|\s+is)\s+(?:it|all)))*[\s.!]*\Z",
    re.IGNORECASE,
)
#: Forms of statements about how things are or are done, unless they begin with a verb.
_STATING = frozenset(("norm", "contrast", "elliptic", "likely", "forbids a thing"))
_ABROAD = "contrast abroad"
_JOKES = re.compile(
    r"(?:.{1,300}\b)?(?:lol|haha\w{0,9}|lmao|jk|note\s+to\s+(?:my)?self)\b", re.IGNORECASE
)
#: Asks to be told something, and for no work.
_ONLY_ASKS = re.compile(
    r"(?:(?:ok(?:ay)?|and|so|but|hm+|great|thanks|nice|cool|perfect|good)\b[\s,.!]{1,4}){0,2}"
    r"(?:(?:what(?:'?s)?|why|where|who|when|which|is|are|was|were|does|did|do|has|have|how(?!\s+about\b))\b.*\?\s*\Z"
    r"|(?:what|why|where|who|when|which|how)\b(?!\s+(?:about|we|I|you)\b)[^,;.]{0,80}\Z"
    r"|(?:(?:can|could|would)\s+you\s+(?:please\s+|just\s+|quickly\s+)?)?(?:summari[sz]e|recap|explain|describe|tell\s+me|remind\s+me|walk\s+me)\b)",
    re.IGNORECASE | re.DOTALL,
)
#: Who decides like this asks for it as well.
_SETTLES = re.compile(r"\blet'?s\b|\bgo(?:ing)?\s+with\b|\bdecided\b", re.IGNORECASE)
#: Goodbyes of other languages than English.
_GOODBYE = (
    r"sch[öo]e?nen?s?\s+(?:we|wochenende|abend|feierabend|tag|urlaub)|feierabend"
    r"|mittag(?:spause|essen)?|kurze\s+pause|(?:fertig|genug|schluss)\s+f[üu]e?r\s+heute|gute\s+nacht"
    r"|bis\s+(?:dann|morgen|montag|sp[äa]e?ter|gleich|nachher)|tsch[üu]e?ss?|das\s+war['\u2019]?s|passt"
    r"|bon\s+(?:we|week-?end)|bonne\s+soir[ée]e|[àa]\s+demain|buen\s+(?:fin\s+de\s+semana|finde)"
    r"|hasta\s+(?:luego|ma[ñn]ana)|buon\s+(?:weekend|week-end)|a\s+domani"
    r"|c['\u2019]est\s+tout|pour\s+aujourd['\u2019]hui|(?:eso|esto)\s+es\s+todo|por\s+hoy"
    r"|(?:to\s+je\s+)?v[šs]e(?:chno)?\s+(?:pro\s+)?dnes|na\s+shledanou|[čc]au|d[íi]ky|m[ěe]j\s+se|zítra"
)
#: What follows a goodbye: "that's it for now, next I'll do the tests", "bye :)".
_TOMORROW = r"tomorrow|tmrw|tmr|next|later|then|morgen|demain|ma[ñn]ana|domani"
_SMILEY = r"(?:[:;=8][-']?[)D(Pp]+|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]|<3|\s)*"
_CLOSES = re.compile(
    r"(?:(?:ok(?:ay)?|great|perfect|cool|nice|good|awesome|alright|super|gut|prima|klasse|so|parfait"
    r"|und|and|jetzt|now|wirklich|really|aber|but"
    r"|d['\u2019]accord|g[ée]nial|perfecto|vale|perfetto|dobr[ýe]|fajn)\b[\s,.!]{1,4}){0,3}"
    r"(?:thanks?(?:\s+you)?|thx|cheers|perfect|cool|exactly\s+what\s+I\s+(?:wanted|meant)|looks?\s+good|lgtm|good\s+enough|that(?:'?s|\s+is|\s+was)\s+(?:all|it)|bye|good\s+night"
    r"|brb|afk|gtg|gotta\s+go|i['\u2019]?m\s+off|(?:i'm\s+)?off\s+(?:to|for)\s+\w+|lunch(?:\s+(?:time|break|now))?|(?:i'm\s+)?heading\s+(?:out|home)"
    r"|let['\u2019]?s\s+(?:wrap\s+(?:it|this|things)\s+up|leave\s+it\s+(?:there|here|at\s+that)|stop\s+here)|stop\s+here"
    r"|(?:i\s+think\s+)?(?:that|this)(?:['\u2019]ll|\s+will)\s+do|(?:all\s+)?done(?=\s{0,2}[,.!]|\s*\Z)|right\s+you\s+are"
    r"|(?:stop,?\s+)?i(?:['\u2019]ll|\s+will)\s+(?:do|take|finish|handle)\s+(?:it|that|this|the\s+rest)(?:\s+(?:myself|by\s+hand))?(?=\s{0,2}[,.!]|\s*\Z)"
    r"|not\s+(?:today|now)\s+though|until\s+(?:tomorrow|\w{3,6}day)|(?:i(?:['\u2019]ll)?\s+)?wait(?:ing)?(?=\s{0,2}[,.!]|\s*\Z)"
    r"|see\s+you|let'?s\s+call\s+it\s+a\s+day|(?:i'm\s+)?done\s+for\s+today|danke|merci|gracias|obrigad[oa]|grazie"
    rf"|(?:have\s+a\s+)?(?:nice|good|great)\s+(?:weekend|evening|one)|{_GOODBYE})"
    r"\b(?:[\s,.!]{1,4}(?:lunch(?:\s+(?:time|break|now))?|brb|afk|off\s+(?:to|for)\s+\w+|a\s+lot|(?:ever\s+)?so\s+much|very\s+much|for\s+your\s+help|this\s+week|from\s+me|next|for\s+(?:now|today)|then|again|all|thanks?(?:\s+you)?|danke|merci|gracias|grazie|bye|see\s+you|until|tomorrow|later|monday"
    rf"|{_GOODBYE}"
    r"|(?:that|this|it)(?:'?s|\s+is)?\s+(?:all|it|works?(?:\s+(?:great|fine|perfectly|well|now))*|great|perfect)|works?(?:\s+(?:great|fine|now))*))*"
    rf"(?:[\s,.!]+(?:{_TOMORROW})\b[^.!?\n]{{0,80}})?[\s.!]*{_SMILEY}\Z",
    re.IGNORECASE,
)
#: Praise, and nothing that could be an answer to a question, as "yes" is.
_PRAISES = re.compile(
    r"(?:(?:ok(?:ay)?|oh|ah|so|that(?:'?s|\s+is)|it(?:'?s|\s+is)|very|really|much|sehr|très|muito|dir|das|muss|un)[\s,.!]{1,4}){0,3}"
    r"(?:(?:nice|great|good|cool|super|top|perfect|awesome|neat|sweet|lovely|wow|haha|lol|better|sch[öo]e?n|gut|prima"
    r"|klasse|genau|sauber|spitze|parfait|g[ée]nial|bien|bom|perfeito|perfecto|genial|bueno|got\s+it|thought\s+so"
    r"|well\s+done|good\s+job|(?:it\s+|that\s+)?(?:works?|worked|helped|did\s+it)(?:\s+(?:now|great|fine|well|perfectly|again))*)\b[\s,.!]{0,4}(?:(?:one|so|das|dir|now|then|muss|gemacht|work|job|bot|stuff|like\s+that)\b[\s,.!]{0,4}){0,3}){1,3}"
    rf"{_SMILEY}\Z|[^\w\n?/]{{1,12}}\Z",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[,.!;]+\s*")
#: What the person leaves for later: "tomorrow we do the invoice pdf", "let's finish it next week".
_LATER = (
    r"tomorrow|tmrw|later|next\s+(?:time|week|session)"
    r"|after\s+(?:lunch|the\s+(?:break|weekend|meeting))"
)
_WE_WILL = r"(?:(?:we|i)(?:['\u2019]ll|\s+will)|let['\u2019]?s)"
_NAMED = r"(?<!\bit)(?<!\bthat)(?<!\bthis)(?<!\bthose)(?<!\bthem)"
_PUT_OFF = re.compile(
    r"(?:(?:and|then|but|so|ok(?:ay)?|nice|great|cool|good|perfect|thanks|thx)\b[\s,]{1,4}){0,2}"
    rf"(?:(?:(?:{_LATER})(?:\s?:|[\s,:]{{1,4}}(?:{_WE_WILL}|we|i))|(?:next|(?:on\s+)?\w{{3,6}}day)[\s,:]{{1,4}}{_WE_WILL})"
    rf"\s+(?:then\s+)?(?:(?:need|have)\s+to\s+)?(?P<step>\w[^?\n]{{5,160}}?{_NAMED})"
    rf"|(?:{_WE_WILL}|we)\s+(?P<first>(?:do|continue|go\s+on|finish|tackle|look|start|add|fix|write|make|test)\b[^?\n]{{3,160}}?{_NAMED})"
    rf"\s+(?:{_LATER})"
    # "Tomorrow the export".
    rf"|(?:{_LATER})[\s,:]{{1,4}}(?P<thing>the\s(?!.{{0,100}}\b(?:is|are|will|has|have)\b)[^?\n]{{3,100}}))[\s.!]*\Z",
    re.IGNORECASE,
)
_GREETS = re.compile(
    r"(?:hi|hello|hey|yo|moin|hallo|hola|salut|bonjour|ciao|good\s+(?:morning|evening|afternoon)|ping|test)"
    rf"(?:\s+(?:there|again|claude|codex|all))?[\s.!]*{_SMILEY}\Z",
    re.IGNORECASE,
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
        or _CLOSES.match(said)
        or _REPLIES.match(said)
        or _JOKES.match(said)
    )


def tells_its_subject(said: str) -> bool:
    """Return whether a request says by itself what it is about."""
    whole = len(distinctive_words(said)) >= _TOLD_OUT or bool(_NAMES.search(said))
    sighs = GOES_ON.search(said) or _LEAVES_OUT.match(said) or names_nothing(said)
    return whole and not sighs


def greets(said: str) -> bool:
    """Return whether a turn is nothing but a greeting."""
    return bool(_GREETS.match(said))


def closes(said: str) -> bool:
    """Return whether a turn is nothing but thanks, praise or a goodbye."""
    if _CLOSES.match(said) or _PRAISES.match(said):
        return True
    # "Super gemacht, bis morgen".
    parts = [part for part in _PARTS.split(said) if part.strip()]
    if len(parts) > 1 and all(_CLOSES.match(one) or _PRAISES.match(one) for one in parts):
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
