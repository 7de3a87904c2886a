import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import satchel
from integration.upkeep_made import everywhere, ledgers_of, live, private_files, run_purge, step
from satchel.application.forgetting.service import Forgetting, Selection
from satchel.application.upkeep.ledger_upkeep import expire
from satchel.application.upkeep.steps import NAMES
from satchel.core.clock import FixedClock
from satchel.engine.search.documents import Filter
from satchel.features.memories.ledgers import Ledgers
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.lines import decode, encode
from satchel.storage.ledger.purging import purge
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.rewriting import rewrite
from satchel.storage.ledger.rotation import rotate
from satchel.storage.locks import FileLock
from satchel.workspace import Workspace

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(satchel.__file__)))
DAY = 86_400
SECRET = "zanzibar clockwork giraffe"


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def workspace(tmp_path: Path, clock: FixedClock) -> Iterator[Workspace]:
    root = tmp_path / "project"
    (root / ".satchel").mkdir(parents=True)
    (root / ".satchel" / "project.toml").write_text('[project]\nid = "01JUPKEEP"\n')
    with Workspace.open(str(root), home=str(tmp_path / "home"), clock=clock) as opened:
        yield opened


# Expiry


def test_expired_memories_get_a_deletion_line_and_others_stay(
    workspace: Workspace, clock: FixedClock
) -> None:
    for number in range(30):
        workspace.learn(f"lesson number {number}")
    workspace.remember("a passing thought", kind="insight")
    clock.advance(2 * 3600)
    workspace.refresh()
    assert step(workspace, "expire") == "1 of 1 expired memories deleted"
    assert len(live(workspace)) == 30
    lines = private_files(workspace)["insight.jsonl"].splitlines()
    deletion = decode(lines[-1]).record
    assert deletion is not None
    assert (deletion.deleted_at, deletion.content) == (int(clock.now()), "")
    assert step(workspace, "expire") == "0 of 0 expired memories deleted"
    assert private_files(workspace)["insight.jsonl"].splitlines() == lines


def test_a_clock_ten_years_ahead_deletes_one_in_twenty_and_the_rest_returns(
    workspace: Workspace, clock: FixedClock
) -> None:
    for number in range(60):
        workspace.remember(f"decided on matter {number}", kind="decision")
    for number in range(40):
        workspace.remember(f"do thing {number}", kind="next_step")
    before = live(workspace)
    clock.advance(3650 * DAY)
    report = step(workspace, "expire")
    assert report.startswith("5 of 100 expired memories deleted; 95 are left")
    clock.advance(-3650 * DAY)
    assert len(before - live(workspace)) == 5
    assert live(workspace) <= before


def test_what_expired_first_is_deleted_first(workspace: Workspace, clock: FixedClock) -> None:
    for number in range(20):
        workspace.remember(f"later {number}", kind="context", expires_in=2 * DAY)
    workspace.remember("first of all", kind="context", expires_in=DAY)
    clock.advance(3 * DAY)
    workspace.refresh()
    done = expire(workspace.memories.own, 0.01)
    assert (done.of, done.due, done.held_back, len(done.deleted)) == (21, 21, 20, 1)
    workspace.refresh()
    newest = workspace.memories.history(done.deleted[0].id)
    assert newest[-1].record.content == "first of all"


def test_confirmed_lifts_the_cap_and_a_dry_run_writes_nothing(
    workspace: Workspace, clock: FixedClock
) -> None:
    for number in range(50):
        workspace.remember(f"thought {number}", kind="insight")
    clock.advance(DAY)
    workspace.refresh()
    before = private_files(workspace)
    assert step(workspace, "expire", dry_run=True, confirm=True).startswith("50 of 50")
    assert private_files(workspace) == before
    assert step(workspace, "expire", confirm=True) == "50 of 50 expired memories deleted"
    assert step(workspace, "expire") == "0 of 0 expired memories deleted"


def test_a_renewal_in_the_very_second_of_expiry_survives_it(
    workspace: Workspace, clock: FixedClock
) -> None:
    workspace.remember("tabs", kind="preference", key="indent", expires_in=10)
    clock.advance(11)
    workspace.refresh()
    stale = workspace.memories
    stale.own.index.catch_up(stale.own.sources)
    found = expire(stale.own, 1.0, dry_run=True).deleted
    workspace.remember("spaces", kind="preference", key="indent", expires_in=1000)
    stale.own.append(found)  # what a run that had read before would have written
    assert live(workspace) == {"spaces"}


