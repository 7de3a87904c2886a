"""T25: writes to two ledgers in turn until told to stop, and says what was saved when."""

import json
import os
import random
import sys
import time

from reliability.stand import sentence, wait_for_all
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace


def main() -> None:
    repo, home, number, seed, pause, folder = sys.argv[1:]
    dice = random.Random(f"{seed}.{number}")
    mine: list[str] = []
    wait_for_all(folder, number)
    with (
        open(os.path.join(folder, f"{number}.log"), "w", encoding="utf-8") as log,
        Workspace.open(repo, home=home) as workspace,
    ):
        n = 0
        while not os.path.exists(os.path.join(folder, "stop")):
            began = time.time()
            record = _write(workspace, f"w{number}n{n}", n, dice, mine)
            fields = {"began": began, "acked": time.time(), "n": n, "id": record.id}
            fields |= {"rev": record.rev, "ts": record.ts, "hash": record.hash}
            fields |= {"identity": record.identity, "content": record.content}
            log.write(json.dumps(fields | {"deleted": record.deleted_at is not None}) + "\n")
            log.flush()
            n += 1
            time.sleep(float(pause))


def _write(
    workspace: Workspace, token: str, n: int, dice: random.Random, mine: list[str]
) -> Record:
    """Write one thing. Every other one goes to another ledger than the one before."""
    if n % 7 == 6 and mine:
        return workspace.memories.delete(mine.pop(dice.randrange(len(mine))))
    if n % 5 == 4:
        return workspace.remember(f"{token} value", kind="preference", key=token[:2])
    kind = "activity" if n % 2 else "learned"
    record = workspace.remember(f"{token}: {sentence(dice, 8)}", kind=kind)
    mine.append(record.id)
    return record


if __name__ == "__main__":
    main()
