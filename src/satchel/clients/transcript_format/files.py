"""Lists possible transcripts below a client's directory."""

from __future__ import annotations

import os

from satchel.core.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class TranscriptFile(NamedTuple):
    """A possible transcript; `cwd` if its path reveals it.

    `near` is where another session in the same directory worked: if that is another project, this
    file need not be opened.
    """

    client: str
    path: str
    cwd: str = ""
    near: str = ""


def files_below(
    folder: str, *, name: str = "", endings: tuple[str, ...] = (".jsonl",)
) -> Iterator[str]:
    """Yield files below a folder, sorted by name, skipping linked folders."""
    for above, folders, files in os.walk(folder):
        folders.sort()
        for one in sorted(files):
            if (one == name if name else one.endswith(endings)) and one != "history.jsonl":
                yield os.path.join(above, one)


def with_parents(directory: str) -> Iterator[str]:
    """Yield a directory and all that contain it, except the root of the file system."""
    while os.path.dirname(directory) != directory:
        yield directory
        directory = os.path.dirname(directory)
