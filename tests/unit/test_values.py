"""Values behave as `typing.NamedTuple` does, before their constructor is compiled and after."""

from __future__ import annotations

import copy
import typing
from collections.abc import Callable
from typing import Any

import pytest

from satchel.core.values import NamedTuple, cached_property


class Point(NamedTuple):
    """A place."""

    x: int
    y: int = 2
    label: str = ""

    @property
    def total(self) -> int:
        """The sum of both."""
        return self.x + self.y


class Known(typing.NamedTuple):
    """The same, as the standard library makes it."""

    x: int
    y: int = 2
    label: str = ""


class Named(Point):
    """A subclass."""


#: More than are made before the constructor is compiled.
TIMES = 50


@pytest.mark.parametrize("make", [
    lambda one: one(1),
    lambda one: one(1, 3),
    lambda one: one(1, label="a"),
    lambda one: one(label="a", y=4, x=1),
    lambda one: one(1)._replace(y=5, label="b"),
    lambda one: one._make((1, 2, "c")),
    lambda one: copy.copy(one(1, 2, "d")),
])  # fmt: skip
def test_a_value_is_made_as_the_standard_library_makes_it(make: Callable[[Any], Any]) -> None:
    for _ in range(TIMES):
        made, known = make(Point), make(Known)
        assert made == known
        assert (type(made), hash(made), made._asdict()) == (Point, hash(known), known._asdict())
        assert repr(made) == repr(known).replace("Known", "Point")
    assert Point._fields == Known._fields == Point.__match_args__
    assert Point._field_defaults == Known._field_defaults


@pytest.mark.parametrize("make", [
    lambda one: one(),
    lambda one: one(y=1),
    lambda one: one(1, 2, "a", 4),
    lambda one: one(1, x=1),
    lambda one: one(1, other=1),
])  # fmt: skip
def test_what_is_no_value_is_refused_from_the_first_one_on(make: Callable[[Any], Any]) -> None:
    class Fresh(NamedTuple):
        x: int
        y: int = 2
        label: str = ""

    for _ in range(TIMES):
        with pytest.raises(TypeError):
            make(Fresh)
        assert Fresh(1) == (1, 2, "")


def test_a_field_may_be_called_as_what_makes_the_value() -> None:
    class Odd(NamedTuple):
        new: int
        cls: int = 0
        owner: int = 0
        self: int = 0
        values: int = 0

    for _ in range(TIMES):
        assert Odd(new=1, cls=2, owner=3)._replace(self=4, values=5) == (1, 2, 3, 4, 5)


def test_an_unknown_field_cannot_be_replaced() -> None:
    with pytest.raises(TypeError, match="'other'"):
        Point(1)._replace(other=1)  # type: ignore[call-arg]


def test_a_value_is_immutable_and_has_its_methods() -> None:
    one = Point(1)
    assert one.total == 3
    with pytest.raises(AttributeError):
        one.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        one.more = 2  # type: ignore[attr-defined]


def test_a_subclass_makes_its_own_values() -> None:
    for _ in range(TIMES):
        assert type(Named(1)) is Named
        assert Named(1)._replace(y=7).total == 8
        assert copy.copy(Named(1)) == Named(1)


def test_a_field_without_a_default_behind_one_with_a_default_is_an_error() -> None:
    with pytest.raises(TypeError, match="Wrong has a field without a default"):

        class Wrong(NamedTuple):
            x: int = 1
            y: int  # type: ignore[misc]


def test_a_cached_property_is_computed_once_for_each_object() -> None:
    computed = []

    class Made:
        @cached_property
        def answer(self) -> int:
            """Say what it is."""
            computed.append(self)
            return len(computed)

    one, other = Made(), Made()
    assert (one.answer, other.answer, one.answer, other.answer) == (1, 2, 1, 2)
    assert Made.answer.__doc__ == "Say what it is."
    del one.answer
    assert one.answer == 3
