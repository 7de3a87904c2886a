import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.core.errors import NotWritableError
from satchel.storage.inbox.faults import faults, note_fault
from satchel.storage.inbox.spool import Inbox, read_events
from unit.records import ANY_TEXT, JSON


def inbox_in(tmp_path: Path) -> Inbox:
    return Inbox(str(tmp_path / "inbox"))


def names(inbox: Inbox) -> list[str]:
    return sorted(os.listdir(inbox.directory))


def test_an_event_is_on_disk_when_append_returns(tmp_path: Path) -> None:
    inbox = inbox_in(tmp_path)
    assert not inbox.waiting()
    ident = inbox.append({"what": "command", "command": "x"}, 7.0)
    assert inbox.waiting()
    (event,) = inbox.peek()
    assert event.items() >= {"id": ident, "ts": 7, "what": "command", "command": "x"}.items()
    assert os.stat(os.path.join(inbox.directory, "events.jsonl")).st_mode & 0o777 == 0o600


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.dictionaries(st.text("abc", min_size=1), JSON | ANY_TEXT, max_size=3), max_size=6)
)
def test_events_keep_their_order_and_their_values(
    tmp_path_factory: pytest.TempPathFactory, events: list[dict[str, object]]
) -> None:
    inbox = inbox_in(tmp_path_factory.mktemp("i"))
    clock = [100.0, 50.0, 200.0, 10.0, 10.0, 10.0]
    ids = [inbox.append(event, clock[n]) for n, event in enumerate(events)]
    assert ids == sorted(set(ids))
    for given_, kept in zip(events, inbox.peek(), strict=True):
        for name, value in given_.items():
            # A half character is replaced; everything else comes back as it was.
            spelled = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
            assert json.dumps(kept[name], ensure_ascii=False).encode("utf-8", "replace") == spelled


def test_taking_moves_everything_aside_and_new_events_go_to_a_new_file(tmp_path: Path) -> None:
    inbox = inbox_in(tmp_path)
    inbox.append({"n": 1}, 1.0)
    (taken,) = inbox.take()
    inbox.append({"n": 2}, 2.0)
    assert [event["n"] for event in read_events(taken)[0]] == [1]
    assert [event["n"] for event in inbox.peek()] == [2, 1] or len(inbox.peek()) == 2
    assert len(inbox.take()) == 2


def test_a_hook_that_cannot_have_the_lock_writes_a_file_of_its_own(tmp_path: Path) -> None:
    from satchel.storage.locks import FileLock

    inbox = inbox_in(tmp_path)
    with FileLock(os.path.join(inbox.directory, "lock")):
        inbox.append({"n": 1}, 1.0)
    (name,) = [name for name in names(inbox) if name.endswith(".jsonl")]
    assert name.startswith("taken-")
    assert [event["n"] for event in inbox.peek()] == [1]


def test_a_torn_line_takes_only_itself(tmp_path: Path) -> None:
    inbox = inbox_in(tmp_path)
    inbox.append({"n": 1}, 1.0)
    with open(os.path.join(inbox.directory, "events.jsonl"), "ab") as file:
        file.write(b'{"id":"01')
    inbox.append({"n": 2}, 2.0)
    (path,) = inbox.take()
    events, damaged = read_events(path)
    assert [event["n"] for event in events] == [1, 2]
    assert damaged == [b'{"id":"01']


@given(st.binary(max_size=300).filter(lambda data: b"\xef\xbb\xbf" not in data))
def test_any_bytes_are_events_or_kept_as_damage(data: bytes) -> None:
    import tempfile

    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        events, damaged = read_events(file.name)
    assert len(events) + len(damaged) == len([raw for raw in data.split(b"\n") if raw.strip()])


def test_a_place_that_cannot_be_written_is_an_error_before_anything_is_claimed(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(NotWritableError):
        Inbox(str(tmp_path / "file" / "inbox")).append({"n": 1}, 1.0)


def test_faults_are_kept_bounded_and_never_raise(tmp_path: Path) -> None:
    path = str(tmp_path / "faults.jsonl")
    note_fault(path, "PostToolUse", "x" * 10_000 + "\ud800", 7.0)
    (fault,) = faults(path)
    assert (fault["ts"], fault["where"], len(fault["what"])) == (7, "PostToolUse", 300)
    for number in range(2000):
        note_fault(path, "w", f"{number} " + "y" * 280, 1.0)
    assert os.path.getsize(path) < 300 * 1024
    with open(path, "ab") as file:
        file.write(b"{half\n[1]\n\xff\n")
    assert len(faults(path)) > 100
    note_fault(str(tmp_path), "w", "a directory", 1.0)
    note_fault("/proc/nowhere/x", "w", "no place", 1.0)
