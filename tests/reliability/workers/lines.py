"""T2: appends lines of many sizes to one ledger; or rotates it; or reads it all the time."""

import glob
import json
import os
import random
import sys

from reliability.stand import sentence, wait_for_all
from reliability.workers.defects import plant
from reliability_kit.oracle import WorkLog, digest, read_logs
from satchel.core.clock import Clock
from satchel.core.errors import NotWritableError
from satchel.storage.ledger import rotation
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.record import Record


def append(ledger: Ledger, folder: str, number: str, count: int, sizes: tuple[int, int]) -> None:
    log = WorkLog(os.path.join(folder, f"{number}.log"))
    dice = random.Random(f"lines.{number}")
    text = sentence(dice, 400_000 if sizes[1] > 1_000_000 else 20_000)
    low, high = sizes
    wait_for_all(folder, number)
    for n in range(count):
        size = int(low * (high / low) ** dice.random())
        at = dice.randrange(max(1, len(text) - size))
        content = f"tok{number}x{n} " + text[at : at + size].strip()
        log.intend("write", f"tok{number}x{n}", digest(content))
        ledger.append([Record(kind="learned", content=content, key=f"k{number}x{n}")])
        log.ack("write", f"tok{number}x{n}", digest(content))


def keep_rotating(ledger: Ledger, folder: str, number: str, above: int, move: int) -> None:
    wait_for_all(folder, number)
    moved = 0
    while not os.path.exists(os.path.join(folder, "stop")):
        done = rotation.rotate(ledger, above=above, move=move)
        moved += done.moved
    with open(os.path.join(folder, f"{number}.json"), "w", encoding="utf-8") as file:
        json.dump({"moved": moved}, file)


def read(ledger: Ledger, folder: str, number: str) -> None:
    """Read all the time: nothing that was acknowledged before a read may be missing from it."""
    wait_for_all(folder, number)
    reads, missing = 0, []
    while not os.path.exists(os.path.join(folder, "stop")):
        acked = {e.id for e in read_logs(glob.glob(os.path.join(folder, "*.log"))) if e.acked}
        contents = [line.record.content for line in ledger.read() if line.record]
        missing += sorted(acked - {content.split(" ", 1)[0] for content in contents})
        reads += 1
    with open(os.path.join(folder, f"{number}.json"), "w", encoding="utf-8") as file:
        json.dump({"reads": reads, "missing": missing}, file)


def main() -> None:
    role, path, folder, number, defect, *figures = sys.argv[1:]
    plant(defect)
    ledger = Ledger(path, os.path.join(folder, "ledger.lock"), clock=Clock())
    numbers = [int(figure) for figure in figures]
    if role == "append":
        try:
            append(ledger, folder, number, numbers[0], (numbers[1], numbers[2]))
        except NotWritableError:
            if not defect:
                raise
            # Without a lock a rotation may replace the file under every try: the bug shows so too.
            with open(os.path.join(folder, f"{number}.refused"), "w", encoding="utf-8"):
                pass
    elif role == "rotate":
        keep_rotating(ledger, folder, number, numbers[0], numbers[1])
    else:
        read(ledger, folder, number)


if __name__ == "__main__":
    main()
