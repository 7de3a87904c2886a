"""The states of a session, and the sessions on disk."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.core.clock import FixedClock
from satchel.core.errors import AmbiguousIdError, BadInputError, ConflictError, NotFoundError
from satchel.features.sessions.files import MESSAGES, META, PACKED, SessionFiles
from satchel.features.sessions.serialization import (
    fields_of,
    message_from,
    message_line,
    session_from,
)
from satchel.features.sessions.store import SessionStore
from satchel.features.sessions.values import (
    ACTIVE,
    CLOSED,
    DRAFT,
    MOVES,
    PAUSED,
    Message,
    Metrics,
    Session,
    check_can_speak,
    moved,
)
from satchel.storage.locks import NestingLock

#: The picture in Beads Console's documents, written down by hand.
ALLOWED = {
    (DRAFT, "start"): ACTIVE, (DRAFT, "close"): CLOSED,
    (ACTIVE, "pause"): PAUSED, (ACTIVE, "close"): CLOSED,
    (PAUSED, "resume"): ACTIVE, (PAUSED, "close"): CLOSED,
}  # fmt: skip
STEPS = st.lists(st.tuples(st.sampled_from(sorted(MOVES)), st.integers(0, 10_000)), max_size=30)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def store(tmp_path: Path, clock: FixedClock) -> SessionStore:
    places = [str(tmp_path / "own"), str(tmp_path / "tracked")]
    return SessionStore(SessionFiles(places, NestingLock(str(tmp_path / "lock"))), clock)


def directory_of(store: SessionStore, ident: str) -> str:
    return os.path.dirname(store.place.shown(ident))


@given(steps=STEPS)
def test_no_walk_leaves_the_graph_and_closed_is_the_end(steps: list[tuple[str, int]]) -> None:
    session, now, active = Session("S"), 1000.0, 0
    for move, wait in steps:
        now += wait
        expected = ALLOWED.get((session.status, move))
        if expected is None:
            with pytest.raises(ConflictError) as refused:
                moved(session, move, now)
            assert session.status in str(refused.value)
            assert refused.value.hint
            continue
        before = session
        session = moved(session, move, now)
        assert session.status == expected
        if before.status == ACTIVE:
            active += round((now - before.resumed_at) * 1000)
        assert session.metrics.duration_ms == active
        assert session.last_activity_at == now
    assert bool(session.closed_at) == (session.status == CLOSED)
    if session.status != ACTIVE:
        with pytest.raises(ConflictError):
            check_can_speak(session)


def test_an_unknown_move_is_refused() -> None:
    with pytest.raises(BadInputError):
        moved(Session("S"), "reopen", 1.0)


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=30)


@given(
    texts=st.tuples(NAMES, NAMES), tags=st.lists(NAMES, max_size=3),
    when=st.integers(1, 4_000_000_000), tokens=st.integers(0, 10**9),
    cost=st.floats(0, 1000, allow_nan=False),
)  # fmt: skip
def test_a_session_is_read_as_it_was_spelled(
    texts: tuple[str, str], tags: list[str], when: int, tokens: int, cost: float
) -> None:
    title, task = texts
    session = Session(
        "01J", project_id="p", task=task, title=title, tags=tuple(tags), status=PAUSED,
        created_at=float(when), paused_at=float(when), counted_bytes=tokens,
        metrics=Metrics(messages=3, input_tokens=tokens, cost_usd=cost),
        extra=(("mood", {"a": 1}),),
    )  # fmt: skip
    fields = json.loads(json.dumps(fields_of(session)))
    assert session_from(fields) == session
    assert fields["status"] == "paused"
    assert fields["metrics"]["messageCount"] == 3


@given(st.dictionaries(st.sampled_from(["id", "status", "tags", "metrics", "createdAt", "title"]),
                       st.none() | st.integers() | st.text() | st.lists(st.integers())))  # fmt: skip
def test_whatever_stands_in_a_meta_file_is_read(fields: dict[str, object]) -> None:
    assert isinstance(session_from(fields), Session)


@given(text=st.text(min_size=1), role=st.sampled_from(["user", "assistant"]), n=st.integers(0, 99))
def test_a_message_is_read_as_it_was_spelled(text: str, role: str, n: int) -> None:
    said = Message(role, text, 1_700_000_000.0, "01J", input_tokens=n, cost_usd=n / 4)
    line = message_line(said)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    found = message_from(line.rstrip(b"\n"))
    assert found is not None
    assert (found.role, found.at, found.input_tokens, found.cost_usd) == (role, said.at, n, n / 4)
    if "redacted" not in found.text and text.isascii():
        assert found.text == text
    assert message_from(line[:-8]) is None


def test_a_conversation_goes_through_its_life(store: SessionStore, clock: FixedClock) -> None:
    made = store.new(Session("", title="fix it", task="T-1"))
    with pytest.raises(ConflictError):
        store.say(made.id, Message("user", "too early"))
    store.move(made.id, "start")
    clock.advance(60)
    store.say(made.id, Message("user", "hello", input_tokens=7))
    store.say(made.id, Message("assistant", "hi", output_tokens=5, cost_usd=0.25, tool_calls=2))
    store.move(made.id, "pause")
    clock.advance(3600)
    store.move(made.id, "resume")
    clock.advance(30)
    closed = store.move(made.id, "close", summary="done")
    assert closed.metrics == Metrics(2, 90_000, 7, 5, 0.25, 2)
    assert (closed.summary, closed.status) == ("done", CLOSED)
    assert store.get(made.id) == closed
    assert [m.text for m in store.messages(made.id)] == ["hello", "hi"]
    with pytest.raises(ConflictError):
        store.say(made.id, Message("user", "too late"))


def test_secrets_are_taken_out_before_they_reach_the_disk(store: SessionStore) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    made = store.new(Session("", title=f"token {secret}"))
    store.move(made.id, "start")
    store.say(made.id, Message("user", f"use {secret} now"))
    directory = directory_of(store, made.id)
    for name in (META, MESSAGES):
        assert secret not in Path(directory, name).read_text("utf-8")
    assert "[redacted" in store.messages(made.id)[0].text


def test_what_a_killed_writer_left_is_passed_over_and_counted_right(
    store: SessionStore,
) -> None:
    made = store.new(Session(""))
    store.move(made.id, "start")
    store.say(made.id, Message("user", "one"))
    path = Path(directory_of(store, made.id), MESSAGES)
    # Killed between message and meta, and once more in the middle of a line.
    path.write_bytes(path.read_bytes() + message_line(Message("user", "two", 5.0, "01X")))
    assert store.counted(made.id).metrics.messages == 2
    path.write_bytes(path.read_bytes() + b'{"id":"01Y","role":"user","content":"th')
    store.say(made.id, Message("user", "four"))
    assert [m.text for m in store.messages(made.id)] == ["one", "two", "four"]
    assert store.get(made.id).metrics.messages == 3


def test_sessions_are_found_by_the_beginning_of_their_id(store: SessionStore) -> None:
    first, second = store.new(Session("")), store.new(Session(""))
    assert store.find(first.id).id == first.id
    assert store.find(second.id.lower()).id == second.id
    for given_id, error in (("zzz", NotFoundError), (first.id[:3], AmbiguousIdError),
                            ("", NotFoundError), ("-", NotFoundError)):  # fmt: skip
        with pytest.raises(error):
            store.find(given_id)
    store.move(second.id, "start")
    assert store.find("-").id == second.id


def test_a_damaged_meta_file_hides_nothing_else(store: SessionStore) -> None:
    bad, good = store.new(Session("")), store.new(Session("", title="good"))
    path = Path(directory_of(store, bad.id), META)
    path.write_text("{", "utf-8")
    assert [one.id for one in store.every()] == [good.id]
    assert store.damaged() == [str(path)]


def test_closed_sessions_are_packed_and_stay_readable(store: SessionStore) -> None:
    made = store.new(Session(""))
    store.move(made.id, "start")
    for number in range(50):
        store.say(made.id, Message("user", f"message number {number} of many"))
    assert store.pack(made.id) == 0
    store.move(made.id, "close")
    before = store.messages(made.id)
    assert store.pack(made.id) > 0
    assert sorted(os.listdir(directory_of(store, made.id))) == [PACKED, META]
    assert store.messages(made.id) == before
    assert store.counted(made.id).metrics.messages == 50
    assert store.pack(made.id) == 0


def test_tags_are_given_and_taken(store: SessionStore) -> None:
    made = store.new(Session("", tags=("a",)))
    assert store.tag(made.id, add=["b", "a"], remove=["a"]).tags == ("b",)
    for bad in ("", "x" * 65, "two\nlines"):
        with pytest.raises(BadInputError):
            store.tag(made.id, add=[bad])


@pytest.mark.parametrize(
    "message", [Message("robot", "x"), Message("user", "  "), Message("user", "x" * 1_000_001)]
)
def test_what_is_no_message_is_refused(store: SessionStore, message: Message) -> None:
    made = store.new(Session(""))
    store.move(made.id, "start")
    with pytest.raises(BadInputError):
        store.say(made.id, message)
    assert store.messages(made.id) == []
