"""What a person commits in a clone is theirs, where git's own log of the clone proves it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from integration.somebody import ANN, Somebody, begun, cloned
from satchel.project.approvals import local_commits

_BOB = ("Bob", "bob@example.org")
_MEMORY = ".satchel/MEMORY.md"


@pytest.fixture
def ann(tmp_path: Path) -> Somebody:
    return begun(tmp_path / "ann", ANN)


@pytest.fixture
def bob(tmp_path: Path, ann: Somebody) -> Somebody:
    """A person who cloned the project, and whose Satchel has seen the clone."""
    one = cloned(tmp_path / "bob", ann, _BOB)
    one.git("config", "user.email", _BOB[1])
    one.starts()
    return one


def test_what_is_typed_and_committed_in_a_clone_is_ones_own(bob: Somebody) -> None:
    bob.writes(_MEMORY, "# Memory\n\n- Bob says hello\n")
    bob.commits()
    assert "Bob says hello" in bob.starts()
    bob.writes(_MEMORY, "# Memory\n\n- Bob says hello\n- and goodbye\n")
    bob.commits()
    bob.writes("README", "more\n")
    bob.git("add", "README")
    bob.git("commit", "--quiet", "--amend", "--message", "both")
    assert "and goodbye" in bob.starts()
    assert "for the person" not in bob.starts()


def test_it_stays_ones_own_after_a_push_and_a_pull(ann: Somebody, bob: Somebody) -> None:
    bob.writes(_MEMORY, "- Bob says hello\n")
    bob.commits()
    ann.git("checkout", "--quiet", "--detach")
    bob.git("push", "--quiet", "origin", "main")
    ann.git("checkout", "--quiet", "main")
    ann.writes("README", "hers\n")
    ann.commits()
    bob.git("pull", "--quiet")
    assert "Bob says hello" in bob.starts()


def test_what_somebody_else_commits_at_this_machine_waits(bob: Somebody) -> None:
    bob.who = ANN
    bob.writes(_MEMORY, "- Ann was here\n")
    bob.commits()
    assert "Ann was here" not in bob.starts()


def test_in_a_linked_work_tree_it_is_ones_own_too(bob: Somebody) -> None:
    other = bob.root.parent / "linked"
    bob.git("worktree", "add", "--quiet", "-b", "linked", str(other))
    bob.root = other
    bob.starts()
    bob.writes(_MEMORY, "- Bob says hello\n")
    bob.commits()
    assert "Bob says hello" in bob.starts()


def _pulled(bob: Somebody, ann: Somebody) -> None:
    bob.git("pull", "--quiet", str(ann.root), "main")


def _picked(bob: Somebody, ann: Somebody) -> None:
    bob.git("fetch", "--quiet", str(ann.root), "main")
    bob.git("cherry-pick", "FETCH_HEAD")


def _amended(bob: Somebody, ann: Somebody) -> None:
    _picked(bob, ann)
    bob.git("commit", "--quiet", "--amend", "--message", "more")


def _squashed(bob: Somebody, ann: Somebody) -> None:
    bob.git("fetch", "--quiet", str(ann.root), "main:stranger")
    bob.git("merge", "--quiet", "--squash", "stranger")
    bob.commits()


def _checked_out(bob: Somebody, ann: Somebody) -> None:
    bob.git("fetch", "--quiet", str(ann.root), "main:stranger")
    bob.git("checkout", "stranger", "--", _MEMORY)
    bob.commits()


def _rebased(bob: Somebody, ann: Somebody) -> None:
    bob.writes("README", "his\n")
    bob.commits()
    bob.git("pull", "--quiet", "--rebase", str(ann.root), "main")


def _applied(bob: Somebody, ann: Somebody) -> None:
    patch = bob.root.parent / "patch"
    patch.write_text(ann.git("format-patch", "-1", "--stdout"))
    bob.git("am", "--quiet", str(patch))


@pytest.mark.parametrize(
    "bring", [_pulled, _picked, _amended, _squashed, _checked_out, _rebased, _applied]
)
@pytest.mark.parametrize("author", [ANN, _BOB])
def test_what_others_committed_waits_whatever_address_it_claims(
    ann: Somebody, bob: Somebody, bring: object, author: tuple[str, str]
) -> None:
    """Ann writes the commit in Bob's name, too."""
    if author == _BOB and bring is _amended:
        pytest.skip("Bob amends what carries his own name, and so makes it his")
    ann.who = author
    ann.writes(_MEMORY, "- evil\n")
    ann.git("add", "--all")
    ann.git("commit", "--quiet", "--message", "theirs")
    assert callable(bring)
    bring(bob, ann)
    assert "evil" in (bob.root / _MEMORY).read_text()
    assert "- evil" not in bob.starts()


