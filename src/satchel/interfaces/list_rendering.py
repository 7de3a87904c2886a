"""Formats lists of memories in columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from satchel.application.outlet import ASIDE
from satchel.core.excerpts import clipped
from satchel.core.ids import SHOWN_CHARACTERS, memory_key, short_id
from satchel.core.kinds import KINDS
from satchel.core.trust import UNAPPROVED, clean_line
from satchel.engine.search.records import StoredMemory
from satchel.features.memories.origins import age_of
from satchel.interfaces.rendering import Style, said_of, title_of
from satchel.storage.ledger.record import Record

#: Default width of a list, and the least width of its text column.
_PLENTY, _LEAST_WIDTH = 128, 24


def list_text(
    items: Sequence[StoredMemory],
    style: Style,
    now: float,
    width: int = _PLENTY,
    *,
    replaced: Collection[str] = (),
    before: Mapping[str, str] | None = None,
    away: Mapping[str, str] | None = None,
) -> str:
    """Format memories in columns, one a line of at most `width` characters.

    They are the short id, the kind in words, the text, and when it was written.

    Args:
        replaced: the ids of memories replaced by later ones.
        before: the texts of deleted ones, by id.
        away: where those are true whose work is not part of what is checked out, by id.
    """
    records = [item.record for item in items]
    kinds = max((len(_kind_of(one)) for one in records), default=0)
    ages = max((len(age_of(one, now)) for one in records), default=0)
    room = max(_LEAST_WIDTH, width - SHOWN_CHARACTERS - kinds - ages - 6)
    rows = []
    for record in records:
        what = "replaced" if record.id in replaced else _state(record, now)
        what = what or (away or {}).get(record.id, "")
        state = f"  ({what})" if what else ""
        text = (before or {}).get(record.id) or _listed(record)
        left = room - len(state)
        text = clipped(text, left)
        rows.append((record, text, state))
    longest = max((len(text) + len(state) for _, text, state in rows), default=0)
    return "\n".join(
        style.dim(f"{short_id(record.id)}  {_kind_of(record):<{kinds}}  ")
        + text
        + style.dim(f"{state}{'':<{longest - len(text) - len(state)}}  {age_of(record, now)}")
        for record, text, state in rows
    )


def _kind_of(record: Record) -> str:
    kind = KINDS.get(record.kind)
    return clean_line(kind.noun if kind else record.kind)


def _listed(record: Record) -> str:
    """Return a memory's text for a list, with its subject if a title or a given key has it."""
    said = said_of(record)
    if record.kind == "checkpoint":
        return said
    if record.kind == "preference" and record.key != memory_key(record.kind, record.content):
        return f"{clean_line(record.key)}: {said}"
    title, text = clean_line(title_of(record)), clean_line(record.content)
    return f"{title}: {text}" if title and text and title not in text else text or said


def _state(record: Record, now: float) -> str:
    if record.trust == UNAPPROVED:
        return UNAPPROVED
    if record.deleted_at is not None:
        return "deleted"
    if record.expires_at is not None and record.expires_at <= now:
        return "expired"
    if ASIDE in record.tags:
        return "put aside"
    return "edited by hand" if record.edited else ""
