"""What is told of files that an agent opens: how much of it is right, and how often it is wrong.

    python -m benchmarks touches [--data DIR] [TRANSCRIPT ...]

Each row replays touches of files (Read, Edit, Write), session after session, and counts what
`hooks.touch` would tell. `recorded` are the sessions of the tests, or the given transcripts. With
`--data` come two public sets. `transcripts`: the memories are the sentences in which earlier
sessions named a file; one is right for the file that its session opened under that very path.
`tasks`: the memories of a tracker; the files are those that a task names, and a memory is right for
the files of the task under which it was captured. That is a lower bound: only known answers count.
The rules of what is told are not tuned to any of them.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from satchel.application.briefs.sections import Item
from satchel.application.briefs.touched_file import MOST, SECTION, touched_file_brief
from satchel.application.recall.named_files import files_named
from satchel.core.hashing import short_hash
from satchel.features.injections.injection_ledger import InjectedItem, Injection
from satchel.storage.ledger.record import Record
from satchel.testing import run_git, temporary_workspace
from satchel.workspace import Workspace

ROOT = Path(__file__).parents[1]
_TOUCHING = ("Read", "Edit", "Write")
_SHORTEST, _LONGEST = 40, 400


class Session(NamedTuple):
    """The files that a session opened, and the memories that are left of it, with their files."""

    name: str
    touched: tuple[str, ...]
    left: tuple[tuple[str, frozenset[str]], ...] = ()


class Counts(NamedTuple):
    """What was told in all sessions of a set, and the seconds that it took to look files up."""

    touches: int
    told: int
    wrong: int
    tokens: int
    looks: int = 0
    seconds: float = 0.0

    def row(self, name: str, sessions: int) -> str:
        """Spell one line of the table."""
        right = f"{1 - self.wrong / self.told:.2f}" if self.told else "-"
        each = max(1, self.touches)
        return (
            f"{name:<13}{sessions:>9}{self.touches:>9}{self.told:>7}{right:>11}"
            f"{self.wrong / each:>14.1%}{self.told / each:>12.1%}{self.tokens:>8}"
            f"{1000 * self.seconds / max(1, self.looks):>9.1f}"
        )


HEAD = (
    f"{'set':<13}{'sessions':>9}{'touches':>9}{'told':>7}{'precision':>11}"
    f"{'wrong/touch':>14}{'told/touch':>12}{'tokens':>8}{'ms/look':>9}"
)


def session_of(path: str) -> tuple[str, Session]:
    """Read a transcript of Claude Code: when it began, and what it came to."""
    touched: list[str] = []
    texts: list[str] = []
    began = ""
    for record in _records(path):
        began = began or str(record.get("timestamp") or "")
        message = record.get("message")
        parts = message.get("content") if isinstance(message, dict) else None
        if record.get("type") != "assistant" or not isinstance(parts, list):
            continue
        for part in parts:
            if part.get("type") == "text":
                texts += str(part["text"]).splitlines()
            elif part.get("name") in _TOUCHING:
                given = str(part["input"].get("file_path") or "")
                below = os.path.relpath(given, str(record.get("cwd") or "/"))
                touched += [] if below.startswith("..") else [below]
    mine = frozenset(touched)
    lines = (line.strip(" -*#") for line in texts)
    left = [one for one in lines if _SHORTEST <= len(one) <= _LONGEST and files_named(one)]
    return began, Session(path, tuple(touched), tuple((one, mine) for one in dict.fromkeys(left)))


def _records(path: str) -> Iterator[dict[str, Any]]:
    for line in Path(path).read_text("utf-8", "replace").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue  # a line that a crash tore
        if isinstance(record, dict):
            yield record


def transcripts(paths: Sequence[str]) -> list[Session]:
    """Return recorded sessions, oldest first."""
    return [session for _, session in sorted(map(session_of, paths))]


def tasks(data: str) -> tuple[list[Session], list[Session]]:
    """Return a tracker's memories, and its tasks as sessions that open the files they name."""

    def lines(name: str) -> list[dict[str, Any]]:
        return list(_records(os.path.join(data, "lavra", name)))

    # `.md` is no file that anybody opens.
    asked = {
        row["id"]: sorted(one for one in set(files_named(row["query"])) if one[0] != ".")
        for row in lines("queries.jsonl")
    }
    right: dict[str, set[str]] = {}
    for row in lines("queries.jsonl"):
        for ident in row["relevant"]:
            right.setdefault(ident, set()).update(asked[row["id"]])
    left = [(row["text"], frozenset(right.get(row["id"], ()))) for row in lines("corpus.jsonl")]
    return [Session("before", (), tuple(left))], [Session(i, tuple(f)) for i, f in asked.items()]


