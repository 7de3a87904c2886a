"""Files of the archive: appended to, damaged, read; and what is imported into them."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.clients.transcript_format.files import TranscriptFile
from satchel.clients.transcript_format.values import TranscriptHead, Turn
from satchel.features.sessions import archive, importing
from satchel.features.sessions.archive import (
    append,
    files_in,
    held_in,
    path_in,
    read_session,
    turn_line,
)
from satchel.features.sessions.compression import lines_in, packed
from satchel.features.sessions.importing import Importer, ImportReport, named_files, read_state
from unit import transcripts_made as made
from unit.transcripts_made import CWD, SESSION, jsonl

LINES = st.lists(st.binary(max_size=40).filter(lambda raw: b"\n" not in raw), min_size=1)


@given(st.lists(LINES, min_size=1, max_size=5))
def test_every_member_is_read(members: list[list[bytes]]) -> None:
    raw = b"".join(packed(b"\n".join(lines) + b"\n") for lines in members)
    assert list(lines_in(raw)) == [line for lines in members for line in lines]


@given(LINES, st.binary(max_size=60), LINES, st.data())
def test_reading_goes_on_behind_a_member_that_was_cut_short(
    first: list[bytes], junk: bytes, second: list[bytes], data: st.DataObject
) -> None:
    whole = packed(b"\n".join(first) + b"\n")
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    last = packed(b"\n".join([b"behind it", *second]) + b"\n")
    found = list(lines_in(cut + junk.replace(b"\x1f", b"") + last))
    assert found[-len(second) - 1 :] == [b"behind it", *second]


def test_a_session_is_read_back_without_its_secrets_and_damage_is_counted(tmp_path: Path) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    head = TranscriptHead("claude", "s1", "/x", title=f"about {secret}")
    path = path_in(str(tmp_path), head)
    turn = Turn("user", f"use {secret}", 5.0, "u1", (f"Bash: echo {secret}",), (secret,), "m")
    append(path, [archive.head_line(head), turn_line(turn)[0]])
    append(path, [turn_line(turn._replace(text="longer now"))[0], b'{"id":"bad"}'])
    raw = Path(path).read_bytes()
    assert secret.encode() not in b"\n".join(lines_in(raw))
    session = read_session(raw)
    assert not isinstance(session, str)
    assert session.head.session == "s1"
    assert [t.text for t in session.turns] == ["longer now"]
    assert session.damaged == 1
    assert held_in(path)[1].keys() == {"u1"}
    assert os.stat(path).st_mode & 0o77 == 0


@pytest.mark.parametrize("place", range(0, 100, 7))
def test_a_flipped_byte_costs_no_more_than_what_stands_behind_it_in_its_member(
    tmp_path: Path, place: int
) -> None:
    head = TranscriptHead("claude", "s1")
    path = path_in(str(tmp_path), head)
    texts = [[f"{member} {n} " + "word " * (n % 7) for n in range(40)] for member in range(3)]
    ends = []
    for lines in texts:
        turns = [turn_line(Turn("user", text, 1.0, text))[0] for text in lines]
        append(path, [archive.head_line(head), *turns])
        ends.append(os.path.getsize(path))
    assert not archive.is_damaged(path)
    raw = bytearray(Path(path).read_bytes())
    raw[ends[0] + place * (ends[1] - ends[0]) // 100] ^= 0x10
    session = read_session(bytes(raw))
    assert not isinstance(session, str)
    found = {turn.text for turn in session.turns}
    assert found <= {text for lines in texts for text in lines}
    assert set(texts[0]) <= found
    assert set(texts[2]) <= found
    Path(path).write_bytes(bytes(raw))
    assert archive.is_damaged(path)


@pytest.mark.parametrize("session", ["../../etc/passwd", "a/b", "", "x" * 300, "ü", "a b"])
def test_no_session_id_leads_out_of_the_archive(tmp_path: Path, session: str) -> None:
    path = path_in(str(tmp_path), TranscriptHead("claude", session))
    assert os.path.dirname(path) == str(tmp_path)
    assert len(os.path.basename(path)) < 200


def test_a_turn_of_a_novel_is_cut_and_says_so() -> None:
    line, _ = turn_line(Turn("user", "a" * (archive.LONGEST_TURN + 7), 1.0, "u"))
    assert b"[7 more characters]" in line


class Box:
    """A client's directory, and an archive."""

    def __init__(self, directory: Path) -> None:
        self.files = directory / "client"
        self.files.mkdir()
        self.archive = str(directory / "archive")
        self.state = str(directory / "imported.json")

    def put(self, name: str, raw: bytes, *, keep_time: bool = False) -> TranscriptFile:
        path = self.files / name
        before = path.stat() if keep_time and path.exists() else None
        path.write_bytes(raw)
        if before:
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        return TranscriptFile("claude", str(path))

    def run(self, *files: TranscriptFile, everything: bool = True, **more: Any) -> ImportReport:
        importer = Importer(self.archive, self.state, lambda cwd: cwd == CWD, lambda _: "")
        return importer.run(files, everything=everything, **more)

    def texts(self) -> dict[str, list[str]]:
        found = {}
        for path in files_in(self.archive):
            session = read_session(Path(path).read_bytes())
            assert not isinstance(session, str)
            found[session.head.session] = [turn.text for turn in session.turns]
        return found


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


