"""What a turn's sentences are told for: to brief the agent about the project, or a task. Pure."""

from __future__ import annotations

from satchel.application.learning.signals.asides import is_order
from satchel.core.values import NamedTuple
from satchel.storage.kept_patterns import any_case

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_re = any_case

BACKGROUND, RULES, TASK, DETAILS = "background", "rules", "task", "details"
#: In a turn of no more sentences, the details of a task are not told apart.
_FEW = 3
#: How far into a text to look for lists, in characters.
_LONGEST = 8000
_OF_OURS = (
    r"(?:this|our|the)\s{1,4}(?:whole\s{1,4})?"
    r"(?:repo(?:sitory)?|project|code\s?base|code|team|company|product|setup|app|stack|data)"
)
_FOR_YOU = (
    r"(?:\s{1,4}(?:for\s{1,4}you|first|up\s{1,4}front|so\s{1,4}you\s{1,4}know|before\s{1,4}(?:we|you|i)\s{1,4}\w{2,12}"
    rf"|(?:about|on|to|for|of|in)\s{{1,4}}(?:{_OF_OURS}|us|the\s{{1,4}}domain)))"
)
_ENDS = r"{0,2}(?:\s{1,4}are)?\s{0,4}(?::\s{0,4}|[.!]?\s{0,4}$)"
_LEAD = (
    r"(?:(?:hi|hello|hey|ok(?:ay)?|so|also|first|fyi|before\s{1,4}(?:we|you|i)\s{1,4}\w{2,12})\b"
    r"[\s,!.:]{1,4}){0,2}"
)
#: Says that what follows is about the project: "some background:", "things to know". What is wrong
#: with it, or left to do, is a task.
_BACKGROUND = _re(
    rf"{_LEAD}(?:"
    r"(?:(?:here(?:'s|\s{1,4}is)|just)\s{1,4})?(?:(?:some|a\s{1,4}bit\s{1,4}of|a\s{1,4}little|a|quick|short|brief|more|project)\s{1,4}){0,3}"
    rf"(?:background|context|intro(?:duction)?|briefing)(?:\s{{1,4}}info(?:rmation)?)?{_FOR_YOU}{_ENDS}"
    r"|(?:(?:a\s{1,4}few|some|a\s{1,4}couple\s{1,4}of|two|three|four|five|several)\s{1,4})?(?:more\s{1,4})?(?:things|facts|basics|notes|hints|words|names|terms)"
    r"(?:\s{1,4}(?:(?:you\s{1,4}(?:should|need\s{1,4}to|must|have\s{1,4}to)|to|worth)\s{1,4}(?:know(?:ing)?|remember(?:ing)?|keep\s{1,4}in\s{1,4}mind)"
    rf"|(?:about|on|of|in)\s{{1,4}}{_OF_OURS})){_FOR_YOU}{_ENDS}"
    rf"|what\s{{1,4}}you\s{{1,4}}(?:should|need\s{{1,4}}to|must|have\s{{1,4}}to)\s{{1,4}}know{_FOR_YOU}{_ENDS}"
    r"|you\s{1,4}(?:should|need\s{1,4}to|must|have\s{1,4}to)\s{1,4}know\s{1,4}(?:a\s{1,4}few|some|the(?:se)?)\s{1,4}(?:\w{1,20}\s{1,4}){0,2}\w{2,20}s"
    rf"{_FOR_YOU}{_ENDS})"
)
#: The same of its rules: "our conventions:", "how we work here".
_RULES = _re(
    rf"{_LEAD}(?:"
    r"(?:(?:our|house|ground|coding|team|code|general)\s{1,4}){1,2}(?:rules|conventions|guidelines|standards|habits|style)"
    rf"{_FOR_YOU}{_ENDS}"
    rf"|(?:rules|conventions|guidelines|standards)(?:\s{{1,4}}(?:for|of|in)\s{{1,4}}{_OF_OURS}|\s{{1,4}}here){_FOR_YOU}{_ENDS}"
    rf"|(?:here(?:'s|\s{{1,4}}is)\s{{1,4}})?how\s{{1,4}}(?:we|{_OF_OURS}|this)\s{{1,4}}(?:works?|do\s{{1,4}}(?:it|things))(?:\s{{1,4}}here)?{_FOR_YOU}{_ENDS})"
)
#: Asks for work, besides orders and questions.
_WANTS = _re(
    r"(?:.{0,60}?\bi(?:'d|\s{1,4}would)?\s{1,4}(?:want|need|like)\b"
    r"|(?:(?:so|now|then|ok(?:ay)?|and|please|what)\b[\s,]{1,4}){0,3}"
    r"(?:let'?s\b|(?:can|could|would)\s{1,4}(?:you|we)\b|(?:it|they|that)\s{1,4}(?:should|must|needs?)\b))"
)