def replay(before: Sequence[Session], sessions: Sequence[Session], show: bool) -> Counts:  # noqa: FBT001 -- an option
    """Open every file of every session in its order; count what is told."""
    counts = Counts(0, 0, 0, 0)
    with temporary_workspace(git=True) as workspace:
        _lay_out(workspace, sessions)
        gold: dict[str, frozenset[str]] = {}
        for one in before:
            gold |= _remember(workspace, one)
        for one in sessions:
            counts = _touch(workspace, one, gold, counts, show=show)
            gold |= _remember(workspace, one)
    return counts


def _lay_out(workspace: Workspace, sessions: Sequence[Session]) -> None:
    """Make all files that any session opens, empty: which names are ambiguous depends on them."""
    root = workspace.project.place.root
    paths = {path for one in sessions for path in one.touched}
    directories = {str(above) for path in paths for above in Path(path).parents}
    for path in paths - directories:
        full = Path(root, path)
        full.parent.mkdir(parents=True, exist_ok=True)
        if not full.exists():
            full.touch()
    run_git(root, "add", "--all")


def _remember(workspace: Workspace, one: Session) -> dict[str, frozenset[str]]:
    made = [(_lesson(text), paths) for text, paths in one.left]
    if made:
        ledger = workspace.memories.stores.ledgers.private("learned")
        ledger.append([record for record, _ in made])
        workspace.refresh()
    return {record.identity: paths for record, paths in made}


def _lesson(text: str) -> Record:
    key = short_hash(text.encode("utf-8", "replace"))
    return Record(kind="learned", key=key, content=text, trust="user")


def _touch(
    workspace: Workspace,
    one: Session,
    gold: dict[str, frozenset[str]],
    counts: Counts,
    *,
    show: bool,
) -> Counts:
    """Open one session's files: each is looked up once, and few are told of."""
    told: list[Injection] = []
    for path in dict.fromkeys(one.touched):
        if len(told) == MOST:
            break
        files, began = workspace.briefs.files, time.perf_counter()
        brief = touched_file_brief(workspace, path, session=one.name, before=told, files=files)
        counts = counts._replace(
            looks=counts.looks + 1, seconds=counts.seconds + time.perf_counter() - began
        )
        if not brief.text:
            continue
        items = tuple(_item(placed.item) for placed in brief.placed)
        told.append(Injection(0, one.name, "PreToolUse", "", brief.tokens, 0, 0, items))
        wrong = path not in gold[items[0].identity]
        counts = counts._replace(
            told=counts.told + 1,
            wrong=counts.wrong + wrong,
            tokens=counts.tokens + brief.tokens,
        )
        if show:
            print(f"{'wrong' if wrong else 'right'}  {path}: {brief.placed[0].item.raw[:120]}")
    return counts._replace(touches=counts.touches + len(one.touched))


def _item(item: Item) -> InjectedItem:
    return InjectedItem(item.identity, item.id, SECTION, 1, 0, item.why)


def main() -> None:
    """Print a row for each set."""
    parser = argparse.ArgumentParser(description="Print how much of what is told is right.")
    parser.add_argument("--data", default="", help="the public sets")
    parser.add_argument("--show", action="store_true", help="print each memory that is told")
    parser.add_argument("transcripts", nargs="*")
    options = parser.parse_args()
    places = str(
        ROOT / "tests/clients/recorded/claude-code-*/thread/home/.claude/projects/*/*.jsonl"
    )
    own = transcripts(options.transcripts or glob.glob(places))
    sets: list[tuple[str, list[Session], list[Session]]] = [("recorded", [], own)]
    if options.data:
        found = glob.glob(os.path.join(options.data, "transcripts", "*.jsonl"))
        sets += [("transcripts", [], transcripts(found)), ("tasks", *tasks(options.data))]
    rows = [replay(b, s, options.show).row(name, len(s)) for name, b, s in sets]
    print("\n".join([HEAD, *rows]))


if __name__ == "__main__":
    main()
