"""Refreshes the archive before a search, within a second or two."""

from __future__ import annotations

import time

from satchel.core.errors import BusyError, SatchelError
from satchel.project.background import is_due

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from satchel.project.store import ProjectStore

#: Seconds between two looks at what clients wrote, and what one may take.
_EVERY, _SECONDS = 5.0, 1.5


def catch_up(project: ProjectStore, run: Callable[[Callable[[int, int], None]], object]) -> None:
    """Import new content; leave what takes longer to a background process.

    A session's end has it imported; not every client tells of one.

    Args:
        project: whose archive it is.
        run: imports, and is stopped by what it tells its progress to.
    """
    lock = project.state.sessions.lock("archive")
    end = time.monotonic() + _SECONDS

    def bounded(_done: int, _all: int) -> None:
        if time.monotonic() > end:
            raise BusyError("There is more to import.")

    try:
        if project.patient and is_due(f"{lock}-look", _EVERY):
            run(bounded)
    except BusyError:
        if project.settings.flag("embed.background"):
            project.start_in_background("archive", lock, _EVERY)
    except (OSError, SatchelError) as error:
        project.note_fault("sessions", str(error))
