"""Purging on a team's server: old deletions leave its rows, and nothing else does."""

from __future__ import annotations

import pytest

from integration.test_postgresql_forgetting import Team, team
from satchel.application.upkeep.maintenance import Upkeep
from satchel.core.clock import FixedClock
from satchel.core.times import DAY
from satchel.workspace import Workspace

pytest_plugins = ["postgresql_fixtures"]
__all__ = ["team"]
SAID = "The harbour relay answers on port zq7kx9wm when the blue side is drained."
_COUNTS = (
    "SELECT COUNT(*) FROM ledger_lines WHERE position('zq7kx9wm' in encode(line,'escape')) > 0",
    "SELECT COUNT(*) FROM documents WHERE position('zq7kx9wm' in content) > 0",
    "SELECT COUNT(*) FROM word_counts WHERE word = 'zq7kx9wm'",
)


def said(work: Workspace) -> list[int]:
    """In how many lines, documents and counts of words the server says it."""
    team = work.memories.stores.team
    assert team is not None
    return [int(team.store.database.read(query)[0][0] or 0) for query in _COUNTS]


def later(work: Workspace, days: float) -> None:
    clock = work.project.clock
    assert isinstance(clock, FixedClock)
    clock.advance(days * DAY)


def assert_sound(work: Workspace) -> None:
    """Documents and their counts are what the lines say."""
    team = work.memories.stores.team
    assert team is not None
    index = team.memories.index
    assert index.problems() == []
    database = team.store.database
    held = database.read("SELECT documents, tokens FROM project_heads")
    team.rebuild()
    assert database.read("SELECT documents, tokens FROM project_heads") == held


def test_an_old_deletion_leaves_the_server_and_a_young_one_waits(team: Team) -> None:
    ann, bob = team
    one = ann.learn(SAID)
    ann.memories.edit(one.id, content=f"{SAID} Twice.")
    kept = ann.learn("Run the linter before pushing.")
    ann.memories.delete(one.id)
    young = ann.learn("The meadow floods in spring.")
    later(bob, 29)
    assert "0 memories of the team's server lost 0 lines" in Upkeep(bob).run("purge")["purge"]
    assert said(ann)[0] == 3
    later(ann, 20)
    ann.memories.delete(young.id)
    later(bob, 2)
    told = Upkeep(bob).run("purge", dry_run=True)["purge"]
    assert "1 memory of the team's server would lose 3 lines" in told
    assert said(ann)[0] == 3
    assert "1 memory of the team's server lost 3 lines" in Upkeep(bob).run("purge")["purge"]
    assert said(ann) == [0, 0, 0]
    assert "0 memories of the team's server" in Upkeep(bob).run("purge")["purge"]
    assert [item.record.id for item in bob.recall("linter").items] == [kept.id]
    assert ann.memories.restore(young.id).content == young.content
    assert_sound(ann)


def test_one_members_settings_and_clock_purge_nothing_early(team: Team) -> None:
    ann, bob = team
    one = ann.learn(SAID)
    ann.memories.delete(one.id)
    team_ = bob.memories.stores.team
    assert team_ is not None
    database = team_.store.database
    ((now,),) = database.read("SELECT floor(extract(epoch FROM now()))::bigint")
    later(ann, (int(now or 0) - ann.project.clock.now()) / DAY - 1)
    two = ann.learn(f"{SAID} Since yesterday.")
    ann.memories.delete(two.id)
    done = team_.purge(now=int(now or 0) + 400 * DAY, after_days=0)
    assert done.memories == (one.id,)
    assert said(ann)[0] == 2


def test_what_is_brought_back_before_the_lock_is_held_stays(team: Team) -> None:
    ann, bob = team
    one = ann.learn(SAID)
    ann.memories.delete(one.id)
    later(ann, 31)
    later(bob, 31)
    ledgers = bob.memories.stores.team.ledgers if bob.memories.stores.team else None
    assert ledgers is not None
    ledger = ledgers.private("learned")
    replace = ledger.replace_made
    brought: list[object] = []

    def first_brought_back(make: object) -> None:
        if not brought:
            brought.append(ann.memories.restore(one.id))
        replace(make)  # type: ignore[arg-type]

    ledger.replace_made = first_brought_back  # type: ignore[method-assign]
    assert "0 memories of the team's server" in Upkeep(bob).run("purge")["purge"]
    assert [item.record.id for item in bob.recall("harbour relay port").items] == [one.id]
    assert_sound(ann)


def test_a_run_that_was_killed_is_continued(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = team
    for number in range(7):
        ann.memories.delete(ann.learn(f"{SAID} Number {number}.").id)
    later(bob, 31)
    monkeypatch.setattr("satchel.engine.search.team.purging._BATCH", 3)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("satchel.engine.search.team.purging.drop_unheld", killed)
        with pytest.raises(KeyboardInterrupt):
            Upkeep(bob).run("purge")
    assert said(ann)[0] == 0
    assert said(ann)[1] == 7
    Upkeep(bob).run("purge")
    assert said(ann) == [0, 0, 0]
    assert_sound(ann)
