"""Which turns of a session are requests to its agent."""

from __future__ import annotations

from satchel.clients.transcript_format.texts import is_command
from satchel.clients.transcript_format.values import USER, Turn

#: Commands to the client itself, after which an agent continues with its earlier request.
_OF_THE_CLIENT = frozenset(
    (
        "/add-dir /agents /bug /clear /compact /config /context /copy /cost /diff /doctor /effort "
        "/exit /export /fast /fork /help /hooks /ide /init /login /logout /mcp /memory /model "
        "/output-style /permissions /plan /plugin /privacy-settings /quit /rename /resume /rewind "
        "/sandbox /stats /status /statusline /tasks /terminal-setup /theme /todos /undo /usage /vim"
    ).split()
)


def is_prompt(turn: Turn) -> bool:
    """Return whether a turn is a user's request to the agent; "/fix-issue 42" is one."""
    if turn.role != USER or not turn.text:
        return False
    name = turn.text.partition(" ")[0]
    return not is_command(turn.text) or (name.startswith("/") and name not in _OF_THE_CLIENT)
