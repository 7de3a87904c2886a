"""Compiles one source of rules into every client's instruction file, and checks for drift.

Each file gets one marked block (`rule_blocks.py`); what people write around it is never touched.
"""

import difflib
import os
from collections.abc import Sequence
from typing import NamedTuple

from satchel.clients.contract.instructions import instructions_of
from satchel.clients.registry import ALIASES
from satchel.clients.settings_files import rule_blocks
from satchel.clients.settings_files.jsonc import decoded
from satchel.clients.settings_files.owned_parts import without_parts
from satchel.clients.settings_files.plan import FileChange, Plan, read_or_none
from satchel.core.errors import BadInputError, ConflictError, NotFoundError
from satchel.storage.safe_open import is_within, read_inside

_RULES = {rules.target: rules for rules in (instructions_of(one).rules for one in ALIASES)}
#: Target -> the file that its clients read.
TARGETS = {target: rules.file for target, rules in _RULES.items()}
#: Where to look for the rules, in order.
SOURCES = (".satchel/rules.md", "AGENTS.md", "BEANS.md")
_LARGEST = 1024 * 1024
_HINT = "Save it as UTF-8."


class Source(NamedTuple):
    """The rules: the file's relative name, its real path, and its text."""

    name: str
    path: str
    body: str


class Drift(NamedTuple):
    """The state of a target.

    Attributes:
        target: its name.
        path: of the file.
        state: current, missing, stale (the source changed), edited (the block changed), broken.
        detail: the difference as a unified diff, or what is broken.
    """

    target: str
    path: str
    state: str
    detail: str = ""


def read_source(root: str, given: str = "") -> Source:
    """Read a repository's source of rules.

    Raises:
        NotFoundError: there is none.
        BadInputError: it cannot be read, is empty, or contains a compiled block itself.
    """
    names = [given] if given else list(SOURCES)
    compiled = ""
    for name in names:
        path = os.path.join(root, *name.split("/"))
        if not os.path.lexists(path):
            continue
        try:
            text = read_inside(root, path, most=_LARGEST).decode().removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            raise BadInputError(
                f"{path} is not UTF-8 at byte {error.start}.", hint="Save it as UTF-8."
            ) from None
        body = text.replace("\r\n", "\n").strip("\n") + "\n"
        if not body.strip():
            raise BadInputError(f"{path} is empty.", hint="Write the rules into it.")
        if rule_blocks.holds_mark(body):
            # It was compiled from a source later in the order.
            compiled = compiled or path
            continue
        shown = os.path.relpath(os.path.realpath(path), os.path.realpath(root))
        if any(letter.isspace() for letter in shown) or "-->" in shown:
            raise BadInputError(
                f"{path} cannot be named in a mark.", hint="Use a path without spaces."
            )
        return Source(shown.replace(os.sep, "/"), os.path.realpath(path), body)
    if compiled:
        raise BadInputError(
            f"{compiled} contains a compiled block and cannot be the source.",
            hint="Keep the rules in .satchel/rules.md, or name the source with --source.",
        )
    raise NotFoundError(
        f"There are no rules: {' and '.join(names)} do not exist.",
        hint="Write .satchel/rules.md, or name a file with --source.",
    )


def with_body(source: Source, text: str) -> Source:
    """Return the source with its imports expanded.

    Raises:
        BadInputError: an import is a compiled block.
    """
    if rule_blocks.holds_mark(text):
        raise BadInputError(
            f"{source.name} imports a file that contains a compiled block.",
            hint="Remove that import: the block comes from here.",
        )
    return source._replace(body=text.strip("\n") + "\n")


def plan_rules(
    root: str, source: Source, targets: Sequence[str], *, overwrite: bool = False
) -> Plan:
    """Plan every target's block.

    Raises:
        ConflictError: a block was edited by hand without `overwrite`, its marks are broken, or the
        file is outside the repository.
    """
    changes, notes, seen = [], [], {source.path: source.name}
    for target in targets:
        path = _path(root, target)
        real = _inside(root, path)
        if real in seen:
            notes.append(f"{TARGETS[target]} is the same file as {seen[real]}; left as it is")
            continue
        seen[real] = TARGETS[target]
        before = read_or_none(path)
        text = decoded(before or b"", path, _HINT)
        state = rule_blocks.state_of(text, path, source.body)
        if state == rule_blocks.EDITED and not overwrite:
            raise ConflictError(
                f"{path}: the compiled block was edited by hand",
                hint=f"Carry the edit over to {source.name}; --overwrite then drops it here.",
            )
        after = rule_blocks.with_block(
            text or _RULES[target].head, path, source.body, source.name
        ).encode()
        if after != before:
            changes.append(FileChange(path, before, after, f"rules of {source.name}", ("rules",)))
    size = len(source.body.encode())
    notes += [one.too_long for one in _RULES.values() if one.most and size > one.most]
    return Plan(tuple(changes), tuple(notes))


def plan_without_rules(root: str, targets: Sequence[str]) -> Plan:
    """Plan removing the blocks, and files with nothing else."""
    changes = []
    for target in targets:
        path = _path(root, target)
        before = read_or_none(path)
        if before is None:
            continue
        _inside(root, path)
        after = without_parts(before, path, ["rules"])
        if after != before:
            changes.append(FileChange(path, before, after, "no compiled rules", ("rules",)))
    return Plan(tuple(changes), ())


def drift_of(root: str, source: Source, targets: Sequence[str]) -> list[Drift]:
    """Compare every target with the source. Read-only."""
    found, seen = [], {source.path}
    for target in targets:
        path = _path(root, target)
        try:
            real = _inside(root, path)
            if real in seen:
                continue
            seen.add(real)
            text = decoded(read_or_none(path) or b"", path, _HINT)
            state = rule_blocks.state_of(text, path, source.body)
            block = rule_blocks.block_in(text, path)
        except ConflictError as error:
            found.append(Drift(target, path, "broken", str(error)))
            continue
        lines = (
            difflib.unified_diff(
                (block.body if block else "").replace("\r\n", "\n").splitlines(keepends=True),
                source.body.splitlines(keepends=True),
                TARGETS[target],
                source.name,
            )
            if state != rule_blocks.CURRENT
            else ()
        )
        found.append(Drift(target, path, state, "".join(lines)))
    return found


def _path(root: str, target: str) -> str:
    return os.path.join(root, *TARGETS[target].split("/"))


def _inside(root: str, path: str) -> str:
    """Return the real path; raise if it is outside the repository."""
    real = os.path.realpath(path)
    if not is_within(real, os.path.realpath(root)):
        raise ConflictError(
            f"{path} leads to {real}, outside the repository",
            hint="Replace the link by a file, or leave this target out with --targets.",
        )
    return real
