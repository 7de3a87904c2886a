"""What a turn's sentences are told for: to brief the agent about the project, or a task. Pure."""

from __future__ import annotations

from satchel.application.learning.signals.asides import is_order
from satchel.application.learning.signals.reasons import accuses
from satchel.application.learning.signals.speech.words import BEGUN
from satchel.core.values import NamedTuple
from satchel.storage.kept_patterns import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

BACKGROUND, RULES, TASK, DETAILS = "background", "rules", "task", "details"
#: In a turn of no more sentences, the details of a task are not told apart.
_FEW = 3
#: How far into a text to look for lists, in characters.
_LONGEST = 8000

_OF_OURS = (
    r"(?:this|our|the) (?:whole )?(?:repo(?:sitory)?|project|code ?base|code|team|company|product"
    r"|setup|app|stack|data)"
)
#: The end of an announcement: "... for you, before we start:", "... about this project."
_ENDS = (
    r"(?: (?:for you|first|up front|so you know|before (?:we|you|i) \w{2,12}"
    rf"|(?:about|on|to|for|of|in) (?:{_OF_OURS}|us|the domain))){{0,2}}(?: are)? ?(?:: ?|[.!]? ?$)"
)
_LEAD = (
    r"(?:(?:hi|hello|hey|ok(?:ay)?|so|also|first|fyi"
    r"|before (?:we|you|i) \w{2,12})\b[\s,!.:]{1,4}){0,2}"
)
_SHOULD = r"(?:should|need to|must|have to)"
#: Says that what follows is about the project: "some background:", "things to know". What is wrong
#: with it, or left to do, is a task.
_BACKGROUND = spoken(
    rf"{_LEAD}(?:(?:(?:here(?:'s| is)|just) )?(?:(?:some|a bit of|a little|a|quick|short|brief"
    r"|more|project) ){0,3}(?:background|context|intro(?:duction)?|briefing)(?: info(?:rmation)?)?"
    r"|(?:(?:a few|some|a couple of|two|three|four|five|several) )?(?:more )?"
    r"(?:things|facts|basics|notes|hints|words|names|terms)"
    rf"(?: (?:(?:you {_SHOULD}|to|worth) (?:know(?:ing)?|remember(?:ing)?|keep in mind)"
    rf"|(?:about|on|of|in) {_OF_OURS}))|what you {_SHOULD} know"
    rf"|you {_SHOULD} know (?:a few|some|the(?:se)?) (?:\w{{1,20}} ){{0,2}}\w{{2,20}}s){_ENDS}"
)
#: The same of its rules: "our conventions:", "how we work here".
_RULES = spoken(
    rf"{_LEAD}(?:(?:(?:our|house|ground|coding|team|code|general) ){{1,2}}"
    r"(?:rules|conventions|guidelines|standards|habits|style)"
    rf"|(?:rules|conventions|guidelines|standards)(?: (?:for|of|in) {_OF_OURS}| here)"
    rf"|(?:here(?:'s| is) )?how (?:we|{_OF_OURS}|this) (?:works?|do (?:it|things))"
    rf"(?: here)?){_ENDS}"
)
#: Asks for work, besides orders and questions.
_WANTS = spoken(
    r"(?:.{0,60}?\bi(?:'d| would)? (?:want|need|like)\b"
    rf"|{BEGUN}(?:what )?(?:let'?s\b"
    r"|(?:can|could|would) (?:you|we)\b|(?:it|they|that) (?:should|must|needs?)\b))"
)
#: What the person is doing, or what happened: it teaches nothing.
_TELLS_OF_NOW = spoken(r"(?:i'?m|i (?:am|was|have|had)|we (?:had|were)|it took)\b")

# Lists

