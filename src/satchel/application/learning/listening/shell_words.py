"""Splits a shell command line into commands and words, as bash does, without running anything.

`shlex` knows neither here-documents nor `$(cat <<EOF)`, and raises on a missing quote. Variables
and substitutions are kept literally, except `$(cat <<EOF)`, which is how agents pass long text.
Unfinished input is read as far as possible. Time is linear in the input.
"""

import re

from satchel.core.values import NamedTuple

_MAX_DEPTH = 20
_PLAIN = re.compile(r"[^ \t\n'\"\\$`|&;()<>]+")
_PLAIN_IN_DOUBLE = re.compile(r"[^\"\\$`]+")
_OPERATOR = re.compile(r"&&|\|\||\|&|;;&?|;&|[|&;()]")
_REDIRECTION = re.compile(r"&>>?|<<<|<<-?|<>|<&|>&|>>|>\||<|>")
_PARENTHESIS = re.compile(r"[()]")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_BACKTICK = re.compile(r"\\.|`", re.DOTALL)
_HEREDOC_ESCAPE = re.compile(r"\\(?:([\\$`])|\n)")
_ANSI_ESCAPE = re.compile(
    r"\\(?:([abeEfnrtv\\'\"?])|([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})"
    r"|U([0-9a-fA-F]{1,8})|c(.))",
    re.DOTALL,
)
_ANSI_LETTERS = dict(zip("abeEfnrtv\\'\"?", "\a\b\x1b\x1b\f\n\r\t\v\\'\"?", strict=True))
_ANSI_END = re.compile(r"\\.|'", re.DOTALL)
#: Words that precede a command without being part of it.
_KEYWORDS = frozenset(
    ("{", "}", "if", "then", "else", "elif", "fi", "do", "done", "while", "until", "!", "time")
)


class ShellCommand:
    """A simple command.

    `stdin` is the text of its here-document or here-string, None without one; `source` is the
    command piped into it; `reads` and `writes` are the files it is redirected from and to; `after`
    is the operator before it.
    """

    __slots__ = ("after", "reads", "source", "stdin", "words", "writes")

    def __init__(self, source: "ShellCommand | None" = None) -> None:
        self.words: list[str] = []
        self.stdin: str | None = None
        self.source = source
        self.reads = ""
        self.writes = ""
        self.after = ""


def read_commands(text: str) -> list[ShellCommand]:
    """Return every simple command in `text`, including those inside `$(…)`."""
    cursor = _Cursor(text)
    _ListReader(cursor, depth=0).read()
    return cursor.commands


