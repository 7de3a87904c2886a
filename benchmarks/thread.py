"""Which session a commit comes from, by its message and time alone.

The corpus has a session a line, with `timestamp`; the questions are messages of commits, with
theirs. Lines and ids, which make a link certain, are no part of such a set: this is the weakest
evidence that there is, and what is found by it is only ever told as a guess.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.corpora import Corpus, Question, questions
from benchmarks.retrieval import ARMS, Arm, open_corpus
from benchmarks.rows import print_rows
from satchel.application.thread.guesses import rank
from satchel.core import times
from satchel.core.errors import BadInputError
from satchel.interfaces.cli.arguments import parser_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Ranking = Callable[[Question], list[str]]

_DEPTH = 300
#: What the words alone find, and what they are for the linker: neither knows the time.
_WORDS, _MEANING = ARMS[0], ARMS[4]


class LinkFigures(NamedTuple):
    """What one way of linking reached, each 0 to 1, and milliseconds for a commit."""

    way: str
    recall_1: float
    recall_5: float
    ms: float

    def text(self) -> str:
        """Spell the row."""
        return f"{self.way:<28} {self.recall_1:.3f}  {self.recall_5:.3f}  {self.ms:7.1f}"


HEAD = f"{'commit to session':<28} {'R@1':<5}  {'R@5':<5}  {'ms':>7}"


class CommitLinker:
    """Ranks the sessions of a corpus for commits.

    Args:
        path: of the corpus.
        model: as in the setting `model.embed`.
        keep: where its index is kept; "" for nowhere.
    """

    def __init__(self, path: str, *, model: str, keep: str) -> None:
        self.corpus: Corpus = open_corpus(path, "documents", model, keep)
        self.spans = _spans(path)

    def by(self, arm: Arm) -> Ranking:
        """Return the ranking of one arm of the search."""
        return lambda question: [ident for ident, _ in self._found(question, arm)]

    def by_time(self, question: Question) -> list[str]:
        """Rank by time alone."""
        return [ident for ident, _ in rank(question.asked or 0.0, self.spans, {})]

    def linked(self, question: Question) -> list[str]:
        """Rank as `satchel why COMMIT` does where nothing else is known."""
        arm = _MEANING if self.corpus.vectors is not None else _WORDS
        words = dict(reversed(self._found(question, arm)))
        return [ident for ident, _ in rank(question.asked or 0.0, self.spans, words)]

    def _found(self, question: Question, arm: Arm) -> list[tuple[str, float]]:
        from satchel.engine.search.hybrid import WEIGHTS

        weights = arm.weights(WEIGHTS[self.corpus.kind]) if arm.weights else None
        hits = self.corpus.search(question, limit=_DEPTH, mode=arm.mode, weights=weights)
        return [(one.hit.document.id, one.score) for one in hits]


def measure(linker: CommitLinker, path: str) -> Iterator[LinkFigures]:
    """Measure words, time and both on the questions of a file."""
    asked = [one for one in questions(path) if one.relevant]
    if not asked:
        raise BadInputError(f"No question of {path} says what is right.")
    ways: list[tuple[str, Ranking]] = [(_WORDS.name, linker.by(_WORDS))]
    if linker.corpus.vectors is not None:
        ways.append((_MEANING.name, linker.by(_MEANING)))
    ways += [("time", linker.by_time), ("thread (words and time)", linker.linked)]
    for name, ranked in ways:
        yield _figures(name, ranked, asked)


def answer(linker: CommitLinker, path: str, out: str) -> int:
    """Write {"id", "ranked"} for every question; return how many there were."""
    count = 0
    with open(out, "w", encoding="utf-8") as file:
        for question in questions(path):
            ranked = linker.linked(question)[:100]
            file.write(json.dumps({"id": question.id, "ranked": ranked}) + "\n")
            count += 1
    return count


def files_in(data: str) -> tuple[str, str]:
    """Return the corpus and the questions of the public set below a directory."""
    place = os.path.join(data, "sessions")
    if not os.path.isdir(place):
        raise BadInputError(f"There is no {place}.", hint="--data says where the sets are.")
    return os.path.join(place, "corpus.jsonl"), os.path.join(place, "queries.jsonl")


def _figures(name: str, ranked: Ranking, asked: Sequence[Question]) -> LinkFigures:
    begin, sums = time.perf_counter(), [0.0, 0.0]
    for question in asked:
        found = ranked(question)
        for place, depth in enumerate((1, 5)):
            hit = len(set(found[:depth]) & set(question.relevant))
            sums[place] += hit / len(question.relevant)
    each = (time.perf_counter() - begin) / len(asked) * 1000
    return LinkFigures(name, sums[0] / len(asked), sums[1] / len(asked), each)


def _spans(path: str) -> dict[str, tuple[float, float]]:
    """Read when each session was: a moment, or from `timestamp` to `ended`."""
    found = {}
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        for line in file:
            if line.strip():
                fields = json.loads(line)
                at = times.seconds_of(str(fields.get("timestamp"))) or 0.0
                ended = times.seconds_of(str(fields.get("ended"))) or at
                found[str(fields["id"])] = (at, ended)
    return found


def main() -> int:
    """Measure how well commits are linked, or write the rankings."""
    parser = parser_for("bench thread", "Measure which session a commit is said to come from.")
    parser.add_argument("--data", default="../shared/eval", help="directory of the public sets")
    parser.add_argument("--corpus", default="", help="sessions, JSON lines")
    parser.add_argument("--queries", default="", help="messages of commits, JSON lines")
    parser.add_argument("--out", default="", help="where rankings are written, JSON lines")
    parser.add_argument("--model", default="built-in", help="as in the setting model.embed")
    parser.add_argument("--keep", default="", metavar="DIR", help="keep the indexes here")
    options = parser.parse_args()
    corpus, queries = options.corpus, options.queries
    if not (corpus and queries):
        corpus, queries = files_in(options.data)
    linker = CommitLinker(corpus, model=options.model, keep=options.keep)
    if options.out:
        print(f"{answer(linker, queries, options.out)} commits linked: {options.out}")
    else:
        print_rows(measure(linker, queries), HEAD, as_json=options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
