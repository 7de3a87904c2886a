"""A shelf follows its files: edits, renames, deletions, and nothing else."""

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from reliability.stand import scale
from satchel.core.errors import BusyError
from satchel.engine.search.catching_up import CatchUpReport, forget_sources, held_paths
from satchel.engine.search.documents import Source, View
from satchel.engine.search.index import Index
from satchel.engine.search.source_reader import LARGEST_FILE
from satchel.features.notes import note_index
from satchel.features.notes.file_discovery import EMPTY, MANY_GONE, MISSING, OK
from satchel.features.notes.note_index import IndexedDirectory, NoteIndex
from satchel.storage.locks import FileLock
from satchel.storage.paths import NotesState
from unit.notes_made import EXAMPLE, NOW, found, note, open_shelf, titles, write


def shelf_of(tmp_path: Path, count: int = 0) -> tuple[NoteIndex, Path]:
    root = tmp_path / "notes"
    root.mkdir()
    for n in range(count):
        write(root / f"n{n}.md", note(f"Note {n}"))
    shelf = open_shelf(tmp_path, IndexedDirectory("notes", str(root)))
    shelf.update(patience=1)
    return shelf, root


def test_a_note_becomes_one_document_for_each_chunk(tmp_path: Path) -> None:
    shelf, root = shelf_of(tmp_path)
    long = EXAMPLE + "".join(f"\n## Part {n}\n\n" + f"Words {n}w of it. " * 50 for n in range(6))
    write(root / "a.md", long)
    assert shelf.update(patience=1).read == 1
    hits = found(shelf, "nested runtime panic")
    assert len(hits) == 7
    assert {hit.document.title for hit in hits} == {"Tokio runtime panic"}
    assert all(hit.document.content.startswith("Use Handle::spawn") for hit in hits)
    assert {hit.path for hit in hits} == {str(root / "a.md")}
    (best, *_) = found(shelf, "3w")
    assert '"heading":"Part 3"' in best.document.fields
    assert '"category":"debugging-sessions"' in best.document.fields
    assert best.document.tags == "rust async tokio"


def test_a_hand_edit_is_found_and_what_it_replaced_is_not(tmp_path: Path) -> None:
    shelf, root = shelf_of(tmp_path, 3)
    write(root / "n1.md", note("Renamed by hand", key_insight="now about a walrus"))
    shelf.update(patience=1)
    assert titles(shelf, "walrus") == ["Renamed by hand"]
    assert titles(shelf) == ["Note 0", "Note 2"]
    assert shelf.index.problems() == []


def test_a_rename_keeps_its_rows(tmp_path: Path) -> None:
    shelf, root = shelf_of(tmp_path, 3)
    before = {hit.number for hit in found(shelf, "insight")}
    (root / "deep").mkdir()
    (root / "n1.md").rename(root / "deep" / "other-name.md")
    done = shelf.update(patience=1)
    assert (done.added, done.removed) == (0, 1)
    hits = found(shelf, "insight")
    assert {hit.number for hit in hits} == before
    assert str(root / "deep" / "other-name.md") in {hit.path for hit in hits}
    assert str(root / "n1.md") not in {hit.path for hit in hits}


def test_all_files_may_be_renamed_at_once(tmp_path: Path) -> None:
    shelf, root = shelf_of(tmp_path, 20)
    (root / "sub").mkdir()
    for n in range(20):
        (root / f"n{n}.md").rename(root / "sub" / f"m{n}.md")
    done = shelf.update(patience=1)
    assert (done.added, done.removed) == (0, 20)
    (state,) = shelf.status()
    assert (state.state, state.held) == (OK, ())


def test_a_deleted_file_is_no_longer_found(tmp_path: Path) -> None:
    shelf, root = shelf_of(tmp_path, 3)
    (root / "n1.md").unlink()
    assert shelf.update(patience=1).removed == 1
    assert titles(shelf) == ["Note 0", "Note 2"]
    assert sorted(held_paths(shelf.index.database)) == [str(root / "n0.md"), str(root / "n2.md")]


