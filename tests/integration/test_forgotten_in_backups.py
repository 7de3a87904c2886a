"""What was forgotten stays forgotten through backups, restores and imports."""

import json
import os
import time
import zlib
from pathlib import Path

import pytest

from reliability.stand import Stand
from satchel.application.exchange.backups.forgotten import SurvivingRecords
from satchel.core.clock import FixedClock
from satchel.features.proposals.queue import Queue
from satchel.features.proposals.values import PENDING, REJECTED, Decision, Edit, Proposal
from satchel.storage.ledger.lines import split_lines
from satchel.workspace import Workspace

LESSON = "The relay of the harbour answers on port zq4411x."
WORD = b"zq4411x"
TITLE = b"Quiet relay"


@pytest.fixture
def stand(tmp_path: Path) -> Stand:
    made = Stand(str(tmp_path / "p"))
    ran = made.satchel("learn", LESSON, "--title", TITLE.decode())
    assert ran.code == 0, ran.text
    assert made.satchel("learn", "The meadow floods in spring.").code == 0
    start = b'{"hook_event_name":"SessionStart","session_id":"s-1"}'
    assert TITLE in made.satchel("hook", "SessionStart", stdin=start).out
    return made


def home_bytes(stand: Stand, word: bytes) -> list[str]:
    return holding(Path(stand.home), word)


def holding(place: Path, word: bytes) -> list[str]:
    found = []
    for path in place.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            if "objects" in path.parts:
                data = zlib.decompress(data)
            if word in data:
                found.append(str(path))
    return found


def key_of(stand: Stand) -> str:
    listed = json.loads(stand.satchel("memory", "list", "--json").out)
    return str(next(one["id"] for one in listed if "relay" in one["content"]))


def forget(stand: Stand, *more: str) -> dict[str, object]:
    ran = stand.satchel("forget", key_of(stand), "--yes", "--json", *more)
    assert ran.code == 0, ran.text
    told: dict[str, object] = json.loads(ran.out)
    return told


def remains(told: dict[str, object]) -> list[str]:
    left = told["remains"]
    assert isinstance(left, list)
    return [str(one["what"]) for one in left]


def test_a_title_goes_from_what_was_shown(stand: Stand) -> None:
    forget(stand)
    assert home_bytes(stand, TITLE) == []
    assert stand.satchel("why-injected", "s-1").code == 0


def test_a_restore_brings_back_nothing_that_was_forgotten(stand: Stand) -> None:
    assert stand.satchel("backup").code == 0
    told = forget(stand)
    assert "a backup" in remains(told)
    before = json.loads(stand.satchel("forget", "--receipts", "--json").out)
    restored = stand.satchel("restore", "latest", "--yes")
    assert restored.code == 0, restored.text
    for word in (WORD, TITLE):
        assert home_bytes(stand, word) == []
    assert json.loads(stand.satchel("forget", "--receipts", "--json").out) == before
    shown = stand.satchel("recall", "the meadow floods").out
    assert b"meadow floods" in shown
    assert b"relay" not in shown
    assert stand.satchel("restore", "latest", "--dry-run").code == 0


def test_the_safety_backup_of_a_restore_and_older_ones_can_be_rewritten(stand: Stand) -> None:
    assert stand.satchel("backup").code == 0
    assert stand.satchel("learn", "The ferry is late.").code == 0
    assert stand.satchel("backup").code == 0
    vault = Path(stand.home + "-backups")
    assert holding(vault, WORD)
    told = forget(stand, "--backups")
    assert "a backup" not in remains(told)
    assert holding(vault, WORD) == []
    assert holding(vault, TITLE) == []
    assert stand.satchel("backup", "--verify").code == 0
    assert stand.satchel("restore", "latest", "--yes").code == 0
    assert b"ferry is late" in stand.satchel("recall", "ferry").out
    assert home_bytes(stand, WORD) == []


def test_an_import_brings_back_nothing_that_was_forgotten(stand: Stand, tmp_path: Path) -> None:
    archive = str(tmp_path / "everything.tar.gz")
    assert stand.satchel("export", archive, "--private").code == 0
    forget(stand)
    imported = stand.satchel("import", archive)
    assert imported.code == 0
    assert b"1 line was purged or forgotten here, and not imported." in imported.out
    assert b"Nothing found" in stand.satchel("recall", "relay harbour").out
    assert home_bytes(stand, WORD) == []


def test_what_was_purged_stays_purged_through_a_restore(stand: Stand) -> None:
    assert stand.satchel("backup").code == 0
    assert stand.satchel("memory", "delete", key_of(stand), "--yes").code == 0
    later = FixedClock(time.time() + 40 * 86_400)
    with Workspace.open(stand.repo, home=stand.home, clock=later) as workspace:
        said = workspace.upkeep("purge", dry_run=False, confirmed=True)
    assert said["purge"].startswith("1 memory ")
    ledger = Path(stand.state.ledger("knowledge"))
    assert b"answers on port" not in ledger.read_bytes()
    assert stand.satchel("restore", "latest", "--yes", "--only", "memories").code == 0
    assert b"answers on port" not in ledger.read_bytes()
    assert b"meadow" in ledger.read_bytes()
    assert b"Nothing found" in stand.satchel("recall", "relay harbour").out


@pytest.mark.parametrize("state", [PENDING, REJECTED])
def test_a_suggestion_is_forgotten_by_its_id(stand: Stand, state: str) -> None:
    said = "Never page the crew of zq4411x at night."
    edit = Edit("append", "project", "AGENTS.md", text=said)
    with stand.workspace() as workspace:
        queue = Queue(workspace.project.ledger("proposals"))
        wanted = Proposal("agent_file", "behavioral", "Night pages", "said so", "low", (edit,), "k")
        (made,) = queue.propose([wanted])
        queue.decide(made, Decision(state, note=said))
        assert queue.find(made.id).state == state
    ran = stand.satchel("forget", made.id, "--yes")
    assert ran.code == 0, ran.text
    assert holding(Path(stand.home), b"page the crew") == []
    with stand.workspace() as workspace:
        assert Queue(workspace.project.ledger("proposals")).all() == []


def test_a_restore_that_carries_nothing_is_caught(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seeded bug: a restore puts files back as the backup has them."""
    from reliability.stand import in_this_process

    assert stand.satchel("backup").code == 0
    forget(stand)
    monkeypatch.setattr(SurvivingRecords, "contents", lambda _self, _holding, blocks: blocks)
    monkeypatch.chdir(stand.repo)
    monkeypatch.setenv("SATCHEL_HOME", stand.home)
    assert in_this_process(["restore", "latest", "--yes"])[0] == 0
    lines = split_lines(Path(stand.state.ledger("knowledge")).read_bytes())
    assert any(WORD in raw for raw in lines)
    assert os.path.isdir(stand.home)
