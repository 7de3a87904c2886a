"""Claude Code: CLAUDE.md at every level, rules, and the memory that it and its agents keep."""

from __future__ import annotations

import os

from satchel.clients.contract.instructions import (
    AGENT,
    AUTO_BYTES,
    AUTO_LINES,
    ON_REQUEST,
    PRIORITIES,
    REPOSITORY,
    TEAM,
    USER,
    Directory,
    File,
    Folder,
    Instructions,
    Rules,
    Source,
)
from satchel.clients.transcript_format.project_key import project_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def _notes(home: str, directories: Sequence[str]) -> list[Directory]:
    note = Source("", AGENT, USER, PRIORITIES[AGENT], clients=("claude",), kind=ON_REQUEST)
    team = note._replace(tier=TEAM, priority=PRIORITIES[TEAM], order=10)
    keys = dict.fromkeys(project_key(directory) for directory in directories)
    places = [os.path.join(home, "projects", key, "memory") for key in keys]
    found = [Directory(place, ".md", note) for place in places]
    return found + [Directory(os.path.join(place, "team"), ".md", team) for place in places]


def _agent_memory(home: str, root: str, agent: str) -> list[Source]:
    """One agent's memory: the user's, the project's, and the local one."""
    low = PRIORITIES[AGENT]
    where = [
        (home, "agent-memory", USER),
        (os.path.join(root, ".claude"), "agent-memory", REPOSITORY),
        (os.path.join(root, ".claude"), "agent-memory-local", REPOSITORY),
    ]
    return [
        Source(
            os.path.join(place, folder, agent, "MEMORY.md"),
            AGENT,
            owner,
            low + 1 + order,
            order=order,
            clients=("claude",),
            most_lines=AUTO_LINES,
            most_bytes=AUTO_BYTES,
        )
        for order, (place, folder, owner) in enumerate(where)
    ]


INSTRUCTIONS = Instructions(
    Rules("claude", "CLAUDE.md"),
    dialect="claude",
    reads=("CLAUDE.md",),
    own="CLAUDE.md",
    hidden={"CLAUDE.md": ".claude"},
    machine=("/etc/claude-code", "/Library/Application Support/ClaudeCode"),
    home_files=(File("CLAUDE.md", order=0, local=True),),
    home_folders=(Folder("rules", ".md", order=50),),
    project_folders=(Folder(".claude/rules", ".md", order=20),),
    notes=_notes,
    agent_memory=_agent_memory,
)
