"""T3: works until it is killed, and says what was saved. Roles: write, hook, rotate, rebuild."""

import itertools
import os
import random
import sys

from reliability.stand import sentence
from reliability.workers.defects import plant
from reliability_kit.oracle import WorkLog, digest
from satchel.core.errors import BusyError, StoreError
from satchel.storage.inbox.events import COMMAND
from satchel.storage.ledger.rotation import rotate
from satchel.workspace import Workspace


def write(workspace: Workspace, token: str, dice: random.Random, log: WorkLog) -> None:
    content = f"{token}: {sentence(dice, dice.randint(3, 200))}"
    log.intend("write", token, digest(content))
    workspace.learn(content)
    log.ack("write", token, digest(content))


def hook(workspace: Workspace, token: str, dice: random.Random, log: WorkLog) -> None:
    """Put an event into the inbox, as a hook does; drain it now and then, as a reader does."""
    content = f"{token}: {sentence(dice, dice.randint(3, 30))}"
    event = {"what": COMMAND, "command": f'satchel learn "{content}"', "session": "s", "cwd": "/"}
    log.intend("write", token, digest(content))
    workspace.project.inbox.append(event, workspace.project.clock.now())
    log.ack("write", token, digest(content))
    if dice.random() < 0.3:
        workspace.refresh()


def turn(workspace: Workspace, token: str, dice: random.Random, log: WorkLog) -> None:
    write(workspace, token, dice, log)
    rotate(workspace.memories.stores.ledgers.private("learned"), above=20, move=10)


def remake(workspace: Workspace, token: str, dice: random.Random, log: WorkLog) -> None:
    write(workspace, token, dice, log)
    if dice.random() < 0.5:
        workspace.rebuild()
    else:
        workspace.refresh()


ROLES = {"write": write, "hook": hook, "rotate": turn, "rebuild": remake}


def main() -> None:
    repo, home, role, name, defect, path = sys.argv[1:]
    plant(defect)
    log = WorkLog(path)
    dice = random.Random(name)
    with Workspace.open(repo, home=home) as workspace:
        os.write(1, b"up\n")
        for n in itertools.count():
            try:
                ROLES[role](workspace, f"tok{name}x{n}", dice, log)
            except (BusyError, StoreError) as error:
                os.write(2, f"{type(error).__name__}: {error}\n".encode())


if __name__ == "__main__":
    main()
