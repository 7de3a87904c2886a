"""Recognizes memories that say what was forgotten, though they were noted separately. Pure.

A tombstone keeps a mark of the whole text: the machine that forgot has no words left to compare,
and another machine may hold the same words under an id of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from satchel.application.forgetting.choosing import copies_of, keeps_its_words, spared_by, texts_of
from satchel.application.forgetting.matching import TraceMatcher, words_of
from satchel.application.forgetting.values import LEDGER
from satchel.core.hashing import short_hash
from satchel.core.shapes import list_of
from satchel.storage.ledger.lines import decode
from satchel.storage.ledger.record import Record

#: The field of a tombstone with the marks.
SAID = "said"
_FIELD = f'"{LEDGER}":['.encode()


def marks_of(records: Iterable[Record], at: int) -> list[str]:
    """Return the marks of what records say, for a tombstone of that time."""
    own = (one for one in records if keeps_its_words(one))
    return sorted({mark for one in own if (mark := _mark(words_of(one.content), at))})


def said_before(lines: Sequence[bytes]) -> frozenset[str]:
    """Return the ids of memories noted before the same text was forgotten, under another id.

    Args:
        lines: of the ledgers of one project and its person, with the tombstones.
    """
    if not any(_FIELD in raw for raw in lines):
        return frozenset()
    records = [one for raw in lines if (one := decode(raw).record) is not None]
    stones = [one for one in records if one.deleted_at is not None and LEDGER in (one.data or {})]
    ended = {one.id: one.deleted_at or 0 for one in stones}
    if not ended:
        return frozenset()
    marks: dict[int, set[str]] = {}
    for one in stones:
        marks.setdefault(one.deleted_at or 0, set()).update(
            str(mark) for mark in list_of((one.data or {}).get(SAID))
        )
    gone = [one for one in records if one.id in ended and one.deleted_at is None]
    own = [one for one in records if one.id not in ended and keeps_its_words(one)]
    found = {one.id for one in own if _is_marked(one, marks)}
    if gone:
        # Their words are still here, so what says nearly the same is recognized as well.
        last = max(ended[one.id] for one in gone)
        older = [one for one in own if one.when <= last]
        ids = frozenset(ended)
        texts = {text for one in gone for text in texts_of(one)}
        found |= copies_of(TraceMatcher(texts, spared_by(own, ids)), older, ids)
    return frozenset(found)


def _is_marked(record: Record, marks: dict[int, set[str]]) -> bool:
    words = words_of(record.content)
    return any(record.when <= at and _mark(words, at) in those for at, those in marks.items())


def _mark(words: Sequence[str], at: int) -> str:
    """Return the hash of a text's words; the time makes it differ from every other run's."""
    text = f"{at} {' '.join(words)}"
    return short_hash(text.encode("utf-8", "replace")) if words else ""
