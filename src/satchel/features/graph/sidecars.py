"""Sidecars: a note's entities and relations, beside it as `NAME.entities.yaml`.

    document_id: tokio-runtime-panic-abc123
    extracted_at: 2026-03-16T10:00:00Z
    entities:
    - {name: tokio, type: technology, description: Async runtime for Rust}
    relationships:
    - {source: block_on, target: tokio, type: uses, description: ..., strength: 9}

A relation may say when it was written down (`tcommit`), and when it becomes (`tvalid`) and stops
being (`tvalid_end`) valid.
"""

from __future__ import annotations

from satchel.core import times
from satchel.core.errors import BadInputError
from satchel.core.redaction.redactor import redact_value
from satchel.core.values import Any, NamedTuple
from satchel.engine.markdown.sidecars import read_rows, text_of
from satchel.engine.markdown.yaml_text import write_yaml
from satchel.engine.search.tokens import stem
from satchel.features.graph.values import Entity, Relation, TextGraph, normal, tokens, weight_of

_HINT = "See docs/graph.md, or delete the file: entities are then taken from the note's text."


class Sidecar(NamedTuple):
    """The contents of a sidecar. `extracted_at` is in Unix seconds, 0 if missing."""

    document_id: str
    drawn: TextGraph
    extracted_at: int = 0


def parse_sidecar(data: bytes, path: str, *, clean: bool = False) -> Sidecar:
    """Parse a sidecar's bytes; `path` is for messages.

    With `clean`, secrets are removed from all of its text.

    Raises:
        BadInputError: naming the file, the field and the next step.
    """
    rows = read_rows(data, (lambda fields: redact_value(fields)[0]) if clean else None)
    for one in rows.wrong:
        if not one.free:
            field = f" `{one.field}`" if one.field else ""
            raise BadInputError(f"{path}:{field} {one.what}.", hint=f"{one.step} {_HINT}")
    fields = rows.fields or {}
    reader = _Reader(path)
    extracted = reader.moment(fields.get("extracted_at"), "extracted_at") or 0
    named = [_entity(row) for _, row in rows.entities]
    links = [
        reader.relation(row, f"relationships[{n}]", extracted) for n, row in rows.relationships
    ]
    ident = text_of(fields.get("document_id")) or ""
    return Sidecar(ident, TextGraph(tuple(named), tuple(links), explicit=True), extracted)


def encode_sidecar(sidecar: Sidecar) -> bytes:
    """Encode a sidecar as YAML."""
    fields: dict[str, Any] = {"document_id": sidecar.document_id}
    if sidecar.extracted_at:
        fields["extracted_at"] = times.iso(sidecar.extracted_at)
    fields["entities"] = [
        {"name": e.name, "type": e.type, "description": e.description}
        | ({"aliases": list(e.aliases)} if e.aliases else {})
        for e in sidecar.drawn.entities
    ]
    fields["relationships"] = [_fields_of(r, sidecar) for r in sidecar.drawn.relations]
    return write_yaml(fields).encode("utf-8", "replace")


def names_not_in(drawn: TextGraph, text: str) -> tuple[str, ...]:
    """Return names whose words do not all occur in the text, in any case or inflection."""
    held = {stem(word) for word in normal(text).split()}
    flat = f" {normal(text)} "
    every = [e.name for e in drawn.entities]
    every += [end for r in drawn.relations for end in (r.source, r.target)]
    return tuple(
        name
        for name in dict.fromkeys(every)
        if f" {normal(name)} " not in flat
        and not tokens(normal(name)) <= held
        and name.lower() not in text.lower()
    )


def only_named_in(drawn: TextGraph, text: str) -> TextGraph:
    """Drop names that the text does not contain, since a model may have made them up."""
    missing = {normal(name) for name in names_not_in(drawn, text)}
    if not missing:
        return drawn
    return TextGraph(
        tuple(e for e in drawn.entities if e.key not in missing),
        tuple(r for r in drawn.relations if not missing & {r.triple[0], r.triple[2]}),
        drawn.explicit,
    )


def _fields_of(relation: Relation, sidecar: Sidecar) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "source": relation.source,
        "target": relation.target,
        "type": relation.type,
        "description": relation.description,
        "strength": relation.strength,
    }
    committed = relation.last_seen or sidecar.extracted_at
    if committed and committed != sidecar.extracted_at:
        fields["tcommit"] = times.iso(committed)
    if relation.valid_from is not None and relation.valid_from != committed:
        fields["tvalid"] = times.iso(relation.valid_from)
    if relation.valid_to is not None:
        fields["tvalid_end"] = times.iso(relation.valid_to)
    return fields


def _entity(row: dict[str, Any]) -> Entity:
    aliases = tuple(alias for alias in row["aliases"] if normal(alias))
    return Entity(row["name"], row["type"], row["description"], aliases)


class _Reader:
    """Parses times, and reports which one is wrong."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path

    def wrong(self, field: str, what: str) -> BadInputError:
        """Return the error for one field."""
        return BadInputError(f"{self.path}: `{field}` {what}.", hint=_HINT)

    def relation(self, row: dict[str, Any], of: str, extracted: int) -> Relation:
        """Return one relation."""
        committed = self.moment(row.get("tcommit"), f"{of}.tcommit") or extracted
        begins = self.moment(row.get("tvalid"), f"{of}.tvalid")
        ends = self.moment(row.get("tvalid_end"), f"{of}.tvalid_end")
        begins = begins if begins is not None else (committed or None)
        if ends is None and row.get("superseded_by"):
            ends = max(committed, begins or 0)
        if ends is not None and begins is not None and ends < begins:
            raise self.wrong(f"{of}.tvalid_end", "lies before `tvalid`")
        return Relation(
            row["source"],
            row["target"],
            row["type"],
            weight=weight_of(row["strength"]),
            description=row["description"],
            valid_from=begins,
            valid_to=ends,
            last_seen=committed,
        )

    def moment(self, value: Any, field: str) -> int | None:
        """Convert an ISO time or Unix seconds to Unix seconds; None for nothing."""
        if value in (None, "", "null", "~"):
            return None
        text = str(value).strip()
        try:
            whole = text.isascii() and text.isdigit()
            seconds = times.utc(int(text)).timestamp() if whole else times.seconds_of(text)
        except (ValueError, OverflowError, OSError):
            seconds = None
        if seconds is None:
            raise self.wrong(field, f"is {str(value)[:30]!r}, not a time such as 2026-03-16")
        return int(seconds)
