"""Rules for merging the files of two homes. Pure.

Ledger lines are united in the ledger's own order; the latest version wins wherever it was written,
and tombstones are versions. What was purged anywhere is removed everywhere. Other files are merged
with the last common version as the base.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from satchel.application.exchange.privacy import purged_by, shareable_lines, without_purged
from satchel.core.values import NamedTuple
from satchel.features.sessions.compression import lines_in, packed
from satchel.storage.ledger.lines import decode


class Lines(NamedTuple):
    """The outcome for a ledger: lines to append here, lines to scrub here, lines to send."""

    incoming: tuple[bytes, ...]
    scrubbed: frozenset[bytes]
    outgoing: tuple[bytes, ...]


def merge_lines(ours: Sequence[bytes], theirs: Sequence[bytes]) -> Lines:
    """Merge the lines of a local and a remote ledger."""
    purged = purged_by([*ours, *theirs])
    kept = without_purged(ours, purged)
    held = set(ours)
    sound = [raw for raw in dict.fromkeys(theirs) if decode(raw).record is not None]
    incoming = [raw for raw in without_purged(sound, purged) if raw not in held]
    union = shareable_lines([*dict.fromkeys(kept), *incoming])
    return Lines(
        tuple(sorted(incoming, key=_order)),
        frozenset(held) - frozenset(kept),
        tuple(sorted(union, key=_order)),
    )


def _order(raw: bytes) -> tuple[int, str, int, str, bytes]:
    record = decode(raw).record
    return (*record.version, raw) if record is not None else (0, "", 0, "", raw)


def merge_plain(ours: Sequence[bytes], theirs: Sequence[bytes]) -> Lines:
    """Merge lines kept in order of arrival: messages of a session."""
    held, there = set(ours), set(theirs)
    incoming = [raw for raw in dict.fromkeys(theirs) if raw not in held]
    new = [raw for raw in dict.fromkeys(ours) if raw not in there]
    return Lines(tuple(incoming), frozenset(), (*theirs, *new))


def merge_packed(ours: bytes, theirs: bytes) -> tuple[list[bytes], bytes]:
    """Merge packed lines; return those to append here, and the file to send."""
    mine = list(dict.fromkeys(raw for raw in lines_in(ours, whole=True) if raw))
    other = list(dict.fromkeys(raw for raw in lines_in(theirs, whole=True) if raw))
    incoming = [raw for raw in other if raw not in set(mine)]
    new = [raw for raw in mine if raw not in set(other)]
    return incoming, theirs + packed(b"\n".join(new) + b"\n") if new else theirs


class File(NamedTuple):
    """The outcome for a file: local and remote content, None if absent, and what was set aside.

    `aside` is their version of a file that both changed in the same place.
    """

    here: bytes | None
    there: bytes | None
    aside: bytes | None = None


def merge_file(
    ours: bytes | None,
    base: bytes | None,
    theirs: bytes | None,
    merge: Callable[[bytes, bytes, bytes], bytes | None],
) -> File:
    """Three-way merge a file; `merge` joins texts, or returns None on conflict."""
    if theirs in (ours, base):
        return File(ours, ours)
    if ours == base:
        return File(theirs, theirs)
    if ours is None or theirs is None:
        # Deleted on one side and changed on the other: the change is kept.
        kept = ours if theirs is None else theirs
        return File(kept, kept)
    both = merge(ours, base or b"", theirs) if base is not None else None
    return File(ours, ours, theirs) if both is None else File(both, both)
