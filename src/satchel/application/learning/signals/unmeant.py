"""What a user says without wanting it kept: taken back, quoted, confidential.

Pure. Everything that reads a user's words does so through here, so that none of it is suggested,
asked about or quoted.
"""

from __future__ import annotations

import re

from satchel.application.learning.signals.speech.words import BEGUN
from satchel.core.redaction.personal import is_personal
from satchel.core.values import NamedTuple
from satchel.storage.kept_patterns import LazyPattern, spoken

#: Takes back what the same turn said just before: "use 4 spaces... no wait, 2".
_RETRACTS = (
    r"(?:no,? wait|wait,? (?:no|actually)|scratch that|strike that"
    r"|actually,? no\b(?! (?:more|longer|one|need))|sorry,? I meant?|I misspoke|nein,? warte"
    r"|non,? attends|no,? espera|nee,? wacht|нет,? (?:стой|подожди))"
)
#: Where a sentence is to be split, so that what takes it back stands by itself.
BEFORE_RETRACTION = rf",? (?={_RETRACTS}\b)"
_RETRACTION = spoken(rf"(?:(?:oh|ah|uh|hm+|oops)\b[\s,.]{{1,4}})?{_RETRACTS}\b")
#: "I disagree with the no-friday rule", "the no-friday rule is gone".
_A_RULE = r"(?:the|that|our|my) (?:[\w./-]{1,40} ){1,3}?(?:rule|policy|decision|convention)\b"
_AGAINST = (
    r"(?:(?:I|we|let'?s) )?(?:(?:really|strongly|want to|can|should|will) ){0,2}(?:disagree with"
    r"|(?:don['\u2019]?t|do not) agree with|get rid of|lift|loosen|revoke|retire|abolish) "
)
_IS_OVER = (
    r" (?:(?:is|was|has been) (?:now )?(?:gone|dropped|lifted|dead|obsolete|history|withdrawn"
    r"|revoked|retired|abolished)\b|no longer (?:applies|holds|counts)\b)"
)
#: Lifts a rule for the moment only: "... for this PR".
_THIS_ONCE = spoken(
    r"\b(?:for (?:now|today|once|this|these|the moment)|just once|this (?:once|time))\b"
)
#: Takes back what was said in an earlier turn or session.
_WITHDRAWAL = spoken(
    rf"{BEGUN}"
    r"(?:(?:(?:you|we) can|let'?s) (?:just )?)?"
    r"(?:(?:forget|ignore|disregard|drop|scrap|never ?mind) (?:about )?"
    r"(?:what(?:ever)?|everything|all|anything) (?:that )?(?:I|we)\b"
    r"|(?:forget|ignore|disregard) (?:my|our|the|that) (?:last|previous|earlier)\b"
    r"|(?:forget|drop|scrap|scratch|ditch|ignore|disregard|lift|cancel) (?:about )?"
    r"(?:the|that|my|our) (?=(?:thing|stuff|idea|rule|decision) (?:about|with|on|for)\b)"
    r"|(?:forget|drop|scrap|scratch|ditch|undo|ignore|disregard|lift|cancel)(?: it,)? (?:about )?"
    r"(?:the|that|our|my) (?:[\w./-]{1,40} ){1,3}?(?:thing|idea|plan|rule|decision|approach)\b"
    rf"|{_AGAINST}{_A_RULE}|{_A_RULE}{_IS_OVER}|(?:vergiss|olvida|oublie) (?:das mit|die sache mit"
    r"|lo de|l'histoire d[eu']) (?:[\w-]{1,30} ){0,6}?[\w-]{1,30}(?=[,.;:]|$)|vergiss,? was ich"
    r"|oublie ce que j|olvida lo que (?:te )?dij|забудь,? что я)"
)
#: Takes back what the agent has just answered: "that's outdated, it's 1024 now".
_OF_ANSWER = spoken(
    rf"{BEGUN}"
    r"(?:(?:forget|scratch|delete|drop|remove) (?:that|it)(?: (?:one|again))? ?(?:[,.;:!]|\Z)"
    r"|(?:that|this|it)(?:['\u2019]s| (?:is|was)) (?:(?:all|very|long) )?(?:old|outdated|obsolete"
    r"|stale|out of date|history|no longer (?:true|right|so|the case)"
    r"|not (?:true|right|so|the case) any ?(?:more|longer))\b"
    r"|(?:that|this|it) (?:(?:has )?changed|no longer (?:holds|applies))\b)"
)
#: Takes back one's own last prompt; "no wait" may be about what the agent does.
_RECONSIDERS = spoken(
    rf"{BEGUN}"
    r"(?:actually,? no\b"
    r"(?! (?:more|longer|one|need))|no,? actually\b|scratch that\b|strike that\b|I misspoke\b"
    r"|sorry,? I meant?\b|on second thoughts?\b|(?:I(?:'ve|\u2019ve)? )?changed my mind\b)"
)
#: Names for what is taken back: "scrap the polars thing".
_CALLED = spoken(
    r"\b(?:the|that|our|my) (?P<subjects>(?:[\w./-]{1,40} ){1,3}?)(?:thing|idea|plan|rule|decision"
    r"|approach|policy|convention)\b"
)
#: "Forget bun, we stay with pnpm".
_FOR_ANOTHER = spoken(
    rf"{BEGUN}"
    r"(?:forget|scrap|drop|ditch) (?:about )?"
    r"(?P<subjects>[\w./-]{1,40}(?: [\w./-]{1,40}){0,2})[,;:] (?:we(?:'ll|\u2019ll| will)?"
    r"|I(?:'ll)?|let'?s) (?:just )?(?:stay|stick|keep|remain|go back)\b"
)
_CALLED_ABROAD = spoken(
    r"\b(?:mit|de|du) (?:(?:den|der|dem|die|das|los|las|les|la|le|el) )?"
    r"(?P<subjects>[\w-]{2,40}(?: [\w-]{1,40}){0,6})$"
)
#: What a withdrawal is about, and what holds instead: "..., we moved to bun last week".
_SUBJECT = spoken(
    r"(?:(?:['\u2019]ve |have )?(?:said|told you|wrote|mentioned|asked"
    r"|taught you)\b ?(?:\w{1,40} ){0,2}?|(?:thing|stuff|idea|rule|decision) )"
    r"(?:about|on|regarding|of|with|for) (?P<subjects>[^;.:!?\u2013\u2014]{2,120})"
)
_INSTEAD = spoken(
    r"[,;:] (?:because |since |as )?(?=(?:we|I|it|they|use|the|from|now|that|this|always|never"
    r"|back|make|set|keep|go|stick|let'?s|mach\w{0,2}|nimm|nehmt|nehmen|nutz\w{0,2}"
    r"|verwende\w{0,2}|ab|wir|es|das|die|der|usa|usamos|ahora|es|el|la|on|nous|utilise\w{0,2}"
    r"|maintenant|le)\b|[\w.-]{2,30} (?:wants?|needs?|expects?|uses?|requires?|is|are|has|says?"
    r"|does|may|can|must|should|can't|cannot|doesn't)\b)"
)
_NEVER_MIND = spoken(
    rf"{BEGUN}"
    r"(?:never ?mind\b|nvm(?=\W*$|,))"
)
#: "Show me the diff before you commit. Like, this once": what was said holds for now alone.
_FOR_NOW = spoken(
    r"(?:(?:like|just|only|but|well|i mean)[\s,]{1,4}){1,3}(?:for )?"
    r"(?:this (?:once|time|one)|now|today|once)\W*$"
)
#: "We moved to bun": a replacement that needs no subject.
_REPLACES = spoken(r"\b(?:moved|switched|went|back|stay|stick|dropped)\b")
_AMONG = spoken(r", (?:and |or )?| (?:and|or) ")
#: Asks about what was just said, which is then a fault to examine, not a fact.
_ASKS_ABOUT = spoken(
    # "Why is the export empty?" names another subject; "why does it do that?" none.
    r"(?:(?:but|and|so) )?(?:(?:why|how come|any (?:ideas?|clues?)|what(?:'s| is) wrong)"
    r"(?:\W{0,4}$|\b.{0,50}\b(?:it|that|this|they|them|those|why|happen\w{0,4})\b.{0,40}\? ?$)"
    r"|can (?:you|we) (?:find out|see|check|fix)\b(?:\W{0,4}$"
    r"|.{0,50}\b(?:it|that|this|they|them|those|why|happen\w{0,4})\b.{0,40}$)"
    r"|(?:is|are|was) (?:she|he|that|this|it|they) (?:right|true|correct|still so)\b.{0,20}\? ?$"
    r"|(?:lol|haha\w{0,9}|lmao|rofl|jk|just kidding)\b\W{0,4}$"
    r"|(?:any )?(?:thoughts|opinions?) ?\? ?$|what do you think\b.{0,30}$|do you agree\b.{0,30}$)"
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
_IS_A_SIGN = spoken(r"\b(?:when|whenever|if|once|until|unless) (?:\w{1,20} ){0,3}\Z")
#: A text to work on, or a page, with its words.
_QUOTED_TEXT = spoken(
    r"\b(?:text|docs?|\w{1,20}doc|documentation|manual|readme|spec|page|message|error|warning"
    r"|comment|sentence|line|title|label)(?: (?:to|into|in) \w{1,20})? ?: ?(?:\"[^\"\n]{8,600}\""
    r"|\u201c[^\u201d\n]{8,600}\u201d|\u201e[^\u201c\n]{8,600}\u201c)"
)
#: The same with who said them behind: ""Readers must be closed." from the manual".
_QUOTED_BEFORE = LazyPattern(
    r"^\s{0,8}[\"\u201c][^\"\u201c\u201d\n]{8,600}[\"\u201d]\s{0,4}(?:[-\u2013\u2014]{1,2}\s{0,4}(?=\w)"
    r"|,?\s{0,4}(?:from|says?|said|writes?|wrote|is\s+what|that'?s\s+what|according\s+to)\s)",
    re.IGNORECASE | re.MULTILINE,
)
#: A user's personal data, whatever the sentence is for.
_OF_ONESELF = spoken(
    r"\[redacted:"
    r"|\bmy (?:\w+ ){0,2}(?:phone|mobile|salary|password|passphrase|pin|home address|birthday|iban"
    r"|api[-\s]?key|(?:access|auth\w*|github) token|credit card)(?: number)?(?: is\b| ?[:=])"
)
_FEW_WORDS = 6
#: Most letters of words such as "in", which name nothing.
_SMALL_WORD = 2
_FIRST_PERSON = spoken(r"\b(?:I|me|my)\b")


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
