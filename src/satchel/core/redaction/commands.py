"""Finds passwords that are given to programs: `sshpass -p ...`, `mysql -p...`, `curl -u me:...`.

An option such as `-p` means a port to one program and a password to another, so it is looked at
only after the name of a program for which it is known. Each command is read once, word by word.
"""

from __future__ import annotations

from satchel.core.redaction.values import is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int, str]
    Word = tuple[int, str]

#: Its value is the next word, or what follows a `=`.
_NEXT = "next"
#: Its value is the rest of the word: `-pX`. Alone it lets the program ask for the password.
_GLUED = "glued"
#: Its value is `user:password`.
_LOGIN = "login"
#: Its value is `user%password`, as Samba's tools have it.
_PERCENT = "percent"
#: Its value is `pass:password`, as openssl has it.
_PREFIXED = "prefixed"

_MYSQL = {"-p": _GLUED, "--password": _NEXT}
_CURL = {"-u": _LOGIN, "--user": _LOGIN, "-U": _LOGIN, "--proxy-user": _LOGIN}
_MONGO = {"-p": _NEXT, "--password": _NEXT}
_PUTTY = {"-pw": _NEXT}
_SAMBA = {"-U": _PERCENT, "--user": _PERCENT}
_JAVA = {"-storepass": _NEXT, "-keypass": _NEXT, "-srcstorepass": _NEXT, "-deststorepass": _NEXT}
_LDAP = {"-w": _NEXT}
#: Name of a program, and how each of its options takes a password.
PROGRAMS: dict[str, dict[str, str]] = {
    "sshpass": {"-p": _NEXT},
    **dict.fromkeys(("mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlsh"), _MYSQL),
    **dict.fromkeys(("mariadb", "mariadb-dump", "mariadb-admin"), _MYSQL),
    "curl": _CURL,
    "wget": dict.fromkeys(("--password", "--http-password", "--ftp-password"), _NEXT),
    "http": {"-a": _LOGIN, "--auth": _LOGIN},
    "https": {"-a": _LOGIN, "--auth": _LOGIN},
    "redis-cli": {"-a": _NEXT, "--pass": _NEXT},
    **dict.fromkeys(("mongo", "mongosh", "mongodump", "mongorestore"), _MONGO),
    **dict.fromkeys(("docker", "podman", "helm", "az", "oc"), _MONGO),
    "sqlcmd": {"-P": _NEXT},
    "bcp": {"-P": _NEXT},
    **dict.fromkeys(("plink", "pscp", "psftp", "putty"), _PUTTY),
    **dict.fromkeys(("smbclient", "rpcclient", "smbget"), _SAMBA),
    **dict.fromkeys(("keytool", "jarsigner"), _JAVA),
    **dict.fromkeys(("ldapsearch", "ldapadd", "ldapmodify", "ldapwhoami"), _LDAP),
    "openssl": {"-passin": _PREFIXED, "-passout": _PREFIXED, "-pass": _PREFIXED},
    "zip": {"-P": _NEXT},
    "unzip": {"-P": _NEXT},
    "7z": {"-p": _GLUED},
    "7za": {"-p": _GLUED},
    "unrar": {"-p": _GLUED, "-hp": _GLUED},
    "gpg": {"--passphrase": _NEXT},
    "snmpwalk": {"-A": _NEXT, "-X": _NEXT},
    "ipmitool": {"-P": _NEXT},
}
#: To these programs `-p` is a port, unless they are told to log in.
_LOGS_IN = frozenset(("docker", "podman", "helm", "az", "oc"))
_LONGEST_COMMAND = 1000
_ENDS = "|;&\n`)"
_BEFORE = " \t\n\r\"'`$(;|&{[>:=/\\"
_QUOTES = "\"'"


def find_commands(text: str) -> list[Span]:
    """Find (start, end, kind) of the passwords in the options of known programs."""
    spans: list[Span] = []
    for name, options in PROGRAMS.items():
        at = text.find(name) if name in text else -1
        while at >= 0:
            end = at + len(name)
            if (not at or text[at - 1] in _BEFORE) and text[end : end + 1] in (" ", "\t"):
                words, end = _words(text, end)
                spans += _passwords(words, name, options)
            # Past the words that were read: reading them again and again is not linear.
            at = text.find(name, end)
    return spans


def _words(text: str, at: int) -> tuple[list[Word], int]:
    """Split a command into (place, word) as a shell does; return them and where it ends."""
    words: list[Word] = []
    limit = min(len(text), at + _LONGEST_COMMAND)
    while at < limit:
        c = text[at]
        if c in " \t":
            at += 1
        elif c == "\\" and text[at + 1 : at + 2] == "\n":
            at += 2
        elif c in _ENDS:
            break
        else:
            end = _word_end(text, at, limit)
            words.append((at, text[at:end]))
            at = max(end, at + 1)
    return words, at


def _word_end(text: str, at: int, limit: int) -> int:
    while at < limit:
        c = text[at]
        if c == "\\" and text[at + 1 : at + 2] not in _QUOTES:
            if text[at + 1 : at + 2] in ("\n", "n"):
                return at
            at += 2
        elif c in _QUOTES:
            # The quote that ends what this whole command stands in opens nothing.
            closes = text[at + 1 : at + 2] in ("", " ", "\n", ",", ")", "]", "}", ";")
            close = -1 if closes else text.find(c, at + 1, limit)
            if close < 0:
                return at
            at = close + 1
        elif c in " \t" or c in _ENDS:
            return at
        else:
            at += 1
    return at


def _passwords(words: list[Word], name: str, options: dict[str, str]) -> Iterator[Span]:
    if name in _LOGS_IN and not any(word == "login" for _, word in words):
        return
    for i, (at, word) in enumerate(words):
        if word[:1] != "-":
            continue
        following = words[i + 1] if i + 1 < len(words) else (0, "")
        for option, form in options.items():
            if word.startswith(option):
                rest = word[len(option) :]
                value_at, value = (at + len(option), rest) if rest else following
                if rest and rest[0] != "=" and len(option) > 2:  # noqa: PLR2004
                    continue  # another option, whose name begins alike
                if rest or form != _GLUED:
                    span = _password(value_at + (rest[:1] == "="), value.removeprefix("="), form)
                    if span:
                        yield span


def _password(at: int, value: str, form: str) -> Span | None:
    bare = value.lstrip("\\\"'")
    at, value = at + len(value) - len(bare), bare.rstrip("\\\"'")
    sign = {_LOGIN: ":", _PERCENT: "%", _PREFIXED: "pass:"}.get(form, "")
    if sign:
        before, found, value = value.partition(sign)
        if not found or (form == _PREFIXED and before):
            return None
        at += len(before) + len(sign)
    if not value or _stands_for_another(value):
        return None
    return at, at + len(value), "command-password"


def _stands_for_another(value: str) -> bool:
    """Say whether a value is a placeholder, a mark of an earlier redaction or another option."""
    return is_placeholder(value) or value[0] in "$-[<{" or len(value) < 3  # noqa: PLR2004
