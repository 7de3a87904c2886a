"""Satchel beside its peers: one machine, one run, one generated corpus. Run it by `make peers`.

Every system saves the same short memories and answers the same questions. Nothing here says who
finds better; that is `python -m benchmarks retrieval`. Machines differ: compare rows of one run only.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
_VERBS = ("fails without", "needs", "must not touch", "is slow because of", "was fixed by",
          "depends on", "breaks when given", "ignores")  # fmt: skip
_DEEP = 10
_STARTS = 5
#: Peers of our table that cannot be measured in this run, and why.
SKIPPED = {
    "txtai 9.14": "needs torch, several GB, and downloads its model at run time",
    "mem0 2.2": "asks a model on the network for its vectors",
    "mcp-memory-service-lite 12.3": "downloads its model at run time",
    "MemPalace 3.11": "downloads its model at run time",
    "basic-memory 0.23": "saves about 8 memories a second: 20 minutes for 10,000",
    "qmd 2.8": "is no Python package; its models are downloaded at run time",
}


class Row(NamedTuple):
    """What one system came to: memories a second, milliseconds, megabytes; None: there is none."""

    name: str
    ingest: float
    warm: float
    cold: float | None
    megabytes: float | None

    def text(self) -> str:
        """Spell the row."""
        cold = "-" if self.cold is None else f"{self.cold:,.0f}"
        size = "-" if self.megabytes is None else f"{self.megabytes:,.0f}"
        return f"{self.name:<34} {self.ingest:>12,.0f} {self.warm:>12.2f} {cold:>10} {size:>8}"


HEAD = f"{'system':<34} {'ingest /s':>12} {'warm p50 ms':>12} {'cold ms':>10} {'MB':>8}"


def corpus(items: int, questions: int) -> tuple[list[str], list[str]]:
    """Make memories and questions, the same on every machine."""
    dice = random.Random(20261122)
    names = [f"{a}{b}" for a in "bcdfglmnprst" for b in ("ator", "ilo", "enda", "umix", "ora")]
    things = [f"{one} {other}" for one in names for other in names]
    memories = [
        f"{dice.choice(things)} {dice.choice(_VERBS)} {dice.choice(things)} "
        f"in {dice.choice(names)} {number}"
        for number in range(items)
    ]
    asked = [
        f"why does {memory.split()[0]} {memory.split()[1]} {dice.choice(_VERBS)} anything"
        for memory in dice.sample(memories, questions)
    ]
    return memories, asked


def timed(work: Callable[[], object]) -> float:
    """Seconds that something takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def warm(ask: Callable[[str], object], questions: Sequence[str]) -> float:
    """Median milliseconds of a question, after one that warms up."""
    ask(questions[0])
    return statistics.median(timed(partial(ask, one)) for one in questions) * 1000


def cold(line: Sequence[str], **environment: str) -> float:
    """Median milliseconds of a command from start to end."""
    env = {**os.environ, **environment}

    def run() -> None:
        subprocess.run(line, env=env, stdout=subprocess.DEVNULL, check=True)

    run()
    return statistics.median(timed(run) for _ in range(_STARTS)) * 1000


def installed(python: str, *packages: str) -> float:
    """Megabytes of packages and all that they require, as installed beside `python`."""
    code = """if True:
        import importlib.metadata as m, re, sys
        left, seen, size = list(sys.argv[1:]), set(), 0
        while left:
            name = re.sub(r"[-_.]+", "-", left.pop()).lower()
            if name in seen:
                continue
            seen.add(name)
            try:
                d = m.distribution(name)
            except m.PackageNotFoundError:
                continue
            for file in d.files or ():
                path = d.locate_file(file)
                size += path.stat().st_size if path.exists() else 0
            left += [re.match(r"[\\w.-]+", r).group() for r in d.requires or () if "extra ==" not in r]
        print(size / 1e6)
    """
    done = subprocess.run([python, "-c", code, *packages], stdout=subprocess.PIPE, check=True)
    return float(done.stdout)


def in_other(python: str, system: str, directory: str, data: str) -> Row:
    """Measure a peer in a process of its own venv."""
    line = [python, "-P", os.path.abspath(__file__), "--inside", system, directory, data]
    done = subprocess.run(line, stdout=subprocess.PIPE, check=True, text=True)
    return Row(*json.loads(done.stdout.splitlines()[-1]))


def agentrecall(directory: str, memories: Sequence[str], questions: Sequence[str]) -> Row:
    """agentrecall-db, keyword mode: its semantic mode downloads a model."""
    import agentrecall as peer  # type: ignore[import-not-found, unused-ignore]

    path = os.path.join(directory, "agentrecall.db")
    memory = peer.Memory(path, embeddings=False)
    seconds = timed(lambda: memory.add_many(list(memories)))
    found = warm(lambda question: memory.search(question, k=_DEEP), questions)
    memory.close()
    command = os.path.join(os.path.dirname(sys.executable), "agentrecall")
    line = [command, "--db", path, "--embeddings", "false", "search", questions[1]]
    size = installed(sys.executable, "agentrecall-db")
    return Row("agentrecall-db, keyword", len(memories) / seconds, found, cold(line), size)


