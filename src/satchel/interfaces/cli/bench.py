"""`satchel bench NAME`: run a benchmark from the source checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

from satchel.core.errors import NotFoundError
from satchel.interfaces.cli.arguments import parser_for
from satchel.storage.commands import inherited


def bench(words: Sequence[str]) -> int:
    """Run `python -m benchmarks`, which is not part of the wheel."""
    if not words or words[0].startswith("-"):
        parser = parser_for("bench", "Run a benchmark of the clone that Satchel runs from.")
        parser.add_argument("name", help="`python -m benchmarks` lists them; each takes --help")
        parser.parse_args(words)
    # Not the working directory: a repository's own `benchmarks` must never run.
    clone = os.path.dirname(sys.prefix)
    if not os.path.isfile(os.path.join(clone, "benchmarks", "__main__.py")):
        raise NotFoundError(
            "The benchmarks are not installed.",
            hint="Run `python -m benchmarks` at the top of a clone, after `make try`.",
        )
    return subprocess.run(
        [sys.executable, "-P", "-m", "benchmarks", *words],
        env={**inherited(), "PYTHONPATH": clone},
        check=False,
    ).returncode
