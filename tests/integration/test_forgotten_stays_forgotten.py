"""What was forgotten on one machine, or since a backup, comes back by none of the ways back."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from integration.installed import needs_command
from integration.test_sync_cli import Two, home_of
from integration.transcripts_made import Transcript
from satchel.application.forgetting.returned_turns import NONE, forgotten_turns
from satchel.clients.transcript_format.project_key import project_key

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

LESSON = "The quokka relay listens on the seventh port behind the turbine."
SAID = "Never pull the bandicoot lever while the harbour lamp is lit."
ASKED = "Which wombat ladder reaches the upper gate of the lock?"
SESSION = "5e551017-aaaa-4bbb-8ccc-0123456789ab"


@pytest.fixture
def two(tmp_path: Path) -> Two:
    return Two(tmp_path)


def holding(home: Path, word: str) -> list[str]:
    """Name the files of a home that say a word, compressed or not; not what git packed."""
    found = []
    for path in home.rglob("*"):
        if path.is_file() and "objects" not in path.parts:
            data = path.read_bytes()
            data = gzip.decompress(data) if path.suffix == ".gz" else data
            found += [path.name] if word.encode() in data else []
    return sorted(found)


def hold_a_session(two: Two, *said: str) -> None:
    """Let a client talk on the second machine, and end: it is archived and retold there."""
    place = two.two.home / ".claude" / "projects" / "app"
    place.mkdir(parents=True)
    made = Transcript(str(two.there), SESSION)
    for text in said:
        made.person(text).agent("Understood.")
    lines = "".join(json.dumps(one) + "\n" for one in made.records)
    (place / f"{SESSION}.jsonl").write_text(lines, encoding="utf-8")
    event = {
        "session_id": SESSION,
        "cwd": str(two.there),
        "transcript_path": str(place / f"{SESSION}.jsonl"),
    }
    for name in ("SessionStart", "Stop", "SessionEnd"):
        sent = json.dumps({**event, "hook_event_name": name}).encode()
        assert two.two.run("hook", name, at=two.there, stdin=sent).code == 0
    two.two.ok("upkeep", "all", at=two.there)


def test_what_quotes_it_on_another_machine_goes_too_and_does_not_come_back(two: Two) -> None:
    two.one.ok("learn", LESSON, at=two.here)
    two.meet()
    hold_a_session(two, f"Remember this. {LESSON}")
    assert len(holding(home_of(two.two), "quokka")) > 2
    two.one.ok("forget", "--query", "quokka", "--yes", at=two.here)
    two.meet()
    assert holding(home_of(two.two), "quokka") == []
    assert holding(home_of(two.one), "quokka") == []
    assert not [path for path, data in two.sent().items() if b"quokka" in data]


def test_a_forgotten_session_comes_back_from_no_other_machine(two: Two) -> None:
    hold_a_session(two, SAID)
    two.meet()
    assert holding(home_of(two.one), "bandicoot")
    two.two.run("forget", "--session", SESSION, "--yes", at=two.there)
    for machine in (two.two, two.one, two.two):
        machine.ok("sync", "now")
    assert holding(home_of(two.two), "bandicoot") == []
    assert holding(home_of(two.one), "bandicoot") == []


def test_a_forgotten_session_comes_back_from_no_backup_and_no_export(two: Two) -> None:
    hold_a_session(two, SAID, ASKED, "Fine, go on then.")
    two.two.ok("backup", at=two.there)
    away = str(two.there.parent / "away.tar.gz")
    two.two.ok("export", away, at=two.there)
    two.two.run("forget", "--session", SESSION, "--yes", at=two.there)
    two.two.ok("restore", "latest", "--yes", at=two.there)
    assert holding(home_of(two.two), "bandicoot") == holding(home_of(two.two), "wombat") == []
    two.two.ok("import", away, at=two.there)
    assert holding(home_of(two.two), "bandicoot") == holding(home_of(two.two), "wombat") == []


def test_what_another_machine_made_of_it_meanwhile_goes_too(two: Two) -> None:
    place = two.one.home / ".claude" / "projects" / project_key(str(two.here))
    place.mkdir(parents=True)
    made = Transcript(str(two.here)).person(SAID).agent("Never.")
    made.write(str(place / f"{made.session}.jsonl"))
    two.one.ok("reflect", at=two.here)
    (waiting,) = [one["id"] for one in two.one.json("review", at=two.here)]
    two.meet()
    two.two.ok("review", "Y", at=two.there)
    assert holding(home_of(two.two), "bandicoot")
    two.one.ok("forget", waiting, "--yes", at=two.here)
    two.meet()
    assert holding(home_of(two.one), "bandicoot") == []
    assert holding(home_of(two.two), "bandicoot") == []
    assert two.one.json("review", at=two.here) == two.two.json("review", at=two.there) == []


def test_the_measure_sees_a_turn_that_returns() -> None:
    line = b'{"id":"a","role":"user","at":1.0,"text":"hello"}'
    assert NONE.kept([line]) == [line]
    assert not forgotten_turns([gzip.compress(line)])
