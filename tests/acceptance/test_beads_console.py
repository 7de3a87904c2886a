"""Beads Console's reading side through the installed command: intent, briefs, prompts, packs."""

import json
from pathlib import Path

import pytest

from integration.installed import Machine, context_of, needs_command
from integration.mcp_machine import Lines
from satchel.core.token_budget import estimate_tokens

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

INTENT = """---
version: 1
created_at: 2026-01-15T10:00:00Z
updated_at: 2026-01-20T14:30:00Z
---

# Project Intent: My App

## Overview {#anchor:overview}
Brief description of project purpose.

## Business Model {#anchor:business-model}

### Target Users {#anchor:business-model.users}
- User type 1

## Architecture Constraints {#anchor:constraints}

### Tech Stack {#anchor:constraints.tech-stack}
- Framework X

## Non-Negotiables {#anchor:non-negotiables}
- Security requirement A

## Anti-Goals {#anchor:anti-goals}
- NOT trying to do X
"""
TASKS = [
    {"id": "epic-1", "title": "Accounts", "issue_type": "epic", "status": "open"},
    {"id": "epic-1.1", "title": "Login form", "description": "Build the form.",
     "acceptance_criteria": "Wrong passwords are told.", "status": "in_progress"},
]  # fmt: skip
ROUTE = """import { UserService } from './user';

export async function showProfile(id: string) {
  const service = new UserService();
  return service.findById(id);
}
"""
SERVICE = """/** Finds and creates users. */
export class UserService {
  async findById(id: string): Promise<User | null> {
    return this.db.users.findUnique({ where: { id } });
  }
}
"""


@pytest.fixture
def app(machine: Machine) -> Path:
    app = machine.repository("app", layout="beads")
    (app / "PROJECT_INTENT.md").write_text(INTENT)
    (app / ".beads").mkdir(exist_ok=True)
    lines = "".join(json.dumps(task) + "\n" for task in TASKS)
    (app / ".beads" / "issues.jsonl").write_text(lines)
    (app / "src").mkdir()
    (app / "src" / "profile.ts").write_text(ROUTE)
    (app / "src" / "user.ts").write_text(SERVICE)
    return app


def test_a_task_is_linked_and_its_session_reads_the_linked_sections(
    machine: Machine, app: Path
) -> None:
    machine.ok("intent", "link", "epic-1", "constraints.tech-stack", "--note", "stack", at=app)
    machine.ok(
        "intent", "link", "epic-1.1", "non-negotiables", "--related", "--by", "agent", at=app
    )
    links = json.loads((app / ".beads" / "intent-links.json").read_text())["links"]
    assert [sorted(link) for link in links] == [
        ["addedAt", "addedBy", "anchor", "beadId", "note", "relevance"],
        ["addedAt", "addedBy", "anchor", "beadId", "relevance"],
    ]
    shown = machine.ok("intent", "show", "--task", "epic-1.1", at=app)
    assert shown.startswith("<!-- Intent v1 | Updated: 2026-01-20T14:30:00Z -->")
    assert "## Non-Negotiables <!-- LINKED TO CURRENT BEAD -->" in shown
    assert "### Tech Stack <!-- LINKED TO CURRENT BEAD -->" in shown
    few = machine.ok("intent", "show", "--task", "epic-1.1", "--max-tokens", "110", at=app)
    assert "sections omitted (token budget) -->" in few
    assert estimate_tokens(few.rstrip("\n")) <= 110
    brief = machine.ok("brief", "--task", "epic-1.1", at=app)
    assert "## Non-Negotiables <!-- LINKED TO CURRENT BEAD -->" in brief
    machine.ok("intent", "unlink", "epic-1.1", at=app)
    assert machine.json("intent", "links", "--task", "epic-1.1", at=app) == []


def test_a_constraint_is_written_as_the_document_writes_it(machine: Machine, app: Path) -> None:
    given = {
        "projectId": "proj-123",
        "kind": "constraint",
        "title": "No direct database access from components",
        "content": "Components must never import database modules directly.",
        "intentAnchors": ["constraints.architecture", "non-negotiables"],
    }
    for intent in (INTENT, ""):
        if not intent:
            (app / "PROJECT_INTENT.md").unlink()
            given = {**given, "content": "Another rule of the same kind."}
        with Lines(machine, app, "serve", "--profile", "memory") as server:
            told = server.hello().data("write_memory", **given)
        # The first one is no section of that intent: a memory is not lost for it.
        assert told["memory"]["intentAnchors"] == given["intentAnchors"]
        assert told["memory"]["expiresAt"] is None


