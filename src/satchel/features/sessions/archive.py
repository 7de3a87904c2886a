"""The archive: clients' transcripts, kept after the clients delete them.

One append-only file per session, of compressed lines with hashes. A turn that grew is written again
with the same id, and the later line counts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from satchel.clients.transcript_format.values import USER, Edit, TranscriptHead, Turn
from satchel.clients.transcripts.off_the_record import OffTheRecord
from satchel.core import quick_json
from satchel.core.errors import StoreError
from satchel.core.hashing import object_in, sealed, short_hash
from satchel.core.line_marks import packed as packed_marks
from satchel.core.line_marks import unpacked
from satchel.core.redaction.confidential import without_confidential
from satchel.core.redaction.redactor import redact, redact_start
from satchel.core.shapes import dict_of
from satchel.core.values import Any, NamedTuple
from satchel.features.sessions import compression
from satchel.features.sessions.compression import lines_in, packed
from satchel.storage.files import (
    flush_directory,
    flush_to_disk,
    names_in,
    not_usable,
    open_private,
    read_file,
    write_all,
)

ENDING = ".jsonl.gz"
#: Marks a turn scrubbed by forgetting, and its hash for comparisons: the client's own file still
#: has the text, and must not bring it back. A title retells its session: with a turn forgotten, a
#: session has none.
FORGOTTEN = "forgotten"
#: How much of one turn to keep, in characters.
LONGEST_TURN = 200_000
_HEAD = tuple(name for name in TranscriptHead._fields if name != "client")


class ArchivedSession(NamedTuple):
    """An archived session: its head, its turns in order, its damaged lines."""

    head: TranscriptHead
    turns: tuple[Turn, ...]
    damaged: int = 0


def path_in(directory: str, head: TranscriptHead) -> str:
    """Return a session's file, named by client and id."""
    name = f"{head.client}-{head.session}"
    plain = all(c.isascii() and (c.isalnum() or c in "-_") for c in name)
    if not plain or len(name) > 120 or not head.session:  # noqa: PLR2004
        name = f"{head.client}-{short_hash(name.encode('utf-8', 'replace'))}"
    return os.path.join(directory, name + ENDING)


def files_in(directory: str) -> list[str]:
    """Return every file of an archive, by name."""
    return [os.path.join(directory, n) for n in names_in(directory) if n.endswith(ENDING)]


def turn_line(turn: Turn) -> tuple[bytes, str]:
    """Encode a turn as a line, without secrets; return it and its hash."""
    said = _kept(turn.role, turn.text)
    text = redact_start(said, LONGEST_TURN)[0]
    if len(said) > LONGEST_TURN:
        text += f" …[{len(said) - LONGEST_TURN} more characters]"
    fields: dict[str, Any] = {
        "id": turn.id,
        "role": turn.role,
        "at": round(turn.at, 3),
        "text": text,
        "tools": [redact(call)[0] for call in turn.tools],
        "errors": [redact(error)[0] for error in turn.errors],
        "model": turn.model,
        "edits": [
            [
                redact(edit.path)[0],
                packed_marks(edit.marks),
                int(edit.whole),
                packed_marks(edit.gone),
                round(edit.at, 3),
            ]
            for edit in turn.edits
        ],
        "commits": [redact(commit)[0] for commit in turn.commits],
        "branch": redact(turn.branch)[0],
    }
    line, mark = sealed(quick_json.dumps({k: v for k, v in fields.items() if v}))
    return line, mark


def head_line(head: TranscriptHead) -> bytes:
    """Encode a session's head, without secrets."""
    fields = {name: getattr(head, name) for name in head._fields if getattr(head, name)}
    clean = {k: redact(v)[0] if isinstance(v, str) else v for k, v in fields.items()}
    return sealed(quick_json.dumps({"head": clean}))[0]


