"""What is found, by every arm, and what it costs in time.

Without options it runs the public sets where they lie beside the checkout. With `--corpus`,
`--queries` and `--out` it answers one set and writes its rankings.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.corpora import Corpus, Question, questions, triples
from benchmarks.rows import print_rows
from satchel.core.errors import BadInputError
from satchel.engine.inference.model_choice import EMBED, choice_of, open_embedder
from satchel.engine.inference.static import open_table
from satchel.engine.search.hybrid import KINDS, WEIGHTS, Weights
from satchel.features.graph.passages import PassageGraph, linked_by_title
from satchel.interfaces.cli.arguments import parser_for

if TYPE_CHECKING:
    from satchel.engine.inference.contracts import Embedder

#: Set -> its kind of source, its files of questions.
SETS = {
    "locomo": ("conversation", ("queries",)),
    "sessions": ("documents", ("queries",)),
    "beads": ("tasks", ("queries", "links.queries")),
    "lavra": ("documents", ("queries",)),
    "musique": ("documents", ("queries",)),
    "hotpotqa": ("documents", ("queries",)),
    "cosqa": ("code", ("queries",)),
}
_DEPTH = 100
_GRAPH_SEEDS = 10
#: Share of a graph that was only guessed from titles; one of given relations gets the usual share.
_GUESSED = 0.2


class Arm(NamedTuple):
    """One way to answer: its name, the mode of search, what weighs how much, with the graph."""

    name: str
    mode: str = "hybrid"
    weights: Callable[[Weights], Weights] | None = None
    graph: bool = False


def _alone(weights: Weights) -> Weights:
    """Leave words and vectors."""
    return weights._replace(late=0.0, time=0.0, beside=0.0, together=0.0)


#: From the floor up: each adds one signal to the one before it. The last but one is what is used
#: where no graph is at hand.
ARMS = (
    Arm("words (BM25)", "keyword", _alone),
    Arm("vectors", "semantic", _alone),
    Arm("words + vectors", weights=_alone),
    Arm("+ late interaction", weights=lambda w: w._replace(time=0.0, beside=0.0, together=0.0)),
    Arm("+ neighbours, same task", weights=lambda w: w._replace(time=0.0)),
    Arm("+ time", weights=None),
    Arm("+ graph", graph=True),
)


class Figures(NamedTuple):
    """What one arm reached on one set, each 0 to 1, and milliseconds for a question."""

    set: str
    arm: str
    recall_5: float
    recall_10: float
    recall_20: float
    mrr: float
    ms: float

    def text(self) -> str:
        """Spell the row."""
        return (
            f"{self.set:<20} {self.arm:<24} {self.recall_5:.3f}  {self.recall_10:.3f}  "
            f"{self.recall_20:.3f}  {self.mrr:.3f}  {self.ms:7.1f}"
        )


HEAD = f"{'set':<20} {'arm':<24} {'R@5':<5}  {'R@10':<5}  {'R@20':<5}  {'MRR':<5}  {'ms':>7}"


def answer_set(
    corpus: str, queries: str, out: str, *, kind: str, triples_path: str, model: str, keep: str
) -> str:
    """Answer every question of a file; write {"id", "ranked"} lines; return a line about it."""
    for given in filter(None, (corpus, queries, triples_path)):
        if os.path.exists(out) and os.path.exists(given) and os.path.samefile(out, given):
            raise BadInputError(f"{out} is what the questions are asked of.", hint="Name another.")
    opened = open_corpus(corpus, kind, model, keep)
    expand = _graph_arm(opened, triples_path)
    begin, count = time.perf_counter(), 0
    with open(out, "w", encoding="utf-8") as file:
        for question in questions(queries):
            found = opened.search(
                question,
                limit=_DEPTH,
                expand=expand and expand(question),
                weights=_weights(opened, given=bool(triples_path)),
            )
            ranked = [one.hit.document.id for one in found]
            file.write(json.dumps({"id": question.id, "ranked": ranked}) + "\n")
            count += 1
    each = (time.perf_counter() - begin) / max(count, 1) * 1000
    arms = "words" if opened.vectors is None else "words, vectors, late interaction"
    more = ", graph" if expand is not None else ""
    return f"{count} questions answered as {opened.kind} by {arms}{more}: {each:.1f} ms each, {out}"


def measure_sets(data: str, names: Sequence[str], *, model: str, keep: str) -> Iterator[Figures]:
    """Run every arm over the public sets below `data`."""
    for name in names or SETS:
        if name not in SETS:
            raise BadInputError(f"There is no set {name!r}.", hint=f"Sets: {', '.join(SETS)}.")
        kind, files = SETS[name]
        directory = os.path.join(data, name)
        corpus = open_corpus(os.path.join(directory, "corpus.jsonl"), kind, model, keep)
        facts = os.path.join(directory, "triples.jsonl")
        expand = _graph_arm(corpus, facts if os.path.exists(facts) else "")
        for file in files:
            asked = [
                question
                for question in questions(os.path.join(directory, file + ".jsonl"))
                if question.relevant
            ]
            if not asked:
                raise BadInputError(f"No question of {directory}/{file}.jsonl says what is right.")
            label = name if file == "queries" else f"{name} {file.split('.')[0]}"
            for arm in ARMS:
                if arm.graph and expand is None:
                    continue
                if corpus.vectors is None and arm.mode != "keyword":
                    continue
                if arm.graph and not os.path.exists(facts):
                    arm = arm._replace(weights=lambda w: w._replace(graph=_GUESSED))  # noqa: PLW2901
                yield _figures(label, arm, corpus, asked, expand if arm.graph else None)


def _weights(corpus: Corpus, *, given: bool) -> Weights:
    weights = WEIGHTS[corpus.kind]
    return weights if given else weights._replace(graph=_GUESSED)


Expanding = Callable[[Question], Callable[[Mapping[int, float]], Mapping[int, float]]]


def _figures(
    label: str, arm: Arm, corpus: Corpus, asked: Sequence[Question], expand: Expanding | None
) -> Figures:
    weights = arm.weights(WEIGHTS[corpus.kind]) if arm.weights else None
    sums = [0.0] * 4
    begin = time.perf_counter()
    for question in asked:
        found = corpus.search(
            question,
            limit=_DEPTH,
            mode=arm.mode,
            expand=expand and expand(question),
            weights=weights,
        )
        ranked = [one.hit.document.id for one in found]
        for place, k in enumerate((5, 10, 20)):
            hit = len(set(ranked[:k]) & set(question.relevant))
            sums[place] += hit / len(question.relevant)
        first = next((n for n, ident in enumerate(ranked, 1) if ident in question.relevant), 0)
        sums[3] += 1 / first if first else 0.0
    each = (time.perf_counter() - begin) / len(asked) * 1000
    means = [total / len(asked) for total in sums]
    return Figures(label, arm.name, means[0], means[1], means[2], means[3], each)


def open_corpus(path: str, kind: str, model: str, keep: str) -> Corpus:
    """Index a corpus and give it its vectors, with a bar on a terminal."""
    if kind and kind not in KINDS:
        raise BadInputError(f"There is no kind {kind!r}.", hint=f"Kinds: {', '.join(KINDS)}.")
    index = ":memory:"
    if keep:
        os.makedirs(keep, exist_ok=True)
        name = os.path.basename(os.path.dirname(os.path.abspath(path)))
        # By its content: turns of a corpus that grew have other places.
        with open(path, "rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()[:12]
        index = os.path.join(keep, f"{name}-{content}.db")
    table = open_table()
    corpus = Corpus(
        path,
        index,
        embedder=_embedder(model),
        static=(lambda texts: [bytes(row) for row in table.codes_of_many(texts)])
        if table
        else None,
        kind=kind,
    )
    if corpus.vectors is not None:
        from satchel.interfaces.cli.progress import ProgressBar

        total = corpus.vectors.waiting()
        with ProgressBar("embedding") as bar:
            corpus.embed(lambda left: bar(total - left, total))
    return corpus


def _embedder(model: str) -> Embedder | None:
    """Open the model; say on standard error if it cannot be had."""
    return open_embedder(choice_of(model, EMBED), tell=lambda text: print(text, file=sys.stderr))


def _graph_arm(corpus: Corpus, path: str) -> Expanding | None:
    """Build a graph of ready-made triples or, without them, of titles that passages name.

    None where neither says anything: conversations, code and issues are not linked by title.
    """
    if path:
        graph = PassageGraph(triples(path))
    elif corpus.kind == "documents" and corpus.has_titles():
        graph = PassageGraph(linked_by_title(corpus.texts()))
    else:
        return None
    rows = corpus.rows()
    names = {row: ident for ident, row in rows.items()}

    def of_question(
        question: Question,
    ) -> Callable[[Mapping[int, float]], Mapping[int, float]]:
        def expand(scores: Mapping[int, float]) -> Mapping[int, float]:
            best = sorted(scores, key=lambda row: -scores[row])[:_GRAPH_SEEDS]
            top = scores[best[0]] or 1.0
            seeds = {names[row]: (scores[row] / top) ** 2 for row in best}
            found = graph.rank(seeds, graph.named_in(question.text))
            near = sorted(found, key=lambda ident: -found[ident])[:_DEPTH]
            return {rows[ident]: found[ident] for ident in near if ident in rows}

        return expand

    return of_question


def main() -> int:
    """Measure the public sets, or answer one set of questions."""
    parser = parser_for(
        "bench retrieval", "Measure what is found, arm by arm, or answer one set of questions."
    )
    parser.add_argument("set", nargs="*", help="public sets to measure; none measures all")
    parser.add_argument("--data", default="../shared/eval", help="directory of the public sets")
    parser.add_argument("--corpus", default="", help="documents to search, JSON lines")
    parser.add_argument("--queries", default="", help="questions, JSON lines")
    parser.add_argument("--out", default="", help="where the rankings are written, JSON lines")
    parser.add_argument("--kind", default="", help="conversation, documents, code or tasks")
    parser.add_argument("--triples", default="", help="entities and relations of the documents")
    parser.add_argument("--model", default="built-in", help="as in the setting model.embed")
    parser.add_argument("--keep", default="", metavar="DIR", help="keep the indexes here")
    options = parser.parse_args()
    files = (options.corpus, options.queries, options.out)
    if any(files):
        if not all(files):
            raise BadInputError("--corpus, --queries and --out belong together.")
        how = {"kind": options.kind, "model": options.model, "keep": options.keep}
        print(answer_set(*files, triples_path=options.triples, **how))
        return 0
    if not os.path.isdir(options.data):
        raise BadInputError(
            f"{options.data} is not a directory.", hint="--data says directory of the public sets."
        )
    rows = measure_sets(options.data, options.set, model=options.model, keep=options.keep)
    print_rows(rows, HEAD, as_json=options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
