"""What an agent's calls ran and edited, whatever the client calls its tools. Pure."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.clients.transcript_format.values import Turn

_SHELLS = ("bash", "shell", "exec_command", "run_shell_command", "run_in_terminal", "local_shell")
_EDITS = ("edit", "write", "multiedit", "notebookedit", "apply_patch", "replace", "write_file",
          "str_replace", "create", "insert_edit_into_file")  # fmt: skip
#: A variable that is set for one command: `PYTHONPATH=. pytest`, `TOKEN=$(cat token) fly deploy`.
SET = r"\w+=(?>\$\([^)]*\)|\"[^\"]*\"|'[^']*'|\S)*+\s+"
#: Words of a command that do not identify it.
PREAMBLE = re.compile(
    rf"^(?:cd\s+\S+\s*(?:&&|;)\s*|(?:{SET})+|sudo\s+|time\s+|timeout\s+\S+\s+|env\s+)*"
)
#: Separators of a line's steps.
STEPS = re.compile(r"&&|;|\n")


def commands_in(turn: Turn) -> list[str]:
    """Return the commands that a turn's calls run in a shell."""
    return _of_tools(turn, _SHELLS)


def files_in(turn: Turn) -> list[str]:
    """Return the files that a turn edited, or was about to edit."""
    return _of_tools(turn, _EDITS)


def last_edited(turn: Turn) -> str:
    """Return the name of the file that a turn edited, or was about to edit, last; "" for none."""
    return (files_in(turn) or [""])[-1].rsplit("/", 1)[-1]


def family_of(command: str) -> str:
    """Return a command's name without its arguments: `go test`, `pytest`, `npm run`."""
    bare = PREAMBLE.sub("", command.strip())
    words = re.split(r"[\s;|&<>]+", bare)[:4]
    if not words or not words[0]:
        return ""
    program = words[0].rsplit("/", 1)[-1]
    if program in ("python", "python3", "node", "uv", "poetry", "npx", "bundle") and len(words) > 1:
        rest = [word for word in words[1:] if not word.startswith("-")]
        # "bundle exec" and "uv run" say nothing of what runs.
        return " ".join([program, *rest[: 1 + (rest[:1] in (["exec"], ["run"]))]])
    following = words[1] if len(words) > 1 and re.fullmatch(r"[a-z][a-z:-]*", words[1]) else ""
    more = words[2] if following == "run" and len(words) > 2 else ""  # noqa: PLR2004
    return f"{program} {following} {more}".strip()


def _of_tools(turn: Turn, tools: tuple[str, ...]) -> list[str]:
    calls = (call.partition(": ") for call in turn.tools)
    return [what for name, _, what in calls if what and name.lower() in tools]
