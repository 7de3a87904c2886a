"""Argument helpers that several commands share: parsers with `--json`, ids, times, kinds."""

from __future__ import annotations

import argparse
import itertools
import os
import sys
from collections.abc import Callable, Mapping

from satchel.core import times
from satchel.core.clock import Clock
from satchel.core.errors import BadInputError
from satchel.core.trust import clean_text
from satchel.interfaces.rendering import Style, cleaned
from satchel.storage.settings.environment import wants_colour

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, NoReturn

    from satchel.workspace import Workspace

_MOST = 100_000
#: Columns when output is not a terminal.
_PLENTY = 128
#: Longest relative time, such as 24h, in characters: anything longer may be a commit.
_LONGEST_BACK = 4
#: Seconds to wait for a program to begin writing to our standard input.
_SLOW_WRITER = 1.0
_LONGEST = 100 * 366 * 86_400
#: What people type for an action -> its names in commands; the first that a command has is used.
_MEANT = {
    "add": ("create",),
    "new": ("create", "add"),
    "ls": ("list", "show"),
    "list": ("show",),
    "rm": ("delete", "remove", "prune"),
    "remove": ("delete",),
    "delete": ("remove",),
    "view": ("show",),
    "get": ("show", "fetch"),
    "done": ("close",),
    "finish": ("close",),
    "start": ("claim",),
    "search": ("query",),
    "find": ("query",),
    "visualise": ("visualize",),
}


class _Help(argparse.HelpFormatter):
    """Format help at a fixed width: importing the terminal's size costs more than a search."""

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, **{"width": 96, **options})


class Options(argparse.Namespace):
    """A parsed command line, and what every command does with it. No option has these names."""

    #: Added to what programs get: `trust`, if nobody has approved it. See `warn_unapproved`.
    whose: Mapping[str, str] = {}

    @property
    def style(self) -> Style:
        """Return the output style: color for people, never in JSON."""
        return Style(colour=not self.json and wants_colour(terminal=sys.stdout.isatty()))

    def base(self) -> str:
        """Return the directory a command works in; raise if it is not a directory."""
        path = str(self.directory)
        if not os.path.isdir(path):
            raise BadInputError(f"{path} is not a directory.")
        return path

    def opened(self) -> Workspace:
        """Open the project of that directory; actions find it as `workspace`, too."""
        from satchel.workspace import Workspace

        self.workspace = Workspace.open(self.base())
        return self.workspace

    def act(self, subject: Any) -> int:
        """Carry out the requested action; return its exit code."""
        return int(self.run(subject, self))

    def reply(self, value: Any, *lines: str | None, **how: Any) -> int:
        """Print lines for people, or the value for programs, as `done` does."""
        shown = [line for line in lines if line is not None]
        if shown:
            self.say("\n".join(shown))
        return self.done(value, **how)

    def say(self, *words: object, **how: Any) -> None:
        """Print a line for people; programs get the value passed to `done`."""
        if not self.json:
            print(*words, **how)

    def warn(self, text: str) -> None:
        """Print a line for people that is not part of the answer, on standard error."""
        self.say(text, file=sys.stderr)

    def remark(self, text: str) -> None:
        """Print a line with the answer for people, on standard error for programs."""
        print(text, file=sys.stderr if self.json else sys.stdout)

    def aside(self, text: str) -> None:
        """Print a line on standard error, apart from the answer, for people and programs."""
        print(text, file=sys.stderr)

    def done(self, value: Any, code: int = 0, *, show: Callable[[Any], Any] | None = None) -> int:
        """Print the value for programs, which get nothing else; return the exit code.

        Args:
            show: prints the value; defaults to `print_json`.
        """
        if self.json:
            if self.whose and isinstance(value, dict):
                value = {**value, **self.whose}
            elif self.whose and isinstance(value, list):
                value = [{**one, **self.whose} if isinstance(one, dict) else one for one in value]
            (show or print_json)(value)
        return code

    def agree(self, question: str, refused: str) -> None:
        """Ask for confirmation unless `--yes` was given. Raises `BadInputError` after a no."""
        if not self.confirms(question):
            raise BadInputError(refused, hint="Pass --yes to skip the question.")

    def confirms(self, question: str) -> bool:
        """Ask for confirmation unless `--yes` was given."""
        return confirmed(question, yes=self.yes)


