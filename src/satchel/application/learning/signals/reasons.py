"""The reason that follows a rule or decision: "npm breaks the workspace links". Pure."""

from __future__ import annotations

from satchel.application.learning.signals.speech.moments import (
    HAPPENED,
    HEDGED,
    NOW,
    PUTS_OFF,
    STATUS,
)
from satchel.application.learning.signals.speech.words import BEGUN, VERB
from satchel.storage.kept_patterns import spoken

#: Longest reason, and longest whole, in characters.
_LONGEST_REASON, _LONGEST = 160, 260
#: Most characters of "we", "it", "the"; few names are so short.
_PRONOUN = 3
#: A reference to the sentence before is its reason, whatever the punctuation between them.
_REFERS = spoken(
    r"(?:it|they|that(?:'?s)?|this|otherwise|else|because)\b"
    r"|[\w\s]{2,40}\b(?:anything|everything) else\b"
    r"|[\w./-]{1,40} (?:is|are) (?:(?:such )?an? (?:pain|mess|nightmare|hassle)|too \w+|broken"
    r"|slow|flaky|dead|unmaintained|deprecated|huge)\b"
    r"|we(?:'ve| have)? (?:(?:already|once|just) )?(?:got|been|had|were|lost|learn\w+)\b"
    r"|(?:last|the other) (?:time|week|month|year|summer|winter|sprint|release) \w"
    # The people concerned, and what the user wants to be able to do.
    r"|(?:(?:the|our|some|most|two|three) )?(?:players?|users?|customers?|clients?|testers?|people"
    r"|readers?|guests?|patients?|drivers?|students?|nobody|everybody|everyone|somebody"
    r"|someone) \w|i (?:need|have|want) to be able to\b"
    r"|(?:(?:the|our) )?(?:[\w'-]{2,20} ){1,3}?(?:checks?|wants?|insists? on|requires?|audits?"
    r"|hates?|needs?|rejects?|refuses?|blocks?|bounces?) (?:exactly )?(?:that|this|it)"
    r"(?: otherwise| (?:word|way|name|order)\b.{0,60})? ?[.!]?\Z"
)
_GOES_ON = spoken(r"(?:it|they|it's|they're|its)\b")
#: What it does harm to: "panics kill the gateway".
_HARMS = spoken(
    r"(?:(?:an?|the|our|such) )?[\w-]{3,20} (?:(?:would|will|can|may|always) )?(?:kills?|breaks?"
    r"|crash(?:es)?|hides?|hurts?|blocks?|locks?|loses?|corrupts?|leaks?|confuses?) \w"
)
#: When it happened, before who did what.
_ONCE = spoken(
    r"(?:last|the other) (?:time|week|month|year|summer|winter|sprint|release|night),? (?=\w)"
)
#: Its harm, told last: "we get throttled otherwise", "legal was not amused last time".
_LOOKS_BACK = spoken(
    r"(?!otherwise\b|[^?,;]{0,120}\b(?:i|looked|seemed|felt)\b)"
    r"[^?,;]{3,120}? "
    r"(?:otherwise|because of (?:that|this|it)|(?:the )?last time)\Z"
)
#: Who else decided it, before the reason: "decided with Tom because goose can't check drift".
_DECIDED = spoken(
    r"\A(?:(?:we|i) )?"
    r"(?:decided|agreed|settled|discussed|talked)\b[^.;]{0,60}?\s(?:because|since|cause) (?=\w)"
)
#: What the agent did is not a reason: "you returned plain text".
_ACCUSES = spoken(
    r"(?:but )?you(?:'ve| have)? (?:(?:just|again|still|now) )?(?:\w{2,20}ed|put|wrote|made|did"
    r"|took|used|set|sent|left|gave|chose|got|forgot|kept|broke)\b"
)
#: What it does again, or everywhere: "you use px everywhere".
_OVER_AND_OVER = spoken(
    r"(?:but )?you (?:still |just |always )?(?:use|select|put|write|import|call|hardcode|catch|log"
    r"|return|read|set)\b.{1,60}?\b(?:everywhere|again|all over|directly|by hand)\b"
)
_BECAUSE = spoken(r"\A(?:that(?:['\u2019]?s| is) )?because ")
#: A statement: a subject, soon followed by a verb that agrees with it.
_TELLS = spoken(
    r"(?:its?|they|theyre|he|she|thats?|this|these|those|an?|the|we|our|you|otherwise|else|theres?"
    r"|every\w*|most|some|half|nobody|people|one|whoever|i (?:need|have|want) to be able)\b"
    r"|[\w./'`+#@-]+ (?:[\w./'`-]+ ){0,2}?(?:is|are|was|were|has|had|have|does|did|can|can't|could"
    r"|will|would|won't|doesn't|don't|didn't|\w{2,}(?:s|ed)|broke|lost|hid|cost|made|took|kept"
    r"|fell|went|ran|bit|ate|felt|got|said|thought)\b"
)
#: An order or a question is not a reason.
_ORDERS = spoken(
    r"(?:(?:and|so|then|now|please|also|next|but) )?(?:add|fix|check|look|see|run|try|make|use|put"
    r"|go|do|don'?t|write|read|show|tell|commit|push|revert|undo|move|change|update|rename|remove"
    r"|delete|keep|let'?s|start|stop|ask|test|find|give|take|leave|ignore|skip|wait"
    r"|i(?:'ll|'m)?(?! \w+ to be able\b)|you(?:'ll)? (?:can|could|should|need|may))\b|.*\?$"
)
#: "Fonts: self host": about something else.
_NEW_TOPIC = spoken(r"(?!(?:otherwise|reason|why)\b)[a-z][\w-]{2,20}: \w")
#: What to do because of a fact.
_SO = spoken(
    r"so,? (?:please )?(?:don'?t|do not|never|always|no(?! (?:idea|clue|need))|use|keep|be"
    r"|watch)\b"
)
#: The same behind a semicolon: "a due date has no time of day; use the Date message".
_HENCE = spoken(r"(?:please )?(?:use|keep|take|prefer|write|put) (?!(?:it|that|this|them)\b)\w")
#: "And always bump the version before a release".
_ALWAYS = spoken(rf"{BEGUN}(?:always|never) \w+ \S")
#: "Use tabs; never spaces".
_REFUSES = spoken(r"(?:never|not|no) [\w./-]+(?: [\w./-]+)?")
#: "No docker, ...", "don't use pandas here", and what to use instead.
_REFUSES_A_THING = spoken(
    rf"{BEGUN}"
    r"(?:no|not|(?:don['\u2019]?t|do not"
    r"|never) use) [\w`./+#-]{2,40}(?: [\w`./+#-]{1,40}){0,3} ?(?:[,;:(.!]|\Z)"
)
_CURE = spoken(
    r"(?:(?:so|just|then|please|pls|and) ){0,2}(?P<cure>(?:use|take|go with|prefer) "
    r"(?!(?:it|that|this|those|them|one|the)\b)[\w`./@+#-]{2,60}(?: [\w`./@+#-]{1,60}){0,3})\Z"
)
#: "No not here, the laptop melts": where or how something is not to be done, and why.
_REFUSES_A_WAY = spoken(
    r"(?:no|nope|nah)\b[\s,]{1,3}not (?:here|there|locally|like (?:that|this)|this way"
    r"|on (?:this|my) \w{2,20}), \S.{4,80}[.!]?\Z"
)
#: The same while rejecting a call: what to run in its place.
_INSTEAD = spoken(
    rf"(?:(?:so|just|then|please|pls|and) ){{0,2}}(?P<cure>(?:{VERB}|plan|apply|branch|submit) "
    r"(?!(?:it|that|this|those|them|on|ahead|back)\b)(?:[^?.;\n]|\.(?=\S)){3,100})\Z"
)
_DASH = ("-", "\u2013", "\u2014")


