"""Copilot: its own files below `.github` and in its home; other agents' files in a project."""

from __future__ import annotations

from satchel.clients.contract.instructions import File, Folder, Instructions, Rules

INSTRUCTIONS = Instructions(
    Rules("copilot", ".github/copilot-instructions.md"),
    reads=("AGENTS.md", "CLAUDE.md", "GEMINI.md"),
    home_files=(
        File("copilot-instructions.md", order=4),
        File("AGENTS.md", order=5, is_read=False),
    ),
    home_folders=(Folder("instructions", ".instructions.md", order=60, deep=False),),
    top_files=(File(".github/copilot-instructions.md"),),
    top_folders=(Folder(".github/instructions", ".instructions.md", order=22),),
)
