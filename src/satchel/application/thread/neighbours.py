"""What a line, file, commit, session, task, note or memory is connected to."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import suppress

from satchel.application.thread.commits import commit_story
from satchel.application.thread.edges import (
    ENTITY,
    FILE,
    INTENT,
    MEMORY,
    PROMPT,
    RECORDED,
    SHOWN_SHA,
    Edge,
    Node,
    edges_of,
    memory_node,
    node_of,
    session_node,
)
from satchel.application.thread.explaining import Explainer
from satchel.application.thread.sessions import learnt_about, story_of
from satchel.application.thread.targets import inside_project, is_note
from satchel.application.thread.values import COMMIT, SYMBOL, TASK, Story
from satchel.core.errors import NotFoundError, SatchelError
from satchel.core.shapes import list_of
from satchel.core.values import NamedTuple
from satchel.features.graph.ingest import RECORD
from satchel.features.thread.values import CERTAIN, LIKELY, Evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services
    from satchel.storage.ledger.record import Record

#: Commits and sessions of a file.
_MOST = 8
#: Most nodes whose neighbors a walk looks up, the others being leaves: each costs git queries.
_ASKS = 40


class Neighbours(NamedTuple):
    """A node, and the edges around it: its own first, then its neighbors'."""

    node: Node
    edges: tuple[Edge, ...]


def neighbours(work: Services, asked: str, start: str = ".") -> Neighbours:
    """Return what something is connected to.

    Args:
        asked: as for `satchel why`, or a whole file, or an edge's node by its id.
        start: the directory that paths are relative to.

    Raises `NotFoundError` if nothing has this name.
    """
    return _around(work, Explainer(work, start), asked)


def walk(work: Services, asked: str, start: str = ".") -> Neighbours:
    """Return what something is connected to, directly or through others, nearest first."""
    explainer = Explainer(work, start)
    first = _around(work, explainer, asked)
    edges = dict.fromkeys(first.edges)
    seen, waiting = {first.node.id}, deque([first])
    while waiting:
        for one in _ends(waiting.popleft().edges):
            if one.id in seen or one.kind in (PROMPT, INTENT, ENTITY) or len(seen) > _ASKS:
                continue
            seen.add(one.id)
            with suppress(SatchelError):
                found = _around(work, explainer, one.id)
                edges |= dict.fromkeys(found.edges)
                waiting.append(found)
    return Neighbours(first.node, tuple(edges))


def _ends(edges: tuple[Edge, ...]) -> Iterator[Node]:
    for one in edges:
        yield from (one.source, one.target)


def _around(work: Services, explainer: Explainer, asked: str) -> Neighbours:
    start = explainer.start
    asked = asked.partition("#")[0]  # a prompt stands in its session
    inside = inside_project(work, asked, start)
    if inside and not is_note(work, inside):
        return _of_file(work, explainer, inside)
    story = explainer.why(asked)
    if story is not None:
        return Neighbours(node_of(story), tuple(edges_of(story)))
    try:
        record = work.memories.find(asked).record
    except NotFoundError:
        raise NotFoundError(
            f"Nothing here is called {asked[:60]!r}.",
            hint="Name a file, or anything that `satchel why` explains.",
        ) from None
    return _of_memory(work, record)


def _of_file(work: Services, explainer: Explainer, path: str) -> Neighbours:
    """Return what was learned about a file, the commits that changed it, and their sessions."""
    commits = explainer.commits_of(path)[:_MOST]
    told = explainer.marked([commit_story(one, explainer.linker.links(one)) for one in commits])
    story = Story(path, FILE, path, commits=told, since=tuple(learnt_about(work, path)))
    return Neighbours(node_of(story), tuple(edges_of(story)))


def _of_memory(work: Services, record: Record) -> Neighbours:
    node = memory_node(story_of(record))
    noted = (Evidence(RECORDED),)
    found = []
    if record.session:
        found.append(Edge(node, "was learnt in", session_node(record.session), CERTAIN, noted))
    if record.task:
        found.append(Edge(node, "is for", Node(TASK, record.task), CERTAIN, noted))
    if record.commit:
        at = Node(COMMIT, record.commit[:SHOWN_SHA])
        found.append(Edge(node, "was learnt at", at, CERTAIN, noted))
    found += _anchors(node, record)
    for ident in record.supersedes:
        found.append(Edge(node, "replaced", _remembered(work, ident), CERTAIN, noted))
    for ident in record.derived_from:
        found.append(Edge(node, "is made of", _remembered(work, ident), CERTAIN, noted))
    return Neighbours(node, (*found, *_entities(work, node, record)))


def _anchors(node: Node, record: Record) -> Iterator[Edge]:
    anchors = (record.data or {}).get("anchors")
    for one in list_of(anchors):
        path = str(one.get("path") or "") if isinstance(one, dict) else ""
        if path:
            symbol = str(one.get("symbol") or "")
            place = Node(SYMBOL, f"{path}:{symbol}") if symbol else Node(FILE, path)
            yield Edge(node, "is about", place, CERTAIN, (Evidence("anchored", path),))


def _remembered(work: Services, ident: str) -> Node:
    try:
        return memory_node(story_of(work.memories.find(ident).record))
    except SatchelError:
        return Node(MEMORY, ident)


def _entities(work: Services, node: Node, record: Record) -> list[Edge]:
    """Return the entities of the knowledge graph that a memory names."""
    with work.graph as graph:
        text = graph.retry_after_rebuild(lambda g: g.store.text(RECORD + record.identity))
    names = text.entities if text is not None else ()
    seen = (Evidence("named", "the memory"),)
    return [Edge(node, "names", Node(ENTITY, name), LIKELY, seen) for name in names]