def test_what_is_wrong_with_the_intent_is_told(machine: Machine, app: Path) -> None:
    assert "7 anchors, nothing wrong." in machine.ok("intent", "check", at=app)
    text = INTENT.replace("{#anchor:anti-goals}", "{#anchor:overview}") + "\n{#anchor:stray}\n"
    (app / "PROJECT_INTENT.md").write_text(text)
    done = machine.run("intent", "check", at=app)
    assert done.code == 1
    assert "duplicate_anchor" in done.out
    assert "orphan_anchor" in done.out
    machine.fails(4, "intent", "show", "nowhere", at=app)
    (app / "PROJECT_INTENT.md").unlink()
    machine.fails(4, "intent", "show", at=app)


def test_a_whole_prompt_has_every_section_within_its_budget(machine: Machine, app: Path) -> None:
    machine.ok("remember", "--kind", "constraint", "Use Postgres for all data", at=app)
    machine.ok("remember", "--kind", "decision", "--task", "epic-1.1", "JWT for the form", at=app)
    machine.ok("intent", "link", "epic-1.1", "non-negotiables", at=app)
    made = machine.json(
        "brief", "assembled", "--message", "Implement the login form", "--task", "epic-1.1",
        "--skill", "senior", "--pack", "user profile service", at=app,
    )  # fmt: skip
    system = made["system"]
    for section in ("project-instructions", "intent-context", "memory-context", "code-context"):
        assert f"<{section}>" in system
        assert f"</{section}>" in system
    assert "Put trade-offs and alternatives first" in system
    assert "JWT for the form" in system
    assert "### Symbol: UserService (class)" in system
    assert made["user"] == "Implement the login form"
    assert made["tokens"] <= made["budget"]
    small = machine.json("brief", "assembled", "--message", "x", "--max-tokens", "400", at=app)
    assert small["tokens"] <= 400
    assert small["left_out"] or small["sections"]


def test_session_prompts_are_the_projects_own_and_go_before_the_agent(
    machine: Machine, app: Path
) -> None:
    prompts = app / ".beads" / "prompts"
    prompts.mkdir()
    (prompts / "session-start.md").write_text(
        "---\nname: start\ntype: start\n---\n## Task\n{{bead_title}}\n{{bead_acceptance_criteria}}\n"
    )
    shown = machine.ok("brief", "start", "--task", "epic-1.1", at=app)
    assert shown == "## Task\nLogin form\nWrong passwords are told.\n\n"
    assert "Before you finish" in machine.ok("brief", "end", at=app)
    context = context_of(machine.hook("SessionStart", app, source="startup"), "SessionStart")
    assert "## Project intent" in context
    (prompts / "session-start.md").write_text("---\nenabled: false\n---\nHello.\n")
    machine.fails(2, "brief", "start", at=app)
    again = context_of(machine.hook("SessionStart", app, source="resume"), "SessionStart")
    assert "Hello." not in again


def test_a_broken_session_prompt_costs_no_session_its_brief(machine: Machine, app: Path) -> None:
    machine.ok("remember", "--kind", "constraint", "Use Postgres for all data", at=app)
    prompts = app / ".beads" / "prompts"
    prompts.mkdir()
    (prompts / "session-start.md").write_text("---\n: [\n---\nx\n")
    context = context_of(machine.hook("SessionStart", app, source="startup"), "SessionStart")
    assert "Use Postgres for all data" in context
    assert "session-start.md" in machine.fails(2, "brief", "start", at=app)


def test_instructions_tell_what_bd_tells_where_it_is(machine: Machine, app: Path) -> None:
    plain = machine.ok("brief", "instructions", "--skill", "junior", at=app)
    assert "Explain why, not only what" in plain
    assert "bd ready" in plain
    programs = app.parent / "programs"
    programs.mkdir()
    bd = programs / "bd"
    bd.write_text('#!/bin/sh\n[ "$1" = prime ] && echo "READY: epic-1.1 Login form"\n')
    bd.chmod(0o755)
    path = f"{programs}:{machine.environment['PATH']}"
    done = machine.run("brief", "instructions", at=app, environment={"PATH": path})
    assert "READY: epic-1.1 Login form" in done.out
    bd.write_text("#!/bin/sh\nexit 1\n")
    failed = machine.run("brief", "instructions", at=app, environment={"PATH": path})
    assert (failed.code, "READY" in failed.out) == (0, False)
