"""Publishes tasks, sessions and the graph so that a team's server can show them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from satchel.application.services import Services
from satchel.core import quick_json
from satchel.core.excerpts import beginning
from satchel.core.redaction.redactor import redact_value
from satchel.core.shapes import dict_of
from satchel.core.values import Any, NamedTuple
from satchel.features.sessions.archive import ArchivedSession, read_session
from satchel.features.tasks.board import Board
from satchel.features.tasks.dialects import format_time, moment, text
from satchel.features.tasks.lifecycle import lifecycle_of
from satchel.features.tasks.values import BLOCKS, Issue
from satchel.storage.database.contract import TeamDatabase
from satchel.storage.database.queries import load_queries
from satchel.storage.files import read_file
from satchel.storage.ledger.lines import replace_surrogates
from satchel.storage.ledger.team import LONGEST, array_of, clean_text


class PublishedSessions(NamedTuple):
    """The rows of the views `conversations` and `messages`, by id."""

    conversations: dict[str, Any]
    messages: dict[str, Any]


def published_sessions(work: Services) -> PublishedSessions:
    """Return Satchel's own and the clients' sessions, with every message."""
    found = PublishedSessions({}, {})
    sessions = work.sessions
    for session in sessions.store.every():
        found.conversations[session.id] = {
            "agent": session.agent_name or session.agent_id,
            "title": session.title,
            "summary": session.summary,
            "status": session.status,
            "at": session.created_at,
        }
        for number, said in enumerate(sessions.store.messages(session.id)):
            found.messages[f"{session.id}/{said.id or number}"] = {
                "conversation": session.id,
                "role": said.role,
                "content": said.text,
                "at": said.at,
                "tool_calls": said.tool_calls,
            }
    try:
        for archived in _archived(sessions.archive.files()):
            _add(found, archived)
    finally:
        sessions.close()
    return found


def _archived(paths: list[str]) -> Iterator[ArchivedSession]:
    for path in paths:
        session = read_session(read_file(path))
        if not isinstance(session, str):
            yield session


def _add(found: PublishedSessions, archived: ArchivedSession) -> None:
    head = archived.head
    ident = f"{head.client}-{head.session}"
    asked = next((turn.text for turn in archived.turns if turn.role == "user"), "")
    found.conversations[ident] = {
        "agent": head.client,
        "title": head.title or beginning(asked, 120),
        "summary": archived.turns[-1].text[:500] if archived.turns else "",
        "status": "archived",
        "at": head.started or next((turn.at for turn in archived.turns), 0.0),
    }
    for turn in archived.turns:
        found.messages[f"{ident}/{turn.id}"] = {
            "conversation": ident,
            "role": turn.role,
            "content": turn.text,
            "at": turn.at,
            "tool_calls": list(turn.tools),
        }


def publish_tasks(database: TeamDatabase, project: str, board: Board, now: float) -> int:
    """Publish tasks, each in its own row; return their number.

    Another clone may have other tasks and newer versions: those stay. Deleted ones are removed.
    """
    sql = load_queries(__file__, "publishing.sql")
    bodies = dict(_encoded(published_tasks(board, now)))

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


TASK, ENTITY, RELATIONSHIP = "task", "entity", "relationship"
CONVERSATION, MESSAGE = "conversation", "message"
_PAGE = 500
#: Items searched for secrets at once.
_CLEANED = 50


def publish(
    database: TeamDatabase,
    project: str,
    subject: str,
    things: Mapping[str, Any],
    now: float,
    *,
    keeps_others: bool = False,
) -> int:
    """Make a subject's published items equal to `things`, by id; return their number.

    Texts are redacted first. Unchanged items keep their time. With `keeps_others`, other items
    stay: they are another machine's.
    """
    sql = load_queries(__file__, "publishing.sql")
    bodies = dict(_encoded(things))

    def work(_: bool) -> int:  # noqa: FBT001
        # Sorted, so that two clients publishing at once do not deadlock.
        database.write_rows(sql["put"], sorted(bodies.items()), (project, subject, int(now)))
        if not keeps_others:
            database.write(sql["drop_others"], (project, subject, array_of(list(bodies))))
        return len(things)

    return database.attempt(work)


def _encoded(things: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Encode items for the server, without secrets, many at a time."""
    idents = list(things)
    for start in range(0, len(idents), _CLEANED):
        some = idents[start : start + _CLEANED]
        cleaned, _ = redact_value([things[ident] for ident in some])
        for ident, body in zip(some, replace_surrogates(cleaned), strict=True):
            text = quick_json.dumps(body).replace("\\u0000", "\\ufffd")
            yield clean_text(ident)[:LONGEST], text


def name_project(database: TeamDatabase, project: str, name: str) -> None:
    """Set a project's display name."""
    sql = load_queries(__file__, "publishing.sql")
    database.write(sql["name_project"], (project, clean_text(name)))


def published_counts(database: TeamDatabase, project: str) -> dict[str, int]:
    """Return the number of published items per subject."""
    sql = load_queries(__file__, "publishing.sql")
    return {str(s): int(n or 0) for s, n in database.read(sql["count"], (project,))}


def published_messages(database: TeamDatabase, project: str) -> Iterator[dict[str, Any]]:
    """Return a project's messages with their ids, oldest first, from the view `messages`."""
    sql = load_queries(__file__, "publishing.sql")
    at, ident = -1, ""
    while True:
        rows = database.read(sql["messages"], (project, at, ident, _PAGE))
        for name, body, updated in rows:
            at, ident = int(updated or 0), str(name)
            fields = quick_json.loads(str(body))
            yield {**dict_of(fields), "id": ident}
        if len(rows) < _PAGE:
            return
