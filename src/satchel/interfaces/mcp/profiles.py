"""Tool profiles: a few tools by default, or the tool set of another memory system."""

from __future__ import annotations

from satchel.core.errors import BadInputError
from satchel.interfaces.mcp.schemas import Tool

#: Profile -> what it is for.
PROFILES = {
    "default": "what agents need, in eight tools",
    "why": "where lines and commits come from: why",
    "research": "a question put to every source at once: research",
    "memory": "beads-memory's: read_memory, write_memory, search_memory",
    "foundation": "the Foundation's: memory_store, _retrieve, _search, _delete, _list",
    "graphmem": "GraphMem's: graphmem_ingest, _query, _evolve, _update",
    "qmd": "QMD's: qmd_query, qmd_fetch",
    "beans": "save_memory",
    "full": "all of them",
}


def tools_of(profile: str) -> tuple[Tool, ...]:
    """Return the tools of a profile, in listing order."""
    from satchel.interfaces.mcp.tools import (
        beads_memory,
        documents,
        foundation,
        graphmem,
        memories,
        thread,
        work,
    )

    sets = {
        "default": (*memories.TOOLS, *memories.BY_ID, *work.TOOLS),
        "why": thread.TOOLS,
        "research": thread.RESEARCH_TOOLS,
        "memory": beads_memory.TOOLS,
        "foundation": foundation.TOOLS,
        "graphmem": graphmem.TOOLS,
        "qmd": documents.QMD_TOOLS,
        "beans": documents.SAVE_TOOLS,
    }
    if profile == "full":
        return tuple(tool for tools in sets.values() for tool in tools)
    if profile not in sets:
        raise BadInputError(
            f"There is no profile {profile[:40]!r}.", hint=f"One of {', '.join(PROFILES)}."
        )
    return sets[profile]
