"""Open a text in the user's editor."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence

from satchel.core.errors import NotFoundError
from satchel.storage.settings.environment import editor

#: The editor if none is set.
_USUAL = ("vi",)


def edited(text: str, name: str) -> str:
    """Return a text as edited in the user's editor.

    Args:
        name: the name of the temporary file.

    Raises:
        NotFoundError: the editor could not be started.
    """
    with tempfile.TemporaryDirectory(prefix="satchel-") as place:
        path = os.path.join(place, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        open_editor(editor() or _USUAL, path)
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()


def open_editor(words: Sequence[str], path: str) -> int:
    """Open a file in an editor; return its exit code.

    Raises:
        NotFoundError: the editor could not be started.
    """
    try:
        return subprocess.run([*words, path], check=False).returncode
    except OSError as error:
        raise NotFoundError(
            f"The editor `{words[0]}` could not be started: {os.strerror(error.errno or 0)}.",
            hint="Set EDITOR to one that is installed.",
        ) from None
