"""Whole runs of upkeep: in order, bounded, taken up again, two at once; and their schedule."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import satchel
from satchel.application.learning.reviewing.review import Review
from satchel.application.upkeep import scheduling
from satchel.application.upkeep.maintenance import BUSY, Upkeep, read_run_state
from satchel.application.upkeep.proposals import find_duplicates
from satchel.application.upkeep.schedule import schedule_for, scheduler_here
from satchel.application.upkeep.steps import NAMES
from satchel.core.clock import FixedClock
from satchel.core.errors import BadInputError
from satchel.features.proposals.values import ARCHIVE, PROMOTION
from satchel.storage.ledger.record import Record
from satchel.storage.locks import FileLock
from satchel.testing import reopened, temporary_workspace
from satchel.workspace import Workspace

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(satchel.__file__)))
DAY = 86_400


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def workspace(clock: FixedClock) -> Iterator[Workspace]:
    with temporary_workspace(git=True, clock=clock) as opened:
        yield opened


def insights(workspace: Workspace, count: int) -> None:
    records = [
        Record(kind="insight", content=f"passing thought {n}", trust="agent") for n in range(count)
    ]
    workspace.memories.own.append(records)
    workspace.refresh()


def test_every_step_runs_in_its_order_and_says_what_it_did(workspace: Workspace) -> None:
    workspace.learn("Run the linter before pushing.")
    said = Upkeep(workspace).run("all")
    assert list(said) == [name for name in NAMES if name != "reflect"]
    assert all(said.values())
    assert set(Upkeep(workspace).run_state().steps) == set(NAMES) - {"reflect", "instincts"}


def test_a_dry_run_changes_no_byte_of_any_ledger(workspace: Workspace, clock: FixedClock) -> None:
    insights(workspace, 5)
    workspace.learn("Use tabs for indentation in the parser.")
    workspace.memories.own.append(
        [Record(kind="learned", key="other", content="Use tabs for indentation in the parser")]
    )
    workspace.refresh()
    clock.advance(2 * DAY)
    before = {p: p.read_bytes() for p in Path(workspace.project.state.ledgers).iterdir()}
    said = Upkeep(workspace).run("all", dry_run=True)
    assert said["insights"].startswith("1 of 5 expired insights would be deleted")
    assert said["consolidate"] == "1 would be proposed"
    assert {p: p.read_bytes() for p in Path(workspace.project.state.ledgers).iterdir()} == before
    assert Upkeep(workspace).run_state().steps == {}


def test_the_cap_is_one_for_the_whole_run_and_a_person_lifts_it(
    workspace: Workspace, clock: FixedClock
) -> None:
    insights(workspace, 100)
    clock.advance(2 * DAY)
    said = Upkeep(workspace).run("all")
    assert said["insights"].startswith("5 of 100 expired insights deleted; 95 are left")
    assert said["expire"].startswith("0 of 95 expired memories deleted; 95 are left")
    assert Upkeep(workspace).run("all", confirmed=True)["insights"].startswith("95 of 95")


def test_a_run_that_was_killed_is_taken_up_where_it_stopped(
    workspace: Workspace, clock: FixedClock
) -> None:
    insights(workspace, 1)
    workspace.close()
    script = (
        "import os\n"
        "from satchel.workspace import Workspace\n"
        "from satchel.application.upkeep import maintenance as keeping\n"
        "from satchel.core.clock import FixedClock\n"
        "keeping.Upkeep._decayed = lambda *a, **k: os.kill(os.getpid(), 9)\n"
        f"with Workspace.open({workspace.project.place.root!r}, home={workspace.owner().home.path!r}, "
        f"clock=FixedClock({clock.now() + 2 * DAY})) as w:\n"
        "    w.upkeep('all', dry_run=False, confirmed=False)\n"
    )
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": SOURCE,
        "HOME": workspace.owner().home.path,
    }
    done = subprocess.run([sys.executable, "-c", script], env=environment, check=False)
    assert done.returncode == -9
    clock.advance(2 * DAY + 60)
    with reopened(workspace) as again:
        left = read_run_state(again.project.state.derived("upkeep.json")).left
        assert left[0] == "decay"
        said = Upkeep(again).run("all")
        assert next(iter(said)) == "decay"
        assert "expire" not in said
        assert Upkeep(again).run_state().left == ()
        # The next one is a whole one again; nothing doubles.
        assert Upkeep(again).run("all")["insights"] == "0 of 0 expired insights deleted"


def test_a_run_killed_long_ago_is_begun_anew(workspace: Workspace, clock: FixedClock) -> None:
    keeping = Upkeep(workspace)
    keeping._write(keeping.run_state().with_started(clock.now(), ("code",)))
    clock.advance(2 * DAY)
    assert "expire" in keeping.run("all")


def test_the_second_of_two_runs_leaves(workspace: Workspace) -> None:
    with FileLock(workspace.project.state.lock("upkeep")):
        assert list(Upkeep(workspace).run("all")) == [BUSY]
        assert Upkeep(workspace).run("rotate")["rotate"] == "0 lines moved to the archives"


def test_writers_beside_a_run_lose_nothing(workspace: Workspace) -> None:
    for number in range(30):
        workspace.learn(f"lesson number {number} before the run")
    writer = (
        "from satchel.workspace import Workspace\n"
        f"with Workspace.open({workspace.project.place.root!r}, home={workspace.owner().home.path!r}) as w:\n"
        "    for n in range(40):\n"
        "        w.remember(f'written beside {n}', kind='constraint')\n"
    )
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": SOURCE,
        "HOME": workspace.owner().home.path,
    }
    process = subprocess.Popen([sys.executable, "-c", writer], env=environment)
    while process.poll() is None:
        Upkeep(workspace).run("all", confirmed=True)
        time.sleep(0.01)
    assert process.returncode == 0
    workspace.refresh()
    said = {record.content for record in workspace.memories.own.live()}
    assert {f"written beside {n}" for n in range(40)} <= said
    assert len(said) == 70


def test_a_damaged_standing_means_that_everything_runs(workspace: Workspace) -> None:
    for text in ("{", "[]", '{"steps": 3}', '{"steps": {"x": 1}}'):
        Path(workspace.project.state.derived("upkeep.json")).write_text(text)
        assert "expire" in Upkeep(workspace).run("all")


def test_what_is_said_twice_is_proposed_and_never_merged_by_itself(workspace: Workspace) -> None:
    workspace.learn("Use tabs for indentation in the parser.")
    twice = Record(kind="learned", key="again", content="use tabs for indentation in the parser")
    workspace.memories.own.append([twice])
    workspace.refresh()
    assert Upkeep(workspace).run("consolidate") == {
        "consolidate": "1 proposed; see `satchel review`"
    }
    assert len(workspace.memories.own.live()) == 2
    assert Upkeep(workspace).run("consolidate") == {"consolidate": "nothing to propose"}
    with Review(workspace) as review:
        (one,) = review.pending()
        assert one.proposal.kind == ARCHIVE
        assert review.accept([one.proposal]).failed == ()
    aside = [
        record.content for record in workspace.memories.own.live() if "archived" in record.tags
    ]
    assert len(aside) == 1
    assert len(workspace.memories.own.live()) == 2


def test_only_likely_pairs_are_compared_and_each_goes_once() -> None:
    records = [
        Record(kind="learned", id=f"{n:026}", ts=n, key=f"k{n}", content=f"subject{n % 500} stays")
        for n in range(1000)
    ]
    pairs = find_duplicates(records, most=1000)
    assert len(pairs) == 500
    assert all(older.ts + 500 == newer.ts for older, newer in pairs)


def test_a_ripe_instinct_is_proposed_as_a_note_and_marked_when_accepted(
    workspace: Workspace,
) -> None:
    path = Path(workspace.project.tracked.place("instincts"))
    path.write_text(
        "instincts:\n  - id: quote-paths\n    rule: Quote every path in shell scripts.\n"
        "    confidence: 0.9\n    scope: universal\n    category: tooling\n"
        "    created: 2025-12-30\n    last_reinforced: 2025-12-31\n"
    )
    told = Upkeep(workspace).run("promote")["promote"]
    assert told == "1 proposed; see `satchel review`"
    assert "promoted" not in path.read_text()
    with Review(workspace) as review:
        (one,) = review.pending()
        assert one.proposal.kind == PROMOTION
        assert review.accept([one.proposal]).failed == ()
    assert "promoted: " in path.read_text()
    assert Upkeep(workspace).run("promote")["promote"] == "nothing to propose"


# The schedule


def schedule(at: str = "03:00", root: str = "/r/my project") -> scheduling.Schedule:
    return scheduling.Schedule(at, ("/usr/bin/env", "python", "-C", root, "50%"), "abc")


def test_units_and_lines_quote_the_command() -> None:
    assert 'ExecStart=/usr/bin/env python -C "/r/my project" "50%%"\n' in scheduling.service_text(
        schedule()
    )
    assert "OnCalendar=*-*-* 03:07:00 UTC\nPersistent=true" in scheduling.timer_text(
        schedule("03:07")
    )
    line = scheduling.cron_line(schedule("03:07"))
    assert line.startswith('7,22,37,52 * * * * [ "$(date -u +\\%H:\\%M)" = 03:07 ] && ')
    assert "'/r/my project' 50\\%" in line
    assert line.endswith("# satchel-upkeep:abc")


def test_a_crontab_keeps_every_other_line() -> None:
    theirs = "MAILTO=me\n0 1 * * * backup # satchel-upkeep:other\n"
    once = scheduling.with_cron_line(theirs, schedule())
    assert scheduling.with_cron_line(once, schedule()) == once
    assert once.startswith(theirs)
    assert scheduling.with_cron_line(once, schedule(), remove=True) == theirs


@pytest.mark.parametrize("text", ["", "3", "24:00", "03:60", "a:b", "03:00:00", "-1:00", "³:00"])
def test_what_is_no_time_of_day_is_refused(text: str) -> None:
    with pytest.raises(BadInputError):
        scheduling.time_of_day(text)


def test_the_next_run_is_in_utc() -> None:
    three = 1_767_236_400.0  # 2026-01-01 03:00 UTC
    assert scheduling.next_run("03:00", three - 1) == three
    assert scheduling.next_run("03:00", three) == three + DAY


def programs(tmp_path: Path, *, systemd: bool) -> str:
    """Programs that stand for this machine's: a crontab in a file, a systemd that answers."""
    folder = tmp_path / "bin"
    folder.mkdir()
    table = tmp_path / "crontab"
    (folder / "crontab").write_text(
        f'#!/bin/sh\nif [ "$1" = -l ]; then [ -f {table} ] && exec cat {table}; '
        f'echo "no crontab for me" >&2; exit 1; fi\ncat "$1" > {table}\n'
    )
    (folder / "systemctl").write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/said\n'
        + (f'[ "$2" = is-enabled ] && exec test -e {tmp_path}/on\n'
           f'[ "$2" = enable ] && touch {tmp_path}/on\n'
           f'[ "$2" = disable ] && rm -f {tmp_path}/on\nexit 0\n' if systemd else "exit 1\n")
    )  # fmt: skip
    for name in ("crontab", "systemctl"):
        (folder / name).chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


