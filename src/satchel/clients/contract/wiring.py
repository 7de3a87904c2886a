"""Where a client keeps its settings, and what to write into them."""

from __future__ import annotations

from satchel.clients.registry import part
from satchel.core.values import Any, NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from satchel.clients.settings_files.plan import Plan


class Event(NamedTuple):
    """A client's hook.

    Attributes:
        name: as the client spells it.
        means: the canonical event.
        matcher: what the client compares; "" for everything.
        seconds: how long the client waits.
    """

    name: str
    means: str
    matcher: str = ""
    seconds: int = 10


class Places(NamedTuple):
    """A client's files in one scope; "" if it has none."""

    hooks: str
    mcp: str
    skills: str


class HookPlans(NamedTuple):
    """Planning of hooks for clients whose settings need more than an item per event.

    Attributes:
        put_in: path, root of the repository, command, with the guard or not -> the plan.
        take_out: what a file holds, its path -> what is left; None where that is nothing.
    """

    put_in: Callable[[str, str, str, bool], Plan]
    take_out: Callable[[bytes, str], bytes | None]


class Wiring(NamedTuple):
    """Where a client keeps hooks, MCP servers and skills, and their format.

    Attributes:
        label: as people call it.
        tool_dir: its directory in a repository, for skills' templates.
        signs: names in a repository that say it is used there.
        in_project: its files below a repository, with `/`.
        at_home: its own directory -> its files for every repository; None where it has none.
        mcp_file: what the person is told about where an MCP server goes.
        mcp_key: member that holds MCP servers; "" for TOML.
        mcp_type: type that an MCP server is given; "" for none.
        mcp_options: what else it is given.
        mcp_schema: the `$schema` that the client adds to such a file by itself; "" for none.
        mcp_in_one_list: whether the command and its arguments are one list.
        shape: of hook entries: `nested` (groups with a matcher) or `flat`; "" with `hook_plans`.
        events: hooks that are installed.
        guard: the hook before tools, installed where asked for.
        item: an event and our program -> what stands in the event's list.
        hook_plans: in place of `shape`, `events`, `guard` and `item`.
        next_step: what the person does before the client runs what was put in.
        server_step: the same where an MCP server is among it; "" where that makes no difference.
        trusts: its own directory, a repository -> whether the person trusts it there; None where
            the client has not written that down.
        shared: what the person is told where it goes, and what it shares with another stays.
    """

    label: str
    tool_dir: str
    signs: tuple[str, ...]
    in_project: Places
    at_home: Callable[[str], Places] | None
    mcp_file: str
    mcp_key: str
    mcp_type: str = ""
    mcp_options: dict[str, Any] = {}  # noqa: RUF012 -- the field of a tuple
    mcp_schema: str = ""
    mcp_in_one_list: bool = False
    shape: str = ""
    events: tuple[Event, ...] = ()
    guard: Event | None = None
    item: Callable[[Event, str], dict[str, Any]] | None = None
    hook_plans: HookPlans | None = None
    next_step: str = ""
    server_step: str = ""
    trusts: Callable[[str, str], bool | None] | None = None
    shared: str = ""


def server_entry(client: Wiring, command: str, arguments: list[str]) -> dict[str, Any]:
    """Return a client's entry for our MCP server."""
    kind = {"type": client.mcp_type} if client.mcp_type else {}
    if client.mcp_in_one_list:
        return {**kind, "command": [command, *arguments], **client.mcp_options}
    return {**kind, "command": command, "args": arguments, **client.mcp_options}


def wiring_of(client: str) -> Wiring:
    """Return a client's wiring."""
    found: Wiring = part(client, "wiring")
    return found
