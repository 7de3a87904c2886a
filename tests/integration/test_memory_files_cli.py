"""Instruction files through the installed command: found, imported, refused, approved, saved, watched."""

import json
import os
import pty
import signal
import subprocess
import time
from pathlib import Path

import pytest

from integration.installed import COMMAND, Machine, as_ordinary_user, needs_command
from satchel.testing import run_git

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


def write(at: Path, name: str, text: str) -> Path:
    path = at / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_two_files_of_two_tiers_are_shown_with_their_sources(machine: Machine, app: Path) -> None:
    write(machine.home, ".beans/BEANS.md", "# Me\n- speak plainly\n")
    write(app, "AGENTS.md", "# Shop\n- two spaces\n")
    text = machine.ok("memory", "show", at=app)
    assert text.index("--- GLOBAL: ~/.beans/BEANS.md ---") < text.index(
        "--- PROJECT: AGENTS.md ---"
    )
    assert "  global        ~/.beans/BEANS.md:1-2  " in text
    assert "  project       AGENTS.md:1-2  " in text
    told = machine.json("memory", "show", at=app)
    assert [(s["tier"], s["first_line"], s["last_line"]) for s in told["segments"]] == [
        ("global", 1, 2), ("project", 1, 2),
    ]  # fmt: skip
    assert sum(s["tokens"] for s in told["segments"]) <= told["tokens"] <= told["budget"]["most"]
    assert machine.ok("memory", "show", "--text", at=app) == told["text"]
    assert machine.ok("instructions", "show", at=app) == text


def test_show_with_an_id_is_about_a_memory_and_without_one_about_files(
    machine: Machine, app: Path
) -> None:
    ident = machine.ok("learn", "Run the linter first", at=app).split()[2].rstrip(":")
    write(app, "AGENTS.md", "from a file\n")
    assert "Run the linter first" in machine.ok("memory", "show", ident, at=app)
    assert "from a file" in machine.ok("memory", "show", at=app)
    assert "Run the linter first" in machine.ok("memory", "list", at=app)
    assert "AGENTS.md" in machine.ok("memory", "list", "--files", at=app)
    assert "no memory" in machine.fails(4, "memory", "show", "01NOSUCH", at=app).lower()


def test_a_diamond_a_circle_and_a_missing_file(machine: Machine, app: Path) -> None:
    write(app, "BEANS.md", "top\n@import a.md\n@import b.md\n@import none.md\n")
    write(app, "a.md", "A\n@import c.md\n")
    write(app, "b.md", "B\n@import c.md\n@import ./BEANS.md\n")
    write(app, "c.md", "ONLY ONCE\n")
    text = machine.ok("memory", "show", at=app)
    assert text.count("ONLY ONCE") == 1
    assert "<!-- Already shown: c.md -->" in text
    assert "<!-- Circular import detected: ./BEANS.md -->" in text
    assert "<!-- Import not found: none.md -->" in text
    assert "c.md:1-1" in text
    assert "imported from a.md" in text
    problems = machine.json("memory", "show", at=app)["problems"]
    assert sorted(p["what"] for p in problems) == ["circle", "missing"]


def test_nothing_from_outside_is_shown_until_it_is_approved_and_again_when_it_changes(
    machine: Machine, app: Path
) -> None:
    outside = write(machine.home, "notes/shared.md", "SHARED RULE\n")
    write(app, "CLAUDE.md", "@~/notes/shared.md\n@../../etc/passwd\n")
    refused = machine.ok("memory", "show", at=app)
    assert "SHARED RULE" not in refused
    assert "<!-- Import rejected: ~/notes/shared.md: it is outside the project -->" in refused
    assert "~/notes/shared.md" in machine.ok("memory", "trust", at=app)
    machine.fails(2, "memory", "trust", "~/notes/shared.md", at=app)
    assert "Approved 1 file" in machine.ok("memory", "trust", "~/notes", "--yes", at=app)
    assert "SHARED RULE" in machine.ok("memory", "show", at=app)
    other = machine.repository("other")
    write(other, "CLAUDE.md", "@~/notes/shared.md\n")
    assert "SHARED RULE" not in machine.ok("memory", "show", at=other), "approved for one project"
    outside.write_text("ANOTHER RULE\n", encoding="utf-8")
    changed = machine.ok("memory", "show", at=app)
    assert "ANOTHER RULE" not in changed
    assert "it has changed since it was approved" in changed
    machine.ok("memory", "trust", "~/notes/shared.md", "--yes", at=app)
    assert "ANOTHER RULE" in machine.ok("memory", "show", at=app)
    machine.ok("memory", "trust", "~/notes", "--revoke", at=app)
    assert "ANOTHER RULE" not in machine.ok("memory", "show", at=app)
    machine.fails(4, "memory", "trust", "~/notes", "--revoke", at=app)
    assert "passwd" not in machine.ok("memory", "trust", at=app).replace("etc/passwd", "")


