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
        ROOT / "application" / "learning" / "listening" / "session_memory.py",
        ROOT / "interfaces" / "hooks" / "inject.py",
        ROOT / "interfaces" / "mcp" / "prompts.py",
    ]
)
#: What a builder may ask of the memories themselves: to write, to count, to ask again.
ALLOWED = {"remember", "stores.retry_after_rebuild"}
#: What gives records away.
READS = {
    "satchel.features.memories.access", "satchel.features.memories.service",
    "satchel.features.memories.store", "satchel.application.recall.search.every_store",
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
    "from satchel.application.recall.search.every_store import recall",
])  # fmt: skip
def test_a_second_way_is_noticed(line: str) -> None:
    """Seeded bugs, each a way that stood in a builder once."""
    assert second_ways(line)


#: What reads tasks, notes and files of the work tree, by the last words of its name.
FILES = (
    "read_tasks",
    ".tasks",
    "tiers.documents",
    "agents.eager",
    "notes.search",
    "notes.critical_patterns",
)


def unadmitted(source: str) -> list[str]:
    """Name each function that reads files of the work tree and asks no outlet about them.

    What only writes a task down, or opens the board, shows nothing of it.
    """
    found = []
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        words = [ast.unparse(one) for one in ast.walk(function)
                 if isinstance(one, ast.Attribute | ast.Name)]  # fmt: skip
        if any(one.endswith(FILES) for one in words) and not any(
            one.endswith((".admits", ".admitted")) for one in words
        ):
            found.append(function.name)
    return found


@pytest.mark.parametrize("path", BUILDERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_builder_of_prompts_asks_about_each_file_that_it_shows(path: Path) -> None:
    assert unadmitted(path.read_text("utf-8")) == []


def test_a_file_that_nobody_asked_about_is_noticed() -> None:
    """Seeded bugs: as the beginning of a session and research read tasks and notes once."""
    for line in ("read_tasks(paths)", "tiers.documents(5)", "self.work.agents.eager(role)"):
        assert unadmitted(f"def show(self):\n    return {line}") == ["show"]
        assert not unadmitted(f"def show(self):\n    return outlet.admits({line})")


def test_the_outlet_itself_reads() -> None:
    assert second_ways((ROOT / "application" / "outlet.py").read_text("utf-8"))


#: What hands out what a repository brought as it was asked for, by how a call of it ends.
ASKED_FOR = (
    ".intent.read",
    ".clusters",
    ".query",
    ".instincts.read",
    ".instincts.find",
    "agents.read",
    "agents.search",
    ".schemas.items",
    ".tasks.view.show",
)
#: What says whose words an answer holds. All of it asks `application/outlet.py`.
MARKS = {
    *("held_back", "warn_unapproved", "unapproved_in", "with_graph_trust", "are_tasks_held_back"),
    *("with_warning", "with_warnings", "with_trust"),
}
#: Where people and agents ask.
ANSWERS = sorted(
    path for floor in ("cli", "mcp", "http") for path in (ROOT / "interfaces" / floor).rglob("*.py")
)


def unmarked(source: str) -> list[str]:
    """Name what a module hands out of a repository, where it marks nothing at all."""
    tree = ast.parse(source)
    asked = [
        spelled
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and (spelled := ast.unparse(node.func)).endswith(ASKED_FOR)
    ]
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return [] if names & MARKS else asked


@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_an_answer_says_whose_words_it_holds(path: Path) -> None:
    assert unmarked(path.read_text("utf-8")) == []


@pytest.mark.parametrize("line", [
    "every = own.retry_after_rebuild(lambda g: g.clusters())",
    "told = project.intent.read()",
    "found = project.instincts.read()",
    "files = agents.read(name, everything=True)",
])  # fmt: skip
def test_an_answer_that_marks_nothing_is_noticed(line: str) -> None:
    """Seeded bugs, each an answer that left the mark out once."""
    assert unmarked(line)
    assert not unmarked(f"{line}\nheld_back(work, paths)")
