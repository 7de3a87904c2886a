"""Publishes conversations and messages: sessions, and what was said in them."""

from __future__ import annotations

from collections.abc import Iterator

from satchel.core.values import NamedTuple
from satchel.features.sessions.archive import read_session
from satchel.storage.locks import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.application.services import Services
    from satchel.features.sessions.archive import ArchivedSession


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
        "title": head.title or asked[:120],
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
