"""Two homes and a bare repository on disk between them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from integration.installed import Machine, needs_command
from satchel.application.exchange.sync.repository import Repository
from satchel.storage.ledger.lines import decode
from satchel.testing import run_git

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


class Two:
    """One repository, cloned for two people's machines, and a remote that both sync with."""

    def __init__(self, directory: Path) -> None:
        self.remote = directory / "remote.git"
        run_git(str(directory), "init", "--quiet", "--bare", str(self.remote))
        self.one = Machine(directory, "one")
        self.two = Machine(directory, "two")
        self.here = self.one.repository("app")
        self.there = directory / "clone"
        run_git(str(directory), "clone", "--quiet", str(self.here), str(self.there))
        for machine in (self.one, self.two):
            machine.ok("sync", "init", str(self.remote))

    def meet(self) -> None:
        """Sync until both have what the other had."""
        for machine in (self.one, self.two, self.one):
            machine.ok("sync", "now")

    def both(self) -> tuple[list[str], list[str]]:
        """What both remember."""
        return tuple(  # type: ignore[return-value]
            sorted(one["content"] for one in m.json("memory", "list", "--limit", "999", at=at))
            for m, at in ((self.one, self.here), (self.two, self.there))
        )

    def sent(self) -> dict[str, bytes]:
        """Every file of the remote's branch."""
        repository = Repository(str(self.remote))
        tree = repository.tree("refs/heads/satchel")
        return {path: repository.blob(name) for path, name in tree.items()}


@pytest.fixture
def two(tmp_path: Path) -> Two:
    return Two(tmp_path)


def home_of(machine: Machine) -> Path:
    return machine.home / ".satchel"


def test_what_two_machines_learn_at_once_both_keep(two: Two) -> None:
    two.one.ok("learn", "The first machine learnt this.", at=two.here)
    two.one.ok("learn", "--user", "The person likes tabs.", at=two.here)
    two.two.ok("learn", "The second machine learnt that.", at=two.there)
    two.meet()
    first, second = two.both()
    assert first == second
    assert len(first) == 3
    found = two.two.json("recall", "first machine", "--memories", at=two.there)["items"]
    assert found[0]["content"] == "The first machine learnt this."
    again = [machine.json("sync", "now") for machine in (two.one, two.two)]
    assert [(one["lines"], one["sent"]) for one in again] == [(0, 0), (0, 0)]


def test_a_deletion_and_a_later_version_win_wherever_they_were_made(two: Two) -> None:
    two.one.ok("learn", "This is wrong.", at=two.here)
    two.one.ok("remember", "--kind", "preference", "--key", "editor", "vim", at=two.here)
    two.meet()
    gone = two.two.json("memory", "list", "--kind", "learned", at=two.there)[0]["id"]
    two.two.ok("memory", "delete", gone, "--yes", at=two.there)
    two.two.ok("remember", "--kind", "preference", "--key", "editor", "emacs", at=two.there)
    two.meet()
    assert two.both() == (["emacs"], ["emacs"])


def test_an_edit_of_what_another_machine_hid_is_undone(two: Two) -> None:
    two.one.ok("learn", "The tapir bus is reset low.", at=two.here)
    two.meet()
    ident = two.one.json("memory", "list", at=two.here)[0]["id"]
    two.one.ok("memory", "delete", ident, "--yes", at=two.here)
    time.sleep(1.1)  # versions are ordered by whole seconds
    two.two.ok("memory", "edit", ident, "The tapir bus is reset high.", at=two.there)
    two.meet()
    assert two.both() == (["The tapir bus is reset high."],) * 2
    assert "hidden again" in two.one.ok("undo", "--yes", at=two.here)
    two.meet()
    assert two.both() == ([], [])


