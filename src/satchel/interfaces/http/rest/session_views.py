"""Sessions, transcripts and injections, as clients get them."""

from __future__ import annotations

from typing import Any

from satchel.clients.transcript_format.values import Turn
from satchel.features.injections.injection_ledger import Injection
from satchel.features.sessions.serialization import iso
from satchel.features.sessions.values import Message, Session
from satchel.interfaces.http.rest.views import cleaned


def session(one: Session) -> dict[str, Any]:
    """Return a session in Beads Console's form."""
    metrics = one.metrics
    told = {
        "id": one.id,
        "projectId": one.project_id,
        "beadId": one.task,
        "epicId": one.epic,
        "agentId": one.agent_id,
        "agentName": one.agent_name,
        "status": one.status,
        "title": one.title,
        "summary": one.summary,
        "tags": list(one.tags),
        "memoryBrief": one.memory_brief,
        "intentContext": one.intent_context,
        "createdAt": iso(one.created_at),
        "startedAt": iso(one.started_at),
        "pausedAt": iso(one.paused_at),
        "closedAt": iso(one.closed_at),
        "lastActivityAt": iso(one.last_activity_at),
        "metrics": {
            "messageCount": metrics.messages,
            "durationMs": metrics.duration_ms,
            "totalInputTokens": metrics.input_tokens,
            "totalOutputTokens": metrics.output_tokens,
            "totalCostUsd": metrics.cost_usd,
            "toolCallCount": metrics.tool_calls,
        },
    }
    return dict(cleaned(told))


def message(one: Message) -> dict[str, Any]:
    """Return a message of a session."""
    told = {
        "id": one.id,
        "role": one.role,
        "content": one.text,
        "createdAt": iso(one.at),
        "inputTokens": one.input_tokens,
        "outputTokens": one.output_tokens,
        "costUsd": one.cost_usd,
    }
    return dict(cleaned(told))


def injection(one: Injection) -> dict[str, Any]:
    """Return an injection."""
    told = {
        "id": one.id,
        "sessionId": one.session,
        "at": iso(one.ts),
        "event": one.event,
        "agent": one.agent,
        "tokens": one.tokens,
        "budget": one.budget,
        "leftOut": one.left_out,
        "items": [
            {
                "memoryId": item.id,
                "section": item.section,
                "rank": item.rank,
                "tokens": item.tokens,
                "why": item.why,
                "text": item.text,
            }
            for item in one.items
        ],
    }
    return dict(cleaned(told))


def turn(one: Turn) -> dict[str, Any]:
    """Return a turn of a transcript."""
    return {
        "id": one.id,
        "role": one.role,
        "text": one.text,
        "at": iso(one.at),
        "tools": list(one.tools),
        "errors": list(one.errors),
    }
