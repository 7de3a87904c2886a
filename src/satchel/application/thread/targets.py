"""Parses what to explain: FILE:LINE, FILE:SYMBOL, a commit, a task, a session, a note."""

from __future__ import annotations

import os
import re
import shlex

from satchel.application.thread.values import COMMIT, LINE, NOTE, SESSION, SYMBOL, TASK
from satchel.core.errors import AmbiguousIdError, BadInputError, NotFoundError, SatchelError
from satchel.core.values import NamedTuple
from satchel.features.notes.note_indexes import NOTES
from satchel.storage.git import GitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from satchel.application.services import Services
    from satchel.features.thread.values import SessionFacts
    from satchel.storage.commits import History

#: Most lines of one query: `pay.py:10-40`.
MOST_LINES = 400
_LINES = re.compile(r"(\d+)(?:[-,](\d+))?\Z")
#: As compilers print it, with a column; as forges link to it.
_PRINTED = re.compile(r"(.+:\d+):\d+:?\Z", re.DOTALL)
_LINKED = re.compile(r"(.+)[#:]L(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?)?\Z", re.DOTALL)
#: How languages separate a method from what it belongs to, and Go writes what it belongs to.
_OF, _RECEIVER = re.compile(r"::|#|->"), re.compile(r"\(\*?(\w+)\)\.")
#: Seconds to look for a file that is gone.
_SOON = 2.0
#: What a file's name has, and few other words.
_FILE = re.compile(r"[./]\w")
#: Most colons in what a symbol is called.
_COLONS = 12
#: What of a file's beginning git looks at to tell whether it is binary.
_BEGINNING = 8000
_COMMIT = re.compile(r"[0-9a-f]{4,64}\Z")
#: A branch, a tag, `main~1`, `HEAD@{1}`: any other meaning of such a name takes precedence.
_REVISION = re.compile(r"[\w][\w./@{}~^-]{0,100}\Z")
#: Names that can only mean a commit.
_LIKE_COMMIT = re.compile(r"(?:HEAD|@|stash|refs/.+)(?:[~^@].*)?\Z|[0-9a-f]{7,64}\Z")
#: Fewest characters of a session's id to ask for it by.
_SHORTEST = 6


class Target(NamedTuple):
    """What to explain.

    Attributes:
        path: of the file, below the project's root; of a note, absolute.
        first: the first line, and `last` the last one.
        id: of the commit, task or session; of the symbol.
    """

    kind: str
    path: str = ""
    first: int = 0
    last: int = 0
    id: str = ""


def target_of(work: Services, asked: str, start: str = ".") -> Target | None:
    """Return the target; None if it is none of these and may be a memory."""
    asked = _as_lines(work, asked.strip(), start)
    for path, rest in _splits(asked):
        inside = inside_project(work, path, start)
        if inside:
            return _in_file(work, inside, rest)
    inside = inside_project(work, asked, start)
    if inside:
        note = _note(work, os.path.join(work.project.place.root, inside))
        if note:
            return Target(NOTE, note)
        name = shlex.quote(asked[:80])
        raise BadInputError(
            f"Which line of {asked[:80]} do you mean?",
            hint=f"For example `satchel why {name}:1`, `{name}:1-20`, or `{name}:NAME` for a "
            f"function. `satchel graph show {name}` shows what the whole file is connected to.",
        )
    if _is_task(work, asked):
        return Target(TASK, id=asked)
    facts = session_of(work, asked)
    if facts is not None:
        return Target(SESSION, id=facts.session)
    if work.project.place.common and (_COMMIT.match(asked) or _names_commit(asked)):
        sha = work.thread.history.find(asked)
        if sha:
            return Target(COMMIT, id=sha)
    if _is_memory(work, asked):
        return None
    if work.project.place.common and _REVISION.match(asked):
        sha = work.thread.history.find(asked)
        if sha:
            return Target(COMMIT, id=sha)
    note = _note(work, asked) or _note(work, f"{asked}.md")
    if not note:
        _refuse(work, asked, start)
    return Target(NOTE, note) if note else None


