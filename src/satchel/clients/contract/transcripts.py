"""Where a client writes its sessions' transcripts, and their reader."""

from __future__ import annotations

from satchel.clients.registry import part
from satchel.core.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from satchel.clients.transcript_format.building import RecordReader
    from satchel.clients.transcript_format.files import TranscriptFile
    from satchel.clients.transcript_format.values import TranscriptHead


class Transcripts(NamedTuple):
    """A client's transcripts.

    Attributes:
        reader: converts its records to turns.
        files: its own directory, a work tree, and a function that reads a transcript's beginning ->
            the files that may be about that work tree.
    """

    reader: type[RecordReader]
    files: Callable[[str, str, Callable[[str], TranscriptHead]], Iterator[TranscriptFile]]


def transcripts_of(client: str) -> Transcripts:
    """Return a client's transcripts and their reader."""
    found: Transcripts = part(client, "transcripts")
    return found