def test_two_files_with_the_same_text_are_one_document_until_both_are_gone(tmp_path: Path) -> None:
    shelf, root = shelf_of(tmp_path, 2)
    write(root / "copy.md", (root / "n0.md").read_bytes())
    assert shelf.update(patience=1).added == 0
    (root / "n0.md").unlink()
    shelf.update(patience=1)
    assert titles(shelf) == ["Note 0", "Note 1"]
    (root / "copy.md").unlink()
    shelf.update(patience=1)
    assert titles(shelf) == ["Note 1"]


def test_two_notes_of_one_title_do_not_hide_each_other(tmp_path: Path) -> None:
    shelf, root = shelf_of(tmp_path)
    write(root / "a.md", note("Same", "first walrus", created="2026-01-01"))
    write(root / "b.md", note("Same", "second walrus", created="2026-02-01"))
    shelf.update(patience=1)
    assert len(found(shelf, "walrus")) == 2


def test_damage_is_told_and_goes_when_it_is_mended(tmp_path: Path) -> None:
    shelf, root = shelf_of(tmp_path, 2)
    for name, data in {
        "yaml.md": b"---\ntitle: a: b\n---\n", "latin.md": "---\ntitle: café\n---\n".encode("latin-1"),
        "nul.md": b"text\0text", "utf16.md": "text".encode("utf-16"), "open.md": b"---\ntitle: x\n",
    }.items():  # fmt: skip
        write(root / name, data)
    shelf.update(patience=1)
    (state,) = shelf.status()
    reasons = {os.path.basename(d.path): d.reason for d in state.damage}
    assert "line 2" in reasons["yaml.md"]
    assert reasons["latin.md"] == "line 2 is not UTF-8 (byte 0xe9); save it as UTF-8"
    assert "NUL" in reasons["nul.md"]
    assert "UTF-16" in reasons["utf16.md"]
    assert "never closed" in reasons["open.md"]
    assert titles(shelf) == ["Note 0", "Note 1"]
    for name in reasons:
        write(root / name, note(f"Mended {name[:-3]}"))
    shelf.update(patience=1)
    assert shelf.status()[0].damage == ()
    assert len(titles(shelf)) == 7


def test_in_a_collection_front_matter_that_cannot_be_read_is_text(tmp_path: Path) -> None:
    write(tmp_path / "docs" / "a.md", "---\ntitle: a: b\n---\nabout the walrus\n")
    write(tmp_path / "docs" / "b.md", "---\n\nno front matter about a walrus\n")
    shelf = open_shelf(tmp_path, IndexedDirectory("docs", str(tmp_path / "docs"), strict=False))
    shelf.update(patience=1)
    assert len(found(shelf, "walrus")) == 2
    assert shelf.status()[0].damage == ()


def test_a_file_that_is_too_large_is_named_and_not_read(tmp_path: Path) -> None:
    shelf, root = shelf_of(tmp_path, 1)
    with open(root / "big.md", "wb") as file:
        file.truncate(LARGEST_FILE + 1)
    os.utime(root / "big.md", (NOW, NOW))
    shelf.update(patience=1)
    (damage,) = shelf.status()[0].damage
    assert "5.0 MB; the most that is read is 5 MB" in damage.reason
    assert shelf.update(patience=1).read == 0


def test_secrets_reach_neither_the_words_nor_the_fields(tmp_path: Path) -> None:
    shelf, root = shelf_of(tmp_path)
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    write(root / "a.md", note(f"Title {key}", f"body {key}", tags=f"[{key}]", root_cause=key))
    shelf.update(patience=1)
    (hit,) = found(shelf, "insight")
    assert key not in str(hit.document)
    assert found(shelf, key) == []
    raw = b"".join(path.read_bytes() for path in tmp_path.glob("notes.db*"))
    assert key.encode() not in raw


_WATCHED: list[list[str]] = []


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and _WATCHED:
        _WATCHED[-1].append(str(arguments[0]))


