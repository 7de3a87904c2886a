"""The front door: reads the first word and imports only what that command needs."""

from __future__ import annotations

import sys


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return its exit code. `satchel hook` never gets as far as the CLI."""
    words = sys.argv[1:] if arguments is None else arguments
    if words and words[0] == "hook":
        from satchel.faces.hooks.entry import run_hook

        return run_hook(words[1:])
    from satchel.faces.cli.front import run

    return run(words)


if __name__ == "__main__":
    sys.exit(main())