def _as_lines(work: Services, asked: str, start: str) -> str:
    """Return a place in a file as FILE:LINES, whichever way it is written; all else unchanged."""
    printed, linked = _PRINTED.match(asked), _LINKED.match(asked)
    if printed and inside_project(work, printed[1].rpartition(":")[0], start):
        return printed[1]
    if linked and inside_project(work, linked[1], start):
        return f"{linked[1]}:{linked[2]}" + (f"-{linked[3]}" if linked[3] else "")
    return asked


def _splits(asked: str) -> Iterator[tuple[str, str]]:
    """Yield a path and what may be meant in it, at each colon, since both may have colons."""
    end = len(asked)
    for _ in range(_COLONS):
        end = asked.rfind(":", 0, end)
        if end < 1:
            return
        yield asked[:end], asked[end + 1 :]


def _refuse(work: Services, asked: str, start: str) -> None:
    """Raise an error for what can only mean a line, a file, a directory or a commit."""
    path, _, rest = asked.rpartition(":")
    for name in {path, asked}:
        _refuse_missing(work, name, start)
    if path and rest.isdecimal():
        raise _no_file(path, start)
    if asked and os.path.isdir(os.path.join(start, asked)):
        raise _no_file(asked, start)
    if work.project.place.common and _LIKE_COMMIT.match(asked):
        raise _no_commit(work.thread.history, asked)


def _refuse_missing(work: Services, path: str, start: str) -> None:
    """Raise an error for a file that git knows, and the work tree has not."""
    full = os.path.join(os.path.realpath(start), path)
    inside = os.path.relpath(full, os.path.realpath(work.project.place.root))
    if not _FILE.search(path) or "\0" in path or inside.startswith("..") or os.path.exists(full):
        return
    history, shown = work.thread.history, path[:80]
    words = ("log", "--max-count=1", "--format=%H", "HEAD", "--", f":(literal){inside}")
    try:
        last = history.ask(*words, seconds=_SOON).strip() if work.project.place.common else ""
    except GitError:
        return  # no commit, or too many to look through
    if last and history.listing("HEAD", inside):
        raise NotFoundError(
            f"{shown} is in the commit that is checked out, but not in the work tree.",
            hint=f"`git restore {shlex.quote(shown)}` or `git sparse-checkout add` brings it back.",
        )
    if last:
        raise NotFoundError(
            f"{shown} is no longer here: commit {last[:10]} removed or renamed it.",
            hint=f"`satchel why {last[:10]}` is about that commit.",
        )


def _no_file(path: str, start: str) -> SatchelError:
    """Return why a path is not one to ask about."""
    full, shown = os.path.join(start, path), path[:80]
    if os.path.isdir(full):
        return NotFoundError(f"{shown} is a directory.", hint="Name a file in it, and a line.")
    if os.path.isfile(full):
        return NotFoundError(f"{shown} is not a file of this project's work tree.")
    return NotFoundError(
        f"There is no file {shown} here.", hint="Paths start from the current directory."
    )


def _no_commit(history: History, asked: str) -> SatchelError:
    """Return why git does not find a commit: there is none yet, or git refuses the repository."""
    try:
        history.ask("rev-parse", "--git-dir")
    except GitError as error:
        return error
    if not history.head():
        return NotFoundError("There is no commit here yet.")
    return NotFoundError(
        f"Git knows no commit {asked[:60]} here.", hint="`git log --all --oneline` lists them."
    )


def session_of(work: Services, reference: str) -> SessionFacts | None:
    """Return a session by id or prefix. Raises `AmbiguousIdError`."""
    if len(reference) < _SHORTEST:
        return None
    found = work.thread.store.sessions(reference)
    if len(found) > 1 and not _COMMIT.match(reference):
        names = ", ".join(one.session for one in found[:5])
        raise AmbiguousIdError(f"{reference!r} could be {names}.", hint="Give more of the id.")
    return found[0] if len(found) == 1 else None


