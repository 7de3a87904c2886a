"""T27: the clock jumps, stands still, or is years off: order stays, ids are unique."""

import os
import random
import sys

import pytest

from reliability.stand import SEED, Stand, say, scale
from reliability.workers import defects
from reliability_kit.shim import run_with_shim
from satchel.core.clock import FixedClock
from satchel.engine.search.documents import Filter
from satchel.storage.files import read_file
from satchel.storage.ledger import file
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.lines import decode, split_lines
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace

pytestmark = pytest.mark.torture
_DAY = 86_400
_NOW = 1_790_000_000.0
_JUMPS = {
    "a day back": -_DAY,
    "ten years on": 3652 * _DAY,
    "1970": -_NOW + 5,
    "an hour back": -3600,
    "frozen": 0,
}


def out_of_order(ledger: Ledger) -> list[str]:
    """Lines whose order is not the one in which they were written: all by id, versions by time."""
    # Rotation has put the older half into the archive: that comes first.
    raw = split_lines(read_file(ledger.archive)) + split_lines(read_file(ledger.path))
    records = [record for record in (decode(one).record for one in raw) if record]
    wrong = [f"line {n}: id" for n in range(1, len(records)) if records[n].id <= records[n - 1].id]
    newest: dict[str, tuple[int, str, int, str]] = {}
    for n, record in enumerate(records):
        if record.version <= newest.get(record.identity, (-1, "", 0, "")):
            wrong.append(f"line {n}: older than the version before it")
        newest[record.identity] = record.version
    return wrong


@pytest.mark.parametrize("jump", sorted(_JUMPS))
def test_order_and_ids_survive_a_jump(tmp_path: os.PathLike[str], jump: str) -> None:
    stand = Stand(os.fspath(tmp_path))
    clock = FixedClock(_NOW)
    count = scale(60, 2000)
    with Workspace.open(stand.repo, home=stand.home, clock=clock) as workspace:
        for n in range(count):
            workspace.remember(f"value {n}", kind="preference", key="colour")
            workspace.learn(f"lesson {n} of the clock")
            if n == count // 2:
                clock.advance(_JUMPS[jump])
            elif jump != "frozen":
                clock.advance(0.4)
            found = (
                workspace.memories.find("colour").record.content if n % 10 == 0 else f"value {n}"
            )
            assert found == f"value {n}", "the latest does not win"
        assert out_of_order(workspace.memories.stores.ledgers.private("learned")) == []
        workspace.refresh()
        assert workspace.memories.find("colour").record.content == f"value {count - 1}"
    with stand.workspace() as workspace:
        workspace.remember("value last", kind="preference", key="colour")
        workspace.refresh()
        assert workspace.memories.find("colour").record.content == "value last"
    say(f"T27 {jump}", 2 * count, f"{2 * count} writes around the jump, order kept, ids unique, "
        "the latest wins")  # fmt: skip


@pytest.mark.parametrize("clock", ["-86400", "315360000", "-1790000000", "freeze", "-86400:40"])
def test_commands_under_a_wrong_clock_keep_order(tmp_path: os.PathLike[str], clock: str) -> None:
    """The same by the process's own clock, moved under it; `:40` moves it while it works."""
    stand = Stand(os.fspath(tmp_path))
    story = (
        "import sys\n"
        "from satchel.workspace import Workspace\n"
        "with Workspace.open('.') as w:\n"
        "    for n in range(30): w.remember(f'{sys.argv[1]} {n}', kind='preference', key='k')\n"
        "    print(w.memories.find('k').record.content)\n"
    )
    for name, shift in (("right", None), ("wrong", clock), ("again", None)):
        done = run_with_shim([sys.executable, "-c", story, name], prefix=stand.home,
                             env=stand.env, cwd=stand.repo, clock=shift)  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stdout.decode().strip() == f"{name} 29"
    with stand.workspace() as workspace:
        workspace.refresh()
        assert workspace.memories.find("k").record.content == "again 29"
        assert out_of_order(workspace.memories.stores.ledgers.private("preference")) == []


def test_a_clock_ten_years_on_expires_no_store(tmp_path: os.PathLike[str]) -> None:
    stand = Stand(os.fspath(tmp_path))
    kinds = ("decision", "checkpoint", "next_step", "ci_note", "action_report")
    dice = random.Random(SEED)
    count = scale(200, 5000)
    with Workspace.open(stand.repo, home=stand.home, clock=FixedClock(_NOW)) as workspace:
        records = [Record(kind=dice.choice(kinds), content=f"{n} words", key=f"k{n}")
                   for n in range(count)]  # fmt: skip
        workspace.memories.own.append(records)
        workspace.refresh()
    later = FixedClock(_NOW + _JUMPS["ten years on"])
    with Workspace.open(stand.repo, home=stand.home, clock=later) as workspace:
        workspace.upkeep("all", dry_run=False, confirmed=False)
        workspace.briefs.session()
    with Workspace.open(stand.repo, home=stand.home, clock=FixedClock(_NOW + 60)) as workspace:
        live = len(workspace.memories.list(Filter(), 1_000_000))
    assert live >= count * 0.95, f"one run under a wrong clock expired {count - live} of {count}"
    say("T27 expiry", count, f"{count} memories, a clock ten years on, {count - live} expired")


def test_hooks_under_a_jumping_clock_keep_the_order_of_events(
    tmp_path: os.PathLike[str],
) -> None:
    stand = Stand(os.fspath(tmp_path))
    dice = random.Random(SEED)
    inbox = stand.workspace().project.inbox
    ids = []
    for n in range(scale(200, 5000)):
        now = _NOW + dice.choice((0, -_DAY, 3652 * _DAY, -_NOW + 1))
        ids.append(inbox.append({"what": "presence", "state": "online", "reason": f"{n}"}, now))
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)
    times = [event["ts"] for event in inbox.peek()]
    assert times == sorted(times)


def test_a_seeded_bug_is_caught(
    tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time and id from the clock alone."""
    monkeypatch.setattr(file, "stamped", file.stamped)  # put back at the end
    defects.plant("naive_order")
    clock = FixedClock(_NOW)
    path = os.path.join(tmp_path, "knowledge.jsonl")
    ledger = Ledger(path, path + ".lock", clock=clock)
    for n in range(10):
        ledger.append([Record(kind="learned", content=f"{n}", key=f"k{n}")])
        clock.advance(-3600)
    assert out_of_order(ledger)