def test_a_teams_expired_memory_is_left_to_the_team(
    workspace: Workspace, clock: FixedClock
) -> None:
    record = Record(kind="decision", content="ours", key="decision-ours", expires_at=5)
    own = ledgers_of(workspace).tracked
    assert own is not None
    own.append([record])
    workspace.refresh()
    assert expire(workspace.memories.own, 1.0).due == 0


# Purging


def forget(workspace: Workspace, clock: FixedClock, days: float = 31) -> str:
    record = workspace.learn(f"{SECRET} is how it works")
    clock.advance(5)
    workspace.learn(f"{SECRET} is how it works", tags=("again",))
    workspace.learn("an innocent lesson")
    workspace.refresh()
    workspace.memories.delete(record.key)
    clock.advance(days * DAY)
    return record.key


def test_a_purge_takes_every_line_and_key_and_index_word_of_what_was_deleted(
    workspace: Workspace, clock: FixedClock
) -> None:
    key = forget(workspace, clock)
    assert SECRET.encode() in everywhere(workspace)
    assert key.encode() in everywhere(workspace)
    said = step(workspace, "purge")
    assert said == "1 memory deleted over 30 days ago lost 3 lines"
    for word in SECRET.split():
        assert word.encode() not in everywhere(workspace)
    assert workspace.recall(SECRET).items == ()
    assert live(workspace) == {"an innocent lesson"}
    assert workspace.rebuild() == 3
    assert live(workspace) == {"an innocent lesson"}


def test_what_is_left_is_one_line_for_each_id_with_the_hashes_of_what_went(
    workspace: Workspace, clock: FixedClock
) -> None:
    forget(workspace, clock)
    lines = private_files(workspace)["knowledge.jsonl"].splitlines()
    gone = [json.loads(raw)["hash"] for raw in lines if b"innocent" not in raw]
    run_purge(workspace)
    left = private_files(workspace)["knowledge.jsonl"].splitlines()
    assert len(left) == 3
    assert [json.loads(raw)["id"] for raw in left[1:]] == list(
        dict.fromkeys(json.loads(raw)["id"] for raw in reversed(lines) if b"innocent" not in raw)
    )
    stone = json.loads(left[1])
    assert stone["data"]["purged"] == gone
    assert (stone["content"], stone["type"], stone["tags"]) == ("", "learned", [])
    assert stone["deleted_at"]
    assert decode(left[1]).record


def test_a_second_purge_and_one_too_early_change_no_byte(
    workspace: Workspace, clock: FixedClock
) -> None:
    forget(workspace, clock, days=29)
    before = private_files(workspace)
    assert run_purge(workspace).lines == 0
    assert private_files(workspace) == before
    clock.advance(2 * DAY)
    said = run_purge(workspace, dry_run=True)
    assert (len(said.memories), said.lines) == (1, 3)
    assert private_files(workspace) == before
    assert run_purge(workspace) == said
    after = private_files(workspace)
    assert after != before
    assert run_purge(workspace).lines == 0
    assert private_files(workspace) == after


def test_what_says_that_something_was_forgotten_is_not_purged(
    workspace: Workspace, clock: FixedClock
) -> None:
    """It has the hashes by which a forgotten line is known that another home still holds."""
    record = workspace.learn("The quokka relay listens on the seventh port.")
    forgetting = Forgetting(workspace)
    forgetting.apply(forgetting.plan(Selection((record.id,))))
    (before,) = [line.raw for line in ledgers_of(workspace).files()[0].read()]
    clock.advance(31 * 86_400)
    run_purge(workspace)
    assert [line.raw for line in ledgers_of(workspace).files()[0].read()] == [before]


def test_what_was_remembered_again_since_is_not_purged(
    workspace: Workspace, clock: FixedClock
) -> None:
    forget(workspace, clock)
    workspace.learn(f"{SECRET} is how it works")
    assert run_purge(workspace).lines == 0
    assert f"{SECRET} is how it works" in live(workspace)


def test_lines_in_the_archive_go_too(workspace: Workspace, clock: FixedClock) -> None:
    forget(workspace, clock, days=0)
    ledger = ledgers_of(workspace).private("learned")
    rotate(ledger, above=1, move=2)
    assert SECRET.encode() in private_files(workspace)["knowledge.archive.jsonl"]
    clock.advance(31 * DAY)
    run_purge(workspace)
    assert b"giraffe" not in b"".join(private_files(workspace).values())
    assert live(workspace) == {"an innocent lesson"}


