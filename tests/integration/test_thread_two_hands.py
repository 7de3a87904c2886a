"""A line that a person may have typed is nobody's for certain, whatever an agent did with it since."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from integration.installed import Machine, needs_command
from integration.seeded_bugs import plant
from integration.thread_made import AgentAtWork, Repository, new_repository

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

FIRST = "def shipping_of(weight):\n    rate = rate_of(weight, ZONES)\n"
LAST = "    return weight * rate + BASE_RATE\n"
SHIPPING = FIRST + LAST
HANDLING = SHIPPING.replace("shipping_of", "handling_of")
BOTH = f"{SHIPPING}\n\n{HANDLING}"
TOP = "import zones\n\n\n"
CHECK = "        self.assertEqual(response.status_code, 200)\n"
LOGS = "    logger.info('the state has changed, see the journal')\n"
STARTS = "def start():\n{}\n\ndef stop():\n{}"


def _agent(shop: Repository, machine: Machine) -> AgentAtWork:
    work = AgentAtWork(shop, machine.home)
    work.prompt("the same for handling, please")
    return work


def _commits(shop: Repository, subject: str, *words: str) -> str:
    shop.git("add", "--all")
    shop.git("commit", "-q", "-m", subject, *words)
    return shop.git("rev-parse", "HEAD").strip()


def _typed(shop: Repository, content: str, subject: str = "", path: str = "a.py") -> str:
    shop.passes(7200)
    shop.by_hand(path, content)
    return _commits(shop, subject) if subject else ""


def _copies(shop: Repository, machine: Machine) -> AgentAtWork:
    work = _agent(shop, machine)
    work.edit("a.py", LAST, f"{LAST}\n\n{HANDLING}")
    return work


def _moves(shop: Repository, machine: Machine) -> AgentAtWork:
    work = _agent(shop, machine)
    work.edit("a.py", SHIPPING, "")
    work.edit("a.py", TOP, f"{TOP}{SHIPPING}\n\n")
    return work


def _rebases(shop: Repository, base: str) -> None:
    shop.passes(3600)
    shop.git("checkout", "-q", "-b", "other", base)
    _typed(shop, "x = 1\n", "Another", "x.py")
    shop.git("checkout", "-q", "main")
    shop.git("rebase", "-q", "other")


def an_agent_copies_what_is_not_committed(shop: Repository, machine: Machine) -> str:
    _typed(shop, SHIPPING)
    _copies(shop, machine)
    _commits(shop, "Both")
    return "a.py:2-3"


def nothing_of_both_is_committed(shop: Repository, machine: Machine) -> str:
    _typed(shop, SHIPPING)
    _copies(shop, machine)
    return "a.py:2-3"


def a_person_copies_what_an_agent_wrote(shop: Repository, machine: Machine) -> str:
    _agent(shop, machine).write("a.py", SHIPPING)
    _typed(shop, BOTH, "Both")
    return "a.py:7-8"


def a_person_copies_two_lines_of_an_earlier_commit(shop: Repository, machine: Machine) -> str:
    work = _agent(shop, machine)
    work.write("a.py", SHIPPING)
    work.commit("Shipping")
    _typed(shop, BOTH, "Handling")
    return "a.py:7-8"


def an_agent_moves_what_is_not_committed(shop: Repository, machine: Machine) -> str:
    _typed(shop, f"{TOP}RATE_OF_YEAR = 19\n\n\n{SHIPPING}")
    _moves(shop, machine)
    _commits(shop, "Shipping")
    return "a.py:4-6"


def an_agent_copies_first_and_takes_out_then(shop: Repository, machine: Machine) -> str:
    _typed(shop, f"RATE_OF_YEAR = 19\n{SHIPPING}")
    work = _agent(shop, machine)
    work.write("b.py", SHIPPING)
    work.edit("a.py", SHIPPING, "")
    _commits(shop, "Shipping")
    return "b.py:1-3"


def an_agent_writes_one_line_again(shop: Repository, machine: Machine) -> str:
    _typed(shop, STARTS.format("    pass\n", "    pass\n"), "Begin")
    _typed(shop, STARTS.format(LOGS, "    pass\n"))
    work = _agent(shop, machine)
    work.edit("a.py", "def stop():\n    pass\n", f"def stop():\n{LOGS}")
    work.commit("Log")
    return "a.py:2"


def a_copied_commit_is_rebased(shop: Repository, machine: Machine) -> str:
    _typed(shop, SHIPPING, "Shipping")
    shop.passes(7200)
    _copies(shop, machine).commit("Handling")
    _rebases(shop, "HEAD~2")
    return "a.py:2-3"


def a_moved_function_is_rebased(shop: Repository, machine: Machine) -> str:
    _typed(shop, f"{TOP}RATE_OF_YEAR = 19\n\n\n{SHIPPING}", "Shipping")
    shop.passes(7200)
    _moves(shop, machine).commit("Move")
    _rebases(shop, "HEAD~2")
    return "a.py:4-6"


def a_file_written_again_is_rebased(shop: Repository, machine: Machine) -> str:
    _typed(shop, SHIPPING, "Shipping")
    shop.passes(7200)
    work = _agent(shop, machine)
    work.shell("rm a.py")
    work.write("a.py", f"{SHIPPING}LAST_OF_ALL = 1\n")
    work.commit("Write it cleanly")
    _rebases(shop, "HEAD~2")
    return "a.py:1-3"


def an_agent_copies_and_amends(shop: Repository, machine: Machine) -> str:
    _typed(shop, SHIPPING, "Shipping")
    shop.passes(7200)
    _copies(shop, machine).commit("Both", "--amend")
    return "a.py:2-3"


def two_hands_are_squashed(shop: Repository, machine: Machine) -> str:
    shop.git("checkout", "-q", "-b", "fees")
    _typed(shop, SHIPPING, "Shipping")
    shop.passes(7200)
    _copies(shop, machine).commit("Handling")
    shop.git("checkout", "-q", "main")
    _typed(shop, "z = 1\n", "Another", "z.py")
    shop.git("merge", "-q", "--squash", "fees")
    _commits(shop, "Fees (#4)")
    return "a.py:2-3"


def a_scratch_directory_is_gone(shop: Repository, machine: Machine) -> str:
    _typed(shop, SHIPPING)
    aside = Repository(machine.directory / "scratch")
    aside.now = shop.now
    work = _agent(aside, machine)
    work.path = work.path.rename(_agent(shop, machine).path)
    text = work.path.read_text("utf-8")
    work.write("a.py", SHIPPING)
    written = work.path.read_text("utf-8")[len(text) :]
    here = f'"cwd": "{shop.root.resolve()}"'
    inside = written.replace(f'"cwd": "{aside.root.resolve()}"', here)
    work.path.write_text(text.replace(str(aside.root.resolve()), str(shop.root)) + inside, "utf-8")
    shutil.rmtree(aside.root)
    shop.passes(60)
    _commits(shop, "Shipping")
    return "a.py:1-3"


def a_person_types_it_again_in_a_wide_commit(shop: Repository, machine: Machine) -> str:
    work = _agent(shop, machine)
    work.write("a.py", f"class HomeTest(Base):\n{CHECK}")
    work.commit("Test home")
    for number in range(310):
        (shop.root / f"made{number}.txt").write_text(f"{number}\n", "utf-8")
    _typed(shop, f"class HomeTest(Base):\n{CHECK}\nclass LoginTest(Base):\n{CHECK}", "All")
    return "a.py:5"


def a_person_types_it_again_in_a_merge(shop: Repository, machine: Machine) -> str:
    home = f"class HomeTest(Base):\n{CHECK}\n\n"
    work = _agent(shop, machine)
    work.write("a.py", f"{home}END = 1\n")
    work.commit("Test home")
    shop.git("checkout", "-q", "-b", "other")
    _typed(shop, f"{home}END = 2\n", "Two")
    shop.git("checkout", "-q", "main")
    _typed(shop, f"{home}END = 3\n", "Three")
    with pytest.raises(AssertionError, match="CONFLICT"):
        shop.git("merge", "other")
    _typed(shop, f"{home}class LoginTest(Base):\n{CHECK}END = 5\n", "Merge")
    return "a.py:6"


def an_ignored_commit_changed_the_line(shop: Repository, machine: Machine) -> str:
    work = _agent(shop, machine)
    work.write("a.py", SHIPPING)
    work.commit("Shipping")
    sha = _typed(shop, SHIPPING.replace("BASE_RATE", "LEAST_RATE"), "Rename")
    _typed(shop, f"{sha}\n", "Ignore it", ".git-blame-ignore-revs")
    return "a.py:3"


def a_session_begins_after_the_commit(shop: Repository, machine: Machine) -> str:
    _typed(shop, SHIPPING, "Shipping")
    _copies(shop, machine).commit("Handling")  # a minute later
    return "a.py:2-3"


def a_call_waits_until_it_is_allowed(shop: Repository, machine: Machine) -> str:
    work = _agent(shop, machine)
    shop.by_hand("a.py", SHIPPING)
    new = f"{LAST}\n\n{HANDLING}"
    ident = work._calls(
        "Edit", {"file_path": f"{shop.root}/a.py", "old_string": LAST, "new_string": new}
    )
    _typed(shop, SHIPPING, "Shipping")
    shop.passes(60)
    shop.put("a.py", SHIPPING.replace(LAST, new), work.origin)
    work._returns(ident, "The file has been updated.")
    work.commit("Handling")
    return "a.py:2-3"


def an_agent_removes_a_file_and_writes_it_again(shop: Repository, machine: Machine) -> str:
    _typed(shop, SHIPPING)
    work = _agent(shop, machine)
    work.shell("rm a.py")
    work.write("a.py", f"{SHIPPING}LAST_OF_ALL = 1\n")
    work.commit("Shipping")
    return "a.py:1-3"


def an_agent_moves_a_file_aside_and_writes_it_again(shop: Repository, machine: Machine) -> str:
    _typed(shop, SHIPPING)
    work = _agent(shop, machine)
    work.shell("mkdir lib && mv a.py lib/old.py && echo done")
    work.write("lib/a.py", SHIPPING)
    work.shell("rm lib/old.py")
    work.commit("Shipping")
    return "lib/a.py:1-3"


def an_agent_takes_a_line_out_and_puts_it_back(shop: Repository, machine: Machine) -> str:
    _typed(shop, SHIPPING)
    work = _agent(shop, machine)
    work.shell("sed -i '/rate_of/d' a.py")
    work.edit("a.py", LAST, f"    rate = rate_of(weight, ZONES)\n{LAST}")
    work.commit("Shipping")
    return "a.py:2"


TYPED = [
    an_agent_removes_a_file_and_writes_it_again,
    an_agent_moves_a_file_aside_and_writes_it_again,
    an_agent_takes_a_line_out_and_puts_it_back,
    an_agent_copies_what_is_not_committed,
    nothing_of_both_is_committed,
    a_person_copies_what_an_agent_wrote,
    a_person_copies_two_lines_of_an_earlier_commit,
    an_agent_moves_what_is_not_committed,
    an_agent_copies_first_and_takes_out_then,
    an_agent_writes_one_line_again,
    a_copied_commit_is_rebased,
    a_moved_function_is_rebased,
    a_file_written_again_is_rebased,
    an_agent_copies_and_amends,
    two_hands_are_squashed,
    a_scratch_directory_is_gone,
    a_person_types_it_again_in_a_wide_commit,
    a_person_types_it_again_in_a_merge,
    an_ignored_commit_changed_the_line,
    a_session_begins_after_the_commit,
    a_call_waits_until_it_is_allowed,
]


@pytest.mark.parametrize("story", TYPED, ids=lambda one: one.__name__)
def test_what_a_person_may_have_typed_is_not_certain(
    machine: Machine, story: Callable[[Repository, Machine], str]
) -> None:
    shop = new_repository(machine)
    lines = machine.json("why", story(shop, machine), at=shop.root)["lines"]
    assert "certain" not in {one["confidence"] for line in lines for one in line["origin"]}


def test_what_an_agent_wrote_twice_or_moved_itself_stays_certain(machine: Machine) -> None:
    shop = new_repository(machine)
    work = _agent(shop, machine)
    work.write("a.py", f"{TOP}RATE_OF_YEAR = 19\n\n\n{BOTH}")
    work.edit("a.py", HANDLING, "")
    work.edit("a.py", TOP, f"{TOP}{HANDLING}\n\n")
    _commits(shop, "Both")
    lines = machine.json("why", "a.py:4-6", at=shop.root)["lines"]
    assert {line["origin"][0]["confidence"] for line in lines} == {"certain"}


def test_what_an_agent_wrote_in_a_conflict_is_known_whoever_commits_the_merge(
    machine: Machine,
) -> None:
    shop = new_repository(machine)
    _typed(shop, f"RATE = 1\n\n\n{SHIPPING}", "Begin")
    shop.git("checkout", "-q", "-b", "other")
    _typed(shop, f"RATE = 2\n\n\n{SHIPPING}OTHER = 1\n", "Two")
    shop.git("checkout", "-q", "main")
    _typed(shop, f"RATE = 3\n\n\n{SHIPPING}", "Three")
    with pytest.raises(AssertionError, match="CONFLICT"):
        shop.git("merge", "other")
    work = _agent(shop, machine)
    text = (shop.root / "a.py").read_text("utf-8")
    conflict = text[: text.index("\n\n\n")]
    both = "RATE_OF_BOTH = 2 + 3\nNAME_OF_BOTH = 'sum of the rates'"
    work.edit("a.py", conflict, both)
    shop.passes(60)
    _commits(shop, "Merge other")
    lines = machine.json("why", "a.py:1-5", at=shop.root)["lines"]
    assert [[one["confidence"] for one in line["origin"]] for line in lines] == [
        ["certain"], ["certain"], [], [], [],
    ]  # fmt: skip
    (commit,) = machine.json("why", "HEAD", at=shop.root)["commits"]
    assert work.session in [one["session"] for one in commit["links"]]


def test_lines_of_many_sessions_are_told_on_one_screen(machine: Machine) -> None:
    shop = new_repository(machine)
    text = ""
    for number in range(12):
        shop.passes(3600)
        work = _agent(shop, machine)
        text += HANDLING.replace("rate", f"rate_{number}").replace("handling", f"fee_{number}")
        work.write("a.py", text)
        work.commit(f"Fee {number}")
    told = machine.ok("why", f"a.py:1-{12 * 3}", at=shop.root)
    assert "and 6 more groups of lines" in told
    assert "Fee 5 (" in told
    assert "Fee 11" not in told
    assert told.count("\n") < 40


def test_a_picked_commit_of_a_person_is_not_certainly_the_sessions(machine: Machine) -> None:
    shop = new_repository(machine)
    _typed(shop, "BASE_RATE = 4\n", "Begin", "b.py")
    work = _agent(shop, machine)
    shop.by_hand("a.py", SHIPPING)
    sha = _commits(shop, "Shipping")
    work.prompt("pick my last commit to release")
    work.runs_git("checkout", "-q", "-b", "release", "HEAD~1")
    work.runs_git("cherry-pick", sha)
    shop.git("checkout", "-q", "main")
    _rebases(shop, "HEAD~1")
    (commit,) = machine.json("why", "HEAD", at=shop.root)["commits"]
    assert commit["subject"] == "Shipping"
    assert [one["confidence"] for one in commit["links"]] == ["likely"]


@pytest.mark.parametrize(
    ("module", "seed", "story"),
    [
        ("linking", "times_written = lambda *_: 99", an_agent_copies_what_is_not_committed),
        ("linking", "times_written = lambda *_: 99", an_agent_moves_what_is_not_committed),
        (
            "linking",
            (
                "from satchel.features.thread import lines as l\nl.SECOND = SECOND = SLACK; "
                "Linker.is_of_one_prompt = lambda *_: True"
            ),
            a_session_begins_after_the_commit,
        ),
    ],
)
def test_a_broken_promise_is_noticed(
    machine: Machine, module: str, seed: str, story: Callable[[Repository, Machine], str]
) -> None:
    plant(machine, f"satchel.features.thread.{module}", seed)
    with pytest.raises(AssertionError, match="certain"):
        test_what_a_person_may_have_typed_is_not_certain(machine, story)
