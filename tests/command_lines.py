"""What the command line understands, asked of the parsers themselves, and running nothing."""

from __future__ import annotations

import argparse
import contextlib
import functools
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from satchel.core.errors import SatchelError
from satchel.interfaces.cli.commands import ALIASES, COMMANDS, run_of
from satchel.storage.inbox.events import HOOK_EVENTS

#: Commands that read their words without a parser.
WITHOUT_PARSER = {"hook"}
_WHOLE = {"help", "version", "--help", "-h", "--version", "-V"}
#: Called by scripts that Satchel writes, and told to nobody.
_UNLISTED = {"recall-sh"}
_ACTION = re.compile(r"[a-z][a-z-]*")


class _Asked(Exception):  # noqa: N818 -- an answer, not an error
    def __init__(self, parser: argparse.ArgumentParser) -> None:
        super().__init__()
        self.parser = parser


@contextlib.contextmanager
def _asking(*, parse: bool) -> Iterator[None]:
    """Stop every command at its parser: before it reads its words, or after it understood them."""
    original = argparse.ArgumentParser.parse_args

    def asked(self: argparse.ArgumentParser, *words: Any, **named: Any) -> Any:
        if parse:
            original(self, *words, **named)
        raise _Asked(self)

    argparse.ArgumentParser.parse_args = asked  # type: ignore[method-assign]
    try:
        yield
    finally:
        argparse.ArgumentParser.parse_args = original  # type: ignore[method-assign]


def _command(name: str) -> Callable[[Sequence[str]], int]:
    command = run_of(name)
    assert command is not None, name
    return command


@functools.cache
def parser_of(name: str, *words: str) -> argparse.ArgumentParser:
    """The parser of a command; with words, the one that reads these words."""
    with _asking(parse=False):
        try:
            _command(name)([*words, "--help"])
        except _Asked as asked:
            return asked.parser
    raise AssertionError(f"satchel {name} asks no parser")


def own_parser(name: str) -> argparse.ArgumentParser | None:
    """The parser of a command that has one."""
    return None if name in WITHOUT_PARSER else parser_of(name)


def actions_of(name: str) -> dict[str, argparse.ArgumentParser]:
    """The actions of a command, in the order of its help; none for most."""
    parser = own_parser(name)
    for action in parser._actions if parser else ():
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def flags_of(parser: argparse.ArgumentParser) -> set[str]:
    """Every spelling of every option, hidden ones too."""
    return {flag for action in parser._actions for flag in action.option_strings}


def fault_of(words: Sequence[str]) -> str:
    """Why a command line would not be understood; empty if it is. Nothing is done."""
    words = list(words)
    if len(words) > 2 and words[0] == "-C":
        words = words[2:]
    if not words or words[0] in _WHOLE:
        return ""
    name, *rest = [*ALIASES.get(words[0], (words[0],)), *words[1:]]
    if name not in COMMANDS and name not in _UNLISTED:
        return f"there is no command {name!r}"
    if name == "bench":  # its words are another program's
        return ""
    if name in WITHOUT_PARSER:
        return "" if rest and rest[0] in HOOK_EVENTS else f"there is no event {rest[:1]}"
    if name == "recall":
        rest = [*rest, "--json"]  # a bare question is answered without a parser
    with _asking(parse=True), contextlib.redirect_stdout(None):
        try:
            _command(name)(rest)
        except _Asked:
            return ""
        except SatchelError as error:
            return str(error)
        except SystemExit:
            return ""  # --help, --version
    return "it asks no parser"


def fault_of_mention(text: str) -> str:
    """Why a command that prose names cannot be meant: its words may be placeholders.

    Checked are the command, its action where one follows, and every option.

    Args:
        text: as in the page, for example `satchel route to TEXT --explain`.
    """
    try:
        words = shlex.split(text)
    except ValueError:
        words = text.split()
    words = [word for word in words[1:] if word != "…"]
    if words[:1] == ["-C"]:
        words = words[2:]
    if not words or words[0] in _WHOLE or not words[0][0].islower():
        return ""
    name, *words = [*ALIASES.get(words[0], (words[0],)), *words[1:]]
    if name not in COMMANDS and name not in _UNLISTED:
        return f"there is no command {name!r}"
    if name in WITHOUT_PARSER or name == "bench":  # whose words are another program's
        return ""
    own = own_parser(name)
    parsers = [own] if own else []
    actions = actions_of(name)
    meant = [word for word in words if not word.startswith(("-", "["))][:1]
    if actions and meant and re.fullmatch(r"[a-z-]+(\|[a-z-]+)*", meant[0]):
        for action in meant[0].split("|"):
            if action in actions:
                parsers.append(actions[action])
            elif name == "memory":  # takes those of `instructions`
                parsers.append(actions_of("instructions")[action])
            elif name == "route":  # `to` may be left out
                parsers.append(actions["to"])
            else:
                return f"satchel {name} has no action {action!r}"
    known = {flag for parser in parsers for flag in flags_of(parser)}
    if actions and len(parsers) == bool(own):
        known |= {flag for action in actions.values() for flag in flags_of(action)}
    told = re.findall(r"(?<![\w-])--?[a-zA-Z][a-z-]*", " ".join(words)) if words else []
    wrong = [flag for flag in told if flag not in known and flag != "--help"]
    return f"satchel {name} has no option {', '.join(wrong)}" if wrong else ""
