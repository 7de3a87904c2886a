"""Judges names and values: whether a key names a secret, whether a value looks like one."""

from __future__ import annotations

LONGEST_NAME = 64
_SHORTEST_VALUE = 6
_SHORT_SEGMENT = 3
_LONGEST_PLACEHOLDER = 100
_LONG_LETTERS = 16
_LONG_NUMBER = 20

#: A password's name in settings of LDAP and of databases.
JOINED_PW = ("bindpw", "rootpw", "adminpw", "userpw", "dbpw")
# fmt: off
_SECRET = frozenset((
    "password", "passwd", "passphrase", "passcode", "pwd", "pw", "pass", "secret", "secrets",
    "token", "apikey", "apitoken", "credential", "credentials", "authorization", "bearer",
    "jwt", "cookie", "cookies", "auth", "sshpass", "psk", *JOINED_PW,
))
# fmt: on
#: Password in German, French, Spanish, Catalan, Galician, Portuguese, Dutch, Polish, Czech,
#: Swedish, Danish, Norwegian, Icelandic, Finnish, Estonian, Hungarian, Turkish, Italian, Romanian,
#: Albanian, Croatian, Serbian, Slovenian, Lithuanian, Russian, Bulgarian, Ukrainian, Greek, Arabic,
#: Persian, Hebrew, Hindi, Bengali, Indonesian, Vietnamese, Thai, Chinese, Japanese and Korean. In
#: some languages it is the part that all its cases share.
PASSWORD_WORDS = (
    *("passwort", "kennwort", "passe", "mdp", "contrase\u00f1a", "contrasena", "contrasenya"),
    *("contrasinal",),
    *("clave", "senha", "wachtwoord", "has\u0142o", "haslo", "heslo", "l\u00f6senord"),
    *("losenord", "adgangskode"),
    *(
        "kodeord",
        "passord",
        "lykilor\u00f0",
        "salasana",
        "parool",
        "jelsz\u00f3",
        "jelszo",
        "jelszav",
    ),
    *("\u015fifre", "sifre", "parola"),
    *("parol\u0103", "fjal\u00ebkalim", "lozink", "\u043b\u043e\u0437\u0438\u043d\u043a"),
    *("geslo", "slapta\u017eod", "\u043f\u0430\u0440\u043e\u043b"),
    *("\u03ba\u03c9\u03b4\u03b9\u03ba\u03cc",),
    *("\u03c3\u03c5\u03bd\u03b8\u03b7\u03bc\u03b1\u03c4\u03b9\u03ba\u03cc",),
    *("\u0643\u0644\u0645\u0629 \u0627\u0644\u0645\u0631\u0648\u0631",),
    *("\u0643\u0644\u0645\u0629 \u0627\u0644\u0633\u0631",),
    *("\u0631\u0645\u0632 \u0639\u0628\u0648\u0631",),
    *("\u06af\u0630\u0631\u0648\u0627\u0698\u0647", "\u05e1\u05d9\u05e1\u05de"),
    *("\u092a\u093e\u0938\u0935\u0930\u094d\u0921",),
    *("\u09aa\u09be\u09b8\u0993\u09af\u09bc\u09be\u09b0\u09cd\u09a1",),
    *("kata sandi", "m\u1eadt kh\u1ea9u", "\u0e23\u0e2b\u0e31\u0e2a\u0e1c\u0e48\u0e32\u0e19"),
    *("\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u30d1\u30b9\u30ef\u30fc\u30c9"),
    *("\u6697\u8a3c\u756a\u53f7",),
    *("\ube44\ubc00\ubc88\ud638", "\uc554\ud638"),
)
#: `is` and `was` between a name and its value, in these languages.
IS_WORDS = (
    *("is", "was", "ist", "war", "lautet", "est", "es", "\u00e9s", "\u00e9", "\u00e8", "jest"),
    *("\u00e4r", "er", "este"),
    *("yra", "adalah", "l\u00e0", "\u044d\u0442\u043e", "\u0446\u0435", "\u0435"),
    *("\u03b5\u03af\u03bd\u03b1\u03b9", "\u0647\u064a", "\u0647\u0648", "\u0627\u0633\u062a"),
    *("\u05d4\u05d9\u05d0", "\u05d4\u05d5\u05d0", "\u0939\u0948", "\u2013", "\u2014"),
)
_FOREIGN = frozenset(PASSWORD_WORDS)
_ENDINGS = ("password", "passwd", "passphrase", "secret", "apikey", "authtoken", "accesstoken")
#: These occur in no other word; a case may add a few letters.
_STEMS = tuple(word for word in PASSWORD_WORDS if len(word) > 5 or not word.isascii())  # noqa: PLR2004
_LONGEST_CASE = 4
# fmt: off
_KEY_OWNERS = frozenset((
    "api", "access", "private", "secret", "signing", "encryption", "master", "account", "auth",
    "session", "service", "shared", "storage", "deploy", "ssh", "preshared", "admin",
    "consumer", "cookie", "fernet", "unseal", "wallet", "deployer", "signer",
))
# fmt: on
_JOINED_KEYS = frozenset(owner + "key" for owner in _KEY_OWNERS)
# What may follow the secret word without changing what the name means: `password_confirmation`
# holds a password, `token_count` does not hold a token.
# fmt: off
_NEUTRAL = frozenset((
    "key", "base", "value", "string", "data", "text", "prod", "production", "dev",
    "development", "staging", "test", "live", "old", "new", "current", "backup", "primary",
    "secondary", "confirmation", "confirm", "raw", "hex", "plain", "encoded", "access",
    "default", "root", "admin", "phrase",
))
# fmt: on
# `next_token` is a page of results, `eos_token` a language model's word.
# fmt: off
_NOT_OWNERS = frozenset((
    "next", "page", "continuation", "cursor", "sync", "eos", "bos", "pad", "unk", "special",
    "stop", "mask", "sep", "cls", "prev", "start", "end", "first", "last", "public", "no",
    "not", "is", "has", "max", "min", "num", "per",
))
# fmt: on
_PASSWORDS = ("pass", "pwd", "psk", *PASSWORD_WORDS)
#: Vowel signs, which Python does not count as letters.
_MARKS = frozenset(c for word in PASSWORD_WORDS for c in word if not c.isalpha() and c != " ")
_PLACEHOLDERS = (
    *("example", "changeme", "change_me", "change-me", "placeholder", "dummy", "redacted", "xxxx"),
    *("your", "todo", "replace", "insert", "****", "....", "...", "environ", "getenv", "env."),
    *("secrets.", "fixme", "process.", "sample", "\u2026", "fake", "mock", "hidden", "private con"),
)
# fmt: off
_ORDINARY = frozenset((
    "password", "passwd", "secret", "token", "apikey", "key", "user", "username", "admin",
    "int", "uint", "float", "bytes", "base", "sha", "utf", "md", "oauth", "hs", "rs", "es",
    "ps", "str", "string", "arg", "value", "test", "true", "false", "none", "null",
    "undefined", "bearer", "basic", "digest", "required", "optional", "pass", "auth", "login",
    "hmac", "argon", "pbkdf", "bcrypt", "scrypt",
))
# fmt: on
#: Prefixes of names of algorithms and the like, which have digits but are no passwords.
_TECHNICAL = (
    *("argon2", "sha", "hmac", "pbkdf", "bcrypt", "scrypt", "md5", "aes", "rsa", "ed25519", "x509"),
    *("base64", "base32", "utf", "oauth", "openid", "http", "ipv", "k8s", "i18n", "l10n", "e2e"),
    *("2fa", "mfa", "u2f", "fido", "webauthn", "totp", "ntlm", "pkcs", "rfc", "nist", "owasp"),
)
_SIGNS = "!#$%^&*?+@~"
#: What people put between a word and a number when they make up a password.
_JOINS = "#@+~-"
#: Words used in place of a password in schemas, errors and labels.
STATES = frozenset(
    (
        *("string", "text", "str", "char", "varchar", "boolean", "number", "integer", "object"),
        *("required", "optional", "mandatory", "missing", "invalid", "wrong", "incorrect"),
        *("correct", "valid", "empty", "blank", "unset", "absent", "present", "provided", "given"),
        *("weak", "strong", "strict", "short", "changed", "unchanged", "expired", "rotated"),
        *("hashed", "salted", "encrypted", "plaintext", "plain", "masked", "hidden", "visible"),
        *("enabled", "disabled", "allowed", "denied", "forbidden", "rejected", "accepted"),
        *("none", "null", "unknown", "default", "private", "public", "personal", "internal"),
        *("generated", "random", "redacted", "removed", "filtered", "sanitized", "omitted"),
        *("username", "email", "login", "value", "label", "field", "input", "current", "prompt"),
        *("failed", "failure", "success", "accept", "reject", "locked", "unlocked", "reset"),
    )
)


