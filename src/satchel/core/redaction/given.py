"""Finds passwords passed without an option: through a pipe, or by position.

`echo ... | sudo -S ls`, `htpasswd -b file me ...`, `setenv DB_PASSWORD ...`, and in SQL and PHP
`IDENTIFIED BY '...'` and `define('DB_PASSWORD', '...')`.
"""

from __future__ import annotations

from satchel.core.redaction.commands import LOGIN, NEXT, commands_of, password, words_of
from satchel.core.redaction.values import looks_secret, names_secret, says_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from satchel.core.redaction.commands import Span, Word

#: Programs that read a password from standard input with this option, and in which form.
_FED: dict[str, tuple[tuple[str, ...], str]] = {
    "sudo": (("-S",), NEXT),
    "passwd": (("--stdin",), NEXT),
    "smbpasswd": (("-s",), NEXT),
    "gpg": (("--passphrase-fd",), NEXT),
    **dict.fromkeys(("helm", "oras"), (("--password-stdin",), NEXT)),
    **dict.fromkeys(("docker", "podman"), (("--password-stdin", "secret"), NEXT)),
    **dict.fromkeys(("gh", "glab"), (("--with-token", "secret"), NEXT)),
    **dict.fromkeys(("kinit", "cryptsetup", "su"), ((), NEXT)),
    "chpasswd": ((), LOGIN),
    **dict.fromkeys(("pass", "gopass"), (("insert",), NEXT)),
    **dict.fromkeys(("vercel", "vc"), (("env",), NEXT)),
    **dict.fromkeys(("wrangler", "doppler", "infisical"), (("secret",), NEXT)),
    "firebase": (("functions:secrets:",), NEXT),
    "gcloud": (("--data-file",), NEXT),
    "secret-tool": (("store",), NEXT),
    "keyring": (("set",), NEXT),
    "ansible-vault": (("encrypt_string",), NEXT),
    "openssl": (("-stdin",), NEXT),
    "mkpasswd": (("-s", "--stdin"), NEXT),
    "htpasswd": (("-i",), NEXT),
}
#: Programs that run the one after them.
_RUNNERS = frozenset(("sudo", "doas", "npx", "bunx", "pnpm", "yarn", "dlx", "exec", "env"))
#: How many characters before a name tell what it is about.
_BEFORE = 200
#: No password is longer.
_LONGEST = 130
#: Shorter content of a file named after a password is a word such as `none`.
_SHORTEST = 6
#: No key that unseals a vault is shorter.
_SHORTEST_KEY = 40
#: Options whose value is the next word.
_VALUED = frozenset(("-m", "-S", "-R", "-salt", "-in", "--method", "--salt", "--rounds"))
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
        wanted, form = _FED.get(name, ((), ""))
        if form and (not wanted or any(one.startswith(wanted) for one in names[i + 1 :])):
            return form
        if name not in _RUNNERS and not name.startswith("-"):
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
    if all_words[:1] != ["use"] or not any(word.startswith("/user:") for word in all_words):
        return None
    # A drive's letter may come before the share.
    share = next((i for i, (_, word) in enumerate(plain) if "\\\\" in word[:3]), 2)
    return _at(plain, share + 1)


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


def _option(words: Sequence[Word], name: str) -> Word | None:
    """Return the value of an option: the next word, or what follows its `=`."""
    for i, (at, word) in enumerate(words):
        if word == name:
            return _at(words, i + 1)
        if word.startswith(name + "="):
            return at + len(name) + 1, word[len(name) + 1 :]
    return None


def _aws(words: Sequence[Word], _: str) -> Word | None:
    """A parameter says of itself that it is secret, by its type or by its name."""
    said = [word.strip("\"'") for _, word in words]
    if "put-parameter" in said:
        named = (_option(words, "--name") or (0, ""))[1].strip("\"'").rpartition("/")[2]
        is_secret = any("SecureString" in word for word in said) or names_secret(named)
        return _option(words, "--value") if is_secret else None
    secret = _option(words, "--secret-string") if "secretsmanager" in said else None
    return None if secret and secret[1].startswith("file") else secret


