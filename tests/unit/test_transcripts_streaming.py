"""Laws of reading a transcript that grows, is cut, is damaged, or is very large."""

import os
import tempfile
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.clients.transcript_format import lines
from satchel.clients.transcript_format.values import TranscriptHead, Turn, merged
from satchel.clients.transcripts.reading import TranscriptReader
from unit import transcripts_made as made
from unit.transcripts_made import jsonl

WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)
NUMBER = st.integers(0, 50)


def claude_records() -> st.SearchStrategy[dict[str, Any]]:
    answer = st.sampled_from(["msg_1", "msg_2", "msg_3"])
    return st.one_of(
        st.builds(made.claude_user, WORDS, NUMBER),
        st.builds(made.claude_block, answer, st.builds(made.text, WORDS), NUMBER),
        st.builds(made.claude_block, answer, WORDS.map(lambda w: made.tool("Bash", command=w))),
        st.builds(made.claude_user, WORDS.map(lambda w: made.result(w, failed=True)), NUMBER),
        st.builds(lambda w, s: made.claude_user(w, s, isMeta=True), WORDS, NUMBER),
        st.builds(lambda w, s: made.queued("enqueue", s, content=w), WORDS, NUMBER),
        st.builds(made.queued, st.sampled_from(["remove", "dequeue", "popAll"]), NUMBER),
        st.sampled_from([*made.CLAUDE, *made.answered("claude", made.TYPED)]),
    )


def codex_records() -> st.SearchStrategy[dict[str, Any]]:
    role = st.sampled_from(["user", "assistant"])
    told = st.sampled_from(["told once", "told twice"])
    return st.one_of(
        st.builds(made.codex_said, role, WORDS, NUMBER),
        st.builds(made.codex_said, st.just("assistant"), told, NUMBER),
        told.map(lambda t: made.codex("event_msg", {"type": "agent_message", "message": t})),
        st.sampled_from([*made.CODEX, *made.answered("codex", made.TYPED)]),
    )


