"""Issue ids: a prefix and a hash, so that branches rarely collide. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable

from satchel.core.errors import AmbiguousIdError, BadInputError, NotFoundError
from satchel.core.hashing import digest
from satchel.core.ids import slug

_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"
_SHAPE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}")
_FALLBACK = "bd"
_LONGEST_PREFIX = 16
#: Up to this many issues, ids have this many characters; above that, one more.
_LENGTHS = ((500, 4), (1500, 5), (20_000, 6), (200_000, 7))
_LONGEST = 8
_TRIES = 10


def prefix_of(ids: Iterable[str], name: str) -> str:
    """Return the prefix of new ids: the most common one, or the project's name."""
    heads = Counter(one.partition(".")[0].rpartition("-")[0] for one in ids)
    heads.pop("", None)
    if heads:
        return min(heads, key=lambda head: (-heads[head], head))
    plain = "".join(c for c in slug(name) if c.isascii())[:_LONGEST_PREFIX].strip("-")
    return plain if plain[:1].isalpha() else _FALLBACK


def new_id(prefix: str, said: str, taken: Collection[str]) -> str:
    """Derive an id from an issue's text, lengthened if shorter ones are taken."""
    length = next((n for most, n in _LENGTHS if len(taken) <= most), _LONGEST)
    for attempt in range(1_000):
        drawn = _hash(f"{said}\0{attempt}", length + attempt // _TRIES)
        ident = f"{prefix}-{drawn}"
        if ident not in taken:
            return ident
    raise BadInputError(f"No id is free under {prefix!r}.", hint="Give the task another prefix.")


def made_by(request: str, prefix: str, ids: Iterable[str]) -> tuple[str, bool]:
    """Return the id of the task that a request creates, and whether it exists already.

    It is long enough to be unique, and is found under any earlier prefix.
    """
    drawn = _hash(request, _LONGEST)
    there = next((one for one in ids if one.rpartition("-")[2] == drawn), "")
    return there or f"{prefix}-{drawn}", bool(there)


def twin_id(ident: str, said: str) -> str:
    """Return a new id for the younger of two colliding issues, equal in every clone."""
    return f"{ident}{_hash(said, _LONGEST // 2)}"


def checked_id(given: str) -> str:
    """Return a valid id. Raises `BadInputError` for options, paths and the like."""
    ident = given.strip()
    if not _SHAPE.fullmatch(ident):
        raise BadInputError(
            f"{given[:60]!r} is not an id of a task.",
            hint="Ids look like `bd-a3f8` or `bd-a3f8.1`.",
        )
    return ident


def resolved(given: str, ids: Collection[str]) -> str:
    """Return the full id, given it with or without prefix, or its beginning.

    Raises `NotFoundError` for none and `AmbiguousIdError` for several.
    """
    ident = checked_id(given)
    if ident in ids:
        return ident
    low = ident.lower()
    found = [one for one in ids if one.lower() == low]
    found = found or [one for one in ids if one.lower().rpartition("-")[2] == low]
    found = found or [one for one in ids if one.lower().startswith(low) and "-" in low]
    if len(found) == 1:
        return found[0]
    if found:
        raise AmbiguousIdError(
            f"{given!r} could be {', '.join(sorted(found)[:5])}.", hint="Give more of the id."
        )
    raise NotFoundError(
        f"Task {given!r} is not found.", hint="`satchel tasks list --all` shows every task."
    )


def _hash(said: str, length: int) -> str:
    number = int.from_bytes(digest(said.encode("utf-8", "replace")), "big")
    letters = []
    for _ in range(length):
        number, rest = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[rest])
    return "".join(letters)
