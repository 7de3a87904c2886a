"""Which command hooks should call: this very installation."""

from __future__ import annotations

import os
import shutil
import sys

from satchel.core.errors import ConflictError


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
