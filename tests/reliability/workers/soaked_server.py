"""`satchel serve`, with what slowly kills a server planted in it, if asked."""

import os
import subprocess
import sys
import threading
import time
from contextlib import AbstractContextManager

from satchel.features.access.users import Identity
from satchel.interfaces.cli.front import run
from satchel.interfaces.http.server.project_pool import PooledProject
from satchel.workspace import Workspace

_HOARD: list[object] = []


def _leak() -> None:
    """Each request leaves memory, a descriptor and a dead child behind; a thread never rests."""
    opened = PooledProject.opened

    def leaking(
        self: PooledProject, who: Identity | None = None
    ) -> AbstractContextManager[Workspace]:
        _HOARD.append(b"x" * 4_000_000)
        _HOARD.append(open(os.devnull, "rb"))  # noqa: SIM115
        _HOARD.append(subprocess.Popen(["true"]))
        return opened(self, who)

    PooledProject.opened = leaking  # type: ignore[method-assign, assignment]
    threading.Thread(target=_never_rest, daemon=True).start()


def _never_rest() -> None:
    while True:
        began = time.monotonic()
        while time.monotonic() - began < 0.02:
            pass
        time.sleep(0.08)


def main() -> None:
    """`soaked_server.py sound|leaking WORDS…`."""
    if sys.argv[1] == "leaking":
        _leak()
    sys.exit(run(["serve", *sys.argv[2:]]))


if __name__ == "__main__":
    main()
