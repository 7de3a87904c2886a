"""A session begins above the projects: what it does in one, and was asked for it, is that one's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from integration.installed import Machine, needs_command
from integration.seeded_bugs import plant
from integration.thread_made import AgentAtWork, Repository

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

SAID = "No, use pnpm here, never npm."
OF_BOTH = "No, always write dates as ISO 8601, never as words."
OF_NONE = "No, the other customer must never be named in a commit."


@pytest.fixture
def projects(machine: Machine) -> tuple[Path, Path]:
    """Two clones in a folder that is no repository."""
    return machine.repository("shop"), machine.repository("till")


def hook(machine: Machine, event: str, **payload: Any) -> dict[str, Any]:
    """Call a hook as a client does whose session began in the folder above."""
    given = {
        "session_id": "5d3a1c9e-0000-4000-8000-00000000ab0e",
        "cwd": str(machine.directory),
        "hook_event_name": event,
        **payload,
    }
    told = machine.ok("hook", event, at=machine.directory, stdin=json.dumps(given))
    answer: dict[str, Any] = json.loads(told) if told else {}
    return answer


def guard(machine: Machine, project: Path) -> None:
    added = machine.json(
        "guards", "add", "--message", "Generated.", "--tool", "Write", "--path", "gen/*",
        "--blocks", "gen/a.py", "--allows", "src/a.py", at=project,
    )  # fmt: skip
    machine.ok("guards", "approve", added["added"][0]["id"], "--yes", at=project)


def written(path: str) -> dict[str, Any]:
    return {"tool_name": "Write", "tool_input": {"file_path": path, "content": "x\n"}}


def test_a_guard_is_asked_about_the_files_of_its_project(
    machine: Machine, projects: tuple[Path, Path]
) -> None:
    shop, till = projects
    guard(machine, shop)
    for path in (f"{shop}/gen/a.py", "shop/gen/a.py"):
        answer = hook(machine, "PreToolUse", **written(path))
        assert "Generated." in answer["hookSpecificOutput"]["additionalContext"]
    for path in (f"{shop}/src/a.py", f"{till}/gen/a.py", f"{machine.directory}/gen/a.py"):
        assert hook(machine, "PreToolUse", **written(path)) == {}


def test_a_prompt_above_is_nobodys(machine: Machine, projects: tuple[Path, Path]) -> None:
    for event in ("SessionStart", "UserPromptSubmit", "SubagentStart", "SessionEnd"):
        assert hook(machine, event, prompt="Remember: use pnpm in the shop") == {}
    for project in projects:
        assert machine.json("memory", "list", at=project) == []


def said_above(machine: Machine) -> None:
    """Correct an agent about one project, about two at once, and about neither."""
    work = AgentAtWork(Repository(machine.directory), machine.home)
    work.prompt("add a script that installs everything")
    work.write("shop/install.sh", "npm ci --ignore-scripts --no-audit\n")
    work.prompt(SAID)
    work.write("shop/install.sh", "pnpm install --frozen-lockfile\n")
    work.prompt(OF_BOTH)
    work.write("shop/dates.py", "today = date.today().isoformat()\n")
    work.write("till/dates.py", "today = date.today().isoformat()\n")
    work.prompt(OF_NONE)
    work.says("I see.")


def suggested(machine: Machine, project: Path) -> str:
    machine.ok("reflect", at=project)
    return json.dumps(machine.json("review", at=project))


def test_what_was_said_of_one_project_alone_is_suggested_there(
    machine: Machine, projects: tuple[Path, Path]
) -> None:
    said_above(machine)
    shop, till = (suggested(machine, project) for project in projects)
    assert "pnpm" in shop
    assert "pnpm" not in till
    for text in ("ISO 8601", "other customer"):
        assert text not in shop + till


def test_taking_all_that_was_said_above_is_noticed(
    machine: Machine, projects: tuple[Path, Path]
) -> None:
    plant(
        machine,
        "satchel.features.sessions.project_part",
        "ProjectPart.prompts = lambda self, turns, cwd: [one for one in turns if is_prompt(one)]",
    )
    with pytest.raises(AssertionError):
        test_what_was_said_of_one_project_alone_is_suggested_there(machine, projects)
