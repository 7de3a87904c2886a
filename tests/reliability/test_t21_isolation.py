"""T21: projects with like names, linked, moved and nested; nobody sees what is another's."""

import os
import shutil
from typing import NamedTuple

import pytest

from reliability.filling import fill, use_model
from reliability.stand import git, say, scale
from satchel.core.errors import NoProjectError
from satchel.engine.search.documents import Filter
from satchel.project import store as stores_module
from satchel.workspace import Workspace

pytestmark = pytest.mark.torture
#: The person's home is a project too, and the others lie in it.
_NAMES = ("", "app", "app-1", "App", "work/app")
_WORKTREES = 4
_METHODS = ("keyword", "fast", "hybrid", "semantic")
_SHARED = "cache linter deploy port queue retry token schema".split()  # noqa: SIM905
_LIMIT = 50


class Project(NamedTuple):
    """One project: its mark, which is in everything it remembers, and its directories."""

    mark: str
    root: str
    places: list[str]


def build(base: str) -> list[Project]:
    """Make every project with its work trees, and remember something in each."""
    home = os.path.join(base, "satchel")
    projects = []
    for n, name in enumerate(_NAMES):
        root = os.path.join(base, "person", name).rstrip(os.sep)
        os.makedirs(os.path.join(root, ".satchel"))
        with open(os.path.join(root, ".satchel", "project.toml"), "w", encoding="utf-8") as file:
            file.write(f'[project]\nid = "01JPROJECT{n}"\n')
        git(root, "init", "-q", "-b", "main")
        git(root, "add", ".satchel")
        git(root, "commit", "-q", "-m", "root")
        places = [root]
        for tree in range(1, _WORKTREES):
            # Beside the other projects' directories, with names as like theirs as can be.
            place = os.path.join(base, "person", f"{os.path.basename(name) or 'home'}-{n}{tree}")
            git(root, "worktree", "add", "-q", "-b", f"b{tree}", place)
            places.append(place)
        mark = f"only{n}here"
        for tree, place in enumerate(places):
            with Workspace.open(place, home=home) as workspace:
                fill(workspace, [f"{mark} tree{tree} note {i}: the {word} and the "
                                 f"{_SHARED[(i + 3) % 8]} of this project"
                                 for i, word in enumerate(_SHARED * 2)])  # fmt: skip
        projects.append(Project(mark, root, places))
    return projects


def foreign(base: str, projects: list[Project], rounds: int) -> tuple[int, list[str]]:
    """Ask from everywhere; return how many results there were, and those that are not its own."""
    home = os.path.join(base, "satchel")
    seen, wrong = 0, []
    for project in projects:
        for place in project.places:
            with Workspace.open(place, home=home) as workspace:
                use_model(workspace)
                workspace.embed()
                shown = [r.record.content for r in workspace.memories.list(Filter(), 1000)]
                shown.append(workspace.briefs.session().text)
                for n in range(rounds):
                    method, word = _METHODS[n % 4], _SHARED[n // 4 % 8]
                    found = workspace.recall(f"the {word}", limit=_LIMIT, method=method, weak=True)
                    shown += [item.record.content for item in found.items]
                others = [p.mark for p in projects if p.mark != project.mark]
                wrong += [f"{place}: {text[:200]}" for text in shown
                          if any(mark in text for mark in others)]  # fmt: skip
                seen += len(shown)
    return seen, wrong


def in_another_way(base: str, projects: list[Project]) -> list[Project]:
    """The same projects through links, and moved, with a new one where an old one was."""
    changed = []
    for n, project in enumerate(projects):
        root, places = project.root, list(project.places)
        if n:  # the home holds the others: it stays
            link = os.path.join(base, f"link-to-{n}")
            os.symlink(root, link)
            places.append(link)
        if n == 1:
            moved = os.path.join(base, "person", "app-2")
            shutil.move(root, moved)
            git(moved, "worktree", "repair", *project.places[1:])
            places = [moved, *project.places[1:]]
        changed.append(Project(project.mark, root, places))
    fresh = projects[1].root
    os.makedirs(os.path.join(fresh, ".satchel"))
    with open(os.path.join(fresh, ".satchel", "project.toml"), "w", encoding="utf-8") as file:
        file.write('[project]\nid = "01JFRESH"\n')
    git(fresh, "init", "-q")
    return [*changed, Project("nobody", fresh, [fresh])]


def test_no_result_is_another_projects(tmp_path: os.PathLike[str]) -> None:
    base = os.fspath(tmp_path)
    projects = build(base)
    rounds = scale(4, 100)
    seen, wrong = foreign(base, projects, rounds)
    assert wrong == []
    more, wrong = foreign(base, in_another_way(base, projects), rounds)
    assert wrong == []
    assert seen + more > scale(4_000, 100_000)
    say("T21", seen + more, f"{seen + more} results from 5 projects x {_WORKTREES} work trees, "
        "linked, moved and nested, 0 of another project")  # fmt: skip


def test_every_work_tree_sees_what_its_project_knows(tmp_path: os.PathLike[str]) -> None:
    """Isolation by finding nothing would be easy."""
    base = os.fspath(tmp_path)
    projects = build(base)
    for project in projects:
        for place in project.places:
            with Workspace.open(place, home=os.path.join(base, "satchel")) as workspace:
                for method in _METHODS:
                    found = workspace.recall("cache linter", limit=_LIMIT, method=method, weak=True)
                    trees = {item.record.content.split()[1] for item in found.items}
                    assert len(trees) == _WORKTREES, (place, method, trees)


def test_a_directory_of_no_project_shows_nothing(tmp_path: os.PathLike[str]) -> None:
    base = os.fspath(tmp_path)
    build(base)
    for place in (base, os.path.join(base, "satchel")):
        with pytest.raises(NoProjectError):
            Workspace.open(place, home=os.path.join(base, "satchel"))


def test_projects_that_share_a_key_are_caught(
    tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug: the state of a project lies under the name of its directory."""
    monkeypatch.setattr(
        stores_module, "known_key", lambda _, place: os.path.basename(place.root).lower()[:3]
    )
    base = os.fspath(tmp_path)
    assert foreign(base, build(base), 4)[1]
