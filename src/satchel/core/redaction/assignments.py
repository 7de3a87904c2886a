"""Finds secrets by the name they are given: `password = "..."`, `API_KEY: ...`, `--token ...`.

Written by hand rather than as a pattern: names such as `token` are common in what agents write, and
looking at the few characters around each is cheaper than loading `re`.
"""

from __future__ import annotations

from satchel.core.redaction.beside import is_told, users_around, users_beside
from satchel.core.redaction.next_lines import is_block_secret, value_on_next_line
from satchel.core.redaction.values import (
    IS_WORDS,
    JOINED_PW,
    PASSWORD_WORDS,
    is_algorithm,
    is_ordinary,
    looks_phrase,
    looks_secret,
    names_password,
    names_secret,
    says_state,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int, str]

WORDS = (
    *("pass", "pwd", "secret", "token", "credential", "auth", "bearer", "jwt", "cookie", "psk"),
    *(
        "_pw",
        "_salt",
        *JOINED_PW,
        "_key",
        "-key",
        "apikey",
        "accesskey",
        "privatekey",
        "sessionkey",
        "signingkey",
        "sshkey",
    ),
    *("encryptionkey", "masterkey", "accountkey", "sharedkey", "servicekey", "storagekey"),
    # `pass` also covers `passwort` and `passe`.
    *(word for word in PASSWORD_WORDS if "pass" not in word),
)
_NAME = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_NAME_BEFORE = _NAME + "."
_LONGEST_WALK = 48
_LONGEST_VALUE = 512
_JUDGED = 128
_AFTER_NAME = frozenset(" \t\n\\\"'`:=!>(,?+")
# What may follow a name and a space: a separator, `is`, `was`, `value`.
_AFTER_SPACE = _AFTER_NAME | frozenset("iwvIWV")
_ASCII_WORDS = tuple(word for word in WORDS if word.isascii())
_FOREIGN = frozenset(PASSWORD_WORDS)
#: Letters before this one belong to alphabets that write spaces between words.
_SPACED = "\u0900"
#: What stands before a name that is set for other programs: in a shell, make and PowerShell.
_EXPORTS = ("export ", "override ", "$env:")
#: After the name comes `is` in one of these languages.
_IS = tuple(word + end for word in IS_WORDS for end in (" ", ": "))
#: Would mean something else after an English word.
_IS_FOREIGN = (*_IS, "to ", "je ", "on ", "- ")
#: The same without a space before it: Chinese, Japanese, Korean and Thai.
_IS_JOINED = "\u662f\u4e3a\u70ba\u306f\ub294\uc740\u3001\u0e04\u0e37\u0e2d"
_EASTERN_QUOTES = "\u300c\u300e\u201c"
#: Letters from here on are Chinese, Japanese or Korean, and touch a value without a space.
_EAST = "\u2e80"
#: What sets a name besides `=`, in code, in a Makefile and in shells.
_SET = ("!=", ":=", "?=", "+=")
_SET_LONG = ("::=", "||=", "??=")
_QUOTES = "\"'`"
_STOPS = "\"'`<>,;|\\"
_MARKS = ("[redacted:", "[private content removed]")


def find_assignments(text: str, lower: str) -> list[Span]:
    """Find (start, end, kind) of each value assigned to a secret's name."""
    spans: list[Span] = []
    seen: dict[str, tuple[bool, bool]] = {}
    for word in _ASCII_WORDS if lower.isascii() else WORDS:
        if word in lower:
            spans += _word_spans(text, lower, word, seen)
    return spans


def _word_spans(
    text: str, lower: str, word: str, seen: dict[str, tuple[bool, bool]]
) -> Iterator[Span]:
    at = lower.find(word)
    while at >= 0:
        end = at + len(word)
        end = resume = _name_end(text, end)
        value_at, tight = _value_start(text, lower, at, end)
        if not value_at and (word == "pass" or word in _FOREIGN):
            foreign = word != "pass" or lower.startswith("passwort", at)
            value_at, tight = _after_is(text, lower, end, foreign=foreign), True
        start = _name_start(text, at)
        name = text[start:end]
        meaning = seen.get(name)
        if meaning is None:
            meaning = seen[name] = (names_secret(name), names_password(name))
        if all(meaning):
            from satchel.core.redaction.told_before import told_before  # few texts name one

            yield from told_before(text, lower, start, end)
        if meaning[0] and value_at and not _is_chained(lower, value_at, word):
            span = _judge(text, value_at, name, start, tight=tight, password=meaning[1])
            if span:
                yield span
                resume = span[1]
        at = lower.find(word, resume)


