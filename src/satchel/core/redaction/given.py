"""Finds passwords passed without an option: through a pipe, or by position.

`echo ... | sudo -S ls`, `htpasswd -b file me ...`, `setenv DB_PASSWORD ...`, and in SQL and PHP
`IDENTIFIED BY '...'` and `define('DB_PASSWORD', '...')`.
"""

from __future__ import annotations

from satchel.core.redaction.commands import LOGIN, NEXT, commands_of, password, words_of
from satchel.core.redaction.values import names_secret, says_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from satchel.core.redaction.commands import Span, Word

#: Programs that read a password from standard input with this option, and in which form.
_FED = {
    "sudo": ("-S", NEXT),
    "passwd": ("--stdin", NEXT),
    "smbpasswd": ("-s", NEXT),
    "gpg": ("--passphrase-fd", NEXT),
    **dict.fromkeys(("docker", "podman", "helm", "oras"), ("--password-stdin", NEXT)),
    **dict.fromkeys(("gh", "glab"), ("--with-token", NEXT)),
    **dict.fromkeys(("kinit", "cryptsetup", "su"), ("", NEXT)),
    "chpasswd": ("", LOGIN),
}
#: How many characters before a name tell what it is about.
_BEFORE = 200
#: No password is longer.
_LONGEST = 130
#: Shorter content of a file named after a password is a word such as `none`.
_SHORTEST = 6
#: The words of `echo WORD > FILE` after the command's name.
_KEPT = 3
#: An option or a format before the word: `-n`, `'%s\\n'`.
_FORMAT = frozenset("-neE%s\\\"'")
#: WordPress's cookie salts; its keys have names that are already known.
_SIGNING = ("_KEY", "_SALT")


def find_given(text: str) -> list[Span]:
    """Find (start, end, kind) of passwords where a program expects one."""
    spans: list[Span] = []
    for name in [name for name in _PLACES if name in text]:
        for start, words, _ in commands_of(text, name):
            found = _PLACES[name](words, text[max(0, start - _BEFORE) : start])
            spans += filter(None, [password(*found, NEXT)] if found else [])
    spans += _piped(text)
    spans += _here(text)
    spans += _defined(text)
    return spans


# Through standard input


def _piped(text: str) -> Iterator[Span]:
    for name in ("echo", "printf"):
        for _, words, end in commands_of(text, name):
            form = _reads(words_of(text, end + 1)[0]) if text[end : end + 1] == "|" else ""
            span = password(*words[-1], form) if form and words else _kept(words)
            if span:
                yield span


def _kept(words: Sequence[Word]) -> Span | None:
    """`echo ... > ~/.vault_pass.txt`: one word, and the file's name says what it is."""
    before = [word for _, word in words[:-_KEPT]]
    if len(words) < _KEPT or words[-2][1] not in (">", ">>") or set("".join(before)) - _FORMAT:
        return None
    (at, value), name = words[-_KEPT], words[-1][1].strip("\"'").rpartition("/")[2]
    bare = value.strip("\\\"'")
    told = names_secret(name.lstrip(".").partition(".")[0])
    if not told or len(bare) < _SHORTEST or " " in bare or says_state(bare):
        return None
    return password(at, value, NEXT)


def _here(text: str) -> Iterator[Span]:
    done, at = 0, text.find("<<<")
    while at >= 0:
        line = text[max(done, at - _BEFORE) : at].rpartition("\n")[2]
        form = _reads_at_the_end(words_of(line, 0)[0])
        done = at + 3
        words = words_of(text[done : done + _LONGEST], 0)[0] if form else []
        span = password(done + words[0][0], words[0][1], form) if words else None
        if span:
            yield span
        at = text.find("<<<", done)


def _reads(words: Sequence[Word]) -> str:
    """Return how a command reads a password from standard input, or ""."""
    names = [word.rpartition("/")[2] for _, word in words]
    for i, name in enumerate(names):
        wanted, form = _FED.get(name, ("", ""))
        if form and (not wanted or any(one.startswith(wanted) for one in names[i:])):
            return form
        if name != "sudo" and not name.startswith("-"):
            return ""
    return ""


def _reads_at_the_end(words: Sequence[Word]) -> str:
    """Return the same for the last command of a line."""
    return next(filter(None, (_reads(words[i:]) for i in range(len(words)))), "")


# By their place


def _after(words: Sequence[Word], name: str, steps: int = 1) -> Word | None:
    for i, (_, word) in enumerate(words):
        if word == name:
            return words[i + steps] if i + steps < len(words) else None
    return None


def _plain(words: Sequence[Word]) -> list[Word]:
    return [one for one in words if one[1][:1] not in "-/"]


def _at(words: Sequence[Word], number: int) -> Word | None:
    return words[number] if number < len(words) else None


def _htpasswd(words: Sequence[Word], _: str) -> Word | None:
    given = any(w[:1] == "-" and w[:2] != "--" and "b" in w for _, w in words)
    plain = _plain(words)
    return plain[-1] if given and len(plain) > 1 else None


