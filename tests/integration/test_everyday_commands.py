"""What people type every day: names, lists, corrections, settings, how things stand."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from integration.terminal import on_a_terminal
from satchel.interfaces.cli.commands import ALIASES, COMMANDS, SAID_OTHERWISE, hint_for
from satchel.testing import run_git

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

LONG = "The staging database is reset every night at two, so never keep fixtures there. " * 12


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("tasks", "No open tasks. `satchel tasks create"),
        ("sessions", "No sessions yet. `satchel sessions import`"),
        ("notes", "No notes yet."),
        ("docs", "No collections yet. `satchel docs add"),
        ("tables", "No tables."),
        ("agents", "No agents."),
        ("code", "3 files, 8 lines, 0 symbols, 0 uses, 1 past commit\n"),
        ("memory", "Nothing is remembered yet."),
        ("task --json", "[]"),
        ("instructions", "No instruction file"),
    ],
)
def test_a_bare_command_shows_what_there_is(
    machine: Machine, tmp_path: Path, words: str, told: str
) -> None:
    app = machine.repository("bare", init=False)
    machine.ok("init", "--no-hooks", "--yes", at=app)
    assert told in machine.ok(*words.split(), at=app)
    assert told in machine.ok("-C", str(app), *words.split())


def test_satchel_alone_says_how_the_project_stands(machine: Machine, app: Path) -> None:
    machine.ok("remember", "Use pnpm here", at=app)
    machine.ok("remember", "Tests need docker", at=app)
    machine.ok("remember", "--kind", "constraint", "Never edit generated files", at=app)
    machine.hook("SessionStart", app, source="startup")
    said = machine.ok(at=app)
    assert "memories      3 (2 lessons, 1 rule)" in said
    assert "agents        Claude Code" in said
    assert "last session  just now, told" in said
    assert machine.ok("status", at=app).splitlines()[:2] == said.splitlines()[:2]


def test_each_step_that_waits_is_named(machine: Machine, app: Path) -> None:
    assert machine.json("status", at=app)["next_step"] == 'satchel remember "..."'
    machine.ok("remember", "Use pnpm here", at=app)
    assert machine.json("status", at=app)["next_step"] == ""
    machine.ok("remember", "--kind", "decision", "Use tabs in go files", at=app)
    machine.ok("remember", "--kind", "constraint", "Never use tabs in go files", at=app)
    assert machine.run("check", at=app).code == 1
    assert machine.json("status", at=app)["next_step"] == "satchel check"
    (app / "CLAUDE.md").write_text("# App\n\nfrom a stranger\n")
    machine.ok("uninstall", "claude-code", "--hooks", "--yes", at=app)
    assert machine.json("status", at=app)["next_step"] == "satchel install"


@pytest.mark.parametrize("repository", [False, True])
def test_outside_of_a_project_it_says_what_it_can_do(
    machine: Machine, tmp_path: Path, *, repository: bool
) -> None:
    (tmp_path / "elsewhere").mkdir()
    if repository:
        run_git(str(tmp_path / "elsewhere"), "init", "--quiet")
    said = machine.ok(at=tmp_path / "elsewhere")
    assert said.startswith("Satchel: the memory")
    assert len(said.splitlines()) <= 24
    assert "learn " in machine.ok("help", "all", at=tmp_path)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("ls", ("memory", "list")), ("search", ("recall",)), ("note", ("learnings",))],
)
def test_what_hands_type_leads_there(
    machine: Machine, app: Path, typed: str, meant: tuple[str, ...]
) -> None:
    machine.ok("add", "Use pnpm here", at=app)
    rest = ("pnpm",) if typed == "search" else ("list",) if typed == "note" else ()
    assert machine.ok(typed, *rest, at=app) == machine.ok(*meant, *rest, at=app)


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("recal", "Did you mean `satchel recall`?"),
        ("which database do we use", 'Did you mean `satchel recall "..."`?'),
        ("disable", "`SATCHEL_DISABLED=1` in the environment turns the hooks off"),
        ("yesterday", "Did you mean `satchel log --since yesterday`?"),
        ("pull", "What others share comes with `git pull`"),
        ("pausee", "`satchel help all` lists them."),  # and not `erase`
    ],
)
def test_a_word_that_is_near_is_named(machine: Machine, app: Path, typed: str, hint: str) -> None:
    done = machine.run(typed, at=app)
    assert done.code == 2
    assert hint in done.err


def test_every_word_that_is_led_elsewhere_is_led_to_a_command_that_is_there() -> None:
    led = {words[0] for words in ALIASES.values()}
    said = [part for word in SAID_OTHERWISE for part in hint_for(word).split("`")[1::2]]
    led |= {part.split()[1] for part in said if part.startswith("satchel ")}
    assert led <= {*COMMANDS, *ALIASES}
    assert not set(SAID_OTHERWISE) & {*COMMANDS, *ALIASES}


def test_a_list_is_asked_for_by_the_word_that_it_shows_and_by_times_in_words(
    machine: Machine, app: Path
) -> None:
    machine.ok("learn", "Use pnpm", at=app)
    machine.ok("remember", "--kind", "rule", "Never push on Fridays", at=app)
    assert "Use pnpm" in machine.ok("lessons", at=app)
    assert "Fridays" not in machine.ok("list", "--kind", "lesson", at=app)
    for since in ("yesterday", "2h", "3 days ago", "last week"):
        assert "Use pnpm" in machine.ok("log", "--since", since, at=app)
    assert "is not a time" in machine.fails(2, "log", "--since", "fix-today", at=app)


def test_a_list_says_how_many_there_are_and_leaves_out_what_is_by_the_way(
    machine: Machine, app: Path
) -> None:
    for number in range(4):
        machine.ok("remember", f"Lesson {number} of the harbour", at=app)
    machine.hook("SessionStart", app, source="startup")
    said = machine.ok("list", "--limit", "3", at=app)
    assert said.splitlines()[-1] == "3 of 4, newest first; --limit 4 lists all."
    assert "online" not in machine.ok("list", at=app)
    assert "online" in machine.ok("list", "--kind", "activity", at=app)
    kinds = {one["type"] for one in machine.json("list", at=app)}
    assert kinds == {"learned", "activity"}
    machine.ok("remember", "--kind", "checkpoint", "Asked: a chart | Done: drawn", at=app)
    said = machine.ok("list", at=app)
    assert "drawn" not in said
    assert said.splitlines()[-1] == "1 checkpoint more: `satchel list --kind checkpoint`."
    assert "drawn" in machine.ok("list", "--kind", "checkpoint", at=app)


def test_where_there_are_only_checkpoints_a_list_shows_them(machine: Machine, app: Path) -> None:
    machine.ok("remember", "--kind", "checkpoint", "Asked: a chart | Done: drawn", at=app)
    said = machine.ok("list", at=app)
    assert "drawn" in said
    assert "more" not in said


def test_learn_takes_a_kind_like_remember(machine: Machine, app: Path) -> None:
    machine.ok("learn", "--type", "rule", "Never push on Fridays", at=app)
    assert machine.json("list", at=app)[0]["type"] == "constraint"


def test_files_in_place_of_a_directory_are_led_to_it(machine: Machine, app: Path) -> None:
    assert "docs add adr DIRECTORY" in machine.fails(2, "docs", "add", "a.md", "b.md", at=app)


@pytest.mark.parametrize("columns", [64, 80, 200])
def test_a_list_has_its_columns_on_every_terminal(
    machine: Machine, app: Path, columns: int
) -> None:
    machine.ok("remember", LONG, at=app)
    machine.ok("remember", "--kind", "next_step", "Ship it", at=app)
    machine.ok("remember", "--kind", "preference", "--key", "editor", "vim", at=app)
    lines = on_a_terminal(machine, app, columns, "list")
    assert len(lines) == 3
    assert max(map(len, lines)) <= columns
    assert max(map(len, lines)) >= min(columns, len(LONG)) - 12
    texts = {line.find(text) for line, text in zip(lines, ("editor:", "Ship", "The"), strict=True)}
    assert len(texts) == 1, lines


def test_an_answer_shows_a_line_or_three_and_show_the_whole(machine: Machine, app: Path) -> None:
    kept = machine.json("remember", LONG, at=app)
    said = machine.ok("recall", "staging database reset", at=app)
    assert f"… (satchel show {kept['id'][:14]})" in said
    assert len(said) < 700
    assert LONG.strip() in machine.ok("show", kept["id"], at=app)
    assert machine.json("recall", "staging database", at=app)["items"][0]["content"] == LONG.strip()


def test_a_memory_is_corrected_and_its_history_stays(machine: Machine, app: Path) -> None:
    kept = machine.json("remember", "Use pnpm 8 here", at=app)["id"]
    assert "Changed" in machine.ok("edit", kept, "Use pnpm 9 here", at=app)
    assert "pnpm 9" in machine.ok("recall", "pnpm", at=app)
    assert "pnpm 8" not in machine.ok("recall", "pnpm", at=app)
    assert "pnpm 8" in machine.ok("history", kept, at=app)
    assert "Nothing has changed" in machine.ok("edit", kept, "Use pnpm 9 here", at=app)
    secret = "ghp_" + "a1B2" * 9
    assert secret not in machine.ok("show", kept, at=app)
    machine.ok("edit", kept, f"The token is {secret}", at=app)
    assert secret not in machine.ok("show", kept, at=app)


def test_without_a_text_the_editor_opens(machine: Machine, app: Path, tmp_path: Path) -> None:
    kept = machine.json("remember", "Use pnpm 8 here", at=app)["id"]
    script = tmp_path / "editor"
    script.write_text(
        f"#!{sys.executable}\nimport sys\nopen(sys.argv[1], 'a').write(' and yarn')\n"
    )
    script.chmod(0o755)
    machine.environment["EDITOR"] = str(script)
    machine.ok("edit", kept, at=app)
    assert "Use pnpm 8 here and yarn" in machine.ok("show", kept, at=app)
    machine.environment["EDITOR"] = str(tmp_path / "absent")
    assert "could not be started" in machine.run("edit", kept, at=app).err


def test_what_is_hidden_or_a_triple_is_not_edited(machine: Machine, app: Path) -> None:
    fact = machine.json("remember", "--kind", "fact", "api | runs on | 8080", at=app)["id"]
    assert "A fact ends" in machine.run("edit", fact, "api | runs on | 9090", at=app).err
    told = machine.json("remember", "--kind", "fact", "The printer does 72 columns", at=app)["id"]
    machine.ok("edit", told, "The printer does 80 columns", at=app)
    assert "80 columns" in machine.ok("show", told, at=app)
    kept = machine.json("remember", "Use pnpm here", at=app)["id"]
    machine.ok("hide", kept, "--yes", at=app)
    assert "is hidden" in machine.run("edit", kept, "x", at=app).err


def test_a_setting_is_set_shown_with_its_place_and_unset(machine: Machine, app: Path) -> None:
    machine.ok("config", "set", "prompt.max_items", "5", at=app)
    said = machine.ok("config", "prompt.max_items", at=app)
    assert "prompt.max_items = 5  (default 3, from ~/.satchel/config.toml)" in said
    machine.ok("config", "set", "hooks.nudge", "false", at=app)
    machine.ok("config", "unset", "prompt.max_items", at=app)
    shown = machine.json("config", at=app)
    assert (shown["prompt.max_items"], shown["hooks.nudge"]) == (3, False)
    machine.ok("config", "set", "code.map_ttl_hours", "9", "--project", at=app)
    assert "map_ttl_hours = 9" in (app / ".satchel" / "project.toml").read_text()
    assert machine.json("config", at=app)["code.map_ttl_hours"] == 9
    refused = machine.fails(2, "config", "set", "brief.max_tokens", "900", "--project", at=app)
    assert "only be set in your own file" in refused
    assert machine.ok("config", at=app).count("[prompt]") == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("set", "prompt.max_item", "5"), "Did you mean `prompt.max_items`?"),
        (("set", "prompt.max_items", "many"), "prompt.max_items"),
        (("set", "prompt.max_items"), "config set NAME VALUE"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(
    machine: Machine, app: Path, words: tuple[str, ...], told: str
) -> None:
    before = json.dumps(machine.json("config", at=app))
    done = machine.run("config", *words, at=app)
    assert done.code == 2
    assert told in done.err
    assert json.dumps(machine.json("config", at=app)) == before


@pytest.mark.parametrize(
    ("kind", "called"),
    [
        ("constraint", "rule"),
        ("decision", "decision"),
        ("next_step", "step"),
        ("learned", "lesson"),
    ],
)
def test_the_id_that_is_printed_names_the_memory(
    machine: Machine, app: Path, kind: str, called: str
) -> None:
    said = machine.ok("remember", "--kind", kind, "Never log request bodies", at=app)
    *_, noun, named = said.partition(":")[0].split()
    assert noun == called
    item = machine.json("list", "--kind", kind, at=app)[0]
    kept, key = item["id"], item["key"]
    for name in (named, key):
        assert f"id       {kept}" in machine.ok("show", name, at=app)
        assert kept[:14] in machine.ok("why", name, at=app)
    machine.ok("hide", named, "--yes", at=app)
    assert machine.json("list", "--kind", kind, at=app) == []


@pytest.mark.parametrize(("memories", "through"), [(3, False), (40, True)])
def test_an_answer_longer_than_the_screen_goes_through_the_pager(
    machine: Machine, app: Path, tmp_path: Path, memories: int, *, through: bool
) -> None:
    for number in range(memories):
        machine.ok("remember", f"The service {number} listens on port {9000 + number}", at=app)
    seen = tmp_path / "seen"
    machine.environment["PAGER"] = f"tee {seen}"
    said = on_a_terminal(machine, app, 80, "list", "--limit", "100")
    assert sum("listens on port" in line for line in said) == memories
    assert seen.exists() == through
    machine.environment["PAGER"] = "cat"
    assert on_a_terminal(machine, app, 80, "list", "--limit", "100") == said


def test_a_pager_that_is_left_early_is_no_error(machine: Machine, app: Path) -> None:
    for number in range(30):
        machine.ok("remember", f"The service {number} listens on port {9000 + number}", at=app)
    machine.environment["PAGER"] = "true"
    assert on_a_terminal(machine, app, 80, "list", "--limit", "100") == []
    machine.environment["PAGER"] = "not-a-pager-of-this-machine"
    assert len(on_a_terminal(machine, app, 80, "list", "--limit", "100")) == 30


def test_a_diff_is_coloured_for_people_alone(machine: Machine, app: Path) -> None:
    (app / "AGENTS.md").write_text("# Shop\n")
    words = ("install", "codex", "--print")
    assert "\x1b[" not in machine.ok(*words, at=app)
    said = on_a_terminal(machine, app, 100, *words, colours=True)
    added = [line for line in said if line.startswith("\x1b[32m+")]
    assert added
    assert all(line.endswith("\x1b[0m") for line in added)


def test_a_pack_is_written_to_a_file_where_a_person_asked_on_a_terminal(
    machine: Machine, app: Path, tmp_path: Path
) -> None:
    (app / "pay.py").write_text("def charge(cents: int) -> None:\n    '''Charge a card.'''\n")
    machine.environment["TMPDIR"] = str(tmp_path)
    (said, *_) = on_a_terminal(machine, app, 300, "pack", "charge a card")
    written = Path(said.partition(": ")[2])
    assert said.startswith("Wrote 1 file, ")
    assert written.read_text() == machine.ok("pack", "charge a card", at=app)


def test_the_log_tells_of_memories_and_not_of_comings_and_goings(
    machine: Machine, app: Path
) -> None:
    machine.ok("learn", "Use pnpm", at=app)
    machine.hook("SessionStart", app, source="startup")
    assert "online" not in machine.ok("log", at=app)
    assert "online" in machine.ok("log", "--all", at=app)
    assert "online" in machine.ok("log", "--kind", "activity", at=app)


def test_backup_list_lists_and_makes_no_directory(machine: Machine, app: Path) -> None:
    machine.ok("backup", at=app)
    assert machine.ok("backup", "list", at=app) == machine.ok("backup", "--list", at=app)
    assert not (app / "list").exists()


def test_a_word_too_many_names_the_help_of_the_action(machine: Machine, app: Path) -> None:
    done = machine.fails(2, "edit", "01M", "--contents", "x", at=app)
    assert "`satchel memory edit --help`" in done
    assert "replaced" not in machine.ok("list", at=app)


def test_a_list_marks_what_was_replaced(machine: Machine, app: Path) -> None:
    decide = ("remember", "--kind", "decision")
    machine.ok(*decide, "Let's go with SQLite, no server to run", at=app)
    machine.ok(*decide, "We switched to PostgreSQL instead of SQLite, for two writers", at=app)
    new, old = machine.ok("decisions", at=app).splitlines()
    assert "  (replaced)  " in old
    assert "replaced" not in new


def test_a_list_marks_what_agents_are_no_longer_told(machine: Machine, app: Path) -> None:
    """A decision that was taken back stood there like any other."""
    machine.ok("remember", "Redis holds the sessions", "--tag", "archived", at=app)
    assert "  (put aside)  " in machine.ok("list", at=app)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        (("task", "add", "Write the docs"), "Write the docs"),
        (("tasks", "ls"), "No tasks"),
        (("tasks", "-C", ".", "ls"), "No tasks"),
        (("rules", "ls"), "No"),
        (("instinct", "add", "Prefer small commits"), "Prefer small commits"),
        (("tables", "ls"), "No tables"),
        (("review", "list"), "Nothing waits for review"),
        (("list", "rules"), "No memory is of the kind rule."),
        (("list", "lessons", "decisions"), "No memory is of the kind lesson or decision."),
    ],
)
def test_an_action_that_hands_type_from_habit_is_understood(
    machine: Machine, app: Path, typed: tuple[str, ...], shown: str
) -> None:
    assert shown in machine.ok(*typed, at=app)


def test_an_action_that_is_no_other_s_name_is_refused(machine: Machine, app: Path) -> None:
    assert "invalid choice: 'frobnicate'" in machine.fails(2, "tasks", "frobnicate", at=app)


def test_a_text_in_place_of_an_id_and_a_file_that_is_not_there_lead_on(
    machine: Machine, app: Path
) -> None:
    assert "satchel forget --query TEXT" in machine.fails(4, "forget", "bastion", at=app)
    told = machine.fails(4, "forget", "--query", "python in production", at=app)
    assert "satchel recall --weak" in told
    assert "--query TEXT" not in told
    assert "There is no file nope.py here" in machine.fails(4, "why", "nope.py:3", at=app)
