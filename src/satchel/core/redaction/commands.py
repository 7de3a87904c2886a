"""Finds passwords passed to programs: `sshpass -p ...`, `mysql -p...`, `curl -u me:...`.

An option such as `-p` means a port to one program and a password to another, so options are read
only after a known program's name. Each command is read once, word by word.
"""

from __future__ import annotations

from satchel.core.redaction.values import (
    is_placeholder,
    looks_made,
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
    Word = tuple[int, str]

#: The value is the next word, or follows a `=`.
NEXT = "next"
#: The value is the rest of the word: `-pX`. Alone, it makes the program ask.
_GLUED = "glued"
#: The value is the next word only: openssl's `-k`, since there is also `-keyout`.
_ALONE = "alone"
#: A word that lets in: SNMP's `public` and `private` are no secrets.
_COMMUNITY = "community"
#: Its value is `user:password`.
LOGIN = "login"
#: The value is `user%password`, as in Samba's tools.
_PERCENT = "percent"
#: The value is `user,password`, as in lftp.
_COMMA = "comma"
#: The value is `pass:password`, as in openssl.
_PREFIXED = "prefixed"
#: The value is cookies, `name=value; ...`, or a file name.
_COOKIES = "cookies"

_MYSQL = {"-p": _GLUED, "--password": NEXT}
_CURL = {
    **dict.fromkeys(("-u", "--user", "-U", "--proxy-user"), LOGIN),
    **dict.fromkeys(("-b", "--cookie"), _COOKIES),
}
_MONGO = {"-p": NEXT, "--password": NEXT}
_PUTTY = {"-pw": NEXT}
_SAMBA = {"-U": _PERCENT, "--user": _PERCENT}
_JAVA = {"-storepass": NEXT, "-keypass": NEXT, "-srcstorepass": NEXT, "-deststorepass": NEXT}
_LDAP = {"-w": NEXT}
_SNMP = {"-A": NEXT, "-X": NEXT, "-c": _COMMUNITY}
_USER = {"-p": NEXT, "--password": NEXT}
_WINDOWS = {"-H": _ALONE, "-p": _ALONE}
_NUGET = {"--api-key": NEXT, "-k": NEXT}
_MOSQUITTO = {"-P": NEXT}
_ERLANG = {"-setcookie": NEXT, "--cookie": NEXT}
#: How each program's options take a password.
PROGRAMS: dict[str, dict[str, str]] = {
    "sshpass": {"-p": NEXT},
    **dict.fromkeys(("mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlsh"), _MYSQL),
    **dict.fromkeys(("mariadb", "mariadb-dump", "mariadb-admin"), _MYSQL),
    "curl": _CURL,
    "wget": dict.fromkeys(("--password", "--http-password", "--ftp-password"), NEXT),
    "http": {"-a": LOGIN, "--auth": LOGIN},
    "https": {"-a": LOGIN, "--auth": LOGIN},
    "redis-cli": {"-a": NEXT, "--pass": NEXT},
    **dict.fromkeys(("mongo", "mongosh", "mongodump", "mongorestore"), _MONGO),
    **dict.fromkeys(("docker", "podman", "helm", "az", "oc"), _MONGO),
    "sqlcmd": {"-P": NEXT},
    "mssql-cli": {"-P": NEXT},
    "svn": {"--password": NEXT},
    "skopeo": dict.fromkeys(("--creds", "--src-creds", "--dest-creds"), LOGIN),
    "bcp": {"-P": NEXT},
    **dict.fromkeys(("plink", "pscp", "psftp", "putty"), _PUTTY),
    **dict.fromkeys(("smbclient", "rpcclient", "smbget"), _SAMBA),
    **dict.fromkeys(("keytool", "jarsigner"), _JAVA),
    **dict.fromkeys(("ldapsearch", "ldapadd", "ldapmodify", "ldapwhoami", "ldappasswd"), _LDAP),
    "openssl": {**dict.fromkeys(("-passin", "-passout", "-pass"), _PREFIXED), "-k": _ALONE},
    "ssh-keygen": {"-N": _ALONE, "-P": _ALONE},
    "security": {"-w": _ALONE},
    "cmdkey": {"/pass:": _GLUED},
    "oathtool": dict.fromkeys(("-b", "--base32"), _ALONE),
    **dict.fromkeys(("cqlsh", "cypher-shell", "influx", "psexec"), _MONGO),
    **dict.fromkeys(("mosquitto_pub", "mosquitto_sub"), _MOSQUITTO),
    "zip": {"-P": NEXT},
    "unzip": {"-P": NEXT},
    "7z": {"-p": _GLUED},
    "7za": {"-p": _GLUED},
    "unrar": {"-p": _GLUED, "-hp": _GLUED},
    "gpg": {"--passphrase": NEXT},
    "lftp": {"-u": _COMMA},
    "twine": {"-p": NEXT},
    "gh": {"--body": NEXT, "-b": NEXT},
    "doctl": {"-t": NEXT},
    "rdesktop": {"-p": NEXT},
    "xfreerdp": {"/p:": _GLUED},
    **dict.fromkeys(("erl", "iex", "elixir"), _ERLANG),
    **dict.fromkeys(("snmpget", "snmpgetnext", "snmpwalk", "snmpset", "snmptrap"), _SNMP),
    **dict.fromkeys(("snmpbulkwalk", "snmpbulkget", "snmptable", "snmpinform"), _SNMP),
    **dict.fromkeys(("useradd", "usermod", "adduser"), _USER),
    # Whoever has the hash of a Windows password signs in with it.
    **dict.fromkeys(("evil-winrm", "nxc", "netexec", "crackmapexec"), _WINDOWS),
    "gem": {"--key": NEXT, "-k": NEXT},
    **dict.fromkeys(("dotnet", "nuget"), _NUGET),
    "pd": {"-t": NEXT, "--token": NEXT},
    "vercel": {"--value": NEXT},
    "ipmitool": {"-P": NEXT},
}
#: Options with one or more `name=value`; the names tell which are secrets.
PAIRS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("kubectl", "oc"), ("--from-literal",)),
    "helm": ("--set", "--set-string"),
    **dict.fromkeys(("mount", "mount.cifs", "mount.davfs"), ("-o",)),
    **dict.fromkeys(("terraform", "tofu", "terragrunt"), ("-var", "--var")),
    **dict.fromkeys(("ansible", "ansible-playbook"), ("-e", "--extra-vars")),
}
#: Programs that take `name=value` without an option, after one of these words.
BARE_PAIRS: dict[str, tuple[str, ...]] = {
    "vault": ("put", "patch", "write"),
    **dict.fromkeys(("heroku", "dokku"), ("config:set",)),
    **dict.fromkeys(("fly", "flyctl", "supabase"), ("set",)),
    "railway": ("variables",),
}
#: For these programs the option means something else, unless this word is also given.
_WITH = {
    **dict.fromkeys(("docker", "podman", "helm", "az", "oc"), "login"),
    "gh": "secret",
    "doctl": "auth",
    "pd": "auth",
    "vercel": "env",
    **dict.fromkeys(("gem", "dotnet", "nuget"), "push"),
    "security": "add-",
}
#: Words of a sentence about an option: "redis-cli -a requires a value".
_NOT_GIVEN = frozenset(
    ("requires", "needs", "takes", "means", "expects", "asks", "sets", "option", "flag", "without")
)
#: What a secret of Kubernetes holds besides the secret.
_BESIDE_SECRETS = frozenset(
    (
        *("user", "username", "login", "email", "host", "hostname", "port", "url", "endpoint"),
        *("database", "dbname", "db", "name", "region", "bucket", "type", "env", "environment"),
    )
)
_LONGEST_COMMAND = 1000
_ENDS = "|;&\n`)"
_BEFORE = " \t\n\r\"'`$(;|&{[>:=/\\"
_QUOTES = "\"'"


