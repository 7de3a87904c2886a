"""Finds a session by its id, or the newest of all."""

from __future__ import annotations

from satchel.core.errors import NotFoundError
from satchel.features.sessions.service import SessionService
from satchel.features.sessions.values import NEWEST, Session


def listed(sessions: SessionService) -> list[Session]:
    """Return our sessions and those of clients in the archive, the latest first."""
    found = [*sessions.store.every(), *sessions.archive.imported()]
    return sorted(found, key=lambda one: (one.last_activity_at, one.id), reverse=True)


def found_session(sessions: SessionService, given: str) -> Session:
    """Return one of our sessions, or of a client's in the archive, by its id or `last`."""
    if given in NEWEST:
        newest = next(iter(listed(sessions)), None)
        if newest is None:
            raise NotFoundError("There is no session yet.", hint="`satchel sessions import`")
        return newest
    try:
        return sessions.store.find(given)
    except NotFoundError:
        if not any(given and one.id.startswith(given) for one in sessions.archive.imported()):
            raise
    kept = sessions.archive.archived(given)
    return next(one for one in sessions.archive.imported() if one.id == kept.head.session)