def others(records: list[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.sampled_from(records)


STREAMS = {
    "claude": claude_records(),
    "codex": codex_records(),
    "flat": others(made.CODEX_FLAT[1:]),
    "copilot": others(
        [*made.COPILOT, made.REFUSED["copilot"], *made.answered("copilot", made.TYPED)]
    ),
    "gemini": others([*made.GEMINI, made.REFUSED["gemini"], *made.answered("gemini", made.TYPED)]),
    "cursor": others(made.CURSOR),
    "opencode": others(
        [*made.OPENCODE, made.REFUSED["opencode"], *made.answered("opencode", made.TYPED)]
    ),
}
FIRST = {"codex": made.CODEX[0], "flat": made.CODEX_FLAT[0], "gemini": made.GEMINI_HEAD}
DAMAGE = st.sampled_from([b"{\n", b"\xff\xfe\n", b"\n", b"[1]\n", b"null\n", b'{"type":\n'])


def read_in_parts(raw: bytes, cuts: list[int]) -> tuple[list[Turn], TranscriptHead]:
    turns: list[Turn] = []
    head: TranscriptHead | None = None
    resume = 0
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "x.jsonl")
        for end in [*sorted(cuts), len(raw)]:
            Path(path).write_bytes(raw[:end])
            reader = TranscriptReader(path, start=resume, head=head)
            turns = merged(turns, list(reader))
            if reader.client:
                assert resume <= reader.resume <= end
                resume, head = reader.resume, reader.head
    assert head is not None
    return turns, head


@pytest.mark.parametrize("client", STREAMS)
@given(data=st.data())
def test_reading_in_any_parts_gives_what_reading_the_whole_gives(
    client: str, data: st.DataObject
) -> None:
    records = data.draw(st.lists(STREAMS[client], min_size=1, max_size=12))
    first = FIRST.get(client, made.EVERY.get(client, made.CODEX_FLAT)[0])
    parts = [jsonl([one]) for one in [first, *records]]
    for damage in data.draw(st.lists(DAMAGE, max_size=3)):
        parts.insert(data.draw(st.integers(1, len(parts))), damage)
    raw = b"".join(parts)
    cuts = data.draw(st.lists(st.integers(0, len(raw)), max_size=5))
    assert read_in_parts(raw, cuts) == read_in_parts(raw, [])


@given(raw=st.binary(max_size=400), client=st.sampled_from(sorted(made.EVERY)), at=st.integers(0))
def test_no_bytes_make_it_fail_or_take_turns_away_before_them(
    raw: bytes, client: str, at: int
) -> None:
    whole = jsonl(made.EVERY[client])
    ends = [i + 1 for i, byte in enumerate(whole) if byte == 10]
    cut = ends[at % len(ends)]
    before, _ = read_in_parts(whole[:cut] + b"\n", [])
    after, _ = read_in_parts(whole[:cut] + raw + b"\n" + whole[cut:], [])
    kept = [turn.text for turn in after]
    assert all(turn.text in kept for turn in before[:-1])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


def with_changes(value: Any, data: st.DataObject, depth: int = 0) -> Any:
    """Put something else at a random place of a record."""
    if depth > 5 or not isinstance(value, dict | list) or not value:
        return data.draw(JSON)
    if isinstance(value, dict):
        key = data.draw(st.sampled_from(sorted(value)))
        return {**value, key: with_changes(value[key], data, depth + 1)}
    at = data.draw(st.integers(0, len(value) - 1))
    return [*value[:at], with_changes(value[at], data, depth + 1), *value[at + 1 :]]


@pytest.mark.parametrize("client", [*made.EVERY, "flat"])
@given(data=st.data())
def test_no_field_of_another_type_makes_it_fail(client: str, data: st.DataObject) -> None:
    records = list(made.EVERY.get(client, made.CODEX_FLAT))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(records) - 1))
        changed = with_changes(records[at], data)
        records[at] = changed if isinstance(changed, dict) else {"x": changed}
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "x.jsonl")
        Path(path).write_bytes(jsonl(records))
        reader = TranscriptReader(path)
        turns = list(reader)
        for turn in turns:
            assert isinstance(turn.text, str)
            assert isinstance(turn.at, float)
            assert turn.id.encode("utf-8")
        assert all(isinstance(value, str | float) for value in reader.head)


def test_damaged_lines_are_counted_and_a_partial_last_one_is_not(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    raw = jsonl(made.CLAUDE[:4]) + b"not json\n{broken\n" + jsonl(made.CLAUDE[4:8])
    path.write_bytes(raw + b'{"type":"user","mess')
    reader = TranscriptReader(str(path))
    turns = list(reader)
    assert reader.damaged == 2
    assert [t.text for t in turns] == ["please fix the login", "I look at it.", "Mended."]


def test_a_last_line_without_a_newline_is_read_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    raw = jsonl([made.claude_user("one", 1), made.claude_user("two", 2)])
    path.write_bytes(raw.rstrip(b"\n"))
    reader = TranscriptReader(str(path))
    assert [t.text for t in reader] == ["one", "two"]
    assert reader.resume == raw.index(b"\n") + 1


def test_a_line_of_megabytes_is_read_and_an_endless_one_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.jsonl"
    long = made.claude_user([made.text("x" * 3_000_000)], 1)
    path.write_bytes(jsonl([long, made.claude_user("after", 2)]))
    assert [len(t.text) for t in TranscriptReader(str(path))] == [3_000_000, 5]
    monkeypatch.setattr(lines, "LONGEST_LINE", 1_000_000)
    reader = TranscriptReader(str(path))
    assert [t.text for t in reader] == ["after"]
    assert reader.damaged == 1


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    block = jsonl(
        [
            made.claude_user("question", 1),
            made.claude_block("m", made.text("answer " * 1000), 2),
            made.claude_user(made.result("output " * 10_000), 3),
        ]
    )

    def peak(times: int) -> int:
        path.write_bytes(block * times)
        tracemalloc.start()
        try:
            count = sum(1 for _ in TranscriptReader(str(path)))
            assert count == 2 * times
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    small, large = peak(10), peak(200)
    assert large < small * 1.2 + 100_000
