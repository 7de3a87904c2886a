"""Identifiers: ULIDs that stay ordered when the clock does not, and beads memory's keys."""

from __future__ import annotations

import os

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_DIGITS = frozenset(_ALPHABET)
#: Python reads base 32 in its own alphabet.
_TO_PYTHON = str.maketrans(_ALPHABET, "0123456789abcdefghijklmnopqrstuv")
_PAIRS = [a + b for a in _ALPHABET for b in _ALPHABET]
_MAX = (1 << 128) - 1
#: Derived ids differ within the characters shown to people.
_STEP = 1 << 60
#: Ids reserved for one event: its own, and those of the memories in it.
BLOCK = 256
#: Lists, messages and pages show this many characters of an id; commands accept it or the whole id.
SHOWN_CHARACTERS = 14
#: How many characters of a client's own session id people are shown.
CLIENT_CHARACTERS = 8
KEY_SOURCE_CHARACTERS = 60
TEXT_ID_CHARACTERS = 12


def new_ulid(ms: int, after: str = "") -> str:
    """Return a ULID for `ms` milliseconds since 1970, greater than `after`.

    A clock that jumped back, or a thousand ids in one millisecond, continue from `after`
    by one: order is kept without waiting for the clock.
    """
    value = ((max(0, ms) & ((1 << 48) - 1)) << 80) | int.from_bytes(os.urandom(10), "big")
    if after:
        floor = _decode(after)
        if value <= floor:
            value = floor + _STEP
    return _encode(value)


def following(ulid: str, steps: int = 1) -> str:
    """Return the id `steps` after `ulid`, which looks different in lists."""
    return _encode((_decode(ulid) + steps * _STEP) & _MAX)


def last_of_block(ulid: str) -> str:
    """Return the greatest id that `following` may return for this one."""
    return following(ulid, BLOCK - 1)


def derived_ulid(ms: int, digest: bytes) -> str:
    """Return the fixed ULID of a line without an id: its time, then its hash."""
    return _encode(((max(0, ms) & ((1 << 48) - 1)) << 80) | int.from_bytes(digest[:10], "big"))


def is_ulid(text: str) -> bool:
    """Return whether `text` is a ULID in canonical spelling."""
    return len(text) == 26 and text[0] <= "7" and _DIGITS.issuperset(text)  # noqa: PLR2004


def ulid_ms(ulid: str) -> int:
    """Return a ULID's time in milliseconds since 1970."""
    return _decode(ulid) >> 80


def as_uuid(ulid: str) -> str:
    """Format a ULID as a UUID."""
    h = f"{_decode(ulid):032x}"
    return f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}"


def parse_id(text: str) -> str:
    """Parse an id in either format; anything else is returned unchanged."""
    bare = text.strip().replace("-", "")
    if len(bare) == 32 and all(c in "0123456789abcdefABCDEF" for c in bare):  # noqa: PLR2004
        return _encode(int(bare, 16))
    upper = text.strip().upper()
    return upper if is_ulid(upper) else text.strip()


def short_id(ident: str) -> str:
    """Return the short form of an id for people: its time, and the start of the rest."""
    return ident[:SHOWN_CHARACTERS]


def slug(text: str) -> str:
    """Return lower-case words joined by hyphens. Letters of every script count."""
    out: list[str] = []
    for c in text.lower():
        if c.isalnum():
            out.append(c)
        elif out and out[-1] != "-":
            out.append("-")
    return "".join(out).strip("-")


def memory_key(kind: str, content: str) -> str:
    """Return beads memory's key: the kind and a slug of the first 60 characters.

    Content without any letter or digit would otherwise always get the same key, so its code points
    are used instead.
    """
    head = content[:KEY_SOURCE_CHARACTERS]
    words = slug(head) or "-".join(f"{ord(c):x}" for c in head.strip()[:12])
    return f"{slug(kind)}-{words}"


def chosen_key(kind: str, key: str) -> str:
    """Return a key that somebody chose; "" for one that only repeats the words."""
    return "" if key.startswith(f"{slug(kind)}-") else key


def text_id(content: str) -> str:
    """Return an id for a text that ignores case, whitespace and ending."""
    from satchel.core.hashing import digest

    words = " ".join(content.casefold().split()).rstrip(" .,;:!?…")
    return digest(words.encode("utf-8", "replace")).hex()[:TEXT_ID_CHARACTERS]


def _encode(value: int) -> str:
    # Read two characters at a time, from the end.
    return "".join([_PAIRS[(value >> shift) & 1023] for shift in range(120, -1, -10)])


def _decode(ulid: str) -> int:
    return int(ulid.translate(_TO_PYTHON), 32)
