"""What a user says without wanting it kept: taken back, quoted, confidential.

Pure. Everything that reads a user's words does so through here, so that none of it is suggested,
asked about or quoted.
"""

from __future__ import annotations

import re

from satchel.core.redaction.personal import is_personal
from satchel.core.values import NamedTuple
from satchel.storage.kept_patterns import LazyPattern

#: Takes back what the same turn said just before: "use 4 spaces... no wait, 2".
_RETRACTS = (
    r"(?:no,?\s{1,4}wait|wait,?\s{1,4}(?:no|actually)|scratch\s{1,4}that|strike\s{1,4}that"
    r"|actually,?\s{1,4}no\b(?!\s+(?:more|longer|one|need))|sorry,?\s{1,4}I\s{1,4}meant?"
    r"|I\s{1,4}misspoke"
    r"|nein,?\s{1,4}warte|non,?\s{1,4}attends|no,?\s{1,4}espera|nee,?\s{1,4}wacht|нет,?\s{1,4}"
    r"(?:стой|подожди))"
)
#: Where a sentence is to be split, so that what takes it back stands by itself.
BEFORE_RETRACTION = rf",?\s{{1,8}}(?={_RETRACTS}\b)"
_RETRACTION = LazyPattern(rf"(?:(?:oh|ah|uh|hm+|oops)\b[\s,.]{{1,4}})?{_RETRACTS}\b", re.IGNORECASE)
#: "I disagree with the no-friday rule", "the no-friday rule is gone".
_A_RULE = (
    r"(?:the|that|our|my)\s{1,4}(?:[\w./-]{1,40}\s{1,4}){1,3}?"
    r"(?:rule|policy|decision|convention)\b"
)
_AGAINST = (
    r"(?:(?:I|we|let'?s)\s{1,4})?(?:(?:really|strongly|want\s{1,4}to|can|should|will)\s{1,4}){0,2}"
    r"(?:disagree\s{1,4}with|(?:don['\u2019]?t|do\s{1,4}not)\s{1,4}agree\s{1,4}with"
    r"|get\s{1,4}rid\s{1,4}of|lift|loosen|revoke|retire|abolish)\s{1,4}"
)
_IS_OVER = (
    r"\s{1,4}(?:(?:is|was|has\s{1,4}been)\s{1,4}(?:now\s{1,4})?"
    r"(?:gone|dropped|lifted|dead|obsolete|history|withdrawn|revoked|retired|abolished)\b"
    r"|no\s{1,4}longer\s{1,4}(?:applies|holds|counts)\b)"
)
#: Lifts a rule for the moment only: "... for this PR".
_THIS_ONCE = LazyPattern(
    r"\b(?:for\s{1,4}(?:now|today|once|this|these|the\s{1,4}moment)|just\s{1,4}once|this\s{1,4}(?:once|time))\b",
    re.IGNORECASE,
)
#: Takes back what was said in an earlier turn or session.
_WITHDRAWAL = LazyPattern(
    r"(?:(?:please|ok(?:ay)?|so|and|just|actually|(?:you|we)\s+can|let'?s)\b[\s,]{1,4}){0,3}"
    r"(?:(?:forget|ignore|disregard|drop|scrap|never\s?mind)\s+(?:about\s+)?"
    r"(?:what(?:ever)?|everything|all|anything)"
    r"\s+(?:that\s+)?(?:I|we)\b|(?:forget|ignore|disregard)\s+(?:my|our|the|that)\s+"
    r"(?:last|previous|earlier)\b"
    r"|(?:forget|drop|scrap|scratch|ditch|ignore|disregard|lift|cancel)\s+(?:about\s+)?(?:the|that|my|our)\s+"
    r"(?=(?:thing|stuff|idea|rule|decision)\s+(?:about|with|on|for)\b)"
    r"|(?:forget|drop|scrap|scratch|ditch|undo|ignore|disregard|lift|cancel)(?:\s+it,)?\s+(?:about\s+)?(?:the|that|our|my)\s+"
    r"(?:[\w./-]{1,40}\s+){1,3}?(?:thing|idea|plan|rule|decision|approach)\b"
    rf"|{_AGAINST}{_A_RULE}|{_A_RULE}{_IS_OVER}"
    r"|(?:vergiss|olvida|oublie)\s+(?:das\s+mit|die\s+sache\s+mit|lo\s+de|l'histoire\s+d[eu'])\s+"
    r"(?:[\w-]{1,30}\s+){0,6}?[\w-]{1,30}(?=[,.;:]|$)"
    r"|vergiss,?\s+was\s+ich|oublie\s+ce\s+que\s+j|olvida\s+lo\s+que\s+(?:te\s+)?dij"
    r"|забудь,?\s+что\s+я)",
    re.IGNORECASE,
)
#: Takes back what the agent has just answered: "that's outdated, it's 1024 now".
_OF_ANSWER = LazyPattern(
    r"(?:(?:no|ok(?:ay)?|ah|oh|hm+|actually|well|but|please)\b[\s,]{1,4}){0,3}"
    r"(?:(?:forget|scratch|delete|drop|remove)\s{1,4}(?:that|it)(?:\s{1,4}(?:one|again))?\s{0,4}(?:[,.;:!]|\Z)"
    r"|(?:that|this|it)(?:['\u2019]s|\s{1,4}(?:is|was))\s{1,4}(?:(?:all|very|long)\s{1,4})?"
    r"(?:old|outdated|obsolete|stale|out\s{1,4}of\s{1,4}date|history"
    r"|no\s{1,4}longer\s{1,4}(?:true|right|so|the\s{1,4}case)"
    r"|not\s{1,4}(?:true|right|so|the\s{1,4}case)\s{1,4}any\s?(?:more|longer))\b"
    r"|(?:that|this|it)\s{1,4}(?:(?:has\s{1,4})?changed|no\s{1,4}longer\s{1,4}(?:holds|applies))\b)",
    re.IGNORECASE,
)
#: Takes back one's own last prompt; "no wait" may be about what the agent does.
_RECONSIDERS = LazyPattern(
    r"(?:(?:oh|ah|uh|hm+|ok(?:ay)?|well|wait)\b[\s,.]{1,4}){0,2}(?:actually,?\s{1,4}no\b(?!\s+(?:more|longer"
    r"|one|need))|no,?\s{1,4}actually\b|scratch\s{1,4}that\b|strike\s{1,4}that\b|I\s{1,4}misspoke\b"
    r"|sorry,?\s{1,4}I\s{1,4}meant?\b|on\s{1,4}second\s{1,4}thoughts?\b"
    r"|(?:I(?:'ve|\u2019ve)?\s{1,4})?changed\s{1,4}my\s{1,4}mind\b)",
    re.IGNORECASE,
)
#: Names for what is taken back: "scrap the polars thing".
_CALLED = LazyPattern(
    r"\b(?:the|that|our|my)\s{1,8}(?P<subjects>(?:[\w./-]{1,40}\s{1,8}){1,3}?)"
    r"(?:thing|idea|plan|rule|decision|approach|policy|convention)\b",
    re.IGNORECASE,
)
#: "Forget bun, we stay with pnpm".
_FOR_ANOTHER = LazyPattern(
    r"(?:(?:please|ok(?:ay)?|so|and|just|actually)\b[\s,]{1,4}){0,3}"
    r"(?:forget|scrap|drop|ditch)\s{1,4}(?:about\s{1,4})?"
    r"(?P<subjects>[\w./-]{1,40}(?:\s{1,4}[\w./-]{1,40}){0,2})[,;:]\s{1,4}"
    r"(?:we(?:'ll|\u2019ll|\s{1,4}will)?|I(?:'ll)?|let'?s)\s{1,4}(?:just\s{1,4})?"
    r"(?:stay|stick|keep|remain|go\s{1,4}back)\b",
    re.IGNORECASE,
)
_CALLED_ABROAD = LazyPattern(
    r"\b(?:mit|de|du)\s{1,8}(?:(?:den|der|dem|die|das|los|las|les|la|le|el)\s{1,8})?(?P<subjects>[\w-]{2,40}(?:\s{1,8}[\w-]{1,40}){0,6})$",
    re.IGNORECASE,
)
#: What a withdrawal is about, and what holds instead: "..., we moved to bun last week".
_SUBJECT = LazyPattern(
    r"(?:(?:['\u2019]ve\s{1,8}|have\s{1,8})?(?:said|told\s{1,8}you|wrote|mentioned|asked"
    r"|taught\s{1,8}you)\b\s{0,8}(?:\w{1,40}\s{1,8}){0,2}?|(?:thing|stuff|idea|rule|decision)\s{1,8})"
    r"(?:about|on|regarding|of|with|for)\s{1,8}(?P<subjects>[^;.:!?\u2013\u2014]{2,120})",
    re.IGNORECASE,
)
_INSTEAD = LazyPattern(
    r"[,;:]\s{1,8}(?:because\s{1,8}|since\s{1,8}|as\s{1,8})?"
    r"(?=(?:we|I|it|they|use|the|from|now|that|this|always|never|back|make|set|keep|go|stick|let'?s"
    r"|mach\w{0,2}|nimm|nehmt|nehmen|nutz\w{0,2}|verwende\w{0,2}|ab|wir|es|das|die|der|usa|usamos"
    r"|ahora|es|el|la|on|nous|utilise\w{0,2}|maintenant|le)\b"
    r"|[\w.-]{2,30}\s{1,4}(?:wants?|needs?|expects?|uses?|requires?|is|are|has|says?|does|may|can|must|should|can't|cannot|doesn't)\b)",
    re.IGNORECASE,
)
_NEVER_MIND = LazyPattern(
    r"(?:(?:oh|ah|ok(?:ay)?|and|yeah|no|nah|wait|hm+)\b[\s,]{1,4}){0,3}(?:never\s?mind\b|nvm(?=\W*$|,))",
    re.IGNORECASE,
)
#: "Show me the diff before you commit. Like, this once": what was said holds for now alone.
_FOR_NOW = LazyPattern(
    r"(?:(?:like|just|only|but|well|i\s+mean)[\s,]{1,4}){1,3}(?:for\s+)?(?:this\s+(?:once|time|one)|now|today|once)\W*$",
    re.IGNORECASE,
)
#: "We moved to bun": a replacement that needs no subject.
_REPLACES = LazyPattern(r"\b(?:moved|switched|went|back|stay|stick|dropped)\b", re.IGNORECASE)
_AMONG = LazyPattern(r",\s{1,8}(?:and\s{1,8}|or\s{1,8})?|\s{1,8}(?:and|or)\s{1,8}")
#: Asks about what was just said, which is then a fault to examine, not a fact.
_ASKS_ABOUT = LazyPattern(
    # "Why is the export empty?" names another subject; "why does it do that?" none.
    r"(?:(?:but|and|so)\s+)?(?:(?:why|how\s+come|any\s+(?:ideas?|clues?)|what(?:'s|\s+is)\s+wrong)"
    r"(?:\W{0,4}$|\b.{0,50}\b(?:it|that|this|they|them|those|why|happen\w{0,4})\b.{0,40}\?\s*$)"
    r"|can\s+(?:you|we)\s+(?:find\s+out|see|check|fix)\b"
    r"(?:\W{0,4}$|.{0,50}\b(?:it|that|this|they|them|those|why|happen\w{0,4})\b.{0,40}$)"
    r"|(?:is|are|was)\s+(?:she|he|that|this|it|they)\s+"
    r"(?:right|true|correct|still\s+so)\b.{0,20}\?\s*$"
    r"|(?:lol|haha\w{0,9}|lmao|rofl|jk|just\s+kidding)\b\W{0,4}$"
    r"|(?:any\s+)?(?:thoughts|opinions?)\s{0,4}\?\s*$|what\s+do\s+you\s+think\b.{0,30}$"
    r"|do\s+you\s+agree\b.{0,30}$)",
    re.IGNORECASE,
)
#: Somebody else's words, with who said them: "the reviewer wrote: "You should always ..."".
_QUOTED = LazyPattern(
    r"\b(?!(?:I|we|you)\b)[\w.-]{1,40}\s{1,4}(?:(?:just|also)\s{1,4})?"
    r"(?:wrote|writes|said|says|commented|comments|suggests"
    r"|suggested|asks|asked|complains|complained|reads)\s{0,4}[:,]?\s{0,4}"
    r"(?:\"[^\"\n]{8,600}\"|\u201c[^\u201d\n]{8,600}\u201d|\u00ab[^\u00bb\n]{8,600}\u00bb"
    r"|\u201e[^\u201c\n]{8,600}\u201c)"
)
#: What follows is no opinion but tells when something is to be done: "if ci says "no space"".
_IS_A_SIGN = LazyPattern(
    r"\b(?:when|whenever|if|once|until|unless)\s{1,4}(?:\w{1,20}\s{1,4}){0,3}\Z", re.IGNORECASE
)
#: A text to work on, or a page, with its words.
_QUOTED_TEXT = LazyPattern(
    r"\b(?:text|docs?|\w{1,20}doc|documentation|manual|readme|spec|page|message|error|warning|comment|sentence|line|title|label)"
    r"(?:\s{1,4}(?:to|into|in)\s{1,4}\w{1,20})?\s{0,4}:\s{0,4}(?:\"[^\"\n]{8,600}\"|\u201c[^\u201d\n]{8,600}\u201d"
    r"|\u201e[^\u201c\n]{8,600}\u201c)",
    re.IGNORECASE,
)
#: The same with who said them behind: ""Readers must be closed." from the manual".
_QUOTED_BEFORE = LazyPattern(
    r"^\s{0,8}[\"\u201c][^\"\u201c\u201d\n]{8,600}[\"\u201d]\s{0,4}(?:[-\u2013\u2014]{1,2}\s{0,4}(?=\w)"
    r"|,?\s{0,4}(?:from|says?|said|writes?|wrote|is\s+what|that'?s\s+what|according\s+to)\s)",
    re.IGNORECASE | re.MULTILINE,
)
#: A user's personal data, whatever the sentence is for.
_OF_ONESELF = LazyPattern(
    r"\[redacted:|\bmy\s+(?:\w+\s+){0,2}(?:phone|mobile|salary|password|passphrase|pin"
    r"|home\s+address|birthday|iban"
    r"|api[- ]?key|(?:access|auth\w*|github)\s+token|credit\s+card)(?:\s+number)?"
    r"(?:\s+is\b|\s*[:=])",
    re.IGNORECASE,
)
_FEW_WORDS = 6
#: Most letters of words such as "in", which name nothing.
_SMALL_WORD = 2
_FIRST_PERSON = LazyPattern(r"\b(?:I|me|my)\b", re.IGNORECASE)