def test_a_worktree_and_a_subdirectory_see_what_an_agent_there_sees(
    machine: Machine, app: Path
) -> None:
    write(app, "AGENTS.md", "top\n")
    write(app, "pkg/AGENTS.md", "package\n")
    (app / "pkg" / "deep").mkdir()
    text = machine.ok("memory", "show", "--text", at=app / "pkg" / "deep")
    assert text.index("top") < text.index("package")
    assert "package" not in machine.ok("memory", "show", "--text", at=app)
    assert "package" in machine.ok(
        "memory", "show", "--text", "--touching", "pkg/deep/x.py", at=app
    )


def test_an_entry_is_shown_asked_for_and_written(machine: Machine, app: Path) -> None:
    path = write(app, "AGENTS.md", "# Shop\n\n## Style\n- two spaces\n\n## End\nlast\n")
    before = path.read_bytes()
    done = machine.run("memory", "add", "Name tests well", "--section", "Style", at=app)
    assert done.code == 2
    assert "+- Name tests well" in done.out
    assert "--yes" in done.err
    assert path.read_bytes() == before
    machine.ok("memory", "add", "Name tests well", "--section", "Style", "--yes", at=app)
    assert path.read_text() == (
        "# Shop\n\n## Style\n- two spaces\n- Name tests well\n\n## End\nlast\n"
    )
    again = machine.ok("memory", "add", "name tests well", "--yes", at=app)
    assert again.startswith("already there: AGENTS.md:5: Name tests well")
    told = machine.ok("memory", "add", "Never name tests well", "--dry-run", at=app)
    assert told.startswith("conflict: AGENTS.md:5: Name tests well (one of them negates)")
    done = machine.json("memory", "add", "Deploy on Mondays", "--yes", at=app)
    assert (done["section"], done["written"]) == ("Added Memories", [str(path)])


def test_a_local_entry_is_ignored_by_git_from_the_start(machine: Machine, app: Path) -> None:
    write(app, "AGENTS.md", "# Shop\n")
    key = "AKIAIOSFODNN7EXAMPLE"
    out = machine.ok("memory", "add", f"my key is {key}", "--target", "local", "--yes", at=app)
    assert "+/AGENTS.local.md" in out
    assert key in (app / "AGENTS.local.md").read_text()
    assert (app / "AGENTS.local.md").stat().st_mode & 0o777 == 0o600
    assert "AGENTS.local.md" not in run_git(str(app), "status", "--porcelain", "--untracked=all")
    assert out.index("/.gitignore") < out.index("/AGENTS.local.md\n@@"), (
        "first ignored, then written"
    )
    machine.ok("memory", "add", "second thing here", "--target", "local", "--yes", at=app)
    assert (app / ".gitignore").read_text().count("AGENTS.local.md") == 1
    machine.ok("memory", "add", f"shared key is {key}", "--yes", at=app)
    assert key not in (app / "AGENTS.md").read_text()


