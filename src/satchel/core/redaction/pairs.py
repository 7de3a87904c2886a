"""Finds unnamed secrets beside the id or user they belong to.

`AKIA... / wJalr...` is an id with its secret, `basic auth is bob:hunter2pass` a user with a
password. A pair alone proves nothing, since `host:port` is one too: a word before it must announce
a login. Written by hand because words such as `login` are common.
"""

from __future__ import annotations

from satchel.core.redaction.values import (
    is_ordinary,
    is_placeholder,
    is_technical,
    looks_made,
    looks_secret,
    says_state,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int, str]
    #: A word's start, and the word.
    Word = tuple[int, str]

#: An id's prefix, its length, and the length of its secret.
_IDS = (
    *((start, 20, 40) for start in ("AKIA", "ASIA")),
    ("[redacted:aws-access-key-id]", 28, 40),
    ("LTAI", 24, 30),
    ("[redacted:alibaba-key]", 22, 30),
)
_KEY_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
#: How far on both sides of an id its secret may be, and how long a login may be.
_NEAR, _LONGEST_LOGIN = 160, 160
_MOST_WORDS = 12

#: Words that announce a login, and whether the password may be letters only.
_HEADS = (
    *(("basic auth", True), ("basic-auth", True), ("creds", True), ("credentials", True)),
    *(("login", False), ("log in", False), ("sign in", False), ("logged in", False)),
)
_OWNERS = ("user", "username", "account")
_GIVES = frozenset(("is", "are", "was", "as", "with", "using", "now", "still", ":", "=", "->"))
_OF = frozenset(("for", "of", "on", "at", "in"))
_OF_WHAT = 5
_PASSWORDS = frozenset(("password", "passwort", "passwd", "pass", "pw", "pwd"))
_JOINS = frozenset(("with", "and", "has", "its", "his", "her", "is", "the", "a", ",", "/"))
#: Words before a colon that are not user names: hosts, URL schemes, field names.
_NOBODY = frozenset(
    (
        *("host", "hostname", "localhost", "http", "https", "ftp", "ssh", "env", "vault", "file"),
        *("path", "arn", "aws", "gcp", "azure", "key", "type", "ssm", "port", "note", "scope"),
        *("read", "write", "role", "secret", "token", "see", "from", "source", "docker", "repo"),
        *("user", "username", "email", "login", "name", "id", "client", "server", "url", "uri"),
        *(
            "default",
            "keychain",
            "op",
            "sops",
            "realm",
            "github",
            "gitlab",
            "service",
            "provider",
            "mode",
        ),
    )
)
_AROUND = "\"'`*.,;:!?)("
_FORBIDDEN = frozenset("\"'`<>()[]{}|\\")
_USER_SIGNS = frozenset("_.@+-")
_SIGNS = frozenset("!#$%^&*?+@~")


def find_pairs(text: str, lower: str) -> list[Span]:
    """Find (start, end, kind) of the secrets beside an id or a user."""
    spans = [span for row in _IDS if row[0] in text for span in _beside_ids(text, *row)]
    for head, strong in _HEADS:
        for end in _ends(lower, head):
            spans += _login(text, end, strong=strong, named=head.startswith("basic"))
    for head in _OWNERS:
        for end in _ends(lower, head):
            spans += _owned(text, end)
    return spans


def _beside_ids(text: str, start: str, length: int, secret: int) -> Iterator[Span]:
    kind = "aws-secret-key" if secret == 40 else "secret"  # noqa: PLR2004
    at = text.find(start)
    while at >= 0:
        end = at + length
        for low, high in ((max(0, at - _NEAR), at), (end, min(len(text), end + _NEAR))):
            for first, last in _runs(text, low, high, secret):
                yield first, last, kind
        at = text.find(start, at + len(start))


def _runs(text: str, low: int, high: int, length: int) -> Iterator[tuple[int, int]]:
    """Find words in part of a text that are as long and as random as a secret."""
    first = low
    for at in range(low, high + 1):
        if at < high and text[at] in _KEY_LETTERS:
            continue
        # A word that continues beyond the part is longer than it looks.
        is_cut = (at == high < len(text) and text[high] in _KEY_LETTERS) or (
            first == low > 0 and text[low - 1] in _KEY_LETTERS and text[low - 1] != "/"
        )
        start = first + (at - first == length + 1 and text[first] == "/")
        end = at - (at - start == length + 1 and text[at - 1] == "/")
        if end - start == length and not is_cut and _is_drawn(text[start:end]):
            yield start, end
        first = at + 1


def _is_drawn(run: str) -> bool:
    """Return whether a word has both cases and a digit, unlike a path or a git hash."""
    cases = any(c.isupper() for c in run) and any(c.islower() for c in run)
    return cases and any(c.isdigit() for c in run)


