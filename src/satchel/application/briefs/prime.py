"""Prime: what a new session should know about an unfamiliar project, as in reflect."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from satchel.application.briefs.composing import compose
from satchel.application.briefs.readme import Gist
from satchel.application.briefs.sections import Brief, Item, Section
from satchel.core.plurals import counted
from satchel.core.token_budget import cut_to_tokens, estimate_tokens
from satchel.core.trust import clean_line
from satchel.core.values import NamedTuple
from satchel.engine.ranking.fusion import reciprocal_rank_fusion
from satchel.engine.search.hybrid import HYBRID, KEYWORD
from satchel.features.code.stack import Technology
from satchel.features.notes.critical import CriticalPattern
from satchel.features.notes.finding import NoteMatch
from satchel.features.notes.note_indexes import KNOWLEDGE_BASE, SOLUTIONS
from satchel.features.notes.service import NoteService
from satchel.features.notes.values import EPISODE

_MOST_DIRECTORIES = 24
_ITEM_TOKENS = 160
_MOST_QUESTIONS = 8
_LEARNINGS = 5
_NO_EPISODES = (SOLUTIONS, KNOWLEDGE_BASE)


class PrimeInput(NamedTuple):
    """The input of a prime brief.

    `files` are paths below the root; `read` are instruction files that the client reads itself,
    `memory` is the text of the project's own instruction file. Of an unapproved README, the brief
    says so.
    """

    project: str
    files: tuple[str, ...]
    stack: tuple[Technology, ...]
    readme: Gist
    learnings: tuple[NoteMatch, ...]
    critical: tuple[CriticalPattern, ...]
    readme_is_held: bool = False
    read: tuple[str, ...] = ()
    memory: str = ""


def prime_brief(
    primed: PrimeInput,
    *,
    budget: int,
    nonce: str,
    more: Sequence[Section] = (),
    count: Callable[[str], int] = estimate_tokens,
    how: str = "",
) -> Brief:
    """Compose the brief: stack, purpose, essentials, lessons, layout.

    Args:
        more: sections of the session brief to include: constraints, decisions.
        how: the last line, which says how to remember.
    """
    # Whoever wrote an unapproved README wrote these lines, and a reader has to see that.
    mark = " (README, unapproved)" if primed.readme_is_held else ""
    sections = [
        Section("stack", "## Stack", _stack(primed.stack)),
        Section("purpose", f"## What it is{mark}", _purpose(primed.readme)),
        Section("commands", f"## Commands{mark}", _lines(primed.readme.commands, "`{}`")),
        Section(
            "critical",
            "## Critical patterns",
            _critical(primed.critical),
            "satchel notes critical-patterns",
        ),
        *more,
        Section(
            "learnings",
            "## Learnings for this stack",
            _learnings(primed.learnings),
            'satchel notes search "words"',
        ),
        Section("conventions", f"## Conventions{mark}", _lines(primed.readme.conventions, "- {}")),
        Section("memory", "## Project memory", _memory(primed.memory)),
        Section(
            "layout",
            f"## Layout ({counted(len(primed.files), 'file')})",
            _layout(primed.files),
            "satchel code map",
        ),
        Section("read", "## Instruction files", _lines(primed.read, "- {}")),
    ]
    label = f"prime {clean_line(primed.project)}"
    return compose(sections, budget=budget, nonce=nonce, label=label, count=count, always=how)


def learnings_about(stack: Sequence[Technology], notebook: NoteService) -> list[NoteMatch]:
    """Return notes about the stack, found by its most certain names; by meaning if words fail.

    Each name is searched separately: a learning about one is no weaker for not naming the others.
    Text from sessions is not a learning: its lessons are memories.
    """
    surest = sorted(stack, key=lambda one: -one.confidence)
    questions = list(dict.fromkeys(one.name for one in surest))[:_MOST_QUESTIONS]

    def ask(question: str, mode: str) -> list[NoteMatch]:
        found = notebook.search(question, mode=mode, limit=_LEARNINGS, names=_NO_EPISODES)
        return [one for one in found.items if one.kind != EPISODE]

    lists = [ask(name, KEYWORD) for name in questions]
    if questions and not any(lists):
        lists = [ask(" ".join(questions), HYBRID)]
    by_path = {one.path: one for found in lists for one in found}
    fused = reciprocal_rank_fusion([[one.path for one in found] for found in lists])
    return [by_path[path] for path, _ in fused[:_LEARNINGS]]


def _stack(stack: Sequence[Technology]) -> tuple[Item, ...]:
    by_kind: dict[str, list[str]] = {}
    for one in stack:
        by_kind.setdefault(one.kind, []).append(f"{one.name} ({one.confidence:.0%})")
    return tuple(
        Item(f"- {kind}: {', '.join(names[:8])}", why="detected from manifests and file names")
        for kind, names in by_kind.items()
    )


def _purpose(gist: Gist) -> tuple[Item, ...]:
    if not gist.purpose:
        return ()
    text = cut_to_tokens(clean_line(gist.purpose), _ITEM_TOKENS)
    return (Item(text, why="the README's first sentences"),)


def _lines(texts: Sequence[str], form: str) -> tuple[Item, ...]:
    return tuple(Item(form.format(clean_line(text)), why="from the project") for text in texts)


def _critical(patterns: Sequence[CriticalPattern]) -> tuple[Item, ...]:
    return tuple(
        Item(
            f"- {clean_line(one.title)}: " + cut_to_tokens(clean_line(one.insight), _ITEM_TOKENS),
            why="critical pattern",
            raw=one.insight,
        )
        for one in patterns
    )


def _learnings(found: Sequence[NoteMatch]) -> tuple[Item, ...]:
    items = []
    for one in found:
        said = cut_to_tokens(clean_line(one.key_insight or one.excerpt), _ITEM_TOKENS)
        items.append(
            Item(
                f"- {clean_line(one.title)}: {said} ({clean_line(one.where)})",
                f"note:{one.id or one.path}",
                one.id,
                "matches the stack",
                said,
            )
        )
    return tuple(items)


def _memory(text: str) -> tuple[Item, ...]:
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return tuple(Item(line, why="the project's instruction file") for line in lines[:200])


def _layout(files: Sequence[str]) -> tuple[Item, ...]:
    counts: dict[str, int] = {}
    for path in files:
        parts = path.split("/")
        place = "/".join(parts[: min(2, len(parts) - 1)]) or "."
        counts[place] = counts.get(place, 0) + 1
    largest = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:_MOST_DIRECTORIES]
    return tuple(Item(f"- {clean_line(p)}/ {n}", why="git ls-files") for p, n in sorted(largest))
