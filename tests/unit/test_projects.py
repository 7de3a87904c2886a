import os
import shutil
from pathlib import Path

import pytest

from satchel.core.errors import NoProjectError, NotReadableError, NotWritableError
from satchel.project import place
from satchel.project.place import branch_of, find_place
from satchel.project.registry import (
    keep_identity,
    place_for_init,
    project_id_for,
    project_key,
    read_identity,
)
from satchel.project.roots import root_commits
from satchel.storage.paths import UserHome
from satchel.testing import run_git
from unit.projects_made import ID, alike, key, project


@pytest.fixture
def registry(tmp_path: Path) -> str:
    return str(tmp_path / "home" / "registry")


def test_a_subdirectory_a_symlink_a_worktree_and_a_clone_are_the_same_project(
    tmp_path: Path, registry: str
) -> None:
    main = project(tmp_path / "app")
    (main / "src" / "deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(main)
    run_git(str(main), "worktree", "add", "--quiet", "-b", "side", str(tmp_path / "tree"))
    run_git(str(tmp_path), "clone", "--quiet", str(main), "copy")
    places = [main, main / "src" / "deep", tmp_path / "link", tmp_path / "tree", tmp_path / "copy"]
    assert len({key(registry, place) for place in places}) == 1


def test_a_copied_template_is_another_project(tmp_path: Path, registry: str) -> None:
    main = project(tmp_path / "app")
    first = key(registry, main)
    shutil.copytree(main, tmp_path / "new", ignore=shutil.ignore_patterns(".git"))
    run_git(str(tmp_path / "new"), "init", "--quiet")
    before_the_first_commit = key(registry, tmp_path / "new")
    run_git(str(tmp_path / "new"), "add", "--all")
    run_git(str(tmp_path / "new"), "commit", "--quiet", "--message", "another beginning")
    assert first not in (before_the_first_commit, key(registry, tmp_path / "new"))
    assert before_the_first_commit == key(registry, tmp_path / "new")


@pytest.mark.parametrize("way", ["file", "link", "worktree", "commondir", "links"])
def test_an_archive_that_names_another_repository_is_not_that_project(
    tmp_path: Path, registry: str, way: str
) -> None:
    own = project(tmp_path / "own")
    run_git(str(own), "worktree", "add", "--quiet", str(tmp_path / "tree"))
    mine = key(registry, own)
    assert key(registry, tmp_path / "tree") == mine
    unpacked = project(tmp_path / "unpacked", git=False)
    named = "../own/.git/worktrees/tree" if way == "worktree" else "../own/.git"
    if way in ("commondir", "links"):
        (unpacked / ".git").mkdir()
        (unpacked / ".git" / "HEAD").write_bytes((own / ".git" / "HEAD").read_bytes())
        if way == "commondir":
            (unpacked / ".git" / "commondir").write_text("../../own/.git\n")
        for name in ("objects", "refs", "config") if way == "links" else ():
            (unpacked / ".git" / name).symlink_to(f"../../own/.git/{name}")
    elif way == "link":
        (unpacked / ".git").symlink_to(named)
    else:
        (unpacked / ".git").write_text(f"gitdir: {named}\n")
    assert key(registry, unpacked) != mine
    assert key(registry, own) == mine
    assert key(registry, tmp_path / "tree") == mine


def test_a_place_that_believes_what_an_archive_names_is_caught(
    tmp_path: Path, registry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug: whose directory a file names is not looked at."""
    own = project(tmp_path / "own")
    unpacked = project(tmp_path / "unpacked", git=False)
    (unpacked / ".git").write_text("gitdir: ../own/.git\n")
    assert key(registry, unpacked) != key(registry, own)
    monkeypatch.setattr(place, "_is_of_here", lambda *_: True)
    assert key(registry, unpacked) == key(registry, own)


def test_a_worktree_that_was_moved_by_hand_keeps_its_memories(
    tmp_path: Path, registry: str
) -> None:
    own = project(tmp_path / "own")
    run_git(str(own), "worktree", "add", "--quiet", str(tmp_path / "tree"))
    mine = key(registry, own)
    (tmp_path / "tree").rename(tmp_path / "moved")
    assert key(registry, tmp_path / "moved") == mine


def test_a_project_keeps_its_memories_through_its_first_commit(
    tmp_path: Path, registry: str
) -> None:
    main = project(tmp_path / "app", commit=False)
    before = key(registry, main)
    run_git(str(main), "commit", "--quiet", "--message", "first")
    assert key(registry, main) == before


def test_a_directory_that_becomes_a_repository_keeps_its_memories(
    tmp_path: Path, registry: str
) -> None:
    path = project(tmp_path / "p", git=False)
    before = key(registry, path)
    run_git(str(path), "init", "--quiet")
    assert key(registry, path) == before
    run_git(str(path), "add", ".")
    run_git(str(path), "commit", "--quiet", "-m", "first")
    assert key(registry, path) == before


def test_a_project_that_is_moved_keeps_its_memories(tmp_path: Path, registry: str) -> None:
    for git in (True, False):
        main = project(tmp_path / f"old{git}", git=git, text=ID.replace("01", f"0{int(git)}"))
        before = key(registry, main)
        moved = tmp_path / f"new{git}"
        os.rename(main, moved)
        assert key(registry, moved) == before


@pytest.mark.parametrize("parent", ["plain", "with space", "new\nline", "-dash", "quote'\"$HOME`"])
def test_a_copy_outside_git_is_another_project_while_the_first_one_stands(
    tmp_path: Path, registry: str, parent: str
) -> None:
    main = project(tmp_path / parent / "app", git=False)
    first = key(registry, main)
    shutil.copytree(main, tmp_path / "copy")
    assert key(registry, tmp_path / "copy") != first


def test_two_projects_of_one_name_do_not_share(tmp_path: Path, registry: str) -> None:
    one = project(tmp_path / "a" / "app", text=ID.replace("01TEMPLATE", "01ONE"))
    two = project(tmp_path / "b" / "app", text=ID.replace("01TEMPLATE", "01TWO"))
    keys = {key(registry, one), key(registry, two)}
    assert len(keys) == 2
    assert all(one_key.startswith("app-") for one_key in keys)


def test_another_repository_put_in_the_same_place_is_another_project(
    tmp_path: Path, registry: str
) -> None:
    first = key(registry, project(tmp_path / "app"))
    shutil.rmtree(tmp_path / "app")
    (tmp_path / "keep-the-inode-busy").mkdir()
    second = project(tmp_path / "app", text=ID.replace("01TEMPLATE", "01OTHER"))
    assert key(registry, second) != first


def test_two_projects_in_one_repository_are_two(tmp_path: Path, registry: str) -> None:
    main = project(tmp_path / "mono")
    for name in ("web", "api"):
        project(main / name, git=False, text=ID.replace("01TEMPLATE", f"01{name}"))
    assert len({key(registry, main), key(registry, main / "web"), key(registry, main / "api")}) == 3


def test_a_shallow_clone_is_kept_apart_until_somebody_says_what_it_is(
    tmp_path: Path, registry: str
) -> None:
    main = project(tmp_path / "app")
    (main / "a").write_text("a", encoding="utf-8")
    run_git(str(main), "add", "--all")
    run_git(str(main), "commit", "--quiet", "--message", "second")
    run_git(str(tmp_path), "clone", "--quiet", "--depth", "1", f"file://{main}", "shallow")
    place = find_place(str(tmp_path / "shallow"))
    assert place is not None
    assert root_commits(place)[1] is True
    known = key(registry, main)
    apart = key(registry, tmp_path / "shallow")
    assert known != apart
    assert (alike(registry, known), alike(registry, apart)) == ([], [known])


def test_a_repository_that_merged_another_history_is_kept_apart(
    tmp_path: Path, registry: str
) -> None:
    main = project(tmp_path / "app")
    known = key(registry, main)
    other = project(tmp_path / "other")
    run_git(str(other), "fetch", "--quiet", str(main))
    run_git(
        str(other), "merge", "--quiet", "--allow-unrelated-histories", "-s", "ours", "FETCH_HEAD"
    )
    apart = key(registry, other)
    assert known != apart
    assert alike(registry, apart) == [known]
    # The project itself may merge what it likes: it is the same directory.
    run_git(str(main), "fetch", "--quiet", str(other))
    run_git(str(main), "merge", "--quiet", "FETCH_HEAD")
    assert key(registry, main) == known


def test_without_git_a_clone_is_kept_apart(
    tmp_path: Path, registry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = project(tmp_path / "app")
    known = key(registry, main)
    run_git(str(tmp_path), "clone", "--quiet", str(main), "copy")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert key(registry, main) == known
    apart = key(registry, tmp_path / "copy")
    assert known != apart
    assert alike(registry, apart) == [known]


def test_a_directory_without_history_that_came_from_elsewhere_is_kept_apart(
    tmp_path: Path, registry: str
) -> None:
    main = project(tmp_path / "app", git=False)
    known = key(registry, main)
    shutil.copytree(main, tmp_path / "copy")
    shutil.rmtree(main)
    (tmp_path / "keep-the-inode-busy").mkdir()
    apart = key(registry, tmp_path / "copy")
    assert known != apart
    assert alike(registry, apart) == [known]


def test_a_state_of_an_earlier_version_is_found_by_its_root_commits(
    tmp_path: Path, registry: str
) -> None:
    main = project(tmp_path / "app")
    known = key(registry, main)
    home = UserHome(os.path.dirname(registry))
    before = read_identity(home, known)
    keep_identity(home, {name: before[name] for name in ("id", "key", "roots", "anchors")})
    run_git(str(tmp_path), "clone", "--quiet", str(main), "copy")
    assert key(registry, tmp_path / "copy") == known


def test_a_place_without_a_project_says_what_to_do(tmp_path: Path, registry: str) -> None:
    run_git(str(tmp_path), "init", "--quiet", "bare-of-us")
    place = find_place(str(tmp_path / "bare-of-us"))
    assert place is not None
    with pytest.raises(NoProjectError) as caught:
        project_key(UserHome(os.path.dirname(registry)), place)
    assert "satchel init" in caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        '[project]\nid = "01X"  # of the team\n',
        "[project]\r\nid='01X'\r\n",
        'id="01X"\n[project]\n',
        '<<<<<<< HEAD\n[project]\nid = "01X"\n',
    ],
)
def test_the_id_is_read_without_a_toml_parser(tmp_path: Path, text: str) -> None:
    place = find_place(str(project(tmp_path / "p", git=False, text=text)))
    assert place is not None
    assert place.project_id == "01X"


def test_a_damaged_registry_entry_is_made_anew(tmp_path: Path, registry: str) -> None:
    main = project(tmp_path / "app")
    before = key(registry, main)
    place = find_place(str(main))
    assert place is not None
    Path(registry, place.entry_name()).write_text("{", encoding="utf-8")
    assert key(registry, main) == before


def test_a_damaged_list_of_projects_does_not_orphan_memories(tmp_path: Path, registry: str) -> None:
    main = project(tmp_path / "app")
    before = key(registry, main)
    for name in os.listdir(registry):
        if name.startswith("project-"):
            Path(registry, name).write_text("{", encoding="utf-8")
    place = find_place(str(main))
    assert place is not None
    os.unlink(os.path.join(registry, place.entry_name()))
    assert key(registry, main) == before


@pytest.mark.parametrize("name", ["app", "with space", "new\nline", "trailing "])
def test_the_branch_is_read_from_main_tree_worktree_and_neither(tmp_path: Path, name: str) -> None:
    main = project(tmp_path / name)
    run_git(
        str(main), "worktree", "add", "--quiet", "-b", "bd-7/x", str(main / ".worktrees" / "bd-7")
    )
    assert branch_of(str(main)) == "main"
    assert branch_of(str(main / ".worktrees" / "bd-7")) == "bd-7/x"
    run_git(str(main), "checkout", "--quiet", "--detach")
    assert branch_of(str(main)) == ""
    assert branch_of(str(tmp_path)) == ""


@pytest.mark.parametrize("name", ["app", "with space", "new\nline", "trailing ", "trailing\n"])
def test_a_worktree_of_any_path_finds_its_repository(
    tmp_path: Path, registry: str, name: str
) -> None:
    main = project(tmp_path / name)
    run_git(str(main), "worktree", "add", "--quiet", "-b", "side", str(tmp_path / (name + "tree")))
    assert key(registry, tmp_path / (name + "tree")) == key(registry, main)


def test_a_home_that_cannot_be_written_still_knows_its_projects(
    tmp_path: Path, registry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = project(tmp_path / "p", commit=False)
    before = key(registry, path)

    def full(*_: object, **__: object) -> None:
        raise NotWritableError("No space left on device.")

    monkeypatch.setattr("satchel.project.registry.FileLock", full)
    assert key(registry, path) == before
    with pytest.raises(NotWritableError):
        key(registry, project(tmp_path / "other", commit=False, text=ID.replace("01TEM", "02TEM")))


def test_a_project_that_is_made_again_in_its_place_is_the_same(
    tmp_path: Path, registry: str
) -> None:
    home = UserHome(os.path.dirname(registry))
    for git in (True, False):
        path = project(tmp_path / f"p{git}", git=git, text=ID.replace("01T", f"0{int(git)}T"))
        before = key(registry, path)
        (path / ".satchel" / "project.toml").unlink()
        place = place_for_init(str(path))
        assert project_id_for(home, place) == f"0{int(git)}TEMPLATE"
        (path / ".satchel" / "project.toml").write_text(
            ID.replace("01TEMPLATE", project_id_for(home, place))
        )
        assert key(registry, path) == before
    assert len(project_id_for(home, place_for_init(str(tmp_path)))) == 26


def test_a_project_file_without_an_id_is_named(tmp_path: Path, registry: str) -> None:
    path = project(tmp_path / "p", text="garbage[")
    with pytest.raises(NotReadableError, match=r"project\.toml names no project"):
        key(registry, path)
