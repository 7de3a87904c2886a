import json
import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.core.clock import FixedClock
from satchel.core.errors import BusyError, NotWritableError
from satchel.core.ids import is_ulid
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.lines import decode, encode, split_lines
from satchel.storage.ledger.record import Record


def ledger_in(tmp_path: Path, clock: FixedClock | None = None, timeout: float = 30.0) -> Ledger:
    path, lock = str(tmp_path / "knowledge.jsonl"), str(tmp_path / "locks" / "knowledge.lock")
    return Ledger(path, lock, clock=clock or FixedClock(), timeout=timeout)


def learned(content: str, **fields: object) -> Record:
    return Record(kind="learned", content=content, key=content)._replace(**fields)  # type: ignore[arg-type]


def test_what_append_returns_is_what_the_file_holds(tmp_path: Path) -> None:
    ledger = ledger_in(tmp_path)
    written = ledger.append([learned("a"), learned("b", agent="x")])
    assert [line.record for line in ledger.read()] == written
    assert all(is_ulid(record.id) and record.hash and record.ts for record in written)


def test_a_ledger_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    ledger = ledger_in(tmp_path)
    ledger.append([learned("a")])
    assert os.stat(ledger.path).st_mode & 0o777 == 0o600


@pytest.mark.parametrize("tail", [b'{"type":"learned","cont', b"\xff\xfe", b'{"a":1}'])
def test_a_torn_tail_takes_only_itself(tmp_path: Path, tail: bytes) -> None:
    ledger = ledger_in(tmp_path)
    (first,) = ledger.append([learned("a")])
    ledger.close()
    with open(ledger.path, "ab") as file:
        file.write(tail)
    (second,) = ledger_in(tmp_path).append([learned("b")])
    data = Path(ledger.path).read_bytes()
    assert split_lines(data) == [encode(first)[:-1], tail, encode(second)[:-1]]


@settings(max_examples=25, deadline=None)
@given(steps=st.lists(st.integers(-(10**9), 10**7), min_size=2, max_size=20), seed=st.integers())
def test_later_lines_are_newer_whatever_the_clock_does(
    tmp_path_factory: pytest.TempPathFactory, steps: list[int], seed: int
) -> None:
    clock = FixedClock()
    ledger = ledger_in(tmp_path_factory.mktemp("ledger"), clock)
    chance = random.Random(seed)
    versions = []
    for step in steps:
        clock.advance(max(step, -clock.at))
        batch = [learned("x") for _ in range(chance.randint(1, 3))]
        if chance.random() < 0.4:
            # A line that brings its own order, as tombstones do, must not reset what was handed out.
            old = learned("x", id="01AAAAAAAAAAAAAAAAAAAAAAAA", ts=5, rev=chance.randint(1, 9))
            batch.insert(chance.randint(0, len(batch)), old)
        versions += [r.version[:2] for r in ledger.append(batch) if r.ts != 5]
        if chance.random() < 0.2:
            ledger.close()
            os.unlink(ledger.lock().path)  # what it holds is derived
            ledger = ledger_in(Path(os.path.dirname(ledger.path)), clock)
    assert versions == sorted(set(versions))


def test_a_record_written_after_the_clock_jumped_back_says_when_it_really_was(
    tmp_path: Path,
) -> None:
    clock = FixedClock()
    ledger = ledger_in(tmp_path, clock)
    (before,) = ledger.append([learned("x")])
    clock.advance(-86_400)
    (after,) = ledger.append([learned("x")])
    assert after.version > before.version
    assert after.when == clock.now()


def test_lone_surrogates_never_reach_the_file_in_any_field(tmp_path: Path) -> None:
    ledger = ledger_in(tmp_path)
    bad = "a\ud800b"
    record = Record(
        kind="learned", content=bad, key=bad, source=bad, tags=(bad,), task=bad, title=bad,
        category=bad, epic=bad, session=bad, agent=bad, branch=bad, worktree=bad,
        data={bad: [bad]}, extra={bad: bad},
    )  # fmt: skip
    (written,) = ledger.append([record])
    (line,) = ledger.read()
    assert line.record == written
    assert not written.edited
    assert "\\ud" not in Path(ledger.path).read_text(encoding="utf-8")


SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"


def test_a_secret_in_any_field_is_gone_before_the_first_byte_is_written(tmp_path: Path) -> None:
    ledger = ledger_in(tmp_path)
    record = Record(
        kind="learned", content=f"use {SECRET}", key=SECRET, source=SECRET, tags=(SECRET,),
        title=SECRET, category=SECRET, task=SECRET, epic=SECRET, agent=SECRET, session=SECRET,
        branch=SECRET, worktree=SECRET, chat=SECRET, client=SECRET,
        data={"token": SECRET, SECRET: 1}, extra={"x": [SECRET]},
    )  # fmt: skip
    ledger.append([record])
    held = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
    assert SECRET.encode() not in held
    assert b"[redacted:" in held


def test_a_replayed_record_is_written_once_even_if_it_has_moved_to_the_archive(
    tmp_path: Path,
) -> None:
    ledger = ledger_in(tmp_path)
    event = learned("x", id="01HN4Z0000000000000000000A", ts=7)

    assert len(ledger.append_new([event])) == 1
    assert ledger.append_new([event]) == []
    ledger.close()
    os.rename(ledger.path, ledger.archive)
    assert ledger_in(tmp_path).append_new([event]) == []


def test_replaying_lines_with_another_programs_ids_works(tmp_path: Path) -> None:
    ledger = ledger_in(tmp_path)
    (written,) = ledger.append_new([learned("x", id="note-17", ts=7)])
    assert written.id == "note-17"
    assert len(ledger.read()) == 1


def test_a_file_that_git_replaces_between_two_writes_gets_the_second_one(tmp_path: Path) -> None:
    ledger = ledger_in(tmp_path)
    ledger.append([learned("a")])
    replaced = str(tmp_path / "other")
    theirs = b'{"type":"learned","content":"theirs","key":"t","ts":1}\n'
    Path(replaced).write_bytes(theirs)
    os.replace(replaced, ledger.path)
    ledger.append([learned("b")])
    contents = [line.record.content for line in ledger.read() if line.record]
    assert contents == ["theirs", "b"]


def test_a_ledger_that_is_removed_between_two_writes_begins_again(tmp_path: Path) -> None:
    ledger = ledger_in(tmp_path)
    ledger.append([learned("a")])
    os.unlink(ledger.path)
    ledger.append([learned("b")])
    assert [line.record.content for line in ledger.read() if line.record] == ["b"]


def test_a_lock_that_somebody_keeps_is_a_busy_error_and_nothing_is_written(tmp_path: Path) -> None:
    ledger = ledger_in(tmp_path, timeout=0.05)
    with ledger.lock(), pytest.raises(BusyError):
        ledger.append([learned("a")])
    assert not os.path.exists(ledger.path)


def test_a_directory_where_the_ledger_should_be_is_named(tmp_path: Path) -> None:
    os.mkdir(tmp_path / "knowledge.jsonl")
    with pytest.raises(NotWritableError, match=r"knowledge\.jsonl") as caught:
        ledger_in(tmp_path).append([learned("a")])
    assert caught.value.hint


def test_what_a_git_merge_leaves_is_read_around(tmp_path: Path) -> None:
    ledger = ledger_in(tmp_path)
    ledger.append([learned("a")])
    ledger.close()
    conflict = b"<<<<<<< HEAD\n" + json.dumps({"type": "learned", "content": "b"}).encode()
    with open(ledger.path, "ab") as file:
        file.write(conflict + b"\n=======\n>>>>>>> theirs\n")
    lines = ledger.read()
    assert [line.record.content for line in lines if line.record] == ["a", "b"]
    assert [line.reason for line in lines if not line.record] == ["a git conflict marker"] * 3
    assert decode(lines[0].raw) == lines[0]