def test_what_was_purged_on_one_machine_leaves_the_other_and_stays_away(two: Two) -> None:
    two.one.ok("learn", "The canary sings at noon.", at=two.here)
    two.meet()
    ident = two.one.json("memory", "list", at=two.here)[0]["id"]
    two.one.ok("memory", "delete", ident, "--yes", at=two.here)
    settings = {"SATCHEL_MEMORY_PURGE_AFTER_DAYS": "0"}
    done = two.one.run("upkeep", "purge", at=two.here, environment=settings)
    assert done.code == 0, done
    two.meet()
    assert two.two.json("sync", "now")["scrubbed"] == 0
    ledgers = [p for m in (two.one, two.two) for p in home_of(m).rglob("*.jsonl")]
    assert len(ledgers) >= 2
    assert not [path for path in ledgers if b"canary" in path.read_bytes()]
    assert not [path for path, data in two.sent().items() if b"canary" in data]


def test_what_was_forgotten_on_one_machine_leaves_the_other_and_stays_away(two: Two) -> None:
    two.one.ok("learn", "The canary sings at noon.", at=two.here)
    two.meet()
    assert len(two.both()[1]) == 1
    two.one.ok("forget", "--query", "canary", "--yes", at=two.here)
    two.meet()
    ledgers = [p for m in (two.one, two.two) for p in home_of(m).rglob("*.jsonl")]
    assert len(ledgers) >= 2
    assert not [path for path in ledgers if b"canary" in path.read_bytes()]
    assert not [path for path, data in two.sent().items() if b"canary" in data]
    assert two.both() == ([], [])


def test_what_was_forgotten_elsewhere_leaves_the_work_tree_here_as_well(two: Two) -> None:
    """Its line came by git, was indexed before, and no pull changes the file."""
    two.one.ok("remember", "The quokka proxy needs a token", at=two.here)
    two.one.ok("share", "--yes", at=two.here)
    run_git(str(two.here), "add", "--all")
    run_git(str(two.here), "commit", "--quiet", "--message", "shared")
    run_git(str(two.there), "pull", "--quiet")
    two.meet()
    (ident,) = {one["id"] for one in two.one.json("memory", "list", at=two.here)}
    tracked = two.there / ".satchel" / "knowledge.jsonl"
    two.two.ok("recall", "quokka proxy", at=two.there)
    assert "quokka" in tracked.read_text()
    two.one.ok("forget", ident, "--yes", at=two.here)
    two.meet()
    two.two.ok("memory", "list", at=two.there)
    assert "quokka" not in tracked.read_text()
    (index,) = home_of(two.two).glob("projects/*/index.db")
    assert b"quokka" not in index.read_bytes()


def test_private_personal_and_secret_things_stay_here(two: Two) -> None:
    two.one.ok("learn", "--private", "Only for this machine.", at=two.here)
    two.one.ok("learn", "Ask joe.bloggs@corp.com about it.", at=two.here)
    two.one.ok("learn", "Everybody may know this.", at=two.here)
    notes = home_of(two.one) / "learnings" / "documents"
    notes.mkdir(parents=True)
    (notes / "own.local.md").write_text("# Mine\n", "utf-8")
    (notes / "call.md").write_text("# Call +49 151 23456789\n", "utf-8")
    (notes / "plain.md").write_text("# Plain\n", "utf-8")
    (home_of(two.one) / "memory-trust.json").write_text("{}", "utf-8")
    told = two.one.json("sync", "now")
    assert [Path(one).name for one in told["kept"]] == ["call.md", "own.local.md"]
    everything = b"\n".join(two.sent().values())
    assert b"Everybody may know this." in everything
    for secret in (b"Only for this", b"joe.bloggs", b"151 2345", b"# Mine"):
        assert secret not in everything
    assert {Path(p).name for p in two.sent()} >= {"plain.md"}
    assert not [path for path in two.sent() if "memory-trust" in path]
    two.two.ok("sync", "now")
    assert two.both()[1] == ["Everybody may know this."]


