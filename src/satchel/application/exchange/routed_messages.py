"""Messages for an agent that are not in a file but in sessions, or on a team's server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from satchel.application.exchange.publishing import published_messages
from satchel.application.services import Services
from satchel.core.errors import BadInputError
from satchel.features.routing.messages import UnreadableLine, message_from
from satchel.features.routing.service import SESSIONS, TEAM
from satchel.features.routing.values import Message


def message_sources(
    work: Services,
) -> Mapping[str, Callable[[list[UnreadableLine]], Iterator[Message]]]:
    """Return the sources by name."""
    return {
        SESSIONS: lambda _: said_in_sessions(work),
        TEAM: lambda unread: published_on_server(work, unread),
    }


def said_in_sessions(work: Services) -> Iterator[Message]:
    """Yield users' messages from Satchel's own sessions, oldest first."""
    store = work.sessions.store
    for session in store.every():
        for message in store.messages(session.id):
            if message.role == "user" and message.id:
                yield Message(f"{session.id}/{message.id}", message.text, "", session.task)


def published_on_server(work: Services, unread: list[UnreadableLine]) -> Iterator[Message]:
    """Yield messages on the team's server (the view `messages`), oldest first."""
    team = work.memories.stores.team
    if team is None:
        raise BadInputError(
            "This project's memories are not kept on a server.", hint="See `satchel team status`."
        )
    team.writable()
    for number, fields in enumerate(published_messages(team.store.database, team.project), 1):
        found = message_from(fields)
        if isinstance(found, str):
            unread.append(UnreadableLine(number, found))
        elif found is not None:
            yield found
