"""The stores of the conformance suite, as fixtures."""

import os
from collections.abc import Callable, Iterator

import pytest

from conformance.stores import STORES, Store


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: os.PathLike[str]) -> Iterator[Store]:
    """The suite's one parameter."""
    url = str(request.getfixturevalue("postgresql_url")) if request.param == "postgresql" else ""
    made = Store(str(request.param), os.fspath(tmp_path), url)
    yield made
    made.close()


@pytest.fixture
def both(postgresql_url: str, tmp_path: os.PathLike[str]) -> Iterator[Callable[[str], list[Store]]]:
    """Makes one store of each kind under a name, for comparing them."""
    made: list[Store] = []

    def make(name: str) -> list[Store]:
        pair = [
            Store(kind, os.path.join(os.fspath(tmp_path), name), postgresql_url) for kind in STORES
        ]
        made.extend(pair)
        return pair

    yield make
    for one in made:
        one.close()
