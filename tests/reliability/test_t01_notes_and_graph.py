"""T1 and T3 for notes and the graph: many processes at once, and processes that are killed."""

import glob
import json
import os
import random
import re
import signal
import subprocess
import time
from typing import Any

import pytest

from reliability.stand import SEED, Stand, finish, percentile, say, scale, start_together
from reliability_kit.oracle import Verdict, check, digest, read_logs
from satchel.features.graph.ingest import INGEST

pytestmark = pytest.mark.torture
_TOKEN = re.compile(r"(?:tok|ing)\d+x\d+")
#: Words answer at once; what a model finds is no matter of this test.
_SETTINGS = '[model]\nembed = "none"\n'
_KILLED = ("add", "ingest", "evolve", "reindex")


def present(stand: Stand) -> list[tuple[str, str]]:
    """Every note and every ingest that a person finds."""
    with stand.workspace() as workspace:
        with workspace.notes as notebook:
            texts = [note.title for note in notebook.notes()]
        with workspace.graph as own:
            store = own.graph().store
            memories = [store.text(ident) for ident in store.hashes(INGEST)]
            assert store.database.problems() == []
            again = dict(own.statistics()), own.rebuild()
            assert again[0]["texts"] == again[1]["texts"]
            assert again[0]["relations"] == again[1]["relations"]
    texts += [memory.content for memory in memories if memory]
    found = [(token.group(), digest(text)) for text in texts if (token := _TOKEN.match(text))]
    return sorted(found)


def verdict_of(stand: Stand) -> Verdict:
    logs = glob.glob(os.path.join(stand.root, "**", "*.log"), recursive=True)
    return check(read_logs(sorted(logs)), present(stand))


def crowd(stand: Stand, processes: int, count: int, defect: str = "") -> list[dict[str, Any]]:
    folder = stand.path("crowd")
    os.mkdir(folder)
    words = (stand.repo, stand.home, "crowd")
    workers = [
        stand.start("notes_and_graph", *words, number, count, defect, folder)
        for number in range(processes)
    ]
    start_together(folder, workers)
    finish(workers)
    told = []
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path, encoding="utf-8") as file:
            told.append(json.load(file))
    return told


def test_notes_and_graph_take_many_writers_at_once(tmp_path: os.PathLike[str]) -> None:
    stand = Stand(os.fspath(tmp_path), settings=_SETTINGS)
    processes, count = scale(8, 8), scale(8, 200)
    told = crowd(stand, processes, count)
    assert [error for one in told for error in one["errors"]] == []
    assert [token for one in told for token in one["unseen"]] == []
    verdict = verdict_of(stand)
    assert verdict.ok, verdict.describe()
    latencies = [seconds for one in told for seconds in one["latencies"]]
    say(
        "T1 notes and graph",
        processes * count,
        f"{processes} processes x {count} of add, ingest, search, evolve, reindex: 0 lost, "
        f"0 doubled, 0 errors; p50 {percentile(latencies, 0.5) * 1000:.0f} ms, "
        f"max {max(latencies):.1f} s",
    )


def test_a_lock_that_is_asked_for_once_is_noticed(tmp_path: os.PathLike[str]) -> None:
    stand = Stand(os.fspath(tmp_path), settings=_SETTINGS)
    told = crowd(stand, 6, 12, "timeout_zero")
    assert any(one["errors"] for one in told)


def trial(stand: Stand, number: int, dice: random.Random, defect: str = "") -> tuple[float, str]:
    """Kill one worker of each role; return how long the next start took, and complaints."""
    folder = stand.path(f"trial{number}")
    os.mkdir(folder)
    workers = [
        stand.start("notes_and_graph", stand.repo, stand.home, role, f"{number}{at}", 0, defect,
                    folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for at, role in enumerate(_KILLED)
    ]  # fmt: skip
    for process in workers:
        assert process.stdout
        assert process.stdout.read(3) == b"up\n", process.stderr and process.stderr.read()
    time.sleep(0.15)
    for process in dice.sample(workers, len(workers)):
        time.sleep(dice.random() * 0.1)
        process.send_signal(signal.SIGKILL)
    complaints = b"".join(process.communicate()[1] for process in workers)
    ran = stand.satchel("learnings", "search", "gate pool")
    assert ran.code == 0, ran.text
    return ran.seconds, complaints.decode()


def test_what_notes_and_graph_acknowledged_survives_sigkill(tmp_path: os.PathLike[str]) -> None:
    dice = random.Random(SEED)
    stand = Stand(os.fspath(tmp_path), settings=_SETTINGS)
    trials, slowest = scale(4, 200), 0.0
    for number in range(trials):
        seconds, complaints = trial(stand, number, dice)
        assert complaints == ""
        slowest = max(slowest, seconds)
    verdict = verdict_of(stand)
    assert verdict.ok, verdict.describe()
    acked = sum(
        one.acked for one in read_logs(glob.glob(os.path.join(tmp_path, "trial*", "*.log")))
    )
    assert acked > trials
    assert slowest <= 10
    say("T3 notes and graph", trials, f"{trials * 4} kills, {acked} acknowledged, 0 lost; "
        f"slowest next start {slowest:.2f} s")  # fmt: skip


def test_lines_that_wait_in_memory_are_noticed(tmp_path: os.PathLike[str]) -> None:
    dice = random.Random(SEED)
    stand = Stand(os.fspath(tmp_path), settings=_SETTINGS)
    for number in range(6):
        trial(stand, number, dice, "lines_buffered")
        if not verdict_of(stand).ok:
            return
    pytest.fail("lines that were never written were not missed in 6 trials")
