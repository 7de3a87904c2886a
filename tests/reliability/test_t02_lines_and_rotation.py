"""T2: many processes append to one ledger while it is rotated and read."""

import glob
import json
import os
import subprocess
import sys
from typing import Any, NamedTuple

import pytest

from reliability.stand import Stand, finish, say, scale, start_together
from reliability_kit.oracle import Verdict, check, digest, read_logs
from satchel.core.clock import FixedClock
from satchel.engine.search.documents import Filter
from satchel.storage.ledger import rotation
from satchel.storage.ledger.file import Ledger

pytestmark = pytest.mark.torture
_STORMS = 12


class Outcome(NamedTuple):
    verdict: Verdict
    unread: list[str]
    reads: int
    moved: int
    torn: int
    refused: int


def storm(
    stand: Stand, writers: int, count: int, sizes: tuple[int, int], *, defect: str = "",
    above: int = 200, move: int = 100,
) -> Outcome:  # fmt: skip
    folder = stand.path("storm")
    os.mkdir(folder)
    path = os.path.join(folder, "knowledge.jsonl")

    def start(role: str, number: int, *figures: int) -> subprocess.Popen[bytes]:
        return stand.start("lines", role, path, folder, number, defect, *figures)

    crowd = [start("append", number, count, *sizes) for number in range(writers)]
    others = [start("rotate", 90, above, move), start("read", 91)]
    start_together(folder, [*crowd, *others])
    try:
        finish(crowd)
    finally:
        with open(os.path.join(folder, "stop"), "w", encoding="utf-8"):
            pass
        finish(others)
    told: dict[str, Any] = {}
    for one in sorted(glob.glob(os.path.join(folder, "9*.json"))):
        with open(one, encoding="utf-8") as file:
            for name, value in json.load(file).items():
                told[name] = told[name] + value if name in told else value
    lines = Ledger(path, path + ".lock", clock=FixedClock()).read()
    present = [(r.content.split(" ", 1)[0], digest(r.content)) for r in records_once(lines)]
    logged = read_logs(glob.glob(os.path.join(folder, "*.log")))
    torn = sum(line.record is None or line.record.edited for line in lines)
    refused = len(glob.glob(os.path.join(folder, "*.refused")))
    verdict = check(logged, present)
    return Outcome(verdict, told["missing"], told["reads"], told["moved"], torn, refused)


def records_once(lines: list[Any]) -> list[Any]:
    """One line in ledger and archive, by a rotation caught half-way, is one line."""
    return list({line.raw: line.record for line in lines if line.record}.values())


def test_no_line_is_lost_or_torn_while_the_ledger_rotates(tmp_path: os.PathLike[str]) -> None:
    stand = Stand(os.fspath(tmp_path))
    writers, count = scale(8, 16), scale(60, 1000)
    done = storm(stand, writers, count, (200, 100_000))
    assert done.verdict.ok, done.verdict.describe()
    assert done.torn == 0
    assert done.unread == [], "acknowledged before a read began, and missing from it"
    assert done.moved > 0
    assert done.reads > 0
    say("T2", writers * count, f"{writers} x {count} lines of 200 B to 100 KB, {done.moved} moved "
        f"by rotation meanwhile, {done.reads} whole reads, 0 lost, 0 torn, 0 missed")  # fmt: skip


def test_lines_of_two_megabytes_are_whole(tmp_path: os.PathLike[str]) -> None:
    writers, count = scale(4, 8), scale(2, 40)
    sizes = (1_900_000, 2_000_000)
    done = storm(Stand(os.fspath(tmp_path)), writers, count, sizes, above=4, move=2)
    assert done.verdict.ok, done.verdict.describe()
    assert done.torn == 0
    assert done.unread == []
    say("T2 large", writers * count, f"{writers} x {count} lines of 2 MB, 0 lost, 0 torn")


@pytest.mark.parametrize("defect", ["two_writes", "read_modify_replace", "unlocked_rotation"])
def test_a_bug_in_writing_is_caught(tmp_path: os.PathLike[str], defect: str) -> None:
    # Which process is interrupted where is chance: a few storms, and one of them must show it.
    for attempt in range(_STORMS):
        stand = Stand(os.path.join(tmp_path, str(attempt)))
        done = storm(stand, 6, 80, (200, 20_000), defect=defect, above=60, move=30)
        if not done.verdict.ok or done.torn or done.unread or done.refused:
            return
    pytest.fail(f"{defect} was not caught in {_STORMS} storms")


@pytest.mark.parametrize("defect", ["rotate_ledger_first", "archive_read_first"])
def test_a_bug_in_reading_beside_rotation_is_caught(
    tmp_path: os.PathLike[str], defect: str
) -> None:
    for attempt in range(_STORMS):
        stand = Stand(os.path.join(tmp_path, str(attempt)))
        done = storm(stand, 4, 150, (200, 20_000), defect=defect, above=4, move=2)
        if not done.verdict.ok or done.unread:
            return
    pytest.fail(f"{defect} was not caught in {_STORMS} storms")


def test_the_index_misses_nothing_that_rotates_while_it_catches_up(
    tmp_path: os.PathLike[str],
) -> None:
    """The stat of the archive, a rotation, the read of the ledger: in this order, made certain."""
    stand = Stand(os.fspath(tmp_path), settings="[rotation]\nabove = 1000\n")
    with stand.workspace() as workspace:
        for n in range(30):
            workspace.learn(f"tok0x{n} keeps its place")
        workspace.learn("one more so that the ledger has changed")
        ledger = workspace.memories.stores.ledgers.private("learned")
        index = workspace.memories.own.index
        real = index.changed
        rotations: list[int] = []

        def changed(sources: Any) -> list[str]:
            found = real(sources)
            if len(rotations) < 2 and found:
                rotations.append(rotation.rotate(ledger, above=5, move=5).moved)
            return found

        index.changed = changed  # type: ignore[method-assign]
        workspace.learn("the last one")
        workspace.refresh()
        assert sum(rotations) > 0
        found = workspace.memories.own.index.live(
            workspace.memories.own.view(Filter(kinds=("learned",)))
        )
    assert len(found) == 32, sys.version
