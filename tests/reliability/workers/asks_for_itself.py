"""A hook that never asks whether another has started the same; what it starts stays a while."""

import subprocess
import sys

from satchel.__main__ import main
from satchel.project import background


def _start(step: str, root: str, home: str, lock: str) -> None:
    lasting = "import time; time.sleep(1)"
    subprocess.Popen([sys.executable, "-c", lasting, root, home, "upkeep", step])


if __name__ == "__main__":
    background.is_due = lambda lock, every: True  # noqa: ARG005
    background.start = _start
    main()
