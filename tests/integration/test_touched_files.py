"""What is remembered about a file is told when an agent opens it: once, seldom, and if asked for."""

from __future__ import annotations

import inspect
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from integration.installed import COMMAND, Machine, needs_command
from integration.seeded_bugs import plant
from satchel.application.briefs.touched_file import OnlyOne
from satchel.application.recall.named_files import files_named
from satchel.testing import run_git

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
LESSON = "src/store.py: the lock must be taken before the index is opened"


@pytest.fixture
def shop(machine: Machine) -> Path:
    """A project with files of two directories, where the setting is on."""
    path = machine.repository("shop")
    for name in ("src/store.py", "src/cart.py", "lib/cart.py", "src/till.py"):
        (path / name).parent.mkdir(exist_ok=True)
        (path / name).write_text("x = 1\n", "utf-8")
    machine.ok("config", "set", "hooks.touch", "true", at=path)
    return path


def opens(
    machine: Machine, at: Path, name: str | Path, *, tool: str = "Read", session: str = "s-1",
    client: str = "claude-code", **more: Any,
) -> str:  # fmt: skip
    """An agent opens a file; what it is told before."""
    given = {
        "session_id": session, "cwd": str(at), "tool_name": tool,
        "tool_input": {"file_path": str(at / name)}, **more,
    }  # fmt: skip
    done = subprocess.run(
        [COMMAND, "hook", "PreToolUse", "--client", client],
        cwd=at, input=json.dumps(given), capture_output=True, text=True, check=True, timeout=30,
        env=machine.environment,
    )  # fmt: skip
    assert done.stderr == ""
    if not done.stdout:
        return ""
    answer = json.loads(done.stdout)
    inner = answer.get("hookSpecificOutput", answer)
    told = inner.get("additionalContext", answer.get("additional_context", ""))
    assert isinstance(told, str)
    return told


@pytest.mark.parametrize("tool", ["Read", "Edit", "Write"])
def test_a_memory_that_names_the_file_is_told_once_with_its_id(
    machine: Machine, shop: Path, tool: str
) -> None:
    machine.ok("learn", LESSON, at=shop)
    (kept,) = machine.json("memory", "list", at=shop)
    told = opens(machine, shop, "src/store.py", tool=tool)
    assert len(told.splitlines()) == 3  # a line in its fence
    assert LESSON in told
    assert kept["id"][:14] in told
    assert opens(machine, shop, "src/store.py", tool=tool) == ""
    assert LESSON in opens(machine, shop, "src/store.py", session="s-2")
    (noted,) = machine.json("why-injected", "s-1", at=shop)
    (item,) = noted["items"]
    assert (item["section"], item["id"]) == ("touch", kept["id"])
    assert item["why"] == "names src/store.py"


def test_it_is_off_by_default_and_where_nothing_is_injected(machine: Machine, shop: Path) -> None:
    machine.ok("learn", LESSON, at=shop)
    machine.ok("config", "set", "hooks.inject", "false", at=shop)
    assert opens(machine, shop, "src/store.py") == ""
    machine.ok("config", "unset", "hooks.inject", at=shop)
    machine.ok("config", "unset", "hooks.touch", at=shop)
    assert opens(machine, shop, "src/store.py") == ""


def test_what_a_brief_or_a_prompt_has_told_is_not_told_again(machine: Machine, shop: Path) -> None:
    machine.ok("learn", LESSON, at=shop)
    started = machine.hook("SessionStart", shop, source="startup")
    assert LESSON in json.dumps(started)
    assert opens(machine, shop, "src/store.py") == ""
    machine.hook("SessionStart", shop, source="resume")
    assert opens(machine, shop, "src/store.py") == ""


def test_an_anchored_memory_is_told_although_it_names_no_file(machine: Machine, shop: Path) -> None:
    machine.ok("learn", "Take the lock first.", "--at", "src/store.py", at=shop)
    assert "Take the lock first." in opens(machine, shop, "src/store.py")


def test_a_renamed_file_keeps_its_memories(machine: Machine, shop: Path) -> None:
    (shop / "src" / "store.py").write_text("def lock():\n    a = 1\n    return a\n", "utf-8")
    machine.ok("learn", "Take the lock first.", "--at", "src/store.py", at=shop)
    run_git(str(shop), "add", "--all")
    run_git(str(shop), "commit", "--quiet", "--message", "files")
    run_git(str(shop), "mv", "src/store.py", "src/vault.py")
    machine.ok("upkeep", at=shop)
    assert opens(machine, shop, "src/till.py") == ""
    assert "Take the lock first." in opens(machine, shop, "src/vault.py")


def test_a_name_that_two_files_have_names_neither(machine: Machine, shop: Path) -> None:
    machine.ok("learn", "cart.py rounds to whole cents", at=shop)
    machine.ok("learn", "till.py is generated", at=shop)
    assert opens(machine, shop, "src/cart.py") == ""
    assert opens(machine, shop, "lib/cart.py") == ""
    assert "till.py is generated" in opens(machine, shop, "src/till.py")


def test_a_text_that_names_many_files_is_about_none(machine: Machine, shop: Path) -> None:
    machine.ok("learn", "Renamed a.py, b.py and src/till.py at once", at=shop)
    assert opens(machine, shop, "src/till.py") == ""


