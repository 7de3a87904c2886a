"""What commands print with `--json` is what `json_schemas` says, field by field.

One story is lived by the installed command; its answers are compared with the schemas. These allow no
field that they do not name, so a new field is told here before a reader meets it.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator, meta

from integration.installed import Machine, needs_command
from printed_json import described, schema_of, shared
from satchel.storage.ledger.record import Record

pytestmark = [
    pytest.mark.skipif(bool(needs_command()), reason=needs_command()),
    pytest.mark.xdist_group("json"),  # one story for all of it
]

NOTE = """---
title: "Connection pool runs dry"
category: debugging-sessions
tags: [postgres]
symptoms: ["requests hang"]
root_cause: "a transaction was open during an HTTP call"
key_insight: "Never hold a transaction while calling another service"
created: "2026-03-16"
confidence: high
---
## Problem
`checkout` held a connection of the `pool` while `PaymentClient` waited.
"""
CODE = '''"""Sends what was bought."""


def send_order(order):
    """Send one order."""
    return deliver(order)


def deliver(order):
    return [line.name for line in order]
'''
SAID = {
    "type": "user", "sessionId": "3b1f7a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b",
    "timestamp": "2026-03-16T09:00:00Z", "uuid": "1",
    "message": {"role": "user", "content": "No, never edit files below generated/ by hand."},
}  # fmt: skip
FOREIGN = {
    "key": "learned-registry", "type": "learned", "content": "The registry moved", "source": "worker",
    "tags": ["learned"], "ts": 1790000000, "bead": "bd-1",
}  # fmt: skip
#: What is done before anything is asked.
BEFORE = """
remember --kind fact "checkout | uses | redis" --category stack
remember --kind preference --key indent "four spaces"
remember --kind decision --task shop-1 --at src/orders.py:send_order "Orders are sent as JSON"
remember --kind next_step --task shop-1 "Write the tests"
intent new --name shop
intent link shop-1 constraints.tech-stack --note "moves the cache"
agents new seldon
tables init foundation leads
docs add documentation docs
graph ingest "redis prevents TimeoutError" --agent mallow
import {foreign}
sessions new "Mend the login" --task shop-1 --start
sessions say "Please mend the login"
guards add --id no-npm --message "Use pnpm." --do deny --command "\\\\bnpm\\\\s" --blocks "npm install" --allows "pnpm install"
"""
#: Schema (command, and after a dot its action) and command line, in the order of the story.
ASKED = """
learn               learn "rate limits count per API key, not per user" --task shop-1
remember            remember --kind constraint "Never log request bodies."
recall              recall "rate limit"
recall              recall "rate limit" --explain
recall              recall "what happened yesterday"
recall              recall "who uses redis" --explain
recall              recall kubernetes
recall              recall "rate limit" --memories --method keyword --explain
recall              recall "send order" --tier code
recall              recall "connection pool hangs" --tier warm
recall              recall "leads new" --tier structured
brief               brief
brief               brief memory --task shop-1
brief               brief intent --task shop-1
brief               brief --prompt "why do we hit the rate limit of the API"
brief               brief instructions
brief               brief assembled --message "mend the login"
overview            overview
tasks.create        tasks create "Write the order form" --id shop-1 -p 1
tasks.create        tasks create "Send a confirmation" --blocked-by shop-1 --id shop-2 --type bug --description "By mail"
tasks.create        tasks create "Orders" --type epic --id shop-epic
tasks.ready         tasks ready
tasks.list          tasks list --all
tasks.claim         tasks claim shop-1 --actor scout
tasks.comment       tasks comment shop-1 "LEARNED: the gateway refuses forms"
tasks.update        tasks update shop-2 --parent shop-epic --add-label mail
tasks.show          tasks show shop-1
tasks.show          tasks show shop-1 shop-2
tasks.epic          tasks epic
tasks.epic          tasks epic shop-epic
tasks.close         tasks close shop-1 --summary "posts JSON"
tasks.reopen        tasks reopen shop-1
tasks.states        tasks states
tasks.check         tasks check
memory.list         memory list
memory.list         memory list --all --kind fact
memory.show         memory show {memory}
memory.show         memory show
memory.list         memory list --files
memory.history      memory history {memory}
memory.facts        memory facts
memory.scoped       memory scoped --task shop-1
intent.show         intent show
intent.show         intent show --task shop-1
intent.anchors      intent anchors
intent.links        intent links
intent.check        intent check
instructions.show   instructions show
instructions.list   instructions list
instructions.stats  instructions stats
notes.search        notes search "requests hang"
notes.search        notes search "requests hang" --explain
notes.list          notes list
notes.stats         notes stats
notes.check         notes check
search-learnings    search-learnings "requests hang"
docs.list           docs list
docs.status         docs status
docs.query          docs query "button"
graph.search        graph search redis
graph.search        graph search "pool" --mode naive
graph.search        graph search "pool" --mode global
graph.query         graph query redis
graph.query         graph query redis --type graph
graph.query         graph query redis --type memory
graph.query         graph query redis --type relationship
graph.show          graph show redis
graph.show          graph show shop-1
graph.stats         graph stats
graph.communities   graph communities
code.find           code find "send order"
code.symbols        code symbols src/orders.py
code.refs           code refs deliver
code.refs           code refs send_order
code.status         code status
pack                pack "send an order"
route.to            route "draft a newsletter about our new logo"
route.to            route "hello there" --dry-run --explain
route.outcome       route outcome - success --note "sent"
route.stats         route stats
route.profiles      route profiles
tables.list         tables list
tables.show         tables show leads
tables.add          tables add leads name=Bob status=new email=bob@example.org
tables.update       tables update leads bob status=won
tables.get          tables get leads bob
tables.find         tables find leads bob
tables.history      tables history leads bob
tables.count        tables count leads
tables.count        tables count leads --group-by status
tables.check        tables check leads
agents.list         agents list
agents.show         agents show seldon
agents.show         agents show seldon --all
sessions.list       sessions list
sessions.show       sessions show {session}
sessions.search     sessions search generated
sessions.import     sessions import {transcript}
sessions.search     sessions search "files below generated"
reflect             reflect --transcript {transcript}
reflect             reflect --status
review              review
review              review 1
review              review --all
rules.add           rules add "Quote paths in shell scripts" --evidence correction
rules.show          rules show
guards.list         guards list
guards.test         guards test
check               check --init
check               check
check               check --list
approve             approve
quarantine          quarantine
anchor              anchor {memory} src/orders.py
why                 why {memory}
why                 why src/orders.py:5
why                 why HEAD
why                 why src/orders.py:deliver
thread              thread shop-1
why-injected        why-injected
why-injected        why-injected monday
log                 log
log                 log --all
log                 log --at 2030-01-01
stats               stats
status              status
stats               stats --usefulness
doctor              doctor
config              config
config              config recall.limit
upkeep.list         upkeep list
upkeep              upkeep --dry-run
upkeep              upkeep
upkeep.status       upkeep status
backup              backup
backup              backup --verify
backup              backup --list
install             install --status
rebuild             rebuild
memory.delete       memory delete {memory} --yes
share               share --dry-run
share               share --yes
mcp.tools           mcp tools
research            research "why do requests hang" --no-save
"""
#: Exit codes of answers, beside 0: what is wrong is the answer.
_SPEAKS = {"doctor": {0, 7}, "check": {0, 1}, "notes.check": {0, 2}, "intent.check": {0, 1}}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """Schema, as `json_schemas` names it -> what the commands of it printed."""
    found: dict[str, list[Any]] = {}
    for name, answer in lived(tmp_path_factory.mktemp("json")):
        found.setdefault(name.replace(".", " "), []).append(answer)
    return found


def lived(directory: Path) -> Iterator[tuple[str, Any]]:
    machine = Machine(directory)
    shop = machine.repository("shop")
    for path, text in (
        ("docs/solutions/debugging-sessions/pool.md", NOTE),
        ("docs/deploy.md", "# Deploying\n\nPress the button.\n"),
        ("src/orders.py", CODE),
        ("docs/solutions/patterns/thin.md", "---\ntitle: Thin\n---\nNothing is said.\n"),
        ("AGENTS.md", "# Shop\n\n- run the tests\n\n@import docs/none.md\n"),
    ):
        (shop / path).parent.mkdir(parents=True, exist_ok=True)
        (shop / path).write_text(text)
    ids: dict[str, str] = {}
    foreign = directory / "knowledge.jsonl"
    foreign.write_text(json.dumps(FOREIGN) + "\n")
    transcript = directory / "monday.jsonl"
    transcript.write_text(json.dumps({**SAID, "cwd": str(shop)}) + "\n")
    for line in BEFORE.strip().splitlines():
        machine.ok(*shlex.split(line.format(foreign=foreign)), at=shop)
    for line in ASKED.strip().splitlines():
        name, _, command = line.partition(" ")
        if name == "why-injected":
            machine.hook("SessionStart", shop, session_id="monday", source="startup")
        words = shlex.split(command.format(transcript=transcript, **ids))
        done = machine.run(*words, "--json", at=shop)
        assert done.code in _SPEAKS.get(name, {0}), f"{command}: {done.err}"
        if name == "learn":
            ids["memory"] = done.json["id"]
        elif name == "sessions.list":
            ids["session"] = done.json[0]["id"]
        yield name, done.json


def faults_of(name: str, answer: Any) -> list[str]:
    """Where an answer is not what its schema says."""
    reader = Draft202012Validator(schema_of(*name.split(" ")))
    return [f"{error.instance_path}: {error.message[:300]}" for error in reader.iter_errors(answer)]


@pytest.mark.parametrize("name", sorted(described()))
def test_what_is_printed_is_what_the_schema_says(name: str, answers: dict[str, list[Any]]) -> None:
    meta.validate(schema_of(*name.split(" ")))
    if name == "error":
        return
    assert answers[name]
    assert [fault for answer in answers[name] for fault in faults_of(name, answer)] == []


def test_a_refusal_is_what_the_schema_says(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    for words in (("recall", "x"), ("show", "nothing"), ("recall", "x", "--limit", "many")):
        done = machine.run(*words, "--json", at=tmp_path)
        assert done.code in {2, 3, 4}
        assert faults_of("error", json.loads(done.err)) == []


def test_a_memory_has_the_fields_of_a_line() -> None:
    spelled = {"kind": "type", "task": "bead"}
    fields = {spelled.get(name, name) for name in Record._fields} - {"extra", "edited"}
    assert set(shared()["record"]["properties"]) == fields


def test_what_is_not_told_is_noticed(answers: dict[str, list[Any]]) -> None:
    """Seeded bugs: a field more, a field less, another type."""
    recall = answers["recall"][0]
    assert faults_of("recall", {**recall, "surprise": 1})
    assert faults_of("recall", {**recall, "count": "1"})
    assert faults_of("recall", {name: recall[name] for name in recall if name != "items"})
    task = answers["tasks show"][0][0]
    assert faults_of("tasks show", [{**task, "priority": "high"}])
    assert faults_of("tasks show", [{name: task[name] for name in task if name != "title"}])
    stats = answers["stats"][0]
    assert faults_of("stats", {**stats, "surprise": 1})