def without_quoted(text: str) -> str:
    """Remove what somebody else is quoted as saying, and by whom."""
    if '"' not in text and text.isascii():
        return text
    text = _QUOTED.sub(lambda one: one[0] if _IS_A_SIGN.search(text[: one.start()]) else " ", text)
    return _QUOTED_BEFORE.sub(" ", _QUOTED_TEXT.sub(" ", text))


def meant(said: list[str]) -> list[str]:
    """Leave out sentences that were taken back or asked about, and those about the person."""
    kept: list[str] = []
    for at, sentence in enumerate(said):
        if at and _NEVER_MIND.match(said[at - 1]):
            continue  # continues what is to be ignored
        if any(one.match(sentence) for one in (_RETRACTION, _ASKS_ABOUT, _FOR_NOW)) and kept:
            kept.pop()
        if _NEVER_MIND.match(sentence) and len(sentence.split()) <= _FEW_WORDS:
            del kept[-1:]
            continue
        if _WITHDRAWAL.match(sentence):
            # The rest says what holds from now on.
            sentence = _named_instead(sentence)  # noqa: PLW2901
        if sentence and not _is_of_oneself(sentence):
            kept.append(sentence)
    return kept


def said_instead(sentence: str) -> str:
    """Return what a withdrawal says that holds instead; "" for nothing."""
    return _instead(sentence)[1]


