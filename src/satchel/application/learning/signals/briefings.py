"""What a turn's sentences are told for: to brief the agent about the project, or a task. Pure."""

from __future__ import annotations

from satchel.application.learning.signals.asides import is_order
from satchel.storage.kept_patterns import any_case

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_re = any_case

BACKGROUND, RULES, TASK = "background", "rules", "task"
#: In a briefing, all that holds beyond its moment is a lesson.
BRIEFINGS = (BACKGROUND, RULES)
#: In a turn of no more sentences, the details of a task are not told apart.
_FEW = 3
_OF_OURS = (
    r"(?:this|our|the)\s{1,4}(?:whole\s{1,4})?"
    r"(?:repo(?:sitory)?|project|code\s?base|code|team|company|product|setup|app|stack|data)"
)
_FOR_YOU = (
    r"(?:\s{1,4}(?:for\s{1,4}you|first|up\s{1,4}front|so\s{1,4}you\s{1,4}know|before\s{1,4}(?:we|you|i)\s{1,4}\w{2,12}"
    rf"|(?:about|on|to|for|of|in)\s{{1,4}}(?:{_OF_OURS}|us|the\s{{1,4}}domain)))"
)
_ENDS = r"{0,2}\s{0,4}(?::\s{0,4}|[.!]?\s{0,4}$)"
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


def told_for(said: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return a turn's sentences without what announces a briefing, and what each is told for.

    That is one of `BRIEFINGS` from the announcement to the next request, else `TASK` where one of
    more than a few sentences asks for work, else "".
    """
    works = TASK if len(said) > _FEW and any(map(_asks, said)) else ""
    bare, purposes, briefs = list[str](), list[str](), ""
    for sentence in said:
        rules = _RULES.match(sentence)
        announced = rules or _BACKGROUND.match(sentence)
        if announced:
            briefs = RULES if rules else BACKGROUND
        elif _asks(sentence):
            briefs = ""
        rest = sentence[announced.end() :] if announced else sentence
        bare.append(rest or sentence)
        tells = bool(rest) and not _TELLS_OF_NOW.match(rest)
        purposes.append((tells and briefs) or works)
    return bare, purposes


def _asks(sentence: str) -> bool:
    return is_order(sentence) or sentence.endswith("?") or bool(_WANTS.match(sentence))