def reason_behind(wording: str, sentence: str, following: str, text: str) -> str:
    """Return what the following sentence adds to a wording, with leading punctuation; or "".

    Args:
        wording: the rule or decision, as one line.
        sentence: the original, with its final punctuation.
        following: the next sentence of the turn.
        text: of the turn, which shows whether a dash is between the two.
    """
    why = _DECIDED.sub("", following)
    said = _BECAUSE.sub("", why.strip(" .!;"))
    rest = text.partition(sentence)[2].lstrip()
    goes_on = sentence.endswith(";") or rest.startswith(_DASH)
    if goes_on and _REFUSES.fullmatch(said):
        return f", {said[:1].lower()}{said[1:]}"
    other = _ORDERS.match(said) or _ACCUSES.match(said) or _NEW_TOPIC.match(said)
    no_reason = bool(other) or len(said) > _LONGEST_REASON
    harms = does_harm(said)
    told = (harms or tells(said)) and not no_reason
    refers = why != following or _REFERS.match(following) or _REFERS.match(said)
    refers = refers or harms or HAPPENED.match(said)
    meant = goes_on or (rest.startswith(following) and refers)
    if not told or not meant or len(wording) + len(said) > _LONGEST:
        return ""
    first, _, others = said.partition(" ")
    small = first.lower() if _is_common(first) else first
    mark = ";" if ": " in wording else ":"
    return f"{mark} {small} {others}".rstrip()


