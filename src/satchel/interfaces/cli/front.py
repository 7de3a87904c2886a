"""The entry point: finds the command, runs it, turns errors into messages and exit codes."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from satchel import __version__
from satchel.core.errors import BadInputError, SatchelError
from satchel.interfaces.cli.commands import ALIASES, COMMANDS, GROUPS, hint_for, run_of, with_action
from satchel.interfaces.cli.endings import complain, refused, report_workarounds

#: What `satchel help` shows: the everyday commands, on one screen.
OVERVIEW = """\
Satchel: the memory that coding agents carry from session to session.

usage: satchel COMMAND [options]          satchel COMMAND --help

Start     init, install, uninstall, undo  wire agents; take it back
          status, doctor, config          how things stand; what is wrong
Remember  remember, recall                keep something; search everything
          list, show, edit                look at memories and correct them
          hide, forget                    hide or erase one
          why, thread                     why a line is so; what came of it
Sessions  brief, why-injected             what agents are told, were told
          sessions, reflect               past sessions, and what they taught
          review, approve                 suggestions; what others brought
Project   notes, docs, instructions       what is written down at length
          tasks, code, overview           what is to do; symbols; the whole
          rules, guards, check            soft rules, enforced ones, tests
Share     share, team                     by git; by a server
          sync, import, export, backup    your machines; archives
More      satchel help all                graph, intent, agents, serve, mcp, ...

Every command takes --json. Exit codes: 0 done, 1 failed, 2 bad input, 3 no
project here, 4 not found, 5 a file or the disk refused, 6 busy, 7 not ours to
change."""


def run(words: Sequence[str]) -> int:
    """Run a command line and return its exit code."""
    _open_standard_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a character still gets the rest of the line.
            stream.reconfigure(errors="replace")
    try:
        code = _dispatch([_spelled(word) for word in words])
        sys.stdout.flush()
        report_workarounds()
    except UnicodeEncodeError:
        # An argument whose bytes are not text: nothing here can have that name.
        ours = all(word == _spelled(word) and not _is_escaped(word) for word in words)
        what = "A path it uses" if ours else "A word of the command"
        wrong = BadInputError(f"{what} is not UTF-8.", hint="Encode it as UTF-8.")
        complain(wrong, as_json="--json" in words)
        return wrong.exit_code
    except SatchelError as error:
        complain(error, as_json="--json" in words)
        return error.exit_code
    except OSError as error:
        return refused(error, as_json="--json" in words)
    except KeyboardInterrupt:
        print("interrupted; what was saved is saved", file=sys.stderr)
        return 130
    return code


def _open_standard_streams() -> None:
    """Open standard streams that are closed, so that reading and writing work."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 -- open until the end
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _spelled(word: str) -> str:
    """Decode an argument; bytes that are not UTF-8 are kept only in file names."""
    path = "" if word.isascii() else word
    while path and not os.path.lexists(path):
        path = path.rpartition(":")[0]  # FILE:LINE
    if word.isascii() or path:
        return word
    return word.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _is_escaped(word: str) -> bool:
    return any("\udc80" <= c <= "\udcff" for c in word)


def _dispatch(words: Sequence[str]) -> int:
    if len(words) > 2 and words[0] == "-C":  # noqa: PLR2004
        words = [words[2], "-C", words[1], *words[3:]]
    if len(words) > 1 and words[0] == "help" and words[1] != "all":
        words = [*words[1:], "--help"]
    name = words[0] if words else ""
    if not name:
        return _show_status()
    if name in ("-h", "--help", "help"):
        print(everything() if words[1:2] == ["all"] else OVERVIEW)
        return 0
    if name in ("-V", "-v", "--version", "version"):
        print(f"satchel {__version__}")
        return 0
    name, *rest = [*ALIASES.get(name, (name,)), *words[1:]]
    command = run_of(name)
    if command is None:
        raise BadInputError(f"There is no command `{name[:60]}`.", hint=hint_for(name))
    rest = with_action(name, rest)
    if not sys.stdout.isatty():
        return command(rest)
    from satchel.interfaces.cli.paging import paged

    with paged(name, rest):
        return command(rest)


def _show_status() -> int:
    """Show the project's status; outside a project, show what Satchel can do."""
    from satchel.project.place import find_place

    place = find_place(os.getcwd())
    status = run_of("status") if place is not None and place.project_id else None
    if status is not None:
        return status([])
    print(OVERVIEW)
    return 0


def everything() -> str:
    """Return the grouped list of all commands."""
    width = max(map(len, COMMANDS))
    lines = ["usage: satchel COMMAND [options]", ""]
    for group, commands in GROUPS.items():
        lines += [group, *(f"  {one.name:<{width}}  {one.does}" for one in commands), ""]
    also = {a: " ".join(words) for a, words in ALIASES.items()}
    lines.append("Other names for the same commands")
    lines += [f"  {name:<{width}}  satchel {words}" for name, words in also.items()]
    return "\n".join(lines)
