"""How git merges the files of lines that a team shares: by union, said in .gitattributes."""

from __future__ import annotations

import os

from satchel.storage.locks import read_file, replace_file

_ATTRIBUTES = "text eol=lf merge=union"


def keep_attributes(ledger: str) -> None:
    """Tell git, beside the ledger, to merge its lines by union and leave line endings alone."""
    path, before, after = attributes_beside(ledger)
    if after != before:
        replace_file(path, after, mode=0o644)


def attributes_beside(ledger: str) -> tuple[str, bytes, bytes]:
    """Return the path of the ledger's .gitattributes, what it holds, and what it should hold."""
    path = os.path.join(os.path.dirname(ledger), ".gitattributes")
    before = read_file(path)
    text = before.decode("utf-8", "surrogateescape")
    wanted = [
        f"{os.path.basename(name)} {_ATTRIBUTES}"
        for name in (ledger, ledger.removesuffix(".jsonl") + ".archive.jsonl")
    ]
    missing = [line for line in wanted if line not in text.splitlines()]
    if not missing:
        return path, before, before
    joined = text + ("" if not text or text.endswith("\n") else "\n") + "\n".join(missing)
    return path, before, (joined + "\n").encode("utf-8", "surrogateescape")