def _is_chained(lower: str, at: int, word: str) -> bool:
    """Return whether the value is itself assigned a value: `token = token = ...`."""
    ahead = lower[at : at + len(word) + 4].lstrip(" \"'")
    return ahead.startswith(word) and ahead[len(word) : len(word) + 1] in ("=", ":")


def _name_start(text: str, at: int) -> int:
    start = len(text[max(0, at - _LONGEST_WALK) : at].rstrip(_NAME_BEFORE)) + max(
        0, at - _LONGEST_WALK
    )
    if start and start < at and text[start - 1] == "\\" and text[start] in "nrt":
        return start + 1
    return start


def _name_end(text: str, at: int) -> int:
    """Return the end of a name, with the letters that a case adds in other alphabets."""
    end = _skip(text, at, _NAME, _LONGEST_WALK)
    while end - at < _LONGEST_WALK and "\x7f" < text[end : end + 1] < _SPACED:
        if not text[end].isalpha():
            break
        end += 1
    return end


def _skip(text: str, at: int, letters: str, most: int) -> int:
    ahead = text[at : at + most]
    return at + len(ahead) - len(ahead.lstrip(letters))


def _value_start(text: str, lower: str, word_at: int, end: int) -> tuple[int, bool]:
    """Return where the value after the name ending at `end` starts, or 0, and if it is adjacent."""
    ahead = text[end : end + 2]
    if ahead[:1] not in _AFTER_NAME:
        return 0, False
    flag = ahead[:1] == " " and _is_flag(text, word_at)
    if ahead[:1] == " " and ahead[1:] not in _AFTER_SPACE and not flag:
        # The usual case, words after words.
        return 0, False
    at = _skip(text, end, "\\\"'`", 3)
    if at > end and text[at : at + 1] == "]":
        at += 1
    spaced = _skip(text, at, " \t", 24) if text[at : at + 1] in (" ", "\t") else at
    sign = text[spaced : spaced + 2]
    first = sign[:1]
    value_at = 0
    if first == "=" or sign in _SET or text.startswith(_SET_LONG, spaced):
        value_at = _skip(text, spaced, "?+!:=>~|", 3)
    elif (
        (first == ":" and sign != "::")
        or (first == ">" and "<" in text[max(0, word_at - 24) : word_at])
        or (first == "(" and text[spaced + 1 : spaced + 2] in _QUOTES)
    ):
        value_at = spaced + 1
    elif flag and at == end:
        return spaced, True
    elif spaced > at and lower.startswith(("is ", "was ", "is: ", "was: "), spaced):
        return text.find(" ", spaced) + 1, True
    else:
        quoted = first and first in ",'\""
        argument = _argument_after(text, word_at, end, spaced) if quoted else 0
        if argument:
            return argument, True
        # A list of {name, value} pairs, as in a container's environment.
        after = _skip(text, end, "\\\"'`, \t\n", 24)
        if after > end and lower.startswith("value", after):
            after = _skip(text, after + 5, "\\\"' ", 5)
            if text[after : after + 1] in (":", "="):
                return after + 1, True
    if not value_at:
        return 0, False
    return value_at, spaced == end and text[value_at : value_at + 1] != " "


def _argument_after(text: str, word_at: int, end: int, at: int) -> int:
    """Return where the value given in a call or a build file starts, or 0.

    `putenv("DB_PASSWORD", "...")`, and a line `storePassword '...'` of Groovy.
    """
    start = _name_start(text, word_at)
    if text[at : at + 1] == ",":
        opened = text[max(0, start - 3) : start].replace("\\", "")
        value_at = _skip(text, at + 1, " \t", 4)
        called = at > end and opened.endswith(('("', "('"))
        return value_at if called and text[value_at : value_at + 1] in ("'", '"') else 0
    quote = text[at : at + 1]
    line = text.rfind("\n", max(0, start - _LONGEST_WALK), start) + 1
    if quote not in ("'", '"') or at == end or text[line:start].strip() or text[end:at].strip():
        return 0
    rest = text[at + 1 : at + _LONGEST_VALUE].partition("\n")[0].rstrip()
    return at if rest.find(quote) == len(rest) - 1 else 0


