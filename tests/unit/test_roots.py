"""A root commit counts only where it is: who names it and a path has no part in a project."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from satchel.testing import run_git
from unit.projects_made import alike, key, project


@pytest.fixture
def registry(tmp_path: Path) -> str:
    return str(tmp_path / "home" / "registry")


_BORROWED = ("alternates", "replaced", "grafted", "linked", "linked-pack", "invented")


@pytest.mark.parametrize("way", _BORROWED)
def test_an_archive_that_knows_a_root_commit_and_a_path_is_not_that_project(
    tmp_path: Path, registry: str, way: str
) -> None:
    """It names both in a `.git` of its own."""
    own = project(tmp_path / "own")
    mine = key(registry, own)
    root = run_git(str(own), "rev-parse", "HEAD").strip()
    unpacked = project(tmp_path / "unpacked", commit=False)
    theirs, objects = unpacked / ".git", own / ".git" / "objects"
    main = run_git(str(unpacked), "symbolic-ref", "HEAD").strip()
    if way in ("alternates", "replaced", "grafted"):
        (theirs / "objects" / "info" / "alternates").write_text(f"{objects}\n")
    if way == "linked":
        shutil.rmtree(theirs / "objects" / root[:2], ignore_errors=True)
        (theirs / "objects" / root[:2]).symlink_to(objects / root[:2])
    elif way == "linked-pack":
        run_git(str(own), "gc", "--quiet")
        shutil.rmtree(theirs / "objects" / "pack")
        (theirs / "objects" / "pack").symlink_to(objects / "pack")
    if way in ("replaced", "grafted"):
        run_git(str(unpacked), "commit", "--quiet", "--message", "theirs")
        if way == "replaced":
            run_git(str(unpacked), "replace", "--graft", "HEAD", root)
        else:
            head = run_git(str(unpacked), "rev-parse", "HEAD").strip()
            (theirs / "info" / "grafts").write_text(f"{head} {root}\n")
    else:
        if way == "invented":
            run_git(str(unpacked), "commit", "--quiet", "--message", "theirs")
            made = run_git(str(unpacked), "rev-parse", "HEAD").strip()
            (theirs / "objects" / root[:2]).mkdir(exist_ok=True)
            shutil.copy(
                theirs / "objects" / made[:2] / made[2:], theirs / "objects" / root[:2] / root[2:]
            )
        (theirs / main).parent.mkdir(parents=True, exist_ok=True)
        (theirs / main).write_text(f"{root}\n")
    listed = run_git(str(unpacked), "rev-list", "--max-parents=0", "HEAD").split()
    assert listed == [root], "git itself believes it"
    apart = key(registry, unpacked)
    assert apart != mine
    assert alike(registry, apart) == [mine], "the person is asked"


@pytest.mark.parametrize("how", ["--shared", "--reference"])
def test_a_clone_that_borrows_from_ones_own_repository_asks_once(
    tmp_path: Path, registry: str, how: str
) -> None:
    own = project(tmp_path / "own")
    mine = key(registry, own)
    more = ("--reference", str(own)) if how == "--reference" else (how,)
    run_git(str(tmp_path), "clone", "--quiet", *more, str(own), "copy")
    apart = key(registry, tmp_path / "copy")
    assert (apart != mine, alike(registry, apart)) == (True, [mine])
    run_git(str(tmp_path), "clone", "--quiet", "--dissociate", *more, str(own), "whole")
    assert key(registry, tmp_path / "whole") == mine
