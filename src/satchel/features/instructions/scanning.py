"""Finds imports in a text, in three dialects. Pure.

beans    `@import path`, on a line of its own
claude   `@path` after white space, in text (Claude Code)
gemini   `@path` after white space, put in place (Gemini CLI)
none     the text as it is
"""

from __future__ import annotations

from satchel.core.trust import clean_line
from satchel.core.values import NamedTuple
from satchel.features.instructions.code_regions import Region, backtick_regions, markdown_regions
from satchel.storage.safe_open import MISSING

_LONGEST = 300
_AROUND = ("<!-- Imported from:", "<!-- End of import:", "<!-- End of import from:")


def named(path: str) -> str:
    """Return a path for a comment: on one line, and unable to close the comment."""
    return clean_line(path)[:_LONGEST].replace("<", "(").replace(">", ")")


def opening_note(path: str) -> str:
    """Return the comment before an imported text."""
    return f"<!-- Imported from: {named(path)} -->"


def closing_note(path: str, dialect: str) -> str:
    """Return the comment after it."""
    of = "import from" if dialect == GEMINI else "import"
    return f"<!-- End of {of}: {named(path)} -->"


def without_import_notes(text: str) -> str:
    """Remove the comments around imports, for clients that do not need them."""
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(_AROUND))


def circle_note(path: str, dialect: str) -> str:
    """Return the placeholder for a circular import."""
    if dialect == GEMINI:
        return f"<!-- File already processed: {named(path)} -->"
    return f"<!-- Circular import detected: {named(path)} -->"


def shown_note(path: str) -> str:
    """Return the placeholder for a file already in the context."""
    return f"<!-- Already shown: {named(path)} -->"


def depth_note(path: str) -> str:
    """Return the placeholder for a file beyond the depth limit."""
    return f"<!-- Import depth exceeded for {named(path)} -->"


def refusal_note(path: str, dialect: str, what: str, told: str) -> str:
    """Return the placeholder for a file that is missing or may not be read."""
    if dialect == GEMINI:
        if what == MISSING:
            told = "File not found"
        elif what == "elsewhere":
            told = "Path traversal attempt"
        return f"<!-- Import failed: {named(path)} - {named(told)} -->"
    if what == MISSING:
        return f"<!-- Import not found: {named(path)} -->"
    return f"<!-- Import rejected: {named(path)}: {named(told)} -->"


BEANS, CLAUDE, GEMINI, NONE = "beans", "claude", "gemini", "none"
#: The dialect of a CLAUDE.md unless Claude Code's own view is requested.
BOTH = "claude and beans"
#: Dialects that leave the text unchanged and append its imports.
APART = (CLAUDE, BOTH)
DIALECTS = (BEANS, CLAUDE, GEMINI, NONE)

