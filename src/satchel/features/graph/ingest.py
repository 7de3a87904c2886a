"""Converts notes, records and observations to texts with entities and relations. Pure.

Secrets and private spans are removed first, so that nothing derived from here contains any.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from satchel.core import times
from satchel.core.errors import SatchelError
from satchel.core.quick_json import loads
from satchel.core.redaction.redactor import redact
from satchel.core.shapes import dict_of
from satchel.core.values import Any, NamedTuple
from satchel.engine.search.documents import Document
from satchel.features.graph.extraction import extract, phrases_of
from satchel.features.graph.operations import Operation, drawn_from, known_to, seconds_in
from satchel.features.graph.rows import Text
from satchel.features.graph.sidecars import only_named_in, parse_sidecar
from satchel.features.graph.values import Entity, Memory, Relation, TextGraph, normal, relation_type

NOTE, RECORD, INGEST = "note:", "record:", "ingest:"
_FRONT = re.compile(r"\A---\s*\n(.*?)\n---\s*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^(title|created|updated|key_insight)\s*:\s*(.+?)\s*$", re.MULTILINE)
_HEADING = re.compile(r"^#\s+(.+?)\s*$", re.MULTILINE)
#: A secret's placeholder names nothing.
_MARK = re.compile(r"\[redacted:[^\]\s]*\]|\[private content removed\]")
_STATED = 0.9


class IngestedNote(NamedTuple):
    """A note's text, and what was wrong with its sidecar, or ""."""

    text: Text
    problem: str = ""


def ingest_note(
    ident: str, mark: str, note: bytes, sidecar: bytes | None, path: str, *, modified: int = 0
) -> IngestedNote:
    """Ingest a Markdown note, using its sidecar if there is one.

    Args:
        ident: path of the note as users know it.
        mark: identifies this version.
        note: its bytes.
        sidecar: bytes of the sidecar, None if missing.
        path: path of the sidecar, for messages.
        modified: when the file was changed, Unix seconds; its time if it states none.
    """
    whole, _ = redact(note.decode("utf-8-sig", "replace").replace("\r\n", "\n"))
    front = _FRONT.match(whole)
    body = whole[front.end() :] if front else whole
    fields = dict(_FIELD.findall(front.group(1))) if front else {}
    heading = _HEADING.search(body)
    title = fields.get("title", "").strip("'\"") or (heading.group(1) if heading else "")
    title = title or redact(os.path.basename(ident).removesuffix(".md"))[0]
    problem = ""
    drawn: TextGraph | None = None
    ts = _day(fields.get("updated", "")) or _day(fields.get("created", ""))
    if sidecar is not None:
        try:
            read = parse_sidecar(sidecar, path, clean=True)
            drawn = _without_marks(only_named_in(read.drawn, f"{title}\n{whole}"))
            ts = ts or read.extracted_at
            left = len(read.drawn.entities) - len(drawn.entities)
            if left:
                problem = f"{path}: {left} entities are not named in the note; they are left out."
        except SatchelError as error:
            problem, _ = redact(str(error))
    if drawn is None:
        drawn = _named_in(f"{fields.get('key_insight', '')}\n{body}", title)
    memory = Memory(NOTE + ident, body.strip(), "note", title, source=ident, ts=ts or modified)
    return IngestedNote(Text(memory, drawn, mark), problem)


def ingest_record(document: Document) -> Text:
    """Ingest a ledger record without secrets: a fact by its triple, everything else as text."""
    fields = loads(document.fields) if document.kind == "fact" else {}
    data = fields.get("data") if isinstance(fields, dict) else None
    data = dict_of(data)
    content = document.content
    found = _named_in(content, document.title)
    entities, relations = found.entities, found.relations
    subject, object_ = (str(data.get(name) or "") for name in ("subject", "object"))
    if subject and object_:
        kind = relation_type(str(data.get("predicate") or ""))
        entities = (Entity(subject), Entity(object_), *entities)
        stated = Relation(
            subject,
            object_,
            kind,
            weight=_STATED,
            description=content[:200],
            valid_from=seconds_in(fields.get("valid_from")),
            valid_to=seconds_in(fields.get("valid_to")),
            last_seen=document.ts,
        )
        relations = (stated, *relations)
    memory = Memory(
        id=RECORD + document.identity,
        content=content,
        origin="record",
        title=document.title,
        source=document.kind,
        agent=str(fields.get("agent") or "") if fields else "",
        ts=document.ts,
        valid_to=document.expires_at,
    )
    return Text(memory, TextGraph(entities, relations), document.hash)


def ingest_operation(operation: Operation) -> Text:
    """Ingest an observation: the listed entities, or those its text names."""
    data = operation.data
    drawn = drawn_from(operation)
    title, content = redact(str(data.get("title") or ""))[0], redact(operation.content)[0]
    known = known_to(operation)
    if not drawn.entities and not drawn.relations:
        drawn = _named_in(content, title, known, plain=True)
    listed = {entity.key for entity in drawn.entities}
    linked = (Entity(name) for name in known if normal(name) not in listed)
    drawn = drawn._replace(entities=(*drawn.entities, *linked))
    memory = Memory(
        id=operation_text_id(operation),
        content=content,
        origin="ingest",
        title=title,
        source=operation.source,
        agent=operation.agent,
        ts=seconds_in(data.get("seen")) or operation.ts,
        valid_from=seconds_in(data.get("valid_from")),
        valid_to=seconds_in(data.get("valid_to")),
    )
    return Text(memory, drawn, operation.mark)


def with_known(operations: Sequence[Operation]) -> list[Operation]:
    """Return ingests in order, each with the known entities that its text names.

    Lines of other programs do not record these.
    """
    stood: dict[str, str] = {}
    filled = []
    for operation in operations:
        data = operation.data
        if "known" not in data and operation.content and not data.get("part"):
            said = phrases_of(redact(operation.content)[0])
            data = {**data, "known": [stood[key] for key in said if key in stood]}
        drawn = drawn_from(operation)
        ends = [end for one in drawn.relations for end in (one.source, one.target)]
        for name in (*(entity.name for entity in drawn.entities), *ends):
            stood.setdefault(normal(name), name)
        filled.append(operation._replace(data=data))
    return filled


def operation_text_id(operation: Operation) -> str:
    """Return the id of an ingest's text; equal ingests share it."""
    return ingest_text_id({"text": operation.id, **operation.data})


def ingest_text_id(data: dict[str, Any]) -> str:
    """Return the id of an ingest's text from its operation's data."""
    return f"{INGEST}{data.get('text')}/{data.get('part') or 0}"


def _named_in(
    text: str, title: str, known: Sequence[str] = (), *, plain: bool = False
) -> TextGraph:
    return extract(_MARK.sub(" ", text), title=_MARK.sub(" ", title), known=known, plain=plain)


def _without_marks(drawn: TextGraph) -> TextGraph:
    """Drop entities whose name is only a redacted secret."""
    return TextGraph(
        tuple(e for e in drawn.entities if _MARK.sub("", e.name).strip()),
        tuple(r for r in drawn.relations if not _MARK.search(f"{r.source} {r.target}")),
        drawn.explicit,
    )


def _day(text: str) -> int:
    return int(times.seconds_of(text.strip("'\" ")) or 0)
