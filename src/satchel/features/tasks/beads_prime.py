"""The output of `bd prime`, if bd keeps this project's tasks. Read-only."""

from __future__ import annotations

import os
import shutil
import subprocess

#: bd's own limit for it, seconds.
_PATIENCE = 10.0
_LONGEST = 32_000
#: Files of a repository that affect bd's output, besides its tasks.
SOURCES = (".beads/PRIME.md", ".beads/config.yaml", ".beads/metadata.json")


def beads_prime(root: str) -> str:
    """Return the output of `bd prime`; "" if bd is missing or fails."""
    program = shutil.which("bd") if os.path.isdir(os.path.join(root, ".beads")) else None
    if program is None:
        return ""
    try:
        done = subprocess.run(
            [program, "prime", "--full"],
            cwd=root,
            capture_output=True,
            timeout=_PATIENCE,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace")[:_LONGEST] if done.returncode == 0 else ""
