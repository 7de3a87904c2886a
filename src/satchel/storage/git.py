"""Running git and bd for a gate: never without a limit, never longer than the gate has."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import NamedTuple

from satchel.core.errors import SatchelError

#: Set by git around its own hooks; they would send our questions to another repository.
_MISLEADING = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX")
_UNATTENDED = {
    "LC_ALL": "C.UTF-8",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
}


class CheckFailedError(SatchelError):
    """The check itself could not be made, which is nobody's unfinished work."""


class Done(NamedTuple):
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str


class Allowance:
    """The seconds that all commands of one gate may take together.

    Args:
        total: for all of them.
        each: for any one.
    """

    def __init__(self, total: float, each: float) -> None:
        self._end = time.monotonic() + total
        self._each = each

    def seconds(self) -> float:
        """Return what the next command may take."""
        return max(0.0, min(self._each, self._end - time.monotonic()))


def run(words: Sequence[str], cwd: str, seconds: float, **environment: str) -> Done:
    """Run a command to its end. Raises `CheckFailedError` where there is none within `seconds`."""
    name = " ".join(words[:2])
    if seconds <= 0:
        raise CheckFailedError(f"{name}: no time was left")
    inherited = {k: v for k, v in os.environ.items() if k not in _MISLEADING}
    try:
        process = subprocess.Popen(
            list(words),
            cwd=cwd,
            env={**_UNATTENDED, **inherited, "GIT_TERMINAL_PROMPT": "0", **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise CheckFailedError(f"{name}: {error.strerror}") from None
    with process:
        try:
            out, err = process.communicate(timeout=seconds)
        except BaseException as error:
            # The whole group: what git started (ssh, a credential helper) would hold the pipes.
            os.killpg(process.pid, signal.SIGKILL)
            if isinstance(error, subprocess.TimeoutExpired):
                raise CheckFailedError(f"{name}: no answer within {seconds:.0f} s") from None
            raise
    return Done(
        process.returncode, out.decode("utf-8", "surrogateescape"), err.decode("utf-8", "replace")
    )
