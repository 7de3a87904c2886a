"""Records errors that hooks swallow, for `satchel doctor`."""

from __future__ import annotations

import os

from satchel.core import quick_json
from satchel.core.errors import SatchelError
from satchel.storage.files import SETTINGS_SIZE, open_private, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Problems that this process worked around: a command reports them at its end.
worked_around: list[str] = []
_MOST_TOLD = 20
_MOST_BYTES = 256 * 1024
_LONGEST = 300


def note_fault(path: str, where: str, what: str, now: float) -> None:
    """Append an error. Never raises: it is the last resort of code that must not fail."""
    try:
        from satchel.core.redaction.redactor import redact

        what, where = redact(what)[0], redact(where)[0]
        line = quick_json.dumps({"ts": int(now), "where": where, "what": what[:_LONGEST]})
        fd = open_private(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            if os.fstat(fd).st_size < _MOST_BYTES:
                os.write(fd, line.encode("utf-8", "replace") + b"\n")
        finally:
            os.close(fd)
    except (OSError, SatchelError, ValueError, TypeError):
        return


def work_around(path: str, where: str, what: str, now: float) -> None:
    """Record an error that affects this process's answer, to be shown with it."""
    tell(what)
    note_fault(path, where, what, now)


def tell(what: str) -> None:
    """Show this with the answer of this process."""
    if what not in worked_around and len(worked_around) < _MOST_TOLD:
        worked_around.append(what)


def faults(path: str) -> list[dict[str, Any]]:
    """Return every recorded error, oldest first."""
    found = []
    try:
        data = read_file(path, most=SETTINGS_SIZE)
    except SatchelError:
        return []
    for line in data.split(b"\n"):
        try:
            value = quick_json.loads(line.decode("utf-8", "replace"))
        except ValueError:
            continue
        if isinstance(value, dict):
            found.append(value)
    return found
