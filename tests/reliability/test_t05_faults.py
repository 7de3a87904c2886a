"""T5: each call that touches the disk fails once, and then for good, wherever it stands."""

import os
import re
import shutil
import sys
import time
from collections.abc import Iterator

import pytest

from reliability.stand import FULL, Stand, command, payload, say, scale
from reliability_kit.oracle import Logged, check, digest
from reliability_kit.shim import Completed, loop_every_fault, run_with_shim
from satchel.application.learning.listening.draining import pending_records
from satchel.engine.search.documents import Filter
from satchel.storage.inbox.faults import faults
from satchel.storage.ledger.file import Ledger

pytestmark = pytest.mark.torture
_TOKEN = re.compile(r"tok0x\d+|note\d+n")
_BEFORE = 8
#: Which of SQLite's writes fail, which are half of all calls: page after page of the same files.
_PAGES = scale(5, 1)
if FULL:
    _PLANS = [
        *((call, error) for call in ("write", "pwrite", "anysync", "openw", "rename", "ftruncate",
                                     "mkdir", "unlink")
          for error in ("EIO", "ENOSPC", "EDQUOT", "EROFS", "EACCES")),
        *((call, "EMFILE") for call in ("open", "openw")),
        *(("open", error) for error in ("EIO", "ENOMEM", "EACCES")),
        *(("anywrite", error) for error in ("short", "EINTR")),
        ("anysync", "EINTR"),
    ]  # fmt: skip
else:
    _PLANS = [
        *(("write", error) for error in ("EIO", "ENOSPC", "short", "EINTR")),
        *(("pwrite", "ENOSPC"), ("anysync", "EIO"), ("open", "EMFILE"), ("openw", "EDQUOT")),
        *(("rename", "EIO"), ("ftruncate", "EIO"), ("mkdir", "ENOSPC"), ("unlink", "EIO")),
    ]


class Bench:
    """A project in one known state, to which every run returns."""

    def __init__(self, root: str) -> None:
        self.stand = Stand(root, settings="[rotation]\nabove = 6\nmove = 3\n")
        for n in range(_BEFORE):
            self.stand.satchel("remember", "--kind", "learned", f"tok0x{n}: known before")
        for n in range(2):
            self.stand.satchel("hook", "PostToolUse", stdin=payload("PostToolUse", n))
        assert not faults(self.stand.state.faults)
        self._kept = os.path.join(root, "kept")
        for name in ("home", "repo/.satchel"):
            shutil.copytree(self.stand.path(name), os.path.join(self._kept, name), symlinks=True)

    def reset(self) -> None:
        _wait_for_background(self.stand.repo)
        for name in ("home", "repo/.satchel"):
            _removed(self.stand.path(name))
            shutil.copytree(os.path.join(self._kept, name), self.stand.path(name), symlinks=True)

    def run(self, words: list[str], fault: str, stdin: bytes = b"") -> Completed:
        self.reset()
        return run_with_shim(
            words,
            prefix=self.stand.root,
            env=self.stand.env,
            fault=fault,
            stdin=stdin,
            cwd=self.stand.repo,
        )

    def faulted(
        self, words: list[str], stdin: bytes = b"", *, once: bool = False
    ) -> Iterator[tuple[str, bool, Completed]]:
        """Fail every call of the plan, once and for good; `once`: the latter only in full."""
        # What is opened first is the same for every chore.
        steps = {"pwrite": _PAGES, "open": scale(2, 1) if once else 1}
        for call, error in _PLANS:
            kinds = [False] if error in ("EINTR", "short") else [False, True]
            lasting = FULL or (call in ("write", "openw") and not once)
            for sticky in kinds if lasting else [False]:
                runs = loop_every_fault(
                    lambda fault: self.run(words, fault, stdin), call, error,
                    sticky=sticky, may_be_absent=True, limit=400,
                    step=steps.get(call, 1),
                )  # fmt: skip
                for k, done in runs:
                    yield f"{call}:{k}:{error}{':sticky' if sticky else ''}", sticky, done

    def present(self) -> list[tuple[str, str]]:
        """What is there when the fault has ended; the inbox is drained as by any reader."""
        with self.stand.workspace() as workspace:
            # What the fault kept from being drained may be another process's work by now.
            for _ in range(2_000):
                if not workspace.listening.drain(60).busy:
                    break
                time.sleep(0.02)
            workspace.refresh()
            items = workspace.memories.list(Filter(), 10_000)
        found = [(_TOKEN.search(item.record.content), item.record.content) for item in items]
        return [(match.group(), digest(content)) for match, content in found if match]


