"""T3: processes are killed at any moment; what was acknowledged is there, and nobody mends."""

import os
import random
import re
import signal
import subprocess
import time
from typing import NamedTuple

import pytest

from reliability.stand import SEED, Stand, ledger_lines, say, scale
from reliability_kit.oracle import Verdict, check, digest, read_logs
from satchel.engine.search.documents import Filter
from satchel.storage.ledger.lines import decode

pytestmark = pytest.mark.torture
_ROLES = ("write", "hook", "rotate", "rebuild")
_TOKEN = re.compile(r"tok\d+x\d+")
_OPENING = b'{"key"'
_SETTINGS = "[rotation]\nabove = 60\nmove = 30\n[inbox]\ndrain_ms = 5000\n"
#: Trials on one project: a fresh one keeps the store as small as it is after a day's work.
_PER_PROJECT = 20


class Trial(NamedTuple):
    verdict: Verdict
    acked: int
    start: float
    complaints: str


def trial(stand: Stand, number: int, dice: random.Random, defect: str = "") -> Trial:
    """Let four work, kill each at a moment of its own, and look."""
    logs = [stand.path(f"{number}-{role}.log") for role in _ROLES]
    words = (stand.repo, stand.home)
    crowd = [
        stand.start("victim", *words, role, f"{number}{at}", defect, log,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for at, (role, log) in enumerate(zip(_ROLES, logs, strict=True))
    ]  # fmt: skip
    for process in crowd:
        assert process.stdout
        assert process.stdout.read(3) == b"up\n", process.stderr and process.stderr.read()
    for process in dice.sample(crowd, len(crowd)):
        time.sleep(dice.random() ** 2 * 0.15)
        process.send_signal(signal.SIGKILL)
    complaints = b""
    for process in crowd:
        complaints += process.communicate()[1]
        assert process.returncode == -signal.SIGKILL, complaints.decode()
    ran = stand.satchel("recall", "harbour meadow")
    assert ran.code == 0, ran.text
    every = [stand.path(name) for name in os.listdir(stand.root) if name.endswith(".log")]
    logged = read_logs(every)
    acked = sum(entry.acked for entry in read_logs(logs))
    return Trial(check(logged, present(stand)), acked, ran.seconds, complaints.decode()[-500:])


def present(stand: Stand) -> list[tuple[str, str]]:
    """What a person sees, after the drain that every reader does."""
    with stand.workspace() as workspace:
        workspace.listening.drain(60)
        found = []
        for item in workspace.memories.list(Filter(), 1_000_000):
            token = _TOKEN.match(item.record.content)
            if token:
                found.append((token.group(), digest(item.record.content)))
        assert not workspace.project.inbox.waiting()
        assert workspace.memories.own.index.problems() == []
    return found


def test_what_was_acknowledged_survives_sigkill(tmp_path: os.PathLike[str]) -> None:
    dice = random.Random(SEED)
    trials = scale(15, 1000)
    acks, starts, noise = 0, [], []
    stand = None
    torn: dict[str, list[bytes]] = {}
    for number in range(trials):
        if number % _PER_PROJECT == 0:
            stand = Stand(os.path.join(tmp_path, str(number)), settings=_SETTINGS)
        assert stand is not None
        done = trial(stand, number, dice)
        assert done.verdict.ok, f"trial {number}: {done.verdict.describe()}"
        assert done.start <= 2, f"trial {number}: the next start took {done.start:.1f} s"
        acks += done.acked
        starts.append(done.start)
        torn[stand.root] = torn_lines(stand)
        noise += [done.complaints] * bool(done.complaints)
    assert noise == [], "a worker was refused although nothing was wrong"
    beginnings = [raw for lines in torn.values() for raw in lines]
    assert len(beginnings) <= trials * 4
    assert [raw for raw in beginnings if raw.count(_OPENING) > 1] == []
    say("T3", trials, f"{trials} trials, {trials * 4} kills, {acks} acknowledged writes, 0 lost, "
        f"0 altered, 0 doubled, {len(beginnings)} lines torn that nobody was told were saved; "
        f"slowest next start {max(starts):.2f} s")  # fmt: skip


def torn_lines(stand: Stand) -> list[bytes]:
    """Return lines that a kill left as beginnings.

    Each is one write, but Linux ends a killed process's write at the next border of a page.
    What was acknowledged is judged elsewhere; here, a beginning may spoil no line after it.
    """
    return [raw for raw in ledger_lines(stand.state) if not decode(raw).record]


@pytest.mark.parametrize("defect", ["drain_unlinks_first", "lines_buffered"])
def test_a_seeded_bug_is_caught(tmp_path: os.PathLike[str], defect: str) -> None:
    dice = random.Random(SEED)
    stand = Stand(os.path.join(tmp_path, "p"), settings=_SETTINGS)
    for number in range(40):
        if not trial(stand, number, dice, defect).verdict.ok:
            return
    pytest.fail(f"{defect} was not caught in 40 trials")
