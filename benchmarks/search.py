"""The benchmark of search: hybrid recall against the raw engines beneath it, and how it grows.

The floor is what cannot be avoided: the raw FTS5 query, and a scan of all vectors in one numpy
product. Vectors are of hashed words, because the time of a search does not depend on what they
mean and a million texts take a model half an hour; the model's own speed is measured beside it.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.hot_path import Row, Scratch, against, alternate, percentile
from hashed_words import HashedEmbedder
from satchel.application.recall.questions import HYBRID, Method
from satchel.engine.inference.built_in import open_built_in
from satchel.engine.inference.static import open_table
from satchel.engine.search.tokens import match_expression
from satchel.engine.search.vectors import Vectors, unpack
from satchel.workspace import Workspace

_SUBJECTS = ("build", "login", "cache", "parser", "migration", "queue", "retry", "max_tokens")
_DEEP = 100
_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
#: Above it nobody waits for a cold start.
_COLD = 100_000
_MODEL_TEXTS = 1000


def measure(sizes: Sequence[int], *, runs: int) -> Iterator[Row]:
    """Measure every size, one row after the other; each size in a process of its own."""
    yield from _model()
    with tempfile.TemporaryDirectory(prefix="satchel-bench-") as directory:
        for size in sizes:
            code = "import sys; from benchmarks import search as b; b.one(sys.argv)"
            done = subprocess.run(
                [sys.executable, "-c", code, directory, str(size), str(runs)],
                stdout=subprocess.PIPE,
                text=True,
                check=True,
                cwd=_ROOT,
            )
            for line in done.stdout.splitlines():
                name, ours, floor, ratio, goal, floor_name, unit = line.split("\t")
                yield Row(name, float(ours), float(floor), float(ratio), goal, floor_name, unit)


def one(arguments: Sequence[str]) -> None:
    """Measure one size; print its rows with tabs between the fields."""
    directory, size, runs = arguments[1], int(arguments[2]), int(arguments[3])
    for row in _size(directory, size, runs):
        print("\t".join(map(str, row)), flush=True)


def _size(directory: str, size: int, runs: int) -> Iterator[Row]:
    label = f"{size:,} items"
    begin = time.perf_counter()
    scratch = Scratch(directory, size)
    words_only = size / (time.perf_counter() - begin)
    yield Row(f"ingest, {label}: ledger, words", words_only, 0, 0, "-", "", "/s")
    with Workspace.open(scratch.root, home=scratch.home) as workspace:
        index = workspace.memories.own.index
        before = index.database.size()
        table = open_table()
        codes = table and (lambda texts: [bytes(row) for row in table.codes_of_many(texts)])
        vectors = Vectors(index.database, HashedEmbedder(), codes or None)
        begin = time.perf_counter()
        while vectors.embed_waiting(most=512):
            pass
        each = size / (time.perf_counter() - begin)
        yield Row(f"ingest, {label}: vectors without a model", each, 0, 0, "-", "", "/s")
        yield Row(f"peak memory of that ingest, {label}", _peak(), 0, 0, "flat", "", "MB")
        yield Row(f"disk, {label}: text and words", before / size, 0, 0, "-", "", "B")
        after = (index.database.size() - before) / size
        yield Row(f"disk, {label}: vectors, codes, tokens", after, 0, 0, "-", "", "B")
        yield from _warm(workspace, vectors, label, runs)
    if table is not None and size <= _COLD:
        yield from _cold(scratch, label, max(15, runs // 4))


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _warm(workspace: Workspace, vectors: Vectors, label: str, runs: int) -> Iterator[Row]:
    from satchel.application.recall.questions import RecallRequest
    from satchel.application.recall.search.every_store import recall

    database = workspace.memories.own.index.database
    matrix = _matrix(vectors)
    sql = f"SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT {_DEEP}"
    method = Method(HYBRID, vectors_of=lambda _: vectors)
    rnd = random.Random(11)
    ours: list[float] = []
    raw: list[float] = []
    for number in range(runs + 3):
        question = f"why does the {rnd.choice(_SUBJECTS)} need w{rnd.randrange(300)} and w7"
        asked = vectors.encode_query(question)
        begin = time.perf_counter()
        database.read(sql, (match_expression(question),))
        scores = matrix @ asked.vector
        np.argpartition(scores, -min(_DEEP, len(scores)))
        between = time.perf_counter()
        recall(RecallRequest(question, 10, method=method), workspace.memories.stores.every())
        if number >= 3:
            raw.append((between - begin) * 1000)
            ours.append((time.perf_counter() - between) * 1000)
    for p in (50, 95):
        mine, floor = percentile(ours, p), percentile(raw, p)
        name = f"raw FTS5 + raw vector scan ({floor:.2f} ms)"
        yield Row(f"warm hybrid recall, {label}, p{p}", mine, floor, mine / floor, "<= 3x", name)


def _matrix(vectors: Vectors) -> np.ndarray:
    """Every vector as float32: the floor scans them all, exactly."""
    rows = vectors.database.read("SELECT vector FROM vectors ORDER BY number")
    values, scales = unpack([bytes(row[0]) for row in rows])  # type: ignore[arg-type]
    return values.astype(np.float32) * scales[:, None]


def _cold(scratch: Scratch, label: str, runs: int) -> Iterator[Row]:
    question = "why is the cache slow with w7"
    environment = {**scratch.environment, "SATCHEL_EMBED_BACKGROUND": "0"}
    cases = {
        "bare": ([sys.executable, "-c", "pass"], b""),
        "fast": (scratch.command("recall", question), b""),
    }
    times = alternate(scratch, cases, runs, environment)
    title = f"cold hybrid recall (words and codes), {label}, p50"
    yield against(times, "fast", title, 50, "<= 8x at 10,000")
    yield against(times, "fast", title.replace("p50", "p95"), 95, "-")


def _model() -> Iterator[Row]:
    """How fast the built-in model is, where it is installed."""
    embedder = open_built_in()
    if embedder is None:
        return
    rnd = random.Random(3)
    pool = [*_SUBJECTS, "fails", "because", "the", "of", "with", "when", "after", "connection"]
    texts = [" ".join(rnd.choices(pool, k=30)) for _ in range(_MODEL_TEXTS)]
    begin = time.perf_counter()
    embedder.encode(texts)
    each = len(texts) / (time.perf_counter() - begin)
    yield Row("built-in model, texts of 30 words", each, 0, 0, "-", "", "/s")
