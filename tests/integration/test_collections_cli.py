"""`satchel docs` as a person uses it: real trees, real processes."""

import json
import os
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from unit.notes_made import note, write

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


@pytest.fixture
def app(machine: Machine) -> Path:
    app = machine.repository()
    write(
        app / "docs/guides/deploy.md",
        "# Deploying\n\nWith care.\n\n## Rollback\n\nUse the walrus.\n",
    )
    write(app / "docs/index.md", "# Index\n\nNothing here.\n")
    write(app / "agents/seldon/work.md", "# Seldon\n\nThe walrus works.\n")
    return app


def query(machine: Machine, at: Path, question: str, *more: str) -> list[str]:
    found = machine.json("collection", "query", question, *more, at=at)
    return [os.path.basename(one["path"]) for one in found["results"]]


def test_the_seeds_collections_are_offered_added_searched_and_removed(
    machine: Machine, app: Path
) -> None:
    listed = machine.json("collection", "list", at=app)
    assert [one["name"] for one in listed["offered"]] == ["agent-workspaces", "documentation"]
    assert "No collections yet" in machine.ok("collection", "list", at=app)
    machine.ok("collection", "add", "documentation", at=app)
    machine.ok("collection", "add", "agent-workspaces", "agents", at=app)
    assert sorted(query(machine, app, "walrus")) == ["deploy.md", "work.md"]
    assert query(machine, app, "walrus", "-c", "documentation") == ["deploy.md"]
    assert len(query(machine, app, "walrus", "-n", "1")) == 1
    for mode in ("hybrid", "keyword", "semantic"):
        assert "deploy.md" in query(machine, app, "walrus", "--mode", mode)
    assert query(machine, app, "walrus", "--min-score", "1000") == []
    machine.ok("collection", "remove", "documentation", at=app)
    assert query(machine, app, "walrus") == ["work.md"]
    assert (app / "docs/guides/deploy.md").exists()
    assert "agent-workspaces" in machine.fails(4, "collection", "query", "x", "-c", "nope", at=app)


def test_a_file_is_fetched_by_everything_that_names_it(machine: Machine, app: Path) -> None:
    machine.ok("collection", "add", "documentation", at=app)
    whole = (app / "docs/guides/deploy.md").read_text("utf-8")
    (found,) = machine.json("collection", "query", "walrus", at=app)["results"]
    for name in ("deploy.md", "guides/deploy.md", "documentation/guides/deploy.md",
                 "docs/guides/deploy.md", str(app / "docs/guides/deploy.md"),
                 f"#{found['docid']}", found["docid"]):  # fmt: skip
        assert machine.ok("collection", "fetch", name, at=app) == whole
    out = machine.ok("collection", "fetch", "deploy.md", "--from", "5", "--lines", "1", at=app)
    assert out == "## Rollback\n"
    assert machine.ok("collection", "fetch", "deploy.md:7", at=app) == "Use the walrus.\n"
    both = machine.ok("collection", "fetch", "deploy.md", "index.md", at=app)
    assert both.count("==> ") == 2
    assert "Near it" in machine.fails(4, "collection", "fetch", "deplyo.md", at=app)
    machine.fails(2, "collection", "fetch", "deploy.md", "--from", "99", at=app)
    machine.fails(4, "collection", "fetch", "/etc/passwd", at=app)
    machine.fails(4, "collection", "fetch", "../../../../../../etc/passwd", at=app)


def test_edits_and_renames_are_followed_and_a_docid_names_the_content(
    machine: Machine, app: Path
) -> None:
    machine.ok("collection", "add", "documentation", at=app)
    (before,) = machine.json("collection", "query", "walrus", at=app)["results"]
    (app / "docs/guides/deploy.md").rename(app / "docs/moved.md")
    (moved,) = machine.json("collection", "query", "walrus", at=app)["results"]
    assert (os.path.basename(moved["path"]), moved["docid"]) == ("moved.md", before["docid"])
    write(app / "docs/moved.md", "# Other\n\nAn otter.\n")
    assert query(machine, app, "walrus") == []
    (edited,) = machine.json("collection", "query", "otter", at=app)["results"]
    assert edited["docid"] != before["docid"]


def test_collections_of_one_project_are_not_seen_from_another_unless_they_are_for_all(
    machine: Machine, app: Path
) -> None:
    other = machine.repository("other")
    machine.ok("collection", "add", "documentation", at=app)
    machine.ok("collection", "add", "everywhere", "agents", "--user", at=app)
    assert sorted(query(machine, app, "walrus")) == ["deploy.md", "work.md"]
    assert query(machine, other, "walrus") == ["work.md"]
    assert query(machine, machine.directory, "walrus") == ["work.md"]
    machine.fails(2, "collection", "add", "everywhere", "docs", at=app)
    machine.fails(4, "collection", "fetch", str(app / "docs/index.md"), at=other)


