"""The part of an intent for an agent: all of it, or what is relevant to the task. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from satchel.core.token_budget import estimate_tokens
from satchel.features.intent.finding import below, find_section, name_of
from satchel.features.intent.values import Excerpt, Intent, IntentSection

LINKED_MARK = "<!-- LINKED TO CURRENT BEAD -->"
_CUT_MARK = "<!-- TRUNCATED: Intent exceeds token budget -->"
#: Sections that apply to every task, by the first word of their anchor or title.
_VITAL = ("non-negotiable", "constraint", "architecture-constraint", "anti-goal", "overview")
#: Tokens kept free for the note about what was left out.
_NOTE = 18


def excerpt(
    intent: Intent, *, primary: Collection[str] = (), related: Collection[str] = (), budget: int
) -> Excerpt:
    """Select sections within `budget` tokens, in document order.

    Linked sections and their subsections come first; then those that apply to every task; then the
    rest. Sections are omitted whole; only if not even the first linked one fits is it cut, at a
    line. Omitted sections are named.

    Args:
        primary: anchors the task is about.
        related: anchors it touches.
        budget: the most tokens.
    """
    first, second = _linked(intent, primary), _linked(intent, related)
    marked = first | second
    names = _names(intent, primary, related)
    head = _head(intent, names)
    everything = [s.number for s in intent.sections if s.body or s.level]
    if not everything:
        return Excerpt("", 0, (), (), ())
    whole = _written(intent, head, everything, marked, note="")
    if estimate_tokens(whole) <= budget:
        return Excerpt(whole, estimate_tokens(whole), tuple(everything), (), names)
    order = sorted(everything, key=lambda n: (_rank(intent, n, first, second), n))
    chosen: list[int] = []
    headed: set[int] = set()
    room = budget - estimate_tokens(head) - _NOTE
    for number in order:
        cost = estimate_tokens(_section_text(intent.sections[number], marked)) + 1
        above = [n for n in _ancestors(intent, number) if n not in headed]
        cost += sum(estimate_tokens(_heading(intent.sections[n], marked)) + 1 for n in above)
        if cost <= room:
            chosen.append(number)
            headed |= {number, *above}
            room -= cost
    if not chosen:
        made = _cut(intent, head, order[0], marked, budget=budget)
    else:
        made = _fitted(intent, head, chosen, marked, names, budget=budget)
    return made._replace(linked=names)


def _fitted(
    intent: Intent,
    head: str,
    chosen: list[int],
    marked: set[int],
    names: Sequence[str],
    *,
    budget: int,
) -> Excerpt:
    """Format the selection, dropping the last section if rounding exceeds the budget."""
    everything = [s.number for s in intent.sections if s.body or s.level]
    while chosen:
        shown = sorted(chosen)
        left = tuple(n for n in everything if n not in chosen)
        note = f"<!-- Truncated: {len(left)} sections omitted (token budget) -->"
        only = f"{head}\n<!-- SHOWING LINKED SECTIONS ONLY: {', '.join(names)} -->"
        alone = all(n in marked or not intent.sections[n].body for n in chosen)
        leads = (only, head) if marked and alone else (head,)
        for lead in leads:
            text = _written(intent, lead, shown, marked, note=note)
            if estimate_tokens(text) <= budget:
                return Excerpt(text, estimate_tokens(text), tuple(shown), left, ())
        chosen = chosen[:-1]
    return Excerpt("", 0, (), tuple(everything), ())


def _cut(intent: Intent, head: str, number: int, marked: set[int], *, budget: int) -> Excerpt:
    lines = _section_text(intent.sections[number], marked).split("\n")
    others = tuple(s.number for s in intent.sections if s.number != number and (s.body or s.level))
    while len(lines) > 1:
        text = "\n".join([head, "", *lines, "", _CUT_MARK])
        if estimate_tokens(text) <= budget:
            return Excerpt(text, estimate_tokens(text), (number,), others, ())
        lines = lines[
            : max(1, min(len(lines) - 1, len(lines) * budget // max(1, estimate_tokens(text))))
        ]
    return Excerpt("", 0, (), (number, *others), ())


def _linked(intent: Intent, anchors: Iterable[str]) -> set[int]:
    """Return the numbers of these anchors' sections and their subsections."""
    found = set()
    for anchor in anchors:
        section = find_section(intent, anchor)
        if section is not None:
            found |= {section.number, *(s.number for s in below(intent, section.number))}
        found |= {s.number for s in intent.sections if s.anchor.startswith(anchor + ".")}
    return found


def _rank(intent: Intent, number: int, first: set[int], second: set[int]) -> int:
    if number in first:
        return 0
    if number in second:
        return 1
    near = [intent.sections[n] for n in (number, *_ancestors(intent, number))]
    names = [part for s in near for part in (s.anchor, s.path.rpartition(".")[2])]
    return 2 if any(name.startswith(_VITAL) for name in names) else 3


def _ancestors(intent: Intent, number: int) -> list[int]:
    found = []
    parent = intent.sections[number].parent
    while parent >= 0:
        found.append(parent)
        parent = intent.sections[parent].parent
    return found


def _names(intent: Intent, *anchors: Collection[str]) -> tuple[str, ...]:
    found = {s.number for each in anchors for a in each if (s := find_section(intent, a))}
    return tuple(name_of(intent.sections[n]) for n in sorted(found))


def _head(intent: Intent, names: Sequence[str]) -> str:
    head = f"<!-- Intent v{intent.version} | Updated: {intent.updated_at or 'unknown'} -->"
    return f"{head}\n<!-- RELEVANT ANCHORS: {', '.join(names)} -->" if names else head


def _heading(section: IntentSection, marked: Collection[int]) -> str:
    mark = f" {LINKED_MARK}" if section.number in marked else ""
    return f"{'#' * section.level} {section.title}{mark}" if section.level else ""


def _section_text(section: IntentSection, marked: Collection[int]) -> str:
    body = section.body.replace(LINKED_MARK, "").strip("\n")
    return "\n".join(part for part in (_heading(section, marked), body) if part)


def _written(intent: Intent, head: str, shown: list[int], marked: set[int], *, note: str) -> str:
    """Format sections in order, each under its headings."""
    parts = [head]
    there: set[int] = set()
    for number in shown:
        for above in reversed(_ancestors(intent, number)):
            if above not in there and above not in shown:
                parts.append(_heading(intent.sections[above], marked))
                there.add(above)
        parts.append(_section_text(intent.sections[number], marked))
        there.add(number)
    return "\n\n".join([*parts, note] if note else parts)
