"""A member of a team who was away for weeks keeps nothing, and brings nothing back, of what went."""

from __future__ import annotations

import pytest

from integration.test_postgresql_forgetting import SAID, Team, team
from integration.test_postgresql_purging import later
from integration.test_postgresql_purging import said as on_server
from satchel.application.exchange.team import TeamExchange
from satchel.application.forgetting.service import Forgetting, Selection
from satchel.application.upkeep.maintenance import Upkeep
from satchel.storage.files import read_file
from satchel.storage.ledger import purging
from satchel.storage.paths import archive_of
from satchel.workspace import Workspace

pytest_plugins = ["postgresql_fixtures"]
__all__ = ["team"]


def exchange(work: Workspace) -> TeamExchange:
    assert work.memories.stores.team is not None
    return TeamExchange(work, work.memories.stores.team)


def held(work: Workspace) -> bool:
    """Whether the private ledgers of a member say it."""
    paths = [one.path for one in work.memories.own.ledgers.every_private()]
    return any(b"zq7kx9wm" in read_file(one) for path in paths for one in (path, archive_of(path)))


@pytest.mark.parametrize("how", ["forgotten", "purged"])
def test_what_the_others_ended_leaves_the_ledger_of_a_member_who_was_away(
    team: Team, how: str
) -> None:
    ann, bob = team
    one = ann.learn(SAID)
    exchange(bob).pull()
    assert held(bob)
    if how == "forgotten":
        Forgetting(ann).apply(Forgetting(ann).plan(Selection((one.id,))))
        later(ann, 40)
    else:
        ann.memories.delete(one.id)
        later(ann, 40)
        Upkeep(ann).run("purge")
    later(bob, 40)
    assert on_server(ann)[:2] == [0, 0]
    assert exchange(bob).push()["knowledge"].new == 0, "nothing is brought back"
    exchange(bob).pull()
    assert not bob.recall("harbour relay port", weak=True).items, "it is hidden at once"
    Upkeep(bob).run("purge")
    assert not held(bob)
    exchange(bob).push()
    exchange(bob).pull()
    assert on_server(ann)[:2] == [0, 0]
    assert not held(bob)


def test_a_purge_that_goes_by_keys_alone_is_noticed(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug: a tombstone has a key of its own, so the older lines are nobody's."""

    def by_key(versions: object) -> dict[str, list[purging._Version]]:
        found: dict[str, list[purging._Version]] = {}
        for one in list(versions):  # type: ignore[call-overload]
            found.setdefault(one.record.identity, []).append(one)
        return found

    monkeypatch.setattr(purging, "_grouped", by_key)
    with pytest.raises(AssertionError):
        test_what_the_others_ended_leaves_the_ledger_of_a_member_who_was_away(team, "purged")
