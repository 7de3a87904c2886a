"""Finds text that a person or a client marked as private."""

from __future__ import annotations

MARK = "[private content removed]"
NAMES = (
    "private",
    "claude-mem-context",
    "system-reminder",
    "system_reminder",
    "system_instruction",
    "system-instruction",
    "persisted-output",
    "reflect-private",
    "satchel-private",
)
_LONGEST_TAG = 400


def remove_private(text: str, lower: str) -> str:
    """Replace every private span of `text` with a mark; an unclosed one reaches the end.

    Spans may be nested or crossed: text counts as private until every tag opened since has been
    closed, because showing too little is the smaller harm. `lower` is `text` in lower case.
    """
    tags = _find_tags(lower)
    if not tags:
        return text
    out: list[str] = []
    shown_from = 0
    opened: dict[str, int] = {}
    depth = 0
    start = 0
    for at, end, name, closing in tags:
        if not closing:
            if depth == 0:
                start = at
            depth += 1
            opened[name] = opened.get(name, 0) + 1
        elif opened.get(name):
            opened[name] -= 1
            depth -= 1
            if depth == 0:
                out += [text[shown_from:start], MARK]
                shown_from = end
    if depth:
        out += [text[shown_from:start], MARK]
        shown_from = len(text)
    out.append(text[shown_from:])
    return "".join(out)


def _find_tags(lower: str) -> list[tuple[int, int, str, bool]]:
    tags: list[tuple[int, int, str, bool]] = []
    for name in NAMES:
        if "<" + name not in lower:
            continue
        for mark in ("<" + name, "</" + name):
            at = lower.find(mark)
            while at >= 0:
                end = _tag_end(lower, at + len(mark))
                if end:
                    tags.append((at, end, name, mark[1] == "/"))
                at = lower.find(mark, at + len(mark))
    tags.sort()
    return tags


def _tag_end(lower: str, at: int) -> int:
    """Return the end of the tag whose name ends at `at`; 0 for self-closing tags and other text."""
    if lower[at : at + 1] not in (">", " ", "\t", "\n", "\r"):
        return 0
    end = lower.find(">", at, at + _LONGEST_TAG)
    if end < 0 or lower.find("<", at, end) >= 0 or lower[end - 1] == "/":
        return 0
    return end + 1
