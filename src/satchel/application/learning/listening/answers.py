"""What an agent's answer tells: what was done, what is next, what is open."""

from __future__ import annotations

import itertools
import re

from satchel.application.learning.signals.own_words import sentences
from satchel.storage.kept_patterns import spoken

_STEP = 120
_STEPS = 8
#: "Done: one transaction per 1000 rows" would say it twice.
DONE = spoken(r"\A(?:done|finished|ready|sorry) ?[:.!,\u2014-] (?=\S)")
#: Words of answers that are nothing but a nod, and say nothing of what was done.
_NODS = re.compile(
    r"(?:done|finished|completed?|ok|okay|sure|thing|alright|right|yes|yep|noted|understood|got|of"
    r"|course|will|do|good|to|go|great|perfect|set|you're|welcome|no|problem|sounds|bye|thanks|glad"
    r"|i|i'm|i've|have|am|it|is|it's|that|that's|all|and|now|then|too|everything|been|was|be"
    r"|fertig|erledigt|klar|gerne?|verstanden|alles|hecho|listo|vale|entendido|fait|compris|fatto)"
)
_LONGEST_NOD = 6
#: Of an answer that is hardly longer than a word: what it tells of work.
_OF_WORK = re.compile(r"\wed\b|pass(?:es)?|green|works?|ran|wrote|built|made|`|/|\d|\w[._]\w")
_A_WORD = 4
#: "I'll use the fixture.", "Now let me look at the other tests:" are not done yet.
_ANNOUNCES = spoken(
    r"(?:(?:and|now|next|first|then|ok(?:ay)?|so|good|great|perfect|sure|yes)\b[,.!:]? )*"
    r"(?P<intends>let me\b(?! know)|i (?:need|have) to\b"
    r"|i['\u2019]m going to\b)?(?: (?:also|just|first)\b)?(?(intends)"
    r"|(?:let me know|i['\u2019]ll|i will|i (?:now )?understand"
    r"|i (?:now )?have (?:all|everything|enough|the (?:full|whole)|a (?:good|clear|full)))\b)"
)
CODE = re.compile(r"((?<!`)```|(?<!~)~~~)[^\n]*\n.*?(?:\n[ \t]*\1[^\n]*|\Z)", re.DOTALL)
_MARKS = re.compile(r"^\s*(?:#{1,6}\s.*|[-*+>]\s+|\d{1,2}[.)]\s+|[-=*_]{3,}\s*$|\|.*)")
#: Begins a line of its own, wherever it stands: "Pushed. Next: the month page. Open: who pays?"
HEADED = spoken(r"(?<=[.!?;]) (?=(?:next(?: steps?)?|open|remaining|left to do|still to do) ?:)")
_OPEN = "open:"
#: Says of something that it is left, in one of the last sentences of an answer.
_LEFT = spoken(
    r"\b(?:is|are|remains?|stays?) (?:still )?(?:open|pending|missing|unfinished|untested|to do)\b"
    r"|\bstill (?:needs?|lacks?|fails?|open|missing)\b|(?:\bnot|n['\u2019]t) (?:\w+ ){1,3}yet\b"
    r"|\bwaits? for (?:you|your|a|the)\b"
)
_LAST = 2
#: Steps that follow in the same line what was done, and what stands between two of them.
_INLINE = spoken(r"\b(?:next steps?|remaining|left to do|still to do) ?:\** ?(.*)")
_PARTS = re.compile(r";|(?:^|[\s,])\(?\d[.)]\s")
_STEP_HEADINGS = (
    "next step",
    "next:",
    "todo",
    "remaining",
    "left to do",
    "still to do",
    "follow-up",
)


def answer_summary(answer: str, *, of_work: bool = True) -> str:
    """Return what an answer tells before its next steps, or "" where it is only a nod.

    `of_work` leaves out what is hardly longer than a word, too: "Mostly." answers a question, and
    is no work done.
    """
    told = until_steps(answer).rstrip()
    if of_work:
        told = "\n".join(filter(None, map(_without_announcement, told.split("\n"))))
    words = re.findall(r"[\w']+", told.replace("\u2019", "'").lower())
    nods = len(words) <= _LONGEST_NOD and all(map(_NODS.fullmatch, words))
    short = of_work and len(words) <= _A_WORD and not _OF_WORK.search(told.lower())
    return "" if nods or short else told


