"""The knowledge base: adds notes with their sidecars, redacted and atomically."""

from __future__ import annotations

import os
from collections.abc import Sequence

from satchel.core import times
from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.redaction.redactor import redact, redact_value
from satchel.core.values import NamedTuple
from satchel.engine.markdown.front_matter import split, with_fields
from satchel.engine.markdown.sidecars import LARGEST, read_rows, sidecar_of
from satchel.engine.markdown.yaml_text import read_yaml, write_yaml
from satchel.engine.search.source_reader import LARGEST_FILE
from satchel.features.notes.reading import read_note
from satchel.features.notes.rules import TO_ADD, problems_of, seconds_of
from satchel.features.notes.values import EPISODE, LearningNote, Problem, document_id, slug
from satchel.storage.files import names_in, read_file, replace_file


def sidecar_problems(path: str, raw: bytes) -> list[Problem]:
    """Return what is wrong with a sidecar, row by row."""
    return [Problem(path, one.field, one.what, one.step) for one in read_rows(raw).wrong]


_SHOWN_PROBLEMS = 5


class AddedNote(NamedTuple):
    """An added note: its id, its file and sidecar, what it replaced, what was redacted."""

    id: str
    path: str
    sidecar: str
    replaced: str
    redacted: tuple[str, ...]


def add_note(path: str, *, knowledge_base: str, sidecar: str, force: bool, now: float) -> AddedNote:
    """Copy a note, with its sidecar if any, to the knowledge base.

    Args:
        path: the note.
        knowledge_base: the directory with `learnings/` and `episodes/`.
        sidecar: its sidecar; "" for the one beside it, if any.
        force: replace a note of the same title.
        now: Unix seconds, for episodes without a date.

    Raises `BadInputError` naming file, field, what is allowed and the next step, and writes
    nothing.
    """
    raw = _contents(path)
    note = checked_note(path, raw)
    sidecar = sidecar or (sidecar_of(path) if os.path.isfile(sidecar_of(path)) else "")
    if sidecar:
        _raise(sidecar_problems(sidecar, _contents(sidecar)))
    data, kinds = _cleaned(raw, note)
    clean = read_note(path, data)
    if isinstance(clean, str):
        raise BadInputError(f"{path}: without its secrets it is not a note: {clean}.")
    ident = document_id(clean.title, clean.body)
    directory = _directory(clean, knowledge_base, now)
    target = os.path.join(directory, _file_name(clean, ident))
    before = _same_title(clean, directory, target)
    if before and not force:
        raise BadInputError(
            f"{before} has this title already.",
            hint="Pass --force to replace it, or give the note another title.",
        )
    if sidecar:
        replace_file(sidecar_of(target), _cleaned_sidecar(_contents(sidecar), ident))
    replace_file(target, data)
    if before and before != target:
        for old in (before, sidecar_of(before)):
            if os.path.exists(old):
                os.unlink(old)
    return AddedNote(ident, target, sidecar_of(target) if sidecar else "", before, kinds)


def checked_note(path: str, raw: bytes) -> LearningNote:
    """Read a note. Raises if it is invalid."""
    note = read_note(path, raw)
    if isinstance(note, str):
        raise BadInputError(f"{path}: {note}.", hint="Fix that line; nothing was written.")
    _raise(problems_of(note, TO_ADD))
    return note


def _raise(problems: Sequence[Problem]) -> None:
    if not problems:
        return
    first = problems[0].error()
    if len(problems) == 1:
        raise first
    shown = [f"`{p.field}` {p.what}" if p.field else p.what for p in problems[:_SHOWN_PROBLEMS]]
    more = len(problems) - len(shown)
    text = "; ".join(shown) + (f"; and {more} more" if more else "")
    raise BadInputError(f"{problems[0].path}: {text}.", hint=first.hint)


def _contents(path: str) -> bytes:
    if os.path.isdir(path):
        raise BadInputError(f"{path} is a directory.", hint="Name a Markdown file in it.")
    if not os.path.isfile(path):
        raise NotFoundError(f"There is no file {path}.")
    if os.path.getsize(path) > LARGEST_FILE:
        raise BadInputError(
            f"{path} has {os.path.getsize(path) / 1e6:.1f} MB; a note has at most "
            f"{LARGEST_FILE / 1e6:.0f} MB.",
            hint="Keep what was learnt, and link to the rest.",
        )
    return read_file(path)


def _cleaned(raw: bytes, note: LearningNote) -> tuple[bytes, tuple[str, ...]]:
    """Return the file without secrets; unchanged if it has none."""
    parts = split(raw)
    body, kinds = redact(parts.body.decode("utf-8"))
    fields, more = redact_value(note.fields)
    if kinds:
        parts = parts._replace(body=body.encode("utf-8", "replace"))
    data = parts.before + parts.yaml + parts.after + parts.body
    changed = {name: value for name, value in fields.items() if value != note.fields.get(name)}
    # A field whose very name is a secret is removed under that name.
    changed |= dict.fromkeys(set(note.fields) - set(fields))
    return (with_fields(data, changed) if changed else data), tuple(dict.fromkeys(kinds + more))


def _cleaned_sidecar(raw: bytes, ident: str) -> bytes:
    """Return the sidecar without secrets, with its note's id."""
    text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    before = read_yaml(text, largest=LARGEST)
    after, _ = redact_value({**before, "document_id": ident})
    changed = {name: value for name, value in after.items() if value != before.get(name)}
    if not changed:
        return raw
    # Put between fences so that untouched lines are kept as in front matter.
    inside = text.removeprefix("---\n").rstrip("\n") + "\n"
    framed = with_fields(f"---\n{inside}---\n".encode(), changed)
    made = framed.removeprefix(b"---\n").removesuffix(b"---\n")
    whole = read_yaml(made.decode("utf-8"), largest=2 * LARGEST) == after
    return made if whole else write_yaml(after).encode("utf-8", "replace")


def _directory(note: LearningNote, knowledge_base: str, now: float) -> str:
    if note.kind != EPISODE:
        return os.path.join(knowledge_base, "learnings")
    seconds = seconds_of(note.fields.get("created"))
    day = times.day(now if seconds is None else seconds)
    return os.path.join(knowledge_base, "episodes", day)


def _file_name(note: LearningNote, ident: str) -> str:
    named = note.text("id")
    own = note.kind == EPISODE and named and slug(named) == named
    return f"{named if own else ident}.md"


def _same_title(note: LearningNote, directory: str, target: str) -> str:
    """Return the knowledge base file with this title, if any."""
    if os.path.exists(target):
        return target
    stem = document_id(note.title, "")[: -len("-123456")]
    for name in names_in(directory):
        if name.startswith(stem + "-") and name.endswith(".md"):
            path = os.path.join(directory, name)
            there = read_note(path, read_file(path), strict=False)
            if not isinstance(there, str) and there.title == note.title:
                return path
    return ""