def _after_is(text: str, lower: str, end: int, *, foreign: bool) -> int:
    """Return where the value given by a sentence in another language starts, or 0."""
    at = _skip(text, end, _IS_JOINED, 3)
    if at > end:
        return _skip(text, at, " \t:" + _EASTERN_QUOTES, 4)
    at = _skip(text, end, " \t\"'`", 4)
    if at > end and lower.startswith(_IS_FOREIGN if foreign else _IS, at):
        return _skip(text, text.find(" ", at), " \t:", 4)
    return 0


def _is_flag(text: str, word_at: int) -> bool:
    """Return whether a name is an option: `--password`, or `-password` as in Java and Go."""
    if text.find("-", max(0, word_at - _LONGEST_WALK), word_at) < 0:
        return False
    start = _name_start(text, word_at)
    single = text[start : start + 1] == "-" and text[max(0, start - 1) : start] in ("", " ")
    return text.startswith("--", start) or single


def _judge(
    text: str, at: int, name: str, start: int, *, tight: bool, password: bool
) -> Span | None:
    kind = "password" if password else "secret"
    if text[at : at + 1] == "?" and text.endswith("${", 0, start):
        return None  # what a shell says if it is not set
    # `password: hunter2` is a setting, where `token: Uint8Array` may be a type.
    exported = text.endswith(_EXPORTS, max(0, start - _LONGEST_WALK), start)
    tight = tight or exported or (password and text[at - 1] == ":") or _by_make(text, at, name)
    told = text[at - 1] == " "  # by `is`, not by a sign
    cookie = "ookie" in name.lower()
    phrase = password or name.lower().endswith("secret")
    for _ in range(2):
        value_from = _skip(text, at, " \t", 12)
        if text[value_from : value_from + 1] == "!" and text[at - 1] == ":":
            value_from = _past_tag(text, value_from)
        block = value_on_next_line(text, value_from, start)
        if block is None:
            quoted, value_from, value = _read(text, value_from, start, cookie=cookie)
        else:
            quoted, value_from, value = block
            if is_block_secret(value, password=password):
                return value_from, value_from + len(value), kind
        if told and is_algorithm(value):
            return None
        setting = exported or _is_setting(text, at, name, start, quoted=quoted)
        plain = phrase and tight and setting
        plain = plain or (password and quoted and _is_argument(text, at, start, value))
        if password and quoted and value.isalpha() and text[start - 1 : start] == '"' and not plain:
            plain = is_told(name, value, users_around(text, start, value_from + len(value)))
        elif password and not quoted and value.isalpha() and text[at - 1] == ":":
            plain = is_told(name, value, users_beside(text, start, value_from + len(value)))
        end = value_from + len(value)
        plain = plain or _is_constant(text, at, name, start, (value_from, end, value))
        if password and quoted and " " in value:
            from satchel.core.redaction.phrases import says_phrase

            if says_phrase(value):
                return value_from, end, kind
        if (plain and quoted and looks_phrase(value)) or _is_secret(
            value,
            cookie=cookie,
            quoted=quoted,
            tight=tight,
            password=password,
            plain=plain,
            phrase=phrase,
        ):
            return value_from, value_from + len(value), kind
        # There may be an annotation in between: `token: str = "..."`.
        after = _skip(text, value_from + len(value), " \t", 4)
        if quoted or text[after : after + 1] != "=" or text[after + 1 : after + 2] == "=":
            return None
        at = after + 1
    return None


def _past_tag(text: str, at: int) -> int:
    """Return where the value after a YAML tag such as `!secret` starts; others have no `!`."""
    tag = text[at : at + _LONGEST_WALK].split(None, 1)[0]
    behind = at + len(tag)
    is_tag = tag.lstrip("!").replace("/", "").isalpha() and text[behind : behind + 1] in (" ", "")
    return _skip(text, behind, " ", 4) if is_tag else at


def _is_setting(text: str, at: int, name: str, start: int, *, quoted: bool) -> bool:
    """Return whether the value is literal: `DB_PASSWORD=x`, `--password=x`, `?pwd=x`.

    In code, `connect(password=secret)` names a variable.
    """
    if _by_make(text, at, name):
        return True
    if text[at - 1] == "=":
        before = text[start - 1 : start]  # the start of a line, as in settings files
        return name.isupper() or before in ("", "\n", "?", "&") or text.startswith("--", start)
    if text[at - 1] == ">":
        return text.find(f"</{name}>", at, at + _LONGEST_VALUE) > at
    if text[at - 1] == " " and name.endswith("Password") and text[start : at - 1].strip() == name:
        return True  # a line of Groovy
    return text[at - 1] == ":" and name.isupper() and (quoted or "_" in name)