def test_only_memory_files_are_written_to(machine: Machine, app: Path) -> None:
    write(app, "AGENTS.md", "x\n")
    for target in ("README", "../up.md", "src/a.md", "/etc/motd", "~/.bashrc", ".git/config"):
        assert "not an instruction file" in machine.fails(
            2, "memory", "add", "be kind", "--target", target, "--yes", at=app
        )
    machine.ok("memory", "add", "be kind to users", "--target", "GEMINI.md", "--yes", at=app)
    assert (app / "GEMINI.md").read_text() == "## Gemini Added Memories\n- be kind to users\n"
    machine.ok("memory", "add", "speak plainly please", "--target", "global", "--yes", at=app)
    assert "speak plainly" in (machine.home / ".satchel" / "MEMORY.md").read_text()
    assert "speak plainly" in machine.ok("memory", "show", at=app)


def test_where_there_is_no_memory_file_one_is_made_where_the_layout_keeps_it(
    machine: Machine, app: Path
) -> None:
    machine.ok("memory", "add", "be kind to users", "--yes", at=app)
    assert "be kind" in (app / ".satchel" / "MEMORY.md").read_text()
    assert "be kind" in machine.ok("memory", "show", at=app)
    beans = machine.repository("beans", layout="beans")
    machine.ok("memory", "add", "be kind to users", "--yes", at=beans)
    text = (beans / ".beans" / "BEANS.md").read_text()
    assert text == "## Beans Added Memories\n- be kind to users\n"


def test_a_team_may_keep_its_files_in_a_directory_elsewhere(machine: Machine, app: Path) -> None:
    team = machine.directory / "team"
    write(team, "rules.md", "TEAM RULE\n@import more.md\n@import ../home/secret.md\n")
    write(team, "more.md", "TEAM MORE\n")
    write(machine.home, "secret.md", "SECRET\n")
    setting = {"SATCHEL_INSTRUCTIONS_TEAM_DIRECTORY": str(team)}
    out = machine.run("memory", "show", at=app, environment=setting).out
    assert "--- TEAM: " in out
    assert "TEAM RULE" in out
    assert "TEAM MORE" in out
    assert "SECRET" not in out


def answered(machine: Machine, app: Path, words: list[str], answer: str) -> tuple[int, str]:
    """Run a command on a terminal of its own and answer its question."""
    main, other = pty.openpty()
    process = subprocess.Popen(
        [COMMAND, *words], cwd=app, env=machine.environment, stdin=other, stdout=other, stderr=other
    )
    os.close(other)
    said = b""
    try:
        while True:
            part = os.read(main, 4096)
            said += part
            if b"Write this?" in said and answer:
                os.write(main, answer.encode() + b"\n")
                answer = ""
            if not part:
                break
    except OSError:
        pass  # the terminal is gone with the process
    os.close(main)
    return process.wait(timeout=30), said.decode()


def test_a_person_may_say_yes_no_or_always_in_this_session(machine: Machine, app: Path) -> None:
    path = write(app, "AGENTS.md", "x\n")
    session = ["--session", "s-1"]
    code, said = answered(machine, app, ["memory", "add", "first rule here", *session], "n")
    assert (code, "always in this session" in said) == (2, True)
    code, _ = answered(machine, app, ["memory", "add", "second rule here", *session], "a")
    assert code == 0
    machine.ok("memory", "add", "third other thing", *session, at=app)
    done = machine.run("memory", "add", "fourth new topic", "--session", "s-2", at=app)
    assert done.code == 2
    done = machine.run("memory", "add", "fifth topic", *session, "--target", "CLAUDE.md", at=app)
    assert done.code == 2, "always was said of one file"
    text = path.read_text()
    assert [word in text for word in ("first", "second", "third", "fourth")] == [
        False, True, True, False,
    ]  # fmt: skip


def test_refresh_says_what_has_changed_since_the_last_time(machine: Machine, app: Path) -> None:
    write(app, "AGENTS.md", "@import a.md\n")
    write(app, "a.md", "one\n")
    machine.ok("memory", "refresh", at=app)
    assert machine.ok("memory", "refresh", at=app) == "Nothing has changed.\n"
    write(app, "a.md", "two\n")
    write(app, "CLAUDE.md", "new\n")
    assert machine.ok("memory", "refresh", at=app) == "added: CLAUDE.md\nchanged: a.md\n"
    (app / "CLAUDE.md").unlink()
    assert machine.json("memory", "refresh", at=app)["removed"] == [str(app / "CLAUDE.md")]


