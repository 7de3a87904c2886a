"""What the gate lets through: own prompts answered rightly against foreign prompts answered at all.

    python benchmarks/relevance_gate.py [--data DIR] [--words]

Prints a curve for each store: for thresholds of confidence the share of prompts about it that get a
right memory among at most three, the share of what is shown that is right (a lower bound: only known
answers count), and the share of prompts about something else that get anything. A star marks the
setting. Stores are the sections of our own documentation and, with `--data`, public sets: issues of
a tracker asked by commit messages, and by linked issues; sessions asked by commit messages; memories
asked by tasks; and a few of them alone. `--words` leaves vectors out. Foreign prompts come from
other projects than the store, and none of them is among those that stores are calibrated by.

Below the curves stands what is said of a pushed memory ("93 % likely") beside how often such a
memory was right, over all stores but the check, which the fit has not seen, and over the check.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from benchmarks.abstention import ABOUT_OTHERS, ABOUT_US, corpus
from satchel.application.recall.relevance import relevant_memories
from satchel.core.kinds import kinds_with_prompt
from satchel.features.memories.embedding import calibrate_anew
from satchel.storage.ledger.record import Record
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

THRESHOLDS = (0.5, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995)
_MOST_ITEMS = 3


class Asked(NamedTuple):
    """A prompt and the keys of the memories that answer it, () where it is about something else."""

    prompt: str
    right: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()


class Set(NamedTuple):
    """A store and what it is asked."""

    name: str
    memories: list[Record]
    own: list[Asked]
    foreign: list[Asked]


def documentation() -> Set:
    """Sections of our own documentation: any section of the right page is right."""
    records = corpus()
    pages: dict[str, set[str]] = {}
    for record in records:
        pages.setdefault(record.category, set()).add(record.key)
    own = [Asked(q, frozenset(pages[page])) for q, page in ABOUT_US.items()]
    return Set("documentation", records, own, [Asked(q) for q in ABOUT_OTHERS])


def public(data: str) -> Iterator[Set]:
    """Stores and prompts of the public sets."""

    def lines(name: str) -> list[dict[str, Any]]:
        with open(os.path.join(data, name), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def told(rows: Sequence[dict[str, Any]], field: str = "query") -> list[Asked]:
        return [Asked(str(row[field])[:1500]) for row in rows]

    talk = told(lines("signals/turns.jsonl"), "text")[::3]
    commits = told(lines("sessions/queries.jsonl"))[::3]
    web = told(lines("cosqa/queries.jsonl"))[:60]
    others = told(lines("beads/queries.jsonl"))[::3]
    issues = {row["id"]: row for row in lines("beads/corpus.jsonl")}
    asked, linked = lines("beads/queries.jsonl"), lines("beads/links.queries.jsonl")
    half = [row for row in asked if _number(row["id"]) % 2 == 0]
    yield _issues("issues", issues, half, 300, [*talk, *commits])
    yield _issues("all issues", issues, half, 4000, [*talk, *commits])
    yield _issues("linked issues", issues, linked, 400, [*talk, *commits])
    few = [row for row in half if len(row["relevant"]) == 1]
    for number in range(3):
        yield _issues(
            f"few issues {number}", issues, few[number * 6 : number * 6 + 6], 0, [*talk, *commits]
        )
    sessions = [
        _lesson(row["id"], " ".join(re.findall(r"^user: (.*)", row["text"], re.MULTILINE))[:700])
        for row in lines("sessions/corpus.jsonl")
    ]
    yield Set("sessions", sessions, _asked(lines("sessions/queries.jsonl")), [*others, *web])
    lavra = [_lesson(row["id"], row["text"]) for row in lines("lavra/corpus.jsonl")]
    foreign = told(lines("injection/foreign.jsonl"))
    yield Set(
        "lavra (check)", lavra, _asked(lines("lavra/queries.jsonl")), list(dict.fromkeys(foreign))
    )


def _issues(
    name: str,
    issues: dict[str, dict[str, Any]],
    rows: list[dict[str, Any]],
    more: int,
    foreign: list[Asked],
) -> Set:
    gold = {ident for row in rows for ident in row["relevant"]}
    rest = sorted((i for i in issues if i not in gold), key=_number)[:more]
    kept = [_lesson(i, f"{issues[i]['title']}. {issues[i]['text']}"[:600]) for i in (*gold, *rest)]
    return Set(name, kept, _asked(rows), foreign)


def _asked(rows: Sequence[dict[str, Any]]) -> list[Asked]:
    return [
        Asked(
            row["query"][:1500],
            frozenset(row["relevant"]) - {row["id"].rpartition("/")[2]},
            frozenset([*row.get("exclude", ()), row["id"].rpartition("/")[2]]),
        )
        for row in rows
    ]


def _number(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)


def _lesson(key: str, text: str) -> Record:
    return Record(kind="learned", key=key, content=text or key)


def fill(workspace: Workspace, memories: Sequence[Record], *, words: bool) -> None:
    """Write memories, give them codes and calibrate. Encoding them would change nothing here."""
    workspace.memories.stores.ledgers.private("learned").append(memories)
    workspace.refresh()
    own, table = workspace.memories.own, workspace.models.table()
    database = own.index.database
    if not words and table is not None:
        rows = database.read("SELECT doc_id, title || ' ' || content FROM documents")
        with database.transaction():
            for row, text in rows:
                values = (row, table.code(str(text)))
                database.write("INSERT OR REPLACE INTO codes VALUES (?, ?)", values)
    calibrate_anew(own, workspace.models)


def ask(workspace: Workspace, one: Asked, least: float) -> list[str]:
    """Return the keys of what is let through."""
    found = relevant_memories(workspace, one.prompt, kinds=kinds_with_prompt(), least=least)
    return [f.record.key for f in found if f.record.key not in one.apart][:_MOST_ITEMS]


def curve(workspace: Workspace, data: Set) -> Iterator[str]:
    """One line for each threshold."""
    setting = workspace.project.settings.number("prompt.min_confidence")
    for least in THRESHOLDS:
        own = [(ask(workspace, one, least), one.right) for one in data.own]
        foreign = [ask(workspace, one, least) for one in data.foreign]
        items = sum(len(found) for found, _ in own)
        good = sum(len(right.intersection(found)) for found, right in own)
        hit = sum(bool(right.intersection(found)) for found, right in own) / len(own)
        wrong = sum(map(bool, foreign)) / len(foreign)
        star = "*" if least == setting else " "
        yield (
            f"{data.name:<16}{least:>7.3f}{star}{hit:>9.2f}{good / max(1, items):>11.2f}"
            f"{items / len(own):>13.1f}{wrong:>9.2f}"
        )


def said_and_right(workspace: Workspace, data: Set) -> list[tuple[float, bool]]:
    """Return, of each memory that the setting lets through, what is said and whether it is right."""
    least = workspace.project.settings.number("prompt.min_confidence")
    said = []
    for one in data.own:
        found = relevant_memories(workspace, one.prompt, kinds=kinds_with_prompt(), least=least)
        told = [f for f in found if f.record.key not in one.apart][:_MOST_ITEMS]
        said += [(f.likely, f.record.key in one.right) for f in told]
    return said


def reliability(said: Sequence[tuple[float, bool]]) -> Iterator[str]:
    """One line for each fifth of likelihood."""
    for fifth in range(5):
        held = [one for one in said if fifth <= one[0] * 5 < fifth + 1]
        if held:
            mean, right = (sum(one[k] for one in held) / len(held) for k in (0, 1))
            yield f"{mean:>12.2f}{right:>9.2f}{len(held):>9}"


def main() -> None:
    """Print the curves, and what is said of single memories."""
    parser = argparse.ArgumentParser(description="Print what the gate lets through.")
    parser.add_argument("--data", default="")
    parser.add_argument("--words", action="store_true")
    options = parser.parse_args()
    print(
        f"{'store':<16}{'sure':>7} {'own hit':>9}{'precision':>11}{'items/prompt':>13}{'foreign':>9}"
    )
    said: dict[bool, list[tuple[float, bool]]] = {False: [], True: []}
    for data in [documentation(), *(public(options.data) if options.data else ())]:
        with temporary_workspace() as workspace:
            fill(workspace, data.memories, words=options.words)
            print("\n".join(curve(workspace, data)), flush=True)
            said["check" in data.name] += said_and_right(workspace, data)
    for check, held in said.items():
        if held:
            print(f"\n{'check: said' if check else 'said likely':>12}{'right':>9}{'memories':>9}")
            print("\n".join(reliability(held)))


if __name__ == "__main__":
    main()
