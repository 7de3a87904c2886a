"""The agent clients, one line each. Cheap: hooks import it.

A line says what must be known before any of a client's modules is imported. The rest is in a folder
with the client's name, in modules with one value each, defined by their own contract:

- `hooks.py`, HOOKS: how it names events, tools and answers (`hook_contract.Hooks`); Claude Code has
none, since the contract is its own
- `wiring.py`, WIRING: its settings files, and what to write into them (`contract.wiring.Wiring`)
- `transcripts.py`, TRANSCRIPTS: its records of sessions (`contract.transcripts.Transcripts`)
- `instructions.py`, INSTRUCTIONS: the files it reads (`contract.instructions.Instructions`)

A client that is part of another has only `wiring.py`. tests/unit/test_client_contract.py checks
every line here.
"""

from __future__ import annotations

from satchel.storage.settings import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Client:
    """What is known about a client before its package is imported.

    Attributes:
        name: its name in `install` and hooks; its folder has `_` for `-`.
        alias: its name in sessions, instruction files and `mcp config`.
        also: more names that the command line accepts.
        home: its directory in the user's home; "" for none.
        home_variable: the environment variable that moves that directory.
        project_variable: the environment variable with the project's directory.
        marks: fields of a hook's input that only this client sends.
        variables: set in the environment of the agent's commands.
        session_variable: the one of these with the session's id; "" for none.
        exports: the variable that names, at a session's start, a file that its shells run first, in
            which we set `session_variable`; "" if the client sets it.
        part_of: the client whose hooks, sessions and instruction files it shares.
    """

    __slots__ = (
        "alias",
        "also",
        "exports",
        "home",
        "home_variable",
        "marks",
        "name",
        "part_of",
        "project_variable",
        "session_variable",
        "variables",
    )

    def __init__(
        self,
        name: str,
        *,
        alias: str = "",
        also: tuple[str, ...] = (),
        home: str = "",
        home_variable: str = "",
        project_variable: str = "",
        marks: tuple[str, ...] = (),
        variables: tuple[str, ...] = (),
        session_variable: str = "",
        exports: str = "",
        part_of: str = "",
    ) -> None:
        self.name, self.alias, self.also = name, alias or name, also
        self.home, self.home_variable, self.project_variable = home, home_variable, project_variable
        self.marks, self.part_of = marks, part_of
        self.variables, self.session_variable = variables, session_variable
        self.exports = exports


CLAUDE_CODE = "claude-code"
#: Agents of any name set this for what they run.
_AI_AGENT = "AI_AGENT"

CLIENTS = (
    Client(
        CLAUDE_CODE,
        alias="claude",
        home=".claude",
        home_variable="CLAUDE_CONFIG_DIR",
        project_variable="CLAUDE_PROJECT_DIR",
        variables=("CLAUDECODE",),
        session_variable="SATCHEL_SESSION",
        exports="CLAUDE_ENV_FILE",
    ),
    Client(
        "codex",
        home=".codex",
        home_variable="CODEX_HOME",
        variables=("CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_CI"),
        session_variable="CODEX_THREAD_ID",
    ),
    Client(
        "copilot",
        home=".copilot",
        home_variable="COPILOT_HOME",
        marks=("sessionId", "timestamp"),
        variables=("COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"),
    ),
    Client("vscode", also=("vs-code",), part_of="copilot"),
    Client(
        "gemini",
        also=("gemini-cli",),
        home=".gemini",
        project_variable="GEMINI_PROJECT_DIR",
        variables=("GEMINI_CLI",),
        session_variable="GEMINI_SESSION_ID",
    ),
    Client(
        "cursor",
        home=".cursor",
        home_variable="CURSOR_DATA_DIR",
        project_variable="CURSOR_PROJECT_DIR",
        marks=("conversation_id",),
        variables=("CURSOR_AGENT",),
    ),
    Client(
        "opencode",
        home=".local/share/opencode",
        variables=("OPENCODE",),
        session_variable="SATCHEL_SESSION",
    ),
)
BY_NAME = {one.name: one for one in CLIENTS}
#: Clients with their own hooks, sessions and instruction files, by both kinds of names.
WHOLE = tuple(one.name for one in CLIENTS if not one.part_of)
ALIASES = tuple(one.alias for one in CLIENTS if not one.part_of)


def alias_of(name: str) -> str:
    """Return the alias of a client's instruction files."""
    one = BY_NAME[name]
    return BY_NAME[one.part_of].alias if one.part_of else one.alias


def named(word: str) -> str:
    """Return the client named by a word, or ""."""
    for one in CLIENTS:
        if word in (one.name, one.alias, *one.also):
            return one.name
    return ""


def client_home(word: str) -> str:
    """Return a client's directory in the user's home.

    Raises `KeyError` for a client that has none.
    """
    one = BY_NAME[named(word)]
    if not one.home:
        raise KeyError(word)
    return environment.directory_of_person(one.home_variable, one.home)


def working_directory(event_cwd: str = "") -> str:
    """Return the agent's directory: from its event, the client's variable, or ours."""
    variables = sorted(one.project_variable for one in CLIENTS if one.project_variable)
    return environment.working_directory(event_cwd, variables)


def running_agent() -> tuple[str, str] | None:
    """Return the client and session of the agent running this process; None for a person.

    Both may be "", where only that is known.

    An agent that hides its identity counts as the person: only the environment tells. Variables
    that are also set in a person's own terminal, as CURSOR_TRACE_ID in Cursor's, tell nothing.
    """
    for one in CLIENTS:
        if any(environment.value_of(name) for name in one.variables):
            session = one.session_variable
            return one.name, environment.value_of(session) if session else ""
    return ("", "") if environment.value_of(_AI_AGENT) else None


def part(word: str, which: str) -> Any:
    """Import a module of a client's package, and return its value."""
    folder = named(word).replace("-", "_")
    module = __import__(f"satchel.clients.{folder}.{which}", fromlist=(which,))
    return getattr(module, which.upper())