def _named_instead(sentence: str) -> str:
    """Return the same with its subject in front, if it does not name it."""
    subject, instead = _instead(sentence)
    words = {word for word in subject.lower().split() if len(word) > _SMALL_WORD}
    names_it = not words.isdisjoint(instead.lower().split())
    alone = not subject or not instead or names_it or _REPLACES.search(instead)
    return instead if alone else f"{subject}: {instead}"


def _instead(sentence: str) -> tuple[str, str]:
    withdrawal = _WITHDRAWAL.match(sentence)
    begins = withdrawal.end() if withdrawal else 0
    first, *rest = _INSTEAD.split(sentence[begins:], maxsplit=1)
    said = sentence[:begins] + first
    about = _SUBJECT.search(said) or _CALLED_ABROAD.search(said)
    return about["subjects"].strip() if about else "", "".join(rest)


def reconsiders(text: str) -> bool:
    """Return whether a turn begins by taking back what its person said in the turn before."""
    return bool(_RECONSIDERS.match(text.lstrip()))


def corrects_answer(text: str) -> bool:
    """Return whether a turn begins by saying that what it answers no longer holds."""
    return bool(_OF_ANSWER.match(text.lstrip()))


class Withdrawn(NamedTuple):
    """A sentence that takes back what was said earlier, and about what that was."""

    sentence: str
    subject: str


def withdrawn(text: str) -> list[Withdrawn]:
    """Return what a turn takes back of earlier turns, where it says about what."""
    found = []
    for start in re.split(r"(?<=[.!?])\s|\n", text):
        sentence = start.strip()
        withdrawal = None if _THIS_ONCE.search(sentence) else _WITHDRAWAL.match(sentence)
        rest = sentence[withdrawal.end() :].lstrip() if withdrawal else ""
        about = _SUBJECT.match(_INSTEAD.split(rest)[0])
        told = withdrawal.group() if withdrawal else ""
        about = about or _CALLED.search(told) or _CALLED_ABROAD.search(told)
        about = about or _FOR_ANOTHER.match(sentence)
        named = _AMONG.split(about["subjects"]) if about else ()
        found += [Withdrawn(sentence, one.strip()) for one in named if one.strip()]
    return found


def _is_of_oneself(sentence: str) -> bool:
    if _OF_ONESELF.search(sentence):
        return True
    return is_personal(sentence) and bool(_FIRST_PERSON.search(sentence))