def bm25s(directory: str, memories: Sequence[str], questions: Sequence[str]) -> Row:
    """bm25s with a stemmer, in memory: an index is built whole."""
    del directory
    import bm25s as peer  # type: ignore[import-not-found, unused-ignore]
    import Stemmer  # type: ignore[import-not-found, unused-ignore]

    stemmer = Stemmer.Stemmer("english")
    retriever = peer.BM25()

    def tokens(texts: object) -> object:
        return peer.tokenize(texts, stemmer=stemmer, show_progress=False)

    seconds = timed(lambda: retriever.index(tokens(list(memories)), show_progress=False))
    found = warm(lambda q: retriever.retrieve(tokens([q]), k=_DEEP, show_progress=False), questions)
    size = installed(sys.executable, "bm25s", "PyStemmer")
    return Row("bm25s, in memory", len(memories) / seconds, found, None, size)


INSIDE = {"agentrecall": agentrecall, "bm25s": bm25s}


def fts5(directory: str, memories: Sequence[str], questions: Sequence[str]) -> Row:
    """Raw FTS5: the floor of every store of text."""
    import apsw

    from satchel.engine.search.tokens import match_expression

    database = apsw.Connection(os.path.join(directory, "fts5.db"))
    database.execute("CREATE VIRTUAL TABLE t USING fts5 (c, tokenize = 'porter unicode61')")

    def fill() -> None:
        with database:
            database.executemany("INSERT INTO t VALUES (?)", [(text,) for text in memories])

    sql = f"SELECT c FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT {_DEEP}"
    seconds = timed(fill)
    found = warm(lambda q: list(database.execute(sql, (match_expression(q),))), questions)
    return Row("raw FTS5", len(memories) / seconds, found, None, None)


def brute_force(directory: str, memories: Sequence[str], questions: Sequence[str]) -> Row | str:
    """MiniLM and one numpy product over everything: the floor of every store of vectors."""
    del directory
    import numpy as np

    from satchel.engine.inference.built_in import open_built_in

    model = open_built_in()
    if model is None:
        return "the built-in model is not installed"
    begin = time.perf_counter()
    parts = [model.embed(memories[at : at + 64]) for at in range(0, len(memories), 64)]
    rows = np.concatenate(parts)
    seconds = time.perf_counter() - begin

    def ask(question: str) -> object:
        scores = rows @ model.embed([question], query=True)[0]
        return np.argsort(-scores)[:_DEEP]

    size = installed(sys.executable, "satchel-models", "onnxruntime", "tokenizers", "numpy")
    return Row("MiniLM + numpy", len(memories) / seconds, warm(ask, questions), None, size)


def satchel(directory: str, memories: Sequence[str], questions: Sequence[str]) -> list[Row]:
    """Satchel: saved in one go, as an import does, then asked by each of its methods."""
    from satchel.storage.ledger.record import Record
    from satchel.workspace import Workspace

    root, home = os.path.join(directory, "project"), os.path.join(directory, "home")
    os.makedirs(os.path.join(root, ".satchel"))
    with open(os.path.join(root, ".satchel", "project.toml"), "w", encoding="utf-8") as file:
        file.write('[project]\nid = "01PEERSPEERSPEERSPEERSPEER"\n')
    command = os.path.join(os.path.dirname(sys.executable), "satchel")
    ours = installed(sys.executable, "satchel")
    model = installed(sys.executable, "satchel-models", "onnxruntime", "tokenizers", "numpy")
    with Workspace.open(root, home=home) as workspace:
        seconds = timed(
            lambda: workspace.memories.own.append(
                [Record(kind="learned", content=text) for text in memories]
            )
        )
        seconds += timed(workspace.refresh)
        vectors = timed(workspace.embed)
        rows = []
        for method, spent, size in (
            ("keyword", seconds, ours),
            ("fast", seconds + vectors, ours + model),
            ("hybrid", seconds + vectors, ours + model),
        ):
            ask = partial(workspace.recall, limit=_DEEP, method=method)
            found = warm(ask, questions)
            line = [command, "-C", root, "recall", questions[1], "--method", method]
            started = cold(line, SATCHEL_HOME=home)
            rows.append(Row(f"Satchel, {method}", len(memories) / spent, found, started, size))
    return rows


def main() -> None:
    """Measure all, and print a row for each as it is known."""
    parser = argparse.ArgumentParser(description="Measure Satchel beside its peers.")
    parser.add_argument("--items", type=int, default=10_000, help="memories (10,000)")
    parser.add_argument("--questions", type=int, default=50, help="questions (50)")
    parser.add_argument("--peers", default=os.path.join(ROOT, ".venv-peers", "bin", "python"))
    parser.add_argument("--inside", nargs=3, default=(), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        system, directory, data = options.inside
        with open(data, encoding="utf-8") as file:
            memories, questions = json.load(file)
        print(json.dumps(INSIDE[system](directory, memories, questions)))
        return
    memories, questions = corpus(options.items, options.questions)
    print(f"{options.items:,} memories, {options.questions} questions\n{HEAD}")
    with tempfile.TemporaryDirectory(prefix="satchel-peers-") as directory:
        data = os.path.join(directory, "data.json")
        with open(data, "w", encoding="utf-8") as file:
            json.dump([memories, questions], file)
        print(fts5(directory, memories, questions).text(), flush=True)
        for system in INSIDE:
            try:
                print(in_other(options.peers, system, directory, data).text(), flush=True)
            except (OSError, subprocess.CalledProcessError) as error:
                print(f"{system:<34} skipped: {error}", flush=True)
        row = brute_force(directory, memories, questions)
        told = f"{'MiniLM + numpy':<34} skipped: {row}" if isinstance(row, str) else row.text()
        print(told, flush=True)
        for one in satchel(directory, memories, questions):
            print(one.text(), flush=True)
    for name, why in SKIPPED.items():
        print(f"{name:<34} skipped: {why}")


if __name__ == "__main__":
    main()
