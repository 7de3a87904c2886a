"""Splits a shell command line into simple commands, each as if typed alone.

`/usr/bin/npm i`, `sudo -E npm i`, `bash -lc "npm i"` and `if true; then npm i; fi` all start
`npm i`, and a guard against that means all of them. Part of every call of a tool: no regular
expressions.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_KEYWORDS = frozenset(("if", "then", "else", "elif", "do", "while", "until", "!", "{", "}", "time"))
#: Programs that start another one -> their options that take a value as a word of its own.
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
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh"))
_GIT_WITH_VALUE = frozenset(("-C", "-c", "--git-dir", "--work-tree", "--namespace"))
_SEPARATORS = frozenset(";&|()\n`")
_UNQUOTED = str.maketrans(dict.fromkeys(_SEPARATORS, " "))
_DEEPEST = 4


def command_forms(command: str) -> str:
    """Return a line's simple commands, one a line; "" if that is the line itself."""
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
        if program in _SHELLS:
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
