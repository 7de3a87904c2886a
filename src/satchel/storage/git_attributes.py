"""Sets git's union merge for shared ledgers in .gitattributes."""

from __future__ import annotations

import os

from satchel.storage.files import read_file, replace_file
from satchel.storage.paths import archive_of

_ATTRIBUTES = "text eol=lf merge=union"


def keep_attributes(ledger: str) -> None:
    """Write attributes beside the ledger: union merge, line endings unchanged."""
    path, before, after = attributes_beside(ledger)
    if after != before:
        replace_file(path, after, mode=0o644)


def attributes_beside(ledger: str) -> tuple[str, bytes, bytes]:
    """Return the ledger's .gitattributes path, its content, and the wanted content."""
    return merged_by_union(ledger, archive_of(ledger))


def merged_by_union(*files: str) -> tuple[str, bytes, bytes]:
    """Return the same for files of one folder whose lines are independent."""
    path = os.path.join(os.path.dirname(files[0]), ".gitattributes")
    before = read_file(path)
    text = before.decode("utf-8", "surrogateescape")
    wanted = [f"{os.path.basename(name)} {_ATTRIBUTES}" for name in files]
    missing = [line for line in wanted if line not in text.splitlines()]
    if not missing:
        return path, before, before
    joined = text + ("" if not text or text.endswith("\n") else "\n") + "\n".join(missing)
    return path, before, (joined + "\n").encode("utf-8", "surrogateescape")
