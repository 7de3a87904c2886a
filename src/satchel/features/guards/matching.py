"""Matches a tool call against guards. Runs before every tool, so it imports little."""

from __future__ import annotations

import os

from satchel.core.values import Any, NamedTuple
from satchel.features.guards.patterns import pattern_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_KEYWORDS = frozenset(("if", "then", "else", "elif", "do", "while", "until", "!", "{", "}", "time"))
#: Programs that start another one -> their options with a separate value.
_STARTERS = {
    "sudo": "ughpCDRTU",
    "doas": "uC",
    "env": "uCS",
    "nice": "n",
    "ionice": "cnp",
    "timeout": "sk",
    "xargs": "nIPLdaEs",
    "exec": "a",
    "command": "",
    "builtin": "",
    "nohup": "",
    "setsid": "",
    "time": "fo",
}
SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh"))
_GIT_WITH_VALUE = frozenset(("-C", "-c", "--git-dir", "--work-tree", "--namespace"))
_SEPARATORS = frozenset(";&|()\n`")
_UNQUOTED = str.maketrans(dict.fromkeys(_SEPARATORS, " "))
_DEEPEST = 4


def command_forms(command: str) -> str:
    """Return a line's simple commands, one per line; "" if that is the line itself."""
    forms = "\n".join(_forms(command, 0))
    return "" if forms == command.strip() else forms


