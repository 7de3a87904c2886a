"""`satchel graph` actions that write: evolve, seed, update, merge, undo, ingest."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.excerpts import beginning
from satchel.core.plurals import counted
from satchel.core.redaction.redactor import redact_value
from satchel.core.shapes import list_of
from satchel.core.trust import clean_line
from satchel.features.graph.evolution_settings import (
    EvolutionSettings,
    read_evolution,
    unknown_fields,
)
from satchel.features.graph.knowledge_graph import KnowledgeGraph
from satchel.features.graph.operations import UNDO, Operation, active, drawn_from, read_operations
from satchel.features.graph.values import TextGraph
from satchel.interfaces.cli.arguments import AddAction, Options
from satchel.interfaces.cli.graph import text as graph_text
from satchel.storage.files import read_file

_LARGEST = 256 * 1024 * 1024
#: GraphMem's own weight where an ingest gives none.
_WEIGHT = 1.0


class IngestRequest(NamedTuple):
    """One ingest request; `drawn` is None if extraction should supply it."""

    content: str
    drawn: TextGraph | None
    agent: str = ""
    source: str = ""


def add_changes(action: AddAction) -> None:
    """Add the actions that change the graph."""
    _add_evolve(action)
    _add_update(action)
    seed = action("seed", "read agents, divisions, components, decisions", _seed)
    seed.add_argument("file", help="YAML or JSON")
    merge = action("merge", "merge several names into one entity", _merge)
    merge.add_argument("into", help="the name that stays")
    merge.add_argument("names", nargs="+", help="names that mean the same")
    unmerge = action("unmerge", "split merged names into entities again", _unmerge)
    unmerge.add_argument("names", nargs="+")
    action("restore", "bring back what was pruned", _restore).add_argument("names", nargs="+")
    undo = action("undo", "undo the last change, or an undo", _undo)
    undo.add_argument("which", nargs="?", default="", help="a change or run, as --list shows it")
    undo.flag("--list", "list the changes in force")


def _add_evolve(action: AddAction) -> None:
    evolve = action("evolve", "plan the aging of the graph; --apply does it", _evolve)
    evolve.flag("--dry-run", "only plan (the default)")
    evolve.flag("--apply", "apply the plan")
    evolve.flag("--confirm", "prune even above the cap")
    evolve.add_argument("--decay-days", type=float, default=0.0, help="days of base stability (30)")
    evolve.flag("--no-consolidate", "merge nothing")
    evolve.flag("--no-pagerank", "rank nothing")
    evolve.option("--config", "a graphmem-evolution.json for this run")


def _add_update(action: AddAction) -> None:
    update = action("update", "correct an entity or a relationship", _update)
    update.add_argument("name", nargs="*", help="the entity")
    update.option(
        "--relation", "correct this one", nargs=3, metavar=("FROM", "TYPE", "TO"), default=None
    )
    update.add_argument("--name", dest="new_name", default=None, help="its new name")
    update.add_argument("--type", default=None, help="its type")
    update.add_argument("--description", default=None, help="its description")
    update.options("--alias", "another name of it")
    update.options("--attribute", "an attribute", metavar="NAME=VALUE")
    update.add_argument("--weight", type=float, default=None, help="of the relationship, 0 to 1")


def is_database(path: str) -> bool:
    """Return whether a file is a SQLite database."""
    try:
        with open(path, "rb") as file:
            return file.read(15) == b"SQLite format 3"
    except OSError:
        return False


def name_unknown(data: bytes, path: str) -> None:
    """Name evolution settings that have no effect here, on standard error."""
    unknown = ", ".join(unknown_fields(data, path))
    if unknown:
        told = f"note: not used: {clean_line(unknown)}; docs/graph.md lists the fields that are"
        print(told, file=sys.stderr)


def rows_of_file(path: str) -> list[IngestRequest]:
    """Read `graphmem_ingest` arguments from JSON lines, or from one JSON list or object."""
    if not os.path.isfile(path):
        raise NotFoundError(f"There is no file {path}.")
    if os.path.getsize(path) > _LARGEST:
        raise BadInputError(f"{path} is larger than {_LARGEST:,} bytes.", hint="Split it.")
    text = read_file(path).decode("utf-8-sig", "replace")
    try:
        whole = json.loads(text)
        rows = whole if isinstance(whole, list) else [whole]
    except (ValueError, RecursionError):
        rows = []
        for n, line in enumerate(text.splitlines(), start=1):
            if line.strip():
                rows.append(_json(line, f"{path}, line {n}"))
    return [_given(row, f"{path}, item {n}") for n, row in enumerate(rows, start=1)]


def row_of_options(content: str, options: Options) -> IngestRequest:
    """Build one ingest request from the command line."""
    entities = _json(options.entities, "--entities") if options.entities else []
    links = _json(options.relationships, "--relationships") if options.relationships else []
    if not isinstance(entities, list) or not isinstance(links, list):
        raise BadInputError("--entities and --relationships take JSON lists.")
    for text in options.entity:
        name, kind, about = (*text.split(":", 2), "", "")[:3]
        entities.append({"name": name, "type": kind, "description": about})
    for source, kind, target in options.relation:
        links.append({"from": source, "type": kind, "to": target})
    row = {"content": content, "source": options.source, "agent_id": options.agent}
    row |= {"entities": entities, "relationships": links}
    return _given(row, "The command line")


def joined(rows: Sequence[IngestRequest]) -> Iterable[IngestRequest]:
    """Merge items without a text into one, so that 100,000 relations are a single write."""
    entities: dict[tuple[str, str], list[Any]] = {}
    relations: dict[tuple[str, str], list[Any]] = {}
    for row in rows:
        if row.content or row.drawn is None:
            yield row
        else:
            about = (row.agent, row.source)
            entities.setdefault(about, []).extend(row.drawn.entities)
            relations.setdefault(about, []).extend(row.drawn.relations)
    for about, named in entities.items():
        drawn = TextGraph(tuple(named), tuple(relations[about]), explicit=True)
        yield IngestRequest("", drawn, *about)


def _given(row: Any, where: str) -> IngestRequest:
    if not isinstance(row, dict):
        raise BadInputError(f"{where} is not a JSON object.")
    # Before types are lower-cased, which would hide secrets.
    row = redact_value(row)[0]
    links = row.get("relationships") or []
    for link in list_of(links):
        if isinstance(link, dict):
            link.setdefault("weight", _WEIGHT)
            if not link.get("from") or not link.get("to"):
                raise BadInputError(f"{where}: a relationship needs `from` and `to`.")
    for entity in row.get("entities") or ():
        if not isinstance(entity, dict) or not str(entity.get("name") or "").strip():
            raise BadInputError(f"{where}: an entity needs a `name`.")
    drawn = drawn_from(Operation("", 0, "ingest", row))
    some = drawn.entities or drawn.relations
    agent = str(row.get("agent_id") or row.get("agent") or "")
    content = str(row.get("content") or "")
    return IngestRequest(content, drawn if some else None, agent, str(row.get("source") or ""))


def _json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise BadInputError(f"{where} is not JSON.", hint="See docs/graph.md.") from None


def _evolve(own: KnowledgeGraph, options: Options) -> int:
    if options.apply and options.dry_run:
        raise BadInputError("--apply and --dry-run exclude each other.")
    if options.decay_days < 0:
        raise BadInputError("--decay-days takes a number of days.")
    changes: dict[str, Any] = {}
    if options.config:
        if not os.path.isfile(options.config):
            raise NotFoundError(f"There is no file {options.config}.")
        data = read_file(options.config)
        changes = read_evolution(data, options.config)._asdict()
        name_unknown(data, options.config)
    if options.decay_days:
        changes["base_stability_days"] = options.decay_days
    if options.no_consolidate:
        changes["consolidation"] = False
    if options.no_pagerank:
        changes["pagerank"] = False
    how = {"apply": options.apply, "confirmed": options.confirm, "user": options.user}
    plan, run = own.evolve(changes=changes, **how)
    steps = [{"kind": s.kind, "what": s.what, "why": s.why} for s in plan.steps]
    share = EvolutionSettings(**changes).prune_share
    return options.reply(
        {**plan._asdict(), "steps": steps, "run": run, "applied": bool(options.apply)},
        graph_text.plan_text(plan, options.style, applied=options.apply, share=share),
    )


def _seed(own: KnowledgeGraph, options: Options) -> int:
    items, new = own.seed(os.path.abspath(options.file), user=options.user)
    return options.reply({"items": items, "new": new}, f"{counted(items, 'item')}, {new} new.")


def _update(own: KnowledgeGraph, options: Options) -> int:
    attributes = dict(text.partition("=")[::2] for text in options.attribute)
    given = {
        "name": options.new_name,
        "type": options.type,
        "description": options.description,
        "aliases": options.alias or None,
        "attributes": attributes or None,
        "weight": options.weight,
    }
    fields = {name: value for name, value in given.items() if value is not None}
    if not fields or not (options.name or options.relation):
        raise BadInputError(
            "There is nothing to update.", hint="See `satchel graph update --help`."
        )
    if options.weight is not None and not 0.0 <= options.weight <= 1.0:
        raise BadInputError("--weight takes a number from 0 to 1.")
    if options.relation:
        source, kind, target = options.relation
        own.write(lambda g: g.update_relation(source, kind, target, fields), user=options.user)
    else:
        own.write(lambda g: g.update(" ".join(options.name), fields), user=options.user)
    return options.reply({"updated": True}, "Updated. `satchel graph undo` undoes it.")


def _merge(own: KnowledgeGraph, options: Options) -> int:
    own.write(lambda g: g.merge(options.into, options.names), user=options.user)
    said = f"{', '.join(options.names)} merged into {options.into}."
    return options.reply({"into": options.into, "merged": options.names}, clean_line(said))


def _unmerge(own: KnowledgeGraph, options: Options) -> int:
    own.write(lambda g: g.unmerge(options.names), user=options.user)
    said = f"{', '.join(options.names)}: entities of their own again."
    return options.reply({"unmerged": options.names}, clean_line(said))


def _restore(own: KnowledgeGraph, options: Options) -> int:
    own.write(lambda g: g.restore(options.names), user=options.user)
    said = f"Restored {', '.join(options.names)}."
    return options.reply({"restored": options.names}, clean_line(said))


def _undo(own: KnowledgeGraph, options: Options) -> int:
    if options.list:
        path = own.graph(user=options.user).ledger.path
        standing = active(read_operations(path).operations)[::-1]
        rows = [{"id": o.id, "run": o.run, "op": o.name, "what": _what(o)} for o in standing]
        lines = (
            f"{r['id']}  {r['op']:<8} {beginning(clean_line(r['what']), 80)}" for r in rows[:50]
        )
        return options.reply(rows, *lines)
    undone = own.write(lambda g: g.undo(options.which), user=options.user)
    lines = (f"undone: {o.name} {beginning(clean_line(_what(o)), 90)}" for o in undone)
    return options.reply({"undone": [o.id for o in undone]}, *lines)


def _what(operation: Operation) -> str:
    if operation.name == UNDO or operation.content:
        return operation.content
    data = operation.data
    counts = [f"{len(data.get(n) or ())} {n}" for n in ("entities", "relationships") if data.get(n)]
    return ", ".join(counts)