def test_a_path_outside_and_a_link_out_of_the_project_tell_nothing(
    machine: Machine, shop: Path, tmp_path: Path
) -> None:
    machine.ok("learn", LESSON, at=shop)
    other = tmp_path / "elsewhere" / "src"
    other.mkdir(parents=True)
    (other / "store.py").write_text("y = 1\n", "utf-8")
    assert opens(machine, shop, other / "store.py") == ""
    os.symlink(other, shop / "linked")
    assert opens(machine, shop, "linked/store.py") == ""
    os.symlink("store.py", shop / "src" / "alias.py")
    assert LESSON in opens(machine, shop, "src/alias.py")


def test_a_subagent_and_a_client_that_would_not_show_it_get_nothing(
    machine: Machine, shop: Path
) -> None:
    machine.ok("learn", LESSON, at=shop)
    assert opens(machine, shop, "src/store.py", agent_id="a-1", agent_type="reviewer") == ""
    for client in ("gemini", "opencode"):
        assert opens(machine, shop, "src/store.py", client=client, session=client) == ""
    for client in ("copilot", "cursor"):
        assert LESSON in opens(machine, shop, "src/store.py", client=client, session=client)


def test_a_session_is_told_three_at_most_and_not_what_it_has_learnt_itself(
    machine: Machine, shop: Path
) -> None:
    for number in range(5):
        (shop / f"part{number}.py").write_text("x = 1\n", "utf-8")
        machine.ok("learn", f"part{number}.py is generated by hand {number}", at=shop)
    told = [opens(machine, shop, f"part{number}.py") for number in range(5)]
    assert [bool(one) for one in told] == [True, True, True, False, False]
    own = {"SATCHEL_SESSION": "s-3", "CLAUDECODE": "1"}
    assert machine.run("learn", LESSON, at=shop, environment=own).code == 0
    assert opens(machine, shop, "src/store.py", session="s-3") == ""


def test_what_a_stranger_committed_is_told_only_once_it_is_approved(
    machine: Machine, shop: Path
) -> None:
    machine.ok("learn", LESSON, at=shop)
    machine.ok("share", "--yes", at=shop)
    run_git(str(shop), "add", "--all")
    run_git(str(shop), "commit", "--quiet", "--message", "shared")
    other = machine.of_somebody_else("guest")
    other.environment |= {**machine.environment, "HOME": str(other.home)}
    clone = machine.directory / "clone"
    shutil.copytree(shop, clone)
    other.ok("init", "--yes", at=clone)
    other.ok("config", "set", "hooks.touch", "true", at=clone)
    assert opens(other, clone, "src/store.py") == ""
    other.ok("approve", "--all", "--yes", at=clone)
    assert LESSON in opens(other, clone, "src/store.py", session="s-2")


#: Promise -> the module, what it is given, and the test that must notice.
BUGS: dict[str, tuple[str, str, Callable[..., None]]] = {
    "what a stranger says waits": (
        "application.outlet",
        (
            "Outlet.naming = lambda self, text, kinds, fits: [Shown(one.record)"
            " for store in (self._own, self._own.held)"
            " for one in store.listed(Filter(kinds=kinds, naming=text), 99) if fits(one.record)]"
        ),
        test_what_a_stranger_committed_is_told_only_once_it_is_approved,
    ),
    "what was told is not told again": (
        "application.briefs.touched_file",
        "still_held = lambda before: []",
        test_what_a_brief_or_a_prompt_has_told_is_not_told_again,
    ),
    "three are enough": (
        "interfaces.hooks.touch",
        "TouchedFiles.end = lambda self: None",
        test_a_session_is_told_three_at_most_and_not_what_it_has_learnt_itself,
    ),
    "a link is followed": (
        "interfaces.hooks.touch",
        (
            "import types\nos = types.SimpleNamespace(sep='/', path=types.SimpleNamespace("
            "**{**vars(os.path), 'realpath': os.path.normpath}))"
        ),
        test_a_path_outside_and_a_link_out_of_the_project_tell_nothing,
    ),
    "who would not see it gets nothing": (
        "interfaces.hooks.touch",
        "import types\nhooks_of = lambda client: types.SimpleNamespace(told_before_tools=True)",
        test_a_subagent_and_a_client_that_would_not_show_it_get_nothing,
    ),
}


@pytest.mark.parametrize("promise", BUGS)
def test_a_seeded_bug_is_caught(promise: str, machine: Machine, shop: Path, tmp_path: Path) -> None:
    module, seed, test = BUGS[promise]
    plant(machine, f"satchel.{module}", seed)
    given = {"machine": machine, "shop": shop, "tmp_path": tmp_path}
    wanted = {name: given[name] for name in inspect.signature(test).parameters}
    with pytest.raises((AssertionError, LookupError)) as caught:
        test(**wanted)
    assert "Traceback" not in str(caught.value), "the seed broke the command, not the promise"


def test_words_that_look_like_names_of_files() -> None:
    text = "See ./src/a.py, `b.go:11-90` and (docs/c.md). E.g. i.e. v1 done."
    assert files_named(text) == ["src/a.py", "b.go", "docs/c.md"]
    assert files_named(".env is read") == [".env"]


def test_the_end_of_a_path_means_a_file_that_alone_has_it() -> None:
    only = OnlyOne("/p", "src/x/a.py", lambda: ["src/x/a.py", "lib/x/a.py", "src/b.py"])
    assert only("src/x/a.py")
    assert only("/p/src/x/a.py")
    assert not only("x/a.py")
    assert not only("a.py")
    assert not only("b.py")