_ITEM = spoken(r" ?(?:[-*\u2022+]|\d{1,2}[.)]) (?!\[)(?P<text>\S[^\n]{0,300})")
_RULES_ABROAD = (
    r"(?:unsere )?(?:regeln|konventionen)|(?:nos )?r[èe]gles|(?:nuestras )?reglas|regole|regras"
)
#: Introduces a list of rules: "please follow these rules:", "## Conventions".
_RULES_BELOW = spoken(
    r"(?:please )?(?:(?:follow|respect|observe|(?:keep|stick) to) )?"
    r"(?:(?:these|the following|my|our|project|code|coding|team) ){0,2}(?:rules|conventions"
    rf"|guidelines|standards|preferences|code style|dos and don'?ts|{_RULES_ABROAD}){_ENDS}"
    # "I'll give you the rules of the game once so I don't have to repeat myself:".
    r"|.{0,60}\b(?:(?:ground|house|basic) rules|rules of (?:the (?:game|road|house)|engagement)"
    r"|rules (?:we|i|everybody|everyone) (?:\w{2,12} )?(?:follows?|works? by|lives? by|sticks? to"
    r"|expects?))\b.{0,60}: ?$"
)
#: The same, which in a description of work may be rules of what is to be built.
_RULES_OF_SOMETHING = spoken(r"(?:the )?(?:rules|regeln|r[èe]gles|reglas|regole|regras)\W{0,4}$")
#: Introduces what is to be remembered.
_TO_REMEMBER = spoken(
    r"(?:please )?(?:remember|keep in mind|note|for (?:the )?(?:future|later)|fyi|gotchas|facts"
    r"|good to know|zur info|hintergrund|merk dir|contexte"
    r"|contexto)(?: (?:for later|this|these|that|also|reference|please))? ?: ?$"
)
#: Introduces what is to be built or mended.
_DETAILS_OF = spoken(
    r"(?:.{0,80}\b(?:with|should|must|needs?(?: to)?|includ(?:es?|ing)|wrong|broken|missing|left"
    r"|today|mit|avec|con|com|beheben|fixen|umsetzen|einbauen|korrigieren|ajoute[rz]?|corrige[rz]?"
    r"|arregla|añade)|(?:the |my )?(?:acceptance criteria|requirements|to-?dos?|steps|tasks?|bugs?"
    r"|issues?|problems?|features?|questions?|changes|plan|scope)\b.{0,60}?) ?:? ?$"
)
#: The same in a description of work.
_LIMITS = spoken(r"(?:constraints|goals?|non-goals|deliverables|out of scope|tech)\W{0,4}$")
#: Heads a description of work: "# Feature: invitations".
_DESCRIBES_WORK = spoken(
    r" ?#{0,6} ?(?:feature|spec(?:ification)?|(?:user )?story|ticket|task|bug|issue|epic"
    r"|requirements)s?\b[^.\n]{0,80}$"
)
#: The same in a sentence: "new feature: waiting list".
_ANNOUNCES_WORK = spoken(
    rf"{BEGUN}"
    r"(?:new|next|another|small|big) "
    r"(?:[\w-]{2,20} )?(?:feature|task|ticket|story|bug|issue|requirement|job|change request)s?"
    r"(?: for (?:you|today))? ?:"
)
#: Begins every item of the list below it.
_BEGINS = spoken(
    r" ?#{0,6} ?(?:please )?(?P<begins>always|never|don'?t|do not|immer|nie|niemals|toujours"
    r"|jamais|siempre|nunca|sempre|mai) ?:? ?$"
)


class Told(NamedTuple):
    """A sentence, what it is told for, and whether it is an item of a list."""

    text: str
    purpose: str = ""
    listed: bool = False

    @property
    def briefs(self) -> bool:
        """Whether all that holds beyond its moment is a lesson."""
        return self.purpose in (BACKGROUND, RULES)


def told_for(said: Sequence[str], text: str = "") -> list[Told]:
    """Return a turn's sentences without what announces a briefing, and what each is told for.

    A sentence that only announces one is empty. What the others are told for is `BACKGROUND` or
    `RULES` from the announcement to the next request, else `TASK` where one of more than a few
    sentences asks for work, `DETAILS` in a list of what is to be done, else "".

    Args:
        said: the sentences.
        text: what they were taken from: its lists are told for what introduces them.
    """
    announced = any(map(_ANNOUNCES_WORK.match, said))
    works = TASK if announced or (len(said) > _FEW and any(map(asks_for_work, said))) else ""
    works = "" if said and accuses(said[0]) else works  # a correction in detail
    items = items_in(text[:_LONGEST]) if "\n" in text else {}
    found, briefs = list[Told](), ""
    for sentence in said:
        item = items.get(sentence.strip(" .;,!"))
        if item is not None:
            found.append(Told(item.text, item.purpose or briefs or works, listed=True))
            continue
        rules = _RULES.match(sentence)
        begins = rules or _BACKGROUND.match(sentence)
        if begins:
            briefs = RULES if rules else BACKGROUND
        elif asks_for_work(sentence):
            briefs = ""
        rest = sentence[begins.end() :] if begins else sentence
        tells = bool(rest) and not _TELLS_OF_NOW.match(rest)
        found.append(Told(rest, (tells and briefs) or works))
    return found


def items_in(text: str) -> dict[str, Told]:
    """Return the items of a text's lists: "Never:" begins each of its own, as it would in prose."""
    found = dict[str, Told]()
    purpose = begins = ""
    works = False
    for line in text.split("\n"):
        item = _ITEM.match(line)
        if item:
            bare = item["text"].strip(" .;,!")
            whole = f"{begins} {bare}" if begins and not bare.lower().startswith(begins) else bare
            found[bare] = Told(whole, purpose)
        elif line.strip():
            works = (
                works
                or bool(_DESCRIBES_WORK.match(line))
                or any(map(asks_for_work, line.strip().split(". ")))
            )
            purpose, begins = _introduces(line, works=works)
    return found


def _introduces(line: str, *, works: bool) -> tuple[str, str]:
    """Return what the list below a line is told for, and how each of its items begins.

    Where work was asked for, "rules:" and "constraints:" may be those of what is to be built.
    """
    told = _BEGINS.match(line)
    if told:
        return RULES, told["begins"].lower().replace("do not", "don't")
    if not (line.rstrip().endswith(":") or line.lstrip().startswith("#")):
        return "", ""
    bare = line.rpartition(". ")[2].strip("# \t")
    if _RULES.match(bare) or _RULES_BELOW.match(bare):
        return (DETAILS if works and _RULES_OF_SOMETHING.match(bare) else RULES), ""
    if _BACKGROUND.match(bare) or _TO_REMEMBER.match(bare):
        return BACKGROUND, ""
    work = asks_for_work(f"{bare.rstrip(' :')} it") or (works and _LIMITS.match(bare))
    return (DETAILS if work or _DETAILS_OF.match(bare) else ""), ""


def asks_for_work(sentence: str) -> bool:
    """Return whether a sentence is an order, a question, or says what is wanted."""
    return is_order(sentence) or sentence.endswith("?") or bool(_WANTS.match(sentence))
