"""Reads environment variables, in this one place. Cheap, because hooks import it."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

PREFIX = "SATCHEL_"


def home_path() -> str:
    """Return Satchel's home: SATCHEL_HOME, or `.satchel` in the user's home."""
    given = os.environ.get("SATCHEL_HOME")
    return os.path.abspath(given) if given else os.path.join(os.path.expanduser("~"), ".satchel")


#: Places where the command may be that a shell of a client does not look in. Hooks that a team
#: shares look there after the PATH.
USUAL_PLACES = ("~/.local/bin", "~/.satchel/bin", "/usr/local/bin", "/opt/homebrew/bin")
#: Characters that mean nothing but themselves in a shell.
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+:@%,=")


def installed_command() -> str:
    """Return how a shell starts this installation: `satchel` if that finds it.

    Else its path, from the person's home where it lies below it.
    """
    own = os.path.join(os.path.dirname(sys.executable), "satchel")
    if not os.access(own, os.X_OK):
        own = os.path.abspath(sys.argv[0]) if sys.argv and sys.argv[0] else ""
        if os.path.basename(own) != "satchel" or not os.access(own, os.X_OK):
            return f"{_word(sys.executable)} -m satchel"
    # An agent's shell does not look where only the hook did.
    added = "".join(os.pathsep + os.path.expanduser(place) for place in USUAL_PLACES)
    for directory in os.environ.get("PATH", "").removesuffix(added).split(os.pathsep):
        found = os.path.join(directory, "satchel")
        # A relative entry would find another program in another directory.
        if os.path.isabs(directory) and os.access(found, os.X_OK) and not os.path.isdir(found):
            return "satchel" if os.path.samefile(found, own) else _word(own)
    return _word(own)


def _word(path: str) -> str:
    """Quote a path as one shell word."""
    if not _PLAIN.issuperset(path):
        return "'" + path.replace("'", "'\\''") + "'"
    home = os.path.expanduser("~") + os.sep
    return f"~/{path[len(home) :]}" if path.startswith(home) and home != "//" else path


def working_directory(event_cwd: str = "", variables: Iterable[str] = ()) -> str:
    """Return the agent's directory: from its event, a client's variable, or ours."""
    directories = (os.environ.get(name, "") for name in variables)
    for candidate in (event_cwd, *directories):
        if candidate and os.path.isdir(candidate):
            return candidate
    return os.getcwd()


def value_of(variable: str) -> str:
    """Return a variable that a client sets for its agent's programs, or ""."""
    return os.environ.get(variable, "")


def directory_of_person(variable: str, below: str) -> str:
    """Return the directory in a variable, or else `below` the user's home."""
    given = os.environ.get(variable, "") if variable else ""
    return os.path.abspath(given) if given else os.path.join(os.path.expanduser("~"), below)


def overrides() -> dict[str, str]:
    """Return settings given as SATCHEL_SECTION_NAME, by dotted lower-case name."""
    return {
        name[len(PREFIX) :].lower(): value
        for name, value in os.environ.items()
        if name.startswith(PREFIX) and name != "SATCHEL_HOME"
    }


def variable_of(setting: str) -> str:
    """Return the variable that overrides a setting."""
    return PREFIX + setting.replace(".", "_").upper()


def override(setting: str, value: str) -> None:
    """Set a setting for this process and its children, overriding files."""
    os.environ[variable_of(setting)] = value


def gather_metrics_in(directory: str) -> None:
    """Let workers store metrics in files, so that any of them can sum them up.

    The library looks at this once, when it is first imported.
    """
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = directory


def disabled() -> bool:
    """Return whether SATCHEL_DISABLED turns hooks off."""
    return os.environ.get("SATCHEL_DISABLED", "") not in ("", "0", "false")


def wants_colour(*, terminal: bool) -> bool:
    """Return whether to use colour: only on a terminal, and without NO_COLOR."""
    return terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def secret_named(name: str) -> str:
    """Return the variable that a setting names as the source of a key, or ""."""
    return os.environ.get(name, "") if name else ""


def actor_name() -> str:
    """Return the acting person's or agent's name, as bd reads it, or ""."""
    return os.environ.get("BEADS_ACTOR") or os.environ.get("BD_ACTOR") or ""


def login_name() -> str:
    """Return the account's name on this machine, or ""."""
    return os.environ.get("USER") or os.environ.get("LOGNAME") or os.environ.get("USERNAME") or ""


def editor() -> tuple[str, ...]:
    """Return the user's editor command: VISUAL, else EDITOR; () for none."""
    import shlex

    given = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    try:
        return tuple(shlex.split(given))
    except ValueError:
        return ()


def pager() -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the pager's command, () for none, with its whole environment.

    It is PAGER, else less; none where PAGER is empty or `cat`, or the terminal can do nothing.
    less ends by itself where a screen is enough, keeps colours, and leaves the text behind.
    """
    import shlex
    import shutil

    given = os.environ.get("PAGER", "less")
    if given in ("", "cat") or os.environ.get("TERM", "dumb") == "dumb":
        return (), {}
    try:
        words = tuple(shlex.split(given))
    except ValueError:
        return (), {}
    found = bool(words) and shutil.which(words[0]) is not None
    return (words if found else ()), {"LESS": "FRX", **os.environ}


def has_desktop() -> bool:
    """Return whether a graphical browser can be opened."""
    return sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    )


def user_units() -> str:
    """Return the user's systemd unit directory."""
    given = os.environ.get("XDG_CONFIG_HOME", "")
    above = given if os.path.isabs(given) else os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(above, "systemd", "user")
