"""T5: one chore of a reader, to be failed call by call: drain, rotate or share.

python -m reliability.workers.chores CHORE REPO HOME DEFECT
"""

import sys

from reliability.workers.defects import plant
from satchel.application.exchange import sharing
from satchel.core.errors import BusyError, SatchelError
from satchel.storage.ledger.rotation import rotate
from satchel.workspace import Workspace


def main() -> int:
    chore, repo, home, defect = sys.argv[1:]
    plant(defect)
    try:
        with Workspace.open(repo, home=home) as workspace:
            if chore == "drain":
                workspace.listening.drain(60)
            elif chore == "rotate":
                rotate(workspace.memories.stores.ledgers.private("learned"), above=4, move=4)
            elif chore == "learn":
                workspace.learn("tok0x50: saved while the disk was failing")
            else:
                workspace.refresh()
                memories = workspace.memories
                waiting = sharing.shareable_records(memories.own, ("learned",))
                written = sharing.share(memories.own, waiting)
                print(len(written))
    except (SatchelError, BusyError) as error:
        print(f"satchel: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
