"""`satchel completion`: shell completion of commands and options."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from satchel import __version__
from satchel.core.errors import BadInputError
from satchel.interfaces.cli import commands as table
from satchel.interfaces.cli.arguments import Parser, parser_for

Command = Callable[[Sequence[str]], int]

SHELLS = ("bash", "fish", "powershell", "tcsh", "zsh")
_FILES = ("FILE", "PATH", "ARCHIVE", "PRED.jsonl", "TURNS.jsonl")
_DIRECTORIES = ("DIR", "DIRECTORY")


class _HelpIsAsked(Exception):  # noqa: N818 -- an answer, not an error
    def __init__(self, parser: Parser) -> None:
        super().__init__()
        self.parser = parser


def completion(words: Sequence[str]) -> int:
    """`satchel completion SHELL`: print a script for the shell's start-up file."""
    parser = parser_for("completion", "Print a completion script for SHELL.")
    parser.add_argument("shell", choices=SHELLS)
    options = parser.parse_args(words)
    if options.json:
        raise BadInputError("A shell's script is not JSON.", hint="Leave --json out.")
    import shtab

    print(shtab.complete(whole_parser(), options.shell))
    return 0


def whole_parser() -> argparse.ArgumentParser:
    """Return one parser with every command and action, as `--help` shows them."""
    whole = argparse.ArgumentParser(prog="satchel", allow_abbrev=False)
    whole.add_argument("--version", action="version", version=__version__)
    commands = whole.add_subparsers(dest="command")
    named = {one.name: (one.name, one.does) for one in table.COMMANDS.values()}
    same = {a: (w[0], f"satchel {' '.join(w)}") for a, w in table.ALIASES.items() if len(w) == 1}
    for name, (stands_for, text) in {**named, **same}.items():
        asked = parser_of(table.run_of(stands_for))
        # Only for completion: the commands' own parsers read command lines.
        parents = [asked] if asked else []
        _mark_paths(commands.add_parser(name, help=text, parents=parents, add_help=not parents))
    return whole


def parser_of(command: Command | None) -> Parser | None:
    """Return the parser behind a command's help; None where another program prints it."""

    def hand_over(parser: Parser) -> None:
        raise _HelpIsAsked(parser)

    Parser.on_help = hand_over
    try:
        if command is not None:
            command(["--help"])
    except _HelpIsAsked as asked:
        return asked.parser
    finally:
        Parser.on_help = None
    return None


def _mark_paths(parser: argparse.ArgumentParser) -> None:
    """Let the shell complete paths for options that take one."""
    import shtab

    # argparse has no public way to list a parser's arguments.
    for action in parser._actions:  # noqa: SLF001
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for below in action.choices.values():
                _mark_paths(below)
        elif isinstance(action.choices, dict):
            action.choices = tuple(action.choices)  # the writer takes a dictionary for actions
        kind = str(action.metavar or action.dest).upper()
        if kind in _DIRECTORIES:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif kind in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
