"""A progress bar on standard error if it is a terminal, otherwise nothing."""

from __future__ import annotations

import sys
import time
from typing import Self

_WIDTH = 30
#: Shorter work shows no bar, seconds.
_PATIENCE = 0.4


def report_waiting(seconds: float) -> None:
    """Report that another process holds the lock, and the longest wait."""
    print(f"another process is indexing; waiting for it, at most {seconds:.0f} s", file=sys.stderr)


class ProgressBar:
    """A progress bar; call it after each step."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._shown = False
        self._terminal = sys.stderr.isatty()
        self._began = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` steps are done."""
        if not self._terminal or time.monotonic() - self._began < _PATIENCE:
            return
        filled = _WIDTH * done // max(1, total)
        bar = "#" * filled + "." * (_WIDTH - filled)
        print(f"\r{self._what} [{bar}] {done}/{total}", end="", file=sys.stderr, flush=True)
        self._shown = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            print(file=sys.stderr)
