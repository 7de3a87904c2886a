"""The command that hooks call: the path of this installation."""

from __future__ import annotations

import os
import shutil
import sys

from satchel.clients.settings_files.hook_entries import forget_not_found, found_command
from satchel.core.errors import ConflictError

#: One of the places where hooks look.
_LINK = "~/.satchel/bin/satchel"


def lay_ready() -> None:
    """Install the command where shared hooks look for it, unless they find one already."""
    forget_not_found()
    if found_command():
        return
    link = os.path.expanduser(_LINK)
    os.makedirs(os.path.dirname(link), mode=0o700, exist_ok=True)
    if os.path.islink(link):
        os.unlink(link)  # it leads to what is gone
    if not os.path.lexists(link):
        os.symlink(own_command(), link)


def own_command() -> str:
    """Return the absolute path of the command that hooks should call."""
    beside = os.path.join(os.path.dirname(sys.executable), "satchel")
    for candidate in (beside, os.path.abspath(sys.argv[0]), shutil.which("satchel") or ""):
        if os.path.basename(candidate) == "satchel" and os.access(candidate, os.X_OK):
            return candidate
    raise ConflictError(
        "The `satchel` command cannot be found beside this Python.",
        hint="Install the package, so that hooks have something to call.",
    )
