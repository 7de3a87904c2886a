"""Satchel's own sessions, their states and messages, and results from the archive."""

from __future__ import annotations

from satchel.core.errors import BadInputError, ConflictError
from satchel.core.values import NamedTuple

DRAFT, ACTIVE, PAUSED, CLOSED = "draft", "active", "paused", "closed"
#: The origin of sessions recorded by clients.
IMPORTED = "imported"
#: People's name for the latest session.
NEWEST = ("last", "latest")
#: Who may speak in a session.
ROLES = ("user", "assistant", "system", "tool")


class Metrics(NamedTuple):
    """A session's totals. `duration_ms` is the time it was active."""

    messages: int = 0
    duration_ms: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    tool_calls: int = 0


class Session(NamedTuple):
    """A session, as Beads Console models it. Times are Unix seconds, 0 if not yet.

    `resumed_at` is the start of its current activity. `counted_bytes` is the size of the messages
    included in the metrics. `extra` has other programs' fields.
    """

    id: str
    project_id: str = ""
    task: str = ""
    epic: str = ""
    agent_id: str = ""
    agent_name: str = ""
    status: str = DRAFT
    title: str = ""
    summary: str = ""
    memory_brief: str = ""
    memory_brief_tokens: int = 0
    intent_context: str = ""
    tags: tuple[str, ...] = ()
    created_at: float = 0.0
    started_at: float = 0.0
    resumed_at: float = 0.0
    paused_at: float = 0.0
    closed_at: float = 0.0
    last_activity_at: float = 0.0
    metrics: Metrics = Metrics()
    counted_bytes: int = 0
    extra: tuple[tuple[str, object], ...] = ()


class Message(NamedTuple):
    """A message in a session, and its cost."""

    role: str
    text: str
    at: float = 0.0
    id: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    tool_calls: int = 0


class ArchiveHit(NamedTuple):
    """A result from the archive.

    `turns` are ids of turns: one for a match of words, the first and last of a day for an overview.
    `why` says which: `overview`, `words in the time`, `words`.
    """

    session: str
    turns: tuple[str, ...]
    text: str
    at: float
    score: float
    role: str = ""
    client: str = ""
    title: str = ""
    why: str = "words"
    parts: tuple[tuple[str, float], ...] = ()


START, PAUSE, RESUME, CLOSE = "start", "pause", "resume", "close"

#: Move -> its possible states, and the resulting state.
MOVES: dict[str, tuple[tuple[str, ...], str]] = {
    START: ((DRAFT,), ACTIVE),
    PAUSE: ((ACTIVE,), PAUSED),
    RESUME: ((PAUSED,), ACTIVE),
    CLOSE: ((DRAFT, ACTIVE, PAUSED), CLOSED),
}
STATES = (DRAFT, ACTIVE, PAUSED, CLOSED)


def moved(session: Session, move: str, now: float) -> Session:
    """Return the session after a transition.

    Raises `ConflictError` if the move is not allowed in the session's state.
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