def name_words(name: str) -> list[str]:
    """Split a variable's or key's name into its words, in lower case."""
    words: list[str] = []
    word = ""
    for i, c in enumerate(name):
        if not (c.isalpha() or c in _MARKS):
            if word:
                words.append(word)
            word = ""
            continue
        hump = c.isupper() and word and (name[i - 1].islower() or name[i + 1 : i + 2].islower())
        if hump:
            words.append(word)
            word = ""
        word += c.lower()
    if word:
        words.append(word)
    return words


def names_secret(name: str) -> bool:
    """Return whether `name`, of a variable or a JSON key, names a secret."""
    if len(name) > LONGEST_NAME:
        return False
    if name.lower() in _FOREIGN:
        return True  # some are two words
    words = name_words(name)
    for i in range(len(words) - 1, -1, -1):
        word = words[i]
        before = words[i - 1] if i else ""
        if word in ("key", "salt") and before in _KEY_OWNERS:
            return True
        if word in _SECRET or word in _JOINED_KEYS or word.endswith(_ENDINGS) or _is_foreign(word):
            return before not in _NOT_OWNERS
        if word not in _NEUTRAL:
            return False
    return False


def _is_foreign(word: str) -> bool:
    if word in _FOREIGN:
        return True
    ends = (word.rfind(stem) + len(stem) for stem in _STEMS if stem in word)
    return any(len(word) - end <= _LONGEST_CASE for end in ends)


