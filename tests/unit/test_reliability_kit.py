"""The kit catches what it is for: each correct writer survives, each seeded bug is found."""

import os
import subprocess
import time
from typing import Any

import pytest

from reliability_kit.crash_images import acked, crash_images, load_trace, materialise, unexplained
from reliability_kit.oracle import Logged, Verdict, WorkLog, check, read_logs, rule_of_three
from reliability_kit.shim import (
    Completed,
    NeverFiredError,
    build_shim,
    loop_every_fault,
    loop_every_kill,
    run_with_shim,
)
from reliability_kit.specimens import (
    APPENDER,
    PYTHON,
    REPLACER,
    Bench,
    clock_readings,
    failing_images,
    judge_disk,
    ledger_is_good,
    note_is_good,
    sqlite_losses,
)
from reliability_kit.trace_file import append_mark

SEED = 20261122


@pytest.fixture
def place(tmp_path: os.PathLike[str]) -> str:
    return os.fspath(tmp_path)


@pytest.fixture
def appender(place: str) -> Bench:
    return Bench(place, APPENDER)


@pytest.fixture
def replacer(place: str) -> Bench:
    return Bench(place, REPLACER)


# ---- faults ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error"),
    [
        *(("write", error) for error in ("EIO", "EDQUOT", "EINTR", "short", "ENOSPC")),
        *(("fsync", "EIO"), ("openw", "EMFILE"), ("open", "EROFS"), ("any", "EIO")),
    ],
)
def test_a_correct_appender_survives_every_fault_and_recovers(
    appender: Bench, call: str, error: str
) -> None:
    sticky = error in ("ENOSPC", "EROFS")  # a full disk stays full

    def run(fault: str) -> Completed:
        appender.fresh()
        return appender.write(fault=fault)

    for k, done in loop_every_fault(run, call, error, sticky=sticky):
        assert (done.returncode == 0) == (error == "EINTR"), (k, done.stderr)
        assert judge_disk(appender).ok, (k, judge_disk(appender).describe())
        assert appender.write(first=5, count=2).returncode == 0
        assert {promise.split(" ")[0] for promise in appender.promises()} >= {"5", "6"}
        assert judge_disk(appender).ok, (k, judge_disk(appender).describe())


def test_a_short_write_that_is_ignored_is_caught(appender: Bench) -> None:
    assert appender.write("short_ignored", fault="write:2:short").fired
    assert judge_disk(appender).missing == ("1",)


def test_an_fsync_that_is_retried_after_an_error_is_caught_by_power_loss(appender: Bench) -> None:
    trace = appender.traced("fsync_retried", fault="fsync:2:EIO")
    assert len(appender.promises()) == 4
    assert failing_images(trace, ledger_is_good, SEED) > 0
    correct = appender.traced(fault="fsync:2:EIO")
    assert len(appender.promises()) == 1
    assert failing_images(correct, ledger_is_good, SEED) == 0


def test_a_loop_over_a_call_that_never_happens_is_refused(appender: Bench) -> None:
    with pytest.raises(NeverFiredError):
        list(loop_every_fault(lambda fault: appender.write(fault=fault), "mkdir", "EIO"))