def _wait_for_background(repo: str) -> None:
    """Wait for what the run before has left to a process of its own: it would drain the next one."""
    for _ in range(500):
        if not any(_is_upkeep_of(pid, repo) for pid in os.listdir("/proc") if pid.isdigit()):
            return
        time.sleep(0.02)


def _is_upkeep_of(pid: str, repo: str) -> bool:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().split(b"\0")
    except OSError:
        return False
    return b"upkeep" in words and os.fsencode(repo) in words


def _removed(place: str) -> None:
    """Remove a tree in which a drain that was left to the background may still be at work."""
    for _ in range(200):
        shutil.rmtree(place, ignore_errors=True)
        if not os.path.exists(place):
            return
        time.sleep(0.02)
    raise AssertionError(f"{place} keeps being written to")


_OLD = [Logged("write", f"tok0x{n}", digest(f"tok0x{n}: known before"), acked=True)
        for n in range(_BEFORE)]  # fmt: skip
_LESSON = "Lesson number {} of the torture run: keep note{}n in mind"
_EVENTS = [Logged("write", f"note{n}n", digest(_LESSON.format(n, n)), acked=True) for n in (0, 1)]


def clear_end(done: Completed, fault: str) -> str:
    """Say what is wrong with how a command ended: it works, or says clearly why not."""
    if done.timed_out:
        return f"{fault}: hung"
    if b"Traceback" in done.stderr or done.returncode not in (0, 5, 6):
        return f"{fault}: exit {done.returncode}: {done.stderr.decode()[-400:]}"
    if done.returncode and not done.stderr.startswith(b"satchel: "):
        return f"{fault}: no clear error: {done.stderr.decode()[-200:]}"
    return ""


def still_there(bench: Bench, fault: str, new: Logged | None) -> str:
    verdict = check([*_OLD, *_EVENTS, *([new] if new else [])], bench.present())
    if not verdict.ok:
        return f"{fault}: {verdict.describe()}"
    with bench.stand.workspace() as workspace:
        workspace.learn("tok0x99: works again")
        workspace.refresh()
        if not workspace.recall("tok0x99").items:
            return f"{fault}: does not work again when the fault has ended"
    return ""


def worst(wrong: list[str]) -> str:
    return f"{len(wrong)} wrong:\n" + "\n".join(wrong[:6])


def learn_under_faults(
    bench: Bench, words: list[str], *, first: bool = False
) -> tuple[int, int, list[str]]:
    content = "tok0x50: saved while the disk was failing"
    wrong: list[str] = []
    trials, refused = 0, 0
    for fault, _, done in bench.faulted(words):
        trials += 1
        refused += done.returncode != 0
        new = Logged("write", "tok0x50", digest(content), acked=done.returncode == 0)
        wrong += filter(None, [clear_end(done, fault) or still_there(bench, fault, new)])
        if wrong and first:
            break
    return trials, refused, wrong


def test_learn_saves_or_says_that_it_did_not(tmp_path: os.PathLike[str]) -> None:
    bench = Bench(os.fspath(tmp_path))
    words = [command(), "learn", "tok0x50: saved while the disk was failing"]
    trials, refused, wrong = learn_under_faults(bench, words)
    assert not wrong, worst(wrong)
    say("T5 learn", trials, f"{trials} faults, {refused} refused with a clear error, 0 lost")


