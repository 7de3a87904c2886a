"""Sessions, messages, and what was shown to agents."""

from __future__ import annotations

from typing import Annotated, Literal

from satchel.interfaces.http.rest.models.fields import (
    Answer,
    Page,
    SessionId,
    Tags,
    TaskId,
    Time,
    TimeOrNone,
    Tokens,
    says,
)

_STATUS = says("Where it stands.", "active")


class SessionMetrics(Answer):
    """The totals of a session."""

    message_count: Annotated[int, says("Messages.", 2)]
    duration_ms: Annotated[int, says("Milliseconds in which it was active.", 61000)]
    total_input_tokens: Annotated[int, says("Input tokens.", 900)]
    total_output_tokens: Annotated[int, says("Output tokens.", 120)]
    total_cost_usd: Annotated[float, says("What the model cost, USD.", 0.004)]
    tool_call_count: Annotated[int, says("Tool calls.", 0)]


class Session(Answer):
    """A session, as Beads Console models it."""

    id: SessionId
    project_id: Annotated[str, says("Id of its project.", "shop")]
    bead_id: TaskId
    epic_id: Annotated[str, says('Id of the epic; "" for none.', "")]
    agent_id: Annotated[str, says('Id of its agent; "" for none.', "")]
    agent_name: Annotated[str, says('Its agent; "" for none.', "backend-architect")]
    status: Annotated[str, _STATUS]
    title: Annotated[str, says("One line.", "Move the cache")]
    summary: Annotated[str, says('Its outcome; "" until it is closed.', "")]
    tags: Tags
    memory_brief: Annotated[str, says("The memories it started with.", "")]
    intent_context: Annotated[str, says("The part of the intent it started with.", "")]
    created_at: Time
    started_at: TimeOrNone
    paused_at: TimeOrNone
    closed_at: TimeOrNone
    last_activity_at: TimeOrNone
    metrics: Annotated[SessionMetrics, says("Its totals.")]


class Message(Answer):
    """One message of a session."""

    id: Annotated[str, says("Id of the message.", "01M8ZK6")]
    role: Annotated[Literal["user", "assistant", "system", "tool"], says("Who says it.", "user")]
    content: Annotated[str, says("What is said.", "Move the cache.")]
    created_at: TimeOrNone
    input_tokens: Annotated[int, says("Input tokens.", 0)]
    output_tokens: Annotated[int, says("Output tokens.", 0)]
    cost_usd: Annotated[float, says("What the model cost, USD.", 0.0)]


class InjectionSummary(Answer):
    """An injection, without its contents."""

    at: Time
    event: Annotated[str, says("The client's event.", "SessionStart")]
    tokens: Tokens
    budget: Annotated[int, says("The token budget.", 2000)]
    items: Annotated[int, says("How many memories were shown.", 3)]
    left_out: Annotated[int, says("How many did not fit.", 0)]


class SessionDetails(Session):
    """A session, its messages, and what was shown to its agent."""

    messages: Annotated[list[Message], says("Its last 200 messages, oldest first.")]
    injections: Annotated[list[InjectionSummary], says("What was shown, oldest first.")]


class SessionPage(Page):
    """One page of sessions."""

    sessions: Annotated[list[Session], says("The sessions, the latest activity first.")]


class InjectedItem(Answer):
    """A memory in an injection."""

    memory_id: Annotated[str, says('Id of the memory; "" for what is none.', "01M8ZK3")]
    section: Annotated[str, says("The section of the brief.", "lessons")]
    rank: Annotated[int, says("Its position there, from 1.", 1)]
    tokens: Tokens
    why: Annotated[str, says("Why it was chosen.", "of this task")]
    text: Annotated[str, says("What was shown.", "Use pgx, not pq.")]


class Injection(Answer):
    """An injection: what an agent was shown at one time."""

    id: Annotated[str, says("Id of this injection.", "01M8ZK8")]
    session_id: Annotated[str, says("The session, as its client calls it.", "s-1")]
    at: Time
    event: Annotated[str, says("The client's event.", "SessionStart")]
    agent: Annotated[str, says('The agent; "" for the main one.', "")]
    tokens: Tokens
    budget: Annotated[int, says("The token budget.", 2000)]
    left_out: Annotated[int, says("How many memories did not fit.", 0)]
    items: Annotated[list[InjectedItem], says("What was shown, in its order.")]


class InjectionPage(Page):
    """One page of injections."""

    injections: Annotated[list[Injection], says("The injections, newest first.")]