def names_password(name: str) -> bool:
    """Return whether `name` names a password, which may be short."""
    lower = name.lower()
    return any(part in lower for part in _PASSWORDS) or lower.endswith(("_pw", "-pw", *JOINED_PW))


def is_placeholder(value: str) -> bool:
    """Return whether `value` is a placeholder for a secret: `$TOKEN`, `<your-token>`."""
    if value[:1] in "$%{<[(*&" and not _mixed(value):
        name = value[1:].rstrip("}>])%*")
        for sign in "-.:":  # of Perl, too
            name = name.replace(sign, "_")
        if not name or name.isidentifier() or value[0] in "{<[(":
            return True
    if value[:2] in ("${", "$(", "{{", "%(", "<%"):
        return True
    lower = value.lower()
    # Random text this long may contain `xxxx` or `todo` by chance.
    for part in _PLACEHOLDERS if len(value) <= _LONGEST_PLACEHOLDER else ():
        if part in lower:
            return True
    return len(set(value)) <= 2 or lower.rstrip("0123456789") in _ORDINARY  # noqa: PLR2004


def looks_secret(
    value: str,
    *,
    quoted: bool,
    tight: bool = True,
    password: bool = False,
    plain: bool = False,
    phrase: bool = False,
) -> bool:
    """Return whether `value`, found under a secret's name, is the secret and not prose or code.

    Args:
        value: the text after the name, without quotes.
        quoted: it was quoted.
        tight: no space between the name, the separator and the value.
        password: the name says password, so digits alone count.
        plain: it is given as an environment variable or option, so letters alone count.
        phrase: the name says that people make it up, so words with a capital and a number count.
    """
    if len(value) < _SHORTEST_VALUE or " " in value or "\n" in value:
        return False
    if value.isalpha():
        drawn = plain or (value.isascii() and random_letters(value))
        return drawn and not is_placeholder(value)
    if value.isdigit():
        return (password or len(value) >= _LONG_NUMBER) and not is_placeholder(value)
    if is_placeholder(value) or _is_type(value) or "://" in value or _is_path(value):
        return False
    # Prose quotes code: "the token: `get_token()` makes it".
    code = not quoted or (value.endswith("()") and is_ordinary(value[:-2]))
    # A variable's name may end with a digit, but that of a password then says so: `pass2`.
    if code and _is_code(value, tight=tight or (password and value.isalnum())):
        return False
    if is_ordinary(value):
        made = _is_phrase(value) or (plain and _is_made_of_words(value))
        return phrase and (made or _is_word_and_number(value))
    return _mixed(value) or (any(c.isalpha() for c in value) and not value.isalnum())


def looks_made(value: str) -> bool:
    """Return whether a word of a sentence is a password made by a person or a program.

    It has several digits, or a digit and both cases, or a symbol with one of these; and it is not
    an algorithm, a host or a file.
    """
    if not looks_secret(value, quoted=True, phrase=True) or is_technical(value):
        return False
    ending = value.rpartition(".")[2]
    if len(ending) < len(value) and ending.isalpha() and ending.islower():
        return False
    digits = sum(c.isdigit() for c in value)
    cases = any(c.isupper() for c in value) and any(c.islower() for c in value)
    signs = any(c in _SIGNS for c in value)
    several = 2  # digits: many names have one
    return digits >= several or (digits and cases) or (signs and (digits > 0 or cases))


def is_technical(value: str) -> bool:
    """Return whether a word begins like the name of an algorithm or the like: `argon2id`."""
    return value.lower().startswith(_TECHNICAL)


def is_algorithm(value: str) -> bool:
    """Return whether a word is the name of an algorithm: `argon2id`, `sha-256`, not `shadow77`."""
    lower = value.lower()
    rest = next((lower[len(one) :] for one in _TECHNICAL if lower.startswith(one)), None)
    return rest is not None and all(len(part) <= _SHORT_SEGMENT for part in _segments(rest))