@pytest.mark.torture
def test_unchanged_files_cost_one_stat_each_and_no_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = scale(1_000, 10_000)
    old = int(NOW - 1000) * 10**9
    root = tmp_path / "notes"
    root.mkdir()
    for number in range(files):
        path = root / f"{number}.md"
        path.write_bytes(b"# Head %d\n\ntext\n" % number)
        os.utime(path, ns=(old, old))
    shelf = open_shelf(tmp_path, IndexedDirectory("notes", str(root)))
    assert shelf.update(patience=1).read == files
    stats: list[object] = []
    real = os.stat

    def counting(path: str, **options: object) -> os.stat_result:
        stats.append(path)
        return real(path, **options)  # type: ignore[arg-type]

    opens: list[str] = []
    sys.addaudithook(_audit)
    monkeypatch.setattr(os, "stat", counting)
    _WATCHED.append(opens)
    try:
        done = shelf.update(patience=1)
    finally:
        _WATCHED.pop()
    assert done.read == 0
    assert [path for path in opens if path.endswith(".md")] == []
    assert sorted(map(str, stats)) == sorted(str(root / f"{n}.md") for n in range(files))


def test_an_interrupted_update_goes_on_where_it_stopped(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    for n in range(700):
        write(root / f"n{n:03}.md", note(f"Note {n}"))
    shelf = open_shelf(tmp_path, IndexedDirectory("notes", str(root)))

    def interrupting(done: int, total: int) -> None:
        assert total == 700
        if done >= 400:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shelf.update(patience=1, progress=interrupting)
    shelf.close()
    again = open_shelf(tmp_path, IndexedDirectory("notes", str(root)))
    done = again.update(patience=1)
    assert done.read == 300
    assert len(titles(again, "insight")) == 50
    assert len(held_paths(again.index.database)) == 700


def test_whoever_holds_the_lock_is_waited_for_and_a_search_is_not_kept(tmp_path: Path) -> None:
    shelf, root = shelf_of(tmp_path, 2)
    write(root / "new.md", note("New"))
    with FileLock(NotesState(str(tmp_path)).lock("update")):
        began = time.monotonic()
        with pytest.raises(BusyError):
            shelf.update(patience=0.3)
        assert 0.25 < time.monotonic() - began < 10
        assert shelf.refresh_if_free(patience=0).busy
        assert titles(shelf) == ["Note 0", "Note 1"]
    assert not shelf.refresh_if_free(patience=0).busy
    assert titles(shelf) == ["New", "Note 0", "Note 1"]


def test_force_reads_everything_again_and_gives_the_same(tmp_path: Path) -> None:
    shelf, _ = shelf_of(tmp_path, 5)
    before = shelf.index.hashes()
    assert shelf.update(patience=1, force=True).read == 5
    assert shelf.index.hashes() == before
    assert shelf.index.problems() == []


def test_while_everything_is_read_again_nobody_finds_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(note_index, "_BATCH", 2)
    shelf, root = shelf_of(tmp_path, 5)
    reader = open_shelf(tmp_path, IndexedDirectory("notes", str(root)))
    every = titles(reader)
    assert len(every) == 5
    seen: list[list[str]] = []

    def look(*_: int) -> None:
        seen.append(titles(reader))

    shelf.update(patience=1, force=True, progress=look)
    assert seen == [every] * 3
    # Seeded bug: what is read again is forgotten before, as a step of its own.
    seen.clear()
    whole = Index.catch_up

    def in_two_steps(index: Index, sources: Sequence[Source], *, again: bool) -> CatchUpReport:
        held = held_paths(index.database) if again and not seen else {}
        forget_sources(index.database, list(held))
        return whole(index, sources)

    monkeypatch.setattr(Index, "catch_up", in_two_steps)
    shelf.update(patience=1, force=True, progress=look)
    assert seen != [every] * 3


def test_a_file_below_two_directories_belongs_to_the_deeper_one(tmp_path: Path) -> None:
    docs, inner = tmp_path / "docs", tmp_path / "docs" / "solutions"
    write(docs / "a.md", "# A\n\nwalrus\n")
    write(inner / "b.md", note("B", "walrus"))
    write(inner / "c.txt.md", note("C", "walrus"))
    shelf = open_shelf(
        tmp_path,
        IndexedDirectory("docs", str(docs), strict=False),
        IndexedDirectory("notes", str(inner), "b*.md"),
    )
    for _ in range(2):
        done = shelf.update(patience=1)
        assert done.removed == 0
    labels = {s.path.rsplit("/", 1)[-1]: s.label for s in shelf.sources(["docs"])}
    assert labels == {"a.md": "docs", "b.md": "docs", "c.txt.md": "docs"}
    assert [s.label for s in shelf.sources(["notes"])] == ["notes"]
    assert shelf.forget(shelf.roots[0]) == 2
    assert list(held_paths(shelf.index.database)) == [str(inner / "b.md")]


def test_unreadable_files_and_directories_are_told_and_never_read_as_deleted(
    tmp_path: Path,
) -> None:
    from ordinary_user import as_ordinary_user, reachable_directory

    with reachable_directory() as place:
        root, home = Path(place) / "notes", Path(place) / "home"
        for n in range(3):
            write(root / "sub" / f"n{n}.md", note(f"Note {n}"))
        write(root / "top.md", note("Top"))
        home.mkdir()
        os.chmod(home, 0o777)
        with as_ordinary_user():
            shelf = open_shelf(home, IndexedDirectory("notes", str(root)))
            shelf.update(patience=1)
        os.chmod(root / "sub", 0)
        os.chmod(root / "top.md", 0)
        with as_ordinary_user():
            assert shelf.update(patience=1).removed == 0
            (state,) = shelf.status()
            assert state.unreadable == (str(root / "sub"),)
            assert len(state.held) == 3
            assert [d.reason for d in state.damage] == ["it could not be read: Permission denied"]
            assert titles(shelf) == ["Note 0", "Note 1", "Note 2", "Top"]
        os.chmod(root / "sub", 0o755)
        os.chmod(root / "top.md", 0o644)
        with as_ordinary_user():
            shelf.update(patience=1)
            assert shelf.status()[0].damage == ()
            shelf.close()


def states(shelf: NoteIndex) -> tuple[str, int]:
    (state,) = shelf.status()
    return state.state, len(state.held)


def test_the_directory_is_gone_empty_or_nearly_so(tmp_path: Path) -> None:
    shelf, root = shelf_of(tmp_path, 20)
    root.rename(tmp_path / "away")
    assert shelf.update(patience=1).removed == 0
    assert states(shelf) == (MISSING, 20)
    root.mkdir()
    assert shelf.update(patience=1).removed == 0
    assert states(shelf) == (EMPTY, 20)
    assert len(titles(shelf)) == 20
    for n in range(17):
        write(root / f"n{n}.md", note(f"Note {n}"))
    assert shelf.update(patience=1).removed == 0
    assert states(shelf) == (MANY_GONE, 3)
    assert len(titles(shelf)) == 20
    assert shelf.update(patience=1, confirmed=("notes",)).removed == 3
    assert states(shelf) == (OK, 0)
    assert len(titles(shelf)) == 17


def test_a_source_that_is_whole_is_never_gone_by_itself(tmp_path: Path) -> None:
    shelf, root = shelf_of(tmp_path, 1)
    sources = [Source(str(root / "n0.md"), "notes", whole=True)]
    (root / "n0.md").unlink()
    assert shelf.index.changed(sources) == []
    assert shelf.index.catch_up(sources).read == 0
    assert len(shelf.index.live(View(sources, NOW))) == 1


def test_searches_of_what_has_not_changed_wait_for_nobody(tmp_path: Path) -> None:
    shelf, root = shelf_of(tmp_path, 3)
    with FileLock(NotesState(str(tmp_path)).lock("update")):
        assert not shelf.refresh_if_free(patience=0).busy
        (root / "n1.md").unlink()
        assert shelf.refresh_if_free(patience=0).busy
    assert shelf.refresh_if_free(patience=0).removed == 1


def test_a_note_is_found_until_its_time_is_over(tmp_path: Path) -> None:
    shelf, root = shelf_of(tmp_path)
    write(root / "a.md", note("Over", forget_after="2025-01-01"))
    write(root / "b.md", note("Not yet", forget_after="2030-01-01"))
    write(root / "c.md", note("Never", forget_after="null"))
    shelf.update(patience=1)
    assert titles(shelf) == ["Never", "Not yet"]
