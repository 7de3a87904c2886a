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
        reader: makes turns of its records.
        files: its own directory, a work tree, and what reads the beginning of a transcript -> the
            files that may be about that work tree.
    """

    reader: type[RecordReader]
    files: Callable[[str, str, Callable[[str], TranscriptHead]], Iterator[TranscriptFile]]


def transcripts_of(client: str) -> Transcripts:
    """Return a client's transcripts and their reader."""
    found: Transcripts = part(client, "transcripts")
    return found
