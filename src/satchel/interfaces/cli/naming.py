"""Finds the memory that a command line names, or says what was meant."""

from __future__ import annotations

import textwrap

from satchel.core.errors import NotFoundError, SatchelError
from satchel.core.ids import CLIENT_CHARACTERS, short_id
from satchel.core.trust import UNAPPROVED, clean_line
from satchel.engine.search.records import StoredMemory
from satchel.features.sessions.values import IMPORTED, NEWEST
from satchel.interfaces.rendering import said_of
from satchel.workspace import Workspace

#: Most memories to suggest for a missing one, and characters of each.
_NEAR, _SHOWN = 3, 60


def named(workspace: Workspace, reference: str, *, hint: str = "") -> StoredMemory:
    """Return a memory by its id, the beginning of it, or its key.

    `hint` is what else to do if there is none.

    Raises `NotFoundError` if there is none, with memories that have these words or a similar name.
    """
    try:
        return workspace.memories.find(reference)
    except NotFoundError as error:
        session = _session(workspace, reference)
        if session:
            raise NotFoundError(
                f"{reference[:80]!r} is a session, not a memory.",
                hint=f"`satchel sessions show {session}` shows it.",
            ) from error
        near = _near(workspace, reference)
        told = ["\n  ".join(["Did you mean one of these?", *near])] if near else []
        told += [hint] if hint or near else [error.hint]
        raise NotFoundError(str(error), hint="\n".join(filter(None, told))) from error


def led_on(workspace: Workspace, item: StoredMemory) -> tuple[StoredMemory, list[str]]:
    """Return what replaced a memory, and a line that says so; itself and no line if nothing.

    A kept id should lead to what holds now; the line has the old text.
    """
    later = workspace.memories.successor(item)
    if later is None:
        return item, []
    was = item.record
    said = textwrap.shorten(clean_line(said_of(was)), _SHOWN, placeholder=" …")
    old, new = short_id(was.id), short_id(later.record.id)
    text = f" ({said})" if said else ""
    return later, [f"{old}{text} was replaced by {new}:"]


def _near(workspace: Workspace, words: str) -> list[str]:
    """Return the ids and first words of memories with these words."""
    try:
        found = workspace.recall(words, limit=_NEAR, method="keyword", partial=True).items
    except SatchelError:
        return []
    return [
        f"{short_id(one.record.id)}  "
        + textwrap.shorten(said_of(one.record), _SHOWN, placeholder=" …")
        + (f"  ({UNAPPROVED})" if one.record.trust == UNAPPROVED else "")
        for one in found
    ]


def _session(workspace: Workspace, reference: str) -> str:
    """Return the id of the session that this names, or ""."""
    from satchel.interfaces.cli.sessions.archive import found_session

    with workspace.sessions as sessions:
        try:
            found = found_session(sessions, reference)
        except SatchelError:
            return ""
    if reference in NEWEST:
        return clean_line(reference)
    return clean_line(
        found.id[:CLIENT_CHARACTERS] if found.status == IMPORTED else short_id(found.id)
    )