def _ends(lower: str, head: str) -> Iterator[int]:
    """Yield where a whole word ends."""
    at = lower.find(head)
    while at >= 0:
        end = at + len(head)
        before, behind = lower[max(0, at - 1) : at], lower[end : end + 1]
        begins = not before or not (before.isalnum() or before in "_-./")
        if begins and behind in (" ", ":", "="):
            yield end
        at = lower.find(head, end)


def _words(text: str, at: int) -> list[Word]:
    """Return the next words of a line; a colon or separator at the end of one is its own word."""
    found: list[Word] = []
    line = text[at : at + _LONGEST_LOGIN].split("\n", 1)[0]
    if len(line) == _LONGEST_LOGIN:
        line = line.rpartition(" ")[0]  # the last word may be cut off
    place = 0
    for word in line.split(" ")[: _MOST_WORDS * 2]:
        bare = word.rstrip(":=,")
        if bare:
            found.append((at + place, bare))
        if len(bare) < len(word):
            found.append((at + place + len(bare), word[len(bare)]))
        place += len(word) + 1
    return found[:_MOST_WORDS]


def _login(text: str, end: int, *, strong: bool, named: bool) -> Iterator[Span]:
    """Find the password of `USER:PASSWORD` or `USER / PASSWORD` after a word like `login`."""
    words = _words(text, end)
    given, at = named, 0
    if words and words[0][1].lower() in _OF:
        while at < min(_OF_WHAT, len(words)) and words[at][1].lower() not in _GIVES:
            at += 1
        if at == min(_OF_WHAT, len(words)):
            return
    while at < len(words) and words[at][1].lower() in _GIVES:
        given, at = True, at + 1
    pair = _pair(words[at:])
    if pair is None:
        return
    user, sign, start, value = pair
    start, value = _bare(start, value)
    if not _is_user(user) or _FORBIDDEN & set(value) or value.startswith("//"):
        return
    short = strong and given and sign == ":" and _may_be_short(value)
    if looks_made(value) or (given and _has_digit(value)) or short:
        yield start, start + len(value), "told-password"


def _pair(words: list[Word]) -> tuple[str, str, int, str] | None:
    """Read a user and a separator; return where the value starts, and the value."""
    if not words:
        return None
    start, word = words[0]
    for sign in ":/":
        user, found, value = word.partition(sign)
        if found and user and value:
            return user, sign, start + len(user) + 1, value
    if len(words) > 2 and words[1][1] in ("/", ":", "|"):  # noqa: PLR2004
        return word, "/", *words[2]
    return None


def _owned(text: str, end: int) -> Iterator[Span]:
    """Find the password of `user bob with password hunter2`."""
    words = [one for one in _words(text, end) if one[1] not in (":", "=", ",")]
    if not words or not _is_user(words[0][1]):
        return
    at = 1
    while at < len(words) and words[at][1].lower() in _JOINS:
        at += 1
    if at >= len(words) - 1 or words[at][1].lower() not in _PASSWORDS:
        return
    at += 1
    while at < len(words) and words[at][1].lower() in _GIVES:
        at += 1
    if at < len(words):
        start, value = _bare(*words[at])
        if not _FORBIDDEN & set(value) and _has_digit(value):
            yield start, start + len(value), "told-password"


def _bare(start: int, word: str) -> Word:
    """Return a word without surrounding quotes and periods; a final `!` may be part of it."""
    left = word.lstrip("\"'`*(")
    return start + len(word) - len(left), left.rstrip("\"'`*.,;:)")


def _is_user(word: str) -> bool:
    name = word.strip(_AROUND)
    letters = any(c.isalpha() for c in name)
    return letters and name.lower() not in _NOBODY and _all_of_names(name)


def _all_of_names(name: str) -> bool:
    return all(c.isalnum() or c in _USER_SIGNS for c in name)


def _has_digit(value: str) -> bool:
    """Return whether a word has a digit or symbol, as passwords do; sentences need more."""
    if is_technical(value) or not looks_secret(value, quoted=True, phrase=True):
        return False
    ending = value.rpartition(".")[2]
    if "/" in value or (len(ending) < len(value) and ending.isalpha() and ending.islower()):
        return False
    letters = any(c.isalpha() for c in value)
    return letters and (any(c.isdigit() for c in value) or bool(_SIGNS & set(value)))


def _may_be_short(value: str) -> bool:
    """Return whether the text after `creds: bob:` is a password: a word with no other use."""
    if len(value) < 2 or is_technical(value) or says_state(value):  # noqa: PLR2004
        return False
    signs = all(c.isalnum() or c in _SIGNS for c in value)
    # Four or five digits after a name are a port.
    return signs and not is_placeholder(value) and not (value.isdigit() and is_ordinary(value))
