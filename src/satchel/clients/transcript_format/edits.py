"""What a tool wrote to which file, and the commits it made: evidence of lines' origins.

Of what was written only marks of its lines are kept (`core/line_marks`), never the text.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from satchel.clients.transcript_format.values import Edit
from satchel.core.line_marks import marks_of

_PATHS = (
    "file_path",
    "filePath",
    "path",
    "absolute_path",
    "notebook_path",
    "target_file",
    "filename",
)
#: Where tools that write have their new text, by the names that clients give to it.
_TEXTS = (
    "new_string",
    "newString",
    "new_str",
    "content",
    "contents",
    "file_text",
    "new_source",
    "insert_text",
    "code_edit",
)
_OLD = ("old_string", "oldString", "old_str")
_WHOLE = ("content", "contents", "file_text")
#: Where a whole patch may stand, a shell's command included.
_PATCHES = ("input", "patch", "patchText", "diff", "command", "cmd")
_BEGIN = "*** Begin Patch"
_PATCHED = re.compile(r"\*\*\* (Add File|Update File|Move to): (.+)")
_SHELL = ("command", "cmd", "script")
_GIT = re.compile(r"\bgit\b.{0,400}?\b(?:commit|cherry-pick|revert|merge|am|rebase)\b", re.DOTALL)
#: `[main 1a2b3c4] Say it`, `[main (root-commit) 1a2b3c4] Say it`: what git prints of a new commit.
_MADE = re.compile(r"^\[[^\[\]\n]{1,200}? ([0-9a-f]{7,40})\] ?([^\n]{0,200})", re.MULTILINE)
_CREATED = re.compile(
    r"\b(?:file created|created (?:and wrote to )?(?:a )?(?:new )?file)\b", re.IGNORECASE
)
_BEGINNING = 200
#: Lines of one call that are known again, and commits that one call makes.
_MOST_LINES, _MOST_COMMITS = 5000, 50


def edits_of(given: Any) -> list[Edit]:
    """Return what a call writes: the file, and its new lines' marks."""
    if isinstance(given, str):
        return _of_patch(given) if _BEGIN in given else []
    if not isinstance(given, dict):
        return []
    path = next((given[key] for key in _PATHS if _is_text(given.get(key))), "")
    if path:
        parts = given.get("edits")
        every = [given, *(parts if isinstance(parts, list) else ())]
        found = [_written(part) for part in every if isinstance(part, dict)]
        marks = tuple(mark for new, _ in found for mark in new)[:_MOST_LINES]
        return [Edit(path, marks, whole=any(whole for _, whole in found))] if marks else []
    for key in _PATCHES:
        value = given.get(key)
        text = "\n".join(map(str, value)) if isinstance(value, list) else value
        if isinstance(text, str) and _BEGIN in text:
            return _of_patch(text)
    return []


def _written(part: dict[str, Any]) -> tuple[list[str], bool]:
    """Return the marks of a part's added lines, and whether it writes a whole file.

    What is repeated of the old text, to say where the new one goes, is not added.
    """
    new = marks_of("\n".join(part[key] for key in _TEXTS if _is_text(part.get(key))))
    old = [part[key] for key in _OLD if isinstance(part.get(key), str)]
    there = Counter(marks_of("\n".join(old)))
    added = []
    for mark in new:
        if there[mark]:
            there[mark] -= 1
        else:
            added.append(mark)
    whole = not old and any(part.get(key) for key in _WHOLE)
    return added, whole


def _of_patch(text: str) -> list[Edit]:
    """Parse `apply_patch` patches, where added lines begin with a plus."""
    added: dict[str, list[str]] = {}
    path = ""
    for line in text[text.index(_BEGIN) :].splitlines():
        named = _PATCHED.match(line)
        if named and named[1] == "Move to":
            added[named[2].strip()] = added.pop(path, [])
            path = named[2].strip()
        elif named:
            path = named[2].strip()
        elif path and line.startswith("+"):
            added.setdefault(path, []).append(line[1:])
    found = [Edit(name, marks_of("\n".join(lines))[:_MOST_LINES]) for name, lines in added.items()]
    return [one for one in found if one.marks]


def may_commit(given: Any) -> bool:
    """Return whether a call runs git in a way that may commit."""
    if not isinstance(given, dict):
        return False
    for key in _SHELL:
        value = given.get(key)
        text = " ".join(map(str, value)) if isinstance(value, list) else value
        if isinstance(text, str) and _GIT.search(text):
            return True
    return False


def commits_in(output: str) -> list[str]:
    """Return the commits in git's output: id and subject."""
    made = _MADE.findall(output)[:_MOST_COMMITS]
    return [f"{ident} {subject.strip()}".rstrip() for ident, subject in made]


def has_created(output: str) -> bool:
    """Return whether a file-writing tool reports a new file."""
    return bool(_CREATED.search(output[:_BEGINNING]))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)
