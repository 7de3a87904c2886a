"""Cleans texts and JSON-like values of secrets and private spans."""

from __future__ import annotations

from satchel.core.redaction.assignments import find_assignments
from satchel.core.redaction.beside import is_told, is_user
from satchel.core.redaction.scanning import find_known
from satchel.core.redaction.values import looks_secret, names_password, names_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    Span = tuple[int, int, str]
    #: Returns a text without secrets, and the kinds found.
    Find = Callable[[str], tuple[str, tuple[str, ...]]]

PRIVATE = "private"
_MOST_PASSES = 8
#: Separates texts that are searched together: no value continues across it.
_APART = "\n|\n"
_DEEPEST = 64
#: This many characters identify any secret.
_TELLING = 1024
_DEEPEST_CODE = 2
#: The shortest encoded text to decode, in characters; the digits of a card; the words of a seed
#: phrase.
_SHORTEST_CODE, _FEWEST_DIGITS, _FEWEST_WORDS = 16, 14, 12
#: The shortest key of a wallet, in characters, and the commas of one that is a list of bytes.
_SHORTEST_WALLET_KEY, _KEY_BYTES = 51, 63
_NO_LETTERS = {code: " " for code in range(128) if not chr(code).isalpha()}
#: Every text with a password passed without an option contains one of these.
_GIVEN = (
    *("ENV ", "sqlplus ", "sqlldr ", "expdp ", "impdp ", "rman target "),
    *("echo ", "printf ", "<<<", "define(", "setenv ", "set -", "SecureString", "htpasswd "),
    *("dentified ", "DENTIFIED ", "assword '", "ASSWORD '", "net use", "rabbitmqctl ", "nmcli "),
    *(
        "wpa_passphrase ",
        "mc ",
        "vault login",
        "wandb login",
        "snyk auth",
        "bw unlock",
        "rclone obscure",
        "authtoken ",
        "config set ",
        "secrets set ",
        "setx ",
        "requirepass ",
        "masterauth ",
        "unseal ",
        "community ",
        "com2sec ",
        "put-parameter",
        "--secret-string",
        "keyvault ",
        "cargo login",
        "poetry config",
        "openssl passwd",
        "mkpasswd ",
        "env:set ",
    ),
)

#: Every text with a password in an option, or in `name=value`, contains one of these.
_OPTIONS = (" -", " /p:", " /pass:", "vault ", "config:set ", "secrets set ")

#: Every text with a secret beside an id, or a password beside a user, contains one of these.
_IDS = ("AKIA", "ASIA", "LTAI", "[redacted:a")
_TOLD_OF = ("auth", "login", "log in", "logged in", "sign in", "cred", "user", "account")

#: Folds spellings that look like ASCII: full-width letters, invisible characters in between. Only
#: the search for secrets sees the folded text; everything else stays as written.
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SPACES = dict.fromkeys((0xA0, 0x202F, 0x3000, *range(0x2000, 0x200B)), 0x20)
#: Soft hyphen, joiners, direction marks, word joiners, variation selectors, byte order mark.
_UNSEEN = dict.fromkeys(
    (
        *(0xAD, 0x34F, 0x61C, 0x180E, 0xFEFF),
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xFE00, 0xFE10),
    )
)
_FOLDED: dict[int, int | None] = {**_FULL_WIDTH, **_SPACES, **_UNSEEN}

_COLOUR = "\x1b["
#: The same as commands and JSON spell it.
_SPELLED_COLOURS = ("\\e[", "\\033[", "\\x1b[", "\\x1B[", "\\u001b[", "\\u001B[")
_LONGEST_COLOUR = 16


def redact(text: str) -> tuple[str, tuple[str, ...]]:
    """Return `text` without secrets and private spans, and the kinds found.

    A secret becomes `[redacted:KIND]`, a private span `[private content removed]`. Cleaning a
    clean text changes nothing.
    """
    cleaned, kinds = _redact(text)
    shown = _as_shown(cleaned)
    if shown != cleaned:
        again, more = _redact(shown)
        if more:
            return again, tuple(dict.fromkeys((*kinds, *more)))
    return cleaned, kinds


def _as_shown(text: str) -> str:
    """Return `text` as a terminal shows it: a colour within a name or a value hides it."""
    if "\\" in text:
        for spelled in _SPELLED_COLOURS:
            text = text.replace(spelled, _COLOUR)
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    from satchel.core.trust import clean_text

    return clean_text(text)