class _Cursor:
    """The text, the position and the results, shared by all nesting levels."""

    __slots__ = ("at", "commands", "last_backtick", "last_brace", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.commands: list[ShellCommand] = []
        self.last_backtick = text.rfind("`")
        self.last_brace = text.rfind("}")


class _HereDocument(NamedTuple):
    command: ShellCommand
    delimiter: str
    quoted: bool
    strip_tabs: bool


class _ListReader:
    """Reads a command list: the whole text, or the inside of one `$(…)`."""

    def __init__(self, cursor: _Cursor, depth: int) -> None:
        self._cursor = cursor
        self._depth = depth
        self._command: ShellCommand | None = None
        self._before: ShellCommand | None = None
        self._source: ShellCommand | None = None
        self._after = ""
        self._redirection = ""
        self._waiting: list[_HereDocument] = []
        self._parentheses = 0
        self.commands: list[ShellCommand] = []

    def read(self) -> None:
        cursor = self._cursor
        text, end = cursor.text, len(cursor.text)
        while cursor.at < end:
            c = text[cursor.at]
            if c in " \t":
                cursor.at += 1
            elif c == "\n":
                cursor.at += 1
                self._finish()
                self._after = "" if self._after not in {"&&", "||"} else self._after
                self._read_here_documents()
            elif c == "#":
                line_end = text.find("\n", cursor.at)
                cursor.at = end if line_end < 0 else line_end
            elif c in "<>&" and self._redirects():
                continue
            elif c in "|&;()":
                if self._separates():
                    break
            else:
                self._read_word()
        self._finish()

    def _separates(self) -> bool:
        """Consume an operator; return true if it closes this `$(…)`."""
        operator = _OPERATOR.match(self._cursor.text, self._cursor.at)
        mark = operator.group() if operator else ""
        self._cursor.at += len(mark)
        self._finish()
        if mark == "(":
            self._parentheses += 1
        elif mark == ")":
            if self._depth and not self._parentheses:
                return True
            self._parentheses = max(0, self._parentheses - 1)
        self._source = self._before if mark in {"|", "|&"} else None
        self._after = mark
        return False

    def _redirects(self) -> bool:
        cursor = self._cursor
        if cursor.text[cursor.at] in "<>" and cursor.text[cursor.at + 1 : cursor.at + 2] == "(":
            if self._depth >= _MAX_DEPTH:
                cursor.at += 1
            else:
                self._take(self._substitution(), quoted=True)
            return True
        mark = _REDIRECTION.match(cursor.text, cursor.at)
        if mark is None:
            return False
        cursor.at = mark.end()
        self._redirection = mark.group()
        return True

    def _finish(self) -> None:
        if self._command is not None:
            self._before = self._command
        self._command = None
        self._redirection = ""

    def _current(self) -> ShellCommand:
        if self._command is None:
            self._command = ShellCommand(self._source)
            self._command.after, self._after = self._after, ""
            self._source = None
            self.commands.append(self._command)
            self._cursor.commands.append(self._command)
        return self._command

    def _take(self, word: str, *, quoted: bool) -> None:
        mark, self._redirection = self._redirection, ""
        if not mark:
            if self._command is not None or quoted or word not in _KEYWORDS:
                self._current().words.append(word)
        elif mark in {"<<", "<<-"}:
            self._waiting.append(_HereDocument(self._current(), word, quoted, mark == "<<-"))
        elif mark == "<<<":
            self._current().stdin = word + "\n"
        elif mark == "<":
            self._current().reads = word
        elif mark in {">", ">>", ">|", "&>", "&>>"}:
            self._current().writes = word

    def _read_word(self) -> None:
        cursor = self._cursor
        text, end = cursor.text, len(cursor.text)
        parts: list[str] = []
        quoted = False
        while cursor.at < end:
            plain = _PLAIN.match(text, cursor.at)
            if plain:
                parts.append(plain.group())
                cursor.at = plain.end()
                continue
            c = text[cursor.at]
            if c in " \t\n|&;()<>":
                break
            if c == "\\":
                quoted |= self._backslash(parts)
            elif c == "'":
                close = text.find("'", cursor.at + 1)
                close = end if close < 0 else close
                parts.append(text[cursor.at + 1 : close])
                cursor.at = close + 1
                quoted = True
            elif c == '"':
                parts.append(self._double_quoted())
                quoted = True
            elif c == "$":
                quoted |= self._dollar(parts, in_double=False)
            else:
                parts.append(self._backticks())
        word = "".join(parts)
        if (
            not quoted
            and word.isascii()
            and word.isdecimal()
            and text[cursor.at : cursor.at + 1] in {"<", ">"}
        ):
            self._skip_descriptor(word)
        elif word or quoted:
            self._take(word, quoted=quoted)

    def _skip_descriptor(self, number: str) -> None:
        """Consume a numbered redirection; only 0 and 1 carry text."""
        if not self._redirects() or number in {"0", "1"}:
            return
        if self._redirection not in {"<<", "<<-"}:
            self._redirection = "other"

    def _backslash(self, parts: list[str]) -> bool:
        cursor = self._cursor
        after = cursor.text[cursor.at + 1 : cursor.at + 2]
        cursor.at += 2
        if after == "\n":
            return False
        parts.append(after or "\\")
        return True

    def _double_quoted(self) -> str:
        cursor = self._cursor
        text, end = cursor.text, len(cursor.text)
        cursor.at += 1
        parts: list[str] = []
        while cursor.at < end:
            plain = _PLAIN_IN_DOUBLE.match(text, cursor.at)
            if plain:
                parts.append(plain.group())
                cursor.at = plain.end()
                continue
            c = text[cursor.at]
            if c == '"':
                cursor.at += 1
                break
            if c == "\\":
                after = text[cursor.at + 1 : cursor.at + 2]
                cursor.at += 2
                if after != "\n":
                    parts.append(after if after and after in '$`"\\' else "\\" + after)
            elif c == "$":
                self._dollar(parts, in_double=True)
            else:
                parts.append(self._backticks())
        return "".join(parts)

    def _dollar(self, parts: list[str], *, in_double: bool) -> bool:
        """Read what follows a dollar sign; return true for a quotation."""
        cursor = self._cursor
        text, start = cursor.text, cursor.at
        after = text[start + 1 : start + 2]
        if after == "(" and self._depth >= _MAX_DEPTH:
            parts.append("$(")
            cursor.at += 2
        elif after == "(":
            arithmetic = text.startswith("((", start + 1)
            parts.append(
                self._verbatim(_PARENTHESIS, "(", ")") if arithmetic else self._substitution()
            )
        elif after == "{" and cursor.last_brace > start:
            parts.append(self._verbatim(_BRACE, "{", "}"))
        elif after == "'" and not in_double:
            parts.append(self._ansi_quoted())
            return True
        elif after == '"' and not in_double:
            cursor.at += 1
            parts.append(self._double_quoted())
            return True
        else:
            parts.append("$")
            cursor.at += 1
        return False

    def _substitution(self) -> str:
        """Read `$(…)`, `<(…)` or `>(…)`: its text, or a here-document passed to `cat`."""
        cursor = self._cursor
        start = cursor.at
        cursor.at += 2
        inside = _ListReader(cursor, self._depth + 1)
        inside.read()
        if cursor.text[start] == "$" and len(inside.commands) == 1:
            only = inside.commands[0]
            if only.words in (["cat"], ["cat", "-"]) and only.stdin is not None:
                return only.stdin.rstrip("\n")
        return cursor.text[start : cursor.at]

    def _verbatim(self, marks: re.Pattern[str], opens: str, closes: str) -> str:
        cursor = self._cursor
        start = cursor.at
        level = 0
        for mark in marks.finditer(cursor.text, start):
            level += (mark.group() == opens) - (mark.group() == closes)
            if level <= 0 and mark.group() == closes:
                cursor.at = mark.end()
                return cursor.text[start : cursor.at]
        cursor.at = len(cursor.text)
        return cursor.text[start:]

    def _backticks(self) -> str:
        cursor = self._cursor
        start = cursor.at
        cursor.at += 1
        if start >= cursor.last_backtick:
            return "`"
        for mark in _BACKTICK.finditer(cursor.text, cursor.at):
            if mark.group() == "`":
                cursor.at = mark.end()
                return cursor.text[start : cursor.at]
        cursor.at = len(cursor.text)
        return cursor.text[start:]

    def _ansi_quoted(self) -> str:
        cursor = self._cursor
        start = cursor.at + 2
        stop = cursor.at = len(cursor.text)
        for mark in _ANSI_END.finditer(cursor.text, start):
            if mark.group() == "'":
                stop, cursor.at = mark.start(), mark.end()
                break
        return ansi_text(cursor.text[start:stop])

    def _read_here_documents(self) -> None:
        waiting, self._waiting = self._waiting, []
        for document in waiting:
            body = self._body(document)
            if not document.quoted:
                body = _HEREDOC_ESCAPE.sub(lambda m: m[1] or "", body)
            document.command.stdin = body

    def _body(self, document: _HereDocument) -> str:
        cursor = self._cursor
        text, end = cursor.text, len(cursor.text)
        lines: list[str] = []
        while cursor.at < end:
            start = cursor.at
            stop = text.find("\n", start)
            stop = end if stop < 0 else stop
            line = text[start:stop]
            bare = line.lstrip("\t") if document.strip_tabs else line
            cursor.at = min(end, stop + 1)
            if bare == document.delimiter:
                break
            # `EOF)` on one line ends both, as bash reads it.
            rest = bare.removeprefix(document.delimiter)
            if self._depth and rest != bare and rest.lstrip().startswith(")"):
                cursor.at = stop - len(rest)
                break
            lines.append(bare + "\n")
        return "".join(lines)


def ansi_text(escaped: str) -> str:
    r"""Read the inside of `$'…'`, or what `echo -e` is given: \n, \t, \x41, \u00e9, \101."""
    if "\\" not in escaped:
        return escaped
    out = bytearray()
    at = 0
    for escape in _ANSI_ESCAPE.finditer(escaped):
        out += escaped[at : escape.start()].encode(errors="replace")
        at = escape.end()
        piece = _escaped_bytes(escape)
        if piece == b"\0":  # a NUL ends a C string, and with it the quotation
            return out.decode(errors="replace")
        out += piece
    out += escaped[at:].encode(errors="replace")
    return out.decode(errors="replace")


def _escaped_bytes(escape: re.Match[str]) -> bytes:
    letter, octal, byte, short, long, control = escape.groups()
    if letter:
        return _ANSI_LETTERS[letter].encode()
    if octal:
        return bytes((int(octal, 8) & 255,))
    if byte:
        return bytes((int(byte, 16),))
    if control:
        return bytes((ord(control.upper()) & 31,))
    point = int(short or long, 16)
    return chr(point).encode(errors="replace") if point <= 0x10FFFF else "\ufffd".encode()  # noqa: PLR2004
