"""Finds code in a text, where imports do not count. Pure, and linear in the text.

In two ways: only backtick runs, as in Gemini CLI; or Markdown as in Claude Code, with fenced
blocks, indented blocks, code spans and comments.
"""

from __future__ import annotations

from satchel.engine.markdown.sections import lines_of

Region = tuple[int, int]

_INDENT = "    "


def backtick_regions(text: str) -> list[Region]:
    r"""Return what ``(`+)([\s\S]*?)\1`` matches, as start and end, without its running time.

    A run that no run of its length closes counts as a shorter one, as in a backtracking regular
    expression: two backticks alone are an empty span.
    """
    if "`" not in text:
        return []
    longest = _longest_run_after(text)
    found: list[Region] = []
    at = text.find("`")
    while at >= 0:
        end_of_run = _run_end(text, at)
        length = end_of_run - at
        # A run longer than any that follows cannot be closed; half of it closes itself.
        mark = min(length, max(longest[end_of_run], length // 2))
        close = text.find("`" * mark, at + mark) if mark else -1
        if close < 0:
            at = text.find("`", end_of_run)
            continue
        found.append((at, close + mark))
        at = text.find("`", close + mark)
    return found


def _run_end(text: str, at: int) -> int:
    while at < len(text) and text[at] == "`":
        at += 1
    return at


def _longest_run_after(text: str) -> dict[int, int]:
    """Map the end of every run of backticks to the length of the longest run that follows it."""
    ends: list[tuple[int, int]] = []
    at = text.find("`")
    while at >= 0:
        end = _run_end(text, at)
        ends.append((end, end - at))
        at = text.find("`", end)
    longest, answer = 0, {}
    for end, length in reversed(ends):
        answer[end] = longest
        longest = max(longest, length)
    return answer


def markdown_regions(text: str, *, comments: bool) -> list[Region]:
    """Return fenced and indented blocks and code spans; with `comments`, HTML comments too."""
    found: list[Region] = []
    paragraph: list[Region] = []
    blank, listed = True, False
    for line in lines_of(text):
        stripped = line.text.strip()
        indented = line.text.startswith((_INDENT, "\t"))
        if line.code:
            _spans_in(text, paragraph, found)
            found.append((line.start, line.end))
            blank = False
            continue
        if not stripped:
            _spans_in(text, paragraph, found)
            blank = True
            continue
        if indented and blank and not listed and not paragraph:
            found.append((line.start, line.end))
            continue  # still blank: the next indented line continues the block
        item = _is_item(stripped)
        if item or stripped.startswith("#"):
            _spans_in(text, paragraph, found)
        listed = item or (listed and (indented or not blank or line.text.startswith(" ")))
        blank = False
        paragraph.append((line.start, line.end))
        if stripped.startswith("#"):
            _spans_in(text, paragraph, found)
    _spans_in(text, paragraph, found)
    found.sort()
    return _with_comments(text, found) if comments else found


def _is_item(stripped: str) -> bool:
    if stripped.startswith(("- ", "* ", "+ ")):
        return True
    digits = stripped.lstrip("0123456789")
    return digits != stripped and digits.startswith((". ", ") "))


def _spans_in(text: str, paragraph: list[Region], found: list[Region]) -> None:
    """Add a paragraph's code spans: a run of backticks to the next of the same length."""
    if not paragraph:
        return
    start, end = paragraph[0][0], paragraph[-1][1]
    paragraph.clear()
    runs: list[Region] = []
    at = text.find("`", start, end)
    while at >= 0:
        after = min(_run_end(text, at), end)
        runs.append((at, after))
        at = text.find("`", after, end)
    closing: dict[int, list[int]] = {}
    for number, (begin, after) in enumerate(runs):
        closing.setdefault(after - begin, []).append(number)
    for numbers in closing.values():
        numbers.reverse()
    number = 0
    while number < len(runs):
        begin, after = runs[number]
        if begin > start and text[begin - 1] == "\\" and after - begin == 1:
            number += 1  # an escaped backtick opens nothing
            continue
        waiting = closing[after - begin]
        while waiting and waiting[-1] <= number:
            waiting.pop()
        if waiting:
            number = waiting.pop()
            found.append((begin, runs[number][1]))
        number += 1


def _with_comments(text: str, regions: list[Region]) -> list[Region]:
    """Add HTML comments that begin outside code; an unclosed one extends to the end."""
    found = list(regions)
    at, number = text.find("<!--"), 0
    while at >= 0:
        while number < len(regions) and regions[number][1] <= at:
            number += 1
        if number < len(regions) and regions[number][0] <= at:
            at = text.find("<!--", regions[number][1])
            continue
        close = text.find("-->", at + 4)
        end = len(text) if close < 0 else close + 3
        found.append((at, end))
        at = text.find("<!--", end)
    found.sort()
    return found


def block_comments(text: str) -> list[Region]:
    """Return HTML comments at line starts, outside code, which Claude Code removes."""
    if "<!--" not in text:
        return []
    code = set(markdown_regions(text, comments=False))
    found = [one for one in markdown_regions(text, comments=True) if one not in code]
    return [one for one in found if _begins_a_line(text, one[0])]


def _begins_a_line(text: str, at: int) -> bool:
    """Return whether at most three spaces precede `at`; otherwise it is code or text."""
    before = text[text.rfind("\n", max(0, at - len(_INDENT)), at) + 1 : at]
    return len(before) < len(_INDENT) and not before.strip(" ")
