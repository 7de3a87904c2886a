"""Who types or makes something again did not write it first; what moved keeps its origin."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from integration.installed import Machine, needs_command
from integration.seeded_bugs import plant
from integration.thread_made import AgentAtWork, Repository, new_repository

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

CHECK = "        self.assertEqual(response.status_code, 200)\n"
HOME = f"class PageTest(Base):\n    def test_home(self):\n{CHECK}"
BLOCK = (
    "def shipping_of(weight):\n"
    "    rate = rate_of(weight, ZONES)\n"
    "    return weight * rate + BASE_RATE\n"
)


def _by_the_agent(shop: Repository, machine: Machine, path: str, code: str) -> AgentAtWork:
    work = AgentAtWork(shop, machine.home)
    work.prompt("write it, please")
    work.write(path, code)
    work.commit("As it was asked for")
    return work


def _by_hand(shop: Repository, subject: str, **files: str) -> str:
    shop.passes(3600)
    for name, content in files.items():
        shop.by_hand(f"src/{name}.py", content)
    shop.git("add", "--all")
    shop.git("commit", "-q", "-m", subject)
    return shop.git("rev-parse", "HEAD").strip()


def _line(machine: Machine, shop: Repository, place: str) -> Any:
    (line,) = machine.json("why", place, at=shop.root)["lines"]
    return line


def test_a_line_that_a_person_typed_again_is_nobodys(machine: Machine) -> None:
    """All that tools wrote like it was in the file before."""
    shop = new_repository(machine)
    _by_the_agent(shop, machine, "src/pages.py", HOME)
    mine = _by_hand(shop, "Test login", pages=f"{HOME}\n    def test_login(self):\n{CHECK}")
    line = _line(machine, shop, "src/pages.py:6")
    assert line["sha"] == mine
    assert line["origin"] == []


def test_a_line_that_an_agent_typed_again_is_the_agents(machine: Machine) -> None:
    shop = new_repository(machine)
    _by_hand(shop, "Test home", pages=HOME)
    work = AgentAtWork(shop, machine.home)
    work.prompt("test the login, too")
    work.edit("src/pages.py", HOME, f"{HOME}\n    def test_login(self):\n{CHECK}")
    sha = work.commit("Test login")
    line = _line(machine, shop, "src/pages.py:6")
    assert line["sha"] == sha
    assert [one["session"] for one in line["origin"]] == [work.session]


def test_what_was_moved_keeps_its_origin(machine: Machine) -> None:
    shop = new_repository(machine)
    work = _by_the_agent(shop, machine, "src/pages.py", f"{HOME}\n\n{BLOCK}")
    _by_hand(shop, "Move shipping", pages=HOME, ship=BLOCK)
    (link,) = _line(machine, shop, "src/ship.py:2")["origin"]
    assert (link["session"], link["confidence"]) == (work.session, "certain")


def test_a_copied_block_is_likely_of_who_wrote_it(machine: Machine) -> None:
    shop = new_repository(machine)
    work = _by_the_agent(shop, machine, "src/pages.py", f"{HOME}\n\n{BLOCK}")
    _by_hand(shop, "Copy shipping", pages=f"{HOME}\n\n{BLOCK}\n# see ship.py\n", ship=BLOCK)
    (link,) = _line(machine, shop, "src/ship.py:2")["origin"]
    assert (link["session"], link["confidence"]) == (work.session, "likely")


def test_a_large_file_is_not_searched_for_copies(machine: Machine) -> None:
    """Git takes many seconds for it, and most such files are generated."""
    shop = new_repository(machine)
    _by_the_agent(shop, machine, "src/pages.py", f"{HOME}\n\n{BLOCK}")
    rows = "".join(f"ROW_{number} = {number}\n" for number in range(60_000))
    sha = _by_hand(shop, "Copy shipping", pages=f"{HOME}\n\n{BLOCK}# see\n", ship=BLOCK + rows)
    assert _line(machine, shop, "src/ship.py:2")["sha"] == sha


def test_one_line_in_common_and_the_same_message_are_not_certain(machine: Machine) -> None:
    shop = new_repository(machine)
    logger = "logger = logging.getLogger(__name__)\n"
    work = AgentAtWork(shop, machine.home)
    work.prompt("fix the tests")
    work.write("src/pages.py", logger)
    work.commit("Fix tests")
    shop.passes(-3600 + 300)
    typed = "".join(f"typed_by_a_person_{n} = {n}\n" for n in range(12))
    sha = _by_hand(shop, "Fix tests", login=logger + typed)
    (commit,) = machine.json("why", sha, at=shop.root)["commits"]
    assert [one["confidence"] for one in commit["links"]] == ["likely"]


def test_who_reverts_and_brings_back_a_commit_did_not_make_it(machine: Machine) -> None:
    shop = new_repository(machine)
    work = AgentAtWork(shop, machine.home)
    work.prompt("what is this project?")
    sha = _by_hand(shop, "Count shipping by weight", ship=BLOCK)
    for prompt in ("revert the last commit", "bring it back"):
        shop.passes(600)
        work.prompt(prompt)
        work.runs_git("revert", "--no-edit", "HEAD")
    told = machine.json("why", sha, at=shop.root)
    assert {one["confidence"] for one in told["commits"][0]["links"]} == {"guess"}
    assert _line(machine, shop, "src/ship.py:2")["origin"] == []


def test_one_commit_of_several_sessions_is_likely_of_each(machine: Machine) -> None:
    shop = new_repository(machine)
    sessions = set()
    for name in ("one", "two", "three", "four"):
        shop.passes(3600)
        work = AgentAtWork(shop, machine.home)
        work.prompt(f"write {name}, please")
        lines = "".join(f"{name}_of_many_{n} = count_of_{name}({n})\n" for n in range(6))
        work.write(f"src/{name}.py", lines)
        sessions.add(work.session)
    sha = _by_hand(shop, "All four")
    (commit,) = machine.json("why", sha, at=shop.root)["commits"]
    assert {one["session"] for one in commit["links"]} == sessions
    assert {one["confidence"] for one in commit["links"]} == {"likely"}


def test_a_session_that_begins_right_after_a_commit_is_not_guessed(machine: Machine) -> None:
    shop = new_repository(machine)
    sha = _by_hand(shop, "Count shipping by weight", ship=BLOCK)
    work = AgentAtWork(shop, machine.home)
    work.prompt("make it heavier")  # a minute later
    work.edit("src/ship.py", "BASE_RATE", "HEAVY_RATE")
    (commit,) = machine.json("why", sha, at=shop.root)["commits"]
    assert commit["links"] == []


def test_a_task_tells_what_was_learnt_for_it_outside_of_sessions(machine: Machine) -> None:
    shop = new_repository(machine)
    task = machine.json("tasks", "create", "Round the tax", at=shop.root)["id"]
    machine.ok("learn", "--task", task, "the tax is rounded half up", at=shop.root)
    machine.ok("learn", "the outbox is emptied at midnight", at=shop.root)
    told = machine.json("why", task, at=shop.root)
    assert [one["text"] for one in told["since"]] == ["the tax is rounded half up"]
    assert "rounded half up" in machine.ok("why", task, at=shop.root)


def test_what_a_fork_repeats_is_of_the_session_that_it_began_as(machine: Machine) -> None:
    shop = new_repository(machine)
    work = _by_the_agent(shop, machine, "src/ship.py", BLOCK)
    forked = "00000000-0000-4000-8000-000000000000"
    fork = work.path.with_name(f"{forked}.jsonl")
    fork.write_text(work.path.read_text("utf-8").replace(work.session, forked), "utf-8")
    os.utime(work.path, (1, 1))
    (link,) = _line(machine, shop, "src/ship.py:2")["origin"]
    assert link["session"] == work.session


IMPORT = "import rounding_rules as rules\n"
TAX = f"import decimal_of_shop as dec\n{IMPORT}\n\ndef tax_of(total):\n    return rules.cents(total)\n"


def _taken_out_and_typed_again(machine: Machine, shop: Repository, *, seen: bool) -> list[Any]:
    """Return the sessions, and the origin, of a line that left its file between two commits."""
    first = _by_the_agent(shop, machine, "src/pay.py", TAX)
    shop.passes(3600)
    if seen:
        second = AgentAtWork(shop, machine.home)
        second.prompt("we need no rules")
        second.edit("src/pay.py", IMPORT, "")
    else:
        shop.by_hand("src/pay.py", TAX.replace(IMPORT, ""))
    shop.passes(3600)
    third = AgentAtWork(shop, machine.home)
    third.prompt("bring the rules back for the auditors")
    third.edit("src/pay.py", "\n\ndef", f"{IMPORT}\n\ndef")
    third.edit("src/pay.py", "    return", "    audit(total)\n    return")
    third.commit("Audit")
    line = _line(machine, shop, "src/pay.py:2")
    assert line["sha"] == shop.git("rev-parse", "HEAD~1").strip()
    sessions = {first.session: "first", third.session: "third"}
    return [(sessions[one["session"]], one["confidence"]) for one in line["origin"]]


def test_a_line_taken_out_and_typed_again_before_a_commit_is_of_who_typed_it_last(
    machine: Machine,
) -> None:
    """Git sees no change, and the transcripts do."""
    found = _taken_out_and_typed_again(machine, new_repository(machine), seen=True)
    assert found == [("third", "likely"), ("first", "likely")]


def test_a_line_that_two_wrote_though_it_is_there_once_is_certain_of_neither(
    machine: Machine,
) -> None:
    found = _taken_out_and_typed_again(machine, new_repository(machine), seen=False)
    assert found == [("first", "likely"), ("third", "likely")]


def test_who_only_moves_a_line_did_not_type_it_again(machine: Machine) -> None:
    shop = new_repository(machine)
    first = _by_the_agent(shop, machine, "src/pay.py", TAX)
    shop.passes(3600)
    other = AgentAtWork(shop, machine.home)
    other.prompt("sort the imports, no, leave them")
    other.edit("src/pay.py", IMPORT, "")
    other.edit("src/pay.py", "\n\ndef", f"{IMPORT}\n\ndef")
    (link,) = _line(machine, shop, "src/pay.py:2")["origin"]
    assert (link["session"], link["confidence"]) == (first.session, "certain")


@pytest.mark.parametrize(
    ("module", "seed", "test"),
    [
        (
            "features.thread.blaming",
            "_is_in_block = lambda at, lines, sha: True",
            test_a_line_that_a_person_typed_again_is_nobodys,
        ),
        (
            "features.thread.blaming",
            "mark_of = lambda text: ''",
            test_what_was_moved_keeps_its_origin,
        ),
        (
            "features.sessions.importing",
            "_changed_at = lambda file: file.path",
            test_what_a_fork_repeats_is_of_the_session_that_it_began_as,
        ),
        (
            "features.thread.linking",
            "Linker._same = lambda self, commit: self.thread.store.sessions_with_change(commit.change)",
            test_who_reverts_and_brings_back_a_commit_did_not_make_it,
        ),
        (
            "features.thread.linking",
            "written_again = lambda *_: []",
            test_a_line_taken_out_and_typed_again_before_a_commit_is_of_who_typed_it_last,
        ),
    ],
)
def test_a_broken_promise_is_noticed(
    machine: Machine, module: str, seed: str, test: Callable[[Machine], None]
) -> None:
    plant(machine, f"satchel.{module}", seed)
    with pytest.raises(AssertionError):
        test(machine)
