"""Marks what the knowledge graph answers from texts that agents should take as data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from satchel.application.outlet import held_back
from satchel.application.recall.conversions import note_path
from satchel.application.services import Services
from satchel.core.trust import TRUST_ORDER, UNAPPROVED
from satchel.features.graph.ingest import NOTE, RECORD
from satchel.features.graph.knowledge_graph import KnowledgeGraph
from satchel.features.graph.store import GraphStore
from satchel.features.graph.values import normal
from satchel.features.memories.approvals import from_others
from satchel.storage.home_paths import solutions_of

#: Most texts of one entity to check.
_TEXTS = 200
#: The same for a community, for which one is enough.
_ALL_TEXTS = 10_000


def with_graph_trust(
    work: Services, graph: KnowledgeGraph, rows: Iterable[dict[str, Any]], *, user: bool = False
) -> list[dict[str, Any]]:
    """Mark rows of an answer that are based only on unapproved notes and on what others said.

    A text is such a note, or what a tool, the web or a file said; an entity or relation comes from
    texts, and is marked if all of them are. A community's report repeats its texts, so one of them
    is enough. The user's own notes are what the user wrote.

    Args:
        graph: the graph that answered.
        rows: texts, entities, relations, subgraphs and communities, as JSON.
        user: whether it was the user's own graph.
    """
    told = list(rows)
    behind = graph.retry_after_rebuild(
        lambda g: {id(one): _texts_of(g.store, one) for one in _parts(told)}
    )
    marked = text_trust(work, {text for texts in behind.values() for text in texts}, user=user)
    for one in _parts(told):
        texts = behind[id(one)]
        said = texts & marked.keys()
        if said if "members" in one else said and said == texts:
            one["trust"] = min((marked[text] for text in said), key=TRUST_ORDER.__getitem__)
    return told


def text_trust(work: Services, texts: Iterable[str], *, user: bool = False) -> dict[str, str]:
    """Return the trust of those of the graph's texts that nobody here vouches for, by id."""
    asked = set(texts)
    stores = work.memories.stores
    memories = stores.person if user else stores.own
    marked = {}
    if memories is not None and any(text.startswith(RECORD) for text in asked):
        said = {RECORD + name: trust for name, trust in from_others(memories).items()}
        marked = {text: said[text] for text in asked & said.keys()}
    notes = set() if user else {text for text in asked if text.startswith(NOTE)}
    directories = [solutions_of(work.project.tracked)]
    paths = {text: note_path(text.removeprefix(NOTE), directories) for text in notes}
    held = held_back(work, paths.values())
    return marked | {text: UNAPPROVED for text, path in paths.items() if path in held}


def _parts(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows, and those within subgraphs."""
    parts = []
    for one in rows:
        inner = one.get("entity")
        parts += [inner, *one.get("relationships", ())] if isinstance(inner, dict) else [one]
    return parts


def _texts_of(store: GraphStore, one: dict[str, Any]) -> frozenset[str]:
    """Return the ids of the texts it comes from."""
    if "members" in one:
        every = [str(name) for name in one["members"]]
        return frozenset(store.texts_near([normal(name) for name in every], limit=_ALL_TEXTS))
    if "from_name" in one:
        ends = [_naming(store, str(one[end])) for end in ("from_name", "to_name")]
        return ends[0] & ends[1] or ends[0] | ends[1]
    if "entity_type" in one or "name" in one:
        return _naming(store, str(one.get("name", "")))
    return frozenset({str(one["id"])} if one.get("id") else ())


def _naming(store: GraphStore, name: str) -> frozenset[str]:
    return frozenset(store.texts_near([normal(name)], limit=_TEXTS))
