"""What `satchel why` and `satchel thread` say where they cannot show all, or know all."""

from __future__ import annotations

import pytest

from integration.installed import Machine, needs_command
from integration.thread_made import AgentAtWork, new_repository

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


def _function(name: str) -> str:
    return f"def {name}_of(total):\n    {name}_rate = rates[total]\n    return {name}_rate * 2\n"


def test_a_squash_of_many_prompts_says_how_many_there_are(machine: Machine) -> None:
    shop = new_repository(machine)
    shop.git("checkout", "-q", "-b", "tax")
    work = AgentAtWork(shop, machine.home)
    for name in ("first", "second", "third", "fourth", "fifth"):
        work.prompt(f"Write the {name} rate of the new tax")
        work.write(f"{name}.py", _function(name))
        work.commit(f"The {name} rate")
    shop.git("checkout", "-q", "main")
    shop.git("merge", "-q", "--squash", "tax")
    shop.git("commit", "-q", "-m", "Rates")
    told = machine.ok("why", "HEAD", at=shop.root)
    assert "and 2 prompts before these; --json has all" in told
    assert told.count("asked") == 3
    (session,) = machine.json("why", "HEAD", at=shop.root)["sessions"]
    assert len(session["prompts"]) == 5