_WORD = "@import"
#: Whitespace as in JavaScript's \s, and as in Gemini's scanner.
_JS_SPACE = frozenset(
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_GEMINI_SPACE = frozenset(" \t\n\r")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_CLAUDE_STARTS = _LETTERS | frozenset("0123456789._-")
_EMPHASIS = "*_~"


class Mention(NamedTuple):
    """An import: `text[start:end]` is its source text, `path` its target."""

    start: int
    end: int
    path: str


def mentions(text: str, dialect: str) -> list[Mention]:
    """Return a text's imports in order, skipping code."""
    if "@" not in text or dialect == NONE:
        return []
    if dialect == BEANS:
        return _beans(text)
    if dialect == CLAUDE:
        return _claude(text)
    if dialect == BOTH:
        return _both(text)
    return _gemini(text)


def dialect_of(name: str, setting: str = "auto") -> str:
    """Return a file's dialect by its name, or the one set for all files."""
    if setting in DIALECTS:
        return setting
    name = name.upper()
    if name.startswith("GEMINI"):
        return GEMINI
    return BOTH if name.startswith("CLAUDE") else BEANS


class _Code:
    """Tells whether a position is in code, for increasing positions."""

    def __init__(self, regions: list[Region]) -> None:
        self._regions = regions
        self._next = 0
        self.ends = frozenset(end for _, end in regions)

    def holds(self, at: int) -> bool:
        while self._next < len(self._regions) and self._regions[self._next][1] <= at:
            self._next += 1
        return self._next < len(self._regions) and self._regions[self._next][0] <= at


def _beans(text: str, *, comments: bool = False) -> list[Mention]:
    code = _Code(markdown_regions(text, comments=comments))
    found = []
    at = text.find(_WORD)
    while at >= 0:
        after = at + len(_WORD)
        newline = text.find("\n", after)
        end = len(text) if newline < 0 else newline
        line = text[after:end]
        path = line.strip()
        starts = at == 0 or text[at - 1] == "\n"
        if starts and path and line[0].isspace() and not code.holds(at):
            found.append(Mention(at, after + len(line.rstrip()), path))
        at = text.find(_WORD, after)
    return found


def _both(text: str) -> list[Mention]:
    found: list[Mention] = []
    end = 0
    for one in sorted(
        [*_beans(text, comments=True), *_claude(text)], key=lambda one: (one.start, -one.end)
    ):
        # `@import my @notes.md` is one import, with none inside it.
        if one.start >= end:
            found.append(one)
            end = one.end
    return found


def _gemini(text: str) -> list[Mention]:
    code = _Code(backtick_regions(text))
    found = []
    at = text.find("@")
    while at >= 0:
        end = at + 1
        if at == 0 or text[at - 1] in _GEMINI_SPACE:
            while end < len(text) and text[end] not in _GEMINI_SPACE:
                end += 1
            path = text[at + 1 : end]
            first = path[:1]
            if (first in _LETTERS or first in ("/", ".")) and first and not code.holds(at):
                found.append(Mention(at, end, path))
        at = text.find("@", end)
    return found


def _claude(text: str) -> list[Mention]:
    code = _Code(markdown_regions(text, comments=True))
    found = []
    at = text.find("@")
    while at >= 0:
        end = at + 1
        if not code.holds(at):
            mark = _opening(text, at, code)
            if mark is not None:
                end, path = _claude_path(text, at + 1, mark)
                if _is_claude_path(path):
                    found.append(Mention(at, end, path))
        at = text.find("@", max(end, at + 1))
    return found


def _opening(text: str, at: int, code: _Code) -> str | None:
    """Return the emphasis mark before `at`, or ""; None if no import is possible there.

    A text token begins at whitespace, after a code span, and inside emphasis.
    """
    if at == 0 or text[at - 1] in _JS_SPACE or at in code.ends:
        return ""
    start = at
    while start > 0 and at - start < 3 and text[start - 1] in _EMPHASIS:  # noqa: PLR2004
        start -= 1
    if start == at or (start > 0 and text[start - 1] not in _JS_SPACE):
        return None
    return text[start:at]


def _claude_path(text: str, at: int, mark: str) -> tuple[int, str]:
    r"""Match `(?:[^\s\\]|\\ )+`, cut at `#` and at the end of surrounding emphasis."""
    end = at
    while end < len(text):
        if text[end] == "\\":
            if text[end + 1 : end + 2] != " ":
                break
            end += 2
        elif text[end] in _JS_SPACE or text[end] == "`":
            break
        else:
            end += 1
    written = text[at:end]
    close = written.find(mark[::-1]) if mark else -1
    if close >= 0:
        written = written[:close]
    fragment = written.find("#")
    if fragment >= 0:
        written = written[:fragment]
    return at + len(written), written.replace("\\ ", " ")


def _is_claude_path(path: str) -> bool:
    if path.startswith("~/"):
        return True
    if path.startswith("/"):
        return path != "/"
    return path[:1] in _CLAUDE_STARTS and bool(path)
