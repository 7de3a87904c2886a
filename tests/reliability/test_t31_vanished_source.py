"""T31: a directory of notes vanishes in every way; nothing is forgotten until a person says so."""

import os
import random
import shutil
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from reliability.stand import SEED, Stand, in_this_process, say, scale
from satchel.engine.search.catching_up import held_paths
from satchel.features.notes import note_index as shelf_module
from satchel.features.notes.collections import Collection
from satchel.features.notes.file_discovery import AT_LEAST, SHARE, Verdict
from satchel.features.notes.service import NoteService
from satchel.interfaces.cli.notes.learnings import open_notes

pytestmark = pytest.mark.torture


class Place(NamedTuple):
    """A directory that is followed, by its name, and the numbers of its files."""

    name: str
    path: str
    numbers: list[int]


@pytest.fixture
def stand(tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch) -> Stand:
    """A project, with this process working in it."""
    place = Stand(os.fspath(tmp_path))
    monkeypatch.setenv("SATCHEL_HOME", place.home)
    monkeypatch.setenv("HOME", place.person)
    monkeypatch.chdir(place.repo)
    return place


def notebook(stand: Stand) -> NoteService:
    return open_notes(stand.repo, home=stand.home)


def put(directory: str, number: int) -> None:
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, f"n{number}.md"), "w", encoding="utf-8") as file:
        file.write(f"---\ntitle: Note n{number}n\ncategory: decisions\nkey_insight: walrus "
                   f"w{number}w\n---\nText of {directory} {number}.\n")  # fmt: skip


def places(stand: Stand, dice: random.Random) -> list[Place]:
    """Three directories with some files each, indexed."""
    with notebook(stand) as book:
        base = book.indexes.knowledge_base
    found = [
        Place("docs/solutions", os.path.join(stand.repo, "docs", "solutions"), []),
        Place("knowledge base", base, []),
        Place("trees", os.path.join(stand.repo, "trees"), []),
    ]
    number = 0
    for place in found:
        for _ in range(dice.choice((1, 3, 9, 10, 25, 60))):
            put(place.path, number)
            place.numbers.append(number)
            number += 1
    with notebook(stand) as book:
        if not book.indexes.collections():
            book.add_collection(Collection("trees", found[2].path))
        book.reindex(confirmed=True)
        book.update_collection("trees", confirmed=True)
    return found


def away(place: Place) -> str:
    """Where things go that vanish: outside of everything that is followed."""
    return os.path.join(os.path.dirname(os.getcwd()), "away", os.path.basename(place.path))


def rename(place: Place, dice: random.Random) -> list[int]:
    shutil.move(place.path, away(place))
    return place.numbers


def empty(place: Place, dice: random.Random) -> list[int]:
    """What an unmounted file system leaves: the directory that it was mounted on."""
    shutil.move(place.path, away(place))
    os.makedirs(place.path)
    return place.numbers


def shrink(place: Place, dice: random.Random) -> list[int]:
    """Some of its files go; how many is a matter of luck."""
    gone = dice.sample(place.numbers, dice.randint(1, len(place.numbers)))
    os.makedirs(away(place), exist_ok=True)
    for number in gone:
        os.rename(os.path.join(place.path, f"n{number}.md"),
                  os.path.join(away(place), f"n{number}.md"))  # fmt: skip
    return gone


def bring_back(place: Place) -> None:
    os.makedirs(place.path, exist_ok=True)
    for name in os.listdir(away(place)):
        os.replace(os.path.join(away(place), name), os.path.join(place.path, name))


VANISHING: tuple[Callable[[Place, random.Random], list[int]], ...] = (rename, empty, shrink)


def may_be_deleted(place: Place, gone: list[int], how: object) -> bool:
    """The promise, in words of its own: few of many, or some of few, but never all."""
    if how is not shrink or len(gone) == len(place.numbers):
        return False
    return len(place.numbers) < AT_LEAST or len(gone) <= SHARE * len(place.numbers)


def indexed(stand: Stand) -> set[int]:
    """Numbers of the files that the indexes hold."""
    with notebook(stand) as book:
        held = [path for one in book.indexes.indexes() for path in held_paths(one.index.database)]
    return {int(os.path.basename(path)[1:-3]) for path in held}