def test_every_line_in_the_archive_still_leaves_a_stone_in_the_ledger(
    workspace: Workspace, clock: FixedClock
) -> None:
    forget(workspace, clock)
    ledger = ledgers_of(workspace).private("learned")
    rotate(ledger, above=0, move=100)
    run_purge(workspace)
    files = private_files(workspace)
    assert b"giraffe" not in b"".join(files.values())
    assert b'"purged"' in files["knowledge.jsonl"]
    assert live(workspace) == {"an innocent lesson"}


def test_the_tracked_ledger_keeps_every_byte_and_stays_hidden(
    workspace: Workspace, clock: FixedClock
) -> None:
    record = workspace.learn(f"{SECRET} is how it works")
    own = ledgers_of(workspace).tracked
    assert own is not None
    own.append([record])
    tracked = Path(workspace.project.tracked.knowledge)
    before = tracked.read_bytes()
    workspace.memories.delete(record.key)
    clock.advance(31 * DAY)
    assert run_purge(workspace).lines == 2
    assert tracked.read_bytes() == before
    assert b"how it works" not in b"".join(private_files(workspace).values())
    assert live(workspace) == set()
    assert run_purge(workspace).lines == 0


def test_what_another_work_tree_tracks_does_not_come_back(
    workspace: Workspace, clock: FixedClock, tmp_path: Path
) -> None:
    record = workspace.learn(f"{SECRET} is how it works")
    other = tmp_path / "elsewhere.jsonl"
    other.write_bytes(encode(record))
    workspace.memories.delete(record.key)
    clock.advance(31 * DAY)
    purge(ledgers_of(workspace).every_private(), now=clock.now(), elsewhere=[str(other)])
    Path(workspace.project.tracked.knowledge).write_bytes(other.read_bytes())
    assert live(workspace) == set()


def test_a_kind_that_is_known_by_id_and_a_preference_stay_deleted(
    workspace: Workspace, clock: FixedClock
) -> None:
    decision = workspace.remember(f"decided: {SECRET}", kind="decision")
    workspace.remember(SECRET, kind="preference", key="animal", agent="scout")
    workspace.refresh()
    workspace.memories.delete(decision.id)
    one = workspace.memories.own.preference("animal", agent="scout")
    assert one
    workspace.memories.delete(one[0].id)
    clock.advance(31 * DAY)
    assert len(run_purge(workspace).memories) == 2
    assert b"giraffe" not in b"".join(private_files(workspace).values())
    assert live(workspace) == set()
    workspace.refresh()
    assert workspace.memories.own.preference("animal", agent="scout") is None


def test_damaged_lines_and_those_of_other_programs_are_kept(
    workspace: Workspace, clock: FixedClock
) -> None:
    forget(workspace, clock)
    foreign = b'{"key":"learned-x","type":"learned","content":"x","ts":5,"mine":{"a":[1]}}'
    path = Path(workspace.project.state.ledger("knowledge"))
    with path.open("ab") as file:
        file.write(b"{torn\n" + foreign + b"\n")
    run_purge(workspace)
    lines = path.read_bytes().splitlines()
    assert b"{torn" in lines
    assert foreign in lines


def test_a_writer_without_our_lock_loses_nothing(workspace: Workspace, tmp_path: Path) -> None:
    """As beads memory's scripts do: open for appending, write later."""
    path = tmp_path / "some.jsonl"
    path.write_bytes(b'{"content":"a"}\n{"content":"b"}\n')
    with path.open("ab", buffering=0) as late:

        def choose(lines: list[bytes]) -> list[bytes]:
            late.write(b'{"content":"late"}\n')
            return lines[1:]

        rewrite(str(path), choose)
    assert path.read_bytes() == b'{"content":"b"}\n{"content":"late"}\n'


