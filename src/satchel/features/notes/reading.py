"""Converts files to notes, and notes to index documents."""

from __future__ import annotations

import os
import re

from satchel.core.errors import BadInputError
from satchel.core.hashing import short_hash
from satchel.core.quick_json import dumps
from satchel.core.redaction.redactor import redact, redact_value
from satchel.core.redaction.values import names_secret
from satchel.core.values import Any
from satchel.engine.markdown.chunks import Chunk, chunks
from satchel.engine.markdown.front_matter import Parts, read_fields, split
from satchel.engine.markdown.sections import first_heading
from satchel.engine.search.documents import Document
from satchel.features.notes.rules import seconds_of
from satchel.features.notes.values import DOCUMENT, LearningNote

#: Fields that are returned with each hit, for lists and answers.
_SHOWN = tuple(
    "category project confidence confidence_num language framework created severity scope "  # noqa: SIM905
    "superseded_by session learning_type".split()
)
_LONGEST = 600
#: How decision records say that they are superseded: a line, or a section, `Status`.
_SUPERSEDED = re.compile(
    r"^[ \t>*_-]*(?:#{1,4}[ \t]*status[ \t]*\n\s*|status[*_ \t]*[:=][*_ \t]*)?"
    r"superseded\b(?:[ \t]+by\b)?[: \t]*(?P<by>[^\n(]*(?:\([^)\n]*\))?)",
    re.IGNORECASE | re.MULTILINE,
)
_HEAD = 2000
_LINK = re.compile(r"\[([^\]\n]{0,200})\]\([^)\n]{0,300}\)|\(.*")


def read_note(path: str, raw: bytes, *, strict: bool = True) -> LearningNote | str:
    """Read a note; if it is damaged, return the reason with its line.

    If not `strict`, unreadable front matter is treated as text: somebody's documentation is no
    place to be strict about YAML.
    """
    reason = _undecodable(raw)
    if reason:
        return reason
    parts = split(raw)
    fields: dict[str, Any] = {}
    if parts.unclosed and strict and b":" in parts.body[:200]:
        return "the front matter that begins in line 1 is never closed by another `---`"
    try:
        fields = read_fields(parts)
    except BadInputError as error:
        if strict:
            return f"{error}; {error.hint}" if error.hint else str(error)
        parts = Parts(raw[:0], b"", b"", raw)
    body = parts.body.decode("utf-8")
    said = fields.get("title")
    title = str(said) if said is not None and not isinstance(said, list | dict) else ""
    title = " ".join(title.split()) or first_heading(body)
    if title:
        return LearningNote(path, title, fields, body)
    name = os.path.splitext(os.path.basename(path))[0]
    return LearningNote(path, name, fields, body, titled=False)


def _undecodable(raw: bytes) -> str:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "it is UTF-16; save it as UTF-8"
    nul = raw.find(b"\0")
    if nul >= 0:
        return f"line {1 + raw[:nul].count(10)} holds a NUL byte: it is not text, or it is damaged"
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = 1 + raw[: error.start].count(b"\n")
        return f"line {line} is not UTF-8 (byte 0x{raw[error.start]:02x}); save it as UTF-8"
    return ""


def documents_of(note: LearningNote) -> list[Document]:
    """Return a document per chunk of a note, without secrets.

    Nothing in them depends on the path: a renamed file keeps its rows in the index.
    """
    clean = without_secrets(note)
    title, fields, body = clean.title, clean.fields, clean.body
    lead = "\n".join(part for part in (clean.key_insight, *clean.symptoms) if part)
    is_note = clean.kind != DOCUMENT
    about = {name: str(fields[name])[:_LONGEST] for name in _SHOWN if fields.get(name) is not None}
    by = about.get("superseded_by") or superseded_by(fields, body)
    about |= {"superseded_by": by[:_LONGEST]} if by else {}
    if is_note:
        about |= {"id": clean.id, "key_insight": clean.key_insight[:_LONGEST]}
    tags = " ".join("-".join(tag.split()) for tag in clean.tags)
    pieces = chunks(body) or [Chunk(0, 0, ())]
    made = []
    for number, piece in enumerate(pieces):
        text = body[piece.start : piece.end].strip()
        if not text and (number or not (lead or clean.titled)):
            continue
        own: dict[str, Any] = dict(about)
        if piece.headings:
            own["heading"] = " > ".join(piece.headings)[:_LONGEST]
        if is_note:
            own["chunk"] = number
        if clean.tags:
            own["tags"] = list(clean.tags)
        if lead:
            own["lead"] = len(lead) + 2
        content = "\n\n".join(part for part in (lead, text) if part)
        made.append(_document(clean, title if note.titled else "", content, tags, own))
    return made


def superseded_by(fields: dict[str, Any], body: str) -> str:
    """Return what superseded a decision record, by its own statement; "" if none."""
    status = fields.get("status")
    said = (
        _SUPERSEDED.match(status) if isinstance(status, str) else _SUPERSEDED.search(body[:_HEAD])
    )
    if said is None:
        return ""
    return _LINK.sub(r"\1", said["by"]).strip(" \t.*_[]") or "a later one"


def without_secrets(note: LearningNote) -> LearningNote:
    """Return the note without secrets and private spans, in fields and body.

    One check of all text together decides whether to check each text: most notes have no secrets,
    and a check costs as much for a word as for a page.
    """
    names: list[str] = []
    lines = [note.title]
    _spell(note.fields, "", names, lines)
    together = "\n".join((*lines, note.body))
    if not redact(together)[1] and not any(map(names_secret, names)):
        return note
    fields, _ = redact_value(note.fields)
    return note._replace(title=redact(note.title)[0], fields=fields, body=redact(note.body)[0])


def _spell(value: Any, name: str, names: list[str], lines: list[str]) -> None:
    """Add all field names, and each text as `name: text`."""
    if isinstance(value, dict):
        for key, inner in value.items():
            names.append(str(key))
            _spell(inner, str(key), names, lines)
    elif isinstance(value, list | tuple):
        for inner in value:
            _spell(inner, name, names, lines)
    elif isinstance(value, str):
        lines.append(f"{name}: {value}")


def _document(
    note: LearningNote, title: str, content: str, tags: str, own: dict[str, Any]
) -> Document:
    written = dumps(own)
    identity = short_hash(
        f"{note.kind}\0{title}\0{content}\0{tags}\0{written}".encode("utf-8", "replace")
    )
    forget = note.fields.get("forget_after")
    return Document(
        identity=f"{note.kind}:{identity}",
        hash=identity,
        kind=note.kind,
        ts=seconds_of(note.fields.get("updated")) or seconds_of(note.fields.get("created")) or 0,
        id=str(own.get("id") or identity),
        rev=0,
        title=title,
        content=content,
        tags=tags,
        expires_at=seconds_of(forget) if forget is not None else None,
        fields=written,
    )