def _forms(command: str, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    for typed, inner in _simple_commands(command):
        for text in inner:
            yield from _forms(text, depth + 1)
        words = _without_starters(typed)
        if not words:
            continue
        program, rest = words[0].rpartition("/")[2], words[1:]
        if program in SHELLS:
            at = next((i for i, w in enumerate(rest) if w[:1] == "-" and w[-1:] == "c"), -1)
            if 0 <= at < len(rest) - 1:
                yield from _forms(rest[at + 1], depth + 1)
        elif program == "eval":
            yield from _forms(" ".join(rest), depth + 1)
        if program == "git":
            rest = _git(rest)
        yield " ".join([program, *(word.translate(_UNQUOTED) for word in rest)])


def _without_starters(words: list[str]) -> list[str]:
    """Remove prefixes before the program that is really started."""
    at, valued = 0, None
    while at < len(words):
        word = words[at]
        name = word.rpartition("/")[2]
        if valued is not None and word[:1] == "-":
            at += 2 if len(word) == 2 and word[1] in valued else 1  # noqa: PLR2004
        elif name in _STARTERS:
            valued = _STARTERS[name]
            at += 1
        elif (
            word in _KEYWORDS or _is_assignment(word) or (valued is not None and word[0].isdigit())
        ):
            at += 1
        else:
            break
    return words[at:]


def _is_assignment(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.rstrip("+").isidentifier()


def _git(words: list[str]) -> list[str]:
    """Remove git's own options, and mark pushes by `+branch` or `-uf` as forced."""
    at = 0
    while at < len(words) and words[at][:1] == "-":
        at += 2 if words[at] in _GIT_WITH_VALUE else 1
    words = words[at:]
    if words[:1] == ["push"] and any(
        word[:1] == "+" or (word[:1] == "-" and word[1:2] != "-" and "f" in word) for word in words
    ):
        return [*words, "--force"]
    return words


def _simple_commands(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """Return each command's unquoted words, including `$(…)` in double quotes."""
    words: list[str] = []
    inner: list[str] = []
    word: str | None = None
    at, end = 0, len(text)
    while at < end:
        character = text[at]
        at += 1
        if character == "'":
            close = text.find("'", at)
            close = end if close < 0 else close
            word, at = (word or "") + text[at:close], close + 1
        elif character == '"':
            quoted, at = _double_quoted(text, at)
            word = (word or "") + quoted
            _, opened, substituted = quoted.partition("$(" if "$(" in quoted else "`")
            inner += [substituted] if opened else []
        elif character == "\\":
            word, at = (word or "") + text[at : at + 1], at + 1
        elif character in _SEPARATORS:
            words += [word] if word else []
            yield words, inner
            words, inner, word = [], [], None
        elif character in " \t":
            words += [word] if word else []
            word = None
        else:
            word = (word or "") + character
    words += [word] if word else []
    yield words, inner


def _double_quoted(text: str, at: int) -> tuple[str, int]:
    parts = []
    while at < len(text) and text[at] != '"':
        if text[at] == "\\":
            at += 1
        parts.append(text[at : at + 1])
        at += 1
    return "".join(parts), at + 1


#: How much of a command, a path and a content to inspect, in characters.
MOST_COMMAND, MOST_PATH, MOST_CONTENT = 16_384, 4_096, 65_536
_ORDER = ("warn", "ask", "deny")
_PATHS = ("file_path", "notebook_path", "path", "filePath")
_CONTENTS = ("content", "new_string", "new_source", "newString")


class Call(NamedTuple):
    """A tool call: the tool, the parts guards inspect, and the place.

    `path` is relative to the work tree if inside it, as is `cwd` ("" for its top); if links lead
    elsewhere, that path is on a second line. `forms` are the simple commands of a command line.
    """

    tool: str
    command: str
    path: str
    content: str
    cwd: str = ""
    agent: str = ""
    branch: str = ""
    forms: str = ""


class Verdict(NamedTuple):
    """The guards' verdict: the strictest action, and every guard that fired."""

    action: str
    fired: tuple[dict[str, Any], ...]


def call_of(
    tool: str, given: dict[str, Any], *, root: str, cwd: str, agent: str = "", branch: str = ""
) -> Call:
    """Return the parts of a tool's arguments that guards inspect."""

    def text(names: Iterable[str]) -> str:
        return next((given[n] for n in names if isinstance(given.get(n), str)), "")

    edits = given.get("edits")
    several = [edit for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else []
    contents = [text(_CONTENTS), *(edit.get("new_string") for edit in several)]
    path = text(_PATHS)
    if path:
        path = _places(root, os.path.join(cwd, os.path.expanduser(path)))
    command = text(("command",)).replace("\\\n", " ")[:MOST_COMMAND]
    return Call(
        tool,
        command,
        path[:MOST_PATH],
        content="\n".join(part for part in contents if isinstance(part, str) and part)[
            :MOST_CONTENT
        ],
        cwd=_places(root, cwd),
        agent=agent,
        branch=branch,
        forms=command_forms(command),
    )


def _places(root: str, path: str) -> str:
    """Return a path, and on a second line its resolved path if that differs."""
    named, real = below(root, path), below(root, os.path.realpath(path))
    return named if named == real else f"{named}\n{real}"


def below(root: str, path: str) -> str:
    """Return a path relative to the work tree; one outside is unchanged."""
    plain = os.path.normpath(path)
    for top in (root, os.path.realpath(root)):
        if plain == top:
            return ""
        if plain.startswith(top.rstrip("/") + "/"):
            return plain[len(top.rstrip("/")) + 1 :]
    return plain


def verdict(guards: Iterable[dict[str, Any]], call: Call) -> Verdict:
    """Ask every guard; return "" if none fires."""
    fired = [guard for guard in guards if fires(guard, call)]
    strictest = max((_ORDER.index(guard["action"]) for guard in fired), default=-1)
    return Verdict(_ORDER[strictest] if fired else "", tuple(fired))


def fires(guard: dict[str, Any], call: Call) -> bool:
    """Return whether a compiled guard acts on a call."""
    if not _is_for(guard["tools"], call.tool):
        return False
    command = f"{call.command}\n{call.forms}" if call.forms else call.command
    looked_at = (("command", command), ("path", call.path), ("content", call.content))
    for name, text in looked_at:
        pattern = guard.get(name)
        if pattern is not None and not (text and pattern_matches(pattern, text)):
            return False
    return _holds_here(guard, call) and not _is_excepted(guard, looked_at)


def _is_for(tools: list[str], tool: str) -> bool:
    return not tools or any(
        tool == name or (name.endswith("*") and tool.startswith(name[:-1])) for name in tools
    )


def _holds_here(guard: dict[str, Any], call: Call) -> bool:
    if guard["agents"] and call.agent not in guard["agents"]:
        return False
    if guard["branches"] and not any(
        pattern_matches(one, call.branch) for one in guard["branches"]
    ):
        return False
    if not guard["paths"]:
        return True
    # A command runs in a directory: a scope of `web/**` also covers `web`.
    cwds = call.cwd.split("\n")
    places = [call.path] if call.path else [*cwds, *(f"{one}/" for one in cwds)]
    return any(pattern_matches(one, place) for one in guard["paths"] for place in places)


def _is_excepted(guard: dict[str, Any], looked_at: Iterable[tuple[str, str]]) -> bool:
    pattern = guard.get("unless")
    if pattern is None:
        return False
    return any(
        guard.get(name) is not None and pattern_matches(pattern, text) for name, text in looked_at
    )
