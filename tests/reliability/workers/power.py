"""T4: one story for each store, told under the tracing shim; a line in an .ack file is a promise.

python -m reliability.workers.power SCENARIO DIRECTORY DEFECT
"""

import os
import random
import sys
from collections.abc import Callable, Iterator

from reliability.stand import sentence
from reliability.workers.defects import plant
from reliability_kit.oracle import digest
from satchel.application.exchange import sharing
from satchel.application.learning.listening.draining import Drainer
from satchel.core.clock import Clock
from satchel.engine.search.index import Index
from satchel.engine.search.records import parse_line
from satchel.features.injections.injection_ledger import InjectionLedger
from satchel.features.memories.ledgers import Ledgers
from satchel.features.memories.service import Limits, Memories
from satchel.project.derived_store import open_database
from satchel.storage.files import replace_file
from satchel.storage.inbox.events import COMMAND
from satchel.storage.inbox.spool import Inbox
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.quarantine import Quarantine
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.rotation import rotate
from satchel.storage.locks import FileLock
from satchel.storage.paths import PrivateState

COUNT = 24
#: Sizes on both sides of a sector and of a page.
_SIZES = (8, 60, 90, 400, 900)

Ack = Callable[[int], None]


def content_of(n: int) -> str:
    """The n-th content, the same in every process."""
    return f"tok0x{n}: {sentence(random.Random(n), _SIZES[n % len(_SIZES)])}"


def body_of(n: int) -> bytes:
    """The n-th content of a file that is replaced."""
    return (content_of(n) + "\n").encode() * (1 + n % 4)


def memories_of(directory: str, *, tracked: bool = False) -> Memories:
    """The stores below a directory, without a project around them."""
    state = PrivateState(os.path.join(directory, "state"))
    path = os.path.join(directory, "tree", ".satchel", "knowledge.jsonl") if tracked else ""
    ledgers = Ledgers(state, path, clock=Clock())
    index = Index(open_database(state.index), parse_line)
    return Memories(ledgers, index, Clock(), Limits())


def ledger_of(directory: str) -> Ledger:
    """The private ledger below a directory."""
    state = PrivateState(os.path.join(directory, "state"))
    return Ledger(state.ledger("knowledge"), state.lock("knowledge"), clock=Clock())


def inbox_of(directory: str) -> Inbox:
    """The inbox below a directory."""
    return Inbox(PrivateState(os.path.join(directory, "state")).inbox)


def drainer_of(directory: str) -> Drainer:
    """What drains that inbox."""
    state = PrivateState(os.path.join(directory, "state"))
    injections = Ledger(state.ledger("injections"), state.lock("injections"), clock=Clock())
    return Drainer(
        inbox_of(directory),
        memories_of(directory),
        InjectionLedger(injections),
        Quarantine(state.quarantine),
        state.faults,
    )


def records() -> Iterator[tuple[int, Record]]:
    """Every record of a story."""
    for n in range(COUNT):
        yield n, Record(kind="learned", content=content_of(n), key=f"k{n}")


def append(directory: str, ack: Ack) -> None:
    ledger = ledger_of(directory)
    for n, record in records():
        ledger.append([record])
        ack(n)


def rotation(directory: str, ack: Ack) -> None:
    ledger = ledger_of(directory)
    for n, record in records():
        ledger.append([record])
        ack(n)
        if n % 3 == 2:
            rotate(ledger, above=5, move=3)


def event_of(n: int) -> dict[str, str]:
    """The event that teaches the n-th content."""
    command = f'satchel learn "{content_of(n)}"'
    return {"what": COMMAND, "command": command, "session": "s", "cwd": "/nonexistent"}


def inbox(directory: str, ack: Ack) -> None:
    """Events, some of them beside a lock that somebody holds, and a drain now and then."""
    spool = inbox_of(directory)
    drainer = drainer_of(directory)
    for n in range(COUNT):
        busy = FileLock(os.path.join(spool.directory, "lock"), timeout=1)
        if n % 4 == 3:
            assert busy.acquire()
        spool.append(event_of(n), Clock().now())
        busy.release()
        ack(n)
        if n % 7 == 6:
            drainer.drain(60)


def share(directory: str, ack: Ack) -> None:
    """What was learnt goes into the ledger that git tracks, two at a time."""
    memories = memories_of(directory, tracked=True)
    for n, record in records():
        memories.append([record])
        if n % 2:
            memories.index.catch_up(memories.sources)
            waiting = sharing.shareable_records(memories, ("learned",))
            sharing.share(memories, waiting)
            ack(n - 1)
            ack(n)


def replace(directory: str, ack: Ack) -> None:
    for n in range(COUNT):
        replace_file(os.path.join(directory, "state", "settings.json"), body_of(n))
        ack(n)


SCENARIOS: dict[str, Callable[[str, Ack], None]] = {
    "append": append,
    "rotation": rotation,
    "inbox": inbox,
    "share": share,
    "replace": replace,
}


def _silent(n: int) -> None:
    """Say nothing: the promise was made before."""


def main() -> None:
    scenario, directory, defect = sys.argv[1:]
    plant(defect)
    early = defect == "ack_first"
    promises = os.open(directory + ".ack", os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def promise(n: int) -> None:
        body = body_of(n) if scenario == "replace" else content_of(n)
        os.write(promises, f"{n} {digest(body)}\n".encode())

    if early:
        for n in range(COUNT):
            promise(n)
    SCENARIOS[scenario](directory, _silent if early else promise)


if __name__ == "__main__":
    main()
