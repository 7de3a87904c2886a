"""Approves instruction files outside the project, by what they say now."""

from __future__ import annotations

import os

from satchel.core.errors import BadInputError, ConflictError, NotFoundError
from satchel.core.trust import clean_text, refuse_agent
from satchel.features.instructions.service import InstructionFiles
from satchel.features.instructions.trust_policy import EVERYWHERE, Approval, approvable
from satchel.storage.safe_open import is_within, open_text

#: How many bytes of a file to show to whoever approves it.
_GLANCE = 800


def approve(
    instructions: InstructionFiles,
    path: str,
    *,
    everywhere: bool = False,
    shown: dict[str, str] | None = None,
) -> dict[str, str]:
    """Approve a file, or a folder's instruction files, in their current form: path -> SHA-256.

    For this project, or for all of the person's. `shown` is what the person was shown: raises
    `ConflictError` if that has changed meanwhile, and `NotFoundError` if there is nothing to
    approve.
    """
    refuse_agent(instructions.project.trust)
    found = would_approve(instructions, path)
    if shown is not None and found != shown:
        raise ConflictError(
            f"{path} has changed since it was shown; nothing was approved.",
            hint="Run the command again and look at what it says now.",
        )
    key = EVERYWHERE if everywhere else instructions.project.key
    instructions.approvals.add(key, found, instructions.project.clock.now())
    return found


def would_approve(instructions: InstructionFiles, path: str) -> dict[str, str]:
    """Return what `approve` would cover."""
    place = _placed(instructions, path)
    most = instructions.settings.integer("instructions.max_import_bytes")
    grounds = instructions.grounds
    if is_within(place, instructions.root):
        raise BadInputError(f"{path} is in the project and needs no approval.")
    found = approvable(place, grounds, (".md", ".mdc"), most)
    if not found:
        closed = grounds.closed(place)
        raise NotFoundError(
            f"{path} "
            + ("is in a place that is never read." if closed else "contains no text file."),
            hint="" if closed else "Name a file, or a folder that holds .md files.",
        )
    return found


def preview(path: str) -> str:
    """Return the beginning of a file to approve, cleaned."""
    opened = open_text(path, lambda _: "", most=_GLANCE, head_only=True)
    return clean_text(opened.data.decode("utf-8", "replace")) + ("" if opened.whole else "…")


def revoke(instructions: InstructionFiles, path: str) -> list[str]:
    """Revoke an approval, for this project and for all; return the paths.

    Raises `NotFoundError` if there was none.
    """
    place, approvals = _placed(instructions, path), instructions.approvals
    gone = [
        *approvals.remove(instructions.project.key, place),
        *approvals.remove(EVERYWHERE, place),
    ]
    if not gone:
        raise NotFoundError(
            f"{path} was not approved for this project.", hint="`satchel memory trust` lists them."
        )
    return gone


def approved(instructions: InstructionFiles) -> list[Approval]:
    """Return the approvals for this project, and for all."""
    key = instructions.project.key
    return [one for one in instructions.approvals.all() if one.project in (key, EVERYWHERE)]


def _placed(instructions: InstructionFiles, path: str) -> str:
    return os.path.realpath(os.path.join(instructions.cwd, os.path.expanduser(path)))