def write(machine: Machine, name: str, text: str) -> Path:
    path = home_of(machine) / "learnings" / "documents" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_files_are_merged_and_conflicts_stand_side_by_side(two: Two) -> None:
    lines = [f"line {n}" for n in range(9)]
    first = write(two.one, "both.md", "\n".join(lines) + "\n")
    write(two.one, "clash.md", "old\n")
    two.meet()
    second = home_of(two.two) / "learnings" / "documents" / "both.md"
    first.write_text("\n".join(["FIRST", *lines[1:]]) + "\n", "utf-8")
    second.write_text("\n".join([*lines[:-1], "LAST"]) + "\n", "utf-8")
    write(two.one, "clash.md", "from one\n")
    write(two.two, "clash.md", "from two\n")
    two.one.ok("sync", "now")
    told = two.two.json("sync", "now")
    assert len(told["aside"]) == 1
    two.meet()
    assert first.read_text() == second.read_text()
    assert first.read_text().startswith("FIRST\n")
    assert first.read_text().endswith("LAST\n")
    for machine in (two.one, two.two):
        found = sorted((home_of(machine) / "learnings" / "documents").glob("clash.md*"))
        assert sorted(path.read_text() for path in found) == ["from one\n", "from two\n"]


def test_a_deleted_file_goes_and_a_missing_disk_is_asked_about(two: Two) -> None:
    for n in range(12):
        write(two.one, f"note{n}.md", f"note {n}\n")
    two.meet()
    (home_of(two.two) / "learnings" / "documents" / "note3.md").unlink()
    two.meet()
    assert not (home_of(two.one) / "learnings" / "documents" / "note3.md").exists()
    shutil.rmtree(home_of(two.two) / "learnings")
    assert "11 of 11" in two.two.fails(7, "sync", "now")
    two.one.ok("sync", "now")
    assert (home_of(two.one) / "learnings" / "documents" / "note4.md").exists()
    two.two.ok("sync", "now", "--deletions")
    two.one.ok("sync", "now")
    assert not list((home_of(two.one) / "learnings").rglob("*.md"))


def test_another_remote_deletes_nothing_here(two: Two, tmp_path: Path) -> None:
    path = write(two.one, "kept.md", "kept\n")
    two.one.ok("sync", "now")
    other = tmp_path / "other.git"
    run_git(str(tmp_path), "init", "--quiet", "--bare", str(other))
    two.one.ok("sync", "init", str(other))
    two.one.ok("sync", "now")
    assert path.read_text() == "kept\n"


def test_a_remote_with_something_else_is_left_alone(two: Two, tmp_path: Path) -> None:
    run_git(str(two.here), "push", "--quiet", str(tmp_path / "remote.git"), "HEAD:satchel")
    before = run_git(str(two.remote), "rev-parse", "satchel")
    assert "something else" in two.two.fails(7, "sync", "now")
    assert "something else" in two.two.fails(7, "sync", "init", str(two.remote))
    assert run_git(str(two.remote), "rev-parse", "satchel") == before


def test_a_remote_that_is_away_or_strange_is_told_and_costs_nothing(two: Two) -> None:
    two.one.ok("learn", "Kept all the same.", at=two.here)
    shutil.move(two.remote, str(two.remote) + ".away")
    assert "could not be reached" in two.one.fails(5, "sync", "now")
    assert two.one.json("sync", "status")["waiting"]
    shutil.move(str(two.remote) + ".away", two.remote)
    assert two.one.json("sync", "now")["sent"] > 0
    assert "not an address" in two.one.fails(2, "sync", "init", "--", "-oProxyCommand=x")
    assert "not an address" in two.one.fails(2, "sync", "init", "ext::sh -c true")
    password = "https://me:" + "hunter2@example.org/x"
    told = two.one.fails(2, "sync", "init", password)
    assert "hunter2" not in told
    nobody = Machine(two.here.parent, "nobody")
    assert "not synced" in nobody.fails(4, "sync", "now")