def _redact(text: str) -> tuple[str, tuple[str, ...]]:
    kinds: dict[str, None] = {}
    # A mark can complete another secret's surroundings, so search again after each change.
    for _ in range(_MOST_PASSES):
        shown = _without_private(text)
        if shown != text:
            kinds[PRIVATE] = None
            text = shown
        spans = _find(text)
        if not spans:
            break
        text = _replace(text, spans, kinds)
    return text, tuple(kinds)


def redact_each(texts: Sequence[str]) -> list[str]:
    """Clean several texts. Usually one search through all of them finds nothing."""
    together = _APART.join(texts)
    if redact(together)[0] == together:
        return list(texts)
    return [redact(text)[0] for text in texts]


def redact_start(text: str, most: int) -> tuple[str, tuple[str, ...]]:
    """Clean the first `most` characters of `text`.

    Half a secret is not recognizable but still reveals half, so more is cleaned than is kept.
    """
    cleaned, kinds = redact(text[: most + _TELLING])
    return cleaned[:most], kinds


def redact_value(value: Any) -> tuple[Any, tuple[str, ...]]:
    """Clean a JSON-like value: every string, keys included, and everything under a secret's key."""
    kinds: dict[str, None] = {}
    # Usually one search through all of it finds nothing.
    together = "\n".join(_strings_in(value, 0))
    find = _found_nothing if redact(together)[0] == together else redact
    return _clean(value, "", kinds, 0, find), tuple(kinds)


