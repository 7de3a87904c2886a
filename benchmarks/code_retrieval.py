"""From a commit's subject to the files that it changed: recall@5 on real commits of a repository.

    PYTHONPATH=src python benchmarks/code_retrieval.py [REPOSITORY ...] [--commits 60]

For each sampled commit the work tree of a temporary clone is what the commit found: its parent.
Nothing later is read. Plain BM25 over whole files (path and text, the same words) is ranked in the
same run. The right files are those that the commit changed and that its parent had: 1 to 5 of them,
code and its tests; `--all` counts documentation, configuration and data too.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

import apsw

from satchel.core.clock import Clock
from satchel.engine.inference.static import open_table
from satchel.features.code.search.questions import expression, take_apart
from satchel.features.code.search.ranking import CODEGRAPH, HEURISTIC, WEIGHTS, Ranker
from satchel.features.code.service import Code
from satchel.features.code.symbols.roles import role_of
from satchel.features.code.symbols.words import index_words

CODE = {"source", "test", "script", "style"}
MOST = 5


def git(root: str, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "surrogateescape")


def sampled(
    root: str, most: int, *, every_role: bool, seed: int
) -> list[tuple[str, str, list[str]]]:
    """Commits as (sha, subject, right files), drawn at random and put in the order of time."""
    found = []
    log = git(root, "log", "--no-merges", "--name-status", "--no-renames", "-z",
              "--format=%x1e%H%x1f%P%x1f%s%x1f")  # fmt: skip
    for block in log.split("\x1e")[1:]:
        sha, parents, subject, tail = block.split("\x1f", 3)
        if not parents.strip():
            continue
        parts = [p.strip("\n") for p in tail.split("\0") if p.strip("\n")]
        changed = [p for kind, p in zip(parts[::2], parts[1::2], strict=False) if kind in "MD"]
        right = [p for p in changed if every_role or role_of(p) in CODE]
        if 1 <= len(right) <= MOST:
            found.append((sha, subject, right))
    if len(found) > most:
        found = random.Random(seed).sample(found, most)
    order = {sha: at for at, sha in enumerate(git(root, "rev-list", "HEAD").split())}
    return sorted(found, key=lambda one: -order[one[0]])


class PlainBm25:
    """The floor: BM25 over whole files with the same words, kept in step by the files' hashes."""

    def __init__(self) -> None:
        self._database = apsw.Connection(":memory:")
        self._database.execute(
            "CREATE VIRTUAL TABLE whole USING fts5 (words, tokenize = 'porter unicode61')"
        )
        self._known: dict[str, tuple[int, str]] = {}
        self._next = 1

    def follow(self, root: str, code: Code) -> None:
        files = {f.path: f.hash for f in code.ranker.files.values() if f.hash}
        for path in [p for p, (_, mark) in self._known.items() if files.get(p) != mark]:
            self._database.execute("DELETE FROM whole WHERE rowid = ?", (self._known.pop(path)[0],))
        for path in sorted(files.keys() - self._known.keys()):
            with open(os.path.join(root, path), "rb") as file:
                text = path + "\n" + file.read(1_000_000).decode("utf-8", "replace")
            row = (self._next, index_words(text))
            self._database.execute("INSERT INTO whole (rowid, words) VALUES (?, ?)", row)
            self._known[path] = self._next, files[path]
            self._next += 1

    def rank(self, text: str) -> list[str]:
        asked = expression(dict.fromkeys(take_apart(text).words, 1))
        if not asked:
            return []
        by_number = {number: path for path, (number, _) in self._known.items()}
        sql = "SELECT rowid FROM whole WHERE whole MATCH ? ORDER BY rank LIMIT 10"
        return [by_number[row[0]] for row in self._database.execute(sql, (asked,))]


def recall(ranked: Sequence[str], right: Sequence[str], at: int = MOST) -> float:
    return len(set(ranked[:at]) & set(right)) / len(right)


def measure(root: str, most: int, *, every_role: bool, seed: int, ablate: bool, verbose: bool
            ) -> dict[str, list[float]]:  # fmt: skip
    """Rank every sampled commit by every way; print and return the recalls."""
    ways = {"bm25": 0.0, HEURISTIC: 0.0, CODEGRAPH: 0.0}
    weights = {CODEGRAPH: WEIGHTS}
    if ablate:
        for arm in ("past", "churn", "graph", "together", "pair", "path", "name", "meaning"):
            weights[f"without {arm}"] = {**WEIGHTS, arm: 0.0}
    ways |= dict.fromkeys(weights, 0.0)
    recalls: dict[str, list[float]] = {way: [] for way in ways}
    firsts: dict[str, list[float]] = {way: [] for way in ways}
    cold, warm, files = 0.0, [], 0
    with tempfile.TemporaryDirectory(prefix="satchel-code-") as directory:
        clone, home = os.path.join(directory, "clone"), os.path.join(directory, "home")
        git(
            directory, "clone", "--quiet", "--shared", "--no-checkout", os.path.abspath(root), clone
        )
        chosen = sampled(clone, most, every_role=every_role, seed=seed)
        plain, table = PlainBm25(), open_table()
        code_of = None if table is None else table.code
        for sha, subject, right in chosen:
            git(clone, "checkout", "--quiet", "--force", "--detach", sha + "^")
            with Code.open(clone, home=home, clock=Clock()) as code:
                began = time.perf_counter()
                code.refresh()
                took = time.perf_counter() - began
                cold, files = max(cold, took), len(code.ranker.files)
                warm.append(took)
                plain.follow(clone, code)
                for way in ways:
                    ranker = Ranker(code.store, weights.get(way, WEIGHTS), code_of=code_of)
                    began = time.perf_counter()
                    if way == "bm25":
                        ranked = plain.rank(subject)
                    else:
                        method = HEURISTIC if way == HEURISTIC else CODEGRAPH
                        ranked = [one.path for one in ranker.rank(subject, most=10, method=method)]
                    ways[way] += time.perf_counter() - began
                    recalls[way].append(recall(ranked, right))
                    place = next((at for at, p in enumerate(ranked, 1) if p in right), 0)
                    firsts[way].append(1 / place if place else 0.0)
                    if verbose and way == CODEGRAPH and recalls[way][-1] < 1:
                        print(f"- {subject}\n    right {right}\n    found {ranked[:6]}")
    count = max(1, len(chosen))
    print(f"\n{os.path.basename(os.path.abspath(root))}: {len(chosen)} commits, {files} files; "
          f"first map {cold:.2f} s, next {sorted(warm)[len(warm) // 2] if warm else 0:.3f} s")  # fmt: skip
    for way, values in recalls.items():
        print(f"  {way:<18} R@5 {sum(values) / count:.3f}  MRR {sum(firsts[way]) / count:.3f}  "
              f"{1000 * ways[way] / count:6.1f} ms")  # fmt: skip
    return recalls


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", nargs="*", default=["."])
    parser.add_argument("--commits", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="every role of file is right")
    parser.add_argument("--ablate", action="store_true", help="leave out one arm at a time")
    parser.add_argument("--verbose", action="store_true", help="print what was missed")
    options = parser.parse_args()
    total: dict[str, list[float]] = {}
    for root in options.repositories:
        found = measure(root, options.commits, every_role=options.all, seed=options.seed,
                        ablate=options.ablate, verbose=options.verbose)  # fmt: skip
        for way, values in found.items():
            total.setdefault(way, []).extend(values)
    if len(options.repositories) > 1:
        count = max(1, len(next(iter(total.values()), [])))
        print(f"\nall: {count} commits")
        for way, values in total.items():
            print(f"  {way:<18} R@5 {sum(values) / count:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