@pytest.mark.parametrize(
    "spec",
    [
        *({"fault": bad} for bad in ("wriet:1:EIO", "write:0:EIO", "write:1:EOI")),
        *({"fault": "write:1:EINTR:sticky"}, {"kill": "write:1:during"}, {"clock": "soon"}),
    ],
)
def test_a_misspelt_setting_is_refused(appender: Bench, spec: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"fault|kill|clock|EINTR"):
        appender.write(**spec)


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("mkdir", "os.mkdir(p + '/d')"),
        ("rename", "open(p + '/a', 'w').close(); os.replace(p + '/a', p + '/b')"),
        ("unlink", "open(p + '/a', 'w').close(); os.remove(p + '/a')"),
        ("rmdir", "os.mkdir(p + '/d'); os.rmdir(p + '/d')"),
        ("link", "open(p + '/a', 'w').close(); os.link(p + '/a', p + '/b')"),
        ("ftruncate", "open(p + '/a', 'w').truncate(9)"),
        ("fdatasync", "f = open(p + '/a', 'w'); os.fdatasync(f.fileno())"),
        ("pwrite", "os.pwrite(os.open(p + '/a', os.O_RDWR | os.O_CREAT), b'x', 5)"),
        ("write", "os.writev(os.open(p + '/a', os.O_RDWR | os.O_CREAT), [b'x', b'y'])"),
        ("close", "os.close(os.open(p, os.O_RDONLY))"),
        ("open", "os.chdir(p); os.open('.', os.O_RDONLY)"),
        ("openw", "os.open('a', os.O_CREAT | os.O_RDWR, dir_fd=os.open(p, os.O_RDONLY))"),
        ("mmap", "f = open(p + '/a', 'w+'); f.write('x'); f.flush(); mmap.mmap(f.fileno(), 1)"),
    ],
)
def test_each_call_fails_when_told_and_only_under_the_prefix(
    place: str, call: str, code: str
) -> None:
    for name in ("inside", "outside"):
        os.mkdir(os.path.join(place, name))
    script = f"import mmap, os, sys\np = sys.argv[1]\n{code}"
    results = [
        run_with_shim(
            [*PYTHON, "-c", script, os.path.join(place, name)],
            prefix=os.path.join(place, "inside"),
            fault=f"{call}:1:ENOSPC",
        )
        for name in ("inside", "outside")
    ]
    assert [done.fired for done in results] == [True, False]
    assert [done.returncode for done in results] == [1, 0]
    assert b"[Errno 28]" in results[0].stderr


# ---- kills -------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", ["before", "after", "torn"])
def test_a_correct_appender_survives_a_kill_at_every_call(appender: Bench, moment: str) -> None:
    def run(kill: str) -> Completed:
        appender.fresh()
        return appender.write(kill=kill)

    kills = 0
    for k, done in loop_every_kill(run, "any", moment):
        kills += 1
        assert done.returncode == -9
        assert judge_disk(appender).ok, (k, judge_disk(appender).describe())
        assert appender.write(first=5, count=2).returncode == 0
        assert judge_disk(appender).ok, (k, judge_disk(appender).describe())
    assert kills == 9  # one open, four writes, four fsyncs


def test_two_writes_per_line_leave_a_torn_line_when_killed_between(appender: Bench) -> None:
    assert appender.write("two_writes", kill="write:2:before").returncode == -9
    with open(os.path.join(appender.folder, "ledger.jsonl"), "rb") as handle:
        assert not handle.read().endswith(b"\n")
    appender.fresh()
    assert appender.write(kill="write:1:after").returncode == -9
    with open(os.path.join(appender.folder, "ledger.jsonl"), "rb") as handle:
        assert handle.read().endswith(b"\n")


def test_an_acknowledgement_before_the_write_is_caught_by_a_kill(appender: Bench) -> None:
    assert appender.write("ack_first", kill="write:3:before").returncode == -9
    assert judge_disk(appender).missing == ("2",)


# ---- power loss --------------------------------------------------------------------------------


def test_a_correct_appender_survives_power_loss(appender: Bench) -> None:
    trace = appender.traced()
    assert unexplained(trace, appender.folder) == ()
    assert failing_images(trace, ledger_is_good, SEED) == 0
    # It never syncs its folder: enough on ext4 and xfs, not enough by the letter.
    assert failing_images(trace, ledger_is_good, SEED, strict=True) > 0


@pytest.mark.parametrize("bug", ["no_fsync", "ack_first"])
def test_a_ledger_bug_is_found_by_power_loss(appender: Bench, bug: str) -> None:
    assert failing_images(appender.traced(bug), ledger_is_good, SEED) > 10


@pytest.mark.parametrize("bug", ["", "no_file_fsync", "no_dir_fsync"])
def test_atomic_replace_needs_both_of_its_fsyncs(replacer: Bench, bug: str) -> None:
    trace = replacer.traced(bug)
    assert unexplained(trace, replacer.folder) == ()
    lost = failing_images(trace, note_is_good, SEED, strict=True)
    assert lost > 10 if bug else lost == 0


def test_what_was_there_before_the_trace_is_durable(appender: Bench) -> None:
    os.makedirs(os.path.join(appender.folder, "old", "deep"))
    with open(os.path.join(appender.folder, "old", "deep", "file"), "w") as handle:
        handle.write("kept")
    os.symlink("old/deep", os.path.join(appender.folder, "short"))
    appender.write(trace=appender.trace)
    trace = load_trace(appender.trace)
    assert unexplained(trace, appender.folder) == ()
    images = list(crash_images(trace, SEED, 50))
    assert {image.files[os.path.join("old", "deep", "file")] for image in images} == {b"kept"}
    materialise(images[-1], os.path.join(appender.root, "image"))
    with open(os.path.join(appender.root, "image", "short", "file"), "rb") as handle:
        assert handle.read() == b"kept"


