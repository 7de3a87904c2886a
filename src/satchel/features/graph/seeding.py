"""Seeds the graph from a file of agents, divisions, components and decisions.

    agents:
    - {id: mallow, role: Revenue Operations, division: commerce, aliases: [hober]}
    divisions: [commerce]
    components:
    - {name: gateway, description: Routes requests, depends_on: [postgresql]}
    decisions:
    - {topic: cache, decision: Redis is dropped, rationale: nobody needs it, applies_to: [gateway]}
    relationships:
    - {from: mallow, to: gateway, type: uses, weight: 0.8}

YAML or JSON. A list item may be a bare name.
"""

from __future__ import annotations

import os

from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.ids import slug
from satchel.core.redaction.redactor import redact_value
from satchel.core.values import Any, NamedTuple
from satchel.engine.markdown.yaml_text import read_yaml
from satchel.features.graph.values import (
    LONGEST_NAME,
    Entity,
    Relation,
    TextGraph,
    normal,
    relation_type,
)
from satchel.storage.files import read_file

LARGEST = 4_194_304
_HINT = "See docs/graph.md for its sections."
#: Section -> type of its entities.
_SECTIONS = {
    "agents": "agent",
    "divisions": "division",
    "components": "component",
    "projects": "project",
    "tools": "tool",
    "concepts": "concept",
    "companies": "company",
    "people": "person",
    "entities": "concept",
}
_DECISIONS, _RELATIONS = "decisions", "relationships"
#: Field of an item -> type of its relation to the things in that field.
_LINKS = {
    "division": "part_of",
    "part_of": "part_of",
    "depends_on": "requires",
    "requires": "requires",
    "uses": "uses",
    "reports_to": "reports_to",
    "owner": "owned_by",
    "applies_to": "applies_to",
    "supersedes": "supersedes",
}
_KNOWN = {"name", "id", "type", "description", "aliases", "attributes"}
_CERTAIN = 1.0
_DECISION_WORDS = 60


class SeedPart(NamedTuple):
    """The result of one item: a text, and what it names and states."""

    content: str
    drawn: TextGraph
    agent: str = ""


def read_seed(path: str) -> list[SeedPart]:
    """Read a seed file. Raises `BadInputError` naming the file, the field and the next step."""
    if not os.path.isfile(path):
        raise NotFoundError(f"There is no file {path}.")
    if os.path.getsize(path) > LARGEST:
        raise BadInputError(f"{path} is larger than {LARGEST:,} bytes.")
    fields = _loaded(path)
    unknown = sorted(set(fields) - {*_SECTIONS, _DECISIONS, _RELATIONS})
    if unknown:
        raise BadInputError(
            f"{path} has a section {unknown[0]!r}, which is not a known section.",
            hint=f"Sections are {', '.join((*_SECTIONS, _DECISIONS, _RELATIONS))}.",
        )
    parts = []
    for section, kind in _SECTIONS.items():
        for n, item in enumerate(_items(fields, section, path)):
            parts.append(_thing(item, kind, f"{path}: `{section}[{n}]`"))
    for n, item in enumerate(_items(fields, _DECISIONS, path)):
        parts.append(_decision(item, f"{path}: `{_DECISIONS}[{n}]`"))
    links = [
        _relation(item, f"{path}: `{_RELATIONS}[{n}]`")
        for n, item in enumerate(_items(fields, _RELATIONS, path))
    ]
    if links:
        parts.append(SeedPart("", TextGraph((), tuple(links), explicit=True)))
    if not parts:
        raise BadInputError(f"{path} has nothing to import.", hint=_HINT)
    return parts


def _loaded(path: str) -> dict[str, Any]:
    try:
        # JSON is YAML.
        fields = read_yaml(read_file(path).decode("utf-8-sig"), largest=LARGEST)
    except UnicodeDecodeError:
        raise BadInputError(f"{path} is not UTF-8 text.", hint="Save it as UTF-8.") from None
    except BadInputError as error:
        hint = error.hint or "Is it YAML or JSON?"
        raise BadInputError(f"{path}: {error}.", hint=hint) from None
    if not isinstance(fields, dict):
        raise BadInputError(f"{path} holds no sections such as `agents:`.", hint=_HINT)
    # Before anything is lowercased, which would hide secrets from detection.
    cleaned: dict[str, Any] = redact_value(fields)[0]
    return cleaned