def append(path: str, lines: Sequence[bytes]) -> None:
    """Append lines durably, as one member in one write."""
    new = not os.path.exists(path)
    fd = open_private(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        write_all(fd, packed(b"\n".join(lines) + b"\n"))
        flush_to_disk(fd)
    except OSError as error:
        raise not_usable(path, error, writing=True) from error
    finally:
        os.close(fd)
    if new:
        flush_directory(os.path.dirname(path))


def held_in(path: str) -> tuple[TranscriptHead | None, dict[str, str]]:
    """Return a file's session head, and the hash of each turn by id."""
    head: TranscriptHead | None = None
    held: dict[str, str] = {}
    for fields in _records(lines_in(read_file(path), whole=True)):
        if "head" in fields:
            head = _head_from(fields["head"])
        elif fields:
            mark = FORGOTTEN if fields.get(FORGOTTEN) else str(fields.get("hash"))
            held[str(fields.get("id"))] = mark
    if head is not None and FORGOTTEN in held.values():
        head = head._replace(title="")
    return head, held


def subagents_of(session: str, directories: Iterable[str]) -> frozenset[str]:
    """Return the files of a session's subagents, and of theirs.

    Args:
        session: its id, or the beginning of it.
        directories: those of an archive.
    """
    heads = {path: _first_head(path) for each in directories for path in files_in(each)}
    parents = {path: one for path, one in heads.items() if one is not None and one.parent}
    found = {path for path, one in parents.items() if one.parent.startswith(session)}
    while True:
        names = {parents[path].session for path in found}
        new = {path for path, one in parents.items() if one.parent in names} - found
        if not new:
            return frozenset(found)
        found |= new


def _first_head(path: str) -> TranscriptHead | None:
    """Return a file's session head as it was first written; None if it has none."""
    try:
        records = _records(lines_in(read_file(path)))
    except StoreError:
        return None
    return next((_head_from(one["head"]) for one in records if "head" in one), None)


def forgotten_in(path: str) -> frozenset[str]:
    """Return the ids of a session's turns scrubbed by forgetting."""
    _, held = held_in(path)
    return frozenset(ident for ident, mark in held.items() if mark == FORGOTTEN)


def is_damaged(path: str) -> bool:
    """Return whether any part of a file is unreadable."""
    raw = read_file(path)
    return compression.is_damaged(raw) or not all(_records(lines_in(raw)))


def read_session(raw: bytes) -> ArchivedSession | str:
    """Parse a file's bytes; a reason if it contains no session."""
    head: TranscriptHead | None = None
    turns: dict[str, Turn] = {}
    damaged = 0
    forgotten = False
    for fields in _records(lines_in(raw)):
        if not fields:
            damaged += 1
        elif "head" in fields:
            head = _head_from(fields["head"])
        else:
            turn = _turn_from(fields)
            turns[turn.id] = turn
            forgotten = forgotten or bool(fields.get(FORGOTTEN))
    if head is None:
        return "it holds no session that can be read"
    if forgotten:
        head = head._replace(title="")
    # Answers archived before they were left out.
    unkept = OffTheRecord()
    kept = tuple(unkept.kept(turn, 0) for turn in turns.values())
    return ArchivedSession(head, kept, damaged)


def _records(lines: Iterator[bytes]) -> Iterator[dict[str, Any]]:
    for line in lines:
        if line:
            yield object_in(line)


def _kept(role: str, text: str) -> str:
    return without_confidential(text) if role == USER else text


def _turn_from(fields: dict[str, Any]) -> Turn:
    role = str(fields.get("role") or "")
    return Turn(
        role=role,
        # Lines written before this was checked.
        text=_kept(role, str(fields.get("text") or "")),
        at=float(fields.get("at") or 0.0),
        id=str(fields.get("id") or ""),
        tools=tuple(str(call) for call in fields.get("tools") or ()),
        errors=tuple(str(error) for error in fields.get("errors") or ()),
        model=str(fields.get("model") or ""),
        edits=tuple(
            Edit(str(path), unpacked(str(marks)), bool(whole), unpacked(str(gone)), float(at))
            # Lines written before it was kept what is gone, and when.
            for path, marks, whole, gone, at, *_ in (
                (*one, "", 0.0) for one in fields.get("edits") or ()
            )
        ),
        commits=tuple(str(one) for one in fields.get("commits") or ()),
        branch=str(fields.get("branch") or ""),
    )


def _head_from(fields: Any) -> TranscriptHead:
    given = dict_of(fields)
    texts = {name: str(given.get(name) or "") for name in _HEAD if name != "started"}
    started = given.get("started")
    return TranscriptHead(
        str(given.get("client") or ""),
        **texts,
        started=float(started) if isinstance(started, int | float) else 0.0,
    )
