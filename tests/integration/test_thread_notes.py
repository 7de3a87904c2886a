"""`satchel why NOTE`: how a note came to be, what it names, and what was learnt of it since."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from integration.installed import Machine, needs_command
from integration.mcp_machine import Lines
from integration.seeded_bugs import plant
from integration.test_console_words import signed_in, text_of
from integration.thread_made import AgentAtWork, Repository, new_repository
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.workspace import Workspace

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

ASKED = "Write down why the pool runs dry"
NOTE = "docs/solutions/performance-issues/pool-runs-dry.md"


def text_of_note(*, named: str = "", provenance: str = "") -> str:
    return (
        "---\ntitle: The pool runs dry\ncategory: performance-issues\ncreated: 2026-03-16\n"
        "key_insight: Close the cursor before the transaction\nconfidence: high\n"
        + (f"provenance:\n  session: {provenance}\n" if provenance else "")
        + "---\n## Problem\nConnections wait for cursors that nobody closes.\n"
        f"## Solution\nClose each cursor in the same block that opens it. {named}\n"
    )


@pytest.fixture
def shop(machine: Machine) -> Repository:
    """A repository in which an agent writes a note, and a person amends it a day later."""
    made = new_repository(machine)
    machine.ok("task", "create", "The pool runs dry", "--id", "shop-7", at=made.root)
    key = machine.json("remember", "Cursors hold connections", at=made.root)["id"]
    agent = AgentAtWork(made, machine.home)
    agent.prompt(ASKED)
    agent.write(NOTE, text_of_note(named=f"See {key[:14]} and shop-7."))
    agent.commit("Note why the pool runs dry")
    made.passes(86_400)
    made.by_hand(NOTE, (made.root / NOTE).read_text("utf-8") + "\nMeasured again in spring.\n")
    made.git("commit", "-am", "Measure again")
    return made


def session_of(machine: Machine) -> str:
    (path,) = (machine.home / ".claude").rglob("*.jsonl")
    return path.stem


def test_a_note_is_told_from_its_session_on(machine: Machine, shop: Repository) -> None:
    session = session_of(machine)
    machine.ok("remember", f"Since {NOTE} the pool has 20 places", at=shop.root)
    machine.ok("remember", "pool-runs-dry.md is out of date for version 4", at=shop.root)
    machine.ok("remember", "The pool is of version 3", at=shop.root)
    told = machine.json("why", NOTE, at=shop.root)
    note = told["note"]
    assert (told["kind"], told["path"], note["title"]) == ("note", NOTE, "The pool runs dry")
    assert (note["author"], note["created"], note["sure"]) == ("Ann", "2026-03-16", "HIGH")
    (origin,) = note["origin"]
    assert (origin["session"], origin["confidence"]) == (session, "certain")
    assert origin["evidence"][0] == {"kind": "wrote", "detail": f"8 of 8 lines of {NOTE}"}
    assert [one["subject"] for one in told["commits"]] == [
        "Measure again",
        "Note why the pool runs dry",
    ]
    assert [one["text"] for one in told["sessions"][0]["prompts"]] == [ASKED]
    assert [(one["id"], one["confidence"]) for one in told["tasks"]] == [("shop-7", "certain")]
    assert [(one["text"], one["confidence"]) for one in note["memories"]] == [
        ("Cursors hold connections", "certain")
    ]
    assert [(one["text"][:14], one["confidence"]) for one in told["since"]] == [
        ("Since docs/sol", "certain"),
        ("pool-runs-dry.", "likely"),
    ]
    text = machine.ok("why", NOTE, at=shop.root)
    assert ASKED in text
    assert "Since docs/solutions/performance-issues/" in text
    assert "(certain, pool-runs-dry.md names it)" in text
    assert "Close the cursor before the transaction (HIGH)" in text
    assert len(text.splitlines()) <= 24


def test_a_note_has_many_names_and_memories_go_first(machine: Machine, shop: Repository) -> None:
    ident = machine.json("why", NOTE, at=shop.root)["note"]["id"]
    below = NOTE.removeprefix("docs/solutions/")
    for name in (ident, below, "pool-runs-dry.md", "pool-runs-dry", str(shop.root / NOTE)):
        assert machine.json("why", name, at=shop.root)["note"]["path"].endswith(NOTE), name
    machine.fails(4, "why", "pool-runs", at=shop.root)
    (shop.root / "pool-runs-dry.md").write_text("# No note\n", "utf-8")
    machine.fails(2, "why", "./pool-runs-dry.md", at=shop.root)
    machine.ok("remember", "Dry is full", "--key", "pool-runs-dry", at=shop.root)
    assert machine.json("why", "pool-runs-dry", at=shop.root)["record"]["content"] == "Dry is full"


def test_a_note_that_is_not_committed_is_of_its_session(machine: Machine, shop: Repository) -> None:
    agent = AgentAtWork(shop, machine.home)
    agent.prompt("And one on timeouts")
    path = "docs/solutions/patterns/timeouts.md"
    agent.write(path, "# Timeouts add up\n\nEach proxy waits for longer than the one behind it.\n")
    told = machine.json("why", path, at=shop.root)
    assert told["commits"] == []
    assert [one["session"] for one in told["note"]["origin"]] == [agent.session]


def test_a_note_that_was_moved_is_of_the_session_that_wrote_it(
    machine: Machine, shop: Repository
) -> None:
    moved = NOTE.replace("performance-issues", "patterns")
    (shop.root / moved).parent.mkdir(parents=True)
    shop.git("mv", NOTE, moved)
    shop.git("commit", "-m", "Move it")
    told = machine.json("why", moved, at=shop.root)
    assert [one["subject"] for one in told["commits"]][::2] == [
        "Move it",
        "Note why the pool runs dry",
    ]
    (origin,) = told["note"]["origin"]
    assert (origin["session"], origin["confidence"]) == (session_of(machine), "certain")


def test_a_notes_own_word_is_never_certain(machine: Machine, shop: Repository) -> None:
    path = "docs/solutions/patterns/by-hand.md"
    text = text_of_note(provenance="somebody-else-1").partition("## Problem")[0]
    text += "## Problem\nQueues grow.\n## Solution\nBound all of them.\nRefuse what is too much.\n"
    shop.by_hand(path, text.replace("cursor before the transaction", "door of the queue"))
    shop.git("add", "--all")
    shop.git("commit", "-m", "By hand")
    (origin,) = machine.json("why", path, at=shop.root)["note"]["origin"]
    assert (origin["session"], origin["confidence"]) == ("somebody-else-1", "likely")
    assert origin["evidence"] == [{"kind": "noted", "detail": "by-hand.md"}]
    assert "by-hand.md says so itself" in machine.ok("why", "by-hand", at=shop.root)


def test_a_copy_is_not_certainly_of_whoever_wrote_the_original(
    machine: Machine, shop: Repository
) -> None:
    path = "docs/solutions/patterns/copied.md"
    shop.by_hand(path, text_of_note().replace("The pool", "The queue"))
    shop.git("add", "--all")
    shop.git("commit", "-m", "Copy it")
    told = machine.json("why", path, at=shop.root)
    assert [one["subject"] for one in told["commits"]] == ["Copy it"]
    assert "certain" not in [one["confidence"] for one in told["note"]["origin"]]


def test_a_note_outside_of_git_and_a_secret_in_it(machine: Machine, shop: Repository) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "a1B2c3"
    written = machine.directory / "mine.md"
    written.write_text(text_of_note(named=secret).replace("dry", secret), "utf-8")
    machine.ok("notes", "add", str(written), at=shop.root)
    (path,) = Path(machine.home, ".satchel").rglob("learnings/*.md")
    path.write_text(path.read_text("utf-8").replace("Close the cursor", secret), "utf-8")
    told = machine.json("why", path.stem, at=shop.root)
    assert (told["commits"], told["note"]["origin"]) == ([], [])
    assert secret not in json.dumps(told)


def test_a_note_that_a_repository_brings_is_marked(machine: Machine, shop: Repository) -> None:
    clone = machine.directory / "clone"
    shop.git("clone", "--quiet", str(shop.root), str(clone))
    Repository(clone).git("config", "user.email", "eve@example.org")
    machine.ok("init", "--no-hooks", "--yes", at=clone)
    assert machine.json("why", NOTE, at=clone)["note"]["unapproved"] is True
    assert "unapproved" in machine.ok("why", NOTE, at=clone).splitlines()[0]


def test_mcp_rest_and_the_console_tell_the_same(machine: Machine, shop: Repository) -> None:
    told = machine.json("why", NOTE, at=shop.root)
    home = str(machine.home / ".satchel")
    with Lines(machine, shop.root, "--profile", "why") as lines:
        said = lines.hello().text("why", what="pool-runs-dry")
    assert "note The pool runs dry" in said
    assert ASKED in said
    served = ProjectPool([str(shop.root)], home, hosts=["testserver"])
    bearer = {"authorization": f"Bearer {served.token}"}
    with TestClient(application(served), headers=bearer) as client:
        answer = client.get("/api/projects/current/why", params={"what": NOTE})
    assert answer.status_code == 200, answer.text
    assert answer.json()["note"]["origin"][0]["session"] == session_of(machine)
    assert answer.json()["note"]["title"] == told["note"]["title"]
    with Workspace.open(str(shop.root), home=home) as work:
        key = work.project.key
    with signed_in(str(shop.root), home) as client:
        page = text_of(client, f"/console/{key}/explore/why?what={NOTE}")
    for words in ("The pool runs dry", "by Ann", "Cursors hold connections", "certain, its tools"):
        assert words in page, (words, page)


BUGS: list[tuple[str, str, str, Callable[[Machine, Repository], Any]]] = [
    (
        "a note's own word is never certain",
        "application.thread.notes",
        "LIKELY = CERTAIN",
        test_a_notes_own_word_is_never_certain,
    ),
    (
        "a copy is not of the session that wrote the original",
        "storage.commits",
        "log = History.log; History.log = lambda s, *w: log(s, *['--follow'] * ('--' in w), *w)",
        test_a_copy_is_not_certainly_of_whoever_wrote_the_original,
    ),
    (
        "who wrote the same headings wrote no note",
        "application.thread.notes",
        "_LINES = 1",
        test_a_notes_own_word_is_never_certain,
    ),
    (
        "a moved note is followed",
        "storage.commits",
        "_parsed = parse_patch\nparse_patch = lambda lines: _parsed(lines)._replace(renamed={}, change='')",
        test_a_note_that_was_moved_is_of_the_session_that_wrote_it,
    ),
    (
        "a memory's key goes before a note's name",
        "application.thread.targets",
        "_is_memory = lambda work, asked: False",
        test_a_note_has_many_names_and_memories_go_first,
    ),
    (
        "no secret of a note is told",
        "application.thread.notes",
        "without_secrets = lambda note: note",
        test_a_note_outside_of_git_and_a_secret_in_it,
    ),
    (
        "a note is told with what names it",
        "application.thread.notes",
        "learnt_of = lambda work, note, told: ()",
        test_a_note_is_told_from_its_session_on,
    ),
    (
        "what a repository brings is marked",
        "application.outlet",
        "Outlet.admits = lambda self, path: True",
        test_a_note_that_a_repository_brings_is_marked,
    ),
]


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug[0])
def test_a_broken_promise_is_noticed(
    machine: Machine,
    shop: Repository,
    bug: tuple[str, str, str, Callable[[Machine, Repository], Any]],
) -> None:
    _, module, seed, test = bug
    plant(machine, f"satchel.{module}", seed)
    with pytest.raises((AssertionError, LookupError, ValueError)) as caught:
        test(machine, shop)
    assert "Traceback" not in str(caught.value), "the seed broke the command, not the promise"
