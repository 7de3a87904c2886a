"""Codex: AGENTS.md and its override file, and its own memories."""

from __future__ import annotations

import os

from satchel.clients.contract.instructions import (
    AGENT,
    AGENTS_RULES,
    ON_REQUEST,
    PRIORITIES,
    USER,
    Directory,
    File,
    Instructions,
    Source,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def _notes(home: str, _directories: Sequence[str]) -> list[Directory]:
    note = Source("", AGENT, USER, PRIORITIES[AGENT], order=20, clients=("codex",), kind=ON_REQUEST)
    return [Directory(os.path.join(home, "memories"), ".md", note)]


INSTRUCTIONS = Instructions(
    AGENTS_RULES,
    reads=("AGENTS.md", "AGENTS.override.md"),
    override="AGENTS.override.md",
    home_files=(File("AGENTS.override.md", order=1), File("AGENTS.md", order=2)),
    notes=_notes,
)