@pytest.mark.parametrize("systemd", [True, False])
def test_it_is_installed_with_what_is_found_once_and_taken_away(
    workspace: Workspace, tmp_path: Path, *, systemd: bool
) -> None:
    environment = {
        "PATH": programs(tmp_path, systemd=systemd), "PYTHONPATH": SOURCE, "HOME": str(tmp_path),
        "SATCHEL_HOME": workspace.owner().home.path, "LANG": "C.UTF-8",
    }  # fmt: skip

    def satchel_says(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "satchel", "-C", workspace.project.place.root, "upkeep", *words],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    (tmp_path / "crontab").write_text("0 1 * * * mine\n")
    assert satchel_says("install").returncode == 2
    assert (tmp_path / "crontab").read_text() == "0 1 * * * mine\n"
    for only_shown in ("--dry-run", "--print"):
        done = satchel_says("install", only_shown, "--yes", "--json")
        assert json.loads(done.stdout)["changed"] is False
    assert (tmp_path / "crontab").read_text() == "0 1 * * * mine\n"
    done = satchel_says("install", "--at", "04:30", "--yes")
    assert done.stdout == "Installed.\n"
    assert (
        satchel_says("install", "--at", "04:30", "--yes").stdout == "That is installed already.\n"
    )
    units = tmp_path / ".config" / "systemd" / "user"
    if systemd:
        assert sorted(p.suffix for p in units.iterdir()) == [".service", ".timer"]
        assert "enable --now" in (tmp_path / "said").read_text()
    else:
        assert "# satchel-upkeep:" in (tmp_path / "crontab").read_text()
    satchel_says("install", "--remove", "--dry-run", "--yes")
    status = json.loads(satchel_says("status", "--json").stdout)
    assert status["daily_at"] == "04:30"
    assert satchel_says("install", "--remove", "--yes").stdout == "Removed.\n"
    assert (tmp_path / "crontab").read_text() == "0 1 * * * mine\n"
    assert not units.exists() or not list(units.iterdir())
    assert json.loads(satchel_says("status", "--json").stdout)["daily_at"] == ""


def test_where_neither_works_it_says_what_to_do_instead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadInputError, match="Neither systemd nor cron works") as told:
        scheduler_here()
    assert "satchel upkeep --every-project" in told.value.hint
    with pytest.raises(BadInputError, match=r"^cron does not work"):
        scheduler_here("cron")


def test_the_installed_command_is_one_that_runs(workspace: Workspace) -> None:
    workspace.learn("Run the linter before pushing.")
    for everything in (False, True):
        words = schedule_for(
            workspace.owner().home, workspace.project.place.root, "3:00", everything=everything
        ).command
        done = subprocess.run(
            words, cwd="/", env={"PYTHONPATH": SOURCE, "PATH": os.environ["PATH"],
                                 "SATCHEL_SESSIONS_IMPORT": "false"},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "expire: 0 of 0" in done.stdout