def test_a_hook_keeps_the_event_or_notes_the_fault(tmp_path: os.PathLike[str]) -> None:
    bench = Bench(os.fspath(tmp_path))
    words = [command(), "hook", "PostToolUse"]
    new = Logged("write", "note7n", digest(_LESSON.format(7, 7)), acked=False)
    wrong: list[str] = []
    trials, kept, noted = 0, 0, 0
    for fault, sticky, done in bench.faulted(words, payload("PostToolUse", 7)):
        trials += 1
        # Where nothing can be written, the person is told at once.
        said = done.stdout.startswith(b'{"systemMessage":"Satchel: not kept: ')
        if done.returncode or (done.stdout and not said) or done.timed_out:
            wrong.append(f"{fault}: exit {done.returncode}, {done.stdout!r}, {done.stderr!r}")
            continue
        texts = [
            record.content for record in pending_records(bench.stand.workspace().project.inbox)
        ]
        here = any("note7n" in text for text in texts)
        told = bool(said or faults(bench.stand.state.faults) or user_faults(bench.stand))
        kept, noted = kept + here, noted + told
        if not (here or told or sticky):
            wrong.append(f"{fault}: neither kept nor noted: {done.stderr.decode()[-200:]}")
        wrong += filter(None, [still_there(bench, fault, new)])
    assert not wrong, worst(wrong)
    say("T5 hook", trials, f"{trials} faults, exit 0 each, {kept} kept, {noted} noted")


def user_faults(stand: Stand) -> list[object]:
    return [*faults(os.path.join(stand.home, "user", "faults.jsonl"))]


@pytest.mark.parametrize("chore", ["drain", "rotate"])
def test_a_chore_harms_nothing(tmp_path: os.PathLike[str], chore: str) -> None:
    trials, wrong = chore_under_faults(Bench(os.fspath(tmp_path)), chore)
    assert not wrong, worst(wrong)
    say(f"T5 {chore}", trials, f"{trials} faults, nothing acknowledged was lost")


def chore_under_faults(bench: Bench, chore: str, defect: str = "") -> tuple[int, list[str]]:
    stand = bench.stand
    words = [sys.executable, "-m", "reliability.workers.chores", chore, stand.repo, stand.home]
    wrong: list[str] = []
    trials = 0
    for fault, _, done in bench.faulted([*words, defect]):
        trials += 1
        wrong += filter(None, [clear_end(done, fault) or still_there(bench, fault, None)])
        if wrong and defect:
            break
    return trials, wrong


def test_sharing_writes_whole_lines_or_none(tmp_path: os.PathLike[str]) -> None:
    bench = Bench(os.fspath(tmp_path))
    stand = bench.stand
    words = [sys.executable, "-m", "reliability.workers.chores", "share", stand.repo, stand.home]
    wrong: list[str] = []
    trials = 0
    for fault, _, done in bench.faulted([*words, ""], once=True):
        trials += 1
        tracked = os.path.join(stand.repo, ".satchel", "knowledge.jsonl")
        lines = Ledger(tracked, tracked, clock=stand.workspace().project.clock).read()
        shared = {line.record.content for line in lines if line.record}
        if any(line.record is None for line in lines):
            wrong.append(f"{fault}: a torn line in the tracked ledger")
        said = int(done.stdout or b"0")
        if len(shared) < said:
            wrong.append(f"{fault}: {said} said to be shared, and {len(shared)} are there")
        wrong += filter(None, [clear_end(done, fault) or still_there(bench, fault, None)])
    assert not wrong, worst(wrong)
    say("T5 share", trials, f"{trials} faults, nothing half shared, nothing lost")


@pytest.mark.parametrize("defect", ["errors_swallowed", "short_ignored"])
def test_a_seeded_bug_in_learn_is_caught(tmp_path: os.PathLike[str], defect: str) -> None:
    bench = Bench(os.fspath(tmp_path))
    words = [sys.executable, "-m", "reliability.workers.chores", "learn"]
    words += [bench.stand.repo, bench.stand.home, defect]
    assert learn_under_faults(bench, words, first=True)[2]


def test_a_seeded_bug_in_draining_is_caught(tmp_path: os.PathLike[str]) -> None:
    assert chore_under_faults(Bench(os.fspath(tmp_path)), "drain", "drain_unlinks_first")[1]