def without_reason(sentence: str) -> str:
    """Return what is always or never to be done without the reason behind its comma; or ""."""
    rule, _, why = sentence.partition(", ")
    other = _ORDERS.match(why) or _ACCUSES.match(why) or NOW.search(why)
    return rule if _ALWAYS.match(rule) and _TELLS.match(why) and not other else ""


def tells(sentence: str) -> bool:
    """Return whether a sentence begins as a statement: with a subject and what it is or does."""
    return bool(_TELLS.match(_ONCE.sub("", sentence)))


def does_harm(sentence: str) -> bool:
    """Return whether a sentence tells of harm: "panics kill the gateway", "... otherwise"."""
    return bool(_HARMS.match(sentence.strip(" .!;"))) or looks_back(sentence)


def looks_back(sentence: str) -> bool:
    """Return whether a sentence says what comes of not doing as was said before it."""
    return bool(_LOOKS_BACK.match(sentence.strip(" .!;")))


def tells_more(following: str) -> bool:
    """Return whether a sentence goes on about the thing before it: "it's filled in by support"."""
    of_now = STATUS.search(following) or NOW.search(following) or HEDGED.search(following)
    return bool(_GOES_ON.match(following)) and not of_now


def accuses(sentence: str) -> bool:
    """Return whether a sentence says what the agent did: "you used a timestamp for the date"."""
    return bool(_ACCUSES.match(sentence) or _OVER_AND_OVER.match(sentence))


def _is_common(word: str) -> bool:
    """Return whether a word is capitalized only because it begins a sentence, not as a name."""
    from satchel.application.learning.signals.likelihood import knows

    short = len(word) <= _PRONOUN
    return word == "A" or (word[1:].islower() and (short or knows(word) > 0))


def cure_behind(sentence: str, following: str, *, rejected: bool = False) -> str:
    """Return what to use in place of what a sentence refuses: "no docker, it is slow. use podman".

    "" if the sentence refuses nothing, or the next one names nothing.
    """
    said = following.strip(" .!;")
    later = NOW.search(said) or PUTS_OFF.match(said)
    away = _REFUSES_A_WAY.match(sentence)
    instead = _INSTEAD if (rejected or away) and not later else _CURE
    cure = instead.match(said) if away or _REFUSES_A_THING.match(sentence) else None
    return cure["cure"] if cure else ""


def what_follows(wording: str, sentence: str, following: str) -> str:
    """Return what to do because of a fact, with leading punctuation; or "".

    Args:
        wording, sentence: the fact as one line, and as it was written.
        following: the next sentence of the turn.
    """
    said = following.strip(" .!;")
    if sentence.endswith(";") and _HENCE.match(said) and len(wording) + len(said) <= _LONGEST:
        return f"; {said[:1].lower()}{said[1:]}"
    if not _SO.match(said) or len(wording) + len(said) > _LONGEST:
        return ""
    return f", {said[:1].lower()}{said[1:]}"
