"""`satchel sessions` as a person and several agents use it: real files, real processes."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from integration.installed import COMMAND, Machine, needs_command
from satchel.features.sessions.compression import lines_in
from satchel.storage.paths import UserHome

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


def messages(machine: Machine, app: Path, ident: str) -> list[str]:
    shown = machine.json("session", "show", ident, "--all", at=app)
    return [message["text"] for message in shown["messages"]]


def test_a_session_goes_through_its_life_and_leaves_a_checkpoint(
    machine: Machine, app: Path
) -> None:
    tasks = app / ".satchel" / "tasks.jsonl"
    tasks.write_text(
        '{"id":"E","title":"epic"}\n{"id":"T","title":"login","parent":"E"}\n', "utf-8"
    )
    machine.ok("remember", "--kind", "decision", "Tokens live an hour", "--task", "T", at=app)
    intent = app / "PROJECT_INTENT.md"
    intent.write_text("# Intent\n\n## Rules {#anchor:rules}\n\nNo passwords in logs.\n", "utf-8")
    made = machine.json(
        "session", "new", "Mend", "the login", "--task", "T", "--agent", "bob", "--tag", "web",
        at=app,
    )  # fmt: skip
    assert (made["status"], made["beadId"], made["epicId"]) == ("draft", "T", "E")
    assert made["title"] == "Mend the login"
    assert "Tokens live an hour" in made["memoryBrief"]
    assert made["memoryBriefTokens"] > 0
    assert "No passwords in logs." in made["intentContext"]
    ident = made["id"]
    refused = machine.fails(7, "session", "say", "too early", "--to", ident, at=app)
    assert "draft" in refused
    machine.ok("session", "start", ident, at=app)
    for number in range(7):
        machine.ok("session", "say", "--role", "user", f"question {number}", at=app)
    machine.ok(
        "session", "say", "--role", "assistant", "--output-tokens", "12", "--cost", "0.5",
        "--tool-calls", "2", "Mended.\n\nNext steps:\n- deploy it\n- tell Ann", at=app,
    )  # fmt: skip
    machine.ok("session", "pause", at=app)
    assert "paused" in machine.fails(7, "session", "say", "x", "--to", ident, at=app)
    machine.ok("session", "resume", at=app)
    by_hand = machine.json("session", "checkpoint", "--trigger", "compaction", at=app)
    assert "**Trigger:** compaction" in by_hand["content"]
    closed = machine.json("session", "close", "--summary", "login works", at=app)
    assert (closed["status"], closed["summary"]) == ("closed", "login works")
    assert closed["metrics"]["messageCount"] == 8
    assert closed["metrics"]["totalCostUsd"] == 0.5
    record = machine.json("memory", "show", closed["checkpoint"], at=app)
    for line in (
        "## Session Checkpoint", "**Trigger:** session_end", f"**Session:** {ident}",
        "**Bead:** T", "**Messages:** 8", "### Summary", "login works", "**User:** question 6",
        "### Next Steps", "- deploy it",
    ):  # fmt: skip
        assert line in record["content"], record
    assert record["data"]["next_steps"] == ["deploy it", "tell Ann"]
    assert (record["bead"], record["session"]) == ("T", ident)
    assert "cannot start" in machine.fails(7, "session", "start", ident, at=app)
    assert len(machine.json("session", "list", "--status", "closed", "--tag", "web", at=app)) == 1
    assert machine.json("session", "list", "--status", "draft", at=app) == []
    assert "deploy it" in machine.ok("brief", at=app)


def test_every_action_says_what_is_wrong(machine: Machine, app: Path) -> None:
    machine.fails(4, "session", "show", "nothing", at=app)
    machine.fails(4, "session", "say", "x", at=app)
    machine.fails(4, "session", "start", at=app)
    machine.fails(2, "session", "import", "/no/such/file", at=app)
    machine.fails(2, "session", "end", "--learned", " ", at=app)
    machine.fails(2, "session", "end", "--learned", "x", "--confidence", "two", at=app)
    machine.fails(4, "session", "transcript", "nobody", at=app)
    machine.fails(3, "session", "list", at=machine.directory)


def test_hostile_words_reach_no_terminal(machine: Machine, app: Path) -> None:
    hostile = "a\x1b[31mred\x1b]0;title\x07 \u202etxt.exe \U000e0041\u200b word"
    machine.ok("session", "new", hostile, "--start", "--agent", hostile, at=app)
    machine.ok("session", "say", hostile, at=app)
    for words in (("list",), ("show", "-"), ("checkpoint",), ("search", "word"), ("begin",),
                  ("end", "--learned", hostile, "--agent", hostile), ("close",)):  # fmt: skip
        machine.ok("session", *words, at=app)
        assert words[0] == "close" or machine.ok("session", *words, "--json", at=app)


def test_sessions_are_tracked_only_where_a_person_says_so(machine: Machine, app: Path) -> None:
    machine.ok("session", "new", "private", at=app)
    assert not (app / ".satchel" / "sessions").exists()
    with (app / ".satchel" / "project.toml").open("a", encoding="utf-8") as file:
        file.write("\n[sessions]\ntracked = true\n")
    machine.ok("session", "new", "the repository says so", at=app)
    assert not (app / ".satchel" / "sessions").exists()
    machine.ok("config", "set", "sessions.tracked", "true", at=app)
    made = machine.json("session", "new", "for everybody", at=app)
    assert (app / ".satchel" / "sessions" / made["id"] / "meta.json").exists()
    titles = [one["title"] for one in machine.json("session", "list", at=app)]
    assert titles == ["for everybody", "the repository says so", "private"]


def test_the_beads_preset_keeps_them_where_beads_console_does(machine: Machine) -> None:
    app = machine.repository("beaded", init=False)
    (app / ".beads").mkdir()
    machine.ok("init", "--layout", "beads", "--yes", at=app)
    machine.ok("config", "set", "sessions.tracked", "true", at=app)
    made = machine.json("session", "new", "x", "--start", at=app)
    machine.ok("session", "say", "hello", at=app)
    directory = app / ".beads" / "sessions" / made["id"]
    assert sorted(os.listdir(directory)) == ["messages.jsonl", "meta.json"]
    meta = json.loads((directory / "meta.json").read_text("utf-8"))
    assert {"id", "projectId", "status", "createdAt", "lastActivityAt", "metrics"} <= {*meta}


def test_two_processes_say_messages_at_once_and_none_is_lost(machine: Machine, app: Path) -> None:
    ident = machine.json("session", "new", "busy", "--start", at=app)["id"]
    script = 'for n in $(seq 12); do "$0" session say --to "$1" "$2 $n" || exit 1; done'
    writers = [
        subprocess.Popen(["sh", "-c", script, COMMAND, ident, who], cwd=app,
                         env=machine.environment, stdout=subprocess.DEVNULL)
        for who in ("ann", "bob")
    ]  # fmt: skip
    assert [writer.wait(60) for writer in writers] == [0, 0]
    said = messages(machine, app, ident)
    assert sorted(said) == sorted(f"{who} {n}" for who in ("ann", "bob") for n in range(1, 13))
    assert [s for s in said if s.startswith("ann")] == [f"ann {n}" for n in range(1, 13)]
    shown = machine.json("session", "show", ident, at=app)
    assert shown["metrics"]["messageCount"] == 24


def test_what_was_acknowledged_outlives_kill_9(machine: Machine, app: Path) -> None:
    ident = machine.json("session", "new", "killed", "--start", at=app)["id"]
    script = 'n=0; while :; do n=$((n+1)); "$0" session say --to "$1" "message $n" && echo $n; done'
    acknowledged: list[str] = []
    for wait in (0.5, 0.9, 0.65):
        writer = subprocess.Popen(
            ["sh", "-c", script, COMMAND, ident], cwd=app, env=machine.environment,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True, text=True,
        )  # fmt: skip
        time.sleep(wait)
        os.killpg(writer.pid, signal.SIGKILL)
        out, _ = writer.communicate(timeout=20)
        acknowledged += [line for line in out.split() if line.isdigit()]
    said = messages(machine, app, ident)
    assert len(said) >= len(acknowledged) > 0
    after = machine.json("session", "close", ident, at=app)
    assert after["metrics"]["messageCount"] == len(said)


def test_closed_sessions_are_compressed_after_a_week_and_stay_found(
    machine: Machine, app: Path
) -> None:
    ident = machine.json("session", "new", "about walruses", "--start", at=app)["id"]
    machine.ok("session", "say", "where do walruses sleep", at=app)
    machine.ok("session", "close", at=app)
    machine.ok("upkeep", "archive", at=app)
    (project,) = list((machine.home / ".satchel" / "projects").iterdir())
    directory = Path(UserHome(str(machine.home / ".satchel")).path) / "projects" / project.name
    own = directory / "sessions" / ident
    assert (own / "messages.jsonl").exists()
    meta = json.loads((own / "meta.json").read_text("utf-8"))
    meta["closedAt"] = "2026-01-01T00:00:00.000Z"
    (own / "meta.json").write_text(json.dumps(meta), "utf-8")
    assert "1 closed sessions compressed" in machine.ok("upkeep", "archive", at=app)
    assert sorted(os.listdir(own)) == ["messages.jsonl.gz", "meta.json"]
    assert b"walruses" in b"".join(lines_in((own / "messages.jsonl.gz").read_bytes()))
    assert messages(machine, app, ident) == ["where do walruses sleep"]
    (hit,) = machine.json("session", "search", "walruses", at=app)
    assert hit["session"] == ident
    findings = json.loads(machine.run("doctor", "--json", at=app).out)["findings"]
    (told,) = [f["what"] for f in findings if f["subject"] == "sessions"]
    assert told.startswith("1 session: ")


# The first and last steps of The Foundation


def test_a_sessions_end_numbers_its_learnings_by_day_with_many_at_once(
    machine: Machine, app: Path
) -> None:
    (app / ".learnings").mkdir()
    log = app / ".learnings" / "LEARNINGS.md"
    log.write_text("# Ours\n\n### LEARN-20200101-041\n- **Summary**: old\n", "utf-8")
    words = ["session", "end", "--agent", "seldon", "--json", "--learned"]
    ends = [
        subprocess.Popen([COMMAND, *words, f"lesson number {n}"], cwd=app,
                         env=machine.environment, stdout=subprocess.PIPE, text=True)
        for n in range(6)
    ]  # fmt: skip
    told = [json.loads(end.communicate(timeout=60)[0]) for end in ends]
    day = time.strftime("%Y%m%d", time.gmtime())
    numbers = sorted(one["id"] for one in told)
    assert numbers == [f"LEARN-{day}-{n:03d}" for n in range(1, 7)] or day not in numbers[0]
    text = log.read_text("utf-8")
    assert text.startswith("# Ours\n\n### LEARN-20200101-041\n- **Summary**: old\n\n### LEARN-")
    for line in ("- **Agent**: seldon", "- **Confidence**: 0.80", "- **Status**: captured"):
        assert text.count(line) == 6
    insight = machine.json("memory", "show", told[0]["insight"], at=app)
    assert insight["expires_at"] - insight["ts"] in range(86_398, 86_403)


def test_a_session_begins_with_what_the_agents_own_settings_say(
    machine: Machine, app: Path
) -> None:
    (app / ".satchel" / "tasks.jsonl").write_text(
        '{"id":"A","title":"first","status":"open","priority":1}\n'
        '{"id":"B","title":"second","status":"in_progress"}\n'
        '{"id":"C","title":"done","status":"closed"}\n', "utf-8",
    )  # fmt: skip
    for n in range(7):
        machine.ok("session", "end", "--agent", "ann" if n % 2 else "bob", "--learned", f"l{n}",
                   at=app)  # fmt: skip
    machine.ok("session", "new", "a talk", "--start", at=app)
    shown = machine.json("session", "begin", "--agent", "ann", at=app)
    assert [one["content"] for one in shown["insights"]] == ["l5", "l3", "l1", "l6", "l4"]
    assert len(shown["activities"]) == 7
    assert [one["id"] for one in shown["tasks"]] == ["B", "A"]
    assert [one["title"] for one in shown["conversations"]] == ["a talk"]
    assert shown["more"] == []
    (app / "config").mkdir()
    (app / "config" / "session-hooks.json").write_text(json.dumps({
        "hooks": {"pre_session": {"script": "scripts/session-start.sh", "insights_limit": 2}},
        "agent_overrides": {
            "Ann": {"pre_session": {"args": ["--include-task-summary", "--activities", "3"]}},
        },
    }), "utf-8")  # fmt: skip
    shown = machine.json("session", "begin", "--agent", "ann", at=app)
    assert (len(shown["insights"]), len(shown["activities"])) == (2, 3)
    assert shown["more"] == [{"title": "Task summary", "lines": ["in_progress: 1", "open: 1"]}]
    text = machine.ok("session", "begin", "--agent", "bob", at=app)
    assert "## Recent insights (2)" in text
    assert "Task summary" not in text
    (app / "config" / "session-hooks.json").write_text("[", "utf-8")
    assert "session-hooks.json" in machine.fails(5, "session", "begin", at=app)
