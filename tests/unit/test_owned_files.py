"""A file that people own: what they save meanwhile is kept, and a defect that loses it is noticed."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from satchel.core.errors import BadInputError, ConflictError
from satchel.storage.locks import FileLock
from satchel.storage.owned_files import LARGEST, OwnedFile


def owned(folder: Path, kind: type[OwnedFile] = OwnedFile) -> OwnedFile:
    return kind(str(folder / "a.yaml"), str(folder / "lock"), root=str(folder))


class Blind(OwnedFile):
    """The seeded bug: it takes for granted that the file is as it was read."""

    _seen: str | None = None

    def text(self) -> str:
        if self._seen is None:
            self._seen = super().text()
        return self._seen


def survives(file: OwnedFile) -> bool:
    """Whether a line that an editor saved between reading and writing is still there."""
    Path(file.path).write_text("first\n", "utf-8")
    calls: list[str] = []

    def make(text: str) -> str:
        if not calls:
            with open(file.path, "a", encoding="utf-8") as other:
                other.write("by hand\n")
        calls.append(text)
        return text + "ours\n"

    file.change(make)
    said = Path(file.path).read_text("utf-8")
    assert said.endswith("ours\n")
    return "by hand\n" in said


def test_what_somebody_saves_in_between_is_kept(tmp_path: Path) -> None:
    assert survives(owned(tmp_path))
    assert not survives(owned(tmp_path, Blind))


def test_a_file_that_never_rests_is_given_up(tmp_path: Path) -> None:
    file = owned(tmp_path)

    def make(text: str) -> str:
        with open(file.path, "a", encoding="utf-8") as other:
            other.write("again\n")
        return text + "ours\n"

    with pytest.raises(ConflictError, match="keeps changing"):
        file.change(make)
    assert "ours" not in Path(file.path).read_text("utf-8")


def test_only_what_was_shown_is_changed(tmp_path: Path) -> None:
    file = owned(tmp_path)
    Path(file.path).write_text("new\n", "utf-8")
    with pytest.raises(ConflictError, match="has changed"):
        file.change(lambda text: text + "x", shown="old\n")
    assert file.change(lambda text: text + "x", shown="new\n")
    assert not file.change(lambda text: text)


def test_writers_wait_for_each_other_and_the_mode_stays(tmp_path: Path) -> None:
    file = owned(tmp_path)
    Path(file.path).write_text("", "utf-8")
    os.chmod(file.path, 0o664)

    def add(number: int) -> None:
        owned(tmp_path).change(lambda text: text + f"{number}\n")

    threads = [threading.Thread(target=add, args=(n,)) for n in range(12)]
    with FileLock(str(tmp_path / "lock")):
        for thread in threads:
            thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(int, Path(file.path).read_text("utf-8").split())) == list(range(12))
    assert stat.S_IMODE(os.stat(file.path).st_mode) == 0o664


def test_links_are_followed_inside_and_refused_outside(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "real.yaml").write_text("real\n", "utf-8")
    (root / "a.yaml").symlink_to("real.yaml")
    file = owned(root)
    file.change(lambda text: text + "ours\n")
    assert (root / "real.yaml").read_text("utf-8") == "real\nours\n"
    assert (root / "a.yaml").is_symlink()
    (root / "a.yaml").unlink()
    (root / "a.yaml").symlink_to(tmp_path / "outside.yaml")
    with pytest.raises(BadInputError, match="points outside"):
        file.change(lambda text: text + "ours\n")
    (tmp_path / "outside.yaml").write_text("theirs\n", "utf-8")
    with pytest.raises(BadInputError, match="points outside"):
        file.change(lambda text: text + "ours\n")
    assert (tmp_path / "outside.yaml").read_text("utf-8") == "theirs\n"


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    file = owned(tmp_path)
    with open(file.path, "wb") as other:
        other.truncate(LARGEST + 1)
    with pytest.raises(BadInputError):
        file.text()
