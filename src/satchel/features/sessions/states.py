"""The states of a session, and the transitions between them.

    draft -> active <-> paused
      |         |          |
      +---------+----------+--> closed, from which nothing leads

Pure: who calls decides the time and writes the result down.
"""

from __future__ import annotations

from satchel.core.errors import BadInputError, ConflictError
from satchel.features.sessions.values import ACTIVE, CLOSED, DRAFT, PAUSED, Session

START, PAUSE, RESUME, CLOSE = "start", "pause", "resume", "close"

#: Move -> states it may begin in, and the state it leads to.
MOVES: dict[str, tuple[tuple[str, ...], str]] = {
    START: ((DRAFT,), ACTIVE),
    PAUSE: ((ACTIVE,), PAUSED),
    RESUME: ((PAUSED,), ACTIVE),
    CLOSE: ((DRAFT, ACTIVE, PAUSED), CLOSED),
}
STATES = (DRAFT, ACTIVE, PAUSED, CLOSED)


def moved(session: Session, move: str, now: float) -> Session:
    """Return the session after a transition.

    Raises `ConflictError` where the move is not allowed from where the session stands.
    """
    if move not in MOVES:
        raise BadInputError(f"There is no move {move!r}.", hint=f"There are {', '.join(MOVES)}.")
    begins, leads_to = MOVES[move]
    if session.status not in begins:
        raise ConflictError(
            f"The session is {session.status}; it cannot {move}.", hint=_hint(session.status)
        )
    if session.status == ACTIVE:
        spent = session.metrics.duration_ms + max(0, round((now - session.resumed_at) * 1000))
        session = session._replace(metrics=session.metrics._replace(duration_ms=spent))
    after = session._replace(status=leads_to, last_activity_at=max(now, session.last_activity_at))
    if move == START:
        return after._replace(started_at=now, resumed_at=now)
    if move == RESUME:
        return after._replace(resumed_at=now, paused_at=0.0)
    return after._replace(paused_at=now) if move == PAUSE else after._replace(closed_at=now)


def check_can_speak(session: Session) -> None:
    """Raise `ConflictError` unless the session is active."""
    if session.status != ACTIVE:
        raise ConflictError(
            f"The session is {session.status}; messages go to active ones.",
            hint=_hint(session.status),
        )


def _hint(status: str) -> str:
    allowed = [move for move, (begins, _) in MOVES.items() if status in begins]
    if not allowed:
        return "A closed session stays closed; `satchel sessions new` starts another."
    return f"From {status} it can: {', '.join(allowed)}."
