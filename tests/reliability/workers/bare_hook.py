"""T10's seeded bug: a hook without its last net, so that exceptions reach the agent."""

import sys
import time

from satchel.interfaces.hooks import entry


def main() -> None:
    print(entry._answer(sys.argv[1], time.monotonic(), words=[]), end="")


def _raise(*what: object) -> None:
    raise RuntimeError(what)


if __name__ == "__main__":
    for name in ("_note", "note_fault"):
        setattr(entry, name, _raise)
    main()