def test_a_rewriting_keeps_permissions_and_a_same_result_touches_nothing(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_bytes(b"a\nb\n")
    path.chmod(0o640)
    inode = path.stat().st_ino
    rewrite(str(path), lambda lines: lines)
    assert path.stat().st_ino == inode
    rewrite(str(path), lambda lines: lines[:1])
    assert path.stat().st_mode & 0o777 == 0o640
    rewrite(str(tmp_path / "absent.jsonl"), lambda lines: lines)
    assert os.listdir(tmp_path) == ["some.jsonl"]


class Impatient(Ledgers):
    """Ledgers whose locks are waited for no longer than a test likes."""

    def private(self, kind: str) -> Ledger:
        usual = super().private(kind)
        name = os.path.basename(usual.path).removesuffix(".jsonl")
        return Ledger(usual.path, self.state.lock(name), clock=self.clock, timeout=0.1)


def test_a_taken_lock_leaves_the_step_for_the_next_time(
    workspace: Workspace, clock: FixedClock
) -> None:
    forget(workspace, clock)
    workspace.memories.own.ledgers = Impatient(
        workspace.project.state, workspace.project.tracked.knowledge, clock=clock
    )
    holder = FileLock(workspace.project.state.lock("knowledge"))
    assert holder.acquire()
    try:
        assert step(workspace, "purge").startswith("left for the next run")
    finally:
        holder.release()
    assert step(workspace, "purge").startswith("1 memory ")


KILLED = """
import os, sys
from satchel.core.clock import FixedClock
from satchel.storage.paths import PrivateState
from satchel.features.memories.ledgers import Ledgers
from satchel.storage.ledger.purging import purge

state, now, after, which = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
calls = 0

def dying(original):
    def call(*arguments, **more):
        global calls
        calls += 1
        if calls == after and which == "before":
            os._exit(9)
        result = original(*arguments, **more)
        if calls == after and which == "after":
            os._exit(9)
        return result
    return call

for name in ("replace", "fsync", "write"):
    setattr(os, name, dying(getattr(os, name)))
ledgers = Ledgers(PrivateState(state), "", clock=FixedClock(now))
purge(ledgers.every_private(), now=now)
"""


@pytest.mark.parametrize("moved", [0, 2, 100])
def test_killed_anywhere_nothing_deleted_returns_and_the_next_run_finishes(
    workspace: Workspace, clock: FixedClock, moved: int
) -> None:
    forget(workspace, clock)
    if moved:
        rotate(ledgers_of(workspace).private("learned"), above=0, move=moved)
    directory = Path(workspace.project.state.ledgers)
    before = private_files(workspace)
    kills = 0
    for after in range(1, 40):
        ended = []
        for which in ("before", "after"):
            for path in directory.iterdir():
                path.unlink()
            for name, data in before.items():
                (directory / name).write_bytes(data)
            words = [sys.executable, "-c", KILLED, workspace.project.state.path, str(clock.now())]
            done = subprocess.run(
                [*words, str(after), which], env={**os.environ, "PYTHONPATH": SOURCE}
            )
            ended.append(done.returncode)
            assert live(workspace) == {"an innocent lesson"}
            assert run_purge(workspace).lines in range(6)
            assert run_purge(workspace).lines == 0
            files = private_files(workspace)
            assert b"giraffe" not in b"".join(files.values())
            assert not [name for name in files if name.endswith(".rewriting")]
            lines = b"".join(files.values()).splitlines()
            assert len([raw for raw in set(lines) if b'"purged"' in raw]) == 2
            assert live(workspace) == {"an innocent lesson"}
        kills += sum(code == 9 for code in ended)
        if ended == [0, 0]:
            break
    assert kills >= 4
    assert ended == [0, 0]


def test_every_step_runs_from_the_command_line(workspace: Workspace, clock: FixedClock) -> None:
    for number in range(4):
        workspace.memories.own.append(
            [Record(kind="learned", content=f"n{number}", key=f"k{number}")]
        )
    said = workspace.upkeep("all", dry_run=False, confirmed=False)
    assert set(said) == {*NAMES} - {"reflect"}
    assert said["rotate"] == "0 lines moved to the archives"


def test_rotation_moves_the_oldest_and_everything_is_still_found(tmp_path: Path) -> None:
    ledger = Ledger(str(tmp_path / "k.jsonl"), str(tmp_path / "k.lock"), clock=FixedClock())
    records = [Record(kind="learned", content=f"n{n}", key=f"k{n}", ts=n + 1) for n in range(12)]
    written = ledger.append(records)
    assert rotate(ledger, above=10, move=5) == (5, 7)
    assert rotate(ledger, above=10, move=5) == (0, 0)
    found = {line.record.id for line in ledger.read() if line.record}
    assert found == {record.id for record in written}
    assert Path(ledger.archive).read_bytes().count(b"\n") == 5


def test_filters_see_purged_things_as_deleted(workspace: Workspace, clock: FixedClock) -> None:
    forget(workspace, clock)
    run_purge(workspace)
    workspace.refresh()
    listed = workspace.memories.list(Filter(kinds=("learned",)), 10, all_versions=True)
    assert {(one.record.content, one.record.deleted_at is None) for one in listed} == {
        ("an innocent lesson", True),
        ("", False),
    }