def find_commands(text: str) -> list[Span]:
    """Find (start, end, kind) of the passwords in the options of known programs."""
    spans: list[Span] = []
    for name in [name for name in PROGRAMS if name in text]:
        for _, words, _ in commands_of(text, name):
            spans += _passwords(words, name, PROGRAMS[name])
    for name in [name for name in PAIRS if name in text]:
        for _, words, _ in commands_of(text, name):
            said = [word for _, word in words]
            made = "create" in said and "secret" in said  # everything that it is given is one
            spans += _pairs(words, PAIRS[name], made=made)
    for name in [name for name in BARE_PAIRS if name in text]:
        for _, words, _ in commands_of(text, name):
            if any(word in BARE_PAIRS[name] for _, word in words):
                made = name == "vault"  # everything that it is given is a secret
                spans += [span for at, word in words for span in _pairs_in(at, word, made=made)]
    return spans


def commands_of(text: str, name: str) -> Iterator[tuple[int, list[Word], int]]:
    """Yield where each command of a program starts, its words after the name, and where it ends."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if (not at or text[at - 1] in _BEFORE) and text[end : end + 1] in (" ", "\t"):
            words, end = words_of(text, end)
            yield at, words, end
        # Skip the words already read: reading them again would not be linear.
        at = text.find(name, end)


def words_of(text: str, at: int) -> tuple[list[Word], int]:
    """Split a command into (position, word) as a shell does; return them and where it ends."""
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
            # A quote that closes the string around the whole command opens nothing.
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
    if name in _WITH and not any(word.startswith(_WITH[name]) for _, word in words):
        return
    for i, (at, word) in enumerate(words):
        if word[:1] not in "-/":
            continue
        following = words[i + 1] if i + 1 < len(words) else (0, "")
        for option, form in options.items():
            if word.startswith(option):
                rest = word[len(option) :]
                if rest and form == _ALONE:
                    continue
                value_at, value = (at + len(option), rest) if rest else following
                if rest and rest[0] != "=" and option[2:].strip(":"):
                    continue  # another option, whose name begins alike
                if rest or form != _GLUED:
                    span = password(value_at + (rest[:1] == "="), value.removeprefix("="), form)
                    if span:
                        yield span


def _pairs(words: list[Word], options: tuple[str, ...], *, made: bool) -> Iterator[Span]:
    for i, (at, word) in enumerate(words):
        option, sign, rest = word.partition("=")
        if option not in options:
            continue
        value_at, value = (at + len(option) + 1, rest) if sign else [*words, (0, "")][i + 1]
        yield from _pairs_in(value_at, value, made=made)


def _pairs_in(at: int, value: str, *, made: bool = False) -> Iterator[Span]:
    bare = value.lstrip("\\\"'")
    at += len(value) - len(bare)
    quote = bare.partition("=")[2][:1]
    # `password="several words"` is one pair; otherwise a word may hold several.
    one = quote in ("'", '"') and bare.endswith(quote) and bare.count(quote) == 2  # noqa: PLR2004
    for part in [bare] if one else bare.replace(",", " ").split(" "):
        name, _, given = part.partition("=")
        said = given.strip("\\\"'")
        told = names_secret(name) and _is_given(name, said)
        if told or (made and (looks_made(said) or _is_drawn(name, said))):
            yield from filter(None, [password(at + len(name) + 1, given, NEXT)])
        at += len(part) + 1


def _is_drawn(name: str, value: str) -> bool:
    """Return whether a value among secrets is one, and not what names its user or its place."""
    if name.lower() in _BESIDE_SECRETS or says_state(value):
        return False
    return value.isalpha() or looks_secret(value, quoted=True, password=True, phrase=True)


def _is_given(name: str, value: str) -> bool:
    """Return whether a value is the secret itself, not the name of its holder: `db-credentials`."""
    is_password = names_password(name)
    told = is_password and (value.isalpha() or looks_phrase(value))
    return told or looks_secret(value, quoted=True, password=is_password)


def password(at: int, value: str, form: str) -> Span | None:
    """Return where the password is in a word of this form, or None."""
    bare = value.lstrip("\\\"'")
    at, value = at + len(value) - len(bare), bare.rstrip("\\\"'")
    sign = {LOGIN: ":", _PERCENT: "%", _COMMA: ",", _PREFIXED: "pass:"}.get(form, "")
    if sign:
        before, found, value = value.partition(sign)
        if not found or (form == _PREFIXED and before):
            return None
        at += len(before) + len(sign)
    if not value or _stands_for_another(value):
        return None
    if form == _COMMUNITY and says_state(value):
        return None
    if form == _COOKIES and not any(
        looks_secret(one.partition("=")[2].strip(), quoted=True) for one in value.split(";")
    ):
        return None
    return at, at + len(value), "command-password"


def _stands_for_another(value: str) -> bool:
    """Return whether a value is a placeholder, a redaction mark or another option."""
    if value in _NOT_GIVEN:
        return True
    return is_placeholder(value) or value[0] in "$-[<{" or len(value) < 3  # noqa: PLR2004
