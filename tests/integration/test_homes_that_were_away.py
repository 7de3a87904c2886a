"""A home that was away while others purged or forgot keeps nothing of it, and brings nothing back."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from integration.seeded_bugs import plant
from integration.test_sync_cli import Two, home_of
from satchel.storage.ledger.lines import records_in

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

SEVENTH = "The quokka relay listens on the seventh port behind the turbine."
EIGHTH = "The quokka relay listens on the eighth port behind the turbine."
_AT_ONCE = {"SATCHEL_MEMORY_PURGE_AFTER_DAYS": "0"}
#: The clock of a machine that is an hour off.
_CLOCK = "Clock.now = lambda _: __import__('time').time() + {}"


@pytest.fixture
def two(tmp_path: Path) -> Two:
    two = Two(tmp_path)
    two.one.ok("learn", SEVENTH, at=two.here)
    two.one.ok("learn", "The door is green.", at=two.here)
    two.meet()
    two.two.ok("recall", "quokka", at=two.there)
    return two


def ident(two: Two) -> str:
    listed = two.one.json("memory", "list", at=two.here)
    return next(str(one["id"]) for one in listed if "quokka" in one["content"])


def purge(two: Two) -> None:
    """Delete it on the first machine, and let thirty days pass there."""
    two.one.ok("memory", "delete", ident(two), "--yes", at=two.here)
    assert two.one.run("upkeep", "purge", at=two.here, environment=_AT_ONCE).code == 0
    two.one.ok("sync", "now")


def forget(two: Two) -> None:
    two.one.ok("forget", ident(two), "--yes", at=two.here)
    two.one.ok("sync", "now")


def ledgers(machine: Machine) -> list[str]:
    """Name the ledgers of a home that say it."""
    every = home_of(machine).rglob("ledgers/*.jsonl")
    return sorted(path.name for path in every if b"quokka" in path.read_bytes())


def assert_gone(two: Two) -> None:
    assert two.both() == (["The door is green."],) * 2
    assert ledgers(two.one) == ledgers(two.two) == []
    assert not [path for path, data in two.sent().items() if b"quokka" in data]


def test_an_edit_that_was_never_sent_goes_with_what_was_purged_later(two: Two) -> None:
    two.two.ok("memory", "edit", ident(two), EIGHTH, at=two.there)
    time.sleep(1.1)  # versions are ordered by whole seconds
    purge(two)
    two.meet()
    assert_gone(two)


@pytest.mark.parametrize("first", ["edited", "forgotten"])
def test_an_edit_that_was_never_sent_goes_with_what_was_forgotten(two: Two, first: str) -> None:
    name = ident(two)
    if first == "forgotten":
        forget(two)
        time.sleep(1.1)
    two.two.ok("memory", "edit", name, EIGHTH, at=two.there)
    if first == "edited":
        time.sleep(1.1)
        forget(two)
    two.meet()
    assert_gone(two)


def test_the_index_of_a_machine_that_was_away_keeps_no_word_of_it(two: Two) -> None:
    index = next(home_of(two.two).rglob("index.db"))
    assert b"quokka" in index.read_bytes()
    purge(two)
    two.meet()
    two.two.ok("recall", "green door", at=two.there)
    assert not [path for path in index.parent.glob("index.db*") if b"quokka" in path.read_bytes()]


def test_an_edit_after_the_deletion_is_the_later_word_and_stays(two: Two) -> None:
    name = ident(two)
    purge(two)
    time.sleep(1.1)
    two.two.ok("memory", "edit", name, EIGHTH, at=two.there)
    two.meet()
    assert two.both() == (["The door is green.", EIGHTH],) * 2


@pytest.mark.parametrize("offset", [3600, -3600])
def test_a_clock_that_is_an_hour_off_neither_revives_nor_loses(two: Two, offset: int) -> None:
    plant(two.two, "satchel.core.clock", _CLOCK.format(offset))
    two.two.ok("learn", "The lamp is red.", at=two.there)
    purge(two)
    two.meet()
    expected = ["The door is green.", "The lamp is red."]
    assert two.both() == (expected, expected)
    assert ledgers(two.one) == ledgers(two.two) == []
    name = next(
        o["id"] for o in two.two.json("memory", "list", at=two.there) if "lamp" in o["content"]
    )
    two.one.ok("memory", "edit", name, "The lamp is blue.", at=two.here)
    two.meet()
    assert two.both() == (["The door is green.", "The lamp is blue."],) * 2
    two.one.ok("forget", name, "--yes", at=two.here)
    two.meet()
    assert two.both() == (["The door is green."],) * 2


def test_a_purge_takes_what_came_after_the_tombstone(two: Two) -> None:
    """A ledger may hold both: the older lines came by a pull, an import or a release before."""
    ledger = next(home_of(two.one).rglob("ledgers/knowledge.jsonl"))
    other = next(home_of(two.two).rglob("ledgers/knowledge.jsonl"))
    two.two.ok("memory", "edit", ident(two), EIGHTH, at=two.there)
    time.sleep(1.1)
    purge(two)
    with ledger.open("ab") as file:
        file.write(other.read_bytes())
    assert ledgers(two.one) == ["knowledge.jsonl"]
    done = two.one.run("upkeep", "purge", at=two.here, environment=_AT_ONCE).out
    assert "1 memory deleted over 0 days ago lost" in done
    assert ledgers(two.one) == []
    stones = [one for one in records_in(ledger.read_bytes()) if one.deleted_at is not None]
    assert len({one.id for one in stones}) == len(stones) == 1
    two.meet()
    assert_gone(two)


def test_a_sync_that_knows_only_hashes_is_noticed(two: Two) -> None:
    """Seeded bug: versions that nobody purged by their hash stay."""
    seed = (
        "def purged_by(lines):\n"
        "    hashes = {name for _, names in _tombstones(lines) for name in names}\n"
        "    return lambda record: record.hash in hashes\n"
    )
    plant(two.one, "satchel.application.exchange.privacy", seed)
    two.two.environment["PYTHONPATH"] = two.one.environment["PYTHONPATH"]
    with pytest.raises(AssertionError):
        test_an_edit_that_was_never_sent_goes_with_what_was_purged_later(two)
