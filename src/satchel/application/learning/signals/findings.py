"""An agent's findings: labelled causes, and things that turned out not to work. Pure."""

from __future__ import annotations

import re

from satchel.core.values import NamedTuple
from satchel.storage.kept_patterns import spoken

#: Most sentences of a finding to keep, and characters.
_SENTENCES, _LONGEST, _LEAST_WORDS = 2, 300, 6
#: Words from which a cause says enough without naming any code.
_TOLD_OUT = 10
_LABELLED = spoken(
    r"(?:^[\s>*#-]{0,8}|(?<=[.!]\s))\*{0,2}(?:the )?(?P<label>root cause|actual cause|cause"
    r"|key (?:insight|finding)|gotcha"
    r"|lesson(?: learned)?)\*{0,2} ?[:\u2014-]\*{0,2} (?P<said>\S.{20,})$"
)
_WAS_THAT = spoken(
    r"(?:^|(?<=[.!:]\s))(?:the )?(?:real |actual )?"
    r"(?:bug|issue|problem|culprit|reason) (?:was|is) that (?P<said>\S.{20,})$"
)
_FIX = spoken(
    r"^[\s>*#-]{0,8}\*{0,2}(?:the )?(?:fix|solution)\*{0,2} ?:\*{0,2} (?P<said>\S.{10,})$"
)
#: An answer that corrects a belief.
_CONCEDES = spoken(
    r"^\W{0,4}(?:unfortunately|you(?:['\u2019]re| are| were) right|good catch|confirmed"
    r"|i was wrong)\b"
)
#: Somebody's product, and what it does not do, or only does.
_FALLS_SHORT = re.compile(
    r"(?P<said>(?:`[^`\n]{2,60}`|\b[Gg]it\b|\b[A-Z][\w.-]+(?:\s[A-Z][\w.-]+)?)\s+"
    r"(?:flag\s+|hook\s+|command\s+)?(?:does(?:\s+\*{0,2}not\*{0,2}|n['\u2019]t)\s+"
    r"(?:provide|support|have|remove|delete|fire|trigger|run|call|read|write|load|respect|handle"
    r"|include|return|detect|uninstall)|only\s+(?:re)?"
    r"(?:install|work|run|fire|read|check|write|support|apply|handle)s|has\s+no|provides\s+no"
    r"|expects\s+(?:it|them)\s+(?:to\s+be\s+)?(?:nested|under|in|as))\b.{8,})"
)
#: A line of a summary: what was changed, and from what or what for.
_CHANGED = re.compile(
    r"^[\s>*#-]{0,8}(?:\d{1,2}[.)]\s+)?\*{0,2}(?P<said>"
    r"(?:Switched|Replaced|Changed|Updated|Moved)\b(?=.{0,200}`)"
    r"(?=.{0,300}(?:\binstead\s+of\b|\bbecause\b|\bso\s+that\b|\bto\s+"
    r"(?:correctly|properly|avoid|prevent)\b)).{20,})$"
)
_OPTION_ALONE = re.compile(r"`(--?[a-z][\w-]*)`")
_LONGEST_COMMAND = 80
_MARKS = re.compile(r"\*{2}")
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"(])")
_UNSURE = spoken(
    r"\b(?:might|maybe|perhaps|probably|possibly|likely|could be|seems?|suspect|let me"
    r"|I['\u2019]ll|not sure|if it turns out)\b|\? ?$"
)
_NAMES_IT = re.compile(r"`[^`]+`|\b\w+[._/]\w+|\b[a-z]+[A-Z]\w+|\b[A-Z][a-z]+[A-Z]\w*")


#: The form of a cause.
ROOT_CAUSE = "root_cause"


class Finding(NamedTuple):
    """A finding, and its form: `root_cause` or `falls_short`."""

    kind: str
    text: str


def findings_in(text: str) -> list[Finding]:
    """Return the findings in an agent's answer, in order, without duplicates."""
    lines = text.split("\n")
    found: dict[str, Finding] = {}
    concedes = bool(_CONCEDES.match(text))
    fenced = False
    for at, line in enumerate(lines):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        if fenced or len(line) > 4 * _LONGEST:
            continue
        one = (
            _cause(lines, at)
            or _changed(line)
            or (_shortcoming(line) if concedes or "**" in line else None)
        )
        if one is not None and not _UNSURE.search(one.text):
            one = one._replace(text=_with_its_command(one.text, text))
            found.setdefault(one.text.lower()[:80], one)
    return list(found.values())


def _with_its_command(said: str, text: str) -> str:
    """Replace an option that stands alone by its command: `-z` by `git status -z`."""
    option = _OPTION_ALONE.search(said)
    if option is None:
        return said
    ending = f" {option[1]}`"
    at = text.find(ending)
    start = text.rfind("`", 0, at) if at > 0 else -1
    command = text[start : at + len(ending)] if start >= 0 else ""
    if not command or "\n" in command or len(command) > _LONGEST_COMMAND:
        return said
    return said.replace(option[0], command, 1)


def _cause(lines: list[str], at: int) -> Finding | None:
    told = _LABELLED.search(lines[at]) or _WAS_THAT.search(lines[at])
    if told is None:
        return None
    said = _shortened(told["said"])
    words = len(said.split())
    if words < _LEAST_WORDS or not (_NAMES_IT.search(said) or words >= _TOLD_OUT):
        return None
    fix = next((m for line in lines[at + 1 : at + 4] if (m := _FIX.match(line))), None)
    cured = f". Fix: {_shortened(fix['said'], 1)}" if fix else ""
    label = told.groupdict().get("label")
    if not label:
        return Finding(ROOT_CAUSE, f"{_shortened(lines[at][told.start() :].strip())}{cured}")
    return Finding(
        ROOT_CAUSE, f"{label[:1].upper()}{label[1:].lower()}: {said}{cured}"[: 2 * _LONGEST]
    )


def _changed(line: str) -> Finding | None:
    told = _CHANGED.match(line)
    return Finding("changed", _shortened(told["said"], 1)) if told else None


def _shortcoming(line: str) -> Finding | None:
    told = _FALLS_SHORT.search(_MARKS.sub("", line))
    if told is None:
        return None
    said = _shortened(told["said"], 1)
    return Finding("falls_short", said) if len(said.split()) >= _LEAST_WORDS else None


def _shortened(said: str, most: int = _SENTENCES) -> str:
    """Return the first sentences, without emphasis marks."""
    parts = _END.split(" ".join(_MARKS.sub("", said).split()))
    text = " ".join(parts[:most]).rstrip(" :")
    text = text.rstrip(".") if len(parts[:most]) == 1 else text
    return text if len(text) <= _LONGEST else text[:_LONGEST].rsplit(" ", 1)[0] + "\u2026"
