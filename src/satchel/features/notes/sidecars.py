"""Strict validation of notes' sidecars, with problems listed row by row."""

from __future__ import annotations

from typing import Any

from satchel.core.values import NamedTuple
from satchel.engine.markdown.sidecars import ENTITY_TYPES, RELATION_TYPES, read_rows, text_of
from satchel.features.notes.values import Problem


class Sidecar(NamedTuple):
    """A parsed sidecar. Rows are dicts with text values; `strength` is 1 to 10."""

    path: str
    document_id: str
    extracted_at: str
    entities: tuple[dict[str, Any], ...]
    relationships: tuple[dict[str, Any], ...]


def read_sidecar(path: str, raw: bytes) -> tuple[Sidecar | None, list[Problem]]:
    """Parse a sidecar: its usable part, and all its problems.

    Rows that cannot be used are left out and named, and a type that is not in the list is named
    and read as the plainest one; None where nothing can be read at all.
    """
    rows = read_rows(raw)
    problems = [Problem(path, one.field, one.what, one.step) for one in rows.wrong]
    if rows.fields is None:
        return None, problems
    entities = [
        row if row["type"] in ENTITY_TYPES else {**row, "type": "concept"}
        for _, row in rows.entities
    ]
    relations = [
        row if row["type"] in RELATION_TYPES else {**row, "type": "relates_to"}
        for _, row in rows.relationships
    ]
    said = [(text_of(rows.fields.get(n)) or "").strip() for n in ("document_id", "extracted_at")]
    return Sidecar(path, said[0], said[1], tuple(entities), tuple(relations)), problems