def test_a_hostile_remote_puts_nothing_where_it_does_not_belong(two: Two) -> None:
    two.one.ok("learn", "Something.", at=two.here)
    two.one.ok("sync", "now")
    repository = Repository(str(two.remote))
    tree: dict[str, Any] = dict(repository.tree("refs/heads/satchel"))
    evil = {
        "person/memory-trust.json": b"{}", "person/registry/x": b"x", "person/sync/x": b"x",
        "person/user/index.db": b"x", "person/user/ledgers/guards.jsonl": b"{}\n",
        "projects/nobody/ledgers/knowledge.jsonl": b"{}\n", "person/a\\..\\b": b"x",
    }  # fmt: skip
    commit = repository.commit(
        repository.commit_of("refs/heads/satchel"), {**tree, **evil}, "evil", 1
    )
    run_git(str(two.remote), "update-ref", "refs/heads/satchel", commit)
    two.two.ok("sync", "now")
    found = {path.name for path in home_of(two.two).rglob("*") if path.is_file()}
    assert not found & {"memory-trust.json", "x", "guards.jsonl"}
    assert not list(home_of(two.two).rglob("index.db"))
    assert two.both()[1] == ["Something."]


_KILLED = """
import os, sys
from satchel.application.exchange.sync import applying, service
from satchel.application.exchange.sync.repository import Repository
from satchel.storage.paths import UserHome

left = int(sys.argv[2])

def counted(function):
    def call(*words, **options):
        global left
        left -= 1
        if left < 0:
            os._exit(9)
        return function(*words, **options)
    return call

for name in ("append_lines", "scrub", "put_file", "write_conflict_copy"):
    setattr(service, name, counted(getattr(applying, name)))
for name in ("fetch", "commit", "push", "put_base"):
    setattr(Repository, name, counted(getattr(Repository, name)))
service.Sync(UserHome(sys.argv[1])).run(1.0)
"""


def test_killed_at_any_step_the_next_round_ends_alike(two: Two) -> None:
    two.one.ok("learn", "From one.", at=two.here)
    write(two.one, "note.md", "a note\n")
    two.one.ok("sync", "now")
    two.two.ok("learn", "From two.", at=two.there)
    kills = 0
    while True:
        words = [sys.executable, "-c", _KILLED, str(home_of(two.two)), str(kills)]
        done = subprocess.run(words, env={**os.environ, **two.two.environment}, check=False)
        if done.returncode == 0:
            break
        assert done.returncode == 9
        kills += 1
    assert kills >= 6
    two.meet()
    assert two.both() == (["From one.", "From two."], ["From one.", "From two."])
    for machine in (two.one, two.two):
        (ledger,) = home_of(machine).glob("projects/*/ledgers/knowledge.jsonl")
        ids = [
            record.id for raw in ledger.read_bytes().splitlines() if (record := decode(raw).record)
        ]
        assert len(ids) == len(set(ids)) == 2


def test_the_remote_is_asked_again_when_another_machine_was_first(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    from satchel.application.exchange.sync.service import Sync
    from satchel.storage.paths import UserHome

    two.one.ok("learn", "From one.", at=two.here)
    two.two.ok("learn", "From two.", at=two.there)
    push = Repository.push
    raced: list[int] = []

    def late(self: Repository, commit: str) -> bool:
        if not raced:
            raced.append(1)
            two.two.ok("sync", "now")
        return push(self, commit)

    monkeypatch.setattr(Repository, "push", late)
    for name, value in two.one.environment.items():
        monkeypatch.setenv(name, value)
    done = Sync(UserHome(str(home_of(two.one)))).run(1.0)
    assert done.lines == 1
    assert two.both()[0] == ["From one.", "From two."]
    two.two.ok("sync", "now")
    assert two.both()[0] == two.both()[1]


def test_a_dry_run_changes_nothing(two: Two) -> None:
    two.one.ok("learn", "From one.", at=two.here)
    told = two.one.ok("sync", "now", "--dry-run")
    assert "Would bring" in told
    assert Repository(str(two.remote)).commit_of("refs/heads/satchel") == ""
