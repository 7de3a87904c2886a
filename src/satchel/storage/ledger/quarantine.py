"""Keeps unparsable lines with the reason, verbatim but for secrets in them.

They also stay in their ledger.
"""

from __future__ import annotations

import os

from satchel.core import quick_json
from satchel.core.hashing import digest
from satchel.storage.files import read_file, replace_file
from satchel.storage.ledger.file import append_durably
from satchel.storage.locks import FileLock


class Quarantine:
    """A directory of damaged lines: one file each, named by hash, and a log."""

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self.log = os.path.join(directory, "log.jsonl")

    def keep(self, source: str, raw: bytes, reason: str, ts: int) -> None:
        """Keep a damaged line. Idempotent."""
        name = digest(raw).hex()[:32]
        path = os.path.join(self.directory, name + ".raw")
        if os.path.exists(path):
            return
        replace_file(path, _without_secrets(raw))
        entry = {"file": name + ".raw", "source": source, "reason": reason, "ts": ts}
        with FileLock(os.path.join(self.directory, "log.lock")):
            append_durably(self.log, quick_json.canonical(entry).encode() + b"\n")

    def entries(self) -> list[dict[str, str]]:
        """Return the quarantined lines: file, source, reason, ts."""
        found = []
        for line in read_file(self.log).splitlines():
            try:
                found.append(quick_json.loads(line.decode()))
            except ValueError:
                continue
        return found


def _without_secrets(raw: bytes) -> bytes:
    """Return a line as it is, without secrets: it may come from another program's file."""
    from satchel.core.redaction.redactor import redact

    # Every byte is one character, so that damaged bytes stay as they are.
    return redact(raw.decode("latin-1"))[0].encode("latin-1")
