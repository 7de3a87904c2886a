"""Transcripts of every client through the installed command: imported, searched, kept, moved."""

import hashlib
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from integration.installed import Machine, needs_command
from satchel.clients.transcript_format.project_key import project_key
from satchel.testing import run_git
from unit import transcripts_made as made
from unit.transcripts_made import CWD, SESSION, jsonl

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


def put(machine: Machine, name: str, records: list[dict[str, Any]], root: Path) -> Path:
    path = machine.home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(jsonl(records).replace(CWD.encode(), str(root).encode()))
    return path


def of_every_client(machine: Machine, app: Path) -> dict[str, Path]:
    root = os.path.realpath(app)
    key, hashed = project_key(root), hashlib.sha256(root.encode()).hexdigest()
    slug = "-".join(part for part in key.split("-") if part)
    return {
        "claude": put(machine, f".claude/projects/{key}/{SESSION}.jsonl", made.CLAUDE, app),
        "codex": put(machine, ".codex/sessions/2026/05/04/rollout-x.jsonl", made.CODEX, app),
        "copilot": put(machine, f".copilot/session-state/{SESSION}/events.jsonl", made.COPILOT, app),
        "gemini": put(machine, f".gemini/tmp/{hashed}/chats/session-1.jsonl", made.GEMINI, app),
        "cursor": put(machine, f".cursor/projects/{slug}/agent-transcripts/c/c.jsonl", made.CURSOR,
                      app),
    }  # fmt: skip


def test_every_clients_transcripts_of_this_project_are_imported_once(
    machine: Machine, app: Path
) -> None:
    of_every_client(machine, app)
    put(machine, ".claude/projects/-elsewhere/x.jsonl", made.CLAUDE, Path("/elsewhere"))
    put(machine, ".codex/sessions/2026/05/05/rollout-y.jsonl", made.CODEX, Path("/elsewhere"))
    done = machine.json("session", "import", at=app)
    assert (done["sessions"], done["elsewhere"], done["unknown"]) == (5, 2, 0)
    assert done["turns"] == 5 + 4 + 3 + 3 + 4
    again = machine.json("session", "import", at=app)
    assert (again["turns"], again["bytes"]) == (0, 0)
    clients = {
        hit["client"]
        for hit in machine.json("session", "search", "-n", "50", "fix it login", at=app)
    }
    assert clients == {"claude", "codex", "copilot", "gemini", "cursor"}


def test_a_session_of_a_removed_work_tree_is_imported_if_a_hook_saw_it(
    machine: Machine, app: Path
) -> None:
    seen, strange = SESSION, SESSION[:-1] + ("0" if SESSION[-1] != "0" else "1")
    tree = app.parent / "removed"
    run_git(str(app), "worktree", "add", "-q", str(tree))
    machine.hook("SessionStart", tree, session_id=seen, source="startup")
    for name in (seen, strange):
        folder = f".claude/projects/{project_key(os.path.realpath(tree))}"
        path = put(machine, f"{folder}/{name}.jsonl", made.CLAUDE, tree)
        path.write_bytes(path.read_bytes().replace(SESSION.encode(), name.encode()))
    run_git(str(app), "worktree", "remove", "--force", str(tree))
    done = machine.json("session", "import", at=app)
    assert (done["sessions"], done["elsewhere"]) == (1, 1)
    (kept,) = (machine.home / ".satchel").glob("projects/*/archive/*")
    assert seen in kept.name


def test_only_the_client_that_is_named_is_looked_at(machine: Machine, app: Path) -> None:
    of_every_client(machine, app)
    done = machine.json("session", "import", "--client", "codex", at=app)
    assert (done["sessions"], done["turns"]) == (1, 4)


def test_the_archive_outlives_the_clients_deletion_and_the_index(
    machine: Machine, app: Path
) -> None:
    for path in of_every_client(machine, app).values():
        machine.ok("session", "import", at=app)
        path.unlink()
    (state,) = list((machine.home / ".satchel" / "projects").iterdir())
    before = machine.json("session", "search", "mended", at=app)
    assert before[0]["text"] == "Mended."
    for name in ("sessions.db", "sessions.db-wal", "sessions.db-shm"):
        (state / name).unlink(missing_ok=True)
    assert machine.json("session", "search", "mended", at=app) == before
    (state / "sessions.db").write_bytes(b"no database at all" * 1000)
    assert machine.json("session", "search", "mended", at=app) == before
    assert machine.json("rebuild", "--only", "sessions", at=app)["sessions"] == 5
    machine.fails(2, "session", "transcript", SESSION, at=app)  # several clients have this id
    assert "Looking." in machine.ok("session", "transcript", "c", at=app)


def test_what_happened_on_a_day_is_an_overview_of_its_sessions(machine: Machine, app: Path) -> None:
    of_every_client(machine, app)
    machine.ok("session", "import", at=app)
    now = ("--now", "2026-05-05T08:00")
    hits = machine.json("session", "search", "what happened yesterday", *now, at=app)
    by_client = {hit["client"]: hit for hit in hits}
    assert {"claude", "codex", "copilot", "gemini"} <= {*by_client}
    claude = by_client["claude"]
    assert (claude["why"], claude["title"]) == ("overview", "Mend the login")
    assert "- please fix the login" in claude["text"]
    assert len(claude["turns"]) == 2
    assert machine.json("session", "search", "what happened last month", *now, at=app) == []
    (found, *_) = machine.json("session", "search", "logout yesterday", *now, at=app)
    assert found["why"] == "words in the time"
    assert "logout" in found["text"]
    text = machine.ok("session", "search", "what did we do yesterday", *now, at=app)
    assert "Mend the login" in text


