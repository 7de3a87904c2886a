"""Which tools are offered: few by default, the sets of the systems it replaces by profile."""

from __future__ import annotations

from satchel.core.errors import BadInputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.interfaces.mcp.values import Tool

#: Profile -> what it is for.
PROFILES = {
    "default": "what agents need, in eight tools",
    "memory": "beads-memory's: read_memory, write_memory, search_memory",
    "foundation": "the Foundation's: memory_store, _retrieve, _search, _delete, _list",
    "graphmem": "GraphMem's: graphmem_ingest, _query, _evolve, _update",
    "qmd": "QMD's: qmd_query, qmd_fetch",
    "beans": "save_memory",
    "full": "all of them",
}


def tools_of(profile: str) -> tuple[Tool, ...]:
    """Return the tools of a profile, in the order in which they are listed."""
    from satchel.interfaces.mcp.tools import (
        beads_memory as beads_memory_tools,
    )
    from satchel.interfaces.mcp.tools import (
        documents as document_tools,
    )
    from satchel.interfaces.mcp.tools import (
        foundation as foundation_tools,
    )
    from satchel.interfaces.mcp.tools import (
        graphmem as graphmem_tools,
    )
    from satchel.interfaces.mcp.tools import (
        memories as remembering_tools,
    )
    from satchel.interfaces.mcp.tools import (
        work as working_tools,
    )

    sets = {
        "default": (*remembering_tools.TOOLS, *working_tools.TOOLS),
        "memory": beads_memory_tools.TOOLS,
        "foundation": foundation_tools.TOOLS,
        "graphmem": graphmem_tools.TOOLS,
        "qmd": document_tools.QMD_TOOLS,
        "beans": document_tools.SAVE_TOOLS,
    }
    if profile == "full":
        return tuple(tool for tools in sets.values() for tool in tools)
    if profile not in sets:
        raise BadInputError(
            f"There is no profile {profile[:40]!r}.", hint=f"One of {', '.join(PROFILES)}."
        )
    return sets[profile]
