"""`satchel bench thread` on a set of one's own: words and time together, each session once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from integration.installed import Machine, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

CORPUS: list[dict[str, Any]] = [
    {"id": "pay", "text": "user: round the tax to cents", "timestamp": "2026-03-16T10:00:00Z"},
    {"id": "mail", "text": "user: send receipts by mail", "timestamp": "2026-03-16T12:00:00Z"},
    {"id": "old", "text": "user: send receipts by mail", "timestamp": "2025-01-01T12:00:00Z"},
]
QUERIES: list[dict[str, Any]] = [
    {
        "id": "1",
        "query": "Round taxes to cents",
        "relevant": ["pay"],
        "timestamp": "2026-03-16T11:00:00Z",
    },
    {
        "id": "2",
        "query": "Send receipts",
        "relevant": ["mail"],
        "timestamp": "2026-03-16T12:01:00Z",
    },
    {"id": "3", "query": "Zzyzx", "relevant": ["mail"], "timestamp": "2026-03-16T12:01:00Z"},
]


def put(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


def test_words_and_time_together_find_what_neither_does(machine: Machine) -> None:
    corpus = put(machine.directory / "corpus.jsonl", CORPUS)
    queries = put(machine.directory / "queries.jsonl", QUERIES)
    words = ("bench", "thread", "--corpus", corpus, "--queries", queries, "--model", "none")
    rows = {row["way"]: row for row in machine.json(*words)}
    assert rows["thread (words and time)"]["recall_1"] == 1
    assert rows["words (BM25)"]["recall_1"] < 1
    out = machine.directory / "run.jsonl"
    machine.ok(*words, "--out", str(out))
    ranked = [json.loads(line)["ranked"] for line in out.read_text("utf-8").splitlines()]
    assert [one[0] for one in ranked] == ["pay", "mail", "mail"]
    assert all(sorted(one) == ["mail", "old", "pay"] for one in ranked)
    machine.fails(2, "bench", "thread", "--data", str(machine.directory / "nowhere"))