def test_a_thousand_images_are_quick_and_repeat_with_their_seed(appender: Bench) -> None:
    trace = appender.traced("no_fsync")
    began = time.process_time()
    images = list(crash_images(trace, SEED, 1000))
    assert images == list(crash_images(trace, SEED, 1000))
    assert time.process_time() - began < 10
    assert images != list(crash_images(trace, SEED + 1, 1000))
    assert len({image.files.get("ledger.jsonl") for image in images}) > 50


def test_marks_come_from_named_descriptors_and_from_the_driver(appender: Bench) -> None:
    run_with_shim(
        [*PYTHON, "-c", "print('saved 7')"],
        prefix=appender.folder,
        trace=appender.trace,
        mark_fds=[1],
    )
    append_mark(appender.trace, "exit 0")
    last = list(crash_images(load_trace(appender.trace), SEED, 20))[-1]
    assert acked(last) == ("saved 7", "exit 0")


@pytest.mark.parametrize("kill", [None, "write:50:torn"])
def test_four_processes_share_one_trace_even_if_one_dies_holding_the_lock(
    appender: Bench, kill: str | None
) -> None:
    fork = (
        "import os, sys\n"
        "pids = [os.fork() for _ in range(2)]\n"
        "fd = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT)\n"
        "for n in range(60): os.write(fd, b'%d %d\\n' % (os.getpid(), n))\n"
        "[os.wait() for pid in pids if pid]\n"
    )
    command = [*PYTHON, "-c", fork, os.path.join(appender.folder, "log")]
    done = run_with_shim(command, prefix=appender.folder, trace=appender.trace, kill=kill)
    assert done.fired == bool(kill)
    trace = load_trace(appender.trace)
    assert len({record.pid for record in trace.records[trace.start :]}) == 4
    assert len(trace.records) - trace.start > 180
    assert unexplained(trace, appender.folder) == ()


def test_a_write_that_the_shim_cannot_see_is_reported(appender: Bench) -> None:
    sneaky = (
        "import mmap, os, sys\n"
        "fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)\n"
        "os.write(fd, b'before'); mmap.mmap(fd, 6)[:] = b'behind'\n"
    )
    path = os.path.join(appender.folder, "mapped")
    run_with_shim([*PYTHON, "-c", sneaky, path], prefix=appender.folder, trace=appender.trace)
    assert unexplained(load_trace(appender.trace), appender.folder) == ("mapped",)


def test_a_copy_inside_the_kernel_is_forced_into_view(appender: Bench) -> None:
    source = os.path.join(appender.root, "source")
    with open(source, "wb") as handle:
        handle.write(os.urandom(70_000))
    copy = f"import shutil; shutil.copyfile({source!r}, {appender.folder + '/copy'!r})"
    done = run_with_shim([*PYTHON, "-c", copy], prefix=appender.folder, trace=appender.trace)
    assert done.returncode == 0, done.stderr
    assert unexplained(load_trace(appender.trace), appender.folder) == ()


def test_git_commits_are_traced_but_for_the_message_draft(appender: Bench) -> None:
    environment = os.environ | {"HOME": appender.root, "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    git = ["git", "-C", appender.folder, *identity]
    subprocess.run([*git, "init", "-q"], check=True, env=environment)
    with open(os.path.join(appender.folder, "note.md"), "w") as handle:
        handle.write("text\n")
    for words in (["add", "note.md"], ["commit", "-q", "-m", "first"]):
        done = run_with_shim(
            [*git, *words], prefix=appender.folder, trace=appender.trace, env=environment
        )
        assert done.returncode == 0, done.stderr
    # git writes this one through stdio, and it is no part of the history.
    blind = {os.path.join(".git", "COMMIT_EDITMSG")}
    assert set(unexplained(load_trace(appender.trace), appender.folder)) <= blind


# ---- SQLite ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("journal", "synchronous"), [("wal", "FULL"), ("truncate", "FULL"), ("delete", "EXTRA")]
)
def test_sqlite_with_every_sync_loses_nothing(place: str, journal: str, synchronous: str) -> None:
    assert sqlite_losses(place, journal, synchronous, SEED) == (0, 0)


