"""Builds a turn, which clients split into many records."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from satchel.clients.transcript_format.questions import NOTHING, Asked, asked_in, typed_in
from satchel.clients.transcript_format.texts import (
    ERROR,
    call_of,
    said_by_person,
    said_in_rejecting,
)
from satchel.clients.transcript_format.values import USER, Edit, TranscriptHead, Turn
from satchel.core.excerpts import beginning
from satchel.core.line_marks import marks_of
from satchel.core.quick_json import dumps
from satchel.core.shapes import list_of

_PATHS = (
    "file_path",
    "filePath",
    "path",
    "absolute_path",
    "notebook_path",
    "target_file",
    "filename",
)
#: The arguments with new text in writing tools, by the clients' names for them.
_TEXTS = (
    "new_string",
    "newString",
    "new_str",
    "content",
    "contents",
    "file_text",
    "insert_text",
    "code_edit",
)
_OLD = ("old_string", "oldString", "old_str")
_WHOLE = ("content", "contents", "file_text")
#: The argument with a notebook's new cell.
_CELL = "new_source"
#: The arguments that may be a whole patch, and those of a shell that may run one.
_PATCHES = ("input", "patch", "patchText", "diff")
_SHELL = ("command", "cmd", "script")
_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_PATCHED = re.compile(r"\*\*\* (Add File|Update File|Delete File|Move to): (.+)")
#: What stands before a patch that a shell applies; one in another heredoc is only quoted.
_APPLIES = re.compile(
    r"(?:[^<]*[;&|(\n'\"])??[ \t]*(?:cd\s+([^\s;&|<'\"]+)\s*(?:&&|;)\s*)?"
    r"(?:cat\s*<<-?\s*['\"]?\w+['\"]?\s*\|\s*)?"
    r"apply_?patch\s*(?:<<-?)?\s*[$('\"]*\w*['\"]?\s*\Z"
)
#: What may stand before a patch that is the whole argument.
_ALONE = re.compile(r"\s*(?:<<-?\s*['\"]?\w+['\"]?\s*)?\Z")
_WORK_DIRECTORIES = ("workdir", "cwd")
#: One command that may commit. A message may speak of `--dry-run`: that is behind a quote.
_GIT = re.compile(
    r"\bgit\b(?:[^;&|\n]|\\\n){0,400}?\b(?:commit|cherry-pick|revert|merge|am|rebase)(?![\w-])"
    r"(?![^;&|\n\"']*--dry-run)"
)
#: `[main 1a2b3c4] Say it`, `[main (root-commit) 1a2b3c4] Say it`: git's output for a new commit.
_MADE = re.compile(r"^\[[^\[\]\n]{1,200}? ([0-9a-f]{7,64})\] ?([^\n]{0,200})", re.MULTILINE)
_CREATED = re.compile(
    r"\b(?:file created|created (?:and wrote to )?(?:a )?(?:new )?file)\b", re.IGNORECASE
)
_BEGINNING = 200
#: Most lines of one call to recognize again, and most commits of one call.
_MOST_LINES, _MOST_COMMITS = 5000, 50


def edits_of(given: Any) -> list[Edit]:
    """Return what a call writes: the file, and its new lines' marks."""
    if isinstance(given, str):
        return _of_patch(given)
    if not isinstance(given, dict):
        return []
    path = next((given[key] for key in _PATHS if _is_text(given.get(key))), "")
    if path:
        parts = given.get("edits")
        every = [given, *list_of(parts)]
        found = [_written(part) for part in every if isinstance(part, dict)]
        new = [text for one in found for text in one[0]]
        old = [text for one in found for text in one[1]]
        return _edit(path, new, old, whole=any(whole for _, _, whole in found))
    beside = next((given[key] for key in _WORK_DIRECTORIES if _is_text(given.get(key))), "")
    for key in (*_PATCHES, *_SHELL):
        value = given.get(key)
        text = "\n".join(map(str, value)) if isinstance(value, list) else value
        if isinstance(text, str) and _BEGIN in text:
            return _of_patch(text, beside, by_shell=key in _SHELL)
    return []


def _written(part: dict[str, Any]) -> tuple[list[str], list[str], bool]:
    """Return a part's new and old texts, and whether it writes a whole file or a whole cell."""
    new = [part[key] for key in _TEXTS if _is_text(part.get(key))]
    old = [part[key] for key in _OLD if isinstance(part.get(key), str)]
    cell = part.get(_CELL)
    new += [_as_in_notebook(cell)] if isinstance(cell, str) and cell else []
    return new, old, not old and any(part.get(key) for key in (*_WHOLE, _CELL))


