"""`satchel bench`: speed, printed as ratios against named floors from one run."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence

from satchel.interfaces.cli.arguments import count_from, parser_for, print_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.interfaces.cli.bench.hot_path import Row

#: Items of the largest store that `--quick` measures.
_QUICK = 10_000


def bench(words: Sequence[str]) -> int:
    """`satchel bench hot|search|read|serve|retrieval|thread`."""
    if words and words[0] == "retrieval":
        return _retrieval(words[1:])
    if words and words[0] == "thread":
        return _thread(words[1:])
    parser = parser_for("bench", "Measure speed against named floors. Uses a scratch home.")
    parser.add_argument(
        "what",
        choices=("hot", "search", "read", "serve", "retrieval", "thread"),
        help="hot: hooks, cold and warm recall, ledger; search: hybrid recall and how it grows; "
        "read: tiers, a session's start with everything on, import of transcripts; "
        "serve: the MCP server's start and round trip; "
        "retrieval: what is found (`satchel bench retrieval --help`); "
        "thread: which session a commit comes from (`satchel bench thread --help`)",
    )
    parser.add_argument(
        "--sizes", default="1000,10000,100000", help="for search: sizes, comma-separated"
    )
    parser.add_argument(
        "--quick", action="store_true", help="use a tenth of the data and fewer runs"
    )
    options = parser.parse_args(words)
    rows = []
    for row in _measured(options):
        rows.append(row)
        if not options.json:
            print(row.text(), flush=True)
    if options.json:
        print_json([row._asdict() for row in rows])
    return 0


def _measured(options: argparse.Namespace) -> Iterator[Row]:
    if options.what == "search":
        from satchel.interfaces.cli.bench import search

        sizes = [count_from(size.strip(), "--sizes") for size in options.sizes.split(",")]
        few = [size for size in sizes if size <= _QUICK] if options.quick else sizes
        return search.measure(few, runs=20 if options.quick else 60)
    if options.what == "read":
        from satchel.interfaces.cli.bench import reading

        return reading.measure(quick=options.quick)
    if options.what == "serve":
        from satchel.interfaces.cli.bench import serving

        return serving.measure(quick=options.quick)
    from satchel.interfaces.cli.bench import hot_path

    return hot_path.measure(quick=options.quick)


def _thread(words: Sequence[str]) -> int:
    """`satchel bench thread`."""
    parser = parser_for("bench thread", "Measure which session a commit is said to come from.")
    parser.add_argument("--data", default="../shared/eval", help="directory of the public sets")
    parser.add_argument("--corpus", default="", help="sessions, JSON lines")
    parser.add_argument("--queries", default="", help="messages of commits, JSON lines")
    parser.add_argument("--out", default="", help="where rankings are written, JSON lines")
    parser.add_argument("--model", default="built-in", help="as in the setting model.embed")
    parser.add_argument("--keep", default="", metavar="DIR", help="keep the indexes here")
    options = parser.parse_args(words)
    from satchel.interfaces.cli.bench import thread

    corpus, queries = options.corpus, options.queries
    if not (corpus and queries):
        corpus, queries = thread.files_in(options.data)
    linker = thread.CommitLinker(corpus, model=options.model, keep=options.keep)
    if options.out:
        print(f"{thread.answer(linker, queries, options.out)} commits linked: {options.out}")
        return 0
    rows = [*thread.measure(linker, queries)]
    if options.json:
        print_json([row._asdict() for row in rows])
    else:
        print("\n".join([thread.HEAD, *(row.text() for row in rows)]))
    return 0


def _retrieval(words: Sequence[str]) -> int:
    """`satchel bench retrieval`."""
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
    options = parser.parse_args(words)
    from satchel.core.errors import BadInputError
    from satchel.interfaces.cli.bench import retrieval

    if options.corpus or options.queries or options.out:
        if not (options.corpus and options.queries and options.out):
            raise BadInputError("--corpus, --queries and --out belong together.")
        told = retrieval.answer_set(
            options.corpus,
            options.queries,
            options.out,
            kind=options.kind,
            triples_path=options.triples,
            model=options.model,
            keep=options.keep,
        )
        print(told)
        return 0
    if not os.path.isdir(options.data):
        raise BadInputError(
            f"{options.data} is not a directory.", hint="--data says directory of the public sets."
        )
    rows = []
    if not options.json:
        print(retrieval.HEAD)
    for row in retrieval.measure_sets(
        options.data, options.set, model=options.model, keep=options.keep
    ):
        rows.append(row._asdict())
        if not options.json:
            print(row.text(), flush=True)
    if options.json:
        print_json(rows)
    return 0


COMMANDS = {"bench": bench}
