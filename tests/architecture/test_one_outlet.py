"""Memories reach a prompt by one way: `application/outlet.py`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "src" / "satchel"
#: Where texts are made that an agent gets unasked, or that speak for the project.
BUILDERS = sorted(
    [
        *(ROOT / "application" / "briefs").glob("*.py"),
        *(ROOT / "application" / "research").glob("*.py"),
        *(ROOT / "application" / "chat").glob("*.py"),
        ROOT / "application" / "learning" / "session_memory.py",
        ROOT / "interfaces" / "hooks" / "inject.py",
        ROOT / "interfaces" / "mcp" / "prompts.py",
    ]
)
#: What a builder may ask of the memories themselves: to write, to count, to ask again.
ALLOWED = {"remember", "stores.retry_after_rebuild"}
#: What gives records away.
READS = {
    "satchel.features.memories.access", "satchel.features.memories.service",
    "satchel.features.memories.store", "satchel.application.recall.search",
    "satchel.storage.ledger.file", "satchel.engine.search.index",
}  # fmt: skip


def second_ways(source: str) -> list[str]:
    """Name every way to the memories in a module that does not lead through the outlet."""
    tree = ast.parse(source)
    found = []
    outer = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in READS:
            found.append(node.module)
        if not isinstance(node, ast.Attribute) or id(node) in outer:
            continue
        spelled = ast.unparse(node)
        _, asked, what = spelled.partition(".memories.")
        if (asked and what not in ALLOWED) or spelled.endswith(".memories"):
            found.append(spelled)
    return found


@pytest.mark.parametrize("path", BUILDERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_builder_of_prompts_reads_memories_by_the_outlet_alone(path: Path) -> None:
    assert second_ways(path.read_text("utf-8")) == []


@pytest.mark.parametrize("line", [
    "records = work.memories.own.live(kinds=('learned',), limit=5)",
    "found = self.work.memories.list(only, 5)",
    "for store in work.memories.stores.every(): pass",
    "memories = work.memories",
    "from satchel.application.recall.search import recall",
])  # fmt: skip
def test_a_second_way_is_noticed(line: str) -> None:
    """Seeded bugs, each a way that stood in a builder once."""
    assert second_ways(line)


def test_the_outlet_itself_reads() -> None:
    assert second_ways((ROOT / "application" / "outlet.py").read_text("utf-8"))
