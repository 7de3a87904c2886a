"""`satchel why` and `satchel thread` through the installed command, and what keeps them up."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from integration.agent_trace_schema import TRACE_RECORD
from integration.installed import Machine, needs_command
from integration.thread_made import AgentAtWork, Repository, new_repository
from integration.thread_story import feature_branch, main_branch
from satchel.storage.files import read_file

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

ROUND = "The tax must be rounded to cents, half up"
LINE = "src/pay.py:20"


@pytest.fixture
def shop(machine: Machine) -> Repository:
    made = new_repository(machine)
    main_branch(made, machine.home)
    return made


def session_of(machine: Machine, asked: str) -> str:
    """The id of the session in which something was asked."""
    found = [
        path.stem
        for path in (machine.home / ".claude").rglob("*.jsonl")
        if asked in path.read_text("utf-8")
    ]
    assert len(found) == 1
    return found[0]


def test_a_line_is_told_with_its_prompt_and_what_was_known(
    machine: Machine, shop: Repository
) -> None:
    session = session_of(machine, ROUND)
    root = shop.root
    machine.ok("task", "create", "Tax is wrong", "--id", "mail-4", at=root)
    machine.ok("intent", "new", "--name", "shop", at=root)
    machine.ok("intent", "link", "mail-4", "constraints.tech-stack", at=root)
    machine.run(
        "remember",
        "Half up is what the tax office wants",
        "--task",
        "mail-4",
        at=root,
        environment={"SATCHEL_SESSION": session, "CLAUDECODE": "1"},
    )
    machine.run(
        "remember", "Agent offline", "--kind", "activity", at=root,
        environment={"SATCHEL_SESSION": session, "CLAUDECODE": "1"},
    )  # fmt: skip
    machine.ok("remember", "Cents are a Decimal too", "--at", "src/pay.py:tax_of", at=root)
    told = machine.json("why", LINE, at=root)
    (line,) = told["lines"]
    assert "quantize" in line["text"]
    (origin,) = line["origin"]
    assert (origin["session"], origin["confidence"]) == (session, "certain")
    (one,) = told["sessions"]
    assert [prompt["text"] for prompt in one["prompts"]] == [ROUND]
    assert [memory["text"] for memory in one["learnt"]] == ["Half up is what the tax office wants"]
    assert [memory["text"] for memory in told["since"]] == ["Cents are a Decimal too"]
    (commit,) = told["commits"]
    assert commit["links"][0]["evidence"][0]["kind"] == "committed"
    (task,) = told["tasks"]
    assert (task["id"], task["intent"]) == ("mail-4", ["constraints.tech-stack"])
    text = machine.ok("why", LINE, at=root)
    assert ROUND in text
    assert "certain" in text
    assert len(text.splitlines()) <= 24
    took = r"git \d+ ms, all \d+ ms"
    assert not re.search(took, text)
    assert re.search(took, machine.ok("why", LINE, "--explain", at=root))


def test_what_nobody_wrote_in_a_session_says_so(machine: Machine, shop: Repository) -> None:
    told = machine.json("why", "src/pay.py:10", at=shop.root)
    assert told["lines"][0]["text"].strip() == '"""Add up prices by hand."""'
    assert [one["confidence"] for one in told["lines"][0]["origin"]] == []
    assert "no session is known to have written it" in machine.ok(
        "why", "src/pay.py:10", at=shop.root
    )


def test_that_no_session_is_known_is_said_once(machine: Machine, shop: Repository) -> None:
    shop.by_hand("src/rate.py", "RATE = 19\n")
    shop.git("add", "--all")
    shop.git("commit", "-m", "Name the rate")
    for target in ("src/rate.py:1", "HEAD"):
        assert machine.ok("why", target, at=shop.root).count("no session") == 1


def test_a_refused_edit_wrote_nothing(machine: Machine, shop: Repository) -> None:
    text = (shop.root / "src/pay.py").read_text("utf-8")
    shop.by_hand("src/pay.py", text + "TAX_RATE_OF_GERMANY\n")
    shop.git("commit", "-am", "Name it")
    last = len(text.splitlines()) + 1
    assert machine.json("why", f"src/pay.py:{last}", at=shop.root)["lines"][0]["origin"] == []


def test_a_symbol_a_commit_and_a_session_are_told(machine: Machine, shop: Repository) -> None:
    session = session_of(machine, ROUND)
    symbol = machine.json("why", "src/pay.py:tax_of", at=shop.root)
    assert {line["sha"] for line in symbol["lines"]} == {one["sha"] for one in symbol["commits"]}
    commit = machine.json("why", "HEAD~1", at=shop.root)
    assert (commit["kind"], commit["commits"][0]["subject"]) == ("commit", "Say it shorter")
    assert "certain" not in {one["confidence"] for one in commit["commits"][0]["links"]}
    told = machine.json("why", session[:8], at=shop.root)
    assert (told["kind"], told["sessions"][0]["session"]) == ("session", session)
    assert [
        one["subject"] for one in told["commits"] if one["links"][0]["confidence"] == "certain"
    ] == [
        "Add payments",
        "Round the tax to cents",
    ]


def test_a_thread_goes_both_ways_in_the_order_of_time(machine: Machine, shop: Repository) -> None:
    commit = shop.git("rev-parse", "HEAD~2").strip()
    lines = machine.ok("thread", commit, at=shop.root).splitlines()
    assert [line.split()[3] for line in lines][:4] == ["asked", "commit", "asked", "commit"]
    assert "Round the tax to cents" in lines[3]
    of_line = machine.ok("thread", LINE, at=shop.root)
    assert ROUND in of_line
    assert "Round the tax to cents" in of_line
    assert machine.fails(4, "thread", "no-such-thing", at=shop.root)


def test_what_a_session_and_a_task_led_to_is_told_from_any_branch(
    machine: Machine, shop: Repository
) -> None:
    task = machine.json("tasks", "create", "Round the tax", at=shop.root)["id"]
    for words in (("add", "--all"), ("commit", "-m", "Plan"), ("checkout", "-b", "aside")):
        shop.git(*words)
    agent = AgentAtWork(shop, machine.home)
    agent.prompt("Write down what we owe")
    agent.write("src/debts.py", "def debts_of(customer):\n    return customer.debts\n")
    sha = agent.commit(f"Write down debts ({task})")
    shop.git("checkout", "-q", "main")
    for command, what in (("why", agent.session), ("thread", agent.session), ("why", task)):
        told = machine.json(command, what, at=shop.root)
        assert sha in [one["sha"] for one in told["commits"]], (command, what)
    shop.passes(60)  # its copy on this branch is told instead
    shop.git("cherry-pick", "aside")
    (copy,) = machine.json("why", agent.session, at=shop.root)["commits"]
    assert copy["sha"] == shop.git("rev-parse", "HEAD").strip()


def test_a_memory_is_told_as_before(machine: Machine, shop: Repository) -> None:
    key = machine.json("remember", "Prices are in euros", at=shop.root)["id"]
    assert machine.json("why", key, at=shop.root)["record"]["content"] == "Prices are in euros"
    machine.fails(4, "why", "no-such-thing", at=shop.root)
    machine.fails(2, "why", "src/pay.py", at=shop.root)
    machine.fails(4, "why", "src/pay.py:999", at=shop.root)


def test_a_line_that_is_not_committed_is_told(machine: Machine, shop: Repository) -> None:
    agent = AgentAtWork(shop, machine.home)
    agent.prompt("Begin a list of what we owe")
    agent.write("src/debts.py", "def debts_of(customer):\n    return customer.debts\n")
    told = machine.json("why", "src/debts.py:1-2", at=shop.root)
    assert {line["sha"] for line in told["lines"]} == {""}
    assert {line["origin"][0]["session"] for line in told["lines"]} == {agent.session}


def test_ignored_revisions_are_seen_through(machine: Machine, shop: Repository) -> None:
    before = machine.json("why", LINE, at=shop.root)["lines"][0]
    path = shop.root / "src/pay.py"
    path.write_text(
        path.read_text("utf-8")
        .replace("exact.quantize(", "exact . quantize((")
        .replace("HALF_UP)", "HALF_UP))")
    )
    shop.git("commit", "-am", "Format")
    assert machine.json("why", LINE, at=shop.root)["lines"][0]["sha"] != before["sha"]
    (shop.root / ".git-blame-ignore-revs").write_text("# formats\n" + shop.git("rev-parse", "HEAD"))
    assert machine.json("why", LINE, at=shop.root)["lines"][0]["sha"] == before["sha"]
    (shop.root / ".git-blame-ignore-revs").write_text("no commit\n")
    assert machine.json("why", LINE, at=shop.root)["lines"][0]["sha"] != before["sha"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("blame.ignoreRevsFile", ".git-blame-ignore-revs"),
        ("blame.ignoreRevsFile", "config/ignored"),
        ("diff.orderFile", "/nonexistent"),
        ("diff.interHunkContext", "9"),
        ("log.showRoot", "false"),
    ],
)
def test_a_setting_of_git_changes_no_answer(
    machine: Machine, shop: Repository, name: str, value: str
) -> None:
    file = shop.root / "src/pay.py"
    file.write_text(file.read_text("utf-8") + "ADDED_BY_HAND = 1\n", "utf-8")
    last = len(file.read_text("utf-8").splitlines())
    asked = {f"src/pay.py:1-{last}": "lines", "HEAD": "commits"}
    before = [machine.json("why", what, at=shop.root)[part] for what, part in asked.items()]
    shop.git("config", name, value)
    after = [machine.json("why", what, at=shop.root)[part] for what, part in asked.items()]
    assert after == before


def test_what_a_subagent_wrote_was_asked_for_in_its_parents_session(
    machine: Machine, shop: Repository
) -> None:
    parent = AgentAtWork(shop, machine.home)
    parent.prompt("Have somebody write the exporter")
    child = AgentAtWork(shop, machine.home)
    child.session = parent.session
    child.path = parent.path.parent / parent.session / "subagents" / "agent-a1.jsonl"
    child.path.parent.mkdir(parents=True)
    child.prompt("Write src/export.py as the plan says")
    child.write("src/export.py", "def export_orders(orders):\n    return list(orders)\n")
    parent.commit("Add the exporter")
    told = machine.json("why", "src/export.py:1", at=shop.root)
    (origin,) = told["lines"][0]["origin"]
    assert (origin["session"], origin["confidence"]) == (parent.session, "certain")
    assert told["sessions"][0]["prompts"][0]["text"] == "Have somebody write the exporter"


# Records of other programs


def test_records_of_others_are_evidence_and_never_certain(
    machine: Machine, shop: Repository
) -> None:
    shop.by_hand("src/other.py", "one = 1\ntwo = 2\nthree = 3\n")
    shop.git("add", "--all")
    shop.git("commit", "-m", "From elsewhere")
    sha = shop.git("rev-parse", "HEAD").strip()
    assert machine.json("why", "src/other.py:2", at=shop.root)["lines"][0]["origin"] == []
    note = "src/other.py\n  s_c9883b05a2487d::t_9f8e7d6c5b4a32 2-3\n---\n" + json.dumps(
        {
            "schema_version": "authorship/3.0.0",
            "base_commit_sha": sha,
            "prompts": {},
            "sessions": {
                "s_c9883b05a2487d": {"agent_id": {"tool": "cursor", "id": "conv-1", "model": "m"}}
            },
        }
    )
    shop.git("notes", "--ref=ai", "add", "-m", note, sha)
    first = machine.json("why", "src/other.py:1", at=shop.root)["lines"][0]["origin"]
    second = machine.json("why", "src/other.py:2", at=shop.root)["lines"][0]["origin"]
    assert [one["session"] for one in first if one["evidence"][0]["kind"] == "log"] == []
    assert (second[0]["session"], second[0]["confidence"]) == ("conv-1", "likely")
    assert second[0]["evidence"] == [{"kind": "log", "detail": "git-ai"}]
    assert "not in this archive" in machine.ok("why", "src/other.py:2", at=shop.root)


def test_entires_checkpoints_are_evidence(machine: Machine, shop: Repository) -> None:
    session = session_of(machine, ROUND)
    shop.git("switch", "--quiet", "--orphan", "entire/checkpoints/v1")
    place = shop.root / "0f" / "f8ca6db1c9" / "0"
    place.mkdir(parents=True)
    (place / "metadata.json").write_text(json.dumps({"session_id": f"2026-03-16-{session}"}))
    shop.git("add", "0f")
    shop.git("commit", "-m", "Checkpoint: 0ff8ca6db1c9")
    shop.git("switch", "--quiet", "main")
    shop.by_hand("src/other.py", "one = 1\n")
    shop.git("add", "--all")
    shop.git("commit", "-m", "From Entire\n\nEntire-Checkpoint: 0ff8ca6db1c9")
    (link,) = machine.json("why", "HEAD", at=shop.root)["commits"][0]["links"]
    assert (link["session"], link["confidence"]) == (session, "likely")
    assert link["evidence"] == [{"kind": "log", "detail": "Entire"}]


def test_traces_are_valid_certain_and_read_back(machine: Machine, shop: Repository) -> None:
    out = shop.root / ".agent-trace" / "satchel.jsonl"
    machine.ok("export", str(out), "--format", "agent-trace", at=shop.root)
    records = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    validator = Draft202012Validator(TRACE_RECORD, validate_formats=True)
    for record in records:
        validator.validate(record)
    subjects = {
        shop.git("log", "-1", "--format=%s", one["vcs"]["revision"]).strip() for one in records
    }
    assert subjects == {"Add payments", "Round the tax to cents", "Keep receipts"}
    for record in records:
        for file in record["files"]:
            shown = shop.git("show", f"{record['vcs']['revision']}:{file['path']}").splitlines()
            for talk in file["conversations"]:
                for one in talk["ranges"]:
                    assert shown[one["start_line"] - 1 : one["end_line"]]
                assert talk["contributor"]["model_id"] == "anthropic/claude-opus-4-5"
    again = machine.ok("export", "-", "--format", "agent-trace", at=shop.root)
    assert again == out.read_text("utf-8")
    for path in (machine.home / ".claude").rglob("*.jsonl"):
        path.unlink()
    subprocess.run(
        ["rm", "-r", *Path(machine.home, ".satchel").glob("projects/*/archive")], check=True
    )
    told = machine.json("why", LINE, at=shop.root)["lines"][0]["origin"]
    assert [one["evidence"] for one in told] == [[{"kind": "log", "detail": "Agent Trace"}]]


# Kept up


def facts_in(machine: Machine) -> list[Any]:
    from satchel.project.derived_store import open_database

    (path,) = (machine.home / ".satchel").glob("projects/*/thread.db")
    database = open_database(str(path))
    try:
        tables = ("sessions", "prompts", "edits", "lines", "made", "changes")
        found = []
        for table in tables:
            rows = database.read(f"SELECT * FROM {table}")
            found.append(len(rows))
        wrote = database.read(
            "SELECT l.mark, e.path, e.turn, e.place, s.session FROM lines l JOIN edits e"
            " ON e.number = l.edit JOIN sessions s ON s.number = e.session"
        )
        changes = database.read("SELECT * FROM changes")
        return [found, sorted(map(str, wrote)), sorted(map(str, changes))]
    finally:
        database.close()


def test_upkeep_reads_what_is_new_and_a_rebuild_is_the_same(
    machine: Machine, shop: Repository
) -> None:
    machine.ok("why", LINE, at=shop.root)
    feature_branch(shop, machine.home)
    machine.ok("upkeep", "archive", at=shop.root)
    told = machine.ok("upkeep", "thread", at=shop.root)
    assert "of 4 sessions" in told
    kept = facts_in(machine)
    assert machine.json("rebuild", "--only", "thread", at=shop.root)["thread"] == 4
    assert facts_in(machine) == kept
    (path,) = (machine.home / ".satchel").glob("projects/*/thread.db")
    for file in path.parent.glob("thread.db*"):
        file.unlink()
    machine.ok("why", LINE, at=shop.root)
    assert facts_in(machine) == kept


def test_a_damaged_store_is_made_anew(machine: Machine, shop: Repository) -> None:
    before = machine.json("why", LINE, at=shop.root)["lines"]
    (path,) = (machine.home / ".satchel").glob("projects/*/thread.db")
    path.write_bytes(b"no database" * 4000)
    assert machine.json("why", LINE, at=shop.root)["lines"] == before


def test_forgetting_a_session_takes_it_off_the_thread(machine: Machine, shop: Repository) -> None:
    session = session_of(machine, ROUND)
    machine.ok("why", LINE, at=shop.root)
    for path in (machine.home / ".claude").rglob(f"{session}.jsonl"):
        path.unlink()
    machine.ok("forget", "--session", session, "--yes", at=shop.root)
    told = machine.json("why", LINE, at=shop.root)
    assert "certain" not in {one["confidence"] for one in told["lines"][0]["origin"]}
    for path in (machine.home / ".satchel").rglob("*"):
        if path.is_file():
            assert b"half up" not in read_file(str(path)), path


def test_no_word_and_no_code_is_in_the_store(machine: Machine, shop: Repository) -> None:
    machine.ok("why", LINE, at=shop.root)
    (path,) = (machine.home / ".satchel").glob("projects/*/thread.db")
    data = b"".join(file.read_bytes() for file in path.parent.glob("thread.db*"))
    for word in (b"quantize", b"rounded", b"Round the tax", b"ROUND_HALF_UP"):
        assert word not in data


def test_a_repository_names_no_program_that_runs(machine: Machine, shop: Repository) -> None:
    """What a clone's configuration would start at a blame or a log is not started."""
    ran = machine.directory / "ran"
    program = machine.directory / "program"
    program.write_text(f"#!/bin/sh\ntouch {ran}\ncat\n")
    program.chmod(0o755)
    for key in (
        "diff.x.textconv",
        "diff.x.command",
        "filter.x.clean",
        "core.fsmonitor",
        "core.pager",
    ):
        shop.git("config", key, str(program))
    (shop.root / ".gitattributes").write_text("*.py diff=x filter=x\n")
    machine.ok("why", LINE, at=shop.root)
    machine.ok("why", "HEAD", at=shop.root)
    assert not os.path.exists(ran)
