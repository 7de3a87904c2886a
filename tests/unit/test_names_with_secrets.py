"""Names of branches, collections and agents: none of them keeps a secret on the disk."""

import os
from pathlib import Path

import pytest

from satchel.core.errors import BadInputError
from satchel.core.redaction.names import kept_name, refuse_secret
from satchel.features.notes.collections import Collection, add_collection
from satchel.testing import run_git, temporary_workspace

_TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eF5"


@pytest.mark.parametrize(
    "name",
    ["main", "feature/PROJ-1234-add-login", "release-2026.11", "dependabot/npm/left-pad-1.3"],
)
def test_a_plain_name_is_kept_as_it_is(name: str) -> None:
    assert kept_name(name) == name
    refuse_secret(name, "collection")


def test_a_secret_in_a_name_is_not_kept() -> None:
    assert kept_name(f"fix-{_TOKEN}") == "fix-[redacted:github-token]"
    with pytest.raises(BadInputError, match="name of the agent contains a secret"):
        refuse_secret(f"bob-{_TOKEN}", "agent")


def test_neither_a_collection_nor_an_agent_gets_such_a_name(tmp_path: Path) -> None:
    with temporary_workspace() as workspace:
        with pytest.raises(BadInputError, match="contains a secret"):
            workspace.agents.new(f"bob-{_TOKEN}")
        with pytest.raises(BadInputError, match="contains a secret"):
            add_collection(
                str(tmp_path / "collections.toml"),
                Collection("AKIAQ3EGRT6WXYZ2LMNO", str(tmp_path)),
            )


def test_a_branchs_name_is_in_no_file_of_the_home() -> None:
    with temporary_workspace(git=True) as workspace:
        root = workspace.project.place.root
        run_git(root, "checkout", "--quiet", "-b", f"fix-{_TOKEN}")
        made = workspace.learn("The tapir bus is reset low.", source="agent")
        assert made.branch == "fix-[redacted:github-token]"
        workspace.research.ask("tapir bus")
        workspace.upkeep("branches", dry_run=False, confirmed=True)
        assert workspace.recall("tapir bus").items
        home = Path(workspace.owner().home.path)
        held = [path for path in home.rglob("*") if path.is_file()]
        assert any(path.name.endswith(".table.json") for path in held)
        assert not [path for path in held if _TOKEN.encode() in path.read_bytes()]
        assert not [name for _, _, names in os.walk(home) for name in names if _TOKEN in name]