def _copied(bob: Somebody, mallory: Somebody) -> None:
    """Unpack an archive of somebody's repository, its `.git` included, as Bob's own."""
    shutil.rmtree(bob.root)
    shutil.copytree(mallory.root, bob.root, symlinks=True)


@pytest.fixture
def mallory(tmp_path: Path, ann: Somebody) -> Somebody:
    """A stranger who commits as Bob, and hands out the repository as an archive."""
    one = cloned(tmp_path / "mallory", ann, _BOB)
    one.git("config", "user.email", _BOB[1])
    one.writes(_MEMORY, "- evil\n")
    one.commits()
    return one


def test_the_log_of_an_unpacked_repository_is_not_believed(
    tmp_path: Path, ann: Somebody, mallory: Somebody
) -> None:
    bob = cloned(tmp_path / "bob", ann, _BOB)
    _copied(bob, mallory)
    assert "- evil" not in bob.starts()
    assert "- evil" not in bob.starts()
    bob.writes("README", "his\n")
    bob.commits()
    assert "- evil" not in bob.starts(), "what he commits himself makes none of it his"


def test_nor_is_it_where_the_clone_before_it_was_seen(bob: Somebody, mallory: Somebody) -> None:
    bob.writes("README", "his\n")
    bob.commits()
    bob.starts()
    _copied(bob, mallory)
    assert "- evil" not in bob.starts()


def test_a_log_that_is_replaced_or_changed_counts_from_then_on(
    bob: Somebody, mallory: Somebody
) -> None:
    bob.git("pull", "--quiet", str(mallory.root), "main")
    log = bob.root / ".git" / "logs" / "HEAD"
    forged = log.read_bytes().replace(b"pull --quiet", b"commit: pull --quiet")
    head = bob.git("rev-parse", "HEAD").strip()
    forged += f"{head} {head} Bob <{_BOB[1]}> 1 +0000\tcommit: evil\n".encode()
    kept = log.with_name("kept")
    kept.write_bytes(forged)
    kept.replace(log)
    assert "- evil" not in bob.starts()
    log.write_bytes(forged[40:])
    assert "- evil" not in bob.starts()


def _linked(git: Path, tracked: Path) -> None:
    (git / "logs" / "HEAD").unlink()
    (git / "logs" / "HEAD").symlink_to(tracked)


def _hard_linked(git: Path, tracked: Path) -> None:
    (git / "logs" / "HEAD").unlink()
    os.link(tracked, git / "logs" / "HEAD")


def _linked_above(git: Path, tracked: Path) -> None:
    shutil.rmtree(git / "logs")
    (tracked.parent / "HEAD").write_bytes(tracked.read_bytes())
    (git / "logs").symlink_to(tracked.parent)


def _moved_aside(git: Path, _: Path) -> None:
    shutil.move(git, git.parent / "aside")
    (git.parent / ".git").write_text("gitdir: aside\n")


def _in_itself(git: Path, _: Path) -> None:
    with (git / "config").open("a") as file:
        file.write("[core]\n\tworktree = .\n")


@pytest.mark.parametrize("way", [_linked, _hard_linked, _linked_above, _moved_aside, _in_itself])
def test_a_log_that_a_pull_could_write_is_not_read(bob: Somebody, way: object) -> None:
    bob.writes("README", "his\n")
    bob.commits()
    kept = str(bob.root.parent / "kept")
    local_commits.begin(kept, str(bob.root))
    bob.writes("tracked/log", "")
    bob.commits()
    assert local_commits.made_here(kept, str(bob.root))
    tracked = bob.root / "tracked" / "log"
    tracked.write_bytes((bob.root / ".git" / "logs" / "HEAD").read_bytes())
    assert callable(way)
    way(bob.root / ".git", tracked)
    os.unlink(kept)
    local_commits.begin(kept, str(bob.root))
    for log in {tracked, tracked.with_name("HEAD"), *bob.root.glob("*/logs/HEAD")}:
        if log.exists():
            with log.open("ab") as file:
                file.write(b"0" * 40 + b" " + b"1" * 40 + b" Bob <b@x> 1 +0000\tcommit: x\n")
    assert not local_commits.made_here(kept, str(bob.root))


def test_a_seeded_bug_that_believes_the_whole_log_is_caught(
    tmp_path: Path, ann: Somebody, mallory: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = str(tmp_path / "kept")
    assert not local_commits.made_here(kept, str(mallory.root))
    monkeypatch.setattr(local_commits._Log, "after", lambda log, _: log._data)
    assert local_commits.made_here(kept, str(mallory.root))