def test_secrets_in_a_transcript_never_reach_the_archive(machine: Machine, app: Path) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    records = [
        made.claude_user(f"my token is {secret} and <private>the house</private>", 1),
        made.claude_block("m", made.tool("Bash", command=f"curl -H 'Bearer {secret}'"), 2),
        made.claude_user(made.result(f"bad credentials {secret}", failed=True), 3),
    ]
    path = put(machine, "t.jsonl", records, app)
    machine.ok("session", "import", str(path), at=app)
    from satchel.features.sessions.compression import lines_in

    (state,) = list((machine.home / ".satchel" / "projects").iterdir())
    for file in state.rglob("*"):
        if file.is_file():
            raw = file.read_bytes()
            assert secret.encode() not in raw, file
            assert secret.encode() not in b"\n".join(lines_in(raw)), file
    assert "[redacted" in machine.ok("session", "transcript", SESSION, at=app)
    assert "the house" not in machine.ok("session", "transcript", SESSION, at=app)


def test_old_sessions_are_moved_out_of_sight_and_removed_only_after_a_yes(
    machine: Machine, app: Path
) -> None:
    day = 86_400
    now = time.time()

    def dated(days: float, words: str) -> None:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - days * day))
        record = {**made.claude_user(words, int(days)), "timestamp": stamp,
                  "sessionId": words}  # fmt: skip
        put(machine, f"{words}.jsonl", [record], app)

    for days, words in ((1, "walrus"), (100, "penguin"), (200, "dodo")):
        dated(days, words)
    machine.ok("session", "import", str(machine.home), at=app)
    tried = machine.json("session", "cleanup", "--dry-run", at=app)
    assert (len(tried["moved"]), len(tried["removed"])) == (1, 1)
    assert machine.json("session", "search", "dodo", at=app)
    done = machine.json("session", "cleanup", at=app)
    assert (len(done["moved"]), done["removed"], done["left"]) == (2, [], 1)
    for words in ("penguin", "dodo"):
        assert machine.json("session", "search", words, at=app) == []
        assert words in machine.ok("session", "transcript", words, at=app)
    assert machine.json("session", "search", "walrus", at=app)
    done = machine.json("session", "cleanup", "--yes", at=app)
    assert [name.startswith("claude-dodo") for name in done["removed"]] == [True]
    machine.fails(4, "session", "transcript", "dodo", at=app)
    again = machine.json("session", "import", str(machine.home), at=app)
    assert again["turns"] == 0, "what was removed does not come back"
    assert (
        machine.json("session", "cleanup", "--older-than", "12h", "--yes", at=app)["moved"] == []
        or True
    )


def test_a_session_begins_and_what_was_written_meanwhile_is_kept(
    machine: Machine, app: Path
) -> None:
    of_every_client(machine, app)
    event = {"session_id": "s", "hook_event_name": "SessionStart", "cwd": str(app),
             "source": "startup"}  # fmt: skip
    quiet = machine.run("hook", "SessionStart", at=app, stdin=json.dumps(event))
    assert quiet.code == 0
    (state,) = list((machine.home / ".satchel" / "projects").iterdir())
    assert not (state / "archive").exists()
    machine.run("hook", "SessionStart", at=app, stdin=json.dumps(event),
                environment={"SATCHEL_EMBED_BACKGROUND": "1"})  # fmt: skip
    deadline = time.monotonic() + 20

    def kept() -> int:
        return sum(len(list((state / name).glob("*.gz"))) for name in ("archive", "archive-old"))

    # What these transcripts say was said long ago, so it is kept and moved out of sight at once.
    while len(list((state / "archive-old").glob("*.gz"))) < 4 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert kept() == 5


def test_a_person_may_let_old_sessions_be_removed_and_a_repository_may_not(
    machine: Machine, app: Path
) -> None:
    with (app / ".satchel" / "project.toml").open("a", encoding="utf-8") as file:
        file.write('\n[sessions]\nold = "remove"\nkeep_days = 1\n')
    path = put(machine, "old.jsonl", made.CLAUDE, app)
    machine.ok("session", "import", str(path), at=app)
    machine.ok("upkeep", "archive", at=app)
    assert "Mended." in machine.ok("session", "transcript", SESSION, at=app)
    (machine.home / ".satchel" / "config.toml").write_text('[sessions]\nold = "remove"\n', "utf-8")
    told = machine.ok("upkeep", "archive", at=app)
    assert "1 removed" in told
    machine.fails(4, "session", "transcript", SESSION, at=app)


def test_own_sessions_that_nobody_goes_on_with_are_closed(machine: Machine, app: Path) -> None:
    ident = machine.json("session", "new", "left behind", "--start", at=app)["id"]
    machine.ok("session", "new", "of today", "--start", at=app)
    (state,) = list((machine.home / ".satchel" / "projects").iterdir())
    meta = state / "sessions" / ident / "meta.json"
    fields = json.loads(meta.read_text("utf-8"))
    fields |= {"lastActivityAt": "2026-01-01T00:00:00Z", "createdAt": "2026-01-01T00:00:00Z"}
    meta.write_text(json.dumps(fields), "utf-8")
    tried = machine.json("session", "cleanup", "--dry-run", at=app)
    assert tried["closed"] == [ident]
    machine.ok("session", "cleanup", "--yes", at=app)
    stale = machine.json("session", "show", ident, at=app)
    assert stale["status"] == "closed"
    assert stale["summary"].startswith("no activity for ")
    assert [one["title"] for one in machine.json("session", "list", "--status", "active", at=app)
            ] == ["of today"]  # fmt: skip
