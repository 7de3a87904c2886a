"""Lines that an agent writes in one file and removes from another by a command are whose they were."""

from __future__ import annotations

import pytest

from integration.installed import Machine, needs_command
from integration.seeded_bugs import plant
from integration.thread_made import AgentAtWork, new_repository

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

SHIPPING = "def shipping_of(weight):\n    rate = rate_of(weight, ZONES)\n    return weight * rate\n"
PARCELS = "def parcels_of(order):\n    boxes = pack_into(order, BOXES)\n    return len(boxes)\n"


def _confidences(machine: Machine, *commands: str, typed: bool) -> set[str]:
    """Return how sure `why` is of a file's lines, which an agent wrote before these commands."""
    shop = new_repository(machine)
    if typed:
        shop.by_hand("old.py", SHIPPING)  # not committed
    work = AgentAtWork(shop, machine.home)
    work.prompt("move shipping into a module of its own, please")
    work.write("trial.py", "print('does it work at all?')\n")
    work.write("new.py", SHIPPING if typed else PARCELS)
    for command in commands:
        work.shell(command)
    work.commit("A module for it")
    lines = machine.json("why", "new.py:1-3", at=shop.root)["lines"]
    return {one["confidence"] for line in lines for one in line["origin"]}


@pytest.mark.parametrize("command", ["sed -i '1,3d' old.py", "rm old.py", "rm -f trial.py old.py"])
def test_what_a_command_took_out_elsewhere_is_not_certainly_the_agents(
    machine: Machine, command: str
) -> None:
    assert _confidences(machine, command, typed=True) == {"likely"}


def test_what_a_session_throws_away_of_its_own_leaves_the_rest_certain(machine: Machine) -> None:
    removing = ("rm trial.py", "touch run.log && rm -rf run.log", "git checkout -q -b other")
    assert _confidences(machine, *removing, typed=False) == {"certain"}


def test_a_move_that_is_not_doubted_is_noticed(machine: Machine) -> None:
    seed = "SessionFiles.doubted = lambda _, turns: turns"
    plant(machine, "satchel.application.thread.session_files", seed)
    assert _confidences(machine, "rm old.py", typed=True) == {"certain"}
