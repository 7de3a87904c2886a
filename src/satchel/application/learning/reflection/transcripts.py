"""The clients' transcripts of a project, and the user's corrections in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from satchel.clients.registry import ALIASES
from satchel.clients.transcript_format.values import ASSISTANT, USER
from satchel.clients.transcripts.reading import TranscriptReader, head_of, transcript_files
from satchel.core.errors import SatchelError
from satchel.features.sessions.project_part import ProjectPart, began_above
from satchel.project.place import find_place
from satchel.storage.safe_open import is_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services
    from satchel.clients.transcript_format.values import Turn
    from satchel.features.guards.repeats import Correction

#: Most transcripts to search for corrections, the newest first.
_MOST = 200


def own_transcripts(work: Services, *, above: bool = False) -> Iterator[str]:
    """Return the clients' transcripts of this project.

    Args:
        above: also of sessions that began above it and in no project, which may have worked in it.
    """
    root, person = os.path.realpath(work.project.place.root), work.person
    if person is None:
        return
    for client in ALIASES:
        for file in transcript_files(client, person.client_home(client), root):
            cwd = file.cwd or head_of(file.path).cwd
            is_ours = cwd and is_within(os.path.realpath(cwd), root)
            if is_ours or (above and _is_above(work, cwd)):
                yield file.path


def _is_above(work: Services, cwd: str) -> bool:
    return began_above(work.project, cwd) and find_place(cwd) is None


def oldest_first(paths: Iterable[str]) -> list[str]:
    """Return transcripts by the time of their last line, vanished ones first."""
    return sorted(paths, key=lambda path: (_written(path), path))


def _written(path: str) -> int:
    """Return when a file was last written, in nanoseconds; 0 if it is gone."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def read_turns(work: Services, path: str) -> tuple[list[Turn], str, str]:
    """Read a whole transcript: its turns except forgotten ones, its session and client.

    Of a session that began above the project, only the prompts count that led to changes here
    alone.
    """
    reader = TranscriptReader(path)
    turns, head = list(reader), reader.head
    if _is_above(work, head.cwd):
        turns = ProjectPart(work.project).prompts(turns, head.cwd) if not head.parent else []
    return work.sessions.archive.not_forgotten(turns, head), head.session, reader.client


def corrections_said(work: Services) -> Iterator[Correction]:
    """Return every correction by the user in this project's transcripts, as sentences."""
    # Not imported with the module: commands that only name transcripts hear nothing.
    from satchel.application.learning.signals.classifying import classify
    from satchel.application.learning.signals.values import CORRECTION
    from satchel.features.guards.repeats import Correction

    for path in oldest_first(own_transcripts(work, above=True))[: -_MOST - 1 : -1]:
        try:
            turns, session, _ = read_turns(work, path)
        except SatchelError:
            continue
        before = ""
        for number, turn in enumerate(turns):
            if turn.role == USER:
                for one in classify(turn.text, before):
                    if one.label == CORRECTION and one.sentence:
                        name = f"{session}:{number}"
                        yield Correction(name, int(turn.at), session, one.sentence)
            before = turn.text or before if turn.role == ASSISTANT else before
