"""A file of another repository is not taken for this one's, nor a client's command for a prompt."""

import os
import time
from contextlib import closing
from pathlib import Path

import pytest

from satchel.application.thread.sessions import open_thread
from satchel.application.thread.targets import target_of
from satchel.application.thread.values import COMMIT
from satchel.application.thread.work_trees import SessionDirectory
from satchel.clients.transcript_format.values import USER, Turn
from satchel.core.errors import AmbiguousIdError, BadInputError, NotFoundError
from satchel.core.line_marks import marks_of
from satchel.features.sessions.prompts import is_prompt
from satchel.features.thread.linking import Linker
from satchel.features.thread.values import CERTAIN, LIKELY, SessionFacts, TurnFacts, WrittenFile
from satchel.storage.commits import History
from satchel.testing import run_git, temporary_workspace


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    repository = tmp_path / "repo"
    (repository / "lib").mkdir(parents=True)
    (repository / "lib" / "pay.py").write_text("x = 1\n", "utf-8")
    run_git(str(repository), "init", "-q", "-b", "main")
    run_git(str(repository), "add", "-A")
    run_git(str(repository), "commit", "-q", "-m", "Begin")
    return repository


def test_a_path_is_told_from_the_top_of_its_work_tree(repository: Path) -> None:
    for cwd in (repository, repository / "lib"):
        assert SessionDirectory(str(cwd)).path(str(repository / "lib" / "pay.py")) == "lib/pay.py"
        assert (
            SessionDirectory(str(cwd)).path(os.path.relpath(repository / "new.py", cwd)) == "new.py"
        )


def test_a_file_of_another_repository_is_of_no_work_tree(repository: Path) -> None:
    other = repository.parent / "other" / "lib"
    other.mkdir(parents=True)
    run_git(str(other.parent), "init", "-q")
    inside = repository / "vendor" / "lib"
    inside.mkdir(parents=True)
    run_git(str(inside.parent), "init", "-q")
    outside = repository.parent / "lib"
    outside.mkdir()
    for directory in (other, inside, outside):
        for path in (directory / "pay.py", os.path.relpath(directory / "pay.py", repository)):
            assert SessionDirectory(str(repository)).path(str(path)) == ""


def test_another_work_tree_of_the_repository_has_the_same_files(repository: Path) -> None:
    beside = repository.parent / "beside"
    run_git(str(repository), "worktree", "add", "-q", str(beside))
    assert SessionDirectory(str(repository)).path(str(beside / "lib" / "pay.py")) == "lib/pay.py"
    assert SessionDirectory(str(beside)).path(str(repository / "lib" / "pay.py")) == "lib/pay.py"


def test_a_project_below_the_top_has_paths_from_the_top(repository: Path) -> None:
    (repository / "lib" / ".satchel").mkdir()
    (repository / "lib" / ".satchel" / "project.toml").write_text("", "utf-8")
    for cwd in (repository, repository / "lib"):
        told = SessionDirectory(str(cwd)).path(str(repository / "lib" / "pay.py"))
        assert told == "lib/pay.py"


def test_what_is_gone_is_compared_by_its_end(repository: Path) -> None:
    gone = str(repository.parent / "removed" / "lib" / "pay.py")
    assert SessionDirectory(str(repository)).path(gone) == gone
    assert not SessionDirectory(str(repository)).is_known(gone)
    assert SessionDirectory(str(repository.parent / "removed")).path(gone) == "lib/pay.py"
    assert SessionDirectory(str(repository)).path(str(repository / "old" / "a.py")) == "old/a.py"
    assert SessionDirectory("").path("lib/pay.py") == "lib/pay.py"


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("charge less tax", True),
        ("/fix-issue number 42: charge less tax", True),
        ("/review", True),
        ("/clear", False),
        ("/model opus", False),
        ("/compact keep the plan", False),
        ("", False),
    ],
)
def test_a_command_that_has_the_agent_work_is_a_prompt(text: str, *, asks: bool) -> None:
    assert is_prompt(Turn(USER, text)) == asks


