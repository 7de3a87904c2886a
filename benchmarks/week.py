"""Replay recorded sessions in their order, hooks and all, and say what each day came to.

    python -m benchmarks week [--accept high|all|none] [TRANSCRIPT ...]

docs/bench-week.md explains each figure and keeps those of this release.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.week_figures import NO_LESSON, Figures, by_chance, of_session
from benchmarks.week_replay import COMMAND, Machine, Moment, Recorded, Replay, recorded

ROOT = Path(__file__).parents[1]
RELEASE, README = ROOT / "docs" / "bench-week.md", ROOT / "README.md"
#: Columns of the README's table.
SHORT = (
    "sessions",
    "prompts",
    "kept",
    "suggestions",
    "items",
    "touched",
    "repeats",
    "unsaid",
    "tokens",
)
NUMBER = "touched/1k"
_HEADS = {
    "item_tokens": "item tokens",
    "touched_items": "touched",
    "touched_tokens": "touched tokens",
}
_MOST = "100000"
#: Kinds of suggestions that end in the file that the client reads by itself.
_RULES = "agent_file"


class Week(NamedTuple):
    """All days with their figures, their sum, and what else is worth saying."""

    days: dict[str, Figures]
    total: Figures
    chance: float
    slow: int
    suggested: list[tuple[str, dict[str, Any]]]
    told: list[tuple[str, str]]


class Held:
    """What Satchel held before a session: memories and suggestions, by id."""

    def __init__(self, machine: Machine) -> None:
        rows = machine.satchel("memory", "list", "--limit", _MOST, "--json")
        self.memories = {one["id"]: one for one in rows if one["type"] not in NO_LESSON}
        rows = machine.satchel("review", "--all", "--json")
        self.suggestions = {one["id"]: one for one in rows}

    @property
    def texts(self) -> list[str]:
        """What all of it says."""
        found = [one["content"] for one in self.memories.values()]
        for one in self.suggestions.values():
            found += [text for text in (one["title"], one["quote"]) if text]
        return found

    @property
    def rules(self) -> list[str]:
        """What a person accepted into the file that the client reads."""
        accepted = [one for one in self.suggestions.values() if one["state"] == "accepted"]
        return [one["title"] for one in accepted if one["kind"] == _RULES]


def accept(machine: Machine, tiers: Sequence[str]) -> None:
    """Accept what waits of these tiers, as a person does in the evening."""
    waiting = machine.satchel("review", "--json")
    numbers = [str(one["number"]) for one in waiting if one["tier"] in tiers]
    if numbers:
        machine.satchel("review", ",".join(numbers), "--json")


def replay(sources: Sequence[Recorded], tiers: Sequence[str], folder: str) -> Week:
    """Replay sessions in their order, and count."""
    machine = Machine(folder)
    days: dict[str, Figures] = {}
    every: list[list[Moment]] = []
    suggested: list[tuple[str, str]] = []
    before = Held(machine)
    ordered = sorted(sources, key=lambda one: (one.began, one.session))
    for number, source in enumerate(ordered):
        day = source.began[:10]
        one = Replay(machine, source)
        moments = one.run()
        every.append(moments)
        found = of_session(moments, before.texts, before.rules)
        found.prompts = one.prompts
        if number + 1 == len(ordered) or ordered[number + 1].began[:10] != day:
            accept(machine, tiers)
        after = Held(machine)
        new = [after.suggestions[name] for name in after.suggestions.keys() - before.suggestions]
        suggested += [(day, row["id"]) for row in sorted(new, key=lambda row: str(row["title"]))]
        accepted = [
            row
            for name, row in after.suggestions.items()
            if row["state"] == "accepted"
            and before.suggestions.get(name, {}).get("state") != "accepted"
        ]
        found.suggestions, found.accepted = len(new), len(accepted)
        found.kept = len(after.memories.keys() - before.memories) + len(accepted)
        days.setdefault(day, Figures())
        days[day] += found
        before = after
    total = Figures()
    for figures in days.values():
        total += figures
    told = [
        (source.began[:10], moment.text)
        for source, moments in zip(ordered, every, strict=True)
        for moment in moments
        if moment.what == "told"
    ]
    shown = [(day, before.suggestions[name]) for day, name in suggested]
    return Week(days, total, by_chance(every), machine.slow, shown, told)


def row(figures: Figures) -> dict[str, str]:
    """Return the cells of a row by the heads of their columns."""
    cells = {_HEADS.get(name, name): str(value) for name, value in asdict(figures).items()}
    return {**cells, NUMBER: f"{figures.touched_per_thousand:.2f}"}


def table(week: Week, columns: Sequence[str] = ()) -> list[str]:
    """Return the lines of a Markdown table with these columns, or with all."""
    heads = list(columns or row(week.total))
    lines = [f"| day | {' | '.join(heads)} |", f"|---|{'---:|' * len(heads)}"]
    for day, figures in {**week.days, "all": week.total}.items():
        cells = row(figures)
        lines.append(f"| {day} | {' | '.join(cells[head] for head in heads)} |")
    return lines


def of_release(path: Path) -> dict[str, float]:
    """Return the last row of the table in a file, by column; {} where there is none."""
    rows = [line.strip("|").split("|") for line in _table_in(path)]
    if len(rows) < 3:  # heads, rule, one row
        return {}
    heads, last = ([cell.strip() for cell in row] for row in (rows[0], rows[-1]))
    return {head: float(cell) for head, cell in list(zip(heads, last, strict=True))[1:]}


def _table_in(path: Path) -> list[str]:
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    start = next((n for n, line in enumerate(lines) if line.startswith("| day |")), len(lines))
    end = next((n for n in range(start, len(lines)) if not lines[n].startswith("|")), len(lines))
    return lines[start:end]


def compare(week: Week, path: Path) -> int:
    """Say what differs from the release's figures; return 1 if its number went down."""
    before = of_release(path)
    if not before:
        print(f"No figures of a release in {path}.")
        return 0
    now = {head: float(cell) for head, cell in row(week.total).items()}
    changed = [
        f"{name} {before[name]:g} -> {value:g}"
        for name, value in now.items()
        if name in before and before[name] != value
    ]
    print(f"Against {os.path.relpath(path)}: {', '.join(changed) or 'the same'}.")
    if now[NUMBER] < before[NUMBER]:
        print(f"{NUMBER} went down: that is the number that a release must not lower.")
        return 1
    return 0


