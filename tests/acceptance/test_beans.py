"""beans: `BEANS.md` of every tier, its imports, and the budget, as its design document has them."""

import json
from pathlib import Path
from typing import Any

import pytest

from integration.installed import Machine, needs_command
from satchel.testing import run_git
from unit.notes_made import write

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
CLIENTS = ("claude-code", "codex", "copilot", "gemini", "cursor")


@pytest.fixture
def app(machine: Machine) -> Path:
    app = machine.repository("app", layout="beans")
    write(machine.home / ".beans" / "BEANS.md", "# Mine\n\n- answer shortly\n")
    write(
        app / "BEANS.md",
        "---\nversion: 1\npriority: 100\nenabled: true\n---\n\n# Project "
        "Instructions\n\n@import ./docs/coding-standards.md\n\n## Architecture\n- hexagonal\n",
    )
    write(app / "docs" / "coding-standards.md", "- Use 2-space indentation\n")
    write(app / ".beans" / "BEANS.md", "- the hidden project file\n")
    write(app / "plugins" / "code-development" / "memory" / "BEANS.md", "- knows the plugin\n")
    run_git(str(app), "add", "--all")
    run_git(str(app), "commit", "--quiet", "--message", "beans")
    return app


def started(machine: Machine, app: Path, client: str, **more: Any) -> str:
    """What a client's session starts with."""
    given = {
        "session_id": "s-1",
        "hook_event_name": "SessionStart",
        "cwd": str(app),
        "source": "startup",
        **more,
    }
    done = machine.run("hook", "SessionStart", "--client", client, at=app, stdin=json.dumps(given))
    assert done.code == 0
    return done.out


@pytest.mark.parametrize("client", CLIENTS)
def test_beans_md_of_every_tier_reaches_a_client_that_does_not_read_it(
    machine: Machine, app: Path, client: str
) -> None:
    told = started(machine, app, client)
    places = [
        told.index(one)
        for one in (
            "answer shortly",
            "knows the plugin",
            "the hidden project file",
            "Use 2-space indentation",
            "hexagonal",
        )
    ]
    assert places == sorted(places)  # later tiers override
    assert "@import" not in told
    assert "Imported from" not in told
    assert "version: 1" not in told


def test_what_a_client_reads_by_itself_is_not_told_twice(machine: Machine, app: Path) -> None:
    write(app / "CLAUDE.md", "# C\n\n@BEANS.md\n")
    write(app / "GEMINI.md", "- for gemini alone\n")
    assert "hexagonal" not in started(machine, app, "claude-code")
    told = started(machine, app, "gemini")
    assert "hexagonal" in told
    assert "for gemini alone" not in told


def test_they_stay_within_their_budget_and_say_what_is_left_out(
    machine: Machine, app: Path
) -> None:
    write(app / "BEANS.md", "".join(f"- project rule {n} about the build\n" for n in range(400)))
    write(machine.home / ".beans" / "BEANS.md", "- the least important\n" * 50)
    machine.ok("remember", "--kind", "constraint", "Never log request bodies", at=app)
    told = started(machine, app, "gemini")
    assert "project rule 0 about" in told
    assert "the least important" not in told
    assert " more lines: satchel memory show)" in told
    assert "Never log request bodies" in told
    assert len(told) < 9500


def test_a_strangers_beans_md_waits_for_approval(machine: Machine, app: Path) -> None:
    copy = machine.directory / "copy"
    run_git(str(machine.directory), "clone", "--quiet", str(app), str(copy))
    stranger = machine.of_somebody_else("eve")
    told = started(stranger, copy, "gemini")
    assert "hexagonal" not in told
    assert "Use 2-space" not in told


def test_compile_expands_imports(machine: Machine, app: Path) -> None:
    machine.ok("instructions", "compile", "--targets", "gemini,claude", "--yes", at=app)
    for name in ("GEMINI.md", "CLAUDE.md"):
        text = (app / name).read_text("utf-8")
        assert "- Use 2-space indentation\n" in text
        assert "@import" not in text
        assert "version: 1" not in text
    machine.ok("instructions", "compile", "--targets", "gemini,claude", "--check", at=app)
    write(app / "docs" / "coding-standards.md", "- Use tabs\n")
    done = machine.run("instructions", "compile", "--targets", "gemini", "--check", at=app)
    assert (done.code, "stale" in done.out, "+- Use tabs" in done.out) == (1, True, True)
    # The AGENTS.md that it wrote itself is not taken for the rules the next time.
    for _ in range(2):
        machine.ok("instructions", "compile", "--yes", at=app)
    assert "from=BEANS.md" in (app / "AGENTS.md").read_text("utf-8")
    machine.ok("instructions", "compile", "--check", at=app)


def test_claude_takes_every_text_file_and_says_what_it_ignored(machine: Machine, app: Path) -> None:
    write(app / "d" / "y.md", "never seen\n")
    write(app / "d" / "t.txt", "plain text\n")
    write(app / "package.json", '{"name": "shop"}\n')
    write(app / "d" / "picture.png", b"\x89PNG\0\0")
    write(
        app / "CLAUDE.md",
        "See @d/y.md, and @d/t.txt and @package.json and @d/picture.png\n"
        "by @somebody with @types/node\n",
    )
    shown = machine.ok("memory", "show", "--client", "claude", at=app)
    assert "plain text" in shown
    assert '{"name": "shop"}' in shown
    assert "never seen" not in shown
    assert "problem: d/y.md, (named in CLAUDE.md): its name ends in ','" in shown
    assert "it holds binary data" in shown
    assert "somebody (" not in shown
    assert "types/node (" not in shown
