"""T1 and T3: adds notes, ingests, searches, evolves, reindexes, and says what was acknowledged."""

import itertools
import json
import os
import random
import sys
import time

from reliability.stand import sentence, wait_for_all
from reliability.workers.defects import plant
from reliability_kit.oracle import WorkLog, digest
from satchel.workspace import Workspace

ROLES = ("add", "ingest", "search", "evolve", "reindex")


class Worker:
    """One process that works on notes and the graph.

    Args:
        workspace: the open project.
        name: names its tokens.
        folder: where its notes are written before they are added.
        log: what it says it did.
    """

    def __init__(self, workspace: Workspace, name: str, folder: str, log: WorkLog) -> None:
        self.workspace, self.name, self.folder, self.log = workspace, name, folder, log
        self.dice = random.Random(name)
        self.mine: list[str] = []
        self.unseen: list[str] = []

    def step(self, role: str, n: int) -> None:
        """Do one thing."""
        if role == "add":
            self._add(f"tok{self.name}x{n}")
        elif role == "ingest":
            self._ingest(f"ing{self.name}x{n}")
        elif role == "search":
            self._search()
        elif role == "evolve":
            with self.workspace.graph as graph:
                graph.evolve(apply=True)
        else:
            with self.workspace.notes as notebook:
                notebook.reindex(force=self.dice.random() < 0.5)

    def _add(self, token: str) -> None:
        title = f"{token} {sentence(self.dice, 3)}"
        path = os.path.join(self.folder, f"{token}.md")
        body = f"`gate_{self.dice.randrange(5)}` requires `pool_{self.dice.randrange(5)}`."
        with open(path, "w", encoding="utf-8") as file:
            file.write(
                f"---\ntitle: {title}\ncategory: patterns\nkey_insight: {title}\n---\n{body}\n"
            )
        self.log.intend("write", token, digest(title))
        with self.workspace.notes as notebook:
            notebook.add(path)
        self.log.ack("write", token, digest(title))
        self.mine.append(token)

    def _ingest(self, token: str) -> None:
        one, other = self.dice.randrange(5), self.dice.randrange(5)
        content = f"{token}: `gate_{one}` uses `pool_{other}`. {sentence(self.dice, 4)}"
        self.log.intend("write", token, digest(content))
        with self.workspace.graph as graph:
            graph.ingest(content)
        self.log.ack("write", token, digest(content))

    def _search(self) -> None:
        token = self.dice.choice(self.mine) if self.mine else "gate"
        with self.workspace.notes as notebook:
            found = notebook.search(token, limit=5)
        if self.mine and not found.busy and not any(token in one.title for one in found.items):
            self.unseen.append(token)


def main() -> None:
    """`crowd` does a number of things and ends; any other mode is one role until it is killed."""
    repo, home, mode, name, count, defect, folder = sys.argv[1:]
    plant(defect)
    log = WorkLog(os.path.join(folder, f"{name}.log"))
    errors: list[str] = []
    latencies: list[float] = []
    if mode == "crowd":
        wait_for_all(folder, name)
    with Workspace.open(repo, home=home) as workspace:
        worker = Worker(workspace, name, folder, log)
        if mode != "crowd":
            os.write(1, b"up\n")
            for n in itertools.count():
                worker.step(mode, n)
        for n in range(int(count)):
            role = worker.dice.choices(ROLES, (35, 35, 20, 8, 2))[0]
            began = time.monotonic()
            try:
                worker.step(role, n)
            except Exception as error:  # noqa: BLE001 -- whatever is shown counts
                errors.append(f"{role}: {type(error).__name__}: {error}")
            latencies.append(time.monotonic() - began)
    with open(os.path.join(folder, f"{name}.json"), "w", encoding="utf-8") as file:
        json.dump({"errors": errors, "latencies": latencies, "unseen": worker.unseen}, file)


if __name__ == "__main__":
    main()
