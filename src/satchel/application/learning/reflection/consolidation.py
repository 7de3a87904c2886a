"""Suggests what is new in memories of other and deleted work trees."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from satchel.application.learning.drafting.overlong_memories import items_of
from satchel.application.learning.drafting.proposing import GOTCHAS, key_of
from satchel.application.learning.reflection.service import Reflection
from satchel.clients.registry import CLAUDE_CODE, client_home
from satchel.clients.transcript_format.project_key import project_key
from satchel.core.excerpts import beginning
from satchel.engine.statements.contradictions import SAME, Rule, clashes
from satchel.features.instructions.saving import entry_text
from satchel.features.proposals.values import ENTRY, KNOWLEDGE, MEMORY, PROJECT, Edit, Proposal
from satchel.storage.safe_open import open_text

_LARGEST = 262_144
_MOST = 200


def consolidate(reflecting: Reflection, *, dry_run: bool = False) -> Sequence[Proposal]:
    """Suggest every line of another work tree's memory that is missing from this one's.

    Reads MEMORY.md of the repository's other work trees, and Claude Code's memory of deleted work
    trees of this repository. Changes none of them.
    """
    places = reflecting.places
    targets = places.targets()
    mine = os.path.join(places.root, *targets.memory.split("/"))
    known = [rule for rule in places.rules() if not _elsewhere(rule.path, places.root)]
    proposals: list[Proposal] = []
    for path in _memories(reflecting, targets.memory):
        if os.path.realpath(path) == os.path.realpath(mine):
            continue
        text = open_text(path, lambda _: "", most=_LARGEST).data.decode("utf-8", "replace")
        for item in items_of(text):
            entry = entry_text(" ".join(line.strip().lstrip("-* ") for line in item))
            if not entry or any(one.what == SAME for one in clashes(entry, known)):
                continue
            known.append(Rule(path, 0, entry))
            against = [one for one in clashes(entry, known[:-1]) if one.what != SAME]
            warnings = tuple(
                f"contradicts {one.rule.path}: {beginning(one.rule.text, 100)}" for one in against
            )
            edit = Edit(ENTRY, PROJECT, targets.memory, entry, GOTCHAS)
            proposals.append(
                Proposal(
                    MEMORY,
                    KNOWLEDGE,
                    beginning(entry, 120),
                    why=f"{places.shown(path)} says it",
                    tier="medium",
                    edits=(edit,),
                    key=key_of(MEMORY, entry),
                    quote=entry[:200],
                    warnings=warnings[:3],
                    trust="imported",
                    learning_type="pattern",
                )
            )
    proposals = proposals[:_MOST]
    if dry_run or not proposals:
        return proposals
    queue = reflecting.queue()
    try:
        return queue.propose(proposals)
    finally:
        queue.close()


def _elsewhere(path: str, root: str) -> bool:
    """Return whether only another work tree's agents would read a rule."""
    return (
        os.path.join(client_home(CLAUDE_CODE), "projects") in path and project_key(root) not in path
    )


def _memories(reflecting: Reflection, memory: str) -> Iterable[str]:
    root = reflecting.places.root
    trees = _work_trees(root)
    for tree in trees:
        if os.path.realpath(tree) != os.path.realpath(root):
            path = os.path.join(tree, *memory.split("/"))
            if os.path.isfile(path):
                yield path
    if reflecting.work.person is not None:
        yield from _orphans(root, trees)


def _work_trees(root: str) -> list[str]:
    from satchel.storage.git import GitError
    from satchel.storage.work_trees import work_trees

    try:
        return [tree.path for tree in work_trees(root, seconds=10.0)]
    except GitError:
        return []


def _orphans(root: str, trees: Sequence[str]) -> Iterable[str]:
    """Yield Claude Code's memories for deleted directories named after this one.

    A directory's name cannot be converted back to a path, so existing work trees, and directories
    below this one, are excluded by their own names.
    """
    projects = os.path.join(client_home(CLAUDE_CODE), "projects")
    alive = {project_key(os.path.realpath(tree)) for tree in trees}
    tops = {project_key(os.path.realpath(tree)) for tree in (root, *trees[:1])}
    try:
        names = sorted(os.listdir(projects))
    except OSError:
        return
    for name in names:
        if name in alive or not any(name.startswith(f"{top}-") for top in tops):
            continue
        folder = os.path.join(projects, name, "memory")
        if os.path.isdir(folder):
            for file in sorted(os.listdir(folder)):
                if file.endswith(".md") and os.path.isfile(os.path.join(folder, file)):
                    yield os.path.join(folder, file)