class Parser(argparse.ArgumentParser):
    """A parser that raises our own errors, so that every usage error ends the same way."""

    #: Receives the parser whose help was requested, instead of printing it.
    on_help: ClassVar[Callable[[Parser], None] | None] = None

    def __init__(self, **options: Any) -> None:
        self._action = self._asking = ""
        self._given: list[str] = []
        super().__init__(**{"formatter_class": _Help, "allow_abbrev": False, **options})

    def print_help(self, file: Any = None) -> None:
        """Print the help, or pass this parser to a caller that collects options."""
        wanted = type(self).on_help
        if wanted is not None:
            wanted(self)
        super().print_help(file)

    def flag(self, *words: str, **more: Any) -> None:
        """Add a switch: its names, then what it does."""
        *names, text = words
        self.add_argument(*names, action="store_true", help=text, **more)

    def option(self, *words: str, **more: Any) -> None:
        """Add an option with a text, "" by default: its names, then what it means."""
        *names, text = words
        self.add_argument(*names, **{"default": "", **more}, help=text)

    def memory(self, command: str) -> None:
        """Add a memory's id; if it is missing, explain the usage of `command`."""
        self._asking = command
        self.add_argument("id", help="id, its beginning, or key")

    def words(self, name: str, text: str, **more: Any) -> None:
        """Add an argument of any number of words: its name, then what they are."""
        self.add_argument(name, nargs="*", help=text, **more)

    def options(self, *words: str, **more: Any) -> None:
        """Add an option that may be repeated: its names, then what it means."""
        *names, text = words
        self.add_argument(*names, action="append", default=[], help=text, **more)

    def count(self, *words: str, default: int = 0, **more: Any) -> None:
        """Add an option that takes a number from 1: its names, then what it counts.

        `--limit` is also `-n`, as of git log, head and tail.
        """
        *names, text = words
        names = ["-n", *names] if names == ["--limit"] else names
        option = max(names, key=len)
        self.add_argument(
            *names, type=lambda given: count_from(given, option), default=default, help=text, **more
        )

    def actions(self, **how: Any) -> AddAction:
        """Give the command actions; return a function that adds one: its name, text and function.

        Each has the options that every command has.
        """
        how = {"required": True, "metavar": "ACTION", **how}
        group = self.add_subparsers(dest="action", parser_class=Parser, **how)

        def add(name: str, text: str, run: Callable[[Any, Options], int] | None = None) -> Parser:
            parser: Parser = group.add_parser(name, help=text, description=text)
            parser.set_defaults(run=run)
            parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
            parser.add_argument("-C", dest="directory", metavar="DIR", default=argparse.SUPPRESS)
            return parser

        return add

    @property
    def known_actions(self) -> Any:
        """Return the actions by name; none if the command has none."""
        groups = self._subparsers._group_actions if self._subparsers else ()  # noqa: SLF001 -- our base
        return groups[0].choices if groups else {}

    def parse_args(self, args: Any = None, namespace: Any = None) -> Options:  # type: ignore[override]
        """Parse a command line."""
        return super().parse_args(self._with_known_action(args), namespace or Options())

    def _with_known_action(self, args: Any) -> Any:
        """Replace what people type from habit with the command's own action."""
        known = self.known_actions
        words = list(args or ())
        at = 2 if words[:1] == ["-C"] else 0
        word = words[at] if at < len(words) else ""
        if word in known:
            return args
        meant = next(filter(known.__contains__, _MEANT.get(word, ())), "")
        if meant:
            return [*words[:at], meant, *words[at + 1 :]]
        return [*words[:at], "show", *words[at:]] if "show" in known and _is_name(word) else args

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse a command line, and record its action, whose help is relevant."""
        self._given = list(args or ())
        options, unknown = super().parse_known_args(args, namespace)
        action = getattr(options, "action", "")
        self._action = action if isinstance(action, str) else ""
        return options, unknown

    def _unknown_option(self) -> str:
        """Return the first long option of the command line that this parser lacks, or ""."""
        words = itertools.takewhile(lambda word: word != "--", self._given)
        names = (word.partition("=")[0] for word in words if word.startswith("--"))
        return next((name for name in names if name not in self._option_string_actions), "")

    def error(self, message: str) -> NoReturn:
        """Raise the error that argparse would have printed."""
        if self._asking and message.endswith("required: id"):
            hint = f"`satchel list` shows their ids: `satchel {self._asking} ID`."
            raise BadInputError("Which memory?", hint=hint)
        prog = " ".join(filter(None, (self.prog, self._action)))
        one, apart, other = message.partition(": not allowed with argument ")
        if apart:
            both = f"{one.removeprefix('argument ')} and {other}"
            hint = f"Run one after the other; `{prog} --help` tells what each does."
            raise BadInputError(f"{both} cannot be combined.", hint=hint)
        if "invalid choice" in message and self._unknown_option():
            # Its value was taken for an argument, which says nothing of what is wrong.
            message = f"unrecognized arguments: {self._unknown_option()}"
        raise BadInputError(message[:1].upper() + message[1:] + ".", hint=f"See `{prog} --help`.")


#: Adds an action to a command, and returns its parser.
AddAction = Callable[..., Parser]


def _is_name(word: str) -> bool:
    """Return whether a word is an id: ids have digits, actions do not."""
    return word in ("last", "latest") or (word[:1] != "-" and any(map(str.isdigit, word)))


def parser_for(name: str, text: str) -> Parser:
    """Return a command's parser, with the options that every command has."""
    parser = Parser(prog=f"satchel {name}", description=text)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.option("-C", "run as if started in DIR", dest="directory", default=".", metavar="DIR")
    return parser


