"""For tests, Satchel's and yours: a real workspace in its own directory, and a fixed clock.

    from satchel.core.clock import FixedClock
    from satchel.testing import temporary_workspace

    def test_a_lesson_is_found_again() -> None:
        clock = FixedClock()
        with temporary_workspace(clock=clock) as workspace:
            workspace.learn("Run the linter before pushing.")
            clock.advance(86_400)
            assert workspace.recall("before pushing?").items

Nothing in it is simulated but the time: ledgers, index and settings are files, and git is git.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from satchel.application import approval
from satchel.core.clock import Clock, FixedClock
from satchel.core.errors import StoreError
from satchel.storage import git
from satchel.storage.files import replace_file
from satchel.workspace import Workspace

_PROJECT = '[project]\nid = "{id}"\n'
#: Git as it is on no particular machine: nobody's name, hooks, signatures or branch names.
_ADDRESS = "test@example.org"
_NEUTRAL_GIT = (
    "-c",
    "user.name=Satchel Test",
    "-c",
    f"user.email={_ADDRESS}",
    "-c",
    "init.defaultBranch=main",
    "-c",
    "commit.gpgSign=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "protocol.file.allow=always",
    "-c",
    "safe.bareRepository=all",
    "-c",
    "maintenance.auto=false",
)


@contextmanager
def temporary_workspace(
    *,
    git: bool = False,
    clock: Clock | None = None,
    settings: str = "",
    name: str = "project",
    project_id: str = "01TESTTESTTESTTESTTESTTEST",
    own: bool = True,
) -> Iterator[Workspace]:
    r"""Open a workspace of a new project in a temporary directory; both are gone afterwards.

    Args:
        git: make the project a git repository with one commit.
        clock: the time; a `FixedClock` at the start of 2026 unless given.
        settings: lines of TOML for the user's configuration, for example `[recall]\nlimit = 3`.
        name: name of the project's directory.
        project_id: what the project is known by.
        own: the project began here, as `satchel init` makes one; otherwise it is a clone whose
            lines and files nobody has approved.

    The work tree is at `workspace.project.place.root`, the user's Satchel home beside it at
    `workspace.owner().home.path`, so nothing of the person who runs the tests is read or written.
    """
    if "[sessions]" not in settings:
        # Upkeep would look for transcripts of whoever runs the tests.
        settings += "\n[sessions]\nimport = false\n"
    with tempfile.TemporaryDirectory(prefix="satchel-") as directory:
        root = os.path.join(directory, name)
        os.makedirs(os.path.join(root, ".satchel"))
        with open(os.path.join(root, ".satchel", "project.toml"), "w", encoding="utf-8") as file:
            file.write(_PROJECT.format(id=project_id))
        if git:
            run_git(root, "init", "--quiet")
            run_git(root, "add", "--all")
            run_git(root, "commit", "--quiet", "--message", "first")
        home = os.path.join(directory, "home")
        replace_file(os.path.join(home, "config.toml"), settings.encode())
        with Workspace.open(root, home=home, clock=clock or FixedClock()) as workspace:
            if own:
                approval.believe_self(workspace)
                workspace.project.approvals.believe_authors([_ADDRESS])
            yield workspace


def reopened(workspace: Workspace) -> Workspace:
    """Open the same project as another process would: nothing is shared but the files."""
    return Workspace.open(
        workspace.project.place.root,
        home=workspace.owner().home.path,
        clock=workspace.project.clock,
    )


def run_git(root: str, *words: str) -> str:
    """Run git in `root`, whatever this machine's configuration says; return what it printed.

    Raises `StoreError` with git's own words where it fails.
    """
    done = git.ask_as_person(root, *_NEUTRAL_GIT, *words)
    if done.code:
        raise StoreError(f"git {' '.join(words)}: {done.err.strip()}")
    return done.out
