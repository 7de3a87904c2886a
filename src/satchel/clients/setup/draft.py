"""Collects edits of files into a plan."""

import os
from collections.abc import Callable

from satchel.clients.settings_files.plan import FileChange, Plan, read_or_none


class Draft:
    """Collected edits of files; several edits of a file become one change."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._files: dict[str, tuple[bytes | None, bytes | None, list[str], list[str]]] = {}

    def edit(self, path: str, part: str, why: str, change: Callable[[bytes], bytes | None]) -> bool:
        """Edit a file's bytes (empty if it is new); return whether they changed.

        Raises:
            ConflictError: it cannot be changed safely.
        """
        known = self._files.get(path)
        before = known[0] if known else read_or_none(path)
        now = known[1] if known else before
        after = change(now or b"")
        if after == now or (now is None and after == b""):
            return False
        parts, reasons = (known[2], known[3]) if known else ([], [])
        self._files[path] = (before, after, [*parts, part], [*reasons, why])
        if not known and (os.path.islink(path) or os.path.islink(os.path.dirname(path))):
            self.notes.append(f"{path} leads to {os.path.realpath(path)}, which is what changes")
        return True

    def add(self, plan: Plan) -> None:
        """Add another plan's changes, to files of its own."""
        for change in plan.changes:
            parts = list(change.parts)
            self._files[change.path] = (change.before, change.after, parts, [change.why])
        self.notes += plan.notes

    def plan(self) -> Plan:
        """Return all changes as a plan."""
        changes = [
            FileChange(
                path, before, after, "; ".join(dict.fromkeys(why)), tuple(dict.fromkeys(parts))
            )
            for path, (before, after, parts, why) in self._files.items()
            if before != after
        ]
        return Plan(tuple(changes), tuple(dict.fromkeys(self.notes)))
