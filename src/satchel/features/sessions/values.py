"""Satchel's own sessions, their messages, and results from the archive."""

from __future__ import annotations

from satchel.core.values import NamedTuple

DRAFT, ACTIVE, PAUSED, CLOSED = "draft", "active", "paused", "closed"
#: What a client wrote of a session of its own.
IMPORTED = "imported"
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

    `resumed_at` is since when it has been active without a pause. `counted_bytes` is the size of
    the messages that the metrics have counted. `extra` holds fields of other programs.
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

    `turns` are ids of turns: one where words were found, the first and the last of a day where
    the answer is an overview. `why` says which: `overview`, `words in the time`, `words`.
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
