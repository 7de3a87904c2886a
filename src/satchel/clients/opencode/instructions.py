"""opencode: AGENTS.md, or CLAUDE.md if there is none."""

from __future__ import annotations

from satchel.clients.contract.instructions import AGENTS_RULES, Instructions

INSTRUCTIONS = Instructions(AGENTS_RULES, reads=("AGENTS.md", "CLAUDE.md"), first_only=True)