def _strings_in(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth <= _DEEPEST and isinstance(value, dict):
        for key, inner in value.items():
            yield from _strings_in(key, depth)
            yield from _strings_in(inner, depth + 1)
    elif depth <= _DEEPEST and isinstance(value, list | tuple):
        for inner in value:
            yield from _strings_in(inner, depth + 1)


def _found_nothing(text: str) -> tuple[str, tuple[str, ...]]:
    return text, ()


def _find(text: str) -> list[Span]:
    """Find (start, end, kind) of every secret in `text`, in any spelling of its letters."""
    if not text:
        return []
    folded = _fold(text)
    found = _find_folded(folded, _DEEPEST_CODE)
    if folded == text:
        return found
    at = _places(text)
    return [(at[start], at[end - 1] + 1, kind) for start, end, kind in found]


def _find_folded(text: str, deep: int) -> list[Span]:
    lower = _lowered(text)
    words = _spaced(text)
    # Encoded text is searched too, and text encoded in it.
    coded = _find_encoded(words, deep) if deep else ()
    return [
        *_find_key_blocks(text),
        *find_known(text, lower),
        *_find_commands(text),
        *_find_given(text),
        *_find_pairs(text, lower),
        *find_assignments(text, lower),
        *_find_seed_phrases(words.lower()),
        *_find_cards(words),
        *_find_wallet_keys(words),
        *coded,
    ]


# These need symbols, digits or a length that most texts lack; then they are not even loaded.


def _without_private(text: str) -> str:
    if "<" not in text:
        return text
    from satchel.core.redaction.private_spans import remove_private

    return remove_private(text, _lowered(text))


def _find_encoded(words: str, deep: int) -> Iterable[Span]:
    if not any(len(word) >= _SHORTEST_CODE for word in words.split()):
        return ()
    from satchel.core.redaction.encoded import find_encoded

    return find_encoded(words, lambda plain: bool(_find_folded(plain, deep - 1)))


def _find_seed_phrases(lower: str) -> Iterable[Span]:
    row = 0
    for word in lower.translate(_NO_LETTERS).split():
        row = row + 1 if 2 < len(word) < 9 else 0  # noqa: PLR2004 -- as the list's words are
        if row == _FEWEST_WORDS:
            from satchel.core.redaction.seed_phrases import find_seed_phrases

            return find_seed_phrases(lower)
    return ()


def _find_cards(words: str) -> Iterable[Span]:
    if sum(map(words.count, "0123456789")) < _FEWEST_DIGITS:
        return ()
    from satchel.core.redaction.cards import find_cards

    return find_cards(words)


def _find_wallet_keys(words: str) -> Iterable[Span]:
    if words.count(",") < _KEY_BYTES and not any(
        len(word) >= _SHORTEST_WALLET_KEY for word in words.split()
    ):
        return ()
    from satchel.core.redaction.wallets import find_wallet_keys

    return find_wallet_keys(words)


def _find_key_blocks(text: str) -> list[Span]:
    if "PRIVATE KEY" not in text:
        return []
    from satchel.core.redaction.key_blocks import find_key_blocks

    return find_key_blocks(text)


def _find_commands(text: str) -> list[Span]:
    if not any(hint in text for hint in _OPTIONS):
        return []
    from satchel.core.redaction.commands import find_commands

    return find_commands(text)


def _find_given(text: str) -> list[Span]:
    if not any(hint in text for hint in _GIVEN):
        return []
    from satchel.core.redaction.given import find_given

    return find_given(text)


def _find_pairs(text: str, lower: str) -> list[Span]:
    told = any(hint in lower for hint in _TOLD_OF)
    if not told and not any(hint in text for hint in _IDS):
        return []
    from satchel.core.redaction.pairs import find_pairs

    return find_pairs(text, lower)


def _lowered(text: str) -> str:
    """Return lower case with the same length: only U+0130 would become two characters."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text.replace("\u0130", "I").lower()


def _replace(text: str, spans: list[Span], kinds: dict[str, None]) -> str:
    order = sorted(range(len(spans)), key=lambda i: (spans[i][0], i))
    out: list[str] = []
    done = 0
    i = 0
    while i < len(order):
        best = order[i]
        start, end, _ = spans[best]
        i += 1
        while i < len(order) and spans[order[i]][0] < end:
            end = max(end, spans[order[i]][1])
            best = min(best, order[i])
            i += 1
        kind = spans[best][2]
        kinds[kind] = None
        out += [text[done:start], f"[redacted:{kind}]"]
        done = end
    out.append(text[done:])
    return "".join(out)


def _clean(value: Any, name: str, kinds: dict[str, None], depth: int, find: Find) -> Any:
    """Clean a value; `name` is a secret's name, or ""."""
    if isinstance(value, str):
        return _clean_string(value, name, kinds, find)
    if depth > _DEEPEST:
        # No client nests this deep; what cannot be searched is not kept.
        return None
    if isinstance(value, dict):
        cleaned: dict[Any, Any] = {}
        users = [v for k, v in value.items() if isinstance(k, str) and is_user(k)]
        told = [one for one in users if isinstance(one, str)]
        for key, inner in value.items():
            kept = _clean_string(key, "", kinds, find) if isinstance(key, str) else key
            folded = _fold(_as_shown(key)) if isinstance(key, str) else ""
            named = folded if names_secret(folded) else ""
            if named and isinstance(inner, str) and is_told(named, _fold(inner), told):
                kinds["password"] = None
                cleaned[kept] = "[redacted:password]"
            else:
                cleaned[kept] = _clean(inner, named, kinds, depth + 1, find)
        return cleaned
    if isinstance(value, list | tuple):
        return [_clean(inner, name, kinds, depth + 1, find) for inner in value]
    return value


def _clean_string(value: str, name: str, kinds: dict[str, None], find: Find) -> str:
    cleaned, found = find(value)
    for kind in found:
        kinds[kind] = None
    if name and cleaned == value:
        password = names_password(name)
        plain = password and name.isupper()
        if looks_secret(_fold(_as_shown(value)), quoted=True, password=password, plain=plain):
            kind = "password" if password else "secret"
            kinds[kind] = None
            return f"[redacted:{kind}]"
        if password and " " in value:
            from satchel.core.redaction.phrases import says_phrase

            if says_phrase(value):
                kinds["password"] = None
                return "[redacted:password]"
    return cleaned


def _fold(text: str) -> str:
    """Return `text` as it looks: ASCII for full-width letters, without invisible characters."""
    return text if text.isascii() else text.translate(_FOLDED)


def _places(text: str) -> list[int]:
    """Return the position in `text` of each character of the folded text, and of its end."""
    found = [at for at, c in enumerate(text) if ord(c) not in _UNSEEN]
    found.append(len(text))
    return found


def _spaced(text: str) -> str:
    """Return `text` in ASCII, with the same length and spaces for whatever separates words.

    A separator is anything before a word that is not part of it: an escaped newline, a
    percent-encoded character, a terminal color, a letter of another alphabet.
    """
    if "\\" in text:
        text = text.replace("\\n", "  ").replace("\\t", "  ").replace("\\r", "  ")
    if "%" in text:
        for sign in ("%20", "%22", "%3A", "%3D", "%3a", "%3d"):
            text = text.replace(sign, "   ")
    if _COLOUR in text:
        text = _without_colours(text)
    return text if text.isascii() else text.encode("ascii", "replace").decode()


def _without_colours(text: str) -> str:
    out: list[str] = []
    for number, part in enumerate(text.split(_COLOUR)):
        end = part.find("m", 0, _LONGEST_COLOUR) + 1 if number else 0
        out.append(" " * (end + len(_COLOUR) * bool(number)) + part[end:])
    return "".join(out)
