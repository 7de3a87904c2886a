"""Publishes tasks: one row each on a team's server, keyed by id."""

from __future__ import annotations

from satchel.application.exchange.publishing import TASK, encode_body
from satchel.features.tasks.board import Board
from satchel.features.tasks.dialects import format_time, moment, text
from satchel.features.tasks.lifecycle import lifecycle_of
from satchel.features.tasks.values import BLOCKS, Issue
from satchel.storage.database.queries import load_queries
from satchel.storage.ledger.team import LONGEST, array_of, clean_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.storage.database.team_contract import TeamDatabase


def publish_tasks(database: TeamDatabase, project: str, board: Board, now: float) -> int:
    """Publish tasks, each in its own row; return their number.

    Another clone may have tasks that are not here, and newer versions: those stay. What was
    deleted goes.
    """
    sql = load_queries(__file__, "publishing.sql")
    bodies = {
        clean_text(ident)[:LONGEST]: encode_body(body)
        for ident, body in published_tasks(board, now).items()
    }

    def work(_: bool) -> int:  # noqa: FBT001
        database.write_rows(sql["put_newer"], sorted(bodies.items()), (project, TASK, int(now)))
        database.write(sql["drop"], (project, TASK, array_of(board.graves)))
        return len(bodies)

    return database.attempt(work)


def published_tasks(board: Board, now: float) -> dict[str, dict[str, Any]]:
    """Return the published form of each task; The Foundation finds it by `bead_id`."""
    graph = board.graph
    return {
        ident: _body(issue, board, lifecycle_of(graph, ident, now))
        for ident, issue in graph.issues.items()
    }


def _body(issue: Issue, board: Board, stage: str) -> dict[str, Any]:
    graph, data = board.graph, issue.data
    blocks = [one for one, kind in graph.dependents.get(issue.id, ()) if kind == BLOCKS]
    body = {
        "bead_id": issue.id,
        "id": issue.id,
        "title": issue.title,
        "description": text(data, "description"),
        "acceptance": text(data, "acceptance_criteria", "acceptance"),
        "status": issue.status,
        "lifecycle": stage,
        "parent": graph.parent(issue.id),
        "issue_type": issue.issue_type,
        "priority": issue.priority,
        "assignee": issue.assignee,
        "labels": list(issue.labels),
        "blocks": sorted(blocks),
        "blocked_by": sorted(k.target for k in graph.links(issue.id) if k.kind == BLOCKS),
        "dependencies": [{"depends_on_id": k.target, "type": k.kind} for k in issue.links],
        "summary": text(data, "close_reason", "summary"),
    }
    times = {"created_at": issue.created, "updated_at": issue.updated}
    times |= {name: moment(data.get(name)) for name in ("started_at", "closed_at")}
    return body | {name: format_time(when) for name, when in times.items() if when}
