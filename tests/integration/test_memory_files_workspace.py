"""Instruction files through the public API: kept for a session, saved after a look, within their home."""

import os
from collections.abc import Iterator

import pytest

from satchel.core.errors import BadInputError, ConflictError
from satchel.features.instructions import adding, approving
from satchel.features.instructions.service import InstructionRequest
from satchel.features.instructions.trust_policy import EVERYWHERE
from satchel.testing import reopened, run_git, temporary_workspace
from satchel.workspace import Workspace


@pytest.fixture(autouse=True)
def home(tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """Nothing of the person who runs the tests is read."""
    monkeypatch.setenv("HOME", os.fspath(tmp_path))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "CURSOR_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    return os.path.realpath(os.fspath(tmp_path))


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as opened:
        yield opened


def write(workspace: Workspace, name: str, text: str) -> str:
    path = os.path.join(workspace.project.place.root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def test_memory_files_are_read_once_in_a_session_until_they_are_refreshed(
    workspace: Workspace,
) -> None:
    write(workspace, "AGENTS.md", "one\n")
    instructions = workspace.instructions
    first = instructions.loaded()
    write(workspace, "AGENTS.md", "two\n")
    assert instructions.loaded() is first
    assert instructions.refresh().added
    assert "two" in instructions.text(instructions.loaded())


def test_with_watching_on_a_change_and_a_new_file_are_seen_at_once() -> None:
    with temporary_workspace(settings="[instructions]\nwatch = true\n") as workspace:
        write(workspace, "AGENTS.md", "one\n@import a.md\n")
        write(workspace, "a.md", "imported\n")
        instructions = workspace.instructions
        first = instructions.loaded()
        assert instructions.loaded() is first
        write(workspace, "a.md", "changed\n")
        assert "changed" in instructions.text(instructions.loaded())
        write(workspace, "CLAUDE.md", "new\n")
        assert "new" in instructions.text(instructions.loaded())


def test_what_did_not_change_is_not_read_again(workspace: Workspace) -> None:
    for name in ("AGENTS.md", "CLAUDE.md"):
        path = write(workspace, name, f"{name}\n")
        os.utime(path, (1, 1))
    # The clock of the workspace stands at another time than the files' own: nothing is too fresh.
    workspace.instructions.refresh()
    again = reopened(workspace).instructions
    again.stamped(again.loaded().read)
    assert (again.file_stats.hits, again.file_stats.misses) == (2, 0)


def test_saving_is_proposed_looked_at_and_applied(workspace: Workspace) -> None:
    path = write(workspace, "AGENTS.md", "# Shop\n")
    proposal = adding.propose_entry(workspace.instructions, "be kind", section="Style")
    assert proposal.diff.endswith("+\n+## Style\n+- be kind\n")
    with open(path, encoding="utf-8") as file:
        assert file.read() == "# Shop\n"
    assert proposal.apply() == [path]
    with pytest.raises(BadInputError):
        adding.propose_entry(workspace.instructions, " \n ")
    with pytest.raises(BadInputError):
        adding.propose_entry(workspace.instructions, "x", target="../elsewhere.md")


def test_a_local_file_that_is_there_is_written_to(workspace: Workspace) -> None:
    write(workspace, "AGENTS.md", "x\n")
    path = write(workspace, "CLAUDE.local.md", "mine\n")
    assert adding.propose_entry(
        workspace.instructions, "be kind", "local"
    ).target == os.path.realpath(path)


def test_what_git_tracks_already_is_said_to_be_seen(workspace: Workspace) -> None:
    write(workspace, "AGENTS.local.md", "mine\n")
    run_git(workspace.project.place.root, "add", "--all")
    run_git(workspace.project.place.root, "commit", "--quiet", "--message", "too late")
    proposal = adding.propose_entry(workspace.instructions, "be kind", "local")
    assert "git tracks AGENTS.local.md already" in proposal.notes[0]
    assert len(proposal.changes) == 1


def test_segments_have_provenance_and_stay_within_a_budget(workspace: Workspace) -> None:
    path = write(workspace, "AGENTS.md", "".join(f"## P{n}\n{'word ' * 90}\n" for n in range(40)))
    loaded = workspace.instructions.loaded(InstructionRequest(budget=600))
    (segment,) = loaded.segments
    assert (segment.path, segment.tier, segment.first_line) == (
        os.path.realpath(path),
        "project",
        1,
    )
    assert 300 < loaded.tokens <= 600
    assert sum(one.tokens for one in loaded.left_out) > 3000


def test_an_approval_can_hold_everywhere(workspace: Workspace, home: str) -> None:
    outside = os.path.join(home, "shared.md")
    with open(outside, "w", encoding="utf-8") as file:
        file.write("SHARED\n")
    write(workspace, "BEANS.md", "@import ~/shared.md\n")
    instructions = workspace.instructions
    assert "SHARED" not in instructions.text(instructions.loaded())
    approving.approve(instructions, outside, everywhere=True)
    assert instructions.approvals.of("any other project") == instructions.approvals.of(EVERYWHERE)
    fresh = workspace.instructions
    assert "SHARED" in fresh.text(fresh.loaded())
    assert approving.revoke(fresh, "~/shared.md") == [outside]
    assert approving.approved(fresh) == []


def test_what_changes_between_the_look_and_the_word_is_not_approved(
    workspace: Workspace, home: str
) -> None:
    outside = os.path.join(home, "shared.md")
    with open(outside, "w", encoding="utf-8") as file:
        file.write("HARMLESS\n")
    instructions = workspace.instructions
    shown = approving.would_approve(instructions, outside)
    with open(outside, "w", encoding="utf-8") as file:
        file.write("HARMFUL\n")
    with pytest.raises(ConflictError, match="has changed since it was shown"):
        approving.approve(instructions, outside, shown=shown)
    assert approving.approved(instructions) == []


def test_in_a_home_that_git_tracks_a_project_speaks_for_its_own_directory_alone(
    home: str,
) -> None:
    run_git(home, "init", "--quiet")
    below = os.path.join(home, "code", "shop")
    os.makedirs(os.path.join(below, ".satchel"))
    with open(os.path.join(below, ".satchel", "project.toml"), "w", encoding="utf-8") as file:
        file.write('[project]\nid = "01TESTTESTTESTTESTTESTTEST"\n')
    for path, text in (("secret.md", "SECRET\n"), ("code/shop/BEANS.md", "@import ~/secret.md\n")):
        with open(os.path.join(home, path), "w", encoding="utf-8") as file:
            file.write(text)
    with Workspace.open(below, home=os.path.join(home, ".satchel")) as workspace:
        instructions = workspace.instructions
        assert instructions.root == below
        assert "SECRET" not in instructions.text(instructions.loaded())