def _as_in_notebook(cell: str) -> str:
    """Return a cell as a notebook's file has it: a JSON text for each line, or one for all."""
    *lines, last = cell.splitlines(keepends=True)
    quoted = [f"{dumps(line)}," for line in lines]
    return "\n".join([*quoted, dumps(last), f'"source": {dumps(cell)}'])


def _edit(path: str, new: list[str], old: list[str], *, whole: bool = False) -> list[Edit]:
    """Return what replacing old texts by new ones adds and removes; nothing if that is nothing.

    Lines in both were only moved, indented, or repeated to locate the change.
    """
    added, removed = marks_of("\n".join(new)), marks_of("\n".join(old))
    marks, gone = _without(added, removed), _without(removed, added)
    return [Edit(path, marks, whole, gone)] if marks or gone else []


def _without(marks: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """Return marks, each as often as it exceeds the others."""
    there, found = Counter(others), []
    for mark in marks:
        if there[mark]:
            there[mark] -= 1
        else:
            found.append(mark)
    return tuple(found[:_MOST_LINES])


def _of_patch(text: str, directory: str = "", *, by_shell: bool = False) -> list[Edit]:
    """Parse `apply_patch` patches, where added lines begin with a plus, removed with a minus.

    Nothing if the patch is only quoted. A file that it deletes is an edit without lines, and so is
    one that it adds, before the edit with its lines: it may write over a file.

    Args:
        directory: where the call works, if it says so.
        by_shell: the text is a command, and not a patch alone.
    """
    before, begin, rest = text.partition(_BEGIN)
    applies = _APPLIES.match(before)
    if not begin or not (applies or (not by_shell and _ALONE.match(before))):
        return []
    directory = posixpath.join(directory, (applies and applies[1]) or "")
    lines: dict[str, list[str]] = {}
    told: list[Edit] = []
    path = ""
    for line in rest.split("\n"):
        named = _PATCHED.match(line)
        if named and named[1] == "Move to":
            lines[named[2].strip()] = lines.pop(path, [])
            path = named[2].strip()
        elif named and named[1] == "Delete File":
            told.append(Edit(named[2].strip(), (), whole=True))
            path = ""
        elif named:
            path = named[2].strip()
            told += [Edit(path, ())] if named[1] == "Add File" else []
        elif line.startswith(_END):
            path = ""
        elif path:
            lines.setdefault(path, []).append(line)
    edits = [edit for name, found in lines.items() for edit in _edit(name, *sides_of(found))]
    return [one._replace(path=posixpath.join(directory, one.path)) for one in (*told, *edits)]


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


#: The lines that a change adds, and those that it removes.
Sides = tuple[list[str], list[str]]


def changed_in(diff: Any) -> Sides:
    """Return the lines that a unified diff of one file changes; none for several files."""
    if not isinstance(diff, str) or diff.count("\n+++ ") != 1:
        return [], []
    # The first hunk's own line begins with a minus then.
    return sides_of(diff.partition("\n@@ ")[2].split("\n")[1:])


def sides_of(lines: list[str]) -> Sides:
    """Return the added and the removed lines of a diff's hunks."""
    added, removed = ([line[1:] for line in lines if line.startswith(sign)] for sign in "+-")
    return added, removed


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


#: Most calls and errors kept for one turn.
_MOST_CALLS, _MOST_ERRORS = 60, 20
#: Some clients put an hour's work into one turn.
_MOST_EDITS = 2000


class TurnBuilder:
    """A turn that later records may extend.

    Args:
        offset: where its first record begins in the file; reading from there rebuilds it.
    """

    def __init__(self, role: str, ident: str, at: float, offset: int, key: str = "") -> None:
        self.role, self.id, self.at, self.offset, self.key = role, ident, at, offset, key
        self.texts: list[str] = []
        self.tools: list[str] = []
        self.errors: list[str] = []
        self.edits: list[tuple[str, Edit]] = []
        #: Calls that something was returned of, and when.
        self.answered: dict[str, float] = {}
        self.commits: list[str] = []
        #: Calls that may make a commit; "" if the client gives calls no ids.
        self.git: set[str] = set()
        self.asked: dict[str, Asked] = {}
        self.model = self.branch = ""
        self.rejects = False

    def says(self, text: str) -> None:
        """Add a text; an identical one is another log's copy."""
        if text and text not in self.texts:
            self.texts.append(text)

    def calls(self, name: Any, given: Any, ident: str = "") -> None:
        """Add a tool call; `ident` matches its result."""
        if len(self.tools) < _MOST_CALLS:
            self.tools.append(call_of(name, given))
        if len(self.edits) < _MOST_EDITS:
            self.edits += [(ident, edit) for edit in edits_of(given)]
        if may_commit(given):
            self.git.add(ident)
        self.asked[ident] = asked_in(name, given)

    def returns(self, text: str, ident: str = "", at: float = 0.0) -> None:
        """Add a call's result: commits it made, a file it created.

        A call may wait for an hour until it is allowed, and some turns take longer: what it wrote
        was written when it returned.
        """
        self.answered[ident] = at
        if ident and has_created(text):
            self.edits = [
                (call, edit._replace(whole=False) if call == ident else edit)
                for call, edit in self.edits
            ]
        if ident in self.git:
            self.commits += [one for one in commits_in(text) if one not in self.commits]

    def wrote(self, path: str, lines: Sides, ident: str, *, all_of_it: bool = False) -> None:
        """Replace what a call seemed to change by the lines that its client reports as changed.

        A call's text may be part of a line, or a file with only some new lines. With `all_of_it`, a
        call without changed lines changed none.
        """
        named = next((one.path for call, one in self.edits if call == ident), path)
        if ident and named and (any(lines) or all_of_it):
            self.edits = [(call, edit) for call, edit in self.edits if call != ident]
            self.edits += [(ident, edit) for edit in _edit(named, *lines)]

    def typed_answers(self, ident: str, answers: Iterable[Any]) -> str:
        """Return what a person typed in answer to a call's questions, which then count as said."""
        asked = self.asked.get(ident, NOTHING)
        typed = said_by_person(typed_in(asked, answers))
        self.says("\n".join(asked.questions) if typed else "")
        return typed

    def writes(self, ident: str) -> bool:
        """Return whether a call writes something, as far as is known by now."""
        return any(call == ident for call, _ in self.edits)

    def fails(self, text: str, ident: str = "") -> None:
        """Add a failed call's result: it wrote nothing."""
        if ident:
            self.edits = [(call, edit) for call, edit in self.edits if call != ident]
        if text and len(self.errors) < _MOST_ERRORS:
            self.errors.append(beginning(text, ERROR))

    def turn(self) -> Turn | None:
        """Return the turn; None if it is empty."""
        text = "\n".join(self.texts)
        if not text and not self.tools and not self.errors:
            return None
        return Turn(
            self.role,
            text,
            self.at,
            id=self.id,
            tools=tuple(self.tools),
            errors=tuple(self.errors),
            model=self.model,
            rejects=self.rejects,
            # A call without a result may have written nothing.
            edits=tuple(
                edit._replace(at=self.answered[call])
                if call in self.answered
                else edit._replace(whole=True)
                for call, edit in self.edits
            ),
            commits=tuple(self.commits),
            branch=self.branch,
        )


class RecordReader:
    """The common part of all clients' readers: a head, and the open turn.

    Args:
        path: the file; its name often tells the session.
        head: what is already known of the session.

    Attributes:
        client: the client whose records it reads.
        one_document: whether a file may be one JSON document instead of lines.
        every_message_has: bytes that every line with a message contains; b"" if unknown.
    """

    client = ""
    one_document = False
    every_message_has = b""

    def __init__(self, path: str, head: TranscriptHead | None) -> None:  # noqa: ARG002 -- theirs
        self.head = head or TranscriptHead(self.client)
        self.open: TurnBuilder | None = None

    @staticmethod
    def knows(record: dict[str, Any]) -> bool:
        """Return whether a record is this client's."""
        raise NotImplementedError

    def feed(self, record: dict[str, Any], offset: int, key: str) -> list[Turn]:
        """Process a record; return the turns that it completes."""
        raise NotImplementedError

    def since(self) -> int | None:
        """Return the start of the first record whose turn may still grow."""
        return self.open.offset if self.open is not None else None

    def begin(
        self, role: str, ident: str, at: float, offset: int, key: str = ""
    ) -> tuple[TurnBuilder, list[Turn]]:
        """Open a turn; return it and the turn it closes."""
        done = self.finish()
        self.open = TurnBuilder(role, ident, at, offset, key)
        return self.open, done

    def said(self, role: str, text: str, ident: str, at: float, offset: int) -> list[Turn]:
        """Open a turn with this text; return the turn it closes."""
        turn, done = self.begin(role, ident, at, offset)
        turn.says(text)
        return done

    def replied(self, told: str, typed: str, ident: str, at: float) -> list[Turn]:
        """Open a turn with what the person said to a call, if they did.

        Args:
            told: the result of a call that was rejected; "" of others.
            typed: what was typed in answer to its questions.
        """
        refusal = said_in_rejecting(told)
        if self.open is None or not (refusal or typed):
            return []
        # From its call on, without which its words could be any tool's.
        turn, done = self.begin(USER, ident, at, self.open.offset)
        turn.says(refusal or typed)
        turn.rejects = bool(refusal)
        return done

    def finish(self) -> list[Turn]:
        """Close the open turn and return it."""
        turn = self.open.turn() if self.open is not None else None
        self.open = None
        return [turn] if turn is not None else []