def inside_project(work: Services, path: str, start: str) -> str:
    """Return a file's path below the project root; "" for anything else, and for git's own."""
    root = os.path.realpath(work.project.place.root)
    for above in (start, root) if "\0" not in path else ():
        full = os.path.realpath(os.path.join(above, path))
        if os.path.isfile(full) and full.startswith(root + os.sep):
            inside = os.path.relpath(full, root)
            return "" if ".git" in inside.split(os.sep) else inside
    return ""


def _in_file(work: Services, path: str, rest: str) -> Target:
    numbers = _LINES.match(rest)
    inner = _inner_repository(work.project.place.root, path)
    if inner:
        inside = shlex.quote(f"{path[len(inner) + 1 :]}:{rest}"[:80])
        raise BadInputError(
            f"{inner} is a repository of its own, so its files have no history in this one.",
            hint=f"Ask there: `cd {shlex.quote(inner)} && satchel why {inside}`.",
        )
    if numbers:
        first, last = int(numbers[1]), int(numbers[2] or numbers[1])
        if not 1 <= first <= last:
            raise BadInputError(
                f"There are no lines {rest}: they are counted from 1, the first one first."
            )
        if last - first >= MOST_LINES:
            raise BadInputError(f"Lines {rest} are too many: at most {MOST_LINES} at once.")
        if _is_binary(work, path):
            name = shlex.quote(path)
            raise BadInputError(
                f"{path} is a binary file, so it has no lines.",
                hint=f"`git log {name}` lists its commits; `satchel why COMMIT` is about one.",
            )
        return Target(LINE, path, first, last)
    with work.code as code:
        symbols = code.symbols(path)
    dotted = _OF.sub(".", _RECEIVER.sub(r"\1.", rest)).removesuffix("()")
    named = [one for one in symbols if one.qualified in (rest, dotted)]
    named = named or [one for one in symbols if one.name in (rest, dotted)]
    if not named:
        names = ", ".join(one.qualified for one in symbols[:8])
        raise NotFoundError(
            f"{path} has no symbol {rest[:60]!r}.", hint=names and f"It has {names}."
        )
    if len(named) > 1:
        places = ", ".join(f"{one.qualified} (line {one.line})" for one in named[:8])
        raise AmbiguousIdError(
            f"{path} has {len(named)} symbols {rest[:60]!r}: {places}.",
            hint="Name one of them, or its lines.",
        )
    one = named[0]
    return Target(
        SYMBOL, path, one.line, min(one.end_line, one.line + MOST_LINES - 1), one.qualified
    )


def _inner_repository(root: str, path: str) -> str:
    """Return the submodule, or other nested repository, that contains a file, or ""."""
    above = os.path.dirname(path)
    while above and not os.path.lexists(os.path.join(root, above, ".git")):
        above = os.path.dirname(above)
    return above


def _is_binary(work: Services, path: str) -> bool:
    try:
        with open(os.path.join(work.project.place.root, path), "rb") as file:
            return b"\0" in file.read(_BEGINNING)
    except OSError:
        return False  # git says why it cannot be read


def _is_task(work: Services, asked: str) -> bool:
    try:
        return work.tasks.view.find(asked) == asked
    except SatchelError:
        return False


def _is_memory(work: Services, asked: str) -> bool:
    """Return whether a memory has this id or key; these take precedence over names of notes."""
    try:
        work.memories.find(asked)
    except NotFoundError:
        return False
    except SatchelError:
        return True
    return True


def _note(work: Services, asked: str) -> str:
    """Return a note's path, given its path or the end of it, its name or id; "" for none."""
    with work.notes as notes:
        try:
            return notes.find(asked, NOTES)[0]
        except NotFoundError:
            return ""


def is_note(work: Services, inside: str) -> bool:
    """Return whether a file of the project is a learning note."""
    return bool(_note(work, os.path.join(work.project.place.root, inside)))


def _names_commit(asked: str) -> bool:
    return asked in ("HEAD", "@") or asked.startswith(("HEAD~", "HEAD^", "@~", "refs/", "origin/"))