WHOLE = jsonl(made.CLAUDE)
TEXTS = ["please fix the login", "I look at it.", "Mended.", "/compact now", "and the logout"]


def test_importing_twice_reads_once(box: Box) -> None:
    file = box.put(f"{SESSION}.jsonl", WHOLE)
    first = box.run(file)
    assert (first.turns, first.sessions, first.changed, first.bytes) == (5, 1, 1, len(WHOLE))
    sizes = [os.path.getsize(path) for path in files_in(box.archive)]
    again = box.run(file)
    assert (again.turns, again.bytes, again.files) == (0, 0, 1)
    assert [os.path.getsize(path) for path in files_in(box.archive)] == sizes
    assert box.texts() == {SESSION: TEXTS}


@given(cuts=st.lists(st.integers(0, len(WHOLE)), max_size=4))
def test_importing_a_growing_file_gives_what_importing_it_whole_gives(cuts: list[int]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as directory:
        box = Box(Path(directory))
        for end in [*sorted(cuts), len(WHOLE)]:
            box.run(box.put(f"{SESSION}.jsonl", WHOLE[:end]))
        assert box.texts() == {SESSION: TEXTS}


def test_only_what_has_grown_is_read(box: Box) -> None:
    many = b"".join(jsonl([made.claude_user(f"question {n}", n)]) for n in range(2000))
    box.run(box.put(f"{SESSION}.jsonl", many))
    more = jsonl([made.claude_user("one more", 3000)])
    done = box.run(box.put(f"{SESSION}.jsonl", many + more))
    assert done.turns == 1
    assert done.bytes < len(more) * 3


def test_a_rewritten_file_is_read_anew_and_loses_nothing(box: Box) -> None:
    box.run(box.put(f"{SESSION}.jsonl", WHOLE))
    other = jsonl([made.claude_user("after a rewrite", 99)])
    done = box.run(box.put(f"{SESSION}.jsonl", other + b" " * len(WHOLE)))
    assert done.turns == 1
    assert box.texts() == {SESSION: [*TEXTS, "after a rewrite"]}


def test_what_a_fork_copied_stands_in_the_archive_once(box: Box) -> None:
    box.run(box.put(f"{SESSION}.jsonl", WHOLE))
    fork = SESSION.replace("3b1f", "4c2e")
    copied = WHOLE.replace(SESSION.encode(), fork.encode())
    more = jsonl([made.claude_user("only in the fork", 200)])
    importer = Importer(box.archive, box.state, lambda _: True, lambda _: f"claude:{SESSION}")
    done = importer.run([box.put(f"{fork}.jsonl", copied)])
    assert (done.turns, done.copies, done.sessions) == (0, 5, 0)
    held = {f"turn:claude:{r['uuid']}": f"claude:{SESSION}" for r in made.CLAUDE if "uuid" in r}
    again = Importer(box.archive, box.state, lambda _: True, lambda i: held.get(i, ""))
    assert again.run([box.put(f"{fork}.jsonl", copied + more)]).turns == 1
    assert box.texts() == {SESSION: TEXTS, fork: ["only in the fork"]}


def test_sessions_of_other_directories_are_left_and_not_looked_at_again(box: Box) -> None:
    other = WHOLE.replace(CWD.encode(), b"/home/u/else")
    file = box.put("x.jsonl", other)
    assert box.run(file, everything=False).elsewhere == 1
    assert read_state(box.state)[file.path].elsewhere
    assert box.run(file, everything=False).elsewhere == 1
    assert box.texts() == {}
    assert box.run(file, everything=True).turns == 5


def test_a_neighbour_in_another_project_says_enough_and_one_in_this_says_nothing(box: Box) -> None:
    ours = box.put("a.jsonl", WHOLE)
    theirs = box.put("b.jsonl", WHOLE.replace(CWD.encode(), b"/home/u/else"))
    near = [file._replace(near="/home/u/else") for file in (ours, theirs)]
    assert box.run(*near, everything=False).elsewhere == 2
    near = [file._replace(near=CWD) for file in (ours, theirs)]
    done = box.run(*near, everything=False)
    assert (done.turns, done.elsewhere) == (5, 1)


def test_what_is_remembered_of_a_long_import_is_given_to_the_index_in_time(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "_REMEMBERED", 8)
    settled: list[int] = []
    importer = Importer(
        box.archive, box.state, lambda _: True, lambda _: "", settle=lambda: settled.append(1)
    )
    files = [
        box.put(
            f"{n}.jsonl",
            WHOLE.replace(b'"u-', f'"u{n}-'.encode()).replace(b'"a-', f'"a{n}-'.encode()),
        )
        for n in range(4)
    ]
    importer.run(files)
    assert len(settled) == 2


def test_a_session_that_does_not_say_yet_where_it_works_is_looked_at_again(box: Box) -> None:
    first = jsonl([made.CLAUDE[1], {"type": "mode", "sessionId": SESSION}])
    file = box.put(f"{SESSION}.jsonl", first)
    assert box.run(file, everything=False).elsewhere == 1
    assert box.run(box.put(f"{SESSION}.jsonl", first + WHOLE), everything=False).turns == 5


def test_a_lost_or_damaged_memory_of_what_was_read_costs_time_and_nothing_else(box: Box) -> None:
    file = box.put(f"{SESSION}.jsonl", WHOLE)
    box.run(file)
    for state in (b"{", b"", b'{"version":1,"files":{"x":7}}', b"[]"):
        Path(box.state).write_bytes(state)
        assert box.run(file).turns == 0
    os.unlink(box.state)
    assert box.run(file).turns == 0
    assert box.texts() == {SESSION: TEXTS}


def test_an_import_that_was_killed_half_way_is_taken_up_again(box: Box) -> None:
    file = box.put(f"{SESSION}.jsonl", WHOLE)
    box.run(file)
    (path,) = files_in(box.archive)
    os.unlink(box.state)
    raw = Path(path).read_bytes()
    Path(path).write_bytes(raw[: len(raw) // 2])
    box.run(file)
    assert sorted(box.texts()[SESSION]) == sorted(TEXTS)


def test_one_unreadable_file_stops_no_other(box: Box, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    done = box.run(
        TranscriptFile("claude", str(tmp_path / "pipe.jsonl")),
        TranscriptFile("claude", str(tmp_path / "gone.jsonl")),
        box.put("nobody.jsonl", b"hello\n"),
        box.put(f"{SESSION}.jsonl", WHOLE),
    )
    assert (done.turns, done.unknown, len(done.unreadable), done.files) == (5, 1, 1, 4)
    assert "pipe.jsonl" in done.unreadable[0]


def test_files_older_than_asked_for_are_left_alone(box: Box) -> None:
    file = box.put(f"{SESSION}.jsonl", WHOLE)
    os.utime(file.path, (1000, 1000))
    assert box.run(file, since=2000.0).turns == 0
    assert box.run(file, since=500.0).turns == 5


def test_a_directory_stands_for_the_transcripts_below_it(box: Box, tmp_path: Path) -> None:
    box.put("a.jsonl", WHOLE)
    box.put("b.txt", WHOLE)
    assert [os.path.basename(f.path) for f in named_files([str(tmp_path)])] == ["a.jsonl"]
