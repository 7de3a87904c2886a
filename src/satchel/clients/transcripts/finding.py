"""Finds clients' transcripts that may belong to a directory."""

from __future__ import annotations

from collections.abc import Iterator

from satchel.clients.contract.transcripts import transcripts_of
from satchel.clients.transcript_format.files import TranscriptFile
from satchel.clients.transcript_format.lines import lines_from, open_regular
from satchel.clients.transcript_format.values import TranscriptHead
from satchel.clients.transcripts.reading import TranscriptReader
from satchel.core.errors import StoreError

#: How far into a file its directory is looked for.
_LINES_LOOKED_AT, _BYTES_LOOKED_AT = 200, 4 << 20


def transcript_files(client: str, home: str, root: str) -> Iterator[TranscriptFile]:
    """Yield a client's files that may be about `root`; `head_of` tells for certain.

    Args:
        client: one of `registry.ALIASES`.
        home: the client's own directory, `~/.claude` for example.
        root: the work tree.
    """
    return transcripts_of(client).files(home, root, head_of)


def head_of(path: str) -> TranscriptHead:
    """Read the beginning of a transcript until its session's directory is known.

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
