from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.engine.search import binary_codes as codes
from satchel.engine.search.binary_codes import code_likeness, least_likeness, nearest_codes
from satchel.engine.search.index import Index
from satchel.storage.database.sqlite import SqliteDatabase

CODE = st.binary(min_size=48, max_size=48)


def database(path: Path | str, held: list[bytes]) -> SqliteDatabase:
    opened = SqliteDatabase(str(path))
    Index(opened, lambda _: "none")
    opened.write_many("INSERT INTO codes VALUES (?, ?)", list(enumerate(held, 1)))
    return opened


def alike(one: bytes, other: bytes) -> float:
    equal = sum(8 - (a ^ b).bit_count() for a, b in zip(one, other, strict=True))
    return equal / (8 * len(one))


@given(st.lists(CODE, max_size=12), CODE)
@settings(max_examples=60, deadline=None)
def test_likeness_is_the_share_of_equal_bits(held: list[bytes], asked: bytes) -> None:
    opened = database(":memory:", held)
    found = code_likeness(opened, asked, list(range(1, len(held) + 1)))
    assert found == pytest.approx({n: alike(one, asked) for n, one in enumerate(held, 1)})


def test_the_nearest_come_and_chance_does_not(tmp_path: Path) -> None:
    asked = bytes(range(48))
    near = bytes(range(47)) + b"\xff"
    chance = bytes(255 - b if n % 2 else b for n, b in enumerate(asked))
    found = nearest_codes(database(tmp_path / "x.db", [chance, near, asked]), asked, 10)
    assert list(found) == [3, 2]
    assert found[3] == 1.0
    assert all(share >= least_likeness(3) for share in found.values())


def test_a_store_too_large_for_a_cold_start_is_left_to_the_words(tmp_path: Path) -> None:
    opened = database(tmp_path / "x.db", [b"\0" * 48] * 3)
    before = codes.MOST
    try:
        codes.MOST = 2
        assert nearest_codes(opened, b"\0" * 48, 10) == {}
    finally:
        codes.MOST = before
    assert len(nearest_codes(opened, b"\0" * 48, 10)) == 3


def test_what_counts_as_near_grows_with_the_store() -> None:
    shares = [least_likeness(count) for count in (0, 2, 100, 10_000, 1_000_000)]
    assert shares == sorted(shares)
    assert 0.6 < shares[0] == shares[1] < shares[-1] < 0.85
