"""Reads notes from a directory without an index, to check or search them once."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from satchel.core.errors import StoreError
from satchel.core.values import NamedTuple
from satchel.engine.markdown.sidecars import ENDING
from satchel.engine.search.source_reader import LARGEST_FILE
from satchel.features.notes.file_discovery import find_files
from satchel.features.notes.knowledge_base import sidecar_problems
from satchel.features.notes.reading import read_note
from satchel.features.notes.rules import problems_of, required_below
from satchel.features.notes.values import EPISODE, LearningNote, Problem
from satchel.features.notes.weighted import may_hold
from satchel.storage.files import read_file


class UnreadableFile(NamedTuple):
    """An unreadable file, and the reason."""

    path: str
    reason: str


def notes_in(
    directory: str, unread: list[UnreadableFile], question: str = ""
) -> Iterator[LearningNote]:
    """Read a directory's notes by path; unreadable files are added to `unread`.

    With a question, files without any of its words are not parsed.
    """
    tree = find_files(directory)
    unread += [UnreadableFile(path, "the directory may not be read") for path in tree.unreadable]
    for path in tree.paths:
        raw = _contents(path)
        if isinstance(raw, str):
            unread.append(UnreadableFile(path, raw))
            continue
        if question and not may_hold(question, raw):
            continue
        note = read_note(path, raw)
        if isinstance(note, str):
            unread.append(UnreadableFile(path, note))
        else:
            yield note


def problems_in(places: Sequence[str]) -> tuple[int, list[Problem]]:
    """Check notes and sidecars below some paths; return the file count and problems.

    Files of critical patterns, episodes and plain documents need no fields.
    """
    checked, problems = 0, list[Problem]()
    for place in places:
        if os.path.isfile(place):
            paths: tuple[str, ...] = (place,)
        else:
            paths = find_files(place).paths + find_files(place, f"**/*{ENDING}").paths
        for path in sorted(paths):
            checked += 1
            raw = _contents(path)
            if isinstance(raw, str):
                problems.append(Problem(path, "", raw, ""))
            elif path.endswith(ENDING):
                problems += sidecar_problems(path, raw)
            else:
                problems += _of_note(path, raw)
    return checked, problems


def _of_note(path: str, raw: bytes) -> list[Problem]:
    note = read_note(path, raw)
    if isinstance(note, str):
        return [Problem(path, "", note, "Fix that line.")]
    if not note.fields:
        return []
    required = () if note.kind == EPISODE else required_below(os.path.abspath(path))
    return problems_of(note, required)


def _contents(path: str) -> bytes | str:
    try:
        size = os.path.getsize(path)
        if size > LARGEST_FILE:
            return f"it has {size / 1e6:.1f} MB; at most {LARGEST_FILE / 1e6:.0f} MB are read"
        return read_file(path)
    except (OSError, StoreError) as error:
        return str(error)
