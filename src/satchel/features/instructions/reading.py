"""Reads permitted files: each once per run, cleaned, with its hash."""

from __future__ import annotations

import os

from satchel.clients.contract.instructions import REPOSITORY, USER
from satchel.core.hashing import digest
from satchel.core.trust import clean_text
from satchel.core.values import NamedTuple
from satchel.features.instructions.trust_policy import TrustPolicy
from satchel.storage.safe_open import ELSEWHERE, NO_FILE, is_within, open_text

CHANGED = "changed"
_BOM = b"\xef\xbb\xbf"


class Text(NamedTuple):
    """A file as read: cleaned text, or a word and a sentence on why there is none.

    `first_line` is the line of the file at which `text` begins. `owner` is whose trust applies to
    its own imports. `sha256` is of the bytes on disk.
    """

    path: str
    text: str
    data: bytes
    real: str
    identity: tuple[int, int]
    owner: str
    sha256: str = ""
    refused: str = ""
    told: str = ""
    whole: bool = True
    size: int = 0
    first_line: int = 1


class Reader:
    """Reads a project's files, and caches them.

    Args:
        grounds: decides which files may be read for whom.
        most: bytes of an imported file.
    """

    def __init__(self, grounds: TrustPolicy, most: int) -> None:
        self.grounds = grounds
        self.most = most
        self._read: dict[tuple[str, str, bool], Text] = {}

    def read(self, path: str, owner: str, *, found: bool = False) -> Text:
        """Read a file that `owner`'s files name.

        Args:
            path: absolute.
            owner: of the file that names it, or its own.
            found: whether it was discovered rather than imported: then the beginning of a larger
                file is read.
        """
        key = (path, owner, found)
        known = self._read.get(key)
        if known is None:
            known = self._read[key] = self._reading(path, owner, found=found)
        return known

    def texts(self) -> list[Text]:
        """Return every file that was read, in order of request."""
        return [text for text in self._read.values() if not text.refused]

    def _reading(self, path: str, owner: str, *, found: bool) -> Text:
        opened = open_text(
            path, lambda real: self.grounds.objection(real, owner), most=self.most, head_only=found
        )
        if opened.refused:
            real = os.path.realpath(path) if opened.refused == ELSEWHERE else ""
            refused, told = opened.refused, opened.told
            return Text(
                path, "", b"", real=real, identity=(0, 0), owner=owner, refused=refused, told=told
            )
        if found and not _same_kind(path, opened.real):
            told = "it leads to a file of another kind"
            return Text(
                path, "", b"", real="", identity=(0, 0), owner=owner, refused=NO_FILE, told=told
            )
        sha256 = digest(opened.data).hex()
        if not self.grounds.still_approved(opened.real, owner, sha256):
            told = "it has changed since it was approved"
            return Text(
                path,
                "",
                b"",
                real=opened.real,
                identity=(0, 0),
                owner=owner,
                refused=CHANGED,
                told=told,
            )
        text = clean_text(opened.data.removeprefix(_BOM).decode("utf-8", "replace"))
        inside = owner == USER and is_within(opened.real, self.grounds.root)
        return Text(
            path,
            text,
            opened.data,
            real=opened.real,
            identity=opened.identity,
            # A repository's file does not speak for the person, even if a person's file imports it.
            owner=REPOSITORY if inside and self.grounds.root != self.grounds.home else owner,
            sha256=sha256,
            whole=opened.whole,
            size=opened.size,
        )


def _same_kind(path: str, real: str) -> bool:
    """Return whether a link leads to another instruction file, not to any project file."""
    extension = os.path.splitext(real)[1]
    return extension in (".md", ".mdc") or os.path.basename(real) == os.path.basename(path)
