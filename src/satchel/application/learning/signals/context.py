"""Names what a lesson is about where it does not say so itself: by the question it answers. Pure.

"Make it 5, the provider has outages" answers "how many retries do we do": a month later nobody
knows what "it" was, so the lesson is kept with the question.
"""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.learning.signals.asides import is_order
from satchel.application.learning.signals.own_words import sentences
from satchel.application.learning.signals.speech.clauses import peel
from satchel.application.learning.signals.speech.leads import IMPERSONAL
from satchel.application.learning.signals.speech.rules import PROHIBITS
from satchel.application.learning.signals.speech.wording import begun_with_a_capital
from satchel.application.learning.signals.taste import is_taste
from satchel.core.redaction.redactor import redact
from satchel.storage.kept_patterns import LazyPattern, spoken

#: Points at something that was said before, or is only the end of a sentence.
_POINTS_BACK = spoken(
    r"(?:its?|it's|they|they're|them|those|that's|same)\b"
    r"|(?:never|don['\u2019]?t|do not) \w{2,15} (?:it|them|those)\b"
    r"|\d[\w.%]*(?: (?:ms|seconds?|minutes?|hours?|days?|weeks?|months?|times?|percent|px|[kmg]b"
    r"|lines?)\b| ?(?:$|[,.;:\u2013-]|(?:is|because|since|then|max|please)\b))"
    r"|(?:make|do|keep|leave|call|put|set) (?:it|them|that)\b"
    # A number alone: "use 1234, all our runs do", "cap at 2000".
    r"|(?:use|take|keep|cap(?: at)?|limit to|stay (?:at|on|with)) \d[\d.,]*[a-z%]{0,2}"
    r"(?= ?(?:$|[,;:]))"
    r"|we (?:do|keep|leave|use|take|put) (?:it|them|that)\b"
    r"|(?:we (?:stay|go|keep|take) )?(?:[\w-]+ ){1,3}then ?(?:,|$)"
    # "For all sites actually, K7 is just where I noticed".
    r"|for (?:all|every|each|both)(?: [\w-]{2,20}){0,3} (?:actually|too|as well|please)\b"
    # Compared with what was made last: "shorter, for drivers. max 5 lines".
    r"|(?:(?:much|a bit|even|way) )?(?:short|long|small|simpl|bigg|dark|light|fast|slow|few|tight"
    r"|wid|narrow)er ?[,;:]|(?:add|use|take|write|make|create|keep) one\b"
    # A limit or a comparison of nothing that is named: "max 20 per instance".
    r"|(?:max(?:imum)?|min(?:imum)?|at (?:most|least)|(?:no|not) (?:more|less) than"
    r"|up to) \d[\d.]*(?: (?:per|an?|each|at)\b| ?(?:$|[,.;:]))|(?:always|never) "
    r"(?:a (?:bit|little|lot) |slightly |much )?(?!other|rather)\w{2,12}er than\b"
)
_SEVERAL = spoken(r"they(?:'re)?\b|those\b|these\b")
_STANDS_FOR = spoken(r"(?:its|it's|it|they're|they|them|those|these|that's|that)(?= (?!way\b)\w)")
_QUESTION = spoken(
    r"(?:(?:what|whats|how|which|where|who|why|when|can|could|should|is|are|do|does|did|up to)"
    r"|(?:the )?\w{2,20}"
    r"(?:\s\w{2,20})? (?:asks?|asked|wonders?|wants to know) (?:if|whether|why|how|for))\b"
)
#: Asks for an opinion about what was offered: "xgboost or logreg, what do you think".
_OPINION = spoken(
    r",? (?:what do (?:you|u) (?:think|prefer|suggest)|which (?:one|is better)|your call)\W{0,8}$"
)
#: Agrees with what the agent just said, which it goes on from: "ah right, they have a window".
_AGREES = spoken(
    r"(?:(?:ah+|oh|ok(?:ay)?|hm+|yes|yeah|yep|right|of course|true|exactly|correct|indeed)\b"
    r"[\s,.!]{1,4}){1,3}(?!(?:but|no)\b)"
)
#: The agent's own work, which an answer is not about.
_OWN_WORK = spoken(
    r"(?:i(?:['\u2019](?:ve|ll|m))?\b|done|added|changed|fixed|created|moved|used|uses|now\b|removed|updated"
    r"|written|renamed|set\b|switched|wrote|ran|both\b|yes\b|no\b|ok\b|sure\b)"
)
#: Only introduces what is asked about.
_ASKS_ABOUT = spoken(r"(?:(?:and|so|but|ok(?:ay)?) )?(?:what|how) about ")
#: Asks to choose among what it does not name.
_ASKS_TO_CHOOSE = spoken(
    r"(?:so |and )?(?:which|what) (?:one |of (?:them|these|the two) )?(?:do|would|should) "
    r"(?:you|we|i) (?:prefer|like|want|choose|take|use|rather have)\W{0,4}$"
)
#: Asks by naming a thing: "seed?", "retry limit?", "how many retries?".
_A_TOPIC = spoken(
    r"(?!(?:ok(?:ay)?|yes|no|really|sure|right|done|ready|now|and|so|why|what|which|how|who|where"
    r"|when|huh|hm+|sorry|works?|better|anything|this|that|it)\b)"
    r"[a-z][\w-]{2,20}(?: [\w-]{2,20}){0,2} ?\?"
    r"|(?:how (?:many|much|long|often)|which|what) [a-z][\w-]{2,20} ?\?"
)
#: The two things that a question offers at its end.
_OFFERS = spoken(r"(?:^|[\s,:]{1,4})(?P<one>[\w.+/-]{1,40}) or (?P<other>[\w.+/-]{1,40})\W{0,8}$")
_HE_OR_SHE = spoken(r"s?he(?='|\u2019| \w)")
#: A name, within a sentence.
_A_PERSON = LazyPattern(
    r"(?<=[a-z\u00e0-\u00ff,] )(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Jan|Feb|Mar|Apr|May"
    r"|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[A-Z\u00c0-\u00de][a-z\u00e0-\u00ff]{1,20}\b(?![./:(])"
)
#: A value and nothing that it is of: "7 days, batch clients retry over the weekend".
_A_VALUE = spoken(r"\d[\d.,]{0,10}[a-z%]{0,8}(?: [a-z]{2,12})? ?(?:[,;:]|$)")
#: Asks last: "types for the api are where".
_ASKED_LAST = spoken(
    r" (?:is|are|was|were|lives?|sits?|goes?|go|comes?|runs?|stays?"
    r"|belongs?) (?:where|what|who|when|how|which)(?: [\w./-]{1,40}){0,5}$"
)
#: What has a verb of its own in its first clause is a whole sentence.
_VERBS = frozenset(
    "is are was were be has have had do does don't doesn't can can't cannot must should may will"
    " won't need needs want wants use uses keep keeps go goes come comes get gets let lets let's"
    " make makes run runs put take takes write never always stop avoid prefer hate like stay stick"
    " live lives belong belongs start starts end ends look say says call ask give show add".split()
)
_LEAST_WORDS, _FRAGMENT, _SHORT, _LONGEST, _BACK, _A_NAME = 4, 3, 5, 90, 3, 2


