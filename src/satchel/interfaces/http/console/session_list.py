"""One list of all sessions: Satchel's own, clients', and those known only by their injections."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.values import NamedTuple
from satchel.features.injections.injection_ledger import Injection
from satchel.workspace import Workspace


class Line(NamedTuple):
    """A session in the list."""

    id: str
    title: str
    at: float
    began: float = 0.0
    agent: str = ""
    client: str = ""
    branch: str = ""
    task: str = ""
    messages: int = 0
    shown: int = 0
    tokens: int = 0


def listed(work: Workspace, injections: Sequence[Injection]) -> list[Line]:
    """Return every session, latest first; transcripts only for their owner."""
    found: dict[str, Line] = {}
    with work.sessions as opened:
        for own in [*opened.store.every(), *(opened.archive.imported() if work.person else ())]:
            if own.id in found:
                continue  # the archive names Satchel's own sessions too, without agent and task
            at, imported = own.last_activity_at or own.created_at, own.status == "imported"
            found[own.id] = Line(
                own.id,
                own.title or own.summary or "Without a title",
                at,
                own.created_at or at,
                agent="" if imported else own.agent_name or own.agent_id,
                client=own.agent_name if imported else "satchel",
                branch=str(dict(own.extra).get("branch", "")),
                task=own.task,
                messages=own.metrics.messages,
            )
    for one in injections:
        known = found.get(one.session) or Line(
            one.session, "A session without a transcript", one.ts, one.ts
        )
        found[one.session] = known._replace(
            at=max(known.at, one.ts),
            agent=known.agent or one.agent,
            shown=known.shown + len(one.items),
            tokens=known.tokens + one.tokens,
        )
    return sorted(found.values(), key=lambda one: -one.at)