def _is_constant(text: str, at: int, name: str, start: int, value: Span) -> bool:
    """Return whether a line is `NAME = letters` and no more, as in a settings file.

    In code, letters without quotes name a variable, but hardly ever for a name in capitals.
    """
    if not name.isupper() or text[at - 1] != "=":
        return False
    _, end, letters = value
    line = text.rfind("\n", max(0, start - _LONGEST_WALK), start) + 1
    alone = text[line:start].strip() in ("", "export", "set")
    rest = text[end : end + 2].lstrip("\"' \t\r")
    given = alone and rest[:1] in ("", "\n", "#", ";")
    return given and letters.isalpha() and not (letters.isupper() or says_state(letters))


def _by_make(text: str, at: int, name: str) -> bool:
    """Return whether a Makefile sets a name: `TOKEN ?= x`; what follows is taken literally."""
    sign = text[at - 3 : at].lstrip()
    return name.isupper() and sign.endswith(("?=", ":=", "+=")) and sign != "!:="


def _is_argument(text: str, at: int, start: int, value: str) -> bool:
    """Return whether a quoted word is an argument: `connect(user=u, password="...")`."""
    before = text[max(0, start - _LONGEST_WALK) : start].rstrip()
    given = text[at - 1] == "=" and before.endswith(("(", ","))
    return given and value.isalpha() and not says_state(value)


def _is_secret(value: str, *, cookie: bool, quoted: bool, **rules: bool) -> bool:
    if cookie and "=" in value:
        parts = [part.partition("=") for part in value.split(";")]
        # In code, what stands before the `=` is a type: `cookies: dict[str, str] = field(...)`.
        given = [part[2] for part in parts if "[" not in part[0] and " " not in part[0].strip()]
        return any(looks_secret(part.strip(), quoted=True) for part in given)
    if not quoted and ("=" in value or ":" in value):
        # A word and another separator: that separator's own name gets its own turn.
        head = value.replace(":", "=").split("=", 1)[0]
        if len(head) + 2 < len(value) and is_ordinary(head):
            return False
    return looks_secret(value[:_JUDGED], quoted=quoted, **rules)


def _read(text: str, at: int, start: int, *, cookie: bool) -> tuple[bool, int, str]:
    """Read the value at `at`; return whether it is quoted, where it starts, and the value."""
    # Of Python, SQL and C#.
    if text[at : at + 1] in ("b", "r", "u", "N", "@") and text[at + 1 : at + 2] in ('"', "'"):
        at += 1
    opening = _skip(text, at, "\\", 3)
    quote = text[opening : opening + 1]
    if quote and text[opening : opening + 3] in ('"""', "'''"):
        opening += 2
    if quote and quote in _QUOTES:
        at = opening + 1
        close = text.find(quote, at, at + _LONGEST_VALUE)
        if close >= 0 and text.find("\n", at, close) < 0:
            return True, at, _unmarked(text[at:close].rstrip("\\"))
    chunk = text[at : at + _LONGEST_VALUE]
    if cookie:
        value = chunk.split("\n", 1)[0]
        for stop in "\"'`\\":
            value = value.split(stop, 1)[0]
        return False, at, _unmarked(value.rstrip())
    words = chunk.split(None, 1)
    value = words[0] if words and not chunk[:1].isspace() else ""
    for stop in _STOPS:
        if stop in value:
            value = value.split(stop, 1)[0]
    if start and text[start - 1] in "?&":
        value = value.split("&", 1)[0].split("#", 1)[0]
    if value[:1].isascii() and not value.isascii():
        value = value[: next((i for i, c in enumerate(value) if c >= _EAST), len(value))]
    value = _unmarked(value)
    if "(" not in value:
        value = value.rstrip("):.")
    if "[" not in value:
        value = value.rstrip("]")
    if "{" not in value:
        value = value.rstrip("}")
    return False, at, value.rstrip(".")


def _unmarked(value: str) -> str:
    """Return the text before an earlier redaction's placeholder, which is not a secret."""
    if "[" in value:
        for mark in _MARKS:
            value = value.split(mark, 1)[0]
    return value
