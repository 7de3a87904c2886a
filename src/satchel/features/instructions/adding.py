"""Adds entries to instruction files: the target, its conflicts, what a session may write."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from satchel.clients.contract.instructions import LOCAL
from satchel.core import quick_json
from satchel.core.errors import BadInputError
from satchel.core.hashing import object_in, sealed
from satchel.core.trust import clean_text
from satchel.engine.statements.contradictions import Rule, clashes
from satchel.features.instructions.front_matter import read_front_matter
from satchel.features.instructions.places import local_name
from satchel.features.instructions.rule_lines import rules_in
from satchel.features.instructions.saving import (
    Change,
    Proposal,
    Target,
    ignore_change,
    propose,
    section_of,
)
from satchel.features.instructions.service import InstructionFiles, InstructionRequest
from satchel.storage.files import read_file, replace_file
from satchel.storage.safe_open import is_within

#: How long an "always in this session" is valid, seconds.
_SESSION_LASTS = 86_400
_MOST_SESSIONS = 50


def propose_entry(
    instructions: InstructionFiles,
    content: str,
    target: str = "project",
    section: str = "",
    *,
    anyway: bool = False,
) -> Proposal:
    """Propose adding an entry to an instruction file. Writes nothing until applied.

    Args:
        content: one thing to keep; see `saving.entry_text` for how it is converted.
        target: project, local, global, or the path of an instruction file.
        section: heading to add it under; "" for the file's own.
        anyway: write an entry even if it already exists.
    """
    place = target_of(instructions, target)
    heading = section or section_of(place.path)
    inside = is_within(os.path.realpath(place.path), instructions.root)
    hides = place.own and inside
    project = instructions.project
    # A person's own file is written from every project.
    state = project.state if inside or instructions.person is None else instructions.person.state
    made = propose(
        content,
        place,
        heading,
        lock=state.lock("memory-files"),
        clashing=lambda entry: clashes(entry, known_rules(instructions)),
        ignoring=(lambda path: _ignoring(instructions, path)) if hides else None,
        anyway=anyway,
    )
    most = instructions.settings.integer("instructions.max_import_bytes")
    if any(len(change.after) > most for change in made.changes):
        told = (
            f"only the first {most:,} bytes of an instruction file are read, perhaps without this"
        )
        made = made._replace(notes=(*made.notes, told))
    return made


def target_of(instructions: InstructionFiles, target: str) -> Target:
    """Return the file of a target.

    Raises `BadInputError` for a path that is not a place for instruction files.
    """
    root, homes = instructions.root, instructions.homes
    person = (
        () if homes is None else (os.path.realpath(homes.person), os.path.realpath(homes.satchel))
    )
    if target == "global":
        return Target(_global_file(instructions), own=True, within=person)
    if target in ("project", "local"):
        project, names = instructions.project, instructions.wanted().names
        path = _first_of(project.place.root, names, project.tracked.place("memory"))
        if target == "local":
            beside = os.path.join(os.path.dirname(path), local_name(os.path.basename(path)))
            path = _first_of(project.place.root, [local_name(name) for name in names], beside)
        return Target(path, own=target == "local", within=(root,))
    path = os.path.normpath(os.path.join(instructions.cwd, os.path.expanduser(target)))
    known = {source.path: source for source in instructions.sources()}
    places = {
        os.path.join(os.path.realpath(os.path.dirname(p)), os.path.basename(p)): p
        for p in [*instructions.places(), *known]
    }
    found = places.get(
        os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
    )
    if found is None:
        there = sorted(instructions.shown(p) for p in known)[:8]
        raise BadInputError(
            f"{target} is not an instruction file of this project or of yours.",
            hint=f"Say project, local or global, or one of: {', '.join(there) or 'AGENTS.md'}.",
        )
    inside = is_within(found, root)
    source = known.get(found)
    own = (
        not inside or ".local." in os.path.basename(found) or bool(source and source.tier == LOCAL)
    )
    return Target(found, own=own, within=(root,) if inside else person)


def _first_of(root: str, names: Sequence[str], otherwise: str) -> str:
    """Return the first existing file of these names in a directory, or another path."""
    paths = (os.path.join(root, name) for name in names)
    return next((path for path in paths if os.path.isfile(path)), otherwise)


def _global_file(instructions: InstructionFiles) -> str:
    """Return the user's file: that of beans if its layout is chosen or it exists."""
    homes, person = instructions.homes, instructions.person
    if homes is None or person is None:
        raise BadInputError("A team's server has no personal instruction file.")
    beans = os.path.join(homes.beans, "BEANS.md")
    own = person.home.instructions
    chosen = instructions.settings.text("layout.preset") == "beans"
    return beans if chosen or (os.path.isfile(beans) and not os.path.isfile(own)) else own


def known_rules(instructions: InstructionFiles) -> list[Rule]:
    """Return possible rules in all instruction files and imports, with their place."""
    reader = instructions.reader()
    instructions.load_with(reader, InstructionRequest(requested=True))
    rules: list[Rule] = []
    seen: set[str] = set()
    for text in reader.texts():
        if text.real in seen:
            continue
        seen.add(text.real)
        head = read_front_matter(text.data)
        if head.enabled:
            body = clean_text(head.body.decode("utf-8", "replace"))
            lines = rules_in(text.path, body)
            rules += [rule._replace(line=rule.line + head.body_line - 1) for rule in lines]
    return rules


def _ignoring(instructions: InstructionFiles, path: str) -> tuple[Change | None, str]:
    """Return the `.gitignore` change that hides a local file; None outside git."""
    place = instructions.project.place
    if not place.common:
        return None, ""
    from satchel.storage import git

    try:
        if git.is_tracked(place.root, path, seconds=5.0):
            return (
                None,
                f"git tracks {instructions.shown(path)} already: ignoring no longer hides it",
            )
        if git.is_ignored(place.root, path, seconds=5.0):
            return None, ""
    except git.GitError:
        pass  # without git, an extra entry does no harm
    return ignore_change(instructions.root, path), ""


# The session's list


class SessionList:
    """Files a session may write without asking; kept for a day.

    Args:
        session: its id; "" for none, which may write nothing.
    """

    def __init__(self, instructions: InstructionFiles, session: str) -> None:
        self._path = instructions.project.state.memory_sessions
        self._now = instructions.project.clock.now()
        self._session = session

    def allows(self, path: str) -> bool:
        """Return whether the user answered "always" for this file in this session."""
        kept = self._read().get(self._session, {}) if self._session else {}
        return path in kept.get("paths", [])

    def allow(self, path: str) -> None:
        """Record that the user answered "always"."""
        if not self._session:
            return
        sessions = self._read()
        paths = sessions.get(self._session, {}).get("paths", [])
        sessions[self._session] = {"at": int(self._now), "paths": sorted({*paths, path})}
        newest = sorted(sessions, key=lambda name: sessions[name]["at"])[-_MOST_SESSIONS:]
        kept = {name: sessions[name] for name in newest}
        replace_file(self._path, sealed(quick_json.dumps({"sessions": kept}))[0])

    def _read(self) -> dict[str, Any]:
        try:
            kept = object_in(read_file(self._path)).get("sessions", {})
            return {
                name: one
                for name, one in kept.items()
                if abs(self._now - one["at"]) < _SESSION_LASTS
            }
        except (ValueError, TypeError, KeyError, AttributeError):
            return {}