def test_a_pattern_chooses_files_and_what_is_hidden_is_left_out(
    machine: Machine, app: Path
) -> None:
    for name in (".hidden/a.md", "node_modules/b.md", "c.txt"):
        write(app / "docs" / name, "walrus")
    (app / "docs" / "out").symlink_to("/etc")
    machine.ok("collection", "add", "guides", "docs", "--pattern", "guides/*.md", at=app)
    (state,) = [s for s in machine.json("collection", "status", at=app) if s["name"] == "guides"]
    assert (state["files"], state["state"]) == (1, "ok")
    assert query(machine, app, "walrus") == ["deploy.md"]


def test_what_cannot_be_used_is_refused_with_the_next_step(machine: Machine, app: Path) -> None:
    for words in (("add", "a b", "docs"), ("add", "x", "nowhere"), ("add", "x"),
                  ("add", "x", "docs", "--pattern", "../*"), ("query", "x", "-n", "0"),
                  ("query", "x", "--min-score", "high")):  # fmt: skip
        machine.fails(2, "collection", *words, at=app)
    for words in (("remove", "x"), ("update", "x")):
        machine.fails(4, "collection", *words, at=app)
    (state,) = machine.home.glob(".satchel/projects/*")
    write(state / "collections.toml", "[broken\n")
    assert "not valid TOML" in machine.fails(2, "collection", "list", at=app)
    write(app / "docs/solutions/decisions/n.md", note("Walrus note"))
    done = machine.run("learnings", "search", "walrus", at=app)
    assert (done.code, "Walrus note" in done.out) == (0, True)
    assert "not valid TOML" in done.err


def test_notes_inside_a_collection_stay_notes(machine: Machine, app: Path) -> None:
    write(app / "docs/solutions/decisions/n.md", note("Walrus note"))
    machine.ok("collection", "add", "documentation", at=app)
    (found,) = machine.json("learnings", "search", "walrus", at=app)["results"]
    assert (found["title"], found["where"]) == ("Walrus note", "docs/solutions")
    assert sorted(query(machine, app, "walrus")) == ["deploy.md", "n.md"]
    machine.ok("collection", "remove", "documentation", at=app)
    assert len(machine.json("learnings", "search", "walrus", at=app)["results"]) == 1


def test_secrets_in_documents_are_neither_shown_nor_kept(machine: Machine, app: Path) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    write(app / "docs/keys.md", f"# Keys\n\nThe walrus key is {key}.\n")
    machine.ok("collection", "add", "documentation", at=app)
    for words in (("query", "walrus key"), ("fetch", "keys.md")):
        assert key not in machine.ok("collection", *words, at=app)
    for path in machine.home.rglob("*"):
        assert path.is_dir() or key.encode() not in path.read_bytes(), path


def test_json_of_every_action_is_json(machine: Machine, app: Path) -> None:
    for words in (("list",), ("add", "documentation"), ("list",), ("status",), ("update",),
                  ("update", "documentation"), ("query", "walrus"), ("fetch", "deploy.md"),
                  ("remove", "documentation")):  # fmt: skip
        assert json.loads(machine.ok("collection", *words, "--json", at=app)) is not None


def needs_model() -> str:
    """Why tests of meaning cannot run here; "" if they can."""
    import importlib.util

    return "" if importlib.util.find_spec("satchel_models") else "the models are not installed"


@pytest.mark.skipif(bool(needs_model()), reason=needs_model())
def test_meaning_finds_what_words_do_not_and_nonsense_finds_nothing(
    machine: Machine, app: Path
) -> None:
    write(
        app / "docs/coffee.md", "# Espresso\n\nGrind the beans finely and brew for half a minute.\n"
    )
    machine.ok("collection", "add", "documentation", at=app)
    question = "preparing a hot caffeinated drink"
    assert query(machine, app, question, "--mode", "keyword") == []
    found = machine.json("collection", "query", question, "--mode", "semantic", at=app)
    assert found["mode"] == "semantic"
    assert os.path.basename(found["results"][0]["path"]) == "coffee.md"
    assert query(machine, app, "zzkqx vvbnm") == []
    write(app / "docs/new.md", "# Tea\n\nSteep the leaves in boiling water.\n")
    assert query(machine, app, "infusing leaves", "--mode", "semantic")[0] == "new.md"
    told = machine.json("collection", "update", "documentation", at=app)
    assert told["without_vectors"] == 0


def test_confirming_that_notes_were_deleted_says_nothing_about_a_collection(
    machine: Machine, app: Path
) -> None:
    write(app / "docs/solutions/a/n.md", note("Otter"))
    machine.ok("collection", "add", "agent-workspaces", "agents", at=app)
    (app / "agents").rename(app / "away")
    (app / "docs/solutions/a/n.md").unlink()
    done = machine.json("learnings", "reindex", "--confirm-removal", "--no-vectors", at=app)
    assert (done["removed"], done["missing"]) == (1, 1)
    assert query(machine, app, "walrus") == ["work.md"]
    told = machine.ok("collection", "status", at=app)
    assert "missing: 1 file, still found (the directory is missing)." in told
    machine.ok("collection", "update", "agent-workspaces", "--confirm-removal", at=app)
    assert query(machine, app, "walrus") == []
