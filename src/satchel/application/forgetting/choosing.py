"""Selects the records that must be removed along with others, and extracts their texts. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from satchel.application.forgetting.matching import TraceMatcher, words_of
from satchel.application.forgetting.values import Leftover
from satchel.core.kinds import KINDS, QUOTES, kinds_for
from satchel.storage.ledger.record import Record

#: Kinds that quote others, and lose the quotation. Other memories are somebody's own.
_QUOTING = frozenset(kinds_for(QUOTES))
#: From this share of common words, a memory says the same.
_SAME = 0.8
#: Shortest value in `data` worth searching for, in characters.
_SHORTEST = 12


def texts_of(record: Record) -> list[str]:
    """Return the texts of a record: its content, its title, the strings in its data."""
    found = [record.content, record.title]
    if record.kind in KINDS or record.kind == "proposal":
        found += [text for text in strings_in(record.data or {}) if len(text) >= _SHORTEST]
    return [text for text in found if text.strip()]


def strings_in(value: object) -> list[str]:
    """Return every text in a JSON value."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for one in value.values() for text in strings_in(one)]
    return [text for one in value for text in strings_in(one)] if isinstance(value, list) else []


def keeps_its_words(record: Record) -> bool:
    """Return whether a record is someone's own memory and quotes no others."""
    return record.kind in KINDS and record.kind not in _QUOTING


def spared_by(every: Sequence[Record], ids: frozenset[str]) -> list[str]:
    """Return the texts of somebody's own memories that stay: their words identify nothing."""
    staying = (one for one in every if one.id not in ids and keeps_its_words(one))
    return [text for one in staying for text in texts_of(one)]


def cascade(
    seeds: Sequence[Record], every: Sequence[Record], *, session: str = ""
) -> frozenset[str]:
    """Return the ids of everything that must be removed along with some records.

    Their versions, what was derived from them, what they supersede and what supersedes them.
    """
    ids = {one.id for one in seeds}
    identities = {one.identity for one in seeds if one.kind in KINDS}
    older = {name for one in seeds for name in one.supersedes}
    while True:
        before = len(ids)
        for one in every:
            taken = one.id in ids or one.id in older or one.identity in identities
            taken = taken or bool(ids.intersection((*one.derived_from, *one.supersedes)))
            if taken or (session and one.session.startswith(session)):
                ids.add(one.id)
                older.update(one.supersedes)
                if one.kind in KINDS:
                    identities.add(one.identity)
        if len(ids) == before:
            return frozenset(ids)


def copies_of(traces: TraceMatcher, every: Sequence[Record], ids: frozenset[str]) -> frozenset[str]:
    """Return the ids of memories with the same content under another id."""
    found = set()
    for one in every:
        if one.id in ids or not keeps_its_words(one) or not one.content.strip():
            continue
        said = sum(len(words_of(one.content[a:b])) for a, b in traces.spans(one.content))
        if said and said >= _SAME * len(words_of(one.content)):
            found.add(one.id)
    return frozenset(found)


def newest_versions(records: Iterable[Record]) -> list[Record]:
    """Return the newest version of each record."""
    newest: dict[str, Record] = {}
    for one in records:
        known = newest.get(one.identity)
        if known is None or known.version < one.version:
            newest[one.identity] = one
    return list(newest.values())


def left_in_memories(
    every: Sequence[Record], ids: frozenset[str], traces: TraceMatcher
) -> list[Leftover]:
    """Return memories that go on saying part of it, and those whose quotes are not searched for."""
    newest = newest_versions(one for one in every if one.id in ids or keeps_its_words(one))
    return [
        *(
            Leftover(one.id, f"another memory ({one.kind})", "says part of it; name its id as well")
            for one in newest
            if one.id not in ids and any(traces.hits(text) for text in texts_of(one))
        ),
        *(
            Leftover(one.id, "a short memory", "was not looked for inside other texts")
            for one in newest
            if one.id in ids and one.content.strip() and not traces.is_searched_for(one.content)
        ),
    ]
