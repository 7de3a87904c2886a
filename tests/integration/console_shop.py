"""A web shop's project after two weeks of work: what the console's pictures and tasks are made on."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from integration.console_crowd import crowd
from integration.transcripts_made import Transcript
from satchel.application.learning.reflection.service import Reflection
from satchel.application.learning.reviewing.review import Review
from satchel.core.clock import FixedClock
from satchel.features.graph.values import Entity, Relation, TextGraph
from satchel.features.injections.outcomes import outcomes_of
from satchel.features.instincts.values import NewInstinct
from satchel.features.intent.values import Link
from satchel.features.sessions.values import START, Message
from satchel.features.tasks.values import Change
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

_DAY = 86_400
_INTENT = """# Shop {#anchor:shop}
Sells things to people who come back.

## Money is never taken twice {#anchor:money-once}
A charge is **idempotent**: the same event twice is one charge.

- Amounts are integer cents.
- Refunds go through the ledger table.

## Fast on Mondays {#anchor:mondays}
Checkout answers within 300 ms, also when everybody comes at once.
"""
#: Kind, text, who said it, agent, branch.
_KNOWN = (
    (
        "learned",
        "Stripe replays a webhook for up to three days; key idempotency on `event.id`, never on the payload",
        "user",
        "orchestrator",
        "payments/webhook-retries",
    ),
    ("constraint", "Never log request bodies", "user", "", "main"),
    (
        "learned",
        "Rate limits count per API key, not per user",
        "agent",
        "backend",
        "api/rate-limit-headers",
    ),
    (
        "decision",
        "Refunds go through the ledger table, not through PaymentClient directly",
        "user",
        "orchestrator",
        "main",
    ),
    ("fact", "tax service | answers in | 1.8 s at p95", "agent", "backend", "main"),
    (
        "learned",
        "Renaming a column that is read during a deploy takes two releases",
        "agent",
        "orchestrator",
        "db/total-cents",
    ),
    (
        "preference",
        "Ask before adding a dependency, and give the reason in one line",
        "user",
        "",
        "main",
    ),
    (
        "learned",
        "Backfill in batches of 5,000 with a pause, then add the constraint",
        "agent",
        "orchestrator",
        "db/total-cents",
    ),
    (
        "learned",
        "`pytest -n auto` deadlocks on webhook_inbox; run those tests serially",
        "agent",
        "orchestrator",
        "payments/webhook-retries",
    ),
    (
        "decision",
        "Cart totals are computed on the server; the browser only shows them",
        "user",
        "backend",
        "main",
    ),
    (
        "learned",
        "Retry-After is in seconds, except from batch endpoints, which send milliseconds",
        "agent",
        "backend",
        "api/rate-limit-headers",
    ),
    (
        "constraint",
        "A migration must finish within 30 seconds; anything longer runs as a job",
        "user",
        "",
        "main",
    ),
    (
        "learned",
        "The staging gateway declines amounts that end in 13; use 14 in tests",
        "agent",
        "backend",
        "main",
    ),
    (
        "learned",
        "Check the webhook signature against the raw body, before any middleware parses it",
        "agent",
        "orchestrator",
        "payments/webhook-retries",
    ),
    (
        "learned",
        "Gateway tests replay cassettes; record a new one with `make cassettes`",
        "agent",
        "backend",
        "main",
    ),
    (
        "learned",
        "SELECT … FOR UPDATE SKIP LOCKED keeps two workers from taking one webhook",
        "agent",
        "orchestrator",
        "payments/webhook-retries",
    ),
)
_ASKED = (
    ("Find out why webhook retries double-charge", "orchestrator"),
    ("Add rate-limit headers to the public API", "backend"),
    ("Rename orders.total to total_cents without downtime", "orchestrator"),
    ("Why is checkout slow on Mondays?", "backend"),
    ("Write the webhook runbook", "orchestrator"),
)
_TASKS = (
    ("Store Stripe's event.id with a unique index", 1),
    ("Webhook retries double-charge after a queue restart", 0),
    ("Alert when a charge is retried more than twice", 2),
    ("Drop payload_hash from webhook_inbox", 3),
    ("Give the worker 30 seconds to finish before a deploy stops it", 1),
    ("Record cassettes for the tax service", 2),
    ("Rename orders.total to total_cents without downtime", 1),
    ("Document Retry-After for API clients", 3),
    ("Respect Retry-After from the gateway", 1),
    ("Find out why requests hang on Mondays", 0),
)


@contextmanager
def shop(memories: int = 0) -> Iterator[tuple[Workspace, dict[str, str]]]:
    """A project that was worked on for two weeks, up to now; with `memories` for a year before."""
    clock = FixedClock(time.time() - 360 * _DAY)
    with temporary_workspace(git=True, clock=clock, name="shop") as project:
        if memories:
            crowd(project, clock, memories, tasks=2_000, sessions=500, nodes=5_000)
        clock.at = time.time() - 14 * _DAY
        idents = _live(project, clock)
        clock.at = time.time()
        yield project, idents


def _live(project: Workspace, clock: FixedClock) -> dict[str, str]:
    _code(project)
    tasks = _work(project)
    known = []
    for n, (kind, text, trust, agent, branch) in enumerate(_KNOWN):
        clock.advance(0.8 * _DAY)
        fields: dict[str, Any] = {"trust": trust, "agent": agent, "branch": branch}
        if n % 3 != 1:
            fields["task"] = tasks[n % len(tasks)]
        known.append(project.remember(text, kind=kind, **fields))
        if n % 3 == 2:
            _session(project, clock, n // 3, tasks)
    kept = project.memories.edit(known[0].id, known[0].content + " ")
    _graph(project)
    _rules(project)
    _reflect(project)
    with Review(project) as review:
        titles = {one.proposal.title: one.proposal.id for one in review.pending()}
    asked = next(title for title in titles if title.startswith("Never edit"))
    return {
        "memory": kept.id,
        "task": tasks[1],
        "session": project.injections.all()[-1].session,
        "ready": tasks[4],
        "suggestion": titles[asked],
    }


def _code(project: Workspace) -> None:
    place = os.path.join(project.project.place.root, "src", "payments")
    os.makedirs(place)
    with open(os.path.join(place, "webhooks.py"), "w", encoding="utf-8") as file:
        file.write(
            '"""Webhook retries: each event is charged once."""\n\n\n'
            'def claim_webhook(inbox, event):\n    """Claim an event by its id; retries find it taken."""\n'
            '    return inbox.claim(f"stripe:{event.id}")\n'
        )


def _work(project: Workspace) -> list[str]:
    with open(project.project.tracked.intent, "w", encoding="utf-8") as file:
        file.write(_INTENT)
    with project.tasks as opened:
        ids = [
            opened.create(
                title,
                priority=level,
                description=f"{title}, because customers noticed. The "
                "charge carries the same `event.id`.",
            ).id
            for title, level in _TASKS
        ]
        opened.depend(ids[1], ids[0])
        for later in ids[2:4]:
            opened.depend(later, ids[1])
        for done in (ids[0], *ids[8:]):
            opened.close([done], "Done, with a test that failed before.")
        for begun, who in ((ids[1], "orchestrator"), (ids[6], "backend")):
            opened.apply(begun, Change({"assignee": who}, status="in_progress"))
        opened.comment(ids[1], "It happens within 20 seconds of a deploy, both times.")
    project.intent.link(Link(ids[1], "money-once"))
    return ids


def _session(project: Workspace, clock: FixedClock, n: int, tasks: list[str]) -> None:
    title, agent = _ASKED[n % len(_ASKED)]
    with project.sessions as opened:
        ident = opened.new(title=title, task=tasks[n], agent=agent).id
        opened.move(ident, START)
    project.briefs.note_injection(project.briefs.session(), session=ident, event="SessionStart")
    with project.sessions as opened:
        for role, text in (
            ("user", f"{title}. It happened twice on Monday, both times right after the deploy."),
            (
                "assistant",
                "I will look at how a worker takes an event from `webhook_inbox`, since a restart means two workers overlap for a moment.",
            ),
            ("user", "No, hashing the payload is what bit us last summer. Use the event id."),
            (
                "assistant",
                "Found it. `take_next()` selects a row and marks it in a second statement.",
            ),
        ):
            clock.advance(180)
            opened.say(ident, Message(role, text))
    shown = {
        one.identity: ("used" if k % 3 != 2 else "ignored", one.tokens)
        for i in project.injections.of_session(ident, whole=True)
        for k, one in enumerate(i.items)
        if one.identity
    }
    outcomes_of(project.project).note(ident, shown)
    project.remember(
        f"{title}: the cause was two workers overlapping during a deploy",
        kind="learned",
        session=ident,
        agent=agent,
        trust="agent",
    )


def _graph(project: Workspace) -> None:
    ties = (
        ("PaymentClient", "LedgerTable"),
        ("PaymentClient", "webhook_inbox"),
        ("PaymentClient", "checkout"),
        ("webhook_inbox", "worker"),
        ("checkout", "cart"),
        ("checkout", "tax service"),
        ("gateway", "PaymentClient"),
        ("gateway", "rate limits"),
        ("worker", "deploy"),
        ("cart", "totals"),
    )
    with project.graph as graph:
        for source, target in ties:
            drawn = TextGraph(
                (Entity(source), Entity(target)),
                (Relation(source, target, "uses", 0.8),),
                explicit=True,
            )
            graph.ingest(f"{source} uses {target}", drawn)


def _rules(project: Workspace) -> None:
    for rule in (
        "Write money as integer cents; convert at the edge only",
        "Commit subjects in the imperative, without a task number",
    ):
        new = NewInstinct(rule, source="a person")
        project.instincts.add(new)


def _reflect(project: Workspace) -> None:
    root = project.project.place.root
    with open(os.path.join(root, "AGENTS.md"), "w", encoding="utf-8") as file:
        file.write(
            "# Working agreements\n\n- Tests run with `make test`.\n- Generated clients live in `generated/`.\n- Never log request bodies.\n"
        )
    talk = Transcript(root, "9d3a1c9e-0000-4000-8000-00000000000a")
    talk.person("please add the retry count to the webhook client")
    talk.agent(
        "I added `retry_count` to `generated/openapi_client.py` so that the handler can read it."
    )
    talk.person("no, never edit files below generated/ by hand")
    talk.agent("Reverted. The field is in `openapi.yaml` now and the client is generated again.")
    talk.runs(
        "Bash", "pytest -q tests/webhooks", "Exit code 1 E SignatureError: signature does not match"
    )
    talk.runs("Edit", f"{root}/proxy.py").runs("Bash", "pytest -q tests/webhooks")
    talk.agent(
        "The root cause was that the proxy parsed the body before the signature check, so I moved it."
    )
    talk.person("always run make lint-migrations before committing a revision")
    talk.agent("I will.")
    talk.person("the sandbox of the payment provider rejects amounts above 100 euro")
    talk.agent("Noted.")
    talk.person(
        "let's go with idempotency keys instead of a lock table because the table deadlocked"
    )
    talk.agent("Done.")
    path = talk.write(os.path.join(project.owner().home.path, "t.jsonl"))
    with project.sessions as opened:
        opened.archive.import_transcripts(paths=[path])
    Reflection(project).reflect(paths=[path])
