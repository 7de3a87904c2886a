"""A little code in a repository, and how tests of the map edit and ask it."""

import os
from pathlib import Path

from satchel.features.code.service import Code
from satchel.testing import run_git
from satchel.workspace import Workspace

SEA = "class Walrus:\n    def swim(self):\n        return dive()\n"
DIVE = "def dive():\n    return 1\n"


def write(workspace: Workspace, path: str, text: str | bytes) -> None:
    whole = Path(workspace.project.place.root, path)
    whole.parent.mkdir(parents=True, exist_ok=True)
    whole.write_bytes(text if isinstance(text, bytes) else text.encode())
    # A file's time in the past: what was written is settled, and the next edit has another.
    stamp = whole.stat().st_mtime_ns - 10_000_000_000
    os.utime(whole, ns=(stamp, stamp))


def commit(workspace: Workspace, message: str) -> str:
    run_git(workspace.project.place.root, "add", "--all")
    run_git(workspace.project.place.root, "commit", "--quiet", "--message", message)
    return run_git(workspace.project.place.root, "rev-parse", "HEAD").strip()


def names(code: Code, text: str) -> list[str]:
    return [one.path for one in code.rank(text)]