def _net(words: Sequence[Word], _: str) -> Word | None:
    all_words, plain = [word for _, word in words], _plain(words)
    if all_words[:1] == ["user"] and "/add" in all_words:
        return _at(plain, 2)
    shared = any(word.startswith("/user:") for word in all_words)
    return _at(plain, 3) if all_words[:1] == ["use"] and shared else None


def _rabbit(words: Sequence[Word], _: str) -> Word | None:
    names = ("add_user", "change_password", "authenticate_user")
    return next(filter(None, (_after(words, one, 2) for one in names)), None)


def _pulumi(words: Sequence[Word], _: str) -> Word | None:
    return _at(_plain(words), 3) if any(word == "--secret" for _, word in words) else None


def _given_to(action: str) -> Callable[[Sequence[Word], str], Word | None]:
    def find(words: Sequence[Word], _: str) -> Word | None:
        plain = [one for one in _plain(words) if "=" not in one[1]]
        return _at(plain, 1) if plain and plain[0][1] == action else None

    return find


def _variable(words: Sequence[Word], _: str) -> Word | None:
    named = words[1:] if words and words[0][1][:1] == "-" and "x" in words[0][1] else words
    if not named or (named is words and words[0][1][:1] == "-"):
        return None
    return _at(named, 1) if names_secret(named[0][1]) else None


def _set(words: Sequence[Word], before: str) -> Word | None:
    """`set -x NAME ...` of fish, `... config set NAME ...`; in a sentence it is a word."""
    if words and words[0][1][:1] == "-":
        return _variable(words, before)
    named = _plain(words)
    of_settings = named and before.endswith(("config ", "secrets ")) and not named[0][1].isalpha()
    return _variable(named, before) if of_settings else None


def _oracle(words: Sequence[Word], _: str) -> Word | None:
    """`sqlplus user/password@service`: the first word of that form."""
    for at, word in words:
        bare = word.lstrip("\\\"'")
        user, sign, rest = bare.partition("/")
        if word[:1] in "-@" or not sign or not user or not user.isidentifier():
            continue
        secret = rest.partition("@")[0].rstrip("\\\"'")
        return at + len(word) - len(bare) + len(user) + 1, secret
    return None


def _setting(words: Sequence[Word], before: str) -> Word | None:
    """A line of redis's settings or a redis command; in a sentence it is a word like any other."""
    last = before[-5:].lower()
    return _at(words, 0) if not last or last.endswith(("\n", "\\n", "set ")) else None


def _quoted_after(word: str) -> Callable[[Sequence[Word], str], Word | None]:
    def place(words: Sequence[Word], before: str) -> Word | None:
        rest = words
        if word:
            at = [w.lower() for _, w in words[:4]]
            rest = words[at.index(word) + 1 :] if word in at else ()
        elif not any(verb in before.lower() for verb in ("alter ", "create ")):
            return None
        return rest[0] if rest and rest[0][1].lstrip("\\")[:1] in ("'", '"') else None

    return place


_PLACES: dict[str, Callable[[Sequence[Word], str], Word | None]] = {
    "htpasswd": _htpasswd,
    "net": _net,
    "rabbitmqctl": _rabbit,
    "wpa_passphrase": lambda words, _: _at(words, 1),
    "mc": lambda words, _: _after(words, "set", 4) or _after(words, "add", 4),
    "nmcli": lambda words, _: _after(words, "password"),
    "vault": _given_to("login"),
    "wandb": _given_to("login"),
    "snyk": _given_to("auth"),
    "rclone": _given_to("obscure"),
    "ngrok": lambda words, _: _after(words, "add-authtoken") or _after(words, "authtoken"),
    "pulumi": _pulumi,
    "setenv": _variable,
    "ENV": _variable,
    **dict.fromkeys(("sqlplus", "sqlldr", "expdp", "impdp", "rman target"), _oracle),
    "setx": lambda words, before: _variable(_plain(words), before),
    "set": _set,
    "ConvertTo-SecureString": lambda words, _: next(iter(_plain(words)), None),
    **dict.fromkeys(("requirepass", "masterauth"), _setting),
    **dict.fromkeys(("IDENTIFIED", "identified", "Identified"), _quoted_after("by")),
    **dict.fromkeys(("PASSWORD", "password", "Password"), _quoted_after("")),
}


def _defined(text: str) -> Iterator[Span]:
    """PHP's `define('DB_PASSWORD', '...')`."""
    at = text.find("define(")
    while at >= 0:
        end = text.find(")", at, at + 300)
        parts = text[at : end if end > 0 else at].replace('"', "'").split("'")
        told = len(parts) > 3 and parts[2].strip() == ","  # noqa: PLR2004 -- name and value
        if told and (names_secret(parts[1]) or parts[1].endswith(_SIGNING)):
            before = sum(len(part) + 1 for part in parts[:3])
            span = password(at + before, parts[3], NEXT)
            if span:
                yield span
        at = text.find("define(", at + 7)