def looks_phrase(value: str) -> bool:
    """Return whether words are a pass phrase, not a command, a message or a placeholder."""
    words = value.split()
    several = len(words) > 1 and not any(c in value for c in "$`(<{")
    return several and not (is_placeholder(value) or any(map(says_state, words)))


def says_state(value: str) -> bool:
    """Return whether a word is a password's state, type or label."""
    lower = value.lower()
    return lower in STATES or lower in _SECRET or lower in _FOREIGN or is_placeholder(value)


def is_ordinary(value: str) -> bool:
    """Return whether `value` is made of words and small numbers: `my-app-secret-2`."""
    return all(_is_ordinary(segment) for segment in _segments(value))


def random_letters(letters: str) -> bool:
    """Return whether a run of letters looks random rather than written."""
    n = len(letters)
    if n < _LONG_LETTERS:
        return False
    changes = sum(letters[i - 1].islower() != letters[i].islower() for i in range(1, n))
    if changes > n * 0.36:
        return True
    vowels = sum(c in "aeiouyAEIOUY" for c in letters)
    return vowels < n * 0.16


def _mixed(value: str) -> bool:
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def _segments(value: str) -> list[str]:
    if value.isalnum():
        return [value]
    for c in "_./:,@+=~#":
        value = value.replace(c, "-")
    return [segment for segment in value.split("-") if segment]


def _is_ordinary(segment: str) -> bool:
    if segment.isalpha():
        return not random_letters(segment)
    if segment.isdigit():
        return len(segment) <= 4  # noqa: PLR2004
    return segment.isalnum() and (
        len(segment) <= _SHORT_SEGMENT or segment.lower().rstrip("0123456789") in _ORDINARY
    )


def _is_phrase(value: str) -> bool:
    """Return whether words are joined as password managers join them: `orchid-Plum-60`.

    Names of services, images and Kubernetes keys have no capitals, versions not two words.
    """
    words = [part for part in _segments(value) if len(part) >= _SHORT_SEGMENT and part.isalpha()]
    cases = any(c.isupper() for c in value) and any(c.islower() for c in value)
    digits = any(c.isdigit() for c in value)
    several = 2
    return cases and digits and len(words) >= several and not value.lower().startswith(_TECHNICAL)


def _is_word_and_number(value: str) -> bool:
    """Return whether a word, a sign and a number were made up as a password: `Harbor@2024`.

    A hyphen also joins the names of services and chapters, so the word must have both cases.
    """
    sign = next((c for c in value if not c.isalnum()), "")
    word, _, number = value.partition(sign) if sign in _JOINS and sign else ("", "", "")
    if not (word.isalpha() and number.isdigit() and len(number) > 1) or len(word) <= _SHORT_SEGMENT:
        return False
    cases = any(c.isupper() for c in word) and any(c.islower() for c in word)
    return (cases or sign != "-") and not is_technical(value)


def _is_type(value: str) -> bool:
    """Return whether a value is a type with its argument: `Optional[str]`, `Option<String>`."""
    head, _, rest = value.replace("<", "[").partition("[")
    inside = rest.lower().replace("[", ",").rstrip("]>").split(",") if value[-1] in "]>" else []
    return head.isalpha() and not _ORDINARY.isdisjoint(inside) and all(map(_is_ordinary, inside))


def _is_made_of_words(value: str) -> bool:
    """Return whether several words are a pass phrase, not the name of what holds a secret."""
    words, several = _segments(value.lower()), 3
    named = any(word in STATES or word in _SECRET for word in words)
    return len(words) >= several and "/" not in value and not named


def _is_path(value: str) -> bool:
    if value.startswith(("./", "../", "~/", "/")) or value[1:3] == ":\\":
        return all(len(part) <= 30 and not _digit_heavy(part) for part in value.split("/"))  # noqa: PLR2004
    return False


def _digit_heavy(part: str) -> bool:
    """Count switches between letters and digits: names have few, keys many."""
    turns = 0
    for i in range(1, len(part)):
        pair = part[i - 1 : i + 1]
        turns += pair.isalnum() and pair[0].isdigit() != pair[1].isdigit()
    return turns >= 4  # noqa: PLR2004


def _is_code(value: str, *, tight: bool) -> bool:
    """Return whether an unquoted value is code: a call, a subscript, an attribute."""
    value = value.replace("?.", ".")
    if value.endswith(("(", "[", "{", "()")) or ")." in value or "->" in value:
        return True
    head = value
    for c in "([{":
        head = head.split(c, 1)[0]
    called = len(head) < len(value)
    parts = head.split(".")
    names = all(part.isidentifier() for part in parts)
    if names and (called or len(parts) > 1):
        # A key may contain a bracket or a dot by chance, but then its parts are not words.
        return not _digit_heavy(head)
    if names and not tight:
        return not _digit_heavy(head) or len(head) < 12  # noqa: PLR2004
    return False
