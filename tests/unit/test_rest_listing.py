"""Pages of a list that others write to between two of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.core.errors import BadInputError
from satchel.interfaces.http.rest.listing import page_after
from satchel.storage.ledger.record import Record


def record(number: int) -> Record:
    return Record(id=f"{number:05}", ts=1000 + number // 3, kind="learned", content=str(number))


class Listed:
    """A list, newest first, and how often it was asked."""

    def __init__(self, numbers: set[int]) -> None:
        self.numbers, self.asked = numbers, 0

    def fetch(self, start: int, most: int) -> tuple[list[Record], int]:
        self.asked += 1
        every = sorted(self.numbers, reverse=True)
        return [record(one) for one in every[start : start + most]], len(every)


CHANGES = st.lists(
    st.tuples(st.booleans(), st.lists(st.integers(0, 400), max_size=25)), min_size=1, max_size=30
)


@settings(max_examples=150)
@given(st.sets(st.integers(0, 300), min_size=1), st.integers(1, 20), CHANGES)
def test_what_stays_is_told_once_whatever_comes_and_goes(
    numbers: set[int], limit: int, changes: list[tuple[bool, list[int]]]
) -> None:
    listed, stays = Listed(set(numbers)), set(numbers)
    told: list[int] = []
    cursor, turn = "", 0
    while True:
        page, total, cursor = page_after(listed.fetch, cursor, limit)
        assert total == len(listed.numbers)
        told += [int(one.id) for one in page]
        if not cursor:
            break
        coming, which = changes[turn % len(changes)]
        turn += 1
        if coming:
            listed.numbers |= set(which)
        else:
            listed.numbers -= set(which)
            stays -= set(which)
    assert told == sorted(set(told), reverse=True)
    assert stays <= set(told)


def test_a_list_that_nobody_changes_is_asked_once_for_each_page() -> None:
    listed = Listed(set(range(100)))
    cursor, pages = "", 0
    while pages == 0 or cursor:
        _, _, cursor = page_after(listed.fetch, cursor, 10)
        pages += 1
    assert (pages, listed.asked) == (10, 10)


@pytest.mark.parametrize(
    "cursor", ["nonsense!", "MTA", "LTE6MTox", "LTE6MToxOmE", "YTpiOmM6ZA", "\u00e9"]
)
def test_a_cursor_that_is_none_is_refused(cursor: str) -> None:
    with pytest.raises(BadInputError):
        page_after(Listed({1}).fetch, cursor, 10)


def test_a_cursor_far_behind_the_end_ends() -> None:
    far = "OTk5OTk5OTk5OTk5OTk5OjE6MDph"  # 999999999999999:1:0:a
    listed = Listed(set(range(50)))
    assert page_after(listed.fetch, far, 10)[2] == ""
    assert listed.asked < 20
