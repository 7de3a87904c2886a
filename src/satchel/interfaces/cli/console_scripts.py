"""Console scripts with their own names, for users of reflect."""

from __future__ import annotations

import sys

from satchel.interfaces.cli.front import run


def learnings() -> None:
    """Run `learnings ...` as `satchel notes ...`."""
    sys.exit(run(["learnings", *sys.argv[1:]]))


def search_learnings() -> None:
    """Run `search-learnings ...` as `satchel search-learnings ...`."""
    sys.exit(run(["search-learnings", *sys.argv[1:]]))
