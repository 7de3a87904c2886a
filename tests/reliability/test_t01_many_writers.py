"""T1: many processes remember, update, delete and recall in one project."""

import glob
import json
import os
import re
from collections import Counter
from typing import Any, NamedTuple

import pytest

from reliability.stand import SEED, Stand, finish, percentile, say, scale, start_together
from reliability_kit.oracle import Verdict, check, digest, read_logs
from satchel.engine.search.documents import Filter
from satchel.storage.ledger.lines import decode
from satchel.workspace import Workspace

pytestmark = pytest.mark.torture
_TOKEN = re.compile(r"(?:tok|pref)\d+x\d+")


class Outcome(NamedTuple):
    verdict: Verdict
    errors: list[str]
    unseen: list[str]
    latencies: list[float]


def crowd(stand: Stand, processes: int, count: int, defect: str = "") -> Outcome:
    folder = stand.path("crowd")
    os.mkdir(folder)
    words = (stand.repo, stand.home)
    crowd = [
        stand.start("mixed", *words, number, count, SEED, defect, folder)
        for number in range(processes)
    ]
    start_together(folder, crowd)
    finish(crowd)
    told: list[dict[str, Any]] = []
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path, encoding="utf-8") as file:
            told.append(json.load(file))
    logged = read_logs(sorted(glob.glob(os.path.join(folder, "*.log"))))
    with stand.workspace() as workspace:
        present = []
        for item in workspace.memories.list(Filter(), 1_000_000):
            token = _TOKEN.match(item.record.content)
            present.append((token.group() if token else "?", digest(item.record.content)))
    return Outcome(
        check(logged, present),
        [error for one in told for error in one["errors"]],
        [token for one in told for token in one["unseen"]],
        [seconds for one in told for seconds in one["latencies"]],
    )


def index_differs(workspace: Workspace) -> list[str]:
    """Compare the index with the ledgers, line by line; [] is good."""
    workspace.refresh()
    held = workspace.memories.own.index.hashes()
    wrong = list(workspace.memories.own.index.problems())
    for source in workspace.memories.own.sources:
        lines = b""
        if os.path.exists(source.path):
            with open(source.path, "rb") as file:
                lines = file.read()
        records = [decode(raw).record for raw in lines.split(b"\n") if raw.strip()]
        there = {record.hash for record in records if record}
        if there != held.get(source.path, set()):
            wrong.append(f"{source.path}: {len(there ^ held.get(source.path, set()))} differ")
    return wrong


def test_no_write_is_lost_doubled_or_refused(tmp_path: os.PathLike[str]) -> None:
    stand = Stand(os.fspath(tmp_path))
    processes, count = scale(8, 16), scale(60, 1000)
    done = crowd(stand, processes, count)
    assert done.verdict.ok, done.verdict.describe()
    assert done.errors == []
    assert done.unseen == [], "a memory was not found by the process that had saved it"
    with stand.workspace() as workspace:
        assert index_differs(workspace) == []
        ids = [decode(raw).record for raw in _raw_lines(workspace)]
        versions = Counter((r.id, r.rev) for r in ids if r)
        assert [one for one, times in versions.items() if times > 1] == []
    assert max(done.latencies) <= 5
    figures = [percentile(done.latencies, share) * 1000 for share in (0.5, 0.99, 1.0)]
    say(
        "T1",
        processes * count,
        f"{processes} processes x {count} mixed operations, 0 lost, 0 errors, 0 duplicates, "
        f"index = ledger; p50 {figures[0]:.1f} ms, p99 {figures[1]:.0f} ms, max {figures[2]:.0f} ms",
    )


def _raw_lines(workspace: Workspace) -> set[bytes]:
    # A rotation that was interrupted may leave one line in both files: that is one line.
    ledgers = workspace.memories.stores.ledgers.every_private()
    return {line.raw for ledger in ledgers for line in ledger.read()}


@pytest.mark.parametrize("defect", ["read_modify_replace", "timeout_zero"])
def test_a_seeded_bug_is_caught(tmp_path: os.PathLike[str], defect: str) -> None:
    done = crowd(Stand(os.fspath(tmp_path)), 6, 80, defect)
    assert done.errors or done.unseen or not done.verdict.ok
