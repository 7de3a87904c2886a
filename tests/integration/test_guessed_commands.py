"""What people type who have not read the help: it works, or says what to type."""

from __future__ import annotations

from pathlib import Path

import pytest

from integration.installed import Machine, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


@pytest.mark.parametrize("listed", [("list", "--kind", "rule"), ("list", "rules")])
def test_a_list_of_nothing_says_what_else_there_is_and_where_rules_are(
    machine: Machine, app: Path, listed: tuple[str, ...]
) -> None:
    machine.ok("learn", "Items table has a composite key", at=app)
    said = machine.ok(*listed, at=app)
    assert "Nothing is remembered" not in said
    assert "`satchel list` shows 1 other." in said
    assert "`satchel rules`" in said
    assert "`satchel instructions`" in said
    assert "composite" in machine.ok("list", "lessons", at=app)
    other = machine.ok("list", "checkpoints", at=app)
    assert other == "No memory is of the kind checkpoint.\n`satchel list` shows 1 other.\n"
    assert machine.ok("list", "--tag", "x", at=app).startswith("No memory matches.")
    assert "there is no kind 'foo'" in machine.fails(2, "list", "foo", at=app)


@pytest.mark.parametrize("word", ["remove", "delete", "rm"])
def test_a_soft_rule_is_removed_by_its_id_or_the_beginning_of_its_words(
    machine: Machine, app: Path, word: str
) -> None:
    kept = machine.json("rules", "add", "Quote paths in scripts", at=app)["changes"][0]["id"]
    machine.ok("rules", "add", "Prefer small commits", at=app)
    assert "Pass --yes" in machine.run("rules", word, "prefer", "small", at=app).err
    assert "Prefer small commits" in machine.ok("rules", word, "prefer", "small", "--yes", at=app)
    assert "Removed." in machine.ok("rules", word, kept, "--yes", at=app)
    assert machine.json("rules", at=app)["instincts"] == []
    assert "There is no soft rule" in machine.fails(4, "rules", word, kept, "--yes", at=app)
    assert "reworded in its file" in machine.fails(2, "rules", "edit", kept, at=app)


def test_a_session_is_shown_by_the_id_that_is_listed_and_by_last(
    machine: Machine, app: Path
) -> None:
    assert "no session yet" in machine.fails(4, "sessions", "last", at=app)
    machine.ok("sessions", "new", "Mend the cellar", at=app)
    made = machine.json("sessions", "new", "Fix the login", at=app)["id"]
    for words in ((made[:14],), ("last",), ("show", "latest")):
        assert f"id          {made}" in machine.ok("sessions", *words, at=app)
    for given in (made, "last"):
        said = machine.fails(4, "show", given, at=app)
        assert "is a session, not a memory" in said
        shown = machine.ok(*said.split("`satchel ")[1].partition("`")[0].split(), at=app)
        assert "Fix the login" in shown


@pytest.mark.parametrize("words", [("forget",), ("show",), ("hide",), ("history",), ("share",)])
def test_words_in_place_of_an_id_name_the_memories_that_say_them(
    machine: Machine, app: Path, words: tuple[str, ...]
) -> None:
    kept = machine.json("learn", "Items table has a composite key", at=app)["id"]
    machine.ok("learn", "Ann waters the plants", at=app)
    said = machine.fails(4, *words, "items table", at=app)
    assert "Did you mean" in said
    assert f"{kept[:14]}  Items table has a composite key" in said
    assert "plants" not in said
    assert "Did you mean" not in machine.fails(4, *words, "zanzibar", at=app)


