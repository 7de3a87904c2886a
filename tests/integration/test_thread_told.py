"""What `satchel why` and `satchel thread` say where they cannot show all, or know all."""

from __future__ import annotations

import pytest

from integration.installed import Machine, needs_command
from integration.thread_made import AgentAtWork, Repository, new_repository

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


def test_where_a_shallow_clone_ends_is_no_origin(machine: Machine) -> None:
    shop = new_repository(machine)
    work = AgentAtWork(shop, machine.home)
    work.prompt("Write the first rate of the new tax")
    work.write("first.py", _function("first"))
    work.commit("The first rate")
    shop.by_hand("by_hand.py", _function("second"))
    shop.git("add", "--all")
    shop.git("commit", "-q", "-m", "The second rate")
    assert "cut off" not in machine.ok("why", "first.py:1", at=shop.root)
    clone = machine.directory / "clone"
    shop.git("clone", "-q", "--depth", "1", f"file://{shop.root}", str(clone))
    told = machine.ok("why", "first.py:1", at=clone)
    assert "the history is cut off here; `git fetch --unshallow`" in told
    assert "its tools wrote" not in told.partition("commit ")[2]


def test_a_line_of_a_submodule_is_asked_for_there(machine: Machine) -> None:
    shop = new_repository(machine)
    library = machine.directory / "library"
    shop.git("init", "-q", str(library))
    (library / "tax.py").write_text(_function("first"), "utf-8")
    shop.git("-C", str(library), "add", "--all")
    shop.git("-C", str(library), "commit", "-q", "-m", "The first rate")
    allowed = ("-c", "protocol.file.allow=always")
    shop.git(*allowed, "submodule", "--quiet", "add", str(library), "lib/sub")
    told = machine.fails(2, "why", "lib/sub/tax.py:1", at=shop.root)
    assert "lib/sub is a repository of its own" in told
    assert "cd lib/sub && satchel why tax.py:1" in told


def test_below_the_top_a_file_that_was_never_committed_is_known_by_its_whole_path(
    machine: Machine,
) -> None:
    new_repository(machine)
    app = Repository(machine.directory / "shop" / "app")
    app.by_hand(".satchel/project.toml", '[project]\nid = "01TESTTESTTESTTESTTESTTEST"\n')
    work = AgentAtWork(app, machine.home)
    work.prompt("Write the first rate of the new tax")
    work.write("lib/first.py", _function("first"))
    told = machine.json("why", "lib/first.py:1-3", at=app.root)
    assert {one["path"] for one in told["lines"]} == {"app/lib/first.py"}
    assert {one["origin"][0]["confidence"] for one in told["lines"]} == {"certain"}


def test_white_space_in_a_string_was_changed_by_whoever_changed_it(machine: Machine) -> None:
    shop = new_repository(machine)
    work = AgentAtWork(shop, machine.home)
    work.prompt("Write a function that joins parts")
    work.write("join.py", "def joined(parts):\n    checked(parts)\n    return ' '.join(parts)\n")
    work.commit("Join parts")
    (before,) = machine.json("why", "join.py:3", at=shop.root)["lines"]
    assert before["origin"][0]["confidence"] == "certain"
    text = (shop.root / "join.py").read_text("utf-8")
    shop.by_hand("join.py", text.replace("' '", "''"))
    (changed,) = machine.json("why", "join.py:3", at=shop.root)["lines"]
    assert changed["sha"] == ""
    assert changed["origin"][0]["confidence"] == "likely"
    shop.git("commit", "-q", "--all", "-m", "No space between")
    told = machine.json("why", "join.py:1-3", at=shop.root)
    fixed = shop.git("rev-parse", "HEAD").strip()
    assert [one["sha"] == fixed for one in told["lines"]] == [False, False, True]
    assert told["lines"][2]["origin"][0]["confidence"] == "likely"
    # What a formatter does says nothing.
    shop.by_hand("join.py", text.replace("' '", "''").replace("joined(parts)", "joined( parts )"))
    shop.git("commit", "-q", "--all", "-m", "Format")
    (formatted,) = machine.json("why", "join.py:1", at=shop.root)["lines"]
    assert formatted["sha"] == before["sha"]