#: What the person is doing, or what happened, is no lesson.
_TELLS_OF_NOW = _re(r"(?:i'?m|i\s{1,4}(?:am|was|have|had)|we\s{1,4}(?:had|were)|it\s{1,4}took)\b")
_ITEM = _re(r"\s{0,8}(?:[-*\u2022+]|\d{1,2}[.)])\s{1,4}(?!\[)(?P<text>\S[^\n]{0,300})")
#: Introduces a list of rules: "please follow these rules:", "## Conventions".
_RULES_BELOW = _re(
    r"(?:please\s{1,4})?(?:(?:follow|respect|observe|(?:keep|stick)\s{1,4}to)\s{1,4})?"
    r"(?:(?:these|the\s{1,4}following|my|our|project|code|coding|team)\s{1,4}){0,2}"
    r"(?:rules|conventions|guidelines|standards|preferences|code\s{1,4}style|dos\s{1,4}and\s{1,4}don'?ts"
    rf"|(?:unsere\s{{1,4}})?(?:regeln|konventionen)|(?:nos\s{{1,4}})?r[èe]gles|(?:nuestras\s{{1,4}})?reglas|regole|regras){_FOR_YOU}{_ENDS}"
)
_LIMITS = _re(
    r"(?:constraints|goals?|non-goals|deliverables|out\s{1,4}of\s{1,4}scope|tech)\W{0,4}$"
)
_SPECIFIES = _re(
    r"\s{0,8}#{0,6}\s{0,4}(?:feature|spec(?:ification)?|(?:user\s{1,4})?story|ticket|task|bug|issue|epic|requirements)s?\b"
    r"[^.\n]{0,80}$"
)
_OF_WHAT = _re(r"(?:the\s{1,4})?(?:rules|regeln|r[èe]gles|reglas|regole|regras)\W{0,4}$")
#: Introduces what is to be remembered.
_TO_REMEMBER = _re(
    r"(?:please\s{1,4})?(?:remember|keep\s{1,4}in\s{1,4}mind|note|for\s{1,4}(?:the\s{1,4})?(?:future|later)|fyi|gotchas|facts"
    r"|good\s{1,4}to\s{1,4}know|zur\s{1,4}info|hintergrund|merk\s{1,4}dir|contexte|contexto)(?:\s{1,4}(?:for\s{1,4}later|this|these|that|also|reference|please))?\s{0,4}:\s{0,4}$"
)
#: Introduces what is to be built or mended.
_DETAILS_OF = _re(
    r"(?:.{0,80}\b(?:with|should|must|needs?(?:\s{1,4}to)?|includ(?:es?|ing)|wrong|broken|missing|left|today"
    r"|mit|avec|con|com|beheben|fixen|umsetzen|einbauen|korrigieren|ajoute[rz]?|corrige[rz]?|arregla|añade)"
    r"|(?:the\s{1,4}|my\s{1,4})?(?:acceptance\s{1,4}criteria|requirements|to-?dos?|steps|tasks?|bugs?|issues?|problems?|features?"
    r"|questions?|changes|plan|scope)\b.{0,60}?)\s{0,4}:?\s{0,4}$"
)
#: Begins every item of the list below it.
_LIST_OF = _re(
    r"\s{0,8}#{0,6}\s{0,4}(?:please\s{1,4})?(?P<begins>always|never|don'?t|do\s{1,4}not"
    r"|immer|nie|niemals|toujours|jamais|siempre|nunca|sempre|mai)\s{0,4}:?\s{0,4}$"
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
    works = TASK if len(said) > _FEW and any(map(_asks, said)) else ""
    items = items_in(text[:_LONGEST]) if "\n" in text else {}
    found, briefs = list[Told](), ""
    for sentence in said:
        item = items.get(sentence.strip(" .;,!"))
        if item is not None:
            found.append(Told(item.text, item.purpose or briefs or works, listed=True))
            continue
        rules = _RULES.match(sentence)
        announced = rules or _BACKGROUND.match(sentence)
        if announced:
            briefs = RULES if rules else BACKGROUND
        elif _asks(sentence):
            briefs = ""
        rest = sentence[announced.end() :] if announced else sentence
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
                works or bool(_SPECIFIES.match(line)) or any(map(_asks, line.strip().split(". ")))
            )
            purpose, begins = _introduces(line, works=works)
    return found


def _introduces(line: str, *, works: bool) -> tuple[str, str]:
    """Return what the list below a line is told for, and how each of its items begins.

    Where work was asked for, "rules:" and "constraints:" may be those of what is to be built.
    """
    told = _LIST_OF.match(line)
    if told:
        return RULES, told["begins"].lower().replace("do not", "don't")
    if not (line.rstrip().endswith(":") or line.lstrip().startswith("#")):
        return "", ""
    bare = line.rpartition(". ")[2].strip("# \t")
    if _RULES.match(bare) or _RULES_BELOW.match(bare):
        return (DETAILS if works and _OF_WHAT.match(bare) else RULES), ""
    if _BACKGROUND.match(bare) or _TO_REMEMBER.match(bare):
        return BACKGROUND, ""
    work = _asks(f"{bare.rstrip(' :')} it") or (works and _LIMITS.match(bare))
    return (DETAILS if work or _DETAILS_OF.match(bare) else ""), ""


def _asks(sentence: str) -> bool:
    return is_order(sentence) or sentence.endswith("?") or bool(_WANTS.match(sentence))
