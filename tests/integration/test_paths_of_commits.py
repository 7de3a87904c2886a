"""Which files a commit touches, whatever they are called."""

from pathlib import Path

from satchel.storage.commits import History
from satchel.testing import run_git


def test_files_of_a_commit_are_all_named_whatever_letter_they_begin_with(tmp_path: Path) -> None:
    run_git(str(tmp_path), "init", "-q")
    shas, names = [], (("b.md", "readme.md", "röte.md"), ("a b.md",), ("r", "ra", "z\nr.md"))
    for touched in names:
        for name in touched:
            (tmp_path / name).write_text(name)
        run_git(str(tmp_path), "add", "-A")
        run_git(str(tmp_path), "commit", "-qm", "More")
        shas.append(run_git(str(tmp_path), "rev-parse", "HEAD").strip())
    found = History(str(tmp_path)).paths(shas)
    assert {sha: set(paths) for sha, paths in found.items()} == {
        sha: set(touched) for sha, touched in zip(shas, names, strict=True)
    }