def terminal_width() -> int:
    """Return the number of columns for lists: the terminal's width, or many without one."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError, AttributeError):
        return _PLENTY


def print_diff(text: str, options: Options) -> None:
    """Print a unified diff, coloured for people."""
    print(options.style.diff(clean_text(text)))


def print_json(value: Any) -> int:
    """Print one JSON value, its texts cleaned, and return the exit code of success."""
    import json

    print(json.dumps(cleaned(value), ensure_ascii=False, indent=2))
    return 0


def content_from(words: list[str], *, missing: str) -> str:
    """Join the words of a command line, or read standard input for `-`."""
    if words == ["-"] or (not words and not sys.stdin.isatty() and _has_input()):
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    text = " ".join(words)
    if not words:
        raise BadInputError(missing, hint="Give it in quotes, or `-` to read standard input.")
    # Arguments in an encoding other than UTF-8 arrive as surrogates.
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _has_input() -> bool:
    import select

    try:
        return bool(select.select([sys.stdin], [], [], _SLOW_WRITER)[0])
    except (OSError, ValueError):
        return False


def seconds_from(text: str) -> float:
    """Parse a duration: `90`, `30m`, `24h`, `7d`, `2w`."""
    seconds = times.duration(text)
    if seconds is None or not 0 < seconds < _LONGEST:
        raise BadInputError(
            f"{text[:40]!r} is not a duration.", hint="Write 90s, 30m, 24h, 7d or 2w."
        )
    return seconds


def count_from(text: str, option: str) -> int:
    """Parse a count from 1 to 100,000."""
    if not (text.isascii() and text.isdigit() and len(text) < 7 and 1 <= int(text) <= _MOST):  # noqa: PLR2004
        raise BadInputError(
            f"{option} takes a number from 1 to {_MOST:,}, not {text[:20]!r}.",
            hint="See the command's `--help`.",
        )
    return int(text)


def moment_from(text: str) -> float:
    """Parse a time: ISO 8601 (UTC by default), Unix seconds, `yesterday`, `3 days ago`, `2h`."""
    try:
        whole = text.isascii() and text.isdigit() and len(text) > 8  # noqa: PLR2004
        seconds = times.utc(int(text)).timestamp() if whole else times.seconds_of(text)
    except (ValueError, OverflowError, OSError):
        seconds = None
    if seconds is None:
        seconds = _moment_in_words(text.strip().lower())
    if seconds is None:
        raise BadInputError(
            f"{text[:40]!r} is not a time.",
            hint="Write 2026-05-01, 2026-05-01T14:30, yesterday, `3 days ago` or 2h.",
        )
    return seconds


def _moment_in_words(text: str) -> float | None:
    """Return when a time in words begins. Only whole words: a branch may be named "fix-today"."""
    now = Clock().now()
    if text[:-1].isdigit() and len(text) <= _LONGEST_BACK and text[-1] in "mhdw":
        return now - (times.duration(text) or 0.0)
    if text not in ("today", "yesterday") and not text.startswith("last ") and text[-4:] != " ago":
        return None
    from satchel.engine.search.time_words import time_span

    span = time_span(text, now)
    return float(span[0]) if span else None


def is_interactive() -> bool:
    """Return whether someone is at the terminal to answer a question."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def confirmed(question: str, *, yes: bool) -> bool:
    """Ask for confirmation; without a terminal the answer is no."""
    if yes:
        return True
    if not is_interactive():
        return False
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