def test_last_names_a_session_and_a_text_may_be_an_option(machine: Machine, app: Path) -> None:
    made = machine.json("sessions", "new", "Fix the login", at=app)["id"]
    machine.ok("sessions", "tag", "last", "urgent", at=app)
    assert machine.json("sessions", "show", made, at=app)["tags"] == ["urgent"]
    assert "is one of Satchel's own" in machine.fails(4, "sessions", "transcript", made, at=app)
    assert "no session 'last'" in machine.fails(4, "sessions", "transcript", "last", at=app)
    assert "waits for review" in machine.ok("review", "--list", at=app)
    for option in ("--content", "--text"):
        kept = machine.json("learn", f"The key is the order's, {option}", at=app)["id"]
        machine.ok("edit", kept, option, f"The key is the order's and the day's, {option}", at=app)
        assert "and the day's" in machine.ok("show", kept, at=app)


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("lint", "Did you mean `satchel check`?"),
        ("conflicts", "Did you mean `satchel check`?"),
        ("contradictions", "Did you mean `satchel check`?"),
        ("diff", "`satchel history ID` what a memory said before"),
        ("adr", '`satchel remember "..." --kind decision`'),
        ("supersede", '`satchel edit ID "..."`'),
        ("replace", '`satchel edit ID "..."`'),
        ("dedupe", "`satchel upkeep consolidate`"),
        ("unshare", "`satchel hide ID --share`"),
        *((word, "`SATCHEL_DISABLED=1`") for word in ("pause", "off", "stop", "disable")),
    ],
)
def test_a_guess_is_led_to_what_does_it(machine: Machine, app: Path, typed: str, hint: str) -> None:
    said = machine.fails(2, typed, at=app)
    assert hint in said
    if "DISABLED" in hint:
        for word in ("hooks.inject false", "hooks.capture false", "satchel uninstall"):
            assert word in said


def test_facts_grep_and_explain_are_other_names(machine: Machine, app: Path) -> None:
    kept = machine.json("learn", "Items table has a composite key", at=app)["id"]
    machine.ok("remember", "orders: pgx", "--kind", "fact", at=app)
    assert "pgx" in machine.ok("facts", at=app)
    assert "composite" in machine.ok("grep", "items table", at=app)
    assert "composite" in machine.ok("explain", kept, at=app)


@pytest.mark.parametrize(
    ("typed", "own"),
    [("hide", "hide"), ("rm", "hide"), ("history", "history"), ("unhide", "restore")],
)
def test_a_command_without_an_id_asks_which_memory(
    machine: Machine, app: Path, typed: str, own: str
) -> None:
    said = machine.fails(2, typed, at=app)
    assert "Which memory?" in said
    assert f"`satchel list` shows their ids: `satchel {own} ID`." in said


def test_a_file_without_a_line_is_asked_about_by_example(machine: Machine, app: Path) -> None:
    (app / "the pay.py").write_text("RATE = 19\n")
    said = machine.fails(2, "why", "the pay.py", at=app)
    assert "Which line of the pay.py" in said
    assert "`satchel why 'the pay.py':1`" in said
    assert "RATE" in machine.ok("why", "the pay.py:1", at=app)


def test_edit_without_id_and_editor_says_how_a_memory_is_edited(
    machine: Machine, app: Path
) -> None:
    machine.environment.pop("EDITOR", None)
    machine.environment.pop("VISUAL", None)
    said = machine.fails(2, "edit", at=app)
    assert "Without an id, `edit` opens an instruction file" in said
    assert '`satchel edit ID "..."` gives a memory new words' in said


def test_limits_are_also_n_and_options_that_exclude_each_other_say_so(
    machine: Machine, app: Path
) -> None:
    machine.ok("learn", "Items table has a composite key", at=app)
    machine.ok("learn", "The relay answers on port 4411", at=app)
    assert len(machine.ok("log", "-n", "1", at=app).splitlines()) == 1
    both = machine.fails(2, "review", "--reject", "1", "--edit", "2", "x", at=app)
    assert "--edit and --reject cannot be combined" in both
    twice = machine.fails(2, "review", "--edit", "1", "x", "--edit", "2", "y", at=app)
    assert "Change one suggestion at a time." in twice
    ident = machine.json("list", at=app)[0]["id"]
    machine.ok("hide", ident, at=app)
    assert f"`satchel restore {ident[:14]}`" in machine.fails(2, "edit", ident, "x", at=app)
