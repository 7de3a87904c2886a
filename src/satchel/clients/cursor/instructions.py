"""Cursor: rules in its own format; AGENTS.md, below the top only if enabled."""

from __future__ import annotations

from satchel.clients.contract.instructions import File, Folder, Instructions, Rules

INSTRUCTIONS = Instructions(
    Rules(
        "cursor",
        ".cursor/rules/satchel.mdc",
        head="---\ndescription: Rules of this project\nalwaysApply: true\n---\n\n",
    ),
    reads=("AGENTS.md",),
    home_folders=(Folder("rules", ".mdc", order=70, deep=False),),
    top_files=(File(".cursorrules"),),
    project_folders=(Folder(".cursor/rules", ".mdc", order=21),),
)
