"""`python -m benchmarks hot|search|read|serve`: ratios against named floors from one run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from benchmarks.rows import print_rows
from satchel.interfaces.cli.arguments import count_from, parser_for

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from benchmarks.hot_path import Row

#: Items of the largest store that `--quick` measures.
_QUICK = 10_000


def main() -> int:
    """Measure one group of things and print a row for each."""
    parser = parser_for("bench", "Measure speed against named floors. Uses a scratch home.")
    parser.add_argument(
        "what",
        choices=("hot", "search", "read", "serve"),
        help="hot: hooks, cold and warm recall, ledger; search: hybrid recall and how it grows; "
        "read: tiers, a session's start with everything on, import of transcripts; "
        "serve: the MCP server's start and round trip",
    )
    parser.add_argument(
        "--sizes", default="1000,10000,100000", help="for search: sizes, comma-separated"
    )
    parser.add_argument(
        "--quick", action="store_true", help="use a tenth of the data and fewer runs"
    )
    options = parser.parse_args()
    print_rows(_measured(options), as_json=options.json)
    return 0


def _measured(options: argparse.Namespace) -> Iterator[Row]:
    from benchmarks import hot_path, reading, search, serving

    if options.what == "search":
        sizes = [count_from(size.strip(), "--sizes") for size in options.sizes.split(",")]
        few = [size for size in sizes if size <= _QUICK] if options.quick else sizes
        return search.measure(few, runs=20 if options.quick else 60)
    if options.what == "read":
        return reading.measure(quick=options.quick)
    if options.what == "serve":
        return serving.measure(quick=options.quick)
    return hot_path.measure(quick=options.quick)


if __name__ == "__main__":
    sys.exit(main())
