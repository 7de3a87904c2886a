"""How often what research calls a conflict is one, on pairs of statements that are labelled.

    PYTHONPATH=src python benchmarks/research_conflicts.py [--show]

`research_corpus/pairs.tsv` holds pairs of this project's documentation that an earlier rule took for
conflicts (none of them is one), and pairs that are made up: some that are alike and exclude nothing,
some that cannot both hold. Research shows conflicts only while the precision here is at least .8;
tests/unit/test_research_conflicts.py holds it to that.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from satchel.application.research.conflicts import why_exclusive

CORPUS = Path(__file__).parent / "research_corpus" / "pairs.tsv"
CONFLICT = "conflict"


class Pair(NamedTuple):
    """Two statements, whether they exclude each other, and where they are from."""

    label: str
    origin: str
    one: str
    other: str


class Measured(NamedTuple):
    """How many were called conflicts, how many of these rightly, and how many there are."""

    called: int
    right: int
    there: int

    @property
    def precision(self) -> float:
        """The share of what was called a conflict that is one."""
        return self.right / self.called if self.called else 1.0

    @property
    def recall(self) -> float:
        """The share of conflicts that were called so."""
        return self.right / self.there if self.there else 1.0


def pairs(path: Path = CORPUS) -> list[Pair]:
    """Read the corpus."""
    lines = path.read_text("utf-8").splitlines()
    return [Pair(*line.split("\t")) for line in lines if line and not line.startswith("#")]


def measured(corpus: Iterable[Pair]) -> Measured:
    """Say how the rule in force does."""
    told = [(pair, bool(why_exclusive(pair.one, pair.other))) for pair in corpus]
    called = [pair for pair, why in told if why]
    right = sum(pair.label == CONFLICT for pair in called)
    return Measured(len(called), right, sum(pair.label == CONFLICT for pair, _ in told))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--show", action="store_true", help="print what is judged wrongly")
    options = parser.parse_args()
    corpus = pairs()
    done = measured(corpus)
    print(f"{len(corpus) - done.there} pairs that exclude nothing, {done.there} that do")
    print(
        f"precision {done.precision:.2f} ({done.right} of {done.called}), recall {done.recall:.2f}"
    )
    for pair in corpus if options.show else ():
        why = why_exclusive(pair.one, pair.other)
        if bool(why) != (pair.label == CONFLICT):
            print(f"{pair.label}: {pair.one} | {pair.other} | {why}")


if __name__ == "__main__":
    main()
