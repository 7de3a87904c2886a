"""T1: remembers, updates, deletes and recalls through one workspace, and says what was saved."""

import json
import os
import random
import sys
import time

from reliability.stand import sentence, wait_for_all
from reliability.workers.defects import plant
from reliability_kit.oracle import WorkLog, digest
from satchel.core.errors import SatchelError
from satchel.workspace import Workspace


class Worker:
    """One process of the crowd."""

    def __init__(self, workspace: Workspace, number: int, seed: int, log: WorkLog) -> None:
        self.workspace, self.number, self.log = workspace, number, log
        self.dice = random.Random(f"{seed}.{number}")
        self.mine: dict[str, str] = {}  # token -> id
        self.unseen: list[str] = []

    def step(self, n: int) -> None:
        kind = self.dice.choices(("learn", "prefer", "delete", "recall"), (50, 20, 10, 20))[0]
        if kind == "prefer":
            self._prefer(n)
        elif kind == "delete" and self.mine:
            self._delete()
        elif kind == "recall" and self.mine:
            self._recall()
        else:
            self._learn(n)

    def _learn(self, n: int) -> None:
        token = f"tok{self.number}x{n}"
        content = f"{token}: {sentence(self.dice, self.dice.randint(3, 60))}"
        self.log.intend("write", token, digest(content))
        record = self.workspace.remember(content, kind="learned")
        self.log.ack("write", token, digest(content))
        self.mine[token] = record.id

    def _prefer(self, n: int) -> None:
        key = f"pref{self.number}x{self.dice.randrange(3)}"
        content = f"{key}: value {n} {sentence(self.dice, 4)}"
        self.log.intend("write", key, digest(content))
        self.workspace.remember(content, kind="preference", key=key)
        self.log.ack("write", key, digest(content))

    def _delete(self) -> None:
        token = self.dice.choice(sorted(self.mine))
        self.log.intend("delete", token)
        self.workspace.memories.delete(self.mine.pop(token))
        self.log.ack("delete", token)

    def _recall(self) -> None:
        token = self.dice.choice(sorted(self.mine))
        answer = self.workspace.recall(token, limit=5)
        if not any(token in found.record.content for found in answer.items):
            self.unseen.append(token)


def main() -> None:
    repo, home, number, count, seed, defect, folder = sys.argv[1:]
    plant(defect)
    log = WorkLog(os.path.join(folder, f"{number}.log"))
    errors: list[str] = []
    latencies: list[float] = []
    wait_for_all(folder, number)
    with Workspace.open(repo, home=home) as workspace:
        worker = Worker(workspace, int(number), int(seed), log)
        for n in range(int(count)):
            began = time.monotonic()
            try:
                worker.step(n)
            except SatchelError as error:
                errors.append(f"{type(error).__name__}: {error}")
            latencies.append(time.monotonic() - began)
    with open(os.path.join(folder, f"{number}.json"), "w", encoding="utf-8") as file:
        json.dump({"errors": errors, "latencies": latencies, "unseen": worker.unseen}, file)


if __name__ == "__main__":
    main()
