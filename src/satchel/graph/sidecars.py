"""Sidecars: entities and relations of one note, written beside it as `NAME.entities.yaml`.

    document_id: tokio-runtime-panic-abc123
    extracted_at: 2026-03-16T10:00:00Z
    entities:
    - {name: tokio, type: technology, description: Async runtime for Rust}
    relationships:
    - {source: block_on, target: tokio, type: uses, description: ..., strength: 9}

A relation may say when it was written down (`tcommit`), and from when (`tvalid`) until when
(`tvalid_end`) it holds.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime

from satchel.errors import BadInputError, NotFoundError
from satchel.graph.names import LONGEST_NAME, normal, tokens
from satchel.graph.values import (
    DEFAULT_WEIGHT,
    Drawn,
    Entity,
    Relation,
    relation_type,
    weight_of,
)
from satchel.locks import read_file, replace_file
from satchel.markdown.yaml_text import read_yaml, write_yaml
from satchel.search.tokens import stem
from satchel.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ENDING = ".entities.yaml"
#: Larger files are no sidecars, bytes.
LARGEST = 262_144
_MOST = 2_000
_MOST_FLOWS = 10_000
_LONGEST_TEXT = 4_000
_LEAST, _GREATEST = 1, 10
_HINT = "See docs/graph.md, or delete the file: entities are then taken from the note's text."


class Sidecar(NamedTuple):
    """What a sidecar says. `extracted_at` is in Unix seconds, 0 where it says nothing."""

    document_id: str
    drawn: Drawn
    extracted_at: int = 0


def sidecar_of(note: str) -> str:
    """Return the path of the sidecar of a Markdown file."""
    return note.removesuffix(".md") + ENDING


def read_sidecar(path: str) -> Sidecar:
    """Read a sidecar. Raises `BadInputError` that names the file, the field and the next step."""
    if not os.path.isfile(path):
        raise NotFoundError(f"There is no file {path}.")
    if os.path.getsize(path) > LARGEST:
        raise BadInputError(f"{path} is larger than {LARGEST:,} bytes.", hint=_HINT)
    return parse_sidecar(read_file(path), path)


def parse_sidecar(data: bytes, path: str) -> Sidecar:
    """Read the bytes of a sidecar; `path` is for messages."""
    fields = _loaded(data, path)
    reader = _Reader(path)
    extracted = reader.moment(fields.get("extracted_at"), "extracted_at")
    named = [
        reader.entity(item, f"entities[{n}]")
        for n, item in enumerate(reader.items(fields, "entities"))
    ]
    links = [
        reader.relation(item, f"relationships[{n}]", extracted or 0)
        for n, item in enumerate(reader.items(fields, "relationships"))
    ]
    drawn = Drawn(tuple(named), tuple(links), explicit=True)
    ident = reader.text(fields.get("document_id"), "document_id")
    return Sidecar(ident, drawn, extracted or 0)


def write_sidecar(path: str, sidecar: Sidecar, *, text: str = "") -> None:
    """Write a sidecar, replacing what stands there in one step.

    With `text`, what the sidecar describes, every name must occur in it: raises `BadInputError`
    that names those that do not.
    """
    missing = names_not_in(sidecar.drawn, text) if text else ()
    if missing:
        raise BadInputError(
            f"{path} would name {', '.join(map(repr, missing[:5]))}, which the text does not.",
            hint="Spell names as the text does, in any case, or leave them out.",
        )
    replace_file(path, spelled(sidecar), mode=0o644)


def spelled(sidecar: Sidecar) -> bytes:
    """Spell a sidecar as YAML."""
    fields: dict[str, Any] = {"document_id": sidecar.document_id}
    if sidecar.extracted_at:
        fields["extracted_at"] = _spelled_moment(sidecar.extracted_at)
    fields["entities"] = [
        {"name": e.name, "type": e.type, "description": e.description}
        | ({"aliases": list(e.aliases)} if e.aliases else {})
        for e in sidecar.drawn.entities
    ]
    fields["relationships"] = [_fields_of(r, sidecar) for r in sidecar.drawn.relations]
    return write_yaml(fields).encode("utf-8", "replace")


def names_not_in(drawn: Drawn, text: str) -> tuple[str, ...]:
    """Names whose words, in any case and ending, do not all occur in the text, in order."""
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


def only_named_in(drawn: Drawn, text: str) -> Drawn:
    """Leave out what the text does not name: a model may have made it up."""
    missing = {normal(name) for name in names_not_in(drawn, text)}
    if not missing:
        return drawn
    return Drawn(
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
        fields["tcommit"] = _spelled_moment(committed)
    if relation.valid_from is not None and relation.valid_from != committed:
        fields["tvalid"] = _spelled_moment(relation.valid_from)
    if relation.valid_to is not None:
        fields["tvalid_end"] = _spelled_moment(relation.valid_to)
    return fields


def _loaded(data: bytes, path: str) -> dict[str, Any]:
    if data.count(b"[") + data.count(b"{") > _MOST_FLOWS:
        # A YAML reader takes time by the square of how deep they nest.
        raise BadInputError(f"{path} has too many brackets.", hint=_HINT)
    try:
        fields = read_yaml(data.decode("utf-8-sig"), largest=LARGEST)
    except UnicodeDecodeError:
        raise BadInputError(f"{path} is not UTF-8 text.", hint=_HINT) from None
    except BadInputError as error:
        raise BadInputError(f"{path}: {error}.", hint=error.hint or _HINT) from None
    if not isinstance(fields, dict):
        raise BadInputError(f"{path} holds no fields such as `entities:`.", hint=_HINT)
    return fields


class _Reader:
    """Checks fields one by one, and says which one is wrong."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path

    def wrong(self, field: str, what: str) -> BadInputError:
        """Make the error for one field."""
        return BadInputError(f"{self.path}: `{field}` {what}.", hint=_HINT)

    def items(self, fields: dict[str, Any], name: str) -> list[dict[str, Any]]:
        """Return a list of mappings."""
        value = fields.get(name) or []
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.wrong(name, "is no list of items with fields")
        if len(value) > _MOST:
            raise self.wrong(name, f"has more than {_MOST:,} items")
        return value

    def text(self, value: Any, field: str, *, most: int = _LONGEST_TEXT) -> str:
        """Return a text, or "" for nothing."""
        if value is None:
            return ""
        if isinstance(value, bool):
            value = str(value).lower()
        if isinstance(value, list | dict):
            raise self.wrong(field, "is no text")
        return str(value)[:most]

    def name(self, item: dict[str, Any], field: str, of: str) -> str:
        """Return a name, which must not be empty."""
        value = self.text(item.get(field), f"{of}.{field}").strip()
        if not normal(value):
            raise self.wrong(f"{of}.{field}", "is missing or empty")
        if len(value) > LONGEST_NAME:
            raise self.wrong(f"{of}.{field}", f"is longer than {LONGEST_NAME} characters")
        return value

    def entity(self, item: dict[str, Any], of: str) -> Entity:
        """Return one entity."""
        aliases = item.get("aliases") or []
        if not isinstance(aliases, list):
            raise self.wrong(f"{of}.aliases", "is no list of names")
        named = [self.text(alias, f"{of}.aliases") for alias in aliases]
        return Entity(
            self.name(item, "name", of),
            self.text(item.get("type"), f"{of}.type").strip().lower() or "concept",
            self.text(item.get("description"), f"{of}.description"),
            tuple(alias for alias in named if normal(alias)),
        )

    def relation(self, item: dict[str, Any], of: str, extracted: int) -> Relation:
        """Return one relation."""
        committed = self.moment(item.get("tcommit"), f"{of}.tcommit") or extracted
        begins = self.moment(item.get("tvalid"), f"{of}.tvalid")
        ends = self.moment(item.get("tvalid_end"), f"{of}.tvalid_end")
        begins = begins if begins is not None else (committed or None)
        if ends is None and self.text(item.get("superseded_by"), f"{of}.superseded_by"):
            ends = max(committed, begins or 0)
        if ends is not None and begins is not None and ends < begins:
            raise self.wrong(f"{of}.tvalid_end", "lies before `tvalid`")
        return Relation(
            self.name(item, "source", of),
            self.name(item, "target", of),
            relation_type(self.text(item.get("type"), f"{of}.type")),
            self.weight(item.get("strength"), f"{of}.strength"),
            self.text(item.get("description"), f"{of}.description"),
            begins,
            ends,
            committed,
        )

    def weight(self, value: Any, field: str) -> float:
        """Turn a strength of 1 to 10 into a weight."""
        if value in (None, ""):
            return DEFAULT_WEIGHT
        try:
            strength = 0.0 if isinstance(value, bool) else float(value)
        except (TypeError, ValueError):
            strength = 0.0
        if not _LEAST <= strength <= _GREATEST:
            raise self.wrong(field, f"is {str(value)[:20]!r}; it takes a number from 1 to 10")
        return weight_of(strength)

    def moment(self, value: Any, field: str) -> int | None:
        """Turn an ISO time or Unix seconds into Unix seconds; None for nothing."""
        if value in (None, "", "null", "~"):
            return None
        try:
            text = str(value).strip()
            if text.isascii() and text.isdigit():
                return int(datetime.fromtimestamp(int(text), UTC).timestamp())
            moment = datetime.fromisoformat(text)
            return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
        except (ValueError, OverflowError, OSError):
            raise self.wrong(field, f"is {str(value)[:30]!r}, no time such as 2026-03-16") from None


def _spelled_moment(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
