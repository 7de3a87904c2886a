"""Runs the few tests that have just failed once more, one after the other.

A neighbour on the machine can hold a browser or a server up for longer than a test waits. What is wrong
fails twice. What passes only now is named: it depends on time, and belongs mended.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

MOST = 5


def main() -> int:
    """Return what the tests say when they run alone."""
    known = json.loads(Path(__file__).parents[1].joinpath(".venv/failed.json").read_text())
    failed = [re.sub(r"@[\w.-]+$", "", test) for test in known]  # without its group of workers
    if not 0 < len(failed) <= MOST:
        print(f"{len(failed)} tests failed: too many to be held up by chance.")
        return 1
    print("Failed beside others, run again alone:", *failed, sep="\n", flush=True)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "0", *failed], check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