def _items(fields: dict[str, Any], section: str, path: str) -> list[dict[str, Any]]:
    value = fields.get(section) or []
    if isinstance(value, dict):
        value = [
            {"name": name, **(item if isinstance(item, dict) else {"description": item})}
            for name, item in value.items()
        ]
    if not isinstance(value, list):
        raise BadInputError(f"{path}: `{section}` is not a list.")
    return [item if isinstance(item, dict) else {"name": item} for item in value]


def _thing(item: dict[str, Any], kind: str, where: str) -> SeedPart:
    name = _name(item.get("name") or item.get("id"), where)
    aliases = [str(a) for a in _listed(item.get("aliases")) if normal(str(a))]
    ident = str(item.get("id") or "")
    if ident and normal(ident) != normal(name):
        aliases.append(ident)
    attributes = item.get("attributes")
    attributes = dict(attributes) if isinstance(attributes, dict) else {}
    links = []
    for field, value in item.items():
        if field in _LINKS:
            links += [
                Relation(name, _name(one, where), _LINKS[field], _CERTAIN) for one in _listed(value)
            ]
        elif field not in _KNOWN:
            attributes[str(field)] = value if isinstance(value, list | int | float) else str(value)
    described = str(item.get("description") or item.get("role") or "")
    sort = str(item.get("type") or kind).lower()
    entity = Entity(name, sort, described, tuple(aliases), attributes)
    content = f"{name} ({sort}): {described}" if described else f"{name} ({sort})"
    return SeedPart(content, TextGraph((entity,), tuple(links), explicit=True))


def _decision(item: dict[str, Any], where: str) -> SeedPart:
    topic = str(item.get("topic") or item.get("name") or "").strip()
    decided = str(item.get("decision") or item.get("description") or "").strip()
    if not topic or not decided:
        raise BadInputError(f"{where} needs `topic` and `decision`.")
    name = f"decision-{slug(topic)[:_DECISION_WORDS]}"
    alternatives = [str(one) for one in _listed(item.get("alternatives"))]
    attributes: dict[str, Any] = {"topic": topic}
    if alternatives:
        attributes["alternatives"] = alternatives
    if item.get("date"):
        attributes["date"] = str(item["date"])
    links = [
        Relation(name, _name(one, where), "applies_to", _CERTAIN)
        for one in _listed(item.get("applies_to"))
    ]
    agent = str(item.get("agent") or "").strip()
    if agent:
        links.append(Relation(name, _name(agent, where), "decided_by", _CERTAIN))
    said = [f"{topic}: {decided}"]
    if item.get("rationale"):
        said.append(f"Because: {item['rationale']}")
        attributes["rationale"] = str(item["rationale"])
    if alternatives:
        said.append(f"Instead of: {', '.join(alternatives)}")
    entity = Entity(name, "decision", decided, (), attributes)
    return SeedPart("\n".join(said), TextGraph((entity,), tuple(links), explicit=True), agent)


def _relation(item: dict[str, Any], where: str) -> Relation:
    weight = item.get("weight", _CERTAIN)
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 1:
        raise BadInputError(f"{where}.weight is {weight!r}; it takes a number from 0 to 1.")
    return Relation(
        _name(item.get("from") or item.get("source"), f"{where}.from"),
        _name(item.get("to") or item.get("target"), f"{where}.to"),
        relation_type(str(item.get("type") or "")),
        float(weight),
        str(item.get("description") or ""),
    )


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _name(value: Any, where: str) -> str:
    text = " ".join(str(value or "").split())
    if not normal(text):
        raise BadInputError(f"{where} has no name.", hint="Give it `name`.")
    return text[:LONGEST_NAME]
