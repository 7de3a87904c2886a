"""Each promise about memory and git has a test that fails where the promise is broken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from integration import test_births as births
from integration import test_follows_git_by_log as by_log
from integration import test_memory_follows_git as follows
from integration.followed_shop import Shop
from integration.installed import Machine, needs_command
from integration.seeded_bugs import plant
from integration.test_memory_follows_git import STORIES
from integration.test_memory_follows_git import shop as made_shop
from integration.test_memory_follows_git import worked as made_worked
from satchel.application.outlet import Outlet
from satchel.features.branches import births as what_they_depend_on
from satchel.features.branches import making, service
from satchel.features.branches.rewriting import Rewritings
from satchel.features.branches.rules import ReplayedHistory
from satchel.features.branches.same_changes import SameChanges
from satchel.features.branches.tables import Tables
from satchel.storage.commits import History

shop, worked = made_shop, made_worked


class Bug(NamedTuple):
    """A defect, and the story or the test that must fail of it."""

    promise: str
    place: Any
    name: str
    seed: Any
    fails: str | Callable[[Shop], None]


def nothing(result: Any) -> Callable[..., Any]:
    return lambda *_, **__: result


BUGS = [
    Bug(
        "a commit made again is known",
        ReplayedHistory,
        "again",
        nothing([]),
        "revert, then picked again",
    ),
    Bug(
        "an amended commit is known",
        SameChanges,
        "share_a_file",
        nothing(False),
        by_log.test_an_amended_commit_is_known_though_git_has_forgotten_its_log,
    ),
    Bug(
        "git's log of HEAD tells what took a commit's place",
        Rewritings,
        "chain",
        nothing(()),
        lambda shop: by_log.test_a_commit_made_again_in_other_words_keeps_its_lesson(shop, ()),
    ),
    Bug("a squash merge is known", SameChanges, "look_for", nothing(None), "squash merge"),
    Bug(
        "a branch is known as a whole",
        SameChanges,
        "_as_one",
        nothing(None),
        "squash merge of rewritten lines",
    ),
    Bug("a revert takes back", ReplayedHistory, "_undone_by", nothing([]), "revert"),
    Bug(
        "a merge is reverted whole",
        ReplayedHistory,
        "_brought",
        nothing(set()),
        "revert of a merge, and of that revert",
    ),
    Bug(
        "a revert can be reverted",
        ReplayedHistory,
        "_effect",
        lambda self, sha: (self._brought(self._here[sha].parents or ("",)) | {sha}, set()),
        "revert of a merge, and of that revert",
    ),
    Bug(
        "the work counts, not what it began at",
        what_they_depend_on,
        "work_of",
        nothing(()),
        follows.test_what_is_not_about_code_is_told_with_its_branch,
    ),
    Bug(
        "a removed work tree leaves its branch's log",
        what_they_depend_on,
        "read_branch",
        nothing([]),
        by_log.test_what_was_learnt_in_a_removed_work_tree_is_of_its_branch,
    ),
    Bug(
        "what git threw away is still known",
        Tables,
        "read_facts",
        nothing({}),
        "a branch that git has thrown away",
    ),
    Bug(
        "what is elsewhere is held back",
        Outlet,
        "_following_git",
        lambda _, items: list(items),
        "deleted branch",
    ),
    Bug(
        "what is not about code is told",
        what_they_depend_on,
        "names_code",
        nothing(True),
        follows.test_what_is_not_about_code_is_told_with_its_branch,
    ),
    Bug(
        "what a person said on the trunk is everywhere",
        making,
        "follows_git",
        lambda record, _trunk="": bool(record.commit),
        follows.test_rules_wishes_and_what_a_person_said_on_the_trunk_are_everywhere,
    ),
    Bug(
        "uncommitted work is where it lies",
        what_they_depend_on,
        "waits_elsewhere",
        nothing(False),
        follows.test_work_trees_on_two_branches_at_once,
    ),
    Bug(
        "a shallow clone hides nothing",
        making,
        "_SHALLOW",
        "nowhere",
        follows.test_where_git_cannot_tell_everything_is_as_ever,
    ),
    Bug(
        "the last table answers",
        Tables,
        "find",
        nothing(None),
        follows.test_until_its_table_is_made_commits_leave_the_last_one_true,
    ),
    Bug(
        "what is newer than the table is judged by its birth",
        service,
        "_state",
        lambda record, table, *_: table.states.get(record.id),
        follows.test_until_its_table_is_made_commits_leave_the_last_one_true,
    ),
]


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.promise)
def test_a_broken_promise_is_noticed(
    worked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bug: Bug
) -> None:
    monkeypatch.setattr(bug.place, bug.name, bug.seed)
    with pytest.raises((AssertionError, ValueError)):  # noqa: PT012 -- either kind of test
        if callable(bug.fails):
            bug.fails(Shop.made(tmp_path))
        else:
            story = next(one for one in STORIES if one.name == bug.fails)
            follows.test_a_lesson_follows_its_work(worked, tmp_path, story)


def test_asking_git_while_somebody_waits_is_noticed(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "commit_of", lambda root: History(root).head())
    with pytest.raises(AssertionError, match="git was started"):
        follows.test_asking_starts_no_git(shop, monkeypatch)


@pytest.mark.skipif(bool(needs_command()), reason=needs_command())
@pytest.mark.parametrize(
    ("module", "seed", "test"),
    [
        (
            "interfaces.hooks.capture",
            "commit_of = lambda path: ''",
            births.test_a_memory_knows_where_it_was_learnt_however_late_it_is_drained,
        ),
        (
            "storage.commits",
            "History.find = lambda self, reference: self.head()",
            births.test_recall_at_a_commit_and_the_log_of_a_branch,
        ),
    ],
)
def test_a_defect_of_the_command_is_noticed(
    machine: Machine, module: str, seed: str, test: Callable[[Machine], None]
) -> None:
    plant(machine, f"satchel.{module}", seed)
    with pytest.raises(AssertionError):
        test(machine)
