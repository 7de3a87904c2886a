"""git-ai's authorship logs: made of what is certain, written by git, and read back."""

from __future__ import annotations

import json
import re
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from integration.seeded_bugs import plant
from integration.thread_made import AgentAtWork, Repository, new_repository
from satchel.features.thread.records import of_git_ai

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

TAX = "RATE_OF_THE_YEAR = 19\nTAX_OF_THE_HOUSE = 7\n"
TOLL = "TOLL_OF_THE_ROAD = 3\nTOLL_OF_THE_BRIDGE = 4\n"


@pytest.fixture
def shop(machine: Machine) -> Repository:
    """Two prompts of an agent, then a person's line, then a commit with another's log."""
    shop = new_repository(machine)
    work = AgentAtWork(shop, machine.home)
    work.prompt("charge the tax")
    work.write("pay.py", TAX)
    work.prompt("and the toll")
    work.write("my notes.py", TOLL)
    work.commit("Charge both")
    shop.passes(3600)
    shop.by_hand("pay.py", f"{TAX}BY_HAND_ALONE = 1\n")
    shop.git("commit", "-q", "--all", "-m", "By hand")
    work.prompt("and the fee")
    work.write("fee.py", "FEE_OF_THE_BANK = 2\nFEE_OF_THE_CARD = 5\n")
    work.commit("Charge the fee")
    shop.git("notes", "--ref=ai", "add", "-m", "another's log")
    return shop


def exported(machine: Machine, shop: Repository) -> str:
    return machine.ok("export", "-", "--format", "git-ai", at=shop.root)


def test_logs_are_written_by_git_and_read_back(machine: Machine, shop: Repository) -> None:
    stream = exported(machine, shop)
    assert exported(machine, shop) == stream
    shop.git("fast-import", "--quiet", given=stream)
    note = shop.git("notes", "--ref=ai", "show", "HEAD~2")
    assert shop.git("notes", "--ref=ai", "show", "HEAD").strip() == "another's log"
    assert len(shop.git("notes", "--ref=ai", "list").splitlines()) == 2
    head, _, tail = note.partition("\n---\n")
    # As the standard has it: the key is of tool and id, and a name with a blank is quoted.
    (session,) = {path.stem for path in (machine.home / ".claude").rglob("*.jsonl")}
    key = "s_" + sha256(f"claude:{session}".encode()).hexdigest()[:14]
    assert re.fullmatch(
        rf'"my notes\.py"\n  {key}::t_[0-9a-f]{{14}} 1-2\npay\.py\n  {key}::t_[0-9a-f]{{14}} 1-2',
        head,
    )
    agent = {"tool": "claude", "id": session, "model": "claude-opus-4-5"}
    assert json.loads(tail) == {
        "schema_version": "authorship/3.0.0",
        "base_commit_sha": shop.git("rev-parse", "HEAD~2").strip(),
        "prompts": {},
        "sessions": {key: {"agent_id": agent}},
    }
    assert [(one.session, one.path, one.ranges) for one in of_git_ai(note)] == [
        (session, "my notes.py", ((1, 2),)),
        (session, "pay.py", ((1, 2),)),
    ]
    # Who has them has the session without its transcript.
    for path in (machine.home / ".claude").rglob("*.jsonl"):
        path.unlink()
    archives = Path(machine.home, ".satchel").glob("projects/*/archive")
    subprocess.run(["rm", "-r", *archives], check=True)
    origin = machine.json("why", "pay.py:1", at=shop.root)["lines"][0]["origin"]
    assert [one["evidence"] for one in origin] == [[{"kind": "log", "detail": "git-ai"}]]


def test_nothing_certain_is_nothing_to_write(machine: Machine) -> None:
    shop = new_repository(machine)
    assert exported(machine, shop) == ""
    machine.ok("export", "notes.txt", "--format", "git-ai", at=shop.root)
    assert (shop.root / "notes.txt").read_bytes() == b""
    machine.fails(2, "export", "-", "--format", "git-ai", "--private", at=shop.root)


def test_writing_over_anothers_log_is_noticed(machine: Machine, shop: Repository) -> None:
    plant(machine, "satchel.application.thread.git_ai", "_with_notes = lambda work: set()")
    with pytest.raises(AssertionError):
        test_logs_are_written_by_git_and_read_back(machine, shop)