def test_what_somebody_else_committed_is_not_certain() -> None:
    """Bob types the lines that Ann's agent wrote and she threw away."""
    lines = ("def tax_of(total):", "    return total * TAX_RATE_OF_THE_YEAR", "", "PAID = set()")
    now = time.time()
    wrote = (WrittenFile("pay.py", marks_of("\n".join(lines))),)
    turns = (
        TurnFacts("p", 0, now - 50, is_prompt=True),
        TurnFacts("t", 1, now - 40, is_prompt=False, wrote=wrote),
    )
    facts = SessionFacts("s1", "claude", began=now - 60, ended=now, turns=turns)
    with temporary_workspace(git=True) as work:
        root = work.project.place.root
        Path(root, "pay.py").write_text("\n".join(lines) + "\n", "utf-8")
        run_git(root, "config", "user.email", "ann@example.org")
        run_git(root, "add", "pay.py")
        with closing(open_thread(work.project, work.sessions.archive)) as thread:
            thread.store.put("x.jsonl", "1", facts)
            for mail, expected in (("bob@example.org", LIKELY), ("ann@example.org", CERTAIN)):
                author = f"--author=X <{mail}>"
                run_git(root, "commit", "-q", "--allow-empty-message", "-m", "Tax", author)
                sha = run_git(root, "rev-parse", "HEAD").strip()
                (commit,) = thread.history.commits([sha], "pay.py")
                linker = Linker(thread)
                found = linker.origin(commit, "pay.py", 2, linker.links(commit))
                assert [one.confidence for one in found] == [expected]
                run_git(root, "reset", "-q", "--soft", "HEAD^")


def test_a_record_names_no_session_that_began_later_nor_one_without_a_name() -> None:
    """Anybody who can push can write a trailer: it makes no prompt the reason for a line."""
    began = time.time()
    with temporary_workspace(git=True) as work:
        root = work.project.place.root
        Path(root, "pay.py").write_text("rate_of_the_year = 19\n", "utf-8")
        run_git(root, "add", "pay.py")
        message = (
            "Begin\n\nClaude-Session: s-later\nSatchel-Session: \x1b[31m\nSatchel-Session: s-gone"
        )
        run_git(root, "commit", "-q", "-m", message)
        with closing(open_thread(work.project, work.sessions.archive)) as thread:
            later = SessionFacts("s-later", "claude", began=began + 86_400, ended=began + 86_500)
            thread.store.put("x.jsonl", "1", later)
            sha = run_git(root, "rev-parse", "HEAD").strip()
            (commit,) = thread.history.commits([sha], "pay.py")
            linker = Linker(thread)
            links = linker.links(commit)
            assert [one.session for one in links] == ["s-gone"]
            found = linker.origin(commit, "pay.py", 1, links)
            assert [one.session for one in found] == ["s-gone"]


def test_why_takes_a_branch_a_tag_or_what_git_makes_of_them() -> None:
    with temporary_workspace(git=True) as work:
        root = work.project.place.root
        for text in ("one\n", "one\ntwo\n"):
            Path(root, "a.txt").write_text(text, "utf-8")
            run_git(root, "add", "a.txt")
            run_git(root, "commit", "-q", "-m", text.split()[-1])
        run_git(root, "tag", "v1", "HEAD~1")
        branch = run_git(root, "branch", "--show-current").strip()
        first, second = run_git(root, "rev-list", "--reverse", "HEAD").split()[-2:]
        asked = {"v1": first, f"{branch}~1": first, branch: second, "HEAD@{1}": first}
        for name, sha in asked.items():
            found = target_of(work, name)
            assert found is not None
            assert (found.kind, found.id) == (COMMIT, sha), name
        assert target_of(work, "nothing-of-that-name") is None
        for name in ("HEAD~99", "stash@{0}", "deadbeef", "refs/heads/gone"):
            with pytest.raises(NotFoundError, match="Git knows no commit"):
                target_of(work, name)
        for lines, told in (("0", "counted from 1"), ("2-1", "counted from 1"), ("1-900", "many")):
            with pytest.raises(BadInputError, match=told):
                target_of(work, f"{root}/a.txt:{lines}")


