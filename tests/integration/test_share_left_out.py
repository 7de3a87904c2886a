"""`share` leaves nothing out without a word, and warns before it publishes what names somebody."""

import json
from pathlib import Path

import pytest

from integration.installed import Machine
from satchel.testing import run_git

ABOUT, PLAIN = "Ask jane@corp.example about invoices.", "Retry the upload twice."
NAMES = "names an e-mail address or a phone number"


@pytest.fixture
def app(machine: Machine) -> Path:
    path = machine.repository("app")
    machine.ok("learn", PLAIN, at=path)
    return path


def shared(app: Path) -> str:
    ledger = app / ".satchel" / "knowledge.jsonl"
    return ledger.read_text("utf-8") if ledger.exists() else ""


def test_what_names_somebody_is_told_of_and_shared_by_its_id(machine: Machine, app: Path) -> None:
    ident = machine.json("learn", ABOUT, at=app)["id"]
    machine.ok("learn", "Mine alone.", "--private", at=app)
    told = machine.ok("share", "--yes", at=app)
    assert "Shared 1 to" in told
    assert f"Left out: 1 memory to look at first (it {NAMES}):" in told
    assert ABOUT in told
    assert "`satchel share ID`" in told
    assert "Mine alone" not in told
    assert ABOUT not in shared(app)
    again = machine.ok("share", "--yes", at=app)
    assert "Nothing waits to be shared." in again
    assert "Left out: 1 memory" in again
    done = machine.run("share", "--yes", "--json", at=app)
    assert json.loads(done.out) == []
    assert "Left out: 1 memory" in done.err
    told = machine.ok("share", ident, "--yes", at=app)
    assert told.index(NAMES) < told.index("Shared 1 to")
    assert ABOUT in shared(app)
    assert "Left out" not in machine.ok("share", "--yes", at=app)


def test_a_dry_run_warns_and_publishes_nothing(machine: Machine, app: Path) -> None:
    ident = machine.json("learn", ABOUT, at=app)["id"]
    assert "Left out: 1 memory" in machine.ok("share", "--dry-run", at=app)
    assert NAMES in machine.ok("share", ident, "--dry-run", at=app)
    assert shared(app) == ""


def test_what_is_not_true_at_this_commit_is_not_published(machine: Machine, app: Path) -> None:
    """Colleagues' machines could not tell: git there does not have the abandoned commit."""
    run_git(str(app), "checkout", "-q", "-b", "cache")
    gone = "lookup_rate() caches for ten minutes"
    ident = machine.json("learn", "--agent", "coder", gone, at=app)["id"]
    run_git(str(app), "commit", "-q", "--allow-empty", "-m", "Cache rates")
    run_git(str(app), "checkout", "-q", "-")
    run_git(str(app), "branch", "-D", "cache")
    told = machine.ok("share", "--yes", at=app)
    assert "Shared 1 to" in told
    assert "Left out: 1 memory learnt on branch cache, not merged here:" in told
    assert gone in told
    assert gone not in shared(app)
    assert "Shared 1 to" in machine.ok("share", ident, "--yes", at=app)


def test_what_was_shared_is_logged_once(machine: Machine, app: Path) -> None:
    """The shared line lacks what concerns this machine, which is no change of the memory."""
    comment = {"command": 'bd comment bd-1 "LEARNED: the gateway times out after 8 s"'}
    machine.hook("PostToolUse", app, session_id="monday", tool_name="Bash", tool_input=comment)
    machine.ok("share", "--yes", at=app)
    told = [one["what"] for one in machine.json("log", at=app) if "gateway" in one["content"]]
    assert told == ["remembered"]
