"""`satchel bench`: speed, printed as ratios against named floors from one run."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.faces.cli.arguments import parser_for, print_json


def bench(words: Sequence[str]) -> int:
    """`satchel bench hot`."""
    parser = parser_for("bench", "Measure speed against named floors. Uses a scratch home.")
    parser.add_argument("what", choices=("hot",), help="hot: hooks, cold and warm recall, ledger")
    parser.add_argument("--quick", action="store_true", help="a tenth of the data, fewer runs")
    options = parser.parse_args(words)
    from satchel.faces.cli.hot_path_benchmark import measure

    rows = []
    for row in measure(quick=options.quick):
        rows.append(row)
        if not options.json:
            print(row.text(), flush=True)
    if options.json:
        print_json([row._asdict() for row in rows])
    return 0


COMMANDS = {"bench": bench}
