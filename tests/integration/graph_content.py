"""Everything a graph says, to compare two of them."""

from typing import Any

from satchel.features.graph.knowledge_graph import KnowledgeGraph


def content_of(own: KnowledgeGraph) -> dict[str, Any]:
    """Everything the graph says, importance and communities included."""
    graph = own.graph()
    graph.compute_metrics()
    store = graph.store
    return {
        "entities": [e._asdict() for e in sorted(store.entities(), key=lambda e: e.key)],
        "relations": [r._asdict() for r in store.relations()],
        "clusters": [c._asdict() for c in store.clusters()],
        "texts": sorted(store.named()),
        "hidden": store.database.read("SELECT source, type, target, hidden FROM relations"),
    }
