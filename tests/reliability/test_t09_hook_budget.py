"""T9: what a hook costs, as a ratio to a bare start of Python; the only bound is the deadline."""

import os
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from reliability.stand import (
    EVENTS,
    FULL,
    SEED,
    Stand,
    judged_output,
    payload,
    percentile,
    say,
    scale,
    sentence,
)
from satchel.storage.ledger.record import Record

pytestmark = pytest.mark.torture
_DEADLINE = 2.0
_SIZES = (0, 1_000, 100_000) if FULL else (0, 1_000)


def bare_start(times: int) -> float:
    """Median seconds of an interpreter that does nothing."""
    taken = []
    for _ in range(times):
        began = time.monotonic()
        subprocess.run([sys.executable, "-I", "-S", "-c", ""], check=True)
        taken.append(time.monotonic() - began)
    return percentile(taken, 0.5)


def furnished(root: str, size: int) -> Stand:
    stand = Stand(root, settings=f"[rotation]\nabove = {size + 1000}\n")
    dice = random.Random(SEED)
    kinds = ("learned", "decision", "constraint", "fact", "preference")
    with stand.workspace() as workspace:
        records = [
            Record(kind=dice.choice(kinds), content=f"{n}: {sentence(dice, 20)}", key=f"k{n}")
            for n in range(size)
        ]
        workspace.memories.own.append(records)
        workspace.refresh()
    return stand


def fire(stand: Stand, event: str, n: int) -> float:
    sent = payload(event, n, session=f"s{n}")
    ran = stand.satchel("hook", event, stdin=sent)
    assert ran.code == 0, ran.text
    assert not judged_output(ran.out)
    return ran.seconds


@pytest.mark.parametrize("size", _SIZES)
def test_a_hook_is_done_before_the_deadline(tmp_path: os.PathLike[str], size: int) -> None:
    stand = furnished(os.fspath(tmp_path), size)
    times = scale(12, 1000)
    floor = bare_start(20)
    said, slowest = [], 0.0
    for event in EVENTS:
        taken = [fire(stand, event, n) for n in range(times)]
        slowest = max(slowest, *taken)
        middle, high = (percentile(taken, share) / floor for share in (0.5, 0.99))
        said.append(f"{event} {middle:.1f}/{high:.1f}")
    assert slowest <= _DEADLINE
    say(f"T9 {size} memories", times * len(EVENTS), "p50/p99 in bare starts: " + ", ".join(said)
        + f"; bare start {floor * 1000:.1f} ms, slowest {slowest * 1000:.0f} ms")  # fmt: skip


def test_eight_at_once_are_done_before_the_deadline(tmp_path: os.PathLike[str]) -> None:
    stand = furnished(os.fspath(tmp_path), scale(300, 1000))
    times = scale(48, 1000)
    floor = bare_start(20)
    with ThreadPoolExecutor(8) as crowd:
        taken = list(crowd.map(lambda n: fire(stand, EVENTS[n % len(EVENTS)], n), range(times)))
    assert max(taken) <= _DEADLINE
    middle, high = (percentile(taken, share) / floor for share in (0.5, 0.99))
    say("T9 eight at once", times, f"p50/p99 {middle:.1f}/{high:.1f} bare starts, slowest "
        f"{max(taken) * 1000:.0f} ms")  # fmt: skip


def test_a_seeded_bug_is_caught(tmp_path: os.PathLike[str]) -> None:
    """A hook that waits for an answer which never comes is over the deadline."""
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", "import time; time.sleep(2.1)"], check=True)
    assert time.monotonic() - began > _DEADLINE
