"""Answer `.beads/memory/recall.sh` calls with the same arguments and the same output."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from satchel.core.errors import BadInputError
from satchel.core.kinds import BEADS_MEMORY, KINDS
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.engine.search.documents import Filter, Source, View
from satchel.engine.search.records import record_of
from satchel.interfaces.rendering import label_of
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace

_USAGE = """Usage: recall.sh <keyword> [--type learned|investigation] [--all]
       recall.sh --recent N
       recall.sh --stats"""
_OPERATORS = frozenset("(){}|+?")
_CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r"\s",
    "punct": r"!-/:-@\[-`{-~",
}
#: Kinds missing from beads memory's ledger: traces of sessions are not knowledge.
_NOT_KNOWLEDGE = {k.name for k in KINDS.values() if BEADS_MEMORY not in k.uses} | {"injection"}


def run(words: Sequence[str]) -> int:
    """Answer one call of recall.sh."""
    keyword, kind, recent, stats, whole = "", "", 0, False, False
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--type":
            kind = _value(rest, word)
        elif word == "--recent":
            recent = _number(rest)
        elif word == "--stats":
            stats = True
        elif word == "--all":
            whole = True
        elif word in ("-h", "--help"):
            print(_USAGE)
            return 0
        else:
            keyword = f"{keyword} {word}".strip()
    if not (keyword or recent or stats):
        print(_USAGE)
        return 1
    with Workspace.open(".") as workspace:
        workspace.refresh()
        if stats:
            return _stats(workspace)
        if recent:
            return _recent(_knowledge(workspace, kind, whole=whole)[:recent])
        return _matching(_knowledge(workspace, kind, whole=whole), keyword)


def _knowledge(workspace: Workspace, kind: str, *, whole: bool) -> list[Record]:
    """Return live knowledge, newest first; without `whole`, only from active ledgers."""
    memories = workspace.memories
    sources: list[Source] = [
        s for s in memories.own.sources if whole or not s.path.endswith(".archive.jsonl")
    ]
    only = Filter(kinds=(kind,) if kind else ())
    now = workspace.project.clock.now()
    hits = memories.own.index.live(View(sources, now, only))
    records = [record_of(hit.document) for hit in hits]
    return [r for r in records if kind or r.kind not in _NOT_KNOWLEDGE]


def _matching(records: Sequence[Record], keyword: str) -> int:
    try:
        wanted = re.compile(expression(keyword), re.IGNORECASE)
    except re.error:
        # An invalid expression is searched for literally.
        wanted = re.compile(re.escape(keyword), re.IGNORECASE)
    found = [r for r in records if any(map(wanted.search, _haystacks(r)))]
    if not found:
        print(f"No knowledge entries matching '{clean_line(keyword)}'")
    for record in found:
        print(f"[{label_of(record)}] {clean_line(record.key)}")
        print(f"  {clean_line(record.content)}")
        tags = clean_line(",".join(record.tags))
        print(f"  source={clean_line(record.source)} bead={clean_line(record.task)} tags={tags}")
        print()
    return 0


def expression(word: str) -> str:
    r"""Translate a basic regular expression, as in grep, to Python's syntax.

    `\|`, `\+`, `\?`, `\(`, `\)`, `\{` and `\}` are operators; without a backslash they are
    characters, so that `C++` and `init(self)` are found.
    """
    parts = re.findall(r"\\.|\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|.", word, re.DOTALL)
    turned = []
    for part, before, after in zip(parts, ["", *parts], [*parts[1:], ""], strict=False):
        begins, ends = before in ("", r"\(", r"\|"), after in ("", r"\)", r"\|")
        if part[0] == "[" and len(part) > 1:
            turned.append(_bracket(part[1:-1]))
        elif part[0] == "\\" and part[1:] in _OPERATORS:
            turned.append(part[1:])
        elif (
            part in _OPERATORS
            or (part == "*" and begins)
            or (part == "^" and not begins)
            or (part == "$" and not ends)
        ):
            turned.append(f"\\{part}")
        else:
            turned.append(part)
    return "".join(turned)


def _bracket(inside: str) -> str:
    """Translate a bracket expression, with literal backslashes and named classes."""
    inside = inside.replace("\\", r"\\")
    for name, characters in _CLASSES.items():
        inside = inside.replace(f"[:{name}:]", characters)
    negated, inside = ("^", inside[1:]) if inside.startswith("^") else ("", inside)
    inside = f"\\{inside}" if inside.startswith("]") else inside
    return f"[{negated}{inside}]"


def _haystacks(record: Record) -> tuple[str, ...]:
    """Return the parts of a line, each with its own end, and the whole line."""
    parts = (record.key, record.content, record.task)
    words = (record.key, record.kind, record.content, record.source, record.task, *record.tags)
    return (*parts, " ".join(words))


def _recent(records: Sequence[Record]) -> int:
    if not records:
        print("No knowledge entries yet.")
        return 0
    print(f"## Recent Knowledge ({counted(len(records), 'entry', 'entries')})")
    print()
    for record in records:
        content = clean_line(record.content)[:120]
        print(f"  [{label_of(record)}] {content}  ({clean_line(record.source)})")
    return 0


def _stats(workspace: Workspace) -> int:
    active = _knowledge(workspace, "", whole=False)
    every = _knowledge(workspace, "", whole=True)
    kinds = [record.kind for record in every]
    others = sorted({*kinds} - {"learned", "investigation"})
    rows = (
        ("Active entries", len(active)),
        ("Unique keys", len({r.key for r in active})),
        # Active and archived ones together, of every kind, so that it adds up.
        *(
            (kind.replace("_", " ").capitalize(), kinds.count(kind))
            for kind in ("learned", "investigation", *others)
        ),
        ("Archived", len(every) - len(active)),
    )
    print("## Knowledge Base Stats")
    print()
    for name, count in rows:
        print(f"  {name}: {count}")
    return 0


def _value(rest: list[str], flag: str) -> str:
    if not rest:
        print(_USAGE, file=sys.stderr)
        raise BadInputError(f"{flag} takes a value.")
    return rest.pop(0)


def _number(rest: list[str]) -> int:
    text = _value(rest, "--recent")
    if not text.isdigit() or int(text) < 1:
        raise BadInputError(f"--recent takes a number from 1 up, not {text[:20]!r}.")
    return int(text)
