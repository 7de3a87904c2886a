"""A progress bar on a terminal's standard error, and silence everywhere else."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

_WIDTH = 30
#: Work that is over sooner than this shows no bar, seconds.
_PATIENCE = 0.4


def report_waiting(seconds: float) -> None:
    """Say that another process is waited for, and how long at most."""
    print(f"another process is indexing; waiting for it, at most {seconds:.0f} s", file=sys.stderr)


class ProgressBar:
    """Shows how many things of how many are done; call it after each step."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._shown = False
        self._terminal = sys.stderr.isatty()
        self._began = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        """Say that `done` of `total` are done."""
        if not self._terminal or time.monotonic() - self._began < _PATIENCE:
            return
        filled = _WIDTH * done // max(1, total)
        bar = "#" * filled + "." * (_WIDTH - filled)
        print(f"\r{self._what} [{bar}] {done}/{total}", end="", file=sys.stderr, flush=True)
        self._shown = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._shown:
            print(file=sys.stderr)