def _without_announcement(line: str) -> str:
    """Return a line up to where it announces what comes next."""
    said = sentences(line)
    kept = list(itertools.takewhile(lambda one: not _ANNOUNCES.match(one), said))
    return line if len(kept) == len(said) else " ".join(kept)


def announced_step(answer: str) -> str:
    """Return what an answer ends on as the agent's next step: "Now let me look at ..."; or ""."""
    last = sentences(answer.rstrip().rpartition("\n")[2])[-1:]
    found = _ANNOUNCES.match(last[0]) if last else None
    return last[0][found.end() :].strip(" .:*_") if found and found["intends"] else ""


def without_open(answer: str) -> tuple[str, str]:
    """Return what an answer tells of the work, and what it leaves open: a point or a question."""
    lines = answer.rstrip("*_ \n").split("\n")
    headed = [one for one in lines if one.lstrip("#*_- ").lower().startswith(_OPEN)]
    if headed and (point := headed[-1].partition(":")[2].strip(" *_.")):
        return answer_summary(answer), one_line(point, _STEP)
    asked = lines[-1].endswith("?")
    before, _, last = ("\n".join(lines) if asked else until_steps(answer).rstrip()).rpartition("\n")
    said = sentences(last)
    # "The job is not written yet. Is it daily or weekly?"
    left = [
        one
        for one in said[-_LAST:]
        if (_LEFT.search(one) and not DONE.match(one)) or (asked and one is said[-1])
    ]
    if not left:
        return answer_summary(answer), ""
    kept = " ".join(one for one in said if one not in left)
    return answer_summary(f"{before}\n{kept}"), one_line(" ".join(left), _STEP)


def one_line(text: str, limit: int) -> str:
    """Put a text on one line, without headings, tables and list marks."""
    bare = (_MARKS.sub("", line).strip() for line in text.replace("**", "").splitlines())
    kept = [line if line[-1] in ".,:;!?" else f"{line};" for line in bare if line]
    return shorten(" ".join(" ".join(kept).split()).removesuffix(";"), limit)


def until_steps(text: str) -> str:
    """Return a summary up to its next steps, which are stored separately."""
    kept = []
    for line in text.splitlines():
        if line.lstrip("#*_- ").lower().startswith((*_STEP_HEADINGS, _OPEN)):
            break
        kept.append(line)
    return "\n".join(kept)


def next_steps(text: str) -> list[str]:
    """Return open points: unticked boxes anywhere, and lists under a matching heading."""
    steps: list[str] = []
    listing = False
    for raw in text.splitlines():
        line = raw.strip()
        if line.startswith(("- [ ]", "* [ ]")):
            steps.append(line[5:].strip())
            continue
        bare = line.lstrip("#*_ ").lower()
        if bare.startswith(_STEP_HEADINGS):
            listing = True
            after = line.partition(":")[2].strip(" *_")
            if after:
                steps.append(after)
            continue
        item = _list_item(line)
        inline = _INLINE.search(line)
        if listing and item:
            steps.append(item)
        elif inline:
            steps += [step.strip(" .*_") for step in _PARTS.split(inline[1]) if step.strip(" .*_")]
            listing = not inline[1].strip(" .*_")
        elif line:
            listing = False
    return [step for step in steps if step][:_STEPS]


def _list_item(line: str) -> str:
    if line.startswith(("- ", "* ")):
        return line[2:].strip()
    number, dot, rest = line.partition(". ")
    return rest.strip() if dot and number.isdigit() else ""


def shorten(text: str, limit: int) -> str:
    """Cut a text to a number of characters, at a word."""
    return text if len(text) <= limit else text[:limit].rsplit(" ", 1)[0] + "…"
