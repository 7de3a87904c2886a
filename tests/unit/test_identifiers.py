import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.core.ids import (
    as_uuid,
    derived_ulid,
    following,
    is_ulid,
    memory_key,
    new_ulid,
    parse_id,
    slug,
    ulid_ms,
)

CLOCKS = st.lists(st.integers(-(10**6), 2**48 - 1), min_size=2, max_size=40)


@given(CLOCKS)
def test_ulids_stay_ordered_and_unique_whatever_the_clock_does(clock: list[int]) -> None:
    made: list[str] = []
    for ms in clock:
        made.append(new_ulid(ms, after=made[-1] if made else ""))
    assert made == sorted(set(made))
    assert all(is_ulid(one) for one in made)


@given(st.integers(0, 2**48 - 1))
def test_a_ulid_carries_its_time(ms: int) -> None:
    assert ulid_ms(new_ulid(ms)) == ms


@given(st.integers(0, 2**48 - 1), st.integers(1, 10_000))
def test_following_ids_come_after_in_order(ms: int, steps: int) -> None:
    first = new_ulid(ms)
    assert first < following(first, steps) < following(first, steps + 1)


@given(st.integers(0, 2**48 - 1))
def test_every_spelling_of_an_id_reads_back_as_the_same_id(ms: int) -> None:
    ulid = new_ulid(ms)
    spelled = as_uuid(ulid)
    assert uuid.UUID(spelled).int == int(spelled.replace("-", ""), 16)
    for spelling in (ulid, ulid.lower(), f" {ulid}\n", spelled, spelled.upper()):
        assert parse_id(spelling) == ulid
    assert parse_id(spelled.replace("-", "")) == ulid


@given(st.text())
def test_what_is_no_id_comes_back_unchanged_but_for_blanks_around_it(text: str) -> None:
    read = parse_id(text)
    assert is_ulid(read) or read == text.strip()


def test_the_same_line_always_derives_the_same_id() -> None:
    assert derived_ulid(5, b"x" * 32) == derived_ulid(5, b"x" * 32) != derived_ulid(5, b"y" * 32)


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (
            "TaskGroup requires @Sendable closures in strict concurrency mode.",
            "learned-taskgroup-requires-sendable-closures-in-strict-concurrency",
        ),
        ("  two   words ", "learned-two-words"),
        ("ÜBER größe", "learned-über-größe"),
        ("数据库 连接", "learned-数据库-连接"),
        ("!!!", "learned-21-21-21"),
    ],
)
def test_a_key_is_the_kind_and_a_slug_of_sixty_characters(content: str, key: str) -> None:
    assert memory_key("learned", content) == key


@given(st.text())
def test_a_slug_is_stable_and_has_no_edges(text: str) -> None:
    once = slug(text)
    assert slug(once) == once
    assert not once.startswith("-")
    assert not once.endswith("-")
    assert "--" not in once


def test_contents_without_letters_do_not_share_a_key() -> None:
    assert len({memory_key("learned", text) for text in ("!!!", "???", "→", "🦊")}) == 4
