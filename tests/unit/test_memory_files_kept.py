"""What is kept about instruction files: how they stood, what was approved, what beans had set."""

import os

import pytest

from satchel.core.errors import BadInputError
from satchel.features.instructions.beans_import import settings_of
from satchel.features.instructions.trust_policy import Approvals
from satchel.features.instructions.watching import FileStat, FileStats, compare, watch
from satchel.storage.settings.table import parsed
from unit.memory_trees import MemoryTree


@pytest.fixture
def tree(tmp_path: os.PathLike[str]) -> MemoryTree:
    return MemoryTree(tmp_path)


# What has changed


class _Hashes:
    """Reads files and counts how often."""

    def __init__(self) -> None:
        self.reads = 0

    def __call__(self, path: str) -> str:
        self.reads += 1
        with open(path, encoding="utf-8") as file:
            return str(hash(file.read()))


def _old(path: str) -> None:
    os.utime(path, ns=(10**18, 10**18))


def test_a_file_is_read_again_only_if_it_looks_changed(tree: MemoryTree, tmp_path: object) -> None:
    path = tree.write("a.md", "A")
    _old(path)
    kept = os.path.join(str(tmp_path), "stamps.json")
    stamps, hashes = FileStats(kept), _Hashes()
    later = os.stat(path).st_ctime_ns + 10**10
    stamps.keep(stamps.look([path], hashes, later))
    again = FileStats(kept)
    assert again.look([path], hashes, later) == stamps.known
    assert (hashes.reads, again.hits) == (1, 1)
    os.utime(path, ns=(10**18 + 5, 10**18 + 5))
    changes = compare(stamps.known, again.look([path], hashes, later))
    assert (hashes.reads, bool(changes), changes.touched) == (2, False, (path,))


def test_a_file_that_was_just_written_is_not_believed_to_stay(tree: MemoryTree) -> None:
    path = tree.write("a.md", "A")
    stamps, hashes = FileStats(""), _Hashes()
    now = os.stat(path).st_mtime_ns
    stamps.keep(stamps.look([path], hashes, now))
    stamps.look([path], hashes, now)
    assert hashes.reads == 2


def test_stamps_hold_no_text_and_a_damaged_file_of_them_is_made_anew(
    tree: MemoryTree, tmp_path: object
) -> None:
    path = tree.write("AGENTS.local.md", "TOPSECRET")
    kept = os.path.join(str(tmp_path), "stamps.json")
    stamps = FileStats(kept)
    stamps.keep(stamps.look([path], _Hashes(), 0))
    with open(kept, "rb+") as file:
        data = file.read()
        assert b"TOPSECRET" not in data
        file.seek(len(data) // 2)
        file.write(b"XX")
    assert FileStats(kept).known == {}


def test_watching_tells_once_when_things_have_settled() -> None:
    def stamp(mark: str) -> dict[str, FileStat]:
        return {"a.md": FileStat(1, 1, 1, 1, 1, mark)}

    looks = [stamp(mark) for mark in "111234567777888"]
    seen: list[dict[str, FileStat]] = []

    def look() -> dict[str, FileStat]:
        seen.append(looks[min(len(seen), len(looks) - 1)])
        return seen[-1]

    found = list(
        watch(look, lambda _: None, every=0.1, settle=0.2, ends=lambda: len(seen) > len(looks))
    )
    assert [changes.changed for changes in found] == [("a.md",), ("a.md",)]


# Approvals and other programs' settings


def test_approvals_are_for_one_project_and_can_be_taken_back(tmp_path: object) -> None:
    approvals = Approvals(os.path.join(str(tmp_path), "trust.json"))
    approvals.add("one", {"/a/x.md": "1", "/a/y.md": "2"}, 5.0)
    approvals.add("two", {"/a/x.md": "3"}, 5.0)
    approvals.add("one", {"/a/x.md": "4"}, 6.0)
    assert approvals.of("one") == {"/a/x.md": "4", "/a/y.md": "2"}
    assert approvals.of("two") == {"/a/x.md": "3"}
    assert approvals.of("three") == {}
    assert approvals.remove("one", "/a") == ["/a/x.md", "/a/y.md"]
    assert approvals.of("one") == {}
    assert approvals.of("two") == {"/a/x.md": "3"}


def test_a_damaged_file_of_approvals_approves_nothing(tmp_path: object) -> None:
    path = os.path.join(str(tmp_path), "trust.json")
    Approvals(path).add("one", {"/a/x.md": "1"}, 5.0)
    with open(path, "rb+") as file:
        data = file.read().replace(b"/a/x.md", b"/b/x.md")
        file.seek(0)
        file.write(data)
    assert Approvals(path).all() == []


BEANS = """\
memory:
  enabled: false
  fileName: NOTES.md
  tokenBudgetPercent: 12.5
  maxImportDepth: 3
  watchFiles: true
  excludePaths:
    - node_modules
    - .git
  loadLocalFiles: false
  debugProvenance: true
"""


def test_every_key_of_beans_is_understood_and_fits_our_table() -> None:
    found = settings_of(BEANS)
    assert found.not_understood == ()
    assert found.settings == {
        "instructions.enabled": False,
        "instructions.file_names": "NOTES.md,AGENTS.md,CLAUDE.md,GEMINI.md,BEANS.md",
        "instructions.budget_percent": 12.5,
        "instructions.import_depth": 3,
        "instructions.watch": True,
        "instructions.exclude": "node_modules,.git",
        "instructions.local_files": False,
        "instructions.provenance": True,
    }
    assert all(parsed(name, value, "beans") == value for name, value in found.settings.items())


def test_what_beans_says_of_other_things_or_wrongly_is_named() -> None:
    text = (
        "provider: x\nmemory:\n  enabled: 7\n  fileName: ../../etc\n  maxImportDepth: 2.5\n  a: 1\n"
    )
    assert settings_of(text) == (
        {}, ("provider", "memory.enabled", "memory.fileName", "memory.maxImportDepth", "memory.a"),
    )  # fmt: skip
    older = settings_of("memoryFileName: X.md").settings["instructions.file_names"]
    assert str(older).startswith("X.md,")
    assert settings_of("") == ({}, ())
    assert settings_of("memory: 3") == ({}, ("memory",))


def test_what_is_no_yaml_says_so() -> None:
    with pytest.raises(BadInputError):
        settings_of("memory: [")
    with pytest.raises(BadInputError):
        settings_of("- a\n- b\n")