def renew(week: Week, path: Path, columns: Sequence[str] = ()) -> None:
    """Put this table where the one of the release stands."""
    old, new = "\n".join(_table_in(path)), "\n".join(table(week, columns))
    if not old:
        raise SystemExit(f"{path} has no table to renew.")
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    beside = os.environ.get("SATCHEL_EVAL") or str(ROOT.parent / "shared" / "eval")
    add("transcripts", nargs="*", type=Path, help="more transcripts of Claude Code")
    add("--data", type=Path, default=Path(beside), help="directory of the public evaluation data")
    add("--only", action="store_true", help="replay only the transcripts that are named")
    add(
        "--accept",
        choices=("high", "all", "none"),
        default="high",
        help="what of each day's suggestions is accepted in the evening",
    )
    add("--renew", action="store_true", help="put the table into the documentation")
    add("--show", action="store_true", help="show suggestions, and what was shown to agents")
    add("--json", action="store_true", help="print the figures as JSON")
    return parser.parse_args()


def main() -> int:
    """Replay, and print."""
    options = _options()
    found = [] if options.only else sorted((options.data / "transcripts").glob("*.jsonl"))
    paths = [*found, *options.transcripts]
    if not paths or (not found and not options.only):
        print(
            f"No recorded sessions in {options.data}/transcripts; SATCHEL_EVAL or --data names the"
            " evaluation data, --only replays just the files that are named.",
            file=sys.stderr,
        )
        return 2
    if not shutil.which(COMMAND):
        print(f"satchel is not installed beside {sys.executable}", file=sys.stderr)
        return 2
    tiers = {"high": ["high"], "all": ["high", "medium", "low"], "none": []}[options.accept]
    with tempfile.TemporaryDirectory() as folder:
        week = replay([recorded(path) for path in paths], tiers, folder)
    if options.json:
        rows = {day: asdict(one) for day, one in {**week.days, "all": week.total}.items()}
        print(
            json.dumps(
                {
                    "days": rows,
                    NUMBER: week.total.touched_per_thousand,
                    "by_chance": round(week.chance, 3),
                }
            )
        )
        return 0
    return _tell(week, options)


def _tell(week: Week, options: argparse.Namespace) -> int:
    print("\n".join(table(week)))
    share = week.total.touched_items / week.total.items if week.total.items else 0
    print(
        f"\nOf the items {share:.0%} concerned what the session then did; "
        f"{week.chance:.0%} would concern a later session instead."
    )
    if week.slow:
        print(f"{week.slow} hooks were near their deadline: run this again on an idle machine.")
    if options.show:
        for day, one in week.suggested:
            print(f"{day} {one['kind']} ({one['tier']}, {one['state']}): {one['title']}")
        for day, text in week.told:
            print(f"\n{day}\n{text}")
    if options.transcripts or options.accept != "high":
        return 0  # another week than the release's
    if options.renew:
        renew(week, RELEASE)
        renew(week, README, SHORT)
        return 0
    return compare(week, RELEASE)


if __name__ == "__main__":
    raise SystemExit(main())
