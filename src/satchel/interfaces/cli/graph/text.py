"""Format `satchel graph` results for people. Names are untrusted and cleaned first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from satchel.core import times
from satchel.core.plurals import counted
from satchel.core.trust import clean_line, clean_text
from satchel.features.graph.evolution import EvolutionPlan
from satchel.features.graph.searching import GLOBAL, GraphAnswer
from satchel.interfaces.rendering import Style, trust_mark

_WIDTH = 100
_NOTHING = "Nothing found."


def query_text(found: dict[str, Any], style: Style) -> str:
    """Format the answer of `graph query`."""
    if not found["results"]:
        return _NOTHING
    kind = found["type"]
    if kind == "entity":
        return "\n".join(_entity_line(one, style) for one in found["results"])
    if kind == "relationship":
        return "\n".join(_relation_line(one) for one in found["results"])
    if kind == "memory":
        return "\n".join(_memory_line(one, style) for one in found["results"])
    one = found["results"][0]
    return "\n".join(
        [_entity_line(one["entity"], style), *map(_relation_line, one["relationships"])]
    )


def entity_text(shown: dict[str, Any], style: Style) -> str:
    """Format one entity in full."""
    entity = shown["entity"]
    lines = [_entity_line(entity, style)]
    if entity.get("aliases"):
        lines.append(f"  also: {clean_line(', '.join(entity['aliases']))}")
    for name, value in entity.get("attributes", {}).items():
        lines.append(f"  {clean_line(str(name))}: {clean_line(str(value))[:_WIDTH]}")
    last = times.minute(entity["last_seen"])
    seen = f"named in {counted(entity['mentions'], 'text')}, last on {last}"
    rank = f"importance {entity['importance']:.3f}, community {entity.get('community', 'none')}"
    lines.append(style.dim(f"  {seen}; {rank}"))
    if shown["relationships"]:
        lines += ["", style.bold("Relations"), *map(_relation_line, shown["relationships"])]
    if shown["ended"]:
        lines.append(style.dim(f"  {shown['ended']} ended; --all shows them"))
    texts = [text for text in shown["texts"] if text.get("content")]
    if texts:
        lines += ["", style.bold("Texts"), *(_memory_line(text, style) for text in texts)]
    return "\n".join(lines)


def search_text(answer: GraphAnswer, rows: Sequence[dict[str, Any]], style: Style) -> str:
    """Format search results, each with the way to it; `rows` are the same, with their trust."""
    if not answer.hits:
        return _NOTHING
    lines = []
    if answer.mode == GLOBAL:
        return "\n\n".join(_cluster(row, style) for row in rows if "members" in row)
    for n, (hit, row) in enumerate(zip(answer.hits, rows, strict=True), start=1):
        if hit.memory is None:
            continue
        head = clean_line(hit.memory.title or hit.memory.content)[:_WIDTH] or hit.memory.id
        lines.append(f"{n:>2}. {style.bold(head)}")
        if hit.memory.title:
            lines.append(f"    {clean_line(hit.memory.content)[:_WIDTH]}")
        way = " > ".join(map(clean_line, hit.path))
        through = f"; through {way}" if way else ""
        lines.append(style.dim(f"    {clean_line(hit.memory.id)}{through}{_trust(row)}"))
    return "\n".join(lines)


def communities_text(rows: Sequence[dict[str, Any]], left: int, style: Style) -> str:
    """Format communities with their reports, and how many are left out."""
    if not rows:
        return "There are no communities yet: they need entities with relations."
    parts = [_cluster(row, style) for row in rows]
    if left:
        parts.append(style.dim(f"{left} more; --limit shows them"))
    return "\n\n".join(parts)


def statistics_text(found: dict[str, Any]) -> str:
    """Format counts and problems."""
    names = ("texts", "entities", "relations", "communities")
    counts = ", ".join(f"{found[name]} {name}" for name in names)
    lines = [f"{counts}, {found['bytes'] / 1e6:.1f} MB"]
    for title in ("entity_types", "relation_types"):
        counts = ", ".join(f"{clean_line(str(k))} {n}" for k, n in found[title].items())
        if counts:
            lines.append(f"{title.replace('_', ' ')}: {counts}")
    hidden = found["pruned_relations"], found["pruned_entities"]
    if any(hidden):
        lines.append(
            f"pruned: {counted(hidden[0], 'relation')}, {counted(hidden[1], 'entity', 'entities')}"
        )
    if found["damaged_operations"]:
        lines.append(f"damaged: {found['damaged_operations']} operation lines do not parse")
    lines += [f"problem: {clean_line(text)}" for text in found["problems"].values()]
    return "\n".join(lines)


def plan_text(plan: EvolutionPlan, style: Style, *, applied: bool, share: float) -> str:
    """Format an evolution plan, one step a line with its reason."""
    lines = []
    if plan.bands:
        order = ("strong", "moderate", "weak", "fading", "forgotten")
        bands = ", ".join(f"{plan.bands[name]} {name}" for name in order if plan.bands.get(name))
        lines.append(f"Relations: {bands}.")
    if plan.important:
        names = ", ".join(clean_line(name) for name, _ in plan.important[:5])
        lines.append(f"Most important: {names}.")
    for step in plan.steps:
        lines.append(f"{style.bold(step.kind)} {clean_line(step.what)}")
        lines.append(style.dim(f"  because {clean_line(step.why)}"))
    if plan.held_back:
        lines.append(
            f"{plan.held_back} more are due; one run ends at most {share:.0%}. "
            "--confirm lifts that."
        )
    if not plan.steps:
        lines.append("Nothing to do.")
    elif applied:
        lines.append(f"{len(plan.steps)} steps done. `satchel graph undo` undoes them.")
    else:
        lines.append(f"{len(plan.steps)} steps planned; --apply does them.")
    return "\n".join(lines)


def _cluster(row: dict[str, Any], style: Style) -> str:
    head = f"Community {row['number']} (level {row['level']}): {clean_line(row['title'])}"
    report = "\n".join(f"  {line}" for line in clean_text(row["report"]).splitlines())
    return f"{style.bold(head)}{_trust(row)}\n{report}"


def _entity_line(entity: dict[str, Any], style: Style) -> str:
    about = f": {clean_line(entity['description'])}" if entity.get("description") else ""
    head = style.bold(clean_line(entity["name"]))
    return f"{head} ({clean_line(entity['entity_type'])}){about}"[: _WIDTH * 3] + _trust(entity)


def _relation_line(link: dict[str, Any]) -> str:
    ends = f"{clean_line(link['from_name'])} -{clean_line(link['relationship_type'])}-> "
    left = f"{link['current_weight']:.2f} of {link['weight']:.2f}, {link['retention']}"
    ended = "" if link["holds"] else ", ended"
    free = ", free type" if link["free_type"] else ""
    about = f"\n      {clean_line(link['description'])[:_WIDTH]}" if "description" in link else ""
    return f"  {ends}{clean_line(link['to_name'])}  ({left}{ended}{free}){_trust(link)}{about}"


def _memory_line(memory: dict[str, Any], style: Style) -> str:
    text = clean_line(memory.get("title") or memory.get("content") or "")[:_WIDTH]
    origin = f"    {clean_line(memory['id'])}{_trust(memory)}"
    return f"  {text or '(relations only)'}\n{style.dim(origin)}"


def _trust(row: dict[str, Any]) -> str:
    return f" · {trust_mark(row['trust'])}" if row.get("trust") else ""
