"""Send long output on a terminal through the user's pager, as git does."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import TextIO

from satchel.storage.settings.environment import pager

#: Commands that only show something, and never ask.
_SHOW = frozenset({"recall", "why", "log", "why-injected", "search-learnings", "pack", "prime"})
_SHOW |= {"research", "bd", "stats", "quarantine"}
#: Actions of other commands that only show something.
_ACTIONS = frozenset({"list", "show", "search", "history", "facts", "map", "replay", "ready"})
#: Lines that the prompt takes.
_PROMPT = 1


@contextlib.contextmanager
def paged(command: str, words: Sequence[str]) -> Iterator[None]:
    """Send output through the pager if it is longer than the screen."""
    shows = command in _SHOW or bool(words[:1] and words[0] in _ACTIONS)
    if not (shows and sys.stdin.isatty() and sys.stdout.isatty()):
        yield
        return
    terminal = sys.stdout
    sys.stdout = answer = _Paged(terminal)
    try:
        yield
    finally:
        sys.stdout = terminal
        answer.end()


class _Paged(io.TextIOBase):
    """Buffers one screenful of output; anything longer goes to a pager."""

    def __init__(self, terminal: TextIO) -> None:
        self._terminal = terminal
        self._held: list[str] = []
        self._room = os.get_terminal_size(self.fileno()).lines - _PROMPT
        self._pager: subprocess.Popen[str] | None = None

    def fileno(self) -> int:
        """Return the terminal's descriptor, which callers use to get its width."""
        return self._terminal.fileno()

    def isatty(self) -> bool:
        """Return true: a person reads this."""
        return True

    def write(self, text: str) -> int:
        """Buffer the text, or pass it to the pager."""
        self._held.append(text)
        self._room -= text.count("\n")
        if self._room < 0:
            self._hand_over()
        return len(text)

    def end(self) -> None:
        """Print buffered output, or wait for the pager to exit."""
        if self._pager is None:
            self._terminal.write("".join(self._held))
            self._terminal.flush()
            return
        with contextlib.suppress(BrokenPipeError):
            self._pager.communicate()

    def _hand_over(self) -> None:
        if self._pager is None:
            self._pager = _started()
            if self._pager is None:
                self._room = sys.maxsize
                return
            # From here on interrupts go to the pager.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        told, self._held = "".join(self._held), []
        stdin = self._pager.stdin
        if stdin is not None:
            stdin.write(told)


def _started() -> subprocess.Popen[str] | None:
    command, environment = pager()
    if not command:
        return None
    try:
        return subprocess.Popen(command, stdin=subprocess.PIPE, text=True, env=environment)
    except OSError:
        return None
