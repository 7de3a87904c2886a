"""Lines of an instruction file that may be rules. Apart from saving: each brief asks for them."""

from __future__ import annotations

import re

from satchel.engine.statements.contradictions import Rule
from satchel.features.instructions.values import LEARNED_RULES

_FEWEST = 2
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s")
_ANOTHER = re.compile(r"[.!?;]\s+\S")


def rules_in(path: str, text: str) -> list[Rule]:
    """Return lines that may be rules: items and sentences, not headings or code."""
    from satchel.engine.markdown.sections import lines_of

    found = []
    for number, line in enumerate(lines_of(text), 1):
        bare = line.text.strip()
        if line.code or not bare or bare.startswith(("#", "<!--", "|", "---")):
            continue
        bare = bare.lstrip("-*+> \t").strip()
        if len(bare.split()) >= _FEWEST:
            found.append(Rule(path, number, bare))
    return found


def items_in(text: str) -> int:
    """Count the items of lists that may be rules."""
    lines = text.splitlines()
    return sum(bool(_ITEM.match(lines[one.line - 1])) for one in rules_in("", text))


def learned_rules_in(text: str) -> list[str]:
    """Return the rules that a person accepted into an instruction file."""
    from satchel.engine.markdown.sections import sections

    own = [text[one.start : one.end] for one in sections(text) if one.title == LEARNED_RULES]
    return [line[2:].strip() for part in own for line in part.splitlines() if line[:2] == "- "]


def is_one_item(text: str, rule: Rule) -> bool:
    """Return whether a rule is a whole item of a list, of one sentence and one line."""
    lines = text.splitlines()
    line = lines[rule.line - 1]
    following = lines[rule.line] if rule.line < len(lines) else ""
    goes_on = bool(following.strip()) and not following.startswith("#")
    deeper = len(following) - len(following.lstrip()) > len(line) - len(line.lstrip())
    ends = not goes_on or (bool(_ITEM.match(following)) and not deeper)
    return bool(_ITEM.match(line)) and ends and not _ANOTHER.search(rule.text)