def _az(words: Sequence[Word], _: str) -> Word | None:
    said = [word for _, word in words]
    return _option(words, "--value") if "keyvault" in said and "secret" in said else None


def _vault(words: Sequence[Word], before: str) -> Word | None:
    """`vault login TOKEN`, `vault operator unseal KEY`."""
    plain = [one for one in words if one[1][:1] != "-"]
    said = [word for _, word in plain]
    if "unseal" not in said[:2]:
        return _given_to("login")(words, before)
    key = _at(plain, said.index("unseal") + 1)
    return key if key and len(key[1]) >= _SHORTEST_KEY else None


def _cargo(words: Sequence[Word], before: str) -> Word | None:
    token = _given_to("login")(words, before)
    return token if token and looks_secret(token[1].strip("\"'"), quoted=True) else None


def _poetry(words: Sequence[Word], _: str) -> Word | None:
    plain = _plain(words)
    named = (_at(plain, 1) or (0, ""))[1] if plain and plain[0][1] == "config" else ""
    if named.startswith("http-basic."):
        return _at(plain, 3)
    return _at(plain, 2) if named.startswith("pypi-token.") else None


def _netlify(words: Sequence[Word], _: str) -> Word | None:
    plain = _plain(words)
    named = _at(plain, 1) if plain and plain[0][1] == "env:set" else None
    return _at(plain, 2) if named and names_secret(named[1]) else None


def _hashed(action: str) -> Callable[[Sequence[Word], str], Word | None]:
    """`openssl passwd -6 WORD`, `mkpasswd -m sha-512 WORD`: the word is the password itself."""

    def find(words: Sequence[Word], _: str) -> Word | None:
        if action:
            if not words or words[0][1] != action:
                return None
            words = words[1:]
        free = [
            one
            for i, one in enumerate(words)
            if one[1][:1] != "-" and not (i and words[i - 1][1] in _VALUED)
        ]
        given = len(words) > len(free) and len(free) == 1
        return free[0] if given else None

    return find


def _community(words: Sequence[Word], before: str) -> Word | None:
    """A line of a router's or of snmpd's settings; `public` and `private` are no secrets."""
    found = _at(words, 0)
    if found is None or (before.strip() and before[-1:] != "\n"):  # in a sentence it is a word
        return None
    return None if says_state(found[1].strip("\"'")) else found


def _variable(words: Sequence[Word], _: str) -> Word | None:
    named = words[1:] if words and words[0][1][:1] == "-" and "x" in words[0][1] else words
    if not named or (named is words and words[0][1][:1] == "-"):
        return None
    return _at(named, 1) if names_secret(named[0][1]) else None


def _set(words: Sequence[Word], before: str) -> Word | None:
    """`set -x NAME ...` of fish, `... config set NAME ...`; in a sentence it is a word."""
    if words and words[0][1][:1] == "-":
        return _variable(words, before)
    named = [one for one in words if one[1][:1] != "-"]
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
    **dict.fromkeys(("vault", "bao"), _vault),
    "aws": _aws,
    "az": _az,
    "poetry": _poetry,
    "netlify": _netlify,
    "cargo": _cargo,
    "openssl": _hashed("passwd"),
    "mkpasswd": _hashed(""),
    **dict.fromkeys(
        ("rocommunity", "rwcommunity", "snmp-server community", "set snmp community"), _community
    ),
    "com2sec": lambda words, before: _community(words[2:], before),
    "wandb": _given_to("login"),
    "snyk": _given_to("auth"),
    # More words are a sentence about it.
    "bw": lambda words, it: _given_to("unlock")(words, it) if len(_plain(words)) == 2 else None,  # noqa: PLR2004
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
