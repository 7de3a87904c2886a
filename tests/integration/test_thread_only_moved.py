"""A commit that only moves or indents what an agent wrote comes from no session; its lines do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from integration.installed import Machine, needs_command
from integration.thread_made import AgentAtWork, Repository, new_repository
from integration.thread_story import PAY

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


def indented_by_tabs(text: str) -> str:
    return text.replace("    ", "\t")


def with_taxes_first(text: str) -> str:
    total, tax = text.index("def total_of"), text.index("def tax_of")
    return f"{text[:total]}{text[tax:]}\n\n{text[total:tax].rstrip()}\n"


def with_a_rate_of_its_own(text: str) -> str:
    return with_taxes_first(text).replace(
        "total_of(items) * RATE", "total_of(items) * RATE_OF_YEAR"
    )


def _told(machine: Machine, change: Callable[[str], str]) -> tuple[Repository, str, Any]:
    shop = new_repository(machine)
    work = AgentAtWork(shop, machine.home)
    work.prompt("Write payments with a tax of 19 percent")
    work.write("src/pay.py", PAY)
    work.commit("Add payments")
    work.ends()
    shop.passes(90_000)
    shop.by_hand("src/pay.py", change(PAY))
    shop.git("commit", "-q", "--all", "-m", "Tidy up")
    (commit,) = machine.json("why", "HEAD", at=shop.root)["commits"]
    return shop, work.session, commit


@pytest.mark.parametrize("change", [indented_by_tabs, with_taxes_first, with_a_rate_of_its_own])
def test_a_commit_that_only_moves_lines_is_of_no_session(
    machine: Machine, change: Callable[[str], str]
) -> None:
    shop, session, commit = _told(machine, change)
    assert {one["confidence"] for one in commit["links"]} <= {"guess"}
    found = machine.json("why", "src/pay.py:tax_of", at=shop.root)["lines"]
    (first,) = found[0]["origin"]
    assert (first["session"], first["confidence"]) == (session, "certain")
