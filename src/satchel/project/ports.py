"""What parts of a workspace ask of the whole that they are part of. Types alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from satchel.application.health.findings import Finding
from satchel.core.scope import Scope
from satchel.features.memories.service import Remembered
from satchel.storage.ledger.record import Record


class Abilities(Protocol):
    """The project as a whole, as far as its parts need it: `Workspace` is one."""

    def remember(self, content: str, *, kind: str, user: bool = False, **fields: Any) -> Record:
        """Remember one thing and return it as saved."""

    def history(self, given: str) -> Sequence[Remembered]:
        """Every version of a memory, newest first."""

    def scope(self, task: str = "") -> Scope:
        """Return the scope of a task."""

    def examine(self) -> Sequence[Finding]:
        """Find whatever is wrong."""
