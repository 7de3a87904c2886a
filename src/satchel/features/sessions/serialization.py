"""Encodes sessions and messages for files: Beads Console's names, ISO 8601 times."""

from __future__ import annotations

from typing import Any

from satchel.clients.transcript_format.texts import seconds_of, text_of
from satchel.clients.transcript_format.values import USER
from satchel.core import quick_json, times
from satchel.core.hashing import is_whole, sealed
from satchel.core.redaction.confidential import without_confidential
from satchel.core.redaction.redactor import redact
from satchel.core.shapes import dict_of, list_of
from satchel.features.sessions.values import DRAFT, Message, Metrics, Session

_TEXTS = {
    "id": "id",
    "project_id": "projectId",
    "task": "beadId",
    "epic": "epicId",
    "agent_id": "agentId",
    "agent_name": "agentName",
    "status": "status",
    "title": "title",
    "summary": "summary",
    "memory_brief": "memoryBrief",
    "intent_context": "intentContext",
}
_TIMES = {
    "created_at": "createdAt",
    "started_at": "startedAt",
    "resumed_at": "resumedAt",
    "paused_at": "pausedAt",
    "closed_at": "closedAt",
    "last_activity_at": "lastActivityAt",
}
_METRICS = {
    "messages": "messageCount",
    "duration_ms": "durationMs",
    "input_tokens": "totalInputTokens",
    "output_tokens": "totalOutputTokens",
    "cost_usd": "totalCostUsd",
    "tool_calls": "toolCallCount",
}
_COSTS = {
    "input_tokens": "inputTokens",
    "output_tokens": "outputTokens",
    "cost_usd": "costUsd",
    "tool_calls": "toolCalls",
}
_OURS = {*_TEXTS.values(), *_TIMES.values(), "memoryBriefTokens", "tags", "metrics", "countedBytes"}


def iso(seconds: float) -> str:
    """Format a time in UTC, to the millisecond; "" for 0."""
    if not seconds:
        return ""
    return times.iso(seconds, "milliseconds")


def fields_of(session: Session) -> dict[str, Any]:
    """Return a session by Beads Console's names, leaving out empty fields."""
    fields: dict[str, Any] = {name: getattr(session, ours) for ours, name in _TEXTS.items()}
    fields |= {name: iso(getattr(session, ours)) for ours, name in _TIMES.items()}
    fields["memoryBriefTokens"] = session.memory_brief_tokens
    fields["tags"] = list(session.tags)
    fields["countedBytes"] = session.counted_bytes
    kept = {name: value for name, value in fields.items() if value}
    kept["metrics"] = {name: getattr(session.metrics, ours) for ours, name in _METRICS.items()}
    return {**dict(session.extra), **kept}


def meta_bytes(session: Session) -> bytes:
    """Encode `meta.json`, without secrets."""
    import json

    from satchel.core.redaction.redactor import redact_value

    clean = redact_value(fields_of(session))[0]
    return (json.dumps(clean, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "replace")


def session_from(fields: dict[str, Any]) -> Session:
    """Parse a session; invalid fields are left empty."""
    metrics = fields.get("metrics")
    counted = dict_of(metrics)
    tags = fields.get("tags")
    given: dict[str, Any] = {ours: _text(fields.get(name)) for ours, name in _TEXTS.items()}
    given |= {ours: seconds_of(fields.get(name)) for ours, name in _TIMES.items()}
    return Session(
        **{**given, "status": given["status"] or DRAFT},
        memory_brief_tokens=_number(fields.get("memoryBriefTokens")),
        tags=tuple(str(tag) for tag in list_of(tags)),
        metrics=_metrics_from(counted),
        counted_bytes=_number(fields.get("countedBytes")),
        extra=tuple((name, value) for name, value in fields.items() if name not in _OURS),
    )


def _metrics_from(counted: dict[str, Any]) -> Metrics:
    whole = {ours: _number(counted.get(name)) for ours, name in _METRICS.items()}
    return Metrics(**whole)._replace(cost_usd=_cost(counted.get("totalCostUsd")))


def message_line(message: Message) -> bytes:
    """Encode a message as a line with its hash, without secrets."""
    said = without_confidential(message.text) if message.role == USER else message.text
    fields: dict[str, Any] = {
        "id": message.id,
        "role": message.role,
        "content": redact(said)[0],
        "timestamp": iso(message.at),
    }
    fields |= {name: getattr(message, ours) for ours, name in _COSTS.items()}
    return sealed(quick_json.dumps({k: v for k, v in fields.items() if v}))[0] + b"\n"


def message_from(line: bytes) -> Message | None:
    """Parse a line; None if damaged. Lines without a hash are another program's."""
    if b'"hash"' in line and not is_whole(line):
        return None
    try:
        fields = quick_json.loads(line.decode("utf-8"))
    except ValueError:
        return None
    if not isinstance(fields, dict) or not isinstance(fields.get("role"), str):
        return None
    return Message(
        fields["role"],
        text_of(fields.get("content", fields.get("text"))),
        seconds_of(fields.get("timestamp")),
        id=_text(fields.get("id")),
        input_tokens=_number(fields.get("inputTokens")),
        output_tokens=_number(fields.get("outputTokens")),
        cost_usd=_cost(fields.get("costUsd")),
        tool_calls=_number(fields.get("toolCalls")),
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Any) -> int:
    return int(value) if _is_number(value) else 0


def _cost(value: Any) -> float:
    return float(value) if _is_number(value) else 0.0


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
