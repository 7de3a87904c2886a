"""Two of a team change one memory; what was pulled is the team's."""

import json
import threading
from pathlib import Path

import pytest

from integration.test_postgresql_moving import satchel
from integration.test_postgresql_pooling import open_memories
from integration.test_team_serving import repository as repository  # noqa: PLC0414 -- a fixture
from satchel.application.exchange.team import TeamExchange
from satchel.core.errors import ConflictError
from satchel.features.memories.service import Memories
from satchel.storage.ledger.team import TeamLedger
from satchel.testing import run_git
from satchel.workspace import Workspace

pytest_plugins = ["postgresql_fixtures"]


def both_edit(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let two who have read the same version write the next; return how each of them fared."""
    ada, bob = (open_memories(url, str(tmp_path / name)) for name in ("ada", "bob"))
    made = ada.remember("the quay is swept at noon", kind="decision")
    read, fared = threading.Barrier(2), []
    find = Memories.find

    def found(self: Memories, reference: str) -> object:
        one = find(self, reference)
        read.wait(10)  # each has read it before one of them writes
        return one

    monkeypatch.setattr(Memories, "find", found)

    def edit(memories: Memories, text: str) -> None:
        try:
            fared.append(memories.edit(made.id, text).content)
        except ConflictError as error:
            fared.append(str(error))

    several = [
        threading.Thread(target=edit, args=(memories, f"the quay is swept by {name}"))
        for memories, name in ((ada, "ada"), (bob, "bob"))
    ]
    for one in several:
        one.start()
    for one in several:
        one.join(20)
    monkeypatch.setattr(Memories, "find", find)
    (shown,) = ada.live()
    assert shown.content in fared
    for memories in (ada, bob):
        memories.index.database.close()
    return fared


def test_of_two_who_change_one_memory_the_second_is_told(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fared = both_edit(postgresql_url, tmp_path, monkeypatch)
    assert len(fared) == 2
    assert sum("meantime" in one for one in fared) == 1


def test_a_change_that_is_lost_without_a_word_is_found_out(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    monkeypatch.setattr(TeamLedger, "_refuse_overtaken", lambda *_: None)
    fared = both_edit(postgresql_url, tmp_path, monkeypatch)
    assert not [one for one in fared if "meantime" in one]


def test_what_was_pulled_is_shown_as_the_team_s(
    postgresql_url: str, repository: str, tmp_path: Path
) -> None:
    ada, bob, clone = (str(tmp_path / name) for name in ("ada", "bob", "clone"))
    run_git(str(tmp_path), "clone", "-q", repository, clone)
    for root, home in ((repository, ada), (clone, bob)):
        assert satchel(root, home, "team", "init", postgresql_url)[0] == 0
    told = satchel(repository, ada, "remember", "--kind", "decision", "The tunnel is on port 5433")
    assert told[0] == 0
    assert satchel(clone, bob, "team", "pull")[0] == 0
    told = satchel(clone, bob, "remember", "--kind", "insight", "the port of the old tunnel was 22")
    assert told[0] == 0
    code, text = satchel(clone, bob, "recall", "port of the tunnel", "--json")
    assert code == 0, text
    ledgers = {one["content"]: one["ledger"] for one in json.loads(text)["items"]}
    assert ledgers["The tunnel is on port 5433"] == "team"
    assert ledgers["the port of the old tunnel was 22"] == "private"


def test_a_new_home_reads_what_it_knows_and_not_every_line(
    postgresql_url: str, repository: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    after = TeamLedger.after

    def counted(self: TeamLedger, place: int, saying: bytes = b"") -> object:
        for one in after(self, place, saying):
            read.append(one[0])
            yield one

    monkeypatch.setattr(TeamLedger, "after", counted)
    ada, bob = str(tmp_path / "ada"), str(tmp_path / "bob")
    for home in (ada, bob):
        assert satchel(repository, home, "team", "init", postgresql_url)[0] == 0
    with Workspace.open(repository, home=ada) as first:
        made = [first.remember(f"The quay {n} is swept", kind="decision") for n in range(30)]
        read.clear()
        with Workspace.open(repository, home=bob) as other:
            assert other.recall("quay swept").items
            assert read == [], "nothing is here, so nothing can have a newer version there"
            team = other.memories.stores.team
            assert team is not None
            TeamExchange(other, team).pull()
            read.clear()
            first.memories.delete(made[0].id)
            found = [one.record.id for one in other.recall("quay swept", limit=50).items]
            assert made[0].id not in found
            assert len(found) == 29
            assert len(read) == 1, "the one line that came since"
