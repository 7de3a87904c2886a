"""Files that a text names, and memories that are anchored to them."""

from __future__ import annotations

import os

from satchel.application.recall.relevance import Relevant
from satchel.application.services import Services
from satchel.core.shapes import list_of
from satchel.engine.search.documents import Filter
from satchel.storage.ledger.record import Record

_IN_NAMES = frozenset("._-/+@~$[]")
_LONGEST_EXTENSION = 5
#: Most files of a prompt to check, memories naming one of them, and memories to return.
_MOST_FILES, _LOOKED_AT, _MOST_ABOUT = 3, 50, 2


def about_named_files(work: Services, prompt: str, *, kinds: tuple[str, ...]) -> list[Relevant]:
    """Return the newest memories that are anchored to the files that a prompt names."""
    found: dict[str, Relevant] = {}
    for name in files_named(prompt)[:_MOST_FILES]:
        # `README.md` means the root's, if there is one.
        whole = os.path.isfile(os.path.join(work.project.place.root, name))
        only = Filter(kinds=kinds, naming=name.rpartition("/")[2])
        for one in work.memories.own.listed(only, _LOOKED_AT):
            path = _anchored_to(one.record, name)
            if path and (path == name or not whole):
                found.setdefault(one.record.identity, Relevant(one.record, one.source, 1.0, path))
    return list(found.values())[:_MOST_ABOUT]


def _anchored_to(record: Record, said: str) -> str:
    """Return the file that a memory is anchored to and whose path ends as said; "" for none."""
    return next((one for one in anchors_of(record) if f"/{one}".endswith(f"/{said}")), "")


def anchors_of(record: Record) -> list[str]:
    """Return the files that a memory is anchored to."""
    anchors = (record.data or {}).get("anchors")
    rows = list_of(anchors)
    return [str(one.get("path") or "") for one in rows if isinstance(one, dict)]


def files_named(text: str) -> list[str]:
    """Return the words of a text that look like names of files, each once."""
    apart = "".join(c if c.isalnum() or c in _IN_NAMES else " " for c in text)
    words = (word.rstrip("./").lstrip("@").removeprefix("./") for word in apart.split())
    return list(dict.fromkeys(word for word in words if _is_file_name(word)))


def _is_file_name(word: str) -> bool:
    stem, dot, extension = word.rpartition("/")[2].rpartition(".")
    if not dot or not 0 < len(extension) <= _LONGEST_EXTENSION or not extension.isalnum():
        return False
    return len(stem) != 1 or len(extension) > 1  # "e.g" and "i.e" are none
