"""The entry point: reads the first word and imports only what that command needs."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import gc
import os
import sys

#: Commands that end before the garbage collector could find anything.
_SHORT = ("hook", "recall", "recall-sh")


def main() -> None:
    """Run this process's command line and exit."""
    if sys.argv[1:2] and sys.argv[1] in _SHORT:
        gc.disable()
    if sys.argv[1:2] == ["hook"]:
        # A client that ends terminates its hooks: from here on, what they were given is kept.
        _signal.signal(_signal.SIGTERM, _signal.SIG_IGN)
    # The parent process may have chosen to ignore interrupts.
    elif _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _interrupted)
    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, AttributeError, ValueError):
        code = code or 0  # nobody listens any more
    # Everything is closed and flushed; shutting down the interpreter would double a short command's
    # time.
    os._exit(code)


def _interrupted(number: int, frame: object) -> None:
    """Exit at once: saved data is safe, and half-loaded libraries must stay silent."""
    del number, frame
    os.write(2, b"interrupted; what was saved is saved\n")
    os._exit(130)


def run(words: list[str]) -> int:
    """Run a command; return its exit code. Hooks bypass the CLI."""
    if words and words[0] == "hook":
        from satchel.interfaces.hooks.entry import run_hook

        return run_hook(words[1:])
    from satchel.interfaces.cli.front import run as run_command

    return run_command(words)


if __name__ == "__main__":
    main()
