"""`backup` and `restore` as a person runs them."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


def contents(machine: Machine, at: Path) -> list[str]:
    return sorted(one["content"] for one in machine.json("memory", "list", "--all", at=at))


def test_a_backup_comes_back_and_what_was_there_is_kept(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    app = machine.repository()
    machine.ok("learn", "The first lesson.", at=app)
    machine.ok("learn", "--user", "For every project.", at=app)
    first = machine.json("backup", at=app)
    machine.ok("learn", "The second lesson.", at=app)
    told = machine.ok("restore", first["name"], "--dry-run", at=app)
    assert "changed" in told
    assert "knowledge.jsonl" in told
    assert len(contents(machine, app)) == 3
    asked = machine.run("restore", first["name"], at=app)
    assert asked.code == 2
    assert "Pass --yes" in asked.err
    done = machine.json("restore", first["name"], "--yes", at=app)
    assert contents(machine, app) == ["For every project.", "The first lesson."]
    assert done["rebuilt"]["memories"] >= 2
    found = machine.json("recall", "first lesson", "--memories", at=app)["items"]
    assert found[0]["content"] == "The first lesson."
    machine.ok("restore", done["before"], "--yes", at=app)
    assert len(contents(machine, app)) == 3
    machine.ok("learn", "And it goes on.", at=app)
    assert len(contents(machine, app)) == 4


def test_a_backup_is_private_and_takes_only_what_is_new(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    app = machine.repository()
    machine.ok("learn", "x" * 5000, at=app)
    place = tmp_path / "kept"
    for _ in range(3):
        machine.ok("backup", str(place))
    names = [one["name"] for one in machine.json("backup", str(place), "--list")]
    assert len(names) == 3
    before = len(list((place / "objects").rglob("*")))
    machine.ok("learn", "one more", at=app)
    machine.ok("backup", str(place))
    assert len(list((place / "objects").rglob("*"))) - before in (1, 2)
    for path in [place, *place.rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
    told = machine.json("backup", str(place), "--keep", "2")
    assert len(told["removed"]) == 3
    assert len(machine.json("backup", str(place), "--list")) == 2
    assert machine.json("backup", str(place), "--verify") == {"verified": 2, "damaged": {}}
    kept = machine.directory / "home" / ".satchel"
    assert not [path for path in place.rglob("*") if path.suffix == ".db"]
    assert list(kept.rglob("index.db"))


def test_a_restore_that_fails_leaves_no_copies_in_the_home(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    app = machine.repository()
    machine.ok("learn", "The first lesson.", at=app)
    machine.ok("backup", at=app)
    (mark,) = (machine.home / ".satchel-backups").glob("satchel-backups.json")
    mark.write_text("none of it")
    machine.ok("learn", "The second lesson.", at=app)
    assert machine.run("restore", "latest", "--yes", at=app).code == 5
    assert not (machine.home / ".satchel" / "restoring").exists()
    assert len(contents(machine, app)) == 2


def test_one_kind_alone_comes_back(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    app = machine.repository()
    settings = machine.home / ".satchel" / "config.toml"
    settings.write_text("[recall]\nlimit = 3\n", "utf-8")
    machine.ok("learn", "Before.", at=app)
    machine.ok("backup", at=app)
    settings.write_text("[recall]\nlimit = 4\n", "utf-8")
    machine.ok("learn", "After.", at=app)
    machine.ok("restore", "latest", "--only", "settings", "--yes", at=app)
    assert settings.read_text("utf-8") == "[recall]\nlimit = 3\n"
    assert contents(machine, app) == ["After.", "Before."]
    assert "no kind" in machine.fails(2, "restore", "latest", "--only", "nonsense", at=app)


def test_a_moment_between_two_backups_comes_back(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    app = machine.repository()
    machine.ok("learn", "Before.", at=app)
    time.sleep(1.1)
    then = str(int(time.time()) - 1)
    time.sleep(1.0)
    machine.ok("learn", "After.", at=app)
    machine.ok("backup", at=app)
    machine.ok("restore", "--at", then, "--yes", at=app)
    assert contents(machine, app) == ["Before."]


def test_a_new_machine_is_filled_from_a_backup(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    app = machine.repository()
    machine.ok("learn", "Carried over.", at=app)
    place = tmp_path / "kept"
    machine.ok("backup", str(place), at=app)
    other = machine.of_somebody_else("the new machine")
    other.ok("restore", "latest", "--from", str(place), "--yes", at=app)
    assert contents(other, app) == ["Carried over."]


def test_wrong_places_are_refused(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    app = machine.repository()
    machine.ok("learn", "Something.", at=app)
    assert "no backup" in machine.fails(4, "restore", "latest", at=app)
    assert "Which backup" in machine.fails(2, "restore", at=app)
    assert "inside the home" in machine.fails(
        2, "backup", str(machine.home / ".satchel" / "b"), at=app
    )
    full = tmp_path / "full"
    full.mkdir()
    (full / "photo").write_text("x", "utf-8")
    assert "files other than backups" in machine.fails(7, "backup", str(full), at=app)
    assert "not a directory" in machine.fails(7, "backup", str(full / "photo"), at=app)
    assert sorted(os.listdir(full)) in (["lock", "photo"], ["photo"])
    machine.ok("backup", at=app)
    assert "There is no backup" in machine.fails(4, "restore", "1999", "--yes", at=app)
    assert "is not a time" in machine.fails(2, "restore", "--at", "soon", at=app)


def test_links_and_pipes_in_the_home_hold_nothing_up(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    app = machine.repository()
    machine.ok("learn", "Something.", at=app)
    home = machine.home / ".satchel"
    os.mkfifo(home / "pipe")
    (home / "link").symlink_to("/etc/passwd")
    machine.ok("backup", at=app)
    assert machine.json("restore", "latest", "--dry-run", at=app)["changes"] == []
    assert machine.json("backup", "--verify", at=app)["damaged"] == {}
