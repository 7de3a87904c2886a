"""Hook entries in a client's settings: finding and removing ours. No file access."""

import copy
import os
import re
import shlex
import shutil
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from satchel.core.shapes import list_of
from satchel.storage.inbox.events import USUAL_EVENTS
from satchel.storage.settings import environment
from satchel.storage.settings.environment import USUAL_PLACES

#: Every hook event that is always installed.
EVENTS = USUAL_EVENTS
#: Where to look for the command on any machine: the shell's PATH, then these places.
FOUND_ON = f"$PATH:{':'.join(USUAL_PLACES).replace('~', '$HOME')}"
NOT_FOUND_MARK = "$HOME/.satchel/not-found"
#: What a team's shared file runs: the command, wherever it is on each machine. If it is missing,
#: the hook ends at once and leaves a mark in the user's home.
FOUND = (
    f'PATH="{FOUND_ON}"; command -v satchel >/dev/null'
    f' || {{ true 2>/dev/null >"{NOT_FOUND_MARK}"; exit 0; }}; satchel'
)
#: The same, as written by any release.
_FINDING = re.compile(
    r'PATH="\$PATH:[^"]*"; command -v satchel >/dev/null \|\| \{[^{}]*\}; satchel', re.DOTALL
)
_OURS = re.compile(
    r"(?P<program>.*\S)\s+hook\s+[A-Z][A-Za-z]+(?:\s+--client\s+[a-z-]+)?(?:\s+--gate)?"
    r"(?:\s*\|\|\s*true)?\s*",
    re.DOTALL,
)


NOT_FOUND = f"satchel is neither on the PATH nor in {', '.join(USUAL_PLACES)}"


def last_not_found() -> float:
    """Return when a hook last failed to find the command; 0.0 for never."""
    try:
        return os.stat(os.path.expandvars(NOT_FOUND_MARK)).st_mtime
    except OSError:
        return 0.0


def forget_not_found() -> None:
    """Remove the mark that a hook left."""
    try:
        os.unlink(os.path.expandvars(NOT_FOUND_MARK))
    except OSError:
        return


def found_command() -> str:
    """Return what `FOUND` would run for this user, or ""."""
    places = [environment.value_of("PATH"), *map(os.path.expanduser, USUAL_PLACES)]
    return shutil.which("satchel", path=os.pathsep.join(places)) or ""


def shell_program(command: str, root: str = "") -> str:
    """Quote the hooks' program for a shell.

    An absolute path is one word, whatever it contains, and a path relative to `root` becomes
    absolute; a command of several words, such as `uv run satchel`, stays unchanged.
    """
    if root and "/" in command and os.path.isfile(os.path.join(root, command)):
        command = os.path.abspath(os.path.join(root, command))
    words = shell_words(command)
    several = len(words) > 1 and not os.path.exists(command) and os.path.exists(words[0])
    return command if several or not os.path.isabs(command) else shlex.quote(command)


def shell_words(command: str) -> list[str]:
    """Split a command like a shell, or at spaces if a quote is unbalanced."""
    try:
        return shlex.split(command)
    except ValueError:
        return command.split()


def command_of(handler: Any) -> str:
    """Return a hook entry's command; "" for entries of another type."""
    command = handler.get("command") if isinstance(handler, dict) else None
    return command if isinstance(command, str) else ""


def is_ours(handler: Any, program: str = "") -> bool:
    """Return whether a hook entry is Satchel's: `… satchel hook EVENT`, or `program hook EVENT`."""
    match = _OURS.fullmatch(command_of(handler))
    if match is None:
        return False
    if program and match["program"] == program:
        return True
    return _is_satchel(match["program"])


@lru_cache(maxsize=64)
def _is_satchel(program: str) -> bool:
    words = shell_words(program)
    named = bool(words) and words[-1].rsplit("/", 1)[-1] == "satchel"
    return named and not _does_more(program)


def _does_more(program: str) -> bool:
    """Return whether a command does something else before calling ours."""
    if _FINDING.fullmatch(program):
        return False
    lexer = shlex.shlex(program, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    try:
        return any(set(word) <= set(";&|()<>") for word in lexer)
    except ValueError:
        return False


def hook_places(value: Any, ours: Callable[[Any], bool] = is_ours) -> list[tuple[Any, ...]]:
    """Return the paths of the entries that `ours` accepts: groups of nothing else, or one each."""
    hooks = value.get("hooks") if isinstance(value, dict) else None
    found: list[tuple[Any, ...]] = []
    for event, items in hooks.items() if isinstance(hooks, dict) else ():
        for at, item in enumerate(list_of(items)):
            inner = item.get("hooks") if isinstance(item, dict) else None
            if ours(item) or (isinstance(inner, list) and inner and all(map(ours, inner))):
                found.append(("hooks", event, at))
            elif isinstance(inner, list):
                found += [
                    ("hooks", event, at, "hooks", place)
                    for place, handler in enumerate(inner)
                    if ours(handler)
                ]
    return found


def without(settings: dict[str, Any], ours: Callable[[Any], bool]) -> dict[str, Any]:
    """Copy `settings` without the hook entries that `ours` accepts.

    A group, an event or the whole `hooks` object is removed only if it becomes empty.
    """
    left = copy.deepcopy(settings)
    for place in reversed(hook_places(left, ours)):
        _remove(left, *place)
    return left


def _remove(value: Any, step: Any, *rest: Any) -> None:
    """Remove what is at the end of a path, and what it leaves empty."""
    if rest:
        _remove(value[step], *rest)
    if not (rest and value[step]):
        del value[step]


def handlers_in(settings: Any) -> list[tuple[str, dict[str, Any], Any]]:
    """Return every hook entry with its event and group, skipping malformed parts."""
    hooks = settings.get("hooks") if isinstance(settings, dict) else None
    return [
        (event, group, handler)
        for event, groups in (hooks.items() if isinstance(hooks, dict) else ())
        for group in list_of(groups)
        if isinstance(group, dict) and isinstance(group.get("hooks"), list)
        for handler in group["hooks"]
    ]
