import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.core.clock import FixedClock
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.ledger_end import may_have_lost
from satchel.storage.ledger.lines import split_lines
from satchel.storage.ledger.quarantine import Quarantine
from satchel.storage.ledger.record import Record
from satchel.storage.ledger.rewriting import rewrite
from satchel.storage.ledger.rotation import rotate


def filled(tmp_path: Path, count: int) -> Ledger:
    ledger = Ledger(str(tmp_path / "k.jsonl"), str(tmp_path / "lock"), clock=FixedClock())
    ledger.append(
        [Record(kind="learned", key=f"k{i}", content=f"lesson {i}") for i in range(count)]
    )
    return ledger


def contents(path: str) -> list[str]:
    import json

    if not Path(path).exists():
        return []
    return [json.loads(raw)["content"] for raw in split_lines(Path(path).read_bytes())]


def test_up_to_a_thousand_lines_nothing_moves(tmp_path: Path) -> None:
    ledger = filled(tmp_path, 1000)
    assert rotate(ledger).moved == 0
    assert not Path(ledger.archive).exists()


def test_above_a_thousand_lines_the_oldest_five_hundred_move(tmp_path: Path) -> None:
    ledger = filled(tmp_path, 1001)
    done = rotate(ledger)
    assert (done.moved, done.kept) == (500, 501)
    assert contents(ledger.archive) == [f"lesson {i}" for i in range(500)]
    assert contents(ledger.path) == [f"lesson {i}" for i in range(500, 1001)]


def test_the_oldest_by_time_move_wherever_a_merge_has_put_them(tmp_path: Path) -> None:
    ledger = filled(tmp_path, 30)
    lines = split_lines(Path(ledger.path).read_bytes())
    random.Random(7).shuffle(lines)
    Path(ledger.path).write_bytes(b"\n".join(lines) + b"\n")
    rotate(ledger, above=20, move=10)
    assert sorted(contents(ledger.archive)) == sorted(f"lesson {i}" for i in range(10))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from(["append", "rotate", "torn", "damage"]), max_size=12))
def test_no_line_is_ever_lost_or_doubled_by_rotation(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    ledger = filled(tmp_path_factory.mktemp("r"), 12)
    expected = set(split_lines(Path(ledger.path).read_bytes()))
    for number, step in enumerate(steps):
        if step == "append":
            ledger.append([Record(kind="learned", key=f"n{number}", content=f"new {number}")])
        elif step == "rotate":
            rotate(ledger, above=5, move=3)
        else:
            bad = f"<<<<<<< {number}".encode()
            with open(ledger.path, "ab") as file:
                file.write(bad if step == "torn" else bad + b"\n")
            if step == "torn":  # the next writer, whoever it is, heals it
                ledger.append([Record(kind="learned", key=f"h{number}", content="healed")])
        held = split_lines(Path(ledger.path).read_bytes())
        archived = (
            split_lines(Path(ledger.archive).read_bytes()) if Path(ledger.archive).exists() else []
        )
        expected |= set(held)
        assert set(held) | set(archived) == expected
        assert len(held) + len(archived) == len(expected)


def test_a_rotation_that_was_killed_between_its_two_steps_is_finished_by_the_next(
    tmp_path: Path,
) -> None:
    ledger = filled(tmp_path, 20)
    oldest = split_lines(Path(ledger.path).read_bytes())[:10]
    # The archive has been written, the ledger not yet shortened.
    Path(ledger.archive).write_bytes(b"\n".join(oldest) + b"\n")
    rotate(ledger, above=15, move=10)
    assert contents(ledger.archive) == [f"lesson {i}" for i in range(10)]
    assert contents(ledger.path) == [f"lesson {i}" for i in range(10, 20)]


def test_a_line_that_a_script_without_our_lock_appends_meanwhile_is_carried_over(
    tmp_path: Path,
) -> None:
    ledger = filled(tmp_path, 3)

    def choose(lines: list[bytes]) -> list[bytes]:
        with open(ledger.path, "ab") as file:
            file.write(b'{"type":"learned","key":"late","content":"late"}\n')
        return lines[1:]

    rewrite(ledger.path, choose)
    assert contents(ledger.path) == ["lesson 1", "lesson 2", "late"]


def test_rewriting_keeps_the_mode_of_a_file_that_the_team_reads(tmp_path: Path) -> None:
    ledger = filled(tmp_path, 3)
    Path(ledger.path).chmod(0o644)
    rewrite(ledger.path, lambda lines: lines[1:])
    assert Path(ledger.path).stat().st_mode & 0o777 == 0o644


def test_whoever_answers_reads_no_whole_ledger_because_it_was_rotated(tmp_path: Path) -> None:
    path, lock = str(tmp_path / "k.jsonl"), str(tmp_path / "k.lock")
    ledger = Ledger(path, lock, clock=FixedClock())
    ledger.append([Record(kind="learned", content=f"{n}", key=f"k{n}") for n in range(20)])
    rotate(ledger, above=5, move=5)
    assert not may_have_lost(lock, path)
    Path(path).write_bytes(b"")
    assert may_have_lost(lock, path)


def test_a_damaged_line_is_quarantined_once_verbatim(tmp_path: Path) -> None:
    quarantine = Quarantine(str(tmp_path / "quarantine"))
    for _ in range(3):
        quarantine.keep("k.jsonl", b"\xff{half", "not UTF-8", 7)
    (entry,) = quarantine.entries()
    assert (entry["source"], entry["reason"]) == ("k.jsonl", "not UTF-8")
    assert (tmp_path / "quarantine" / entry["file"]).read_bytes() == b"\xff{half"
