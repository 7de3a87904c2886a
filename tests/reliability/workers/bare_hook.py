"""T10's seeded bug: a hook without its last net, so that exceptions reach the agent."""

import sys
import time

from satchel.interfaces.hooks import entry
from satchel.storage.inbox import faults


def main() -> None:
    print(entry._answer(sys.argv[1], time.monotonic(), words=[]), end="")


def _raise(*what: object) -> None:
    raise RuntimeError(what)


if __name__ == "__main__":
    setattr(entry, "_note", _raise)  # noqa: B010 -- on purpose not of its type
    setattr(faults, "note_fault", _raise)  # noqa: B010
    main()