def search(stand: Stand, number: int) -> str:
    for words in ("learnings search --mode keyword", "collection query --mode keyword"):
        code, out = in_this_process([*words.split(), f"w{number}w"])
        assert code == 0, out
        if f"w{number}w" in out.replace(f"'w{number}w'", ""):
            return out
    return ""


def vanish_and_look(stand: Stand, dice: random.Random) -> tuple[int, int]:
    """One trial; returns how many files were held and how many were rightly removed."""
    shutil.rmtree(os.path.join(stand.repo, "docs"), ignore_errors=True)
    shutil.rmtree(os.path.join(stand.repo, "trees"), ignore_errors=True)
    shutil.rmtree(os.path.join(stand.home, "learnings"), ignore_errors=True)
    shutil.rmtree(os.path.join(stand.root, "away"), ignore_errors=True)
    os.makedirs(os.path.join(stand.root, "away"))
    found = places(stand, dice)
    before = indexed(stand)
    assert before == {number for place in found for number in place.numbers}
    place, how = dice.choice(found), dice.choice(VANISHING)
    gone = how(place, dice)
    for words in dice.sample((["learnings", "reindex", "--no-vectors"], ["learnings", "search", "walrus", "--mode", "keyword"],
                              ["collection", "update", "--no-vectors"], ["collection", "status"],
                              ["learnings", "reindex", "--force", "--no-vectors"]), 3):  # fmt: skip
        code, out = in_this_process(words)
        assert code == 0, out
    expected = before - set(gone) if may_be_deleted(place, gone, how) else before
    name = f"{how.__name__} of {len(gone)}/{len(place.numbers)} in {place.name}"
    assert indexed(stand) == expected, name
    if expected != before:
        bring_back(place)
        return 0, len(gone)
    assert search(stand, dice.choice(gone)), f"{name}: held, but no longer found"
    code, out = in_this_process(["collection", "status"])
    assert f"missing: {len(gone):,} file" in out, f"{name}: nobody is told"
    if dice.random() < 0.5:
        bring_back(place)
        with notebook(stand) as book:
            done = book.reindex()
            assert (done.added, done.removed) == (0, 0), f"{name}: rows were lost"
    else:
        confirm = ["learnings", "reindex", "--no-vectors", "--confirm-removal"]
        if place.name == "trees":
            confirm = ["collection", "update", "trees", "--no-vectors", "--confirm-removal"]
        code, out = in_this_process(confirm)
        assert code == 0, out
        assert indexed(stand) == before - set(gone), f"{name}: confirmed, and still there"
    return len(gone), 0


def test_nothing_is_forgotten_until_somebody_says_so(stand: Stand) -> None:
    dice = random.Random(SEED)
    count = scale(30, 600)
    held = removed = 0
    for _ in range(count):
        more_held, more_removed = vanish_and_look(stand, dice)
        held, removed = held + more_held, removed + more_removed
    assert held > 100 or count < 20
    say("T31 vanished source", count, f"{count} directories vanished, emptied or shrunk: {held} "
        f"files kept until confirmed, {removed} single deletions followed, 0 forgotten")  # fmt: skip


def test_a_single_deletion_is_followed_at_once(stand: Stand) -> None:
    directory = os.path.join(stand.repo, "docs", "solutions")
    for number in range(12):
        put(directory, number)
    assert search(stand, 3)
    os.unlink(os.path.join(directory, "n3.md"))
    assert not search(stand, 3)
    assert indexed(stand) == set(range(12)) - {3}


def trusting(known: Any, tree: Any, **_: Any) -> Verdict:
    """Seeded bug: whatever is not there was deleted."""
    return Verdict("ok", gone=tuple(path for path in known if path not in tree.paths))


def test_a_reader_that_trusts_what_it_sees_is_caught(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelf_module, "find_deletions", trusting)
    dice = random.Random(SEED)
    with pytest.raises(AssertionError):
        _ = [vanish_and_look(stand, dice) for _ in range(10)]
