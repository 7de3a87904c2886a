"""`satchel agents` as a person uses it."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from integration.installed import COMMAND, Machine, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


def log(topic: str, *more: str) -> tuple[str, ...]:
    return ("agent", "log-decision", "--topic", topic, "--decision", f"use {topic}",
            "--rationale", "it is fast", *more)  # fmt: skip


def test_an_agent_is_made_shown_and_listed(machine: Machine, app: Path) -> None:
    assert "No agents" in machine.ok("agent", "list", at=app)
    made = machine.json("agent", "new", "seldon", at=app)["made"]
    assert sorted(os.path.basename(path) for path in made) == [
        "DECISIONS.md", "MEMORY.md", "SOUL.md", "USER.md",
    ]  # fmt: skip
    machine.fails(7, "agent", "new", "seldon", at=app)
    machine.fails(2, "agent", "new", "../evil", at=app)
    soul = app / ".satchel" / "agents" / "seldon" / "SOUL.md"
    soul.write_text("# Agent: Seldon\n\n## Role\nKeeps the plan\n", "utf-8")
    shown = machine.json("agent", "show", at=app)
    assert [file["label"] for file in shown["files"]] == ["SOUL", "USER"]
    assert shown["files"][0]["soul"]["role"] == "Keeps the plan"
    everything = machine.json("agent", "show", "SELDON", "--all", at=app)
    assert [f["label"] for f in everything["files"]] == ["SOUL", "USER", "MEMORY", "DECISIONS"]
    (listed,) = machine.json("agent", "list", at=app)
    assert (listed["name"], listed["role"]) == ("seldon", "Keeps the plan")
    assert "Keeps the plan" in machine.ok("agent", "ask", "who am I", at=app)
    machine.fails(4, "agent", "show", "nobody", at=app)


def test_preferences_come_from_the_files_and_from_what_was_stored(
    machine: Machine, app: Path
) -> None:
    user = app / "agents" / "seldon" / "USER.md"
    user.parent.mkdir(parents=True)
    user.write_text("# User\n\n## Preferences\n- short answers\n", "utf-8")
    machine.ok("remember", "--kind", "preference", "--key", "indent", "four spaces", at=app)
    hits = machine.json("agent", "ask", "what are my preferences", at=app)
    assert {hit["text"] for hit in hits} == {"indent: four spaces", "- short answers"}


def test_a_decision_is_a_row_and_a_memory(machine: Machine, app: Path) -> None:
    assert "--agent" in machine.fails(2, *log("redis"), at=app)
    done = machine.json(*log("redis", "--agent", "seldon", "--alternatives", "memcached, none",
                             "--applies-to", "api"), at=app)  # fmt: skip
    text = Path(done["path"]).read_text("utf-8")
    assert text.rstrip().endswith("| redis | use redis | it is fast | memcached, none |")
    answer = machine.json("recall", "what did we decide about redis", at=app)
    assert any("use redis" in item["content"] for item in answer["items"])
    record = machine.json("memory", "show", done["memory"], at=app)
    assert record["data"]["alternatives"] == ["memcached", "none"]
    assert record["agent"] == "seldon"
    machine.ok(*log("postgres"), at=app)  # the only agent there is
    shown = machine.json("agent", "show", "--all", at=app)
    assert [row["topic"] for row in shown["files"][-1]["decisions"]] == ["redis", "postgres"]
    machine.fails(2, *log(" ", "--agent", "seldon"), at=app)


def test_many_decisions_at_once_are_all_there(machine: Machine, app: Path) -> None:
    machine.ok("agent", "new", "seldon", at=app)
    writers = [
        subprocess.Popen([COMMAND, *log(f"topic-{n}")], cwd=app, env=machine.environment,
                         stdout=subprocess.DEVNULL)
        for n in range(6)
    ]  # fmt: skip
    assert [writer.wait(60) for writer in writers] == [0] * 6
    text = (app / ".satchel" / "agents" / "seldon" / "DECISIONS.md").read_text("utf-8")
    assert all(f"| topic-{n} |" in text for n in range(6))


def test_a_link_out_of_the_project_is_neither_read_nor_written(machine: Machine, app: Path) -> None:
    outside = machine.directory / "outside.md"
    outside.write_text("# not yours\n", "utf-8")
    directory = app / ".satchel" / "agents" / "seldon"
    directory.mkdir(parents=True)
    (directory / "SOUL.md").write_text("# x\n\nfine\n", "utf-8")
    (directory / "DECISIONS.md").symlink_to(outside)
    machine.fails(7, *log("redis"), at=app)
    assert outside.read_text("utf-8") == "# not yours\n"
    assert "not yours" not in machine.ok("agent", "show", "--all", at=app)


def test_hostile_files_reach_no_terminal(machine: Machine, app: Path) -> None:
    soul = app / "agents" / "x" / "SOUL.md"
    soul.parent.mkdir(parents=True)
    soul.write_text("# Agent: \x1b[31m\n\n## Role\n\u202e evil \u200b\x07\n", "utf-8")
    for words in (("show",), ("list",), ("ask", "who am I"), ("show", "--all", "--json")):
        machine.ok("agent", *words, at=app)
    assert json.loads(machine.ok("agent", "list", "--json", at=app))
