"""`satchel why` names no session that cannot have written a line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from integration.installed import Machine, needs_command
from integration.thread_made import AgentAtWork, Repository, new_repository

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

SUBJECT = "Count shipping by weight"
CODE = "def shipping_of(weight):\n    return weight * Decimal('1.20') + BASE_RATE\n"


def _talks(shop: Repository, machine: Machine) -> AgentAtWork:
    work = AgentAtWork(shop, machine.home)
    work.prompt("count shipping by weight, please")
    work.says("It is counted by weight now.")
    return work


def _with_base(machine: Machine) -> Repository:
    shop = new_repository(machine)
    shop.by_hand("src/base.py", "BASE_RATE = 4\n")
    shop.git("add", "--all")
    shop.git("commit", "-q", "-m", "Base rate")
    return shop


def _by_hand(shop: Repository, email: str = "ann@example.org") -> str:
    shop.passes(60)
    shop.by_hand("src/ship.py", CODE)
    shop.git("add", "--all")
    shop.git("commit", "-q", "-m", SUBJECT, "--author", f"Somebody <{email}>")
    return shop.git("rev-parse", "HEAD").strip()


def _guesses(machine: Machine, shop: Repository, asked: str) -> list[str]:
    told = machine.json("why", asked, at=shop.root)
    links = [one["session"] for commit in told["commits"] for one in commit["links"]]
    return links + [one["session"] for one in told["sessions"]]


def test_a_session_that_began_before_is_guessed(machine: Machine) -> None:
    """What the tests below compare with."""
    shop = new_repository(machine)
    work = _talks(shop, machine)
    assert work.session in _guesses(machine, shop, _by_hand(shop))


def test_a_guess_tells_how_many_of_the_words_a_session_says(machine: Machine) -> None:
    shop = new_repository(machine)
    _talks(shop, machine)
    found = []
    for subject in (SUBJECT, "Count parcels", "Tidy everything"):
        shop.passes(60)
        shop.git("commit", "-q", "--allow-empty", "-m", subject)
        (link,) = machine.json("why", "HEAD", at=shop.root)["commits"][0]["links"]
        found.append([one["detail"] for one in link["evidence"] if one["kind"] == "words"])
    assert found == [["100%"], ["50%"], []]
    assert "it says 50% of the message's words" in machine.ok("why", "HEAD~1", at=shop.root)


def test_a_session_that_began_afterwards_is_never_guessed(machine: Machine) -> None:
    shop = new_repository(machine)
    sha = _by_hand(shop)
    shop.passes(20)
    _talks(shop, machine)
    assert _guesses(machine, shop, sha) == []


def _picked(work: AgentAtWork, sha: str) -> None:
    work.runs_git("checkout", "-q", "-b", "release", f"{sha}~1")
    work.runs_git("cherry-pick", sha)


def _written_again(work: AgentAtWork, _sha: str) -> None:
    work.write("src/ship.py", CODE)


@pytest.mark.parametrize("does", [_picked, _written_again])
def test_a_session_that_makes_the_same_change_later_did_not_make_the_first(
    machine: Machine, does: Callable[[AgentAtWork, str], None]
) -> None:
    shop = _with_base(machine)
    sha = _by_hand(shop)
    shop.passes(600)
    does(_talks(shop, machine), sha)
    assert _guesses(machine, shop, sha) == []


def test_who_makes_the_same_change_in_another_file_is_nobodys_session(machine: Machine) -> None:
    shop = new_repository(machine)
    work = _talks(shop, machine)
    code = f"{CODE}BASE_RATE = ZONES[0].rate\nLEAST_WEIGHT = ZONES[0].weight\n"
    work.write("src/ship.py", code)
    work.commit("Ship")
    shop.passes(3 * 86_400)
    shop.by_hand("src/send.py", code)
    shop.git("add", "--all")
    shop.git("commit", "-m", "Send")
    assert machine.json("why", "HEAD", at=shop.root)["commits"][0]["links"] == []


def _amended(work: AgentAtWork, _sha: str) -> None:
    work.commit("Count shipping by weight, as agreed", "--amend")


@pytest.mark.parametrize("does", [_picked, _amended])
def test_who_picks_or_amends_a_commit_wrote_none_of_its_lines(
    machine: Machine, does: Callable[[AgentAtWork, str], None]
) -> None:
    shop = _with_base(machine)
    sha = _by_hand(shop)
    shop.passes(600)
    author = shop.git("show", "-s", "--format=%ad", "--date=raw", sha).strip()
    does(_talks(shop, machine), sha)
    assert shop.git("show", "-s", "--format=%ad", "--date=raw", "HEAD").strip() == author
    told = machine.json("why", "src/ship.py:2", at=shop.root)
    assert told["commits"][0]["sha"] != sha
    assert told["lines"][0]["origin"] == []
    assert told["sessions"] == []
    assert [one["confidence"] for one in told["commits"][0]["links"]] == ["likely"]


def test_an_older_commit_that_a_command_prints_was_not_made_by_it(machine: Machine) -> None:
    shop = new_repository(machine)
    sha = _by_hand(shop)
    shop.passes(3 * 86_400)
    work = _talks(shop, machine)
    work.shell(f"git merge HEAD; echo '[main {sha[:9]}] {SUBJECT}'")
    assert _guesses(machine, shop, sha) == []


def test_a_commit_of_somebody_else_is_not_guessed_to_be_of_this_persons_session(
    machine: Machine,
) -> None:
    shop = new_repository(machine)
    shop.git("config", "user.email", "ann@example.org")
    work = _talks(shop, machine)
    assert _guesses(machine, shop, _by_hand(shop, "bob@example.org")) == []
    shop.by_hand("src/more.py", CODE.replace("shipping", "handling"))
    shop.git("add", "--all")
    shop.git("commit", "-q", "-m", SUBJECT)
    assert work.session in _guesses(machine, shop, shop.git("rev-parse", "HEAD").strip())


def test_files_and_time_alone_do_not_make_a_commit_of_somebody_else_ours(machine: Machine) -> None:
    shop = new_repository(machine)
    shop.git("config", "user.email", "ann@example.org")
    work = _talks(shop, machine)
    work.write("src/ship.py", "# to be written, as soon as the rates of the carrier are known\n")
    assert _guesses(machine, shop, _by_hand(shop, "bob@example.org")) == []


def test_who_committed_the_rules_is_not_told_as_who_wrote_a_line(machine: Machine) -> None:
    shop = new_repository(machine)
    shop.by_hand("CLAUDE.md", "# Shop\n\n- Money is counted in cents, never in floats\n")
    work = AgentAtWork(shop, machine.home)
    work.prompt("the header of the shop is too tall, make it smaller")
    work.commit("Smaller header")
    rule = "- Ask Ann before a migration of the orders table"
    work.edit("CLAUDE.md", "never in floats\n", f"never in floats\n{rule}\n")
    work.commit("Rules")
    told = machine.ok("why", "CLAUDE.md:3", at=shop.root)
    assert "no session is known to have written it" in told
    assert "too tall" not in told
    assert "too tall" in machine.ok("why", "CLAUDE.md:4", at=shop.root)