def test_the_last_session_is_named_so(machine: Machine) -> None:
    shop = new_repository(machine)
    work = AgentAtWork(shop, machine.home)
    work.prompt("Write the first rate of the new tax")
    work.write("first.py", _function("first"))
    named, last = (machine.json("thread", one, at=shop.root) for one in (work.session, "last"))
    assert last["sessions"] == named["sessions"]


def test_a_message_is_read_whatever_encoding_git_prints_in(machine: Machine) -> None:
    shop = new_repository(machine)
    shop.by_hand("a.py", "x = 1\n")
    shop.git("add", "--all")
    shop.git("commit", "-m", "Gr\u00f6\u00dfe")
    shop.git("config", "i18n.logOutputEncoding", "ISO-8859-1")
    assert machine.json("why", "HEAD", at=shop.root)["commits"][0]["subject"] == "Gr\u00f6\u00dfe"


def test_lines_of_one_prompt_are_one_group_however_sure_each_is(machine: Machine) -> None:
    """A brace says too little to be certain, and a blank line says nothing."""
    shop = new_repository(machine)
    code = "function taxOf(total) {\n  if (total) {\n    return total * RATE;\n  }\n}\n"
    for name in ("tax", "toll"):
        work = AgentAtWork(shop, machine.home)
        work.prompt(f"charge the {name}")
        work.write(f"{name}.js", f"{code}\n{code.replace('tax', 'feeOf')}")
        work.commit(f"Charge the {name}")
        shop.passes(3600)
    told = machine.ok("why", "tax.js:1-11", at=shop.root)
    lines = told.splitlines()
    assert lines[0] == "tax.js:1-11  function taxOf(total) {"
    assert lines[1] == "  asked     charge the tax"
    assert ": certain (2 of 10) or likely, its tools wrote this line of tax" in lines[2]
    assert told.count("charge the tax") == 1


def test_a_session_is_told_with_its_commit_though_a_copy_of_its_file_was_made(
    machine: Machine,
) -> None:
    shop = new_repository(machine)
    work = AgentAtWork(shop, machine.home)
    work.prompt("charge the tax")
    work.write("pay.py", "RATE_OF_THE_YEAR = 19\nTAX_OF_THE_HOUSE = 7\nTOLL_OF_IT = 3\n")
    sha = work.commit("Charge the tax")
    shop.passes(3600)
    shop.by_hand("copy.py", (shop.root / "pay.py").read_text("utf-8"))
    shop.git("add", "--all")
    shop.git("commit", "-q", "-m", "Copy it")
    for command in ("why", "thread"):
        told = machine.json(command, work.session, at=shop.root)
        assert sha in [one["sha"] for one in told["commits"]]


def test_a_session_is_told_with_its_commit_though_a_later_one_has_a_wrong_time(
    machine: Machine,
) -> None:
    shop = new_repository(machine)
    work = AgentAtWork(shop, machine.home)
    work.prompt("charge the tax")
    work.write("pay.py", "RATE_OF_THE_YEAR = 19\n")
    sha = work.commit("Charge the tax")
    shop.now = 100.0
    shop.git("commit", "-q", "--allow-empty", "-m", "From 1970")
    told = machine.json("why", work.session, at=shop.root)
    assert [one["sha"] for one in told["commits"]] == [sha]