def test_what_has_no_lines_is_refused_and_a_column_is_left_out() -> None:
    with temporary_workspace(git=True) as work:
        root = Path(work.project.place.root)
        (root / "lib").mkdir()
        (root / "lib" / "a.py").write_text("one = 1\ntwo = 2\n", "utf-8")
        (root / "logo.png").write_bytes(b"\x89PNG\0\n")
        (root.parent / "b.py").write_text("one = 1\n", "utf-8")
        for asked, told in (
            ("logo.png:1", "binary"),
            ("lib", "is a directory"),
            ("lib:2", "is a directory"),
            (".git/config:1", "not a file of this project"),
            (f"{root.parent}/b.py:1", "not a file of this project"),
            ("c.py:1", "There is no file"),
        ):
            with pytest.raises((BadInputError, NotFoundError), match=told):
                target_of(work, asked, str(root))
        assert target_of(work, ".git/config", str(root)) is None
        for asked in ("lib/a.py:2", "lib/a.py:2:7", "lib/a.py:2:7:"):
            found = target_of(work, asked, str(root))
            assert found is not None
            assert (found.path, found.first, found.last) == ("lib/a.py", 2, 2)


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [
        ("a.rs#L2", 2, 2),
        ("a.rs#L2-L3", 2, 3),
        ("a.rs#L2C1-L3C9", 2, 3),
        ("a.rs:L2-3", 2, 3),
        (" a.rs:2\n", 2, 2),
        ("a.rs:Cache::find", 4, 6),
        ("a.rs:Cache::find()", 4, 6),
        ("b:1.go:(*Server).Listen", 3, 5),
        ("b:1.go:2", 2, 2),
    ],
)
def test_a_place_is_found_whichever_way_it_is_written(asked: str, first: int, last: int) -> None:
    rust = (
        "pub struct Cache {}\n\nimpl Cache {\n    pub fn find(&self) -> u8 {\n        7\n    }\n}\n"
    )
    go = "package main\n\nfunc (s *Server) Listen() int {\n\treturn 7\n}\n"
    with temporary_workspace(git=True) as work:
        root = work.project.place.root
        Path(root, "a.rs").write_text(rust, "utf-8")
        Path(root, "b:1.go").write_text(go, "utf-8")
        found = target_of(work, asked, root)
        assert found is not None
        assert (found.first, found.last) == (first, last)


def test_of_a_file_that_is_gone_the_commit_that_removed_it_is_named() -> None:
    with temporary_workspace(git=True) as work:
        root = work.project.place.root
        for name in ("gone.py", "apart.py"):
            Path(root, name).write_text("one = 1\n", "utf-8")
        run_git(root, "add", "--all")
        run_git(root, "commit", "-q", "-m", "Begin")
        run_git(root, "rm", "-q", "gone.py")
        run_git(root, "commit", "-q", "-m", "Remove it")
        Path(root, "apart.py").unlink()
        sha = run_git(root, "rev-parse", "HEAD").strip()
        for asked in ("gone.py", "gone.py:1", "gone.py:name", f"{root}/gone.py:1"):
            with pytest.raises(NotFoundError, match=f"commit {sha[:10]} removed or renamed it"):
                target_of(work, asked, root)
        with pytest.raises(NotFoundError, match="not in the work tree"):
            target_of(work, "apart.py:1", root)


def test_without_a_commit_why_says_so() -> None:
    with temporary_workspace(git=True) as work:
        run_git(work.project.place.root, "checkout", "-q", "--orphan", "empty")
        with pytest.raises(NotFoundError, match="no commit here yet"):
            target_of(work, "HEAD")


def test_of_two_symbols_with_one_name_none_is_chosen() -> None:
    save = "    def save(self):\n        return 1\n\n\n"
    with temporary_workspace(git=True) as work:
        path = Path(work.project.place.root, "a.py")
        path.write_text(f"class Alpha:\n{save}class Beta:\n{save}", "utf-8")
        with pytest.raises(
            AmbiguousIdError, match=r"Alpha\.save \(line 2\), Beta\.save \(line 7\)"
        ):
            target_of(work, f"{path}:save")
        found = target_of(work, f"{path}:Beta.save")
        assert found is not None
        assert found.first == 7


def test_lines_end_where_git_ends_them(tmp_path: Path) -> None:
    root, odd = str(tmp_path), "one\r\ntwo\x0chalf\u2028more\x85\nthree\n"
    run_git(root, "init", "-q")
    (tmp_path / "a.txt").write_bytes(odd.encode())
    new = [one.text for one in History(root).blame("a.txt", 1, 3)]
    run_git(root, "add", "a.txt")
    run_git(root, "commit", "-q", "-m", "Begin")
    assert new == [one.text for one in History(root).blame("a.txt", 1, 3)]
    assert new == ["one", "two\x0chalf\u2028more\x85", "three"]


def test_a_line_that_is_not_committed_is_none_of_a_repository_of_sha256(tmp_path: Path) -> None:
    root = str(tmp_path)
    run_git(root, "init", "-q", "--object-format=sha256")
    (tmp_path / "a.txt").write_text("one\n", "utf-8")
    run_git(root, "add", "a.txt")
    run_git(root, "commit", "-q", "-m", "Begin")
    (tmp_path / "a.txt").write_text("one\ntwo\n", "utf-8")
    first, second = History(root).blame("a.txt", 1, 2)
    assert (len(first.sha), second.sha) == (64, "")
