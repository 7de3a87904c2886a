"""Applies edits to a file's text, and checks that they only add. Pure."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence

from satchel.core.errors import BadInputError, ConflictError
from satchel.core.trust import clean_text
from satchel.core.values import NamedTuple
from satchel.engine.markdown.conflicts import sides_of
from satchel.features.proposals.values import (
    APPEND,
    CREATE,
    ENTRY,
    PROJECT,
    REINFORCE,
    STRUCTURED,
    TAKE_OUT,
    WITHDRAW,
    Edit,
)

#: Editors of structured files that change a field besides a rule, or remove a rule.
RESTATING = (REINFORCE, "promote", WITHDRAW)
_SIDECAR = ".entities.yaml"
_NAMES = 100
#: Given a file (None: missing) and an edit, returns the new file.
Editor = Callable[[bytes | None, Edit], bytes]


class Change(NamedTuple):
    """A file's current content (None: missing) and its new one; `edit` says why."""

    path: str
    before: bytes | None
    after: bytes
    edit: Edit


def with_free_names(
    edits: Sequence[Edit], contents: Callable[[Edit], bytes | None]
) -> tuple[Edit, ...]:
    """Rename edits that create project notes so that no name is taken.

    Two lessons may have the same name; the second one's note and sidecar get `-2` and so on. A note
    already there from a killed run is recognized.
    """
    stems = {
        one.path.removesuffix(_SIDECAR)
        for one in edits
        if one.operation == CREATE and one.below == PROJECT and one.path.endswith(_SIDECAR)
    }
    made = list(edits)
    for stem in sorted(stems):
        own = [n for n, one in enumerate(made) if one.path in (f"{stem}.md", f"{stem}{_SIDECAR}")]
        for number in range(2, _NAMES):
            there = [contents(made[n]) for n in own]
            if all(
                data is None or data == made[n].text.encode("utf-8", "replace")
                for n, data in zip(own, there, strict=True)
            ):
                break
            for n in own:
                end = edits[n].path.removeprefix(stem)
                made[n] = edits[n]._replace(path=f"{stem}-{number}{end}")
    return tuple(made)


def edited(before: bytes | None, edit: Edit, editors: Mapping[str, Editor]) -> bytes:
    """Return a file after an edit. Idempotent.

    Raises `ConflictError` if another file is in its place, or if existing content would be lost;
    only a move removes lines, those that it names.
    """
    after = _made(before, edit, editors)
    restates = edit.operation == TAKE_OUT or edit.section in RESTATING
    if not restates and not only_adds(before or b"", after):
        sides = sides_of((before or b"").decode("utf-8", "replace"))
        if sides is not None:
            raise ConflictError(
                f"{edit.path} has a git conflict marker in line {sides.line}; nothing was written.",
                hint="Finish the merge: keep the rules of both sides, take the markers out.",
            )
        raise ConflictError(
            f"The change would rewrite what {edit.path} says already; nothing was written.",
            hint="Make the change by hand, or reject it.",
        )
    return after


def _made(before: bytes | None, edit: Edit, editors: Mapping[str, Editor]) -> bytes:
    new = edit.text.encode("utf-8", "replace")
    if edit.operation == CREATE:
        if before is not None and before != new:
            raise ConflictError(
                f"{edit.path} is there already, and says something different.",
                hint="Reject the proposal, or rename the file first.",
            )
        return new
    if edit.operation == APPEND:
        return _appended(before or b"", new)
    if edit.operation == TAKE_OUT:
        return _remove_lines(before, edit)
    name = edit.section if edit.operation == STRUCTURED else ENTRY
    if name not in editors:
        raise BadInputError(f"Satchel cannot edit {name[:40]!r}.", hint="Reject the proposal.")
    return editors[name](before, edit)


def _appended(before: bytes, new: bytes) -> bytes:
    if new.strip() in before:
        return before
    gap = b"" if not before else b"\n" if before.endswith(b"\n") else b"\n\n"
    return before + gap + new + (b"" if new.endswith(b"\n") else b"\n")


def _remove_lines(before: bytes | None, edit: Edit) -> bytes:
    """Remove whole lines, each once. Missing lines are not a conflict."""
    wanted = edit.text.splitlines()
    kept = []
    for line in (before or b"").decode("utf-8", "surrogateescape").splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        if bare.strip() and bare in wanted:
            wanted.remove(bare)
        else:
            kept.append(line)
    return "".join(kept).encode("utf-8", "surrogateescape")


def only_adds(before: bytes, after: bytes) -> bool:
    """Return whether all of a file's lines remain, in the same order.

    A last line without a newline may get one.
    """
    lines = iter(after.splitlines())
    return all(any(line == other for other in lines) for line in before.splitlines())


def without_change(before: bytes, after: bytes, now: bytes) -> bytes | None:
    """Undo a change to a file edited since: additions are removed, removals restored.

    None if the added lines are no longer together, or the place of the removed ones is unknown.
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    left = now.splitlines(keepends=True)
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    for tag, first, last, begin, end in matcher.get_opcodes():
        if tag == "equal":
            continue
        at = _nearest(first, left, new[begin:end], new[:begin][-1:])
        if at < 0:
            return None
        left[at : at + end - begin] = old[first:last]
    # A last line without a newline may have become a middle one.
    ended = [line if line.endswith(b"\n") else line + b"\n" for line in left[:-1]]
    return b"".join([*ended, *left[-1:]])


def _nearest(
    place: int, lines: Sequence[bytes], block: Sequence[bytes], behind: Sequence[bytes]
) -> int:
    """Return where a block occurs nearest to a position, or -1; an empty one follows a line."""
    wanted = [*(block or behind)]
    skip = 0 if block else len(behind)
    starts = range(len(lines) - len(wanted) + 1)
    found = [at + skip for at in starts if [*lines[at : at + len(wanted)]] == wanted]
    return min(found, key=lambda at: abs(at - place), default=-1)


def diff_of(change: Change, shown: str) -> str:
    """Return a change as a cleaned unified diff, under the file's display name."""

    def lines(data: bytes | None) -> list[str]:
        return clean_text((data or b"").decode("utf-8", "replace")).splitlines(keepends=True)

    name = clean_text(shown).replace("\n", " ")
    before = "/dev/null" if change.before is None else f"a/{name}"
    told = difflib.unified_diff(lines(change.before), lines(change.after), before, f"b/{name}")
    return "".join(line if line.endswith("\n") else line + "\n" for line in told)
