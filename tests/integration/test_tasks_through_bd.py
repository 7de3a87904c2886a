"""Where bd keeps the tasks: read from its export, written by its commands, its files never touched.

bd itself cannot be had here. A stand-in answers like it does, keeps its own store and notes every
call, so that what Satchel asks of it can be seen.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from integration.installed import Machine, needs_command
from satchel.testing import run_git

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

BD = """#!{python}
import json, os, sys
words = [w for w in sys.argv[1:] if not w.startswith("--actor") and w != "--json"]
store, log = os.path.join({folder!r}, "store.json"), os.path.join({folder!r}, "calls")
issues = json.load(open(store)) if os.path.exists(store) else {{}}
said = sys.stdin.read()
with open(log, "a") as file:
    file.write(json.dumps([sys.argv[1:], said]) + "\\n")
plain = [w for w in words[1:] if not w.startswith("--")]
flags = dict(w[2:].partition("=")[::2] for w in words[1:] if w.startswith("--"))
def fail(text, code="conflict"):
    print(json.dumps({{"schema_version": 1, "error": text, "code": code}}), file=sys.stderr)
    sys.exit(1)
def answer(value):
    json.dump(issues, open(store, "w"))
    print(json.dumps(value))
    sys.exit(0)
if words[0] == "export":
    for issue in issues.values():
        print(json.dumps(issue))
    sys.exit(0)
if words[0] == "create":
    ident = "bd-" + "abcdefgh"[len(issues)]
    issues[ident] = {{"id": ident, "title": flags["title"], "status": "open",
        "priority": int(flags.get("priority", 2)), "issue_type": flags.get("type", "task"),
        "created_at": "2026-05-0%dT00:00:00Z" % (len(issues) + 1)}}
    answer(issues[ident])
if words[0] == "import":
    answer({{"imported": len(said.splitlines())}})
at = plain[1] if words[0] == "dep" else plain[0]
if at not in issues:
    fail("issue %s not found" % at, "not_found")
issue = issues[at]
if words[0] == "update":
    if "claim" in flags:
        if issue["status"] == "in_progress":
            fail("already claimed by somebody")
        issue.update(status="in_progress", assignee="scout")
    issue.update({{k: v for k, v in flags.items() if k in ("status", "notes", "title")}})
    answer([issue])
if words[0] == "close":
    issue.update(status="closed", close_reason=flags["reason"])
    answer([issue])
if words[0] == "reopen":
    issue["status"] = "open"
    answer([issue])
if words[0] == "comment":
    issue.setdefault("comments", []).append({{"id": "1", "text": said}})
    answer({{"id": "1"}})
if words[0] == "dep":
    issue.setdefault("dependencies", []).append(
        {{"issue_id": at, "depends_on_id": plain[2], "type": flags.get("type", "blocks")}})
    answer({{}})
if words[0] == "delete":
    del issues[at]
    answer({{}})
