"""The unit and integration tests on every Python of this machine, on the built wheel.

`make pythons`; words that follow `ARGS=` go to pytest. Each Python gets an environment below
`.venv/pythons`, installed from the dev lock by hash, and the model that `.venv` has. It fetches.
"""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from installation.locks import DEV, ROOT
from installation.pythons import Python, fetch, found
from installation.wheels import Fresh, build

PLACE = Path(ROOT, ".venv", "pythons")
USUAL = ("tests/unit", "tests/integration", "tests/acceptance")


def made(python: Python, wheels: Path, satchel: Path) -> Fresh:
    """Make the environment of one Python again."""
    folder = PLACE / python.name
    shutil.rmtree(folder, ignore_errors=True)
    fresh = Fresh(folder, python)
    fetch(os.path.join(ROOT, DEV), str(wheels), [python])
    fresh.install(os.path.join(ROOT, DEV), wheels=str(wheels))
    built = glob.glob(os.path.join(ROOT, ".venv", "models", "*.whl"))
    fresh.pip("install", "--quiet", "--no-deps", "--no-index", str(satchel), *built)
    return fresh


def main(words: list[str]) -> int:
    """Test with each Python; return how many of them failed."""
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        satchel = build(Path(name, "satchel"), "-t", "wheel")
        for python in found():
            fresh = made(python, Path(name, "wheels"), satchel)
            print(f"\nPython {python.name}", flush=True)
            done = subprocess.run(
                [fresh.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2",
                 "--dist", "loadgroup", *(words or USUAL)],
                cwd=ROOT, check=False,
            )  # fmt: skip
            failed += done.returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
