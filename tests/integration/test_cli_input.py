"""Everything a user types wrong: the cause, the next step, the exit code; nothing lost."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from integration.installed import COMMAND, Machine, as_ordinary_user, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


@pytest.fixture
def app(machine: Machine) -> Path:
    path = machine.repository()
    machine.ok("learn", "what was there before", at=path)
    return path


def unharmed(machine: Machine, app: Path) -> None:
    assert machine.contents(app) == ["what was there before"]


@pytest.mark.parametrize(
    ("code", "words", "cause", "hint"),
    [
        (2, ("remember", "--kind", "desicion", "x"), "desicion", "decision"),
        (2, ("learn", ""), "empty", "satchel learn"),
        (2, ("learn", "  \n "), "empty", "satchel learn"),
        (2, ("recall", ""), "nothing to search", "recall"),
        (2, ("recall",), "", ""),
        (2, ("recall", "x", "--limit", "-3"), "--limit", ""),
        (2, ("recall", "x", "--limit", "many"), "--limit", "--help"),
        (2, ("recall", "x", "--since", "yesterday-ish"), "yesterday-ish", "2026-05-01"),
        (2, ("recall", "x", "--since", "9" * 30), "", ""),
        (2, ("learn", "x", "--expires", "soon"), "soon", "30m"),
        (2, ("learn", "x", "--expires", "nan"), "nan", ""),
        (2, ("learn", "x", "--expires", "inf"), "inf", ""),
        (2, ("learn", "x", "--expires", "1e300d"), "", ""),
        (2, ("learn", "x", "--expires=-5d"), "", ""),
        (2, ("remember", "--kind", "fact", "a | b | c", "--until", "9" * 25), "", ""),
        (2, ("learn", "x", "--confidence", "7"), "a number from 0 to 1", ""),
        (2, ("learn", "x", "--confidence", "nan"), "a number from 0 to 1", ""),
        (2, ("learn", "x", "-C", "/nowhere/at/all"), "/nowhere/at/all", ""),
        (2, ("lern", "x"), "lern", "satchel learn"),
        (2, ("zzz",), "zzz", "help"),
        (2, ("memory", "burn", "x"), "burn", "--help"),
        (2, ("memory", "list", "--limit", "0"), "--limit", ""),
        (2, ("memory", "list", "--kind", "nonsense"), "nonsense", ""),
        (4, ("memory", "show", "nothing-like-it"), "nothing-like-it", "memory list"),
        (4, ("memory", "delete", "nothing-like-it"), "nothing-like-it", "memory list"),
        (4, ("memory", "history", "nothing-like-it"), "nothing-like-it", "memory list"),
        (4, ("why-injected", "no-such-session"), "no-such-session", "why-injected"),
        (4, ("import", "nowhere.jsonl"), "nowhere.jsonl", ""),
        (2, ("import", "."), "", ""),
        (2, ("config", "recall.limt"), "recall.limt", "recall.limit"),
        (2, ("init", "--layout", "oval"), "oval", "--help"),
        (2, ("upkeep", "sweep"), "sweep", "--help"),
        (2, ("adopt", "--replace", "--beside"), "", "--help"),
        (2, ("recall-sh", "--recent", "few"), "few", ""),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else None,
)
def test_a_wrong_word_is_answered_with_cause_and_next_step(  # noqa: PLR0917 -- pytest fills them
    machine: Machine, app: Path, code: int, words: tuple[str, ...], cause: str, hint: str
) -> None:
    complaint = machine.fails(code, *words, at=app)
    said, _, next_step = complaint.partition("hint: ")
    assert cause in said
    assert hint in next_step
    unharmed(machine, app)


def test_ten_megabytes_are_refused_with_both_sizes(machine: Machine, app: Path) -> None:
    complaint = machine.fails(2, "learn", "-", at=app, stdin=b"x" * 10_000_000)
    assert "10,000,000" in complaint
    assert "262,144" in complaint
    unharmed(machine, app)


def test_the_largest_content_that_is_allowed_is_kept_whole(machine: Machine, app: Path) -> None:
    machine.ok("learn", "-", at=app, stdin="y" * 262_144)
    assert machine.contents(app)[0] == "y" * 262_144


@pytest.mark.parametrize("option", ["--tag", "--task", "--agent", "--title", "--source", "--epic"])
def test_words_that_are_not_utf8_are_kept_as_far_as_they_are_text(
    machine: Machine, app: Path, option: str
) -> None:
    done = machine.run("learn", b"caf\xe9 au lait", option, b"gar\xe7on", at=app)
    assert done.code == 0
    (found,) = machine.json("recall", "lait", at=app)["items"]
    assert found["content"] == "caf\ufffd au lait"
    assert "edited" not in found


@pytest.mark.parametrize("option", ["--tag", "--task", "--kind"])
def test_a_question_that_is_not_utf8_is_answered(machine: Machine, app: Path, option: str) -> None:
    assert machine.run("recall", b"caf\xe9", option, b"\xff", at=app).code in (0, 2)
    assert machine.run("recall", b"caf\xe9 there before", at=app).code == 0
    assert machine.run("memory", "show", b"\xff", at=app).code == 4


@pytest.mark.parametrize("encoding", ["ascii"])
def test_a_terminal_that_cannot_show_a_character_still_gets_the_rest(
    machine: Machine, app: Path, encoding: str
) -> None:
    machine.ok("learn", "the café 数据库 → 🦊 answers", at=app)
    for words in (("recall", "café"), ("recall", "café", "--json"), ("memory", "list"), ("brief",)):
        done = machine.run(*words, at=app, environment={"PYTHONIOENCODING": encoding + ":strict"})
        assert done.code == 0
        assert "answers" in done.out


def test_a_place_without_git_and_project_is_named(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for words in (("learn", "x"), ("recall", "x"), ("brief",), ("memory", "list"), ("share",)):
        complaint = machine.fails(3, *words, at=tmp_path / "empty")
        assert str(tmp_path / "empty") in complaint
        assert "satchel init" in complaint


def test_a_repository_that_is_no_project_yet_is_named(machine: Machine) -> None:
    path = machine.repository(init=False)
    assert "satchel init" in machine.fails(3, "learn", "x", at=path)
    assert "satchel init" in machine.fails(3, "adopt", at=path)
    assert not (path / ".satchel").exists()


def test_a_directory_that_is_gone_is_said_to_be(
    machine: Machine, app: Path, tmp_path: Path
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    for words in (("recall", "x"), ("learn", "x"), ("init", "--yes")):
        done = machine.run(*words, at=tmp_path, before=lambda: _leave(gone))
        assert done.code in (2, 3, 5)
        assert done.err.startswith("satchel: ")
        gone.mkdir()
    unharmed(machine, app)


def _leave(directory: Path) -> None:
    os.chdir(directory)
    os.rmdir(directory)


def test_a_directory_that_cannot_be_written_is_named_before_anything_happens(
    machine: Machine,
) -> None:
    path = machine.repository(init=False)
    path.chmod(0o555)
    complaint = machine.fails(5, "init", "--yes", at=path, before=as_ordinary_user)
    assert str(path) in complaint
    path.chmod(0o755)
    assert not (path / ".satchel").exists()


def test_a_home_that_cannot_be_written_is_named_and_nothing_is_claimed(
    machine: Machine, app: Path
) -> None:
    (app / "note").write_text("x", encoding="utf-8")
    home = machine.home / ".satchel"
    for directory, _, files in os.walk(home):
        for name in files:
            os.chmod(os.path.join(directory, name), 0o400)
        os.chmod(directory, 0o500)
    complaint = machine.fails(5, "learn", "lost?", at=app, before=as_ordinary_user)
    assert "Permission denied" in complaint
    assert "hint: " in complaint
    for directory, _, files in os.walk(home):
        os.chmod(directory, 0o700)
        for name in files:
            os.chmod(os.path.join(directory, name), 0o600)
    unharmed(machine, app)


def test_a_project_that_cannot_be_written_still_remembers(machine: Machine, app: Path) -> None:
    app.chmod(0o555)
    (app / ".satchel").chmod(0o555)
    done = machine.run("learn", "said in a read-only tree", at=app, before=as_ordinary_user)
    assert done.code == 0
    complaint = machine.fails(5, "share", "--yes", at=app, before=as_ordinary_user)
    assert ".satchel" in complaint
    app.chmod(0o755)
    (app / ".satchel").chmod(0o755)
    assert "said in a read-only tree" in machine.contents(app)


def test_a_home_that_is_missing_is_made(machine: Machine, app: Path, tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path / "not" / "yet")}
    assert machine.run("learn", "x", at=app, environment=environment).code == 0
    assert (tmp_path / "not" / "yet" / ".satchel").stat().st_mode & 0o077 == 0


def test_a_home_that_cannot_be_is_named(machine: Machine, app: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    environment = {"HOME": str(tmp_path / "file" / "home")}
    complaint = machine.fails(5, "learn", "x", at=app, environment=environment)
    assert str(tmp_path / "file") in complaint
    assert "hint: " in complaint


def test_the_home_itself_is_no_project(machine: Machine) -> None:
    assert "home directory" in machine.fails(2, "init", "--yes", at=machine.home)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("[project\n", "TOML"),
        ('[project]\nid = "01X"\n<<<<<<< HEAD\n', "TOML"),
        ('[project]\nid = "01X"\n[layout]\npreset = "oval"\n', "layout.preset"),
        ('[project]\nid = "01X"\n[code]\nmap_ttl_hours = "few"\n', "code.map_ttl_hours"),
    ],
)
def test_settings_that_cannot_be_read_are_named_with_their_file(
    machine: Machine, app: Path, text: str, cause: str
) -> None:
    path = app / ".satchel" / "project.toml"
    before = path.read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    for words in (("recall", "before"), ("memory", "list"), ("brief",)):
        done = machine.run(*words, at=app)
        complaint = done.err
        if "[project]" in text:
            assert done.code == 0, "reading goes on with the settings before"
        assert "project.toml" in complaint or "init" in complaint
        if "[project]" in text:
            assert cause in complaint
    path.write_text(before, encoding="utf-8")
    unharmed(machine, app)


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ("[recall]\nlimt = 3\n", "sets 1 unknown name, which has no effect"),
        ('[recall]\nlimit = "few"\n', "sets recall.limit, which has no effect"),
        ("[[hooks]]\ncapture = true\n", "sets 1 unknown name, which has no effect"),
    ],
)
def test_what_a_repository_may_not_set_is_told_by_the_doctor(
    machine: Machine, app: Path, more: str, what: str
) -> None:
    path = app / ".satchel" / "project.toml"
    path.write_text(f"{path.read_text('utf-8')}\n{more}", "utf-8")
    assert machine.run("list", at=app).err == ""
    assert what in machine.run("doctor", at=app).out


def test_a_wrong_setting_in_the_environment_is_named(machine: Machine, app: Path) -> None:
    complaint = machine.fails(2, "recall", "x", at=app, environment={"SATCHEL_RECALL_LIMIT": "few"})
    assert "SATCHEL_RECALL_LIMIT" in complaint


@pytest.mark.parametrize("name", ["with space", "new\nline", "qu'o\"te $HOME `x`", "-dash", "数据"])
def test_a_path_of_any_spelling_is_a_project(machine: Machine, name: str) -> None:
    path = machine.repository(f"in/{name}/app")
    machine.ok("learn", "said in a strange place", at=path)
    machine.says('bd comment BD-1 "LEARNED: heard in a strange place"', path)
    assert sorted(machine.contents(path)) == ["heard in a strange place", "said in a strange place"]
    machine.ok("share", "--yes", at=path)
    assert (path / ".satchel" / "knowledge.jsonl").exists()


def test_a_path_that_a_terminal_would_obey_is_shown_without_its_orders(machine: Machine) -> None:
    path = machine.directory / "red \x1b[31m\u202e app"
    path.mkdir()
    machine.ok("init", "--yes", at=path)
    machine.ok("learn", "x", at=path)


def test_a_path_that_is_not_utf8_is_a_project(machine: Machine) -> None:
    path = os.fsencode(machine.directory) + b"/caf\xe9"
    os.mkdir(path)
    place = os.fsdecode(path)
    assert machine.run("init", "--yes", at=place).code == 0
    assert machine.run("learn", "x", at=place).code == 0
    assert machine.run("recall", "x", at=place).code == 0


def test_a_symlinked_project_is_the_same_project(
    machine: Machine, app: Path, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(app)
    unharmed(machine, tmp_path / "link")
    machine.ok("learn", "through the link", at=tmp_path / "link")
    assert "through the link" in machine.contents(app)


def test_two_projects_of_one_name_do_not_mix(machine: Machine, app: Path) -> None:
    other = machine.repository("elsewhere/app")
    machine.ok("learn", "the other one's", at=other)
    unharmed(machine, app)
    assert machine.contents(other) == ["the other one's"]


def test_a_tracked_ledger_that_is_a_symlink_is_not_written_through(
    machine: Machine, app: Path, tmp_path: Path
) -> None:
    (app / ".satchel" / "knowledge.jsonl").symlink_to(tmp_path / "elsewhere")
    assert "knowledge.jsonl" in machine.fails(7, "share", "--yes", at=app)
    assert not (tmp_path / "elsewhere").exists()


def test_a_reader_that_goes_away_is_no_error(machine: Machine, app: Path) -> None:
    import subprocess

    shell = "satchel memory list --all --json | head -c 1; satchel help | head -1"
    done = subprocess.run(
        ["sh", "-c", shell], cwd=app, env=machine.environment, capture_output=True, check=False
    )
    assert done.stderr == b""


def test_deleting_the_index_loses_nothing(machine: Machine, app: Path) -> None:
    for path in (machine.home / ".satchel").rglob("index.db*"):
        path.unlink()
    unharmed(machine, app)
    for path in (machine.home / ".satchel").rglob("index.db"):
        path.write_bytes(b"this is no database at all" * 100)
    unharmed(machine, app)
    shutil.rmtree(machine.home / ".satchel" / "registry")
    unharmed(machine, app)


def test_an_output_that_cannot_be_written_is_a_failure_in_words(
    machine: Machine, app: Path
) -> None:
    import subprocess

    for words in ("recall before", "memory list --json", "help"):
        done = subprocess.run(
            ["sh", "-c", f"satchel {words} > /dev/full"],
            cwd=app, env=machine.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode != 0
        assert "Traceback" not in done.stderr
        assert "satchel: " in done.stderr


@pytest.mark.parametrize(
    "line",
    ['{"key":"torn', '{"key":"x", broken}', '{"content":"\\u00zz"}', "garbage", "\x00", "[", "{"],
)
def test_a_broken_line_stops_no_command(machine: Machine, app: Path, line: str) -> None:
    """In processes of their own: the JSON scanner behaves otherwise where `json` is loaded."""
    machine.ok("learn", "alpha stays", at=app)
    tracked = app / ".satchel" / "knowledge.jsonl"
    tracked.write_bytes(line.encode() + b"\n")
    assert "alpha stays" in machine.ok("recall", "alpha", at=app)
    machine.ok("rebuild", at=app)
    assert "alpha stays" in machine.ok("recall", "alpha", at=app)
    assert "knowledge.jsonl:1" in machine.run("doctor", at=app).out


def test_who_writes_to_standard_input_may_begin_late(machine: Machine, app: Path) -> None:
    machine.ok("learn", "Rate limits count per key", at=app)
    late = "import time; time.sleep(.4); print('rate limits')"
    with subprocess.Popen([sys.executable, "-c", late], stdout=subprocess.PIPE) as slow:
        found = subprocess.run(
            [COMMAND, "recall"],
            cwd=app,
            env=machine.environment,
            stdin=slow.stdout,
            capture_output=True,
            text=True,
        )
    assert "per key" in found.stdout, found
