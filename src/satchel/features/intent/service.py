"""A project's intent: its document, its links, and the tasks they belong to."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence

from satchel.core import times
from satchel.core.errors import BadInputError, ConflictError, NotFoundError, SatchelError
from satchel.core.hashing import digest
from satchel.core.quick_json import dumps, loads
from satchel.features.intent.excerpt import excerpt
from satchel.features.intent.finding import find_section
from satchel.features.intent.links import Links
from satchel.features.intent.values import PRIMARY, Excerpt, Intent, IntentSection, Link, Problem
from satchel.project.store import ProjectStore
from satchel.storage.files import open_private, replace_file, unique_suffix
from satchel.storage.safe_open import read_inside

_LARGEST = 2 * 1024 * 1024
_CACHE_FORMAT = 1
_TEMPLATE = """---
version: 1
created_at: {now}
updated_at: {now}
---

# Project Intent: {name}

## Overview {{#anchor:overview}}

What this project is for, and for whom.

## Architecture Constraints {{#anchor:constraints}}

### Tech Stack {{#anchor:constraints.tech-stack}}

What it is built with, and why.

## Non-Negotiables {{#anchor:non-negotiables}}

What always has to hold.

## Anti-Goals {{#anchor:anti-goals}}

What this project does not try to be.
"""


class ProjectIntent:
    """`PROJECT_INTENT.md` of an open project, and the tasks linked to its sections.

    Args:
        ancestors: task -> the tasks above it, nearest first.
    """

    def __init__(self, project: ProjectStore, ancestors: Callable[[str], Sequence[str]]) -> None:
        self.project, self._ancestors = project, ancestors
        self.path = project.tracked.intent
        links, lock = project.tracked.intent_links, project.state.lock("intent-links")
        self.links = Links(links, lock, root=project.place.root)

    @property
    def exists(self) -> bool:
        """Return whether the project has an intent document."""
        return os.path.lexists(self.path)

    def read(self) -> Intent:
        """Parse the document, or return the cached result for the same bytes.

        Raises `NotFoundError` if there is none.
        """
        data = self._bytes()
        known = self._cached(digest(data).hex())
        if known is not None:
            return known
        from satchel.features.intent.reading import read_intent

        intent = read_intent(data)
        self._cache(intent)
        return intent

    def section(self, anchor: str) -> IntentSection:
        """Return a section by its anchor, or by its path of titles."""
        intent = self.read()
        found = find_section(intent, anchor)
        if found is None:
            import difflib

            names = [s.anchor or s.path for s in intent.sections if s.level]
            near = difflib.get_close_matches(anchor, names, n=1)
            raise NotFoundError(
                f"The intent has no anchor {anchor[:60]!r}.",
                hint=f"Did you mean {near[0]}?" if near else "`satchel intent anchors` lists them.",
            )
        return found

    def anchors_of(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return anchors as spelled in the document; unknown ones are unchanged."""
        intent = self.read() if self.exists else None
        found = [None if intent is None else find_section(intent, name) for name in names]
        return tuple(
            name if section is None else section.anchor or section.path
            for name, section in zip(names, found, strict=True)
        )

    def excerpt(self, *, task: str = "", budget: int = 0) -> Excerpt:
        """Return what an agent working on `task` gets, within `budget` tokens.

        Sections linked to the task are marked; those linked to its parents count as related.
        Without a document the text is empty.
        """
        if not self.exists:
            return Excerpt("", 0, (), (), ())
        primary, related = self._anchors_of(task)
        most = budget or self.project.settings.integer("intent.max_tokens")
        return excerpt(self.read(), primary=primary, related=related, budget=most)

    def link(self, link: Link) -> tuple[Link, bool]:
        """Link a task to an existing section; return the link, and whether it is new."""
        section = self.section(link.anchor)
        if not section.anchor:
            raise BadInputError(
                f"The section {section.title!r} has no anchor.",
                hint=f"Write `{{#anchor:{section.path}}}` at the end of its heading's line.",
            )
        now = times.utc(self.project.clock.now())
        kept = link._replace(
            anchor=section.anchor, added_at=link.added_at or now.isoformat(timespec="seconds")
        )
        return kept, self.links.add(kept)

    def check(self) -> list[Problem]:
        """Return all problems with the document and its links."""
        from satchel.features.intent.reading import front_matter_problems, read_intent

        data = self._bytes()
        intent = read_intent(data)
        problems = list(intent.problems) + front_matter_problems(data)
        anchors = {s.anchor for s in intent.sections if s.anchor}
        for link in self.links.all():
            if link.anchor not in anchors:
                text = f"{link.task} is linked to {link.anchor}, which is not an anchor here."
                hint = f"`satchel intent unlink {link.task} {link.anchor}`, or add the anchor."
                problems.append(Problem("broken_link", 0, text, hint))
        damage = self.links.damage()
        if damage:
            problems.append(Problem("links_file", 0, damage, "Fix the file by hand."))
        return problems

    def write_section(self, number: int, body: str, *, seen: str) -> Intent:
        """Replace a section's text, keeping its heading and subsections.

        Raises `ConflictError` if the document's hash is not `seen`.
        """
        data = self._bytes()
        intent = self.read()
        section = next((one for one in intent.sections if one.number == number), None)
        if section is None or seen not in (intent.hash, digest(data).hex()):
            raise ConflictError("The intent was changed in the meantime. Nothing was overwritten.")
        lines = data.decode("utf-8").splitlines(keepends=True)
        following = [one.line - 1 for one in intent.sections if one.line > section.line]
        end = min(following, default=len(lines))
        new = f"\n{body.strip()}\n" + ("\n" if end < len(lines) else "")
        made = "".join([*lines[: section.line], new, *lines[end:]])
        mode = stat.S_IMODE(os.stat(self.path).st_mode)
        replace_file(self.path, made.encode(), mode=mode)
        return self.read()

    def create(self, name: str = "") -> str:
        """Write an initial document; return its path. Never overwrites one."""
        if os.path.lexists(self.path):
            raise ConflictError(f"{self.path} already exists.", hint="`satchel intent show`.")
        now = times.iso(int(self.project.clock.now()))
        named = name or os.path.basename(self.project.place.root)
        replace_file(self.path, _TEMPLATE.format(now=now, name=named).encode(), mode=0o644)
        return self.path

    def _bytes(self) -> bytes:
        try:
            data = read_inside(self.project.place.root, self.path, most=_LARGEST)
        except NotFoundError:
            raise NotFoundError(
                "This project has no PROJECT_INTENT.md.",
                hint="`satchel intent new` writes one to begin with.",
            ) from None
        if not data.strip():
            raise BadInputError(f"{self.path} is empty.", hint="See docs/intent.md for its format.")
        return data

    def _anchors_of(self, task: str) -> tuple[list[str], list[str]]:
        if not task:
            return [], []
        own = self.links.of_task(task)
        primary = [link.anchor for link in own if link.relevance == PRIMARY]
        related = [link.anchor for link in own if link.relevance != PRIMARY]
        above = self._ancestors(task)
        if above:
            related += [link.anchor for link in self.links.of_task(*above)]
        return primary, related

    # The cache. It only saves time: if anything is wrong with it, the document is parsed again.

    def _cached(self, wanted: str) -> Intent | None:
        try:
            with open(self.project.state.intent, encoding="utf-8") as file:
                kept = loads(file.read())
            if kept["format"] != _CACHE_FORMAT or kept["hash"] != wanted:
                return None
            version, created, updated = kept["head"]
            return Intent(
                version,
                created,
                updated,
                sections=tuple(IntentSection(*one) for one in kept["sections"]),
                problems=tuple(Problem(*one) for one in kept["problems"]),
                hash=wanted,
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _cache(self, intent: Intent) -> None:
        kept = {
            "format": _CACHE_FORMAT,
            "hash": intent.hash,
            "head": [intent.version, intent.created_at, intent.updated_at],
            "sections": [list(one) for one in intent.sections],
            "problems": [list(one) for one in intent.problems],
        }
        path = self.project.state.intent
        temporary = f"{path}.{unique_suffix()}.tmp"
        try:
            # A cache need not survive a power loss: it is replaced without a flush.
            fd = open_private(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            with os.fdopen(fd, "w", encoding="utf-8") as file:
                file.write(dumps(kept))
            os.replace(temporary, path)
        except (OSError, ValueError, SatchelError):
            return
