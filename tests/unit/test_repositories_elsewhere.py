"""A file `.git` may name any repository: only one that names this work tree is followed."""

import os
import shutil
from pathlib import Path

import pytest

from satchel.project import place
from satchel.project.place import find_place
from satchel.testing import run_git
from unit.projects_made import ID, key, project


@pytest.fixture
def registry(tmp_path: Path) -> str:
    os.makedirs(tmp_path / "home" / "projects")
    return str(tmp_path / "home" / "registry")


def elsewhere(tmp_path: Path) -> list[tuple[Path, str]]:
    """Make work trees whose repositories are not called `.git`; return each with where its own is."""
    seed = project(tmp_path / "seed")
    run_git(str(tmp_path), "clone", "--quiet", "--bare", str(seed), "app.git")
    run_git(str(tmp_path / "app.git"), "worktree", "add", "--quiet", str(tmp_path / "app"), "main")
    within = tmp_path / "within"
    run_git(str(tmp_path), "clone", "--quiet", "--bare", str(seed), str(within / ".bare"))
    (within / ".git").write_text("gitdir: ./.bare\n")
    run_git(str(within / ".bare"), "worktree", "add", "--quiet", str(within / "main"), "main")
    whole = project(tmp_path / "whole", text=ID.replace("TEMPLATE", "WHOLE"))
    part = ("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(seed))
    run_git(str(whole), *part, "lib")
    run_git(str(whole), "worktree", "add", "--quiet", "-b", "stale", str(tmp_path / "gone"))
    shutil.rmtree(tmp_path / "gone")
    return [
        (tmp_path / "app", "app.git"),
        (within / "main", "within/.bare"),
        (whole / "lib", "whole/.git/modules/lib"),
        (whole, "whole/.git/worktrees/stale"),
    ]


@pytest.mark.parametrize("link", [False, True])
def test_an_archive_that_names_a_repository_elsewhere_is_not_that_project(
    tmp_path: Path, registry: str, *, link: bool
) -> None:
    for number, (tree, git) in enumerate(elsewhere(tmp_path)):
        mine = key(registry, tree)
        found = find_place(str(tree))
        assert found is not None
        assert found.common, "its own work tree is confirmed"
        unpacked = project(tmp_path / f"unpacked{number}", git=False)
        if link:
            (unpacked / ".git").symlink_to(f"../{git}")
        else:
            (unpacked / ".git").write_text(f"gitdir: ../{git}\n")
        (unpacked / ".satchel" / "project.toml").write_bytes(
            (tree / ".satchel" / "project.toml").read_bytes()
        )
        assert key(registry, unpacked) != mine, git
        assert key(registry, tree) == mine


def test_a_place_that_takes_any_directory_for_its_own_is_caught(
    tmp_path: Path, registry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug: what the named repository says of its work tree is not looked at."""
    tree, git = elsewhere(tmp_path)[0]
    unpacked = project(tmp_path / "unpacked", git=False)
    (unpacked / ".git").write_text(f"gitdir: ../{git}\n")
    assert key(registry, unpacked) != key(registry, tree)
    monkeypatch.setattr(place, "_is_of_here", lambda *_: True)
    assert key(registry, unpacked) == key(registry, tree)


def test_a_repository_kept_elsewhere_is_known_once_it_names_its_work_tree(
    tmp_path: Path, registry: str
) -> None:
    main = project(tmp_path / "app")
    run_git(str(main), "init", "--quiet", "--separate-git-dir", str(tmp_path / "kept"))
    apart = find_place(str(main))
    run_git(str(main), "config", "core.worktree", str(main))
    joined = find_place(str(main))
    assert (apart and apart.common, joined and joined.common) == ("", str(tmp_path / "kept"))
