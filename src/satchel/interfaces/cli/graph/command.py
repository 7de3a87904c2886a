"""`satchel graph`: ingest, query, show, search, communities, evolve, seed, undo, visualize, ..."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from satchel.application.exchange.graphmem import adopt_database
from satchel.application.recall.graph.unapproved import with_graph_trust
from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.features.graph.ingest import ingest_text_id
from satchel.features.graph.knowledge_graph import KnowledgeGraph
from satchel.features.graph.query import TYPES, entity_json, memory_json, relation_json
from satchel.features.graph.searching import LOCAL, MODES, GraphHit
from satchel.interfaces.cli.arguments import Options, Parser, content_from, parser_for
from satchel.interfaces.cli.graph import changes as graph_changes
from satchel.interfaces.cli.graph import text as graph_text
from satchel.workspace import Workspace


def graph(words: Sequence[str]) -> int:
    """`satchel graph ACTION`."""
    parser = parser_for("graph", "Query, feed and draw the knowledge graph.")
    action = parser.actions()

    def add(name: str, text: str, run: Callable[[KnowledgeGraph, Options], int]) -> Parser:
        added: Parser = action(name, text, run)
        added.flag("--user", "your own graph, of every project")
        return added

    _add_ingest(add)
    _add_questions(add)
    graph_changes.add_changes(add)
    options = parser.parse_args(words)
    with options.opened() as workspace, workspace.graph as own:
        return options.act(own)


def _add_ingest(action: Any) -> None:
    ingest = action("ingest", "record an observation with what it names", _ingest)
    ingest.add_argument("content", nargs="*", help="text, or - for standard input")
    ingest.option("--file", "JSON lines of ingests, or GraphMem's database")
    ingest.option("--source", "where it comes from")
    ingest.option("--agent", "--agent-id", "who observed it")
    ingest.options("--entity", "an entity in it", metavar="NAME[:TYPE[:DESCRIPTION]]")
    ingest.add_argument(
        "--relation",
        action="append",
        default=[],
        nargs=3,
        metavar=("FROM", "TYPE", "TO"),
        help="a relation in it",
    )
    ingest.option("--entities", 'JSON: [{"name", "type", "description"}]')
    ingest.option("--relationships", 'JSON: [{"from", "to", "type", "weight"}]')


def _add_questions(action: Any) -> None:
    query = action("query", "look something up in the graph", _query)
    query.add_argument("query", nargs="*", help="a name, part of one, or words of a text")
    query.add_argument("--type", default="entity", choices=TYPES, help="what to look for")
    query.option("--entity-type", "only entities of this type")
    query.count("--limit", "how many (10)", default=10)
    show = action("show", "show one entity, or what else is joined to what", _show)
    show.option("name", "of an entity; or a file, and whatever `satchel why` explains", nargs="+")
    show.count("--limit", "how many relations and texts (20)", default=20)
    show.flag("--all", "show ended relations too")
    search = action("search", "ask the graph a question", _search)
    search.add_argument("question", nargs="*", help="words, or a question")
    search.add_argument("--mode", default=LOCAL, choices=MODES, help="local unless given")
    search.count("--limit", "how many (10)", default=10)
    communities = action("communities", "list communities with their reports", _communities)
    communities.option("--level", "0 is the finest; all unless given", type=int, default=-1)
    communities.count("--limit", "how many (10)", default=10)
    action("stats", "count, and show what is wrong with sidecars", _stats)
    action("rebuild", "rebuild the graph; no record is lost", _rebuild)
    visualize = action(
        "visualize", "write the graph as one HTML file that works offline", _visualize
    )
    visualize.add_argument("file", nargs="?", default="graph.html", help="graph.html unless given")
    visualize.option("--around", "only what is joined to THING: see `graph show`", metavar="THING")
    visualize.count("--most", "how many entities, most important first (5000)", default=5_000)


def _ingest(own: KnowledgeGraph, options: Options) -> int:
    if options.file and graph_changes.is_database(options.file):
        read, new = adopt_database(own, os.path.abspath(options.file), user=options.user)
        return options.reply({"read": read, "written": new}, f"{read} operations read, {new} new.")
    if options.file:
        rows = graph_changes.rows_of_file(options.file)
    else:
        given = options.entity or options.relation or options.entities or options.relationships
        content = ""
        if options.content or not given:
            content = content_from(options.content, missing="There is nothing to ingest.")
        rows = [graph_changes.row_of_options(content, options)]
    written = known = 0
    for one in graph_changes.joined(rows):
        about = {"agent": one.agent, "source": one.source, "user": options.user}
        records = own.ingest(one.content, one.drawn, **about)
        written += bool(records)
        known += not records
    found = [
        memory_json(text)
        for record in (records if len(rows) == 1 else [])
        if (text := _text_of(own, record, user=options.user)) is not None
    ]
    named = (clean_line(", ".join(one.get("entities", []))) or "nothing" for one in found)
    return options.reply(
        {"written": written, "known": known, "memories": found},
        f"{written} written, {known} known already.",
        *(f"names: {names}" for names in named),
    )


def _text_of(own: KnowledgeGraph, record: Any, *, user: bool) -> Any:
    ident = ingest_text_id(record.data)
    return own.retry_after_rebuild(lambda g: g.store.text(ident), user=user)


def _query(own: KnowledgeGraph, options: Options) -> int:
    text = content_from(options.query, missing="There is nothing to look up.").strip()
    how = {"kind": options.type, "entity_type": options.entity_type}
    found = own.query(text, limit=options.limit, user=options.user, **how)
    rows = with_graph_trust(options.workspace, own, found["results"], user=options.user)
    found = {**found, "results": rows}
    return options.reply(found, graph_text.query_text(found, options.style))


def _show(own: KnowledgeGraph, options: Options) -> int:
    name, workspace = " ".join(options.name), options.workspace
    graph_ = own.graph(user=options.user)
    graph_.compute_metrics()
    entity = graph_.store.entity(name)
    if entity is None:
        return _show_neighbours(workspace, name, options)
    now = workspace.project.clock.now()
    relations = graph_.store.relations_of(entity.key)
    standing = [r for r in relations if options.all or r.holds_at(now)]
    told = [memory_json(text) for text in graph_.store.texts_of([entity.key], limit=options.limit)]
    shown = {
        "entity": entity_json(entity),
        "relationships": [relation_json(graph_, r, now) for r in standing[: options.limit]],
        "texts": told,
        "ended": len(relations) - sum(r.holds_at(now) for r in relations),
    }
    with_graph_trust(workspace, own, [shown, *told], user=options.user)
    return options.reply(shown, graph_text.entity_text(shown, options.style))


def _show_neighbours(workspace: Workspace, name: str, options: Options) -> int:
    """Show what a file, line, commit, session, task, note or memory is connected to."""
    from satchel.application.thread.neighbours import neighbours
    from satchel.interfaces.edges_rendering import edges_text
    from satchel.interfaces.thread_rendering import story_json

    try:
        found = neighbours(workspace, name, options.base())
    except NotFoundError:
        raise NotFoundError(
            f"The graph has no entity {name[:60]!r}, and nothing else here is called so.",
            hint="`satchel graph query WORDS` finds names.",
        ) from None
    return options.reply(story_json(found), edges_text(found, options.style, options.limit))


def _search(own: KnowledgeGraph, options: Options) -> int:
    question = content_from(options.question, missing="There is nothing to search for.").strip()
    user = True if options.user else None
    answer = own.search(question, mode=options.mode, limit=options.limit, user=user)
    rows = [_hit_json(hit) for hit in answer.hits]
    with_graph_trust(options.workspace, own, rows, user=options.user)
    told = {"query": answer.question, "mode": answer.mode, "entities": list(answer.entities)}
    return options.reply(
        {**told, "count": len(answer.hits), "results": rows},
        graph_text.search_text(answer, rows, options.style),
    )


def _hit_json(hit: GraphHit) -> dict[str, Any]:
    if hit.cluster is not None:
        return {**hit.cluster._asdict(), "members": list(hit.cluster.members), "score": hit.score}
    memory = memory_json(hit.memory) if hit.memory is not None else {}
    return {**memory, "score": round(hit.score, 6), "path": list(hit.path)}


def _communities(own: KnowledgeGraph, options: Options) -> int:
    every = own.retry_after_rebuild(lambda g: g.clusters(), user=options.user)
    chosen = [c for c in every if options.level in (-1, c.level)]
    chosen.sort(key=lambda c: (-len(c.members), c.number))
    rows = [{**c._asdict(), "members": list(c.members)} for c in chosen[: options.limit]]
    with_graph_trust(options.workspace, own, rows, user=options.user)
    left = len(chosen) - len(rows)
    return options.reply(rows, graph_text.communities_text(rows, left, options.style))


def _stats(own: KnowledgeGraph, options: Options) -> int:
    found = own.statistics(user=options.user)
    return options.reply(found, graph_text.statistics_text(found))


def _rebuild(own: KnowledgeGraph, options: Options) -> int:
    counts = own.rebuild(user=options.user)
    texts, relations = counted(counts["texts"], "text"), counted(counts["relations"], "relation")
    entities = counted(counts["entities"], "entity", "entities")
    return options.reply(counts, f"Rebuilt: {texts}, {entities}, {relations}.")


def _visualize(own: KnowledgeGraph, options: Options) -> int:
    path = os.path.abspath(os.path.join(options.directory, options.file))
    if os.path.isdir(path):
        raise BadInputError(f"{path} is a directory.", hint="Name the HTML file to write.")
    if options.around:
        return _visualize_around(path, options)
    shown = own.visualize(path, user=options.user, most=options.most)
    told = f"{path}: {counted(shown, 'entity', 'entities')}. Open it in a browser."
    options.reply({"path": path, "entities": shown}, told)
    if not (shown or options.json):
        options.aside("Nothing is in the graph yet: `satchel graph ingest` adds to it.")
    return 0


def _visualize_around(path: str, options: Options) -> int:
    from satchel.application.thread.neighbours import walk
    from satchel.features.graph.html_export import write_page
    from satchel.interfaces.thread_picture import thread_page

    html, shown = thread_page(walk(options.workspace, options.around, options.base()))
    write_page(path, html)
    told = f"{path}: {counted(shown, 'thing')} around {options.around}. Open it in a browser."
    return options.reply({"path": path, "things": shown}, told)