def test_watching_tells_of_changes_and_ends_when_interrupted(machine: Machine, app: Path) -> None:
    path = write(app, "AGENTS.md", "one\n")
    process = subprocess.Popen(
        [COMMAND, "memory", "watch"],
        cwd=app,
        env={**machine.environment, "SATCHEL_INSTRUCTIONS_WATCH_EVERY_MS": "20",
             "SATCHEL_INSTRUCTIONS_SETTLE_MS": "40"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever started the tests in the background may have made them deaf to it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )  # fmt: skip
    assert process.stdout
    assert "Watching 1 instruction files" in process.stdout.readline()
    for text in ("two", "three", "four"):
        path.write_text(text, encoding="utf-8")
        time.sleep(0.01)
    assert process.stdout.readline() == "changed: AGENTS.md\n"
    write(app, "GEMINI.md", "new")
    assert process.stdout.readline() == "added: GEMINI.md\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, "Traceback" in err) == (0, "", False)


def test_stats_list_and_budgets(machine: Machine, app: Path) -> None:
    write(app, "AGENTS.md", "".join(f"## Part {n}\n{'word ' * 500}\n" for n in range(30)))
    write(app, ".cursor/rules/py.mdc", "---\nglobs: **/*.py\n---\nuse types\n")
    stats = machine.json("memory", "stats", at=app)
    assert (stats["files"], stats["shown"]) == (2, 1)
    assert stats["bytes"] <= 51_200
    assert stats["left_out_tokens"] > 0
    text = machine.ok("memory", "show", "--budget", "1000", at=app)
    assert "left out: AGENTS.md:" in text
    assert "Part 29" not in text
    assert machine.json("memory", "show", "--budget", "1000", at=app)["tokens"] <= 1000
    assert "warning: " in machine.ok("memory", "show", "--model", "gpt-4", at=app)
    listed = machine.ok("memory", "list", "--files", at=app)
    assert "it is for files that match **/*.py" in listed
    assert "use types" in machine.ok("memory", "show", "--touching", "a.py", at=app)
    assert "use types" not in machine.ok(
        "memory", "show", "--touching", "a.py", "--client", "claude", at=app
    )
    machine.fails(2, "memory", "show", "--client", "nobody", at=app)
    machine.fails(2, "memory", "show", "--budget", "-1", at=app)


def test_the_editor_is_opened_on_the_file(machine: Machine, app: Path) -> None:
    write(app, "AGENTS.md", "x\n")
    editor = {"EDITOR": "sh -c 'echo edited >> \"$0\"'", "VISUAL": ""}
    done = machine.run("memory", "edit", at=app, environment=editor)
    assert done.code == 0
    assert (app / "AGENTS.md").read_text() == "x\nedited\n"
    done = machine.run("memory", "edit", at=app, environment={"EDITOR": "", "VISUAL": ""})
    assert (done.code, "AGENTS.md" in done.err) == (2, True)
    assert machine.run("memory", "edit", at=app, environment={"EDITOR": "/no/such"}).code == 4


def test_a_hostile_repository_shows_nothing_of_the_home_and_holds_nobody_up(
    machine: Machine, app: Path
) -> None:
    write(machine.home, ".ssh/id_rsa", "PRIVATE-KEY-BYTES\n")
    write(machine.home, "secret.md", "SECRET-BYTES\n")
    text = "".join(f"@{p}\n" for p in ("~/.ssh/id_rsa", "~/secret.md", "./pipe.md", "./link.md"))
    write(app, "GEMINI.md", text + f"@{machine.home}/.ssh/id_rsa\n")
    write(app, "BEANS.md", "@import ~/secret.md\n@import link.md\n@import pipe.md\n")
    (app / "CLAUDE.md").symlink_to(machine.home / "secret.md")
    (app / "link.md").symlink_to(machine.home / "secret.md")
    os.mkfifo(app / "pipe.md")
    os.mkfifo(app / "AGENTS.md")
    for words in (("show",), ("show", "--json"), ("list", "--files"), ("stats",), ("refresh",),
                  ("add", "be kind", "--dry-run")):  # fmt: skip
        out = machine.run("memory", *words, at=app)
        assert "BYTES" not in out.out + out.err
    machine.ok("memory", "show", "--client", "gemini", at=app)


def test_a_file_that_may_not_be_read_is_told(machine: Machine, app: Path) -> None:
    (write(app, "AGENTS.md", "closed\n")).chmod(0)
    write(app, "CLAUDE.md", "open\n")
    done = machine.run("memory", "show", at=app, before=as_ordinary_user)
    assert done.code == 0
    assert "problem: AGENTS.md: you have no permission to read it." in done.out
    assert "open\n" in done.out


def test_settings_choose_names_dialects_and_whether_anything_is_read(
    machine: Machine, app: Path
) -> None:
    write(app, "NOTES.md", "noted\n@import a.txt\n")
    write(app, "a.txt", "text file\n")
    names = {"SATCHEL_INSTRUCTIONS_FILE_NAMES": "NOTES.md"}
    out = machine.run("memory", "show", at=app, environment=names).out
    assert "noted" in out
    assert "<!-- Import rejected: a.txt: only .md files are imported -->" in out
    more = {**names, "SATCHEL_INSTRUCTIONS_IMPORT_EXTENSIONS": ".md,.txt"}
    assert "text file" in machine.run("memory", "show", at=app, environment=more).out
    off = {**names, "SATCHEL_INSTRUCTIONS_ENABLED": "false"}
    assert "noted" not in machine.run("memory", "show", at=app, environment=off).out
    wrong = machine.run("memory", "show", at=app, environment={"SATCHEL_INSTRUCTIONS_IMPORTS": "x"})
    assert (wrong.code, "dialect" in wrong.err) == (2, True)


def test_a_repository_cannot_raise_what_its_files_may_cost(machine: Machine, app: Path) -> None:
    project = app / ".satchel" / "project.toml"
    project.write_text(
        project.read_text() + '\n[instructions]\nmax_bytes = 900000\nimport_extensions = "*"\n'
    )
    budget = machine.json("memory", "show", at=app)["budget"]
    assert budget["most_bytes"] == 51_200


def test_adopt_takes_the_settings_of_beans_over_once(machine: Machine, app: Path) -> None:
    write(machine.home, ".beans/config.yaml",
          "memory:\n  fileName: NOTES.md\n  maxImportDepth: 2\n  colour: red\n")  # fmt: skip
    out = machine.run("adopt", at=app)
    assert "instructions.import_depth = 2" in out.out
    assert "not understood, and left there: memory.colour" in out.err
    told = machine.json("adopt", at=app)
    assert told["settings"]["settings"] == {}
    config = machine.ok("config", at=app)
    assert "instructions.import_depth" in config
    assert "NOTES.md,AGENTS.md" in config
    write(app, "NOTES.md", "from notes\n")
    assert "from notes" in machine.ok("memory", "show", at=app)
    machine.ok("undo", "--setup", "--yes", at=app)
    assert "NOTES.md,AGENTS.md" not in machine.ok("config", at=app)


def test_what_beans_switched_off_stays_a_switch(machine: Machine, app: Path) -> None:
    write(machine.home, ".beans/config.yaml", "memory:\n  enabled: false\n")
    told = machine.json("adopt", at=app)["settings"]["settings"]
    assert told == {"instructions.enabled": False}
    assert "enabled = false\n" in Path(machine.home, ".satchel/config.toml").read_text()


def test_everything_can_be_had_as_json(machine: Machine, app: Path) -> None:
    write(app, "AGENTS.md", "x\n")
    for words in (("show",), ("list", "--files"), ("stats",), ("refresh",), ("trust",),
                  ("add", "be kind to all", "--yes"), ("add", "be kind to all", "--yes")):  # fmt: skip
        machine.json("memory", *words, at=app)
    assert (
        json.loads(machine.run("instructions", "list", "--json", at=app).out)[0]["tier"]
        == "project"
    )
