import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.core.ids import is_ulid
from satchel.storage.ledger.lines import decode, encode, sealed, split_lines
from satchel.storage.ledger.record import Record
from unit.records import ANY_TEXT, JSON, records


def read(raw: bytes) -> Record:
    line = decode(raw)
    assert line.record is not None, line.reason
    return line.record


@given(records())
def test_a_record_survives_its_line_whole(record: Record) -> None:
    line = encode(record)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    back = read(line)
    # A list of no anchors and an absent one are the same thing; nothing else may change.
    assert back == sealed(record)[0]
    assert not back.edited


@given(records(ANY_TEXT))
def test_text_that_utf8_cannot_carry_neither_fails_nor_looks_like_a_persons_edit(
    record: Record,
) -> None:
    back = read(encode(record))
    assert back.edited is False
    assert back.content == record.content.encode("utf-8", "replace").decode() or (
        "\ufffd" in back.content
    )


@given(records(), st.data())
def test_a_change_of_any_field_is_noticed(record: Record, data: st.DataObject) -> None:
    fields = json.loads(encode(record))
    name = data.draw(st.sampled_from(sorted(set(fields) - {"hash"})))
    other = data.draw(JSON.filter(lambda v: json.dumps(v) != json.dumps(fields[name])))
    # Nothing, an empty text and an absent field say the same of every field.
    fields[name] = other if name != "type" else "other-kind"
    line = decode(json.dumps(fields).encode())
    assert line.record is None or line.record.edited


@given(records(), st.data())
def test_a_field_that_is_taken_away_or_added_is_noticed(
    record: Record, data: st.DataObject
) -> None:
    fields = json.loads(encode(record))
    added = {**fields, "added_by_hand": 1}
    assert read(json.dumps(added).encode()).edited
    gone = data.draw(st.sampled_from(sorted(set(fields) - {"hash", "type", "content", "key"})))
    del fields[gone]
    assert read(json.dumps(fields).encode()).edited


@given(records())
def test_the_same_record_always_makes_the_same_line(record: Record) -> None:
    assert encode(record) == encode(record._replace(hash="", edited=True))
    assert encode(read(encode(record))) == encode(record)


@given(records(), st.data())
def test_a_change_of_any_byte_is_noticed(record: Record, data: st.DataObject) -> None:
    line = encode(record)
    at = data.draw(st.integers(0, len(line) - 2))
    other = data.draw(st.integers(32, 126).filter(lambda b: b != line[at]))
    changed = decode(line[:at] + bytes([other]) + line[at + 1 :])
    assert changed.record is None or changed.record.edited


@given(st.binary(max_size=200))
def test_any_bytes_are_either_a_record_or_kept_with_a_reason(raw: bytes) -> None:
    line = decode(raw)
    assert line.raw == raw
    assert bool(line.reason) == (line.record is None)


@given(st.dictionaries(st.sampled_from(
    ["key", "type", "content", "source", "tags", "ts", "bead", "id", "rev", "data", "hash", "title",
     "confidence", "expires_at", "valid_to", "supersedes", "foreign"]), JSON))  # fmt: skip
def test_any_object_is_either_a_record_or_kept_with_a_reason(fields: dict[str, Any]) -> None:
    line = decode(json.dumps(fields).encode())
    assert bool(line.reason) == (line.record is None)
    if line.record is not None:
        assert decode(encode(line.record)).record is not None


def test_a_learned_record_has_the_seven_fields_of_beads_memory_first_and_in_its_order() -> None:
    record = Record(
        kind="learned",
        content="TaskGroup requires @Sendable closures in strict concurrency mode.",
        key="learned-taskgroup-requires-sendable-closures",
        source="supervisor",
        tags=("learned", "async", "concurrency"),
        ts=1706360000,
        task="BD-001",
        id="01HN4Z0000000000000000000A",
    )
    fields = json.loads(encode(record))
    assert list(fields) == [
        "key", "type", "content", "source", "tags", "ts", "bead", "id", "hash",
    ]  # fmt: skip
    written = '{"key":"learned-taskgroup-requires-sendable-closures","type":"learned","content":"TaskGroup requires @Sendable closures in strict concurrency mode.","source":"supervisor","tags":["learned","async","concurrency"],"ts":1706360000,"bead":"BD-001",'
    assert encode(record).decode().startswith(written)


def test_a_line_of_beads_memory_is_read_and_is_nobodys_edit() -> None:
    raw = b'{"key":"learned-x","type":"learned","content":"x","source":"orchestrator","tags":["learned"],"ts":1706360000,"bead":"BD-1"}'
    record = read(raw)
    assert (record.kind, record.content, record.task) == ("learned", "x", "BD-1")
    assert (record.tags, record.ts, record.source) == (("learned",), 1706360000, "orchestrator")
    assert is_ulid(record.id)
    assert not record.edited


def test_a_line_without_an_id_gets_the_same_one_however_its_bytes_end_or_nest() -> None:
    raw = b'{"type":"decision","content":"x","ts":1}'
    spellings = [raw, raw + b"\n", raw + b"\r\n", b"  " + raw, b"\xef\xbb\xbf" + raw]
    spellings.append(json.dumps(raw.decode()).encode())
    assert len({read(one).id for one in spellings}) == 1


def test_lines_without_an_id_that_say_different_things_get_different_ids() -> None:
    one, two = (
        b'{"type":"decision","content":"x","ts":1}',
        b'{"type":"decision","content":"y","ts":1}',
    )
    assert read(one).id != read(two).id


def test_fields_of_other_programs_are_kept() -> None:
    raw = b'{"type":"learned","content":"x","ts":1,"recall_count":7,"nested":{"a":[1]}}'
    back = json.loads(encode(read(raw)))
    assert (back["recall_count"], back["nested"]) == (7, {"a": [1]})


@pytest.mark.parametrize(
    ("given_", "seconds"),
    [
        (1706360000, 1706360000),
        (1706360000123, 1706360000),
        ("1706360000", 1706360000),
        ("2024-01-27T12:53:20Z", 1706360000),
        ("2024-01-27T14:53:20+02:00", 1706360000),
        (1706360000.9, 1706360000),
        ("yesterday", 0),
        (None, 0),
        (True, 0),
    ],
)
def test_times_of_every_spelling_are_read(given_: object, seconds: int) -> None:
    line = json.dumps({"type": "learned", "content": "x", "ts": given_}).encode()
    assert read(line).ts == seconds


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"<<<<<<< HEAD", "conflict"),
        (b"=======", "conflict"),
        (b">>>>>>> theirs", "conflict"),
        (b'{"type":"learned","content":"cut of', "not JSON"),
        (b"[1,2]", "not a JSON object"),
        (b"{}", "neither"),
        (b"\xff\xfe", "UTF-8"),
        (b"[" * 100_000, "JSON|deep"),
        (b'"just text"', "not JSON"),
    ],
)
def test_what_is_no_record_comes_back_with_the_reason(raw: bytes, reason: str) -> None:
    import re

    line = decode(raw)
    assert line.record is None
    assert re.search(reason, line.reason)


def test_only_a_newline_ends_a_line() -> None:
    assert split_lines("a\u2028b\x0bc\n\n \nd".encode()) == ["a\u2028b\x0bc".encode(), b"d"]
