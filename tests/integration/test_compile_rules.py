"""One source of rules in every client's instruction file: compiled, compared, removed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
FILES = ("CLAUDE.md", "AGENTS.md", "GEMINI.md", ".github/copilot-instructions.md",
         ".cursor/rules/satchel.mdc")  # fmt: skip
RULES = "# Rules\n\n- Run `make check`.\n- Größe in mm.\n"
COMPILE = ("instructions", "compile")


@pytest.fixture
def shop(machine: Machine) -> Path:
    path = machine.repository("shop", init=False)
    (path / ".satchel").mkdir()
    (path / ".satchel/rules.md").write_text(RULES)
    return path


def test_every_client_s_file_says_the_rules_and_what_people_wrote_stays(
    machine: Machine, shop: Path
) -> None:
    (shop / "CLAUDE.md").write_bytes(b"# Ours\r\n\r\nby hand, no line end at the end")
    (shop / "GEMINI.md").write_bytes("größer\n".encode())
    machine.ok(*COMPILE, "--yes", at=shop)
    for name in FILES:
        text = (shop / name).read_bytes().decode().replace("\r\n", "\n")
        assert text.count(RULES) == 1, name
    assert (
        (shop / "CLAUDE.md")
        .read_bytes()
        .startswith(b"# Ours\r\n\r\nby hand, no line end at the end\r\n")
    )
    assert (shop / ".cursor/rules/satchel.mdc").read_text().startswith("---\ndescription: ")
    assert machine.run(*COMPILE, "--check", at=shop).code == 0
    assert "Every file matches" in machine.ok(*COMPILE, "--yes", at=shop)
    machine.ok("undo", "--setup", "--yes", at=shop)
    assert (shop / "CLAUDE.md").read_bytes() == b"# Ours\r\n\r\nby hand, no line end at the end"
    assert not (shop / "AGENTS.md").exists()
    assert not (shop / ".cursor").exists()


def test_drift_of_every_kind_exits_1_and_says_what_differs(machine: Machine, shop: Path) -> None:
    machine.ok(*COMPILE, "--yes", at=shop)
    (shop / ".satchel/rules.md").write_text(RULES + "- New.\n")
    (shop / "CLAUDE.md").unlink()
    agents = shop / "AGENTS.md"
    agents.write_text(agents.read_text().replace("make check", "make all"))
    gemini = shop / "GEMINI.md"
    gemini.write_text(gemini.read_text().replace("END", "Ende"))
    done = machine.run(*COMPILE, "--check", at=shop)
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[:5] == ["missing  CLAUDE.md", "edited   AGENTS.md",
                         "stale    .github/copilot-instructions.md", "broken   GEMINI.md", "stale    .cursor/rules/satchel.mdc"]  # fmt: skip
    assert "+- New." in done.out
    assert "-- Run `make all`." in done.out
    found = json.loads(machine.run(*COMPILE, "--check", "--json", at=shop).out)
    assert [one["state"] for one in found["targets"]] == [
        "missing",
        "edited",
        "stale",
        "broken",
        "stale",
    ]


def test_an_edit_inside_a_block_is_not_lost_unless_that_is_said(
    machine: Machine, shop: Path
) -> None:
    machine.ok(*COMPILE, "--yes", at=shop)
    agents = shop / "AGENTS.md"
    edited = "above\n" + agents.read_text().replace("make check", "make all") + "below\n"
    agents.write_text(edited)
    assert "was edited by hand" in machine.fails(7, *COMPILE, "--yes", at=shop)
    assert agents.read_text() == edited
    machine.ok(*COMPILE, "--yes", "--overwrite", at=shop)
    text = agents.read_text()
    assert text.startswith("above\n")
    assert text.endswith("below\n")
    assert "make all" not in text
    machine.ok(*COMPILE, "--remove", "--yes", at=shop)
    assert agents.read_text() == "above\nbelow\n"
    assert not (shop / "GEMINI.md").exists()


def test_agents_md_is_the_source_where_there_is_no_other_and_links_to_it_are_left(
    machine: Machine, shop: Path
) -> None:
    (shop / ".satchel/rules.md").unlink()
    (shop / "AGENTS.md").write_text(RULES)
    (shop / "CLAUDE.md").symlink_to("AGENTS.md")
    done = machine.run(*COMPILE, "--yes", at=shop)
    assert done.code == 0
    assert "CLAUDE.md is the same file as AGENTS.md" in done.err
    assert (shop / "AGENTS.md").read_text() == RULES
    assert "from=AGENTS.md" in (shop / "GEMINI.md").read_text()
    assert machine.run(*COMPILE, "--check", at=shop).code == 0


def test_hostile_targets_and_sources_are_refused_and_nothing_is_written(
    machine: Machine, shop: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "profile"
    outside.write_text("mine\n")
    (shop / "GEMINI.md").symlink_to(outside)
    assert "outside the repository" in machine.fails(7, *COMPILE, "--yes", at=shop)
    assert outside.read_text() == "mine\n"
    assert not (shop / "CLAUDE.md").exists()
    (shop / "GEMINI.md").unlink()
    (shop / "GEMINI.md").write_bytes(b"\xff\xfe")
    assert "not UTF-8" in machine.fails(7, *COMPILE, "--yes", at=shop)
    (shop / "GEMINI.md").unlink()
    source = shop / ".satchel/rules.md"
    for raw, code in ((b"\n \n", 2), (b"\xff", 2), (b"<!-- BEGIN SATCHEL RULES x -->\n", 2)):
        source.write_bytes(raw)
        machine.fails(code, *COMPILE, "--yes", at=shop)
    source.unlink()
    os.mkfifo(source)
    machine.fails(2, *COMPILE, "--yes", at=shop)
    source.unlink()
    source.symlink_to(outside)
    machine.fails(2, *COMPILE, "--yes", at=shop)
    source.unlink()
    assert "There are no rules" in machine.fails(4, *COMPILE, "--yes", at=shop)
    machine.fails(2, *COMPILE, "--targets", "emacs", "--yes", at=shop)
    assert not (shop / "CLAUDE.md").exists()


def shown(machine: Machine, shop: Path, *more: str) -> list[tuple[str, str]]:
    """Return what agents are shown of instruction files: file and text."""
    found = machine.json("instructions", "show", *more, at=shop)["segments"]
    return [(os.path.relpath(one["path"], shop), one["text"]) for one in found]


def said(machine: Machine, shop: Path, words: str, *more: str) -> list[str]:
    """Return the files that say these words, as often as they do."""
    return [name for name, text in shown(machine, shop, *more) for _ in range(text.count(words))]


def test_what_compile_wrote_is_shown_once_beside_what_people_wrote(
    machine: Machine, shop: Path
) -> None:
    machine.ok("init", "--yes", "--no-hooks", at=shop)
    copilot = shop / ".github/copilot-instructions.md"
    copilot.parent.mkdir()
    copilot.write_text("# Copilot\n\nabove\n")
    machine.ok(*COMPILE, "--yes", at=shop)
    gemini = shop / "GEMINI.md"
    for path in (copilot, gemini):
        path.write_text(f"{path.read_text()}below {path.name}\n")
    assert len(said(machine, shop, "- Run `make check`.")) == 1
    for words in ("above", "below copilot-instructions.md", "below GEMINI.md"):
        assert len(said(machine, shop, words)) == 1, words
    (last,) = [
        one
        for one in machine.json("instructions", "show", at=shop)["segments"]
        if one["text"].strip() == "below GEMINI.md"
    ]
    assert last["last_line"] == len(gemini.read_text().splitlines())
    # A client that has the rules in its own file is not told them by another one's.
    assert said(machine, shop, "- Run `make check`.", "--beyond", "gemini") == []
    assert said(machine, shop, "- Run `make check`.", "--client", "gemini") == ["GEMINI.md"]
    # What was edited is its file's own text, and so is what has lost a mark.
    gemini.write_text(gemini.read_text().replace("make check", "make all"))
    assert said(machine, shop, "- Run `make all`.") == ["GEMINI.md"]
    gemini.write_text(gemini.read_text().replace("END SATCHEL", "Ende"))
    assert said(machine, shop, "- Run `make all`.") == ["GEMINI.md"]


def test_what_was_compiled_from_a_file_that_is_shown_is_not_shown_again(
    machine: Machine, shop: Path
) -> None:
    machine.ok("init", "--yes", "--no-hooks", at=shop)
    (shop / ".satchel/rules.md").unlink()
    (shop / "more.md").write_text("- Say what broke.\n")
    (shop / "AGENTS.md").write_text(f"{RULES}\n@import more.md\n")
    (shop / ".github").mkdir()
    copilot = shop / ".github/copilot-instructions.md"
    copilot.write_text("above\n")
    machine.ok(*COMPILE, "--yes", at=shop)
    assert said(machine, shop, "- Run `make check`.") == ["AGENTS.md"]
    assert said(machine, shop, "- Say what broke.") == ["more.md"]
    assert said(machine, shop, "above") == [".github/copilot-instructions.md"]
    listed = machine.ok("instructions", "list", at=shop)
    assert "CLAUDE.md  not shown: `compile` wrote it: AGENTS.md says the same" in listed
    # The source is newer than what was compiled from it.
    (shop / "AGENTS.md").write_text("- Run `make test`.\n")
    assert said(machine, shop, "- Run `make") == ["AGENTS.md"]
    # Nothing takes the place of a source that is gone, or that is not shown.
    (shop / "AGENTS.md").unlink()
    assert len(said(machine, shop, "- Run `make check`.")) == 1