def points_back(wording: str) -> str:
    """Return the word at a lesson's beginning that stands for something said before; or ""."""
    found = None if IMPERSONAL.match(wording) else _STANDS_FOR.match(wording)
    return found[0] if found and not is_taste(wording) else ""


def names_nothing(text: str) -> bool:
    """Return whether a text begins by pointing at what was said before."""
    return bool(_POINTS_BACK.match(text)) and not IMPERSONAL.match(text)


def with_subject(
    wording: str, asked: Sequence[str], prev: str, *, objects: bool, said: str = ""
) -> str:
    """Return a lesson after the question that it answers, if it names no subject by itself.

    Args:
        wording: the lesson as one line.
        asked: what the person had said before, in their own words, the newest last.
        prev: the agent's last answer; a question at its end is what the person answers.
        objects: the lesson takes back what was said last, which therefore is not its subject.
        said: the whole turn, which may agree with the agent's answer.
    """
    last = prev.rstrip().rpartition("\n")[2]
    if (who := _HE_OR_SHE.match(wording)) and len(people := _people_in(asked[-1:])) == 1:
        return f"{people.pop()}{wording[who.end() :]}"
    offered = [one for one in sentences(last)[-1:] if one.endswith("?")]
    chooses = bool(offered) and _names_a_choice(wording)
    if not (names_nothing(wording) or chooses) or is_taste(wording):
        return wording  # "keep it short" is about answers
    earlier = list(reversed(asked[-_BACK:]))
    several = bool(_SEVERAL.match(wording))  # "they are generated" contradicts the agent
    if objects and earlier and not _is_question(earlier[0]) and not several:
        earlier = earlier[1:]
    # What corrected or forbade something else is a lesson of its own.
    earlier = [one for one in earlier if _is_question(one) or not _is_rule(one)]
    answers = offered or (earlier and _is_question(earlier[0]))
    if not answers and _A_VALUE.match(wording) and (changed := _last_value_in(last)):
        return f"{wording} (on: {changed})"
    stated = [_stated(last)] if _AGREES.match(said) and not offered else []
    subject = next(filter(None, [*stated, *map(_subject_of, [*offered, *earlier])]), "")
    return _joined(_without_offers(subject, wording), wording) if subject else wording


