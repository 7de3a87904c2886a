"""Runs other programs, always with a time limit, and ends the whole process group."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from satchel.core.errors import SatchelError
from satchel.storage.platforms import end_group

#: Set by git around its own hooks; they would redirect our queries to another repository.
_MISLEADING = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX")


class CheckFailedError(SatchelError):
    """The program could not be run, or did not finish in time."""


class NoProgramError(CheckFailedError):
    """There is no such program."""


class CommandResult(NamedTuple):
    """A program's exit code and output."""

    code: int
    data: bytes
    err: str

    @property
    def out(self) -> str:
        """Return its standard output as text that encodes to the same bytes."""
        return self.data.decode("utf-8", "surrogateescape")


def inherited() -> dict[str, str]:
    """Return the environment for child processes."""
    return {name: value for name, value in os.environ.items() if name not in _MISLEADING}


def run(
    words: Sequence[str],
    cwd: str,
    seconds: float,
    *,
    environment: Mapping[str, str] | None = None,
    stdin: bytes | None = None,
    own_session: bool = True,
    **more: str,
) -> CommandResult:
    """Run a program. Raises `CheckFailedError` if it takes longer than `seconds`.

    Args:
        seconds: the time limit.
        environment: its whole environment; defaults to `inherited()`.
        stdin: its input; empty by default.
        own_session: give it no terminal, and end everything it starts with it.
        more: variables to add to its environment.
    """
    name = " ".join(words[:2])
    if seconds <= 0:
        raise CheckFailedError(f"{name}: no time was left")
    try:
        process = subprocess.Popen(
            list(words),
            cwd=cwd,
            env={**(inherited() if environment is None else environment), **more},
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=own_session,
        )
    except FileNotFoundError as error:
        # A missing directory raises the same error.
        kind = NoProgramError if error.filename == words[0] else CheckFailedError
        raise kind(f"{name}: {error.strerror}") from None
    except OSError as error:
        raise CheckFailedError(f"{name}: {error.strerror}") from None
    with process:
        try:
            out, err = process.communicate(stdin, timeout=seconds)
        except BaseException as error:
            _end(process, with_group=own_session)
            if isinstance(error, subprocess.TimeoutExpired):
                raise CheckFailedError(f"{name}: no answer within {seconds:.0f} s") from None
            raise
    return CommandResult(process.returncode, out, err.decode("utf-8", "replace"))


def _end(process: subprocess.Popen[bytes], *, with_group: bool) -> None:
    # The whole group: its children (ssh, a credential helper) would keep the pipes open.
    if with_group:
        end_group(process.pid)
    else:
        process.kill()