def test_what_was_asked_comes_first_with_what_somebody_only_agreed_to(machine: Machine) -> None:
    shop = new_repository(machine)
    work = AgentAtWork(shop, machine.home)
    work.prompt(
        "How should taxes be rounded? The office wants them half up, in cents, on each line"
    )
    work.says("I would use Decimal.quantize.")
    work.prompt("yes")
    work.says("And the toll as well?")
    work.prompt("ok, do it")
    work.write("pay.py", "RATE_OF_THE_YEAR = 19\nTAX_OF_THE_HOUSE = 7\nTOLL_OF_IT = 3\n")
    sha = work.commit("Charge the tax")
    lines = machine.ok("why", "pay.py:2", at=shop.root).splitlines()
    assert lines[:4] == [
        "pay.py:2  TAX_OF_THE_HOUSE = 7",
        "  asked     How should taxes be rounded? The office wants them half up, in cents, on each line / yes / ok, do it",
        f"  written   claude {work.session[:8]} at 2026-03-16 10:03 UTC: certain, its tools wrote this line of pay.py",
        f"  commit    {sha[:10]} · unapproved: Charge the tax (Ann, 2026-03-16)",
    ]
    assert lines[4:] == []
    # Both are whole seconds for git: what was asked comes before what came of it.
    thread = machine.ok("thread", "HEAD", at=shop.root).splitlines()
    assert [line.split()[3] for line in thread] == ["asked", "asked", "asked", "commit"]


def test_a_guess_says_so_before_what_was_asked(machine: Machine) -> None:
    shop = new_repository(machine)
    for day in ("today", "tomorrow"):
        work = AgentAtWork(shop, machine.home)
        work.prompt(f"charge the tax of {day}")
        work.write(f"{day}.py", "RATE_OF_THE_YEAR = 19\nTAX_OF_THE_HOUSE = 7\n")
        work.commit(f"Tax of {day}")
        shop.passes(3600)
    lines = machine.ok("why", "tomorrow.py:1", at=shop.root).splitlines()
    assert lines[1] == "  asked     likely: charge the tax of tomorrow"


def test_of_a_line_that_a_person_typed_the_message_says_why(machine: Machine) -> None:
    shop = new_repository(machine)
    shop.by_hand("pay.py", "RATE_OF_THE_YEAR = 19\n")
    body = "The office wants it from the first of May on.\n\nSigned-off-by: Ann <ann@example.org>"
    shop.git("add", "--all")
    shop.git("commit", "-q", "-m", "Raise the rate", "-m", body)
    sha = shop.git("rev-parse", "HEAD").strip()
    assert machine.ok("why", "pay.py:1", at=shop.root).splitlines() == [
        "pay.py:1  RATE_OF_THE_YEAR = 19",
        f"  commit    {sha[:10]} · unapproved: Raise the rate (Ann, 2026-03-16)",
        "            unapproved: The office wants it from the first of May on.",
        "            no session is known to have written it",
    ]
    shop.git("revert", "--no-edit", "HEAD")
    assert "This reverts" not in machine.ok("why", "HEAD", at=shop.root)
    (commit,) = machine.json("why", "HEAD~1", at=shop.root)["commits"]
    assert commit["body"] == "The office wants it from the first of May on."


def test_what_a_session_learned_of_the_file_is_told_once(machine: Machine) -> None:
    shop = new_repository(machine)
    work = AgentAtWork(shop, machine.home)
    work.prompt("charge the tax")
    work.write("pay.py", "RATE_OF_THE_YEAR = 19\nTAX_OF_THE_HOUSE = 7\n")
    work.commit("Charge the tax")
    said = "In pay.py limits are per day and per customer, never per order, as the office said"
    for session in (work.session, "5d3a1c9e-0000-4000-8000-00000000c0de"):
        machine.run(
            "remember", f"{session[:8]}: {said}", "--at", "pay.py", at=shop.root,
            environment={"SATCHEL_SESSION": session, "CLAUDECODE": "1"},
        )  # fmt: skip
    told = machine.ok("why", "pay.py:1", at=shop.root)
    assert told.count(f"learned: {work.session[:8]}: In pay.py") == 1
    (since,) = [line for line in told.splitlines() if line.startswith("  since")]
    assert "5d3a1c9e: In pay.py limits are per day" in since
    assert since.endswith("… (certain, it is anchored at pay.py)")
