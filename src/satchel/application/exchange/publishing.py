"""Publishes tasks and the graph so that a team's server can show them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from satchel.core import quick_json
from satchel.core.redaction.redactor import redact_value
from satchel.storage.database.queries import load_queries
from satchel.storage.ledger.lines import replace_surrogates
from satchel.storage.ledger.team import LONGEST, array_of, clean_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.storage.database.team_contract import TeamDatabase

TASK, ENTITY, RELATIONSHIP = "task", "entity", "relationship"
CONVERSATION, MESSAGE = "conversation", "message"
_PAGE = 500


def publish(
    database: TeamDatabase,
    project: str,
    subject: str,
    things: Mapping[str, Any],
    now: float,
    *,
    keeps_others: bool = False,
) -> int:
    """Make what is published of a subject equal to `things`, by id; return their number.

    Texts are redacted first. What does not change keeps its time. With `keeps_others`, what is
    not among them stays: it is of another machine.
    """
    sql = load_queries(__file__, "publishing.sql")
    bodies = {clean_text(ident)[:LONGEST]: encode_body(body) for ident, body in things.items()}

    def work(_: bool) -> int:  # noqa: FBT001
        # Sorted, so that two clients that publish at once do not wait for each other.
        database.write_rows(sql["put"], sorted(bodies.items()), (project, subject, int(now)))
        if not keeps_others:
            database.write(sql["drop_others"], (project, subject, array_of(list(bodies))))
        return len(things)

    return database.attempt(work)


def encode_body(body: Any) -> str:
    """Encode a published item for the server, without secrets."""
    return quick_json.dumps(replace_surrogates(redact_value(body)[0])).replace("\\u0000", "\\ufffd")


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
            yield {**(fields if isinstance(fields, dict) else {}), "id": ident}
        if len(rows) < _PAGE:
            return