"""
METADATA = {"database": "dolt", "backend": "dolt", "dolt_mode": "embedded"}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    folder = tmp_path / "bd-is-here"
    folder.mkdir()
    (folder / "bd").write_text(BD.format(python=sys.executable, folder=str(folder)))
    (folder / "bd").chmod(0o755)
    machine.environment["PATH"] = f"{folder}:{machine.environment['PATH']}"
    return machine


@pytest.fixture
def app(machine: Machine) -> Path:
    app = machine.repository(layout="beads")
    (app / ".beads").mkdir(exist_ok=True)
    (app / ".beads" / "metadata.json").write_text(json.dumps(METADATA))
    (app / ".beads" / "issues.jsonl").write_text(
        '{"id":"bd-old","title":"as exported","status":"open"}\n'
    )
    return app


def calls(machine: Machine) -> list[Any]:
    path = machine.directory / "bd-is-here" / "calls"
    return [json.loads(one) for one in path.read_text().splitlines()] if path.exists() else []


def test_every_change_goes_through_bd_and_its_files_stay_as_they_are(
    machine: Machine, app: Path
) -> None:
    before = {one: one.read_bytes() for one in (app / ".beads").rglob("*") if one.is_file()}
    first = machine.json("task", "create", "--title", "-rf --now", "-p", "1", at=app)
    second = machine.json("bd", "create", "Second", "--blocks", first["id"], at=app)
    assert (first["id"], second["id"]) == ("bd-a", "bd-b")
    assert [one["id"] for one in machine.json("task", "ready", at=app)] == ["bd-b"]
    assert "cycle" in machine.fails(7, "task", "dep", "add", "bd-b", "bd-a", at=app)
    machine.ok("task", "claim", "bd-b", "--actor", "scout", at=app)
    refused = machine.fails(7, "task", "claim", "bd-b", "--actor", "other", at=app)
    assert "already claimed" in refused
    said = 'LEARNED: "quotes" and\n--newlines stay'
    taught = machine.json("task", "comment", "bd-b", said, at=app)
    assert [one["kind"] for one in taught["remembered"]] == ["learned"]
    machine.ok("task", "update", "bd-b", "--notes", "more", at=app)
    machine.ok("task", "close", "bd-b", "--summary", "done", at=app)
    assert machine.json("task", "show", "bd-b", at=app)[0]["close_reason"] == "done"
    machine.ok("task", "reopen", "bd-b", at=app)
    assert "bd-b" in machine.ok("task", "list", at=app)
    machine.ok("task", "import", "-", at=app, stdin='{"id":"bd-z","title":"z"}\n')
    machine.ok("task", "delete", "bd-b", "--force", at=app)
    after = {one: one.read_bytes() for one in (app / ".beads").rglob("*") if one.is_file()}
    assert {path: after.get(path) for path in before} == before
    assert not (app / ".beads" / "store.json").exists()
    asked = [words for words, _ in calls(machine)]
    created = next(words for words in asked if words[0] == "create")
    assert "--title=-rf --now" in created, "a title that looks like an option stays a title"
    assert any("--actor=scout" in one for one in asked)
    assert said in [text for _, text in calls(machine)]
    assert "bd dolt push" in machine.ok("task", "sync", at=app)
    assert "bd-z" not in run_git(str(app), "log", "--format=%s")


def test_what_bd_refuses_is_told_in_its_words(machine: Machine, app: Path) -> None:
    machine.ok("task", "create", "one", at=app)
    assert "not found" in machine.fails(4, "task", "close", "bd-nope", at=app)
    (machine.directory / "bd-is-here" / "bd").write_text("#!/bin/sh\necho broken >&2\nexit 3\n")
    shown = machine.run("task", "ready", at=app)
    assert shown.code == 0
    assert "bd-old" in shown.out, "the export is read where bd gives no answer"
    assert "last export" in shown.err
    assert "broken" in machine.fails(7, "task", "close", "bd-old", at=app)


def test_without_bd_its_export_is_a_mirror_that_nobody_writes(machine: Machine, app: Path) -> None:
    (machine.directory / "bd-is-here" / "bd").unlink()
    before = (app / ".beads" / "issues.jsonl").read_bytes()
    assert [one["id"] for one in machine.json("task", "ready", at=app)] == ["bd-old"]
    for words in (("create", "x"), ("close", "bd-old"), ("claim", "bd-old", "--actor", "a"),
                  ("comment", "bd-old", "x"), ("label", "add", "bd-old", "x"),
                  ("delete", "bd-old", "--force")):  # fmt: skip
        assert "bd keeps" in machine.fails(7, "task", *words, at=app)
    assert (app / ".beads" / "issues.jsonl").read_bytes() == before
    assert not (app / ".satchel" / "tasks.jsonl").exists()


def test_a_session_begins_without_asking_bd(machine: Machine, app: Path) -> None:
    machine.ok("task", "create", "kept by bd", at=app)
    before = len(calls(machine))
    answer = machine.hook("SessionStart", app, source="startup")
    text = json.dumps(answer)
    assert "as exported" in text
    exported = [words for words, _ in calls(machine)[before:] if words[0] == "export"]
    assert exported == []


def test_a_file_without_a_backend_is_ours_to_write(machine: Machine, app: Path) -> None:
    (app / ".beads" / "metadata.json").write_text('{"database": "beads.db"}')
    made = machine.json("task", "create", "in the file", at=app)
    assert made["id"] in (app / ".beads" / "issues.jsonl").read_text()
    assert calls(machine) == []
