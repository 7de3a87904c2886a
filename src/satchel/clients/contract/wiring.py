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
        name: the client's spelling.
        means: the canonical event.
        matcher: the client's filter; "" for everything.
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
    """Plans hooks for clients whose settings need more than one item per event.

    Attributes:
        put_in: path, the repository's root, command, whether with the guard -> the plan.
        take_out: a file's content and path -> what is left; None if nothing. Without it, our
            entries are taken out as of other clients.
    """

    put_in: Callable[[str, str, str, bool], Plan]
    take_out: Callable[[bytes, str], bytes | None] | None = None


class Wiring(NamedTuple):
    """Where a client keeps hooks, MCP servers and skills, and their format.

    Attributes:
        label: its name for people.
        tool_dir: its directory in a repository, for skill templates.
        signs: file names in a repository that show it is used there.
        in_project: its files below a repository, with `/`.
        at_home: its own directory -> its files for every repository; None if it has none.
        mcp_file: what to tell the user about where an MCP server goes.
        mcp_key: the member with MCP servers; "" for TOML.
        mcp_type: the type given to an MCP server; "" for none.
        mcp_options: its other options.
        mcp_schema: the `$schema` that the client itself adds to such a file; "" for none.
        mcp_in_one_list: whether the command and its arguments are one list.
        shape: of hook entries: `nested` (groups with a matcher) or `flat`; "" with `hook_plans`.
        events: the hooks to install.
        guard: the hook before tools, installed on request.
        item: an event and our program -> the item of the event's list.
        hook_plans: replaces `shape`, `events`, `guard` and `item`.
        next_step: what the user must do before the client runs the entries.
        server_step: the same if they include an MCP server; "" if that makes no difference.
        trusts: its own directory, a repository -> whether the user trusts it there; None if the
            client has not recorded that.
        shared: what to tell the user when it is removed, but what it shares with another stays.
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