def test_sqlite_full_with_a_deleted_journal_may_take_back_the_last_commit(place: str) -> None:
    # FULL does not sync the folder after it has unlinked the journal; EXTRA is there for that.
    corrupt, lost = sqlite_losses(place, "delete", "FULL", SEED)
    assert corrupt == 0
    assert lost > 0


@pytest.mark.parametrize(("journal", "synchronous"), [("wal", "OFF"), ("delete", "OFF")])
def test_sqlite_without_syncs_is_caught(place: str, journal: str, synchronous: str) -> None:
    corrupt, lost = sqlite_losses(place, journal, synchronous, SEED)
    assert corrupt + lost > 20


# ---- the clock ---------------------------------------------------------------------------------


def test_the_wall_clock_shifts_jumps_and_freezes_while_the_monotonic_one_goes_on(
    place: str,
) -> None:
    wall, monotonic = clock_readings(place, "-86400")
    assert all(abs(reading - time.time() + 86_400) < 60 for reading in wall)
    assert all(abs(reading - time.monotonic()) < 60 for reading in monotonic)
    wall, _ = clock_readings(place, "315360000:4")
    jumped = [reading > time.time() + 300_000_000 for reading in wall]
    assert jumped == sorted(jumped)  # the interpreter's own start may use up a reading
    assert 2 <= sum(jumped) <= 5
    wall, monotonic = clock_readings(place, "freeze")
    assert len(set(wall)) == 1
    assert len(set(monotonic)) == 6


# ---- the oracle --------------------------------------------------------------------------------


def test_the_oracle_names_each_way_to_break_a_promise() -> None:
    log = [Logged("write", id_, "h", acked=True) for id_ in ("kept", "lost", "bent", "twice")]
    log += [Logged("write", "gone", "h", acked=True), Logged("delete", "gone", "", acked=True)]
    log += [Logged("write", "maybe", "h", acked=False), Logged("write", "half", "h", acked=False)]
    present = [("kept", "h"), ("bent", "x"), ("twice", "h"), ("twice", "h"), ("gone", "h")]
    present += [("half", "x"), ("new", "h")]
    verdict = check(log, present)
    assert verdict == Verdict(("lost",), ("bent", "half"), ("twice",), ("gone",), ("new",))
    assert not verdict.ok


def test_the_oracle_allows_what_was_not_acknowledged() -> None:
    log = [
        Logged("write", "a", "1", acked=True),
        Logged("write", "a", "2", acked=False),
        Logged("write", "b", "1", acked=True),
        Logged("delete", "b", "", acked=False),
        Logged("delete", "c", "", acked=True),
        Logged("write", "c", "1", acked=False),
    ]
    for present in ({"a": "1"}, {"a": "2"}, {"a": "2", "b": "1", "c": "1"}):
        assert check(log, present).ok
    assert check(log, {"a": "0"}).altered == ("a",)


def test_an_older_acknowledged_content_counts_as_altered() -> None:
    log = [Logged("write", "a", "1", acked=True), Logged("write", "a", "2", acked=True)]
    assert check(log, {"a": "1"}).altered == ("a",)


def test_a_work_log_survives_the_end_of_its_worker(place: str) -> None:
    path = os.path.join(place, "log")
    log = WorkLog(path)
    log.intend("write", "a", "1")
    log.ack("write", "a", "1")
    log.intend("write", "b", "2")
    log.close()
    with open(path, "ab") as handle:
        handle.write(b'["write", "c"')
    assert read_logs([path]) == (
        Logged("write", "a", "1", acked=True),
        Logged("write", "b", "2", acked=False),
    )


def test_the_bound_is_three_over_n() -> None:
    assert rule_of_three(1000) == "0 failures in 1000 trials: at most 0.3 % at 95 %"
    assert rule_of_three(10_000) == "0 failures in 10000 trials: at most 0.03 % at 95 %"
    assert rule_of_three(1000, 1) == "1 failure in 1000 trials: at most 0.47 % at 95 %"
    assert rule_of_three(20) == "0 failures in 20 trials: at most 15 % at 95 %"


def test_the_shim_is_compiled_once(place: str) -> None:
    first = build_shim(place)
    inode = os.stat(first).st_ino
    assert os.stat(build_shim(place)).st_ino == inode
    assert os.listdir(place) == [os.path.basename(first)]
