"""A push asks the server for what was forgotten there, and for none of its other lines."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from integration.test_postgresql_moving import satchel
from integration.test_team_serving import repository as repository  # noqa: PLC0414 -- a fixture
from satchel.application.exchange.team import TeamExchange
from satchel.storage.ledger.lines import encode
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.team import TeamLedger
from satchel.workspace import Workspace

pytest_plugins = ["postgresql_fixtures"]
_THERE = [
    encode(Record(content=f"The quay number {n} is swept.", id=f"01THERE{n:019}", ts=n + 1))[:-1]
    for n in range(30)
]


def test_lines_of_the_server_stay_there_and_what_it_forgot_stays_here(
    postgresql_url: str, repository: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = str(tmp_path / "home")
    assert satchel(repository, home, "learn", "The crane is greased on Mondays.")[0] == 0
    assert satchel(repository, home, "learn", "The gate opens at nine.")[0] == 0
    assert satchel(repository, home, "team", "init", postgresql_url)[0] == 0
    came: list[bytes] = []
    after = TeamLedger.after

    def noted(ledger: TeamLedger, place: int, saying: bytes = b"") -> Iterator[tuple[int, bytes]]:
        for at, line in after(ledger, place, saying):
            came.append(line)
            yield at, line

    with Workspace.open(repository, home=home) as work:
        team = work.memories.stores.team
        assert team is not None
        team.writable()
        own = work.memories.own.live()
        gone = next(one for one in own if "crane" in one.content)
        stone = gone._replace(content="", deleted_at=9, data={"forgotten": [gone.hash]})
        there = team.ledgers.named("knowledge")
        assert there.append_lines([*_THERE, encode(stone)[:-1]]) == len(_THERE) + 1
        monkeypatch.setattr(TeamLedger, "after", noted)
        moved = TeamExchange(work, team).push()["knowledge"]
        assert (moved.read, moved.new) == (2, 1)
    assert set(came) == {encode(stone)[:-1]}