def _names_a_choice(wording: str) -> bool:
    """Return whether an answer is a name and why: "sqs, nats gets switched off"."""
    name, comma, why = wording.partition(",")
    return bool(comma) and len(name.split()) <= _A_NAME < len(why.split()) and is_fragment(wording)


def _is_rule(prompt: str) -> bool:
    clause = peel(prompt)
    return clause.objects or clause.begins(PROHIBITS)


def _without_offers(subject: str, answer: str) -> str:
    """Return a question without the two things it offers, if the answer names one of them."""
    offers = _OFFERS.search(subject)
    first = answer.lower().replace(",", " ").split()[:1]
    if offers is None or first not in ([offers["one"].lower()], [offers["other"].lower()]):
        return subject
    return subject[: offers.start()] or subject


def completed(wording: str, before: str) -> str:
    """Return a fragment after the sentence before it: "no accounts. magic link by sms"."""
    asks = before.endswith("?") or is_order(before)  # what to do now is no subject
    asks = asks or wording.partition(" ")[0].endswith(":")  # "fonts: ..." names its own
    named = len(before.split()) >= _FRAGMENT and len(before) <= _LONGEST
    if asks or not named or not is_fragment(wording):
        return wording
    return _joined(peel(before).rest, wording)


def is_fragment(wording: str) -> bool:
    """Return whether the first clause of a wording is short and has no verb."""
    first = wording.partition(",")[0].lower().split()
    whole = not _VERBS.isdisjoint(first) or len(first) > _SHORT
    return not whole and first[:1] != ["when"]


def _joined(subject: str, wording: str) -> str:
    told = _ASKS_ABOUT.sub("", _ASKED_LAST.sub("", subject.strip(" .!?;,:")))
    lowers = wording[1:2].islower() or wording.startswith("A ")
    small = wording[:1].lower() + wording[1:] if lowers else wording
    mark = ";" if ": " in told else ":"
    return f"{begun_with_a_capital(told)}{mark} {small}"


def _stated(answer: str) -> str:
    """Return the statement that an agent's answer begins with, if it is one about things; or ""."""
    first = "".join(sentences(answer)[:1])
    whole = len(first.split()) >= _LEAST_WORDS and len(first) <= _LONGEST
    return first if whole and not (first.endswith("?") or _OWN_WORK.match(first)) else ""


def _people_in(prompts: Sequence[str]) -> set[str]:
    return {name for one in prompts for name in _A_PERSON.findall(one)}


def _last_value_in(answer: str) -> str:
    """Return the last sentence of an agent's answer that has a number, if it is short; or ""."""
    told = [one for one in sentences(answer) if any(map(str.isdigit, one))][-1:]
    said = "".join(told).strip(" .")
    return "" if len(said) > _LONGEST or said.endswith("?") or redact(said)[1] else said


def _is_question(text: str) -> bool:
    return text.endswith("?") or bool(_QUESTION.match(peel(text).rest))


def _subject_of(prompt: str) -> str:
    """Return the last question of a prompt, or its first sentence, if it can stand alone."""
    said = [_OPINION.sub("", peel(one).rest) for one in sentences(prompt)]
    whole = [
        one
        for one in said
        if len(one) <= _LONGEST
        and (
            len(one.split()) >= _LEAST_WORDS
            or _OFFERS.match(one)
            or _ASKS_ABOUT.match(one)
            or _A_TOPIC.fullmatch(one)
        )
    ]
    whole = [one for one in whole if not (names_nothing(one) or _ASKS_TO_CHOOSE.match(one))]
    return next((one for one in reversed(whole) if _is_question(one)), "".join(whole[:1]))
