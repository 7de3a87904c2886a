"""Reads soft rules that two people added at once, from git's merge of the file.

Pure. Git leaves both sides between its markers, or, with a union merge, two entries of one rule.
Each side alone is a readable file: their rules are combined by id.
"""

from __future__ import annotations

from satchel.core.errors import BadInputError
from satchel.core.values import Any
from satchel.engine.markdown.conflicts import sides_of
from satchel.engine.markdown.yaml_entries import (
    Entry,
    Listing,
    read_entries,
    with_changes,
    with_entry,
    without_entries,
)


def put_together(text: str, field: str) -> tuple[Listing, list[str]]:
    """Read a file's entries, and what git left of a merge.

    The listing is of the text without markers, so that an edit writes a clean file. Raises
    `BadInputError` like `read_entries`, naming the marker if that is the error.
    """
    sides = sides_of(text)
    if sides is None:
        return _each_once(read_entries(text, field))
    try:
        listing = _each_once(read_entries(sides.ours, field))[0]
        for entry in read_entries(sides.theirs, field).entries:
            listing = _with(listing, entry.fields)
    except BadInputError as error:
        raise BadInputError(
            f"line {sides.line} is a git conflict marker, and what it divides cannot be read",
            hint=error.hint or "Finish the merge by hand.",
        ) from None
    note = f"line {sides.line}: a git conflict marker; the rules of both sides are read"
    return listing, [note]


def _with(listing: Listing, fields: dict[str, Any]) -> Listing:
    same = [one for one in listing.entries if one.fields.get("id") == fields.get("id")]
    if not same:
        return read_entries(with_entry(listing, fields, in_line=True), listing.field)
    if _age(fields) <= _age(same[0].fields):
        return listing
    return read_entries(with_changes(listing, [(same[0], fields)]), listing.field)


def _each_once(listing: Listing) -> tuple[Listing, list[str]]:
    """Keep only a rule's newest entry: a union of two changes has both."""
    best: dict[tuple[str, str], Entry] = {}
    for entry in listing.entries:
        held = best.get(_name(entry))
        if held is None or _age(entry.fields) > _age(held.fields):
            best[_name(entry)] = entry
    # Two different rules with one id are somebody's mistake; both are kept.
    gone = [one for one in listing.entries if one.fields.get("id") and best[_name(one)] is not one]
    if not gone:
        return listing, []
    notes = [
        f"line {one.line}: the id {one.fields['id']} occurs twice; the newer one is read"
        for one in gone
    ]
    return read_entries(without_entries(listing, gone), listing.field), notes


def _name(entry: Entry) -> tuple[str, str]:
    return str(entry.fields.get("id")), str(entry.fields.get("rule"))


def _age(fields: dict[str, Any]) -> tuple[str, float]:
    count = fields.get("reinforcement_count")
    return str(fields.get("last_reinforced") or ""), count if isinstance(count, int) else 0
