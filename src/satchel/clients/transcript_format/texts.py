"""Texts in transcripts: blocks, the client's own wrappers, times, tool calls."""

from __future__ import annotations

from satchel.core import times
from satchel.core.excerpts import beginning
from satchel.core.trust import strip_fences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: How much of a call and of an error to keep, in characters: enough to identify it.
CALL, ERROR = 160, 400
#: What clients add to a user's message.
_INJECTED = (
    r"(?s)<(system-reminder|local-command-[a-z]+|user-prompt-submit-hook|hook_context|ide_[a-z_]+"
    r"|bash-(?:stdout|stderr)|user-memory-input|task-notification)\b[^>]*>.*?(?:</\1>|\Z)"
)
_COMMAND = r"(?s)<command-name>\s*(.*?)\s*</command-name>"
_ARGUMENTS = r"(?s)<command-args>\s*(.*?)\s*</command-args>"
_TYPED = r"/[\w:-]+(?:\s|\Z)"
_SHELL = r"(?s)\A<bash-input>\s*(.*?)\s*</bash-input>\Z"
_NOISE = (
    "[Request interrupted",
    "Caveat: The messages below were generated",
    "This session is being continued from",
    "Base directory for this skill",
    "API Error",
    "Another Claude session sent a message",
)
#: How clients report a refused call, what stands before the user's words, and what some append.
_REJECTED = (
    "The user doesn't want to",
    "The user doesn\u2019t want to",
    "The user rejected",
    "User rejected",
    "Plan rejected",
)
_WORDS_FOLLOW = ("the user said:", "User feedback:", "with the following feedback:")
_ADDED = r"\n[ \t\r]{0,20}\n(?:Note:|<|The plan is stored at:)"
#: The argument that tells what a call is about, by the clients' names for it.
_TELLING = tuple(
    "command cmd file_path path filePath absolute_path pattern query url description prompt "  # noqa: SIM905
    "skill".split()
)


def text_of(content: Any, kinds: tuple[str, ...] = ("text",)) -> str:
    """Return a message's text: itself, or its text blocks joined by newlines."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    found = []
    for block in content:
        if isinstance(block, str):
            found.append(block)
        elif isinstance(block, dict) and block.get("type", kinds[0]) in kinds:
            text = block.get("text")
            if isinstance(text, str):
                found.append(text)
    return "\n".join(found)


def said_by_person(text: str) -> str:
    """Return what a person wrote, including slash commands as typed, or "".

    The only list of what clients put there in the user's place; `own_words` also leaves out what
    the user pasted.
    """
    text = strip_fences(text).strip()
    if "<" not in text:
        # Most prompts: spares the hook loading the rest.
        return "" if text.startswith(_NOISE) else text
    import re

    text = re.sub(_INJECTED, "", text).strip()
    if "<command-name>" in text[:400]:
        name, arguments = re.search(_COMMAND, text), re.search(_ARGUMENTS, text)
        if name:
            typed = "/" + name[1].lstrip("/")
            return f"{typed} {arguments[1]}".strip() if arguments else typed
    typed_shell = re.match(_SHELL, text)
    if typed_shell:
        return f"! {typed_shell[1]}"
    return "" if text.startswith(_NOISE) else text


def said_in_rejecting(text: str) -> str:
    """Return what a person said when rejecting a call, from the call's result."""
    if not text.startswith(_REJECTED):
        return ""
    words = next((rest for lead in _WORDS_FOLLOW if (rest := text.partition(lead)[2])), "")
    if not words:
        return ""
    import re

    return said_by_person(re.split(_ADDED, words)[0].strip().strip("\"'")).strip()


def is_command(text: str) -> bool:
    """Return whether a message is a command to the client: `/clear`."""
    import re

    return re.match(_TYPED, text) is not None


def said_by_agent(text: str) -> str:
    """Return an agent's text without what Satchel injected."""
    return strip_fences(text).strip()


def call_of(name: Any, given: Any) -> str:
    """Summarize a tool call on a line: `Bash: pytest -q`."""
    told = str(name or "tool")
    if isinstance(given, str):
        return beginning(f"{told}: {given}" if given else told, CALL)
    if not isinstance(given, dict):
        return told[:CALL]
    about: Any = next((given[key] for key in _TELLING if given.get(key)), "")
    if isinstance(about, list):
        about = " ".join(str(word) for word in about[:20])
    return beginning(f"{told}: {about}" if about else told, CALL)


def seconds_of(value: Any) -> float:
    """Parse a time: ISO 8601, or seconds or milliseconds; 0 if invalid."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        seconds = float(value)
        if not 0 < seconds < 1e15:  # noqa: PLR2004
            return 0.0
        return seconds / 1000 if seconds > 1e11 else seconds  # noqa: PLR2004
    return times.seconds_of(value) or 0.0


def word_of(value: Any, most: int = 4096) -> str:
    """Return a value if it is a short text, or "".

    Lone surrogates, which no file or database can store, become question marks.
    """
    if not isinstance(value, str) or len(value) > most:
        return ""
    return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
