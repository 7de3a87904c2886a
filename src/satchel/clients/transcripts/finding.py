"""Where clients keep their transcripts, and which of them may belong to a directory."""

from __future__ import annotations

import os
from collections.abc import Iterator

from satchel.clients.claude_code.project_key import LONGEST_KEY, project_key
from satchel.clients.transcript_format.lines import lines_from, open_regular
from satchel.clients.transcript_format.values import (
    CLAUDE,
    CODEX,
    COPILOT,
    CURSOR,
    GEMINI,
    TranscriptHead,
)
from satchel.clients.transcripts.reading import TranscriptReader
from satchel.core.errors import StoreError
from satchel.core.hashing import digest
from satchel.core.values import NamedTuple

#: How far into a file its directory is looked for.
_LINES_LOOKED_AT, _BYTES_LOOKED_AT = 200, 4 << 20


class TranscriptFile(NamedTuple):
    """A file that may be a transcript; `cwd` where its place already says it.

    `near` is where another session of the same directory worked: if that is another project,
    this one need not be opened.
    """

    client: str
    path: str
    cwd: str = ""
    near: str = ""


def transcript_files(client: str, home: str, root: str) -> Iterator[TranscriptFile]:
    """Yield the files of a client that may be about `root`; whether they are, `head_of` says.

    Args:
        client: one of `values.CLIENTS`.
        home: the client's own directory, `~/.claude` for example.
        root: the work tree.
    """
    if client == CLAUDE:
        yield from _of_claude(os.path.join(home, "projects"), root)
    elif client == CODEX:
        for folder in ("sessions", "archived_sessions"):
            for path in _below(os.path.join(home, folder)):
                yield TranscriptFile(CODEX, path)
    elif client == COPILOT:
        for path in _below(os.path.join(home, "session-state"), name="events.jsonl"):
            yield TranscriptFile(COPILOT, path)
    elif client == GEMINI:
        yield from _of_gemini(os.path.join(home, "tmp"), root)
    elif client == CURSOR:
        slug = "-".join(part for part in project_key(root).split("-") if part)
        folder = os.path.join(home, "projects", slug, "agent-transcripts")
        for path in _below(folder):
            yield TranscriptFile(CURSOR, path, root)


def _of_claude(projects: str, root: str) -> Iterator[TranscriptFile]:
    """Yield files of directories that are named after `root`, and of those whose sessions are.

    A directory's name cannot be turned back into a path; one file of it says where it was.
    """
    key = project_key(root)[:LONGEST_KEY]
    for name in _names(projects):
        folder = os.path.join(projects, name)
        files = list(_below(folder))
        if name.startswith(key):
            yield from (TranscriptFile(CLAUDE, path) for path in files)
        elif files:
            cwd = next((c for c in (head_of(path).cwd for path in files[:3]) if c), "")
            yield from (TranscriptFile(CLAUDE, path, near=cwd) for path in files if cwd)


def _of_gemini(projects: str, root: str) -> Iterator[TranscriptFile]:
    hashed = digest(root.encode("utf-8", "surrogateescape")).hex()
    for name in _names(projects):
        folder = os.path.join(projects, name)
        cwd = root if name == hashed else ""
        try:
            with open(os.path.join(folder, ".project_root"), encoding="utf-8") as file:
                cwd = cwd or file.read(4096).strip()
        except (OSError, ValueError):
            pass  # older: the name is the hash of the path
        if cwd:
            for path in _below(os.path.join(folder, "chats"), endings=(".jsonl", ".json")):
                yield TranscriptFile(GEMINI, path, cwd)


def head_of(path: str) -> TranscriptHead:
    """Read the beginning of a transcript until it says where its session worked.

    What cannot be read has an empty head.
    """
    try:
        reader = TranscriptReader(path)
        with open_regular(path) as file:
            for number, (offset, raw, complete) in enumerate(lines_from(file)):
                reader.look_at(offset, raw, complete=complete)
                if reader.head.cwd or number > _LINES_LOOKED_AT or offset > _BYTES_LOOKED_AT:
                    break
    except StoreError:
        return TranscriptHead("")
    return reader.head


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _below(folder: str, *, name: str = "", endings: tuple[str, ...] = (".jsonl",)) -> Iterator[str]:
    """Yield files below a folder, in the order of their names; linked folders are left out."""
    for above, folders, files in os.walk(folder):
        folders.sort()
        for one in sorted(files):
            if (one == name if name else one.endswith(endings)) and one != "history.jsonl":
                yield os.path.join(above, one)
