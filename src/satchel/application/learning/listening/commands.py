"""Memories in shell commands: `bd comment`, `satchel learn`, `satchel remember`."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType

from satchel.application.learning.listening.markers import (
    MarkedPassage,
    begins_with_marker,
    bounded,
    encodable_text,
    find_markers,
    is_echo,
)
from satchel.application.learning.listening.shell_words import (
    ShellCommand,
    ansi_text,
    read_commands,
)
from satchel.core.errors import UnknownKindError
from satchel.core.kinds import kind_named
from satchel.core.values import NamedTuple
from satchel.features.guards.matching import SHELLS
from satchel.features.memories.tags import detect_tags


class CapturedComment(NamedTuple):
    """A comment as given in a command; `kind` only if the command named one."""

    task: str
    body: str
    program: str
    kind: str = ""


class Capture(NamedTuple):
    """A memory found in a command."""

    kind: str
    content: str
    tags: tuple[str, ...]
    task: str
    program: str


def _words(text: str) -> list[str]:
    return text.split()


_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
#: Programs that start another one, and the words and flags with a value that may stand between.
_STARTERS = frozenset(
    _words(
        "sudo env command exec builtin nohup nice timeout time npx bunx pnpx pnpm yarn "
        "npm bun uv uvx poetry pipx rye hatch pdm "
    )
)
_BETWEEN = frozenset(("run", "exec", "dlx", "x", "tool", "--"))
_STARTER_FLAGS_WITH_VALUE = frozenset(("-u", "-n", "-p", "--package", "--from", "--with", "-k"))
_MAX_SHELLS = 3
_CONVERSION = re.compile(r"(%%|%[-0-9.]*[a-zA-Z])")
_MAX_ROUNDS = 64
# What the shell would have put in its place is unknown, and its name alone teaches nothing.
_UNKNOWN = re.compile(r"\$\w+|\$\{[^{}]*\}|\$\([^()]*\)|`[^`]*`")


#: Where these programs take a text: in a word of its own, or behind one of these options.
_COMMENTING: dict[str, dict[tuple[str, ...], tuple[str, ...]]] = {
    "bd": {
        ("comment",): (),
        ("comments", "add"): (),
        ("close",): ("--reason", "-r", "--summary"),
        ("update",): ("--notes", "--append-notes"),
    },
    "gh": {("pr", "comment"): ("--body", "-b"), ("issue", "comment"): ("--body", "-b")},
}
_FLAGS_WITH_VALUE = {
    "bd": frozenset(
        [
            "-a",
            "--author",
            "-f",
            "--file",
            "--db",
            "--actor",
            "--lock-timeout",
            "-C",
            "--directory",
            "-r",
            "--reason",
            "--summary",
            "--notes",
            "--append-notes",
            "-s",
            "--status",
            "-p",
            "--priority",
            "--title",
            "--assignee",
            "-d",
            "--description",
            "--design",
            "--acceptance",
            "--add-label",
            "--remove-label",
            "--set-labels",
            "--parent",
            "-t",
            "--type",
        ]
    ),
    "gh": frozenset(("-b", "--body", "-F", "--body-file", "-R", "--repo")),
}
#: What a shell ends with where there is no such program.
_NOT_FOUND = 127
_KNOWN_ENDS = {"false": False, "true": True, ":": True}
_SATCHEL_FLAGS_WITH_VALUE = frozenset(
    _words(
        "--task --bead --epic --kind -k --type --title --tag --tags -t --key --category "
        "--source --agent --session --chat --client --project --branch --worktree "
        "--commit --confidence --relevance --visibility --trust --expires --expires-at "
        "--ttl --days --valid-from --valid-to --supersedes --file -f --data --root --home "
        "--directory -C --anchor "
    )
)


def captures_in(
    command: str,
    *,
    files: Mapping[str, str] = MappingProxyType({}),
    code: int = 0,
    missing: Collection[str] = (),
) -> list[Capture]:
    """Return the memories in a shell command line. Never raises.

    Args:
        command: the line.
        files: texts of files that it names.
        code: what it ended with, as far as anybody knows.
        missing: programs that the shell said it did not find.
    """
    found = []
    for comment in parse_commands(command, files=files, code=code, missing=missing):
        for kind, content, also in _passages(comment):
            if _UNKNOWN.fullmatch(content):
                continue
            tags = detect_tags(kind, content, also)
            found.append(Capture(kind, content, tags, comment.task, comment.program))
    return found


def parse_commands(
    command: str,
    *,
    files: Mapping[str, str] = MappingProxyType({}),
    code: int = 0,
    missing: Collection[str] = (),
) -> list[CapturedComment]:
    """Return the comments that a shell command line writes, in order. Never raises."""
    return list(_comments(encodable_text(command), 0, dict(files), code, frozenset(missing)))


def _passages(comment: CapturedComment) -> list[MarkedPassage]:
    if comment.program == "bd":
        return find_markers(comment.body)
    body = bounded(comment.body)
    if is_echo(body):
        return []
    marked = find_markers(body)
    # What the agent asked Satchel to keep is kept whole; a marker counts only where it leads.
    leads = begins_with_marker(body)
    if not comment.kind:
        if leads:
            return marked
        return [MarkedPassage("learned", body, ())] if body else []
    try:
        kind = kind_named(comment.kind).name
    except UnknownKindError:
        return []  # the command itself fails on it
    if leads and [one.kind for one in marked] == [kind]:
        return marked
    return [MarkedPassage(kind, body, ())] if body else []


def _comments(
    command: str, shells: int, files: dict[str, str], code: int, missing: frozenset[str]
) -> Iterator[CapturedComment]:
    if not any(name in command for name in ("satchel", "bd", "gh")):
        return
    commands = list(_run(read_commands(command)))
    if commands and code == _NOT_FOUND:
        # What the last command was told, an earlier one of the same program was told, too.
        missing |= {_program(commands[-1].words)[0]}
    for one in commands:
        if one.writes:
            files[one.writes] = _printed(one, files) or ""
        program, words = _program(one.words)
        if program in _COMMENTING:
            if program not in missing:
                yield from _commented(program, words, one, files)
        elif program == "satchel":
            yield from _satchel_memory(words, one, files)
        elif program in SHELLS and shells < _MAX_SHELLS:
            script = next((i for i, w in enumerate(words) if re.fullmatch(r"-[a-z]*c", w)), -1)
            if 0 <= script < len(words) - 1:
                ended = code if one is commands[-1] else 0
                yield from _comments(words[script + 1], shells + 1, files, ended, missing)


def _run(commands: Iterable[ShellCommand]) -> Iterator[ShellCommand]:
    """Drop commands that `false &&` or `true ||` would skip."""
    succeeds: bool | None = None
    for one in commands:
        if (one.after, succeeds) in (("&&", False), ("||", True)):
            continue
        succeeds = _KNOWN_ENDS.get(" ".join(one.words))
        yield one


def _program(words: list[str]) -> tuple[str, list[str]]:
    """Return the program that a command really starts, and its arguments."""
    at = 0
    started = ""
    while at < len(words):
        word = words[at]
        if word.isalpha() and not started and word not in _STARTERS and word[:6] != "python":
            return word, words[at + 1 :]
        name = word.rsplit("/", 1)[-1]
        if started and (word in _BETWEEN or word[:1].isdigit()):
            at += 1
        elif started and word.startswith("-"):
            at += 2 if word in _STARTER_FLAGS_WITH_VALUE else 1
        elif _ASSIGNMENT.match(word):
            at += 1
        elif name in _STARTERS or name.startswith("python"):
            started = name
            at += 1
        else:
            # The npm package of bd is called @beads/bd, and npx takes it with a version.
            # The Foundation's is a script, `scripts/bd.sh`.
            return name.split("@", 1)[0].removesuffix(".sh"), words[at + 1 :]
    return "", []


def _options(words: list[str], with_value: frozenset[str]) -> tuple[list[str], dict[str, str]]:
    """Separate positional arguments from flags, in any order."""
    plain: list[str] = []
    flags: dict[str, str] = {}
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            plain += words[at:]
            break
        if len(word) < 2 or word[0] != "-" or _is_text(word):  # noqa: PLR2004
            plain.append(word)
            continue
        name, equals, value = word.partition("=")
        if not equals and name in with_value and at < len(words):
            value = words[at]
            at += 1
        elif name not in with_value and name[:2] in with_value and not name.startswith("--"):
            name, value = word[:2], word[2:].removeprefix("=")
        flags[name] = value
    return plain, flags


def _is_text(word: str) -> bool:
    """Return whether a word starting with a hyphen is text: "- LEARNED: x", "-5 degrees"."""
    return " " in word.partition("=")[0] or "\n" in word.partition("=")[0]


def _commented(
    program: str, words: list[str], command: ShellCommand, files: dict[str, str]
) -> Iterator[CapturedComment]:
    """Return the comment, reason or notes passed to `bd` or `gh`."""
    plain, flags = _options(words, _FLAGS_WITH_VALUE[program])
    for action, options in _COMMENTING[program].items():
        if tuple(plain[: len(action)]) != action:
            continue
        rest = plain[len(action) :]
        if options:
            body = next((flags[name] for name in options if flags.get(name)), "")
            body = body or _body([], flags, command, files)
        else:
            body = _body(rest[1:], flags, command, files) if rest else ""
        if body.strip():
            yield CapturedComment(rest[0] if rest and program == "bd" else "", body, "bd")
        return


def _satchel_memory(
    words: list[str], command: ShellCommand, files: dict[str, str]
) -> Iterator[CapturedComment]:
    plain, flags = _options(words, _SATCHEL_FLAGS_WITH_VALUE)
    if plain[:1] not in (["learn"], ["remember"]) or "--user" in words:
        return  # what is the person's own is not the project's to capture
    body = _body(plain[1:], flags, command, files)
    if body.strip():
        task = flags.get("--task") or flags.get("--bead") or ""
        kind = flags.get("--kind") or flags.get("-k") or flags.get("--type") or ""
        yield CapturedComment(task, body, "satchel", kind)


def _body(
    plain: list[str], flags: dict[str, str], command: ShellCommand, files: dict[str, str]
) -> str:
    if plain and plain != ["-"]:
        return " ".join(plain)
    names = ("--file", "-f", "--body-file", "-F")
    path = next((flags[name] for name in names if flags.get(name)), "")
    if path and path not in {"-", "/dev/stdin"}:
        return files.get(path, "")
    return _standard_input(command, files) or ""


def _standard_input(command: ShellCommand, files: dict[str, str]) -> str | None:
    if command.stdin is not None:
        return command.stdin
    if command.reads:
        return files.get(command.reads)
    return _printed(command.source, files) if command.source else None


def _printed(command: ShellCommand, files: dict[str, str]) -> str | None:
    """Return what `echo`, `printf` or `cat` prints; None if unknown."""
    if not command.words:
        return None
    name, words = command.words[0].rsplit("/", 1)[-1], command.words[1:]
    if name == "echo":
        return _echoed(words)
    if name == "printf" and words:
        return _formatted(words[0], words[1:])
    if name == "cat" and words in ([], ["-"]):
        return command.stdin if command.stdin is not None else files.get(command.reads)
    if name == "cat" and len(words) == 1:  # several files could double in size again and again
        return files.get(words[0])
    return None


def _echoed(words: list[str]) -> str:
    at = 0
    flags = ""
    while at < len(words) and re.fullmatch(r"-[neE]+", words[at]):
        flags += words[at][1:]
        at += 1
    text = " ".join(words[at:])
    return (ansi_text(text) if "e" in flags else text) + ("" if "n" in flags else "\n")


def _formatted(layout: str, arguments: list[str]) -> str:
    """Format like `printf` with `%s`, `%b` and `%%`, repeating for all arguments."""
    pieces = _CONVERSION.split(layout)
    slots = sum(bool(_CONVERSION.fullmatch(piece)) and piece != "%%" for piece in pieces)
    rounds = min(_MAX_ROUNDS, -(-len(arguments) // slots)) if slots else 1
    waiting = iter(arguments)
    out: list[str] = []
    for _ in range(max(1, rounds)):
        for piece in pieces:
            if piece == "%%":
                out.append("%")
            elif _CONVERSION.fullmatch(piece):
                argument = next(waiting, "")
                out.append(ansi_text(argument) if piece[-1] == "b" else argument)
            else:
                out.append(ansi_text(piece))
    return "".join(out)
