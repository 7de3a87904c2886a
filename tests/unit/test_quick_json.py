import json
import math
import typing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.core import quick_json, values
from unit.records import ANY_TEXT, JSON


@given(JSON)
def test_what_is_spelled_reads_back_as_json_itself_reads_it(value: Any) -> None:
    text = quick_json.dumps(value)
    assert text == json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert quick_json.loads(text) == json.loads(text) == value


@given(JSON)
def test_the_canonical_spelling_is_that_of_json(value: Any) -> None:
    assert quick_json.canonical(value) == json.dumps(value, sort_keys=True, separators=(",", ":"))


@given(st.dictionaries(st.text(), JSON, max_size=5))
def test_the_canonical_spelling_does_not_depend_on_the_order_of_fields(
    value: dict[str, Any],
) -> None:
    turned = dict(reversed(list(value.items())))
    assert quick_json.canonical(turned) == quick_json.canonical(value)


@given(ANY_TEXT | st.text('{}[]",:0123456789.eE+-nulltrefas \n\\u', max_size=30))
def test_what_json_takes_is_taken_and_what_it_refuses_is_refused(text: str) -> None:
    def outcome(read: Any) -> tuple[str, Any]:
        try:
            return "read", read(text)
        except ValueError:
            return "refused", None

    def lenient(given_: str) -> Any:
        def refuse(name: str) -> float:
            raise ValueError(name)

        bare = given_.strip(" \t\r\n\ufeff")
        return json.loads(bare, strict=False, parse_constant=refuse)

    assert repr(outcome(quick_json.loads)) == repr(outcome(lenient))


@pytest.mark.parametrize(
    "text", ["", " ", "NaN", "[1] [2]", "{", "-Infinity", "'a'", "[" * 200_000]
)
def test_what_is_not_one_json_value_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        quick_json.loads(text)


@pytest.mark.parametrize("value", [math.nan, math.inf, {"a": -math.inf}])
def test_numbers_that_json_lacks_are_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        quick_json.dumps(value)


def test_things_without_a_json_form_are_refused_by_name() -> None:
    with pytest.raises(TypeError, match="set has no JSON form"):
        quick_json.dumps({1, 2})


def test_a_byte_order_mark_is_no_obstacle() -> None:
    assert quick_json.loads("\ufeff{}\r\n") == {}


class Ours(values.NamedTuple):
    """A value of ours."""

    name: str
    size: int = 3

    @property
    def double(self) -> int:
        return self.size * 2


class Theirs(typing.NamedTuple):
    """A value of the standard library's."""

    name: str
    size: int = 3

    @property
    def double(self) -> int:
        return self.size * 2


def test_our_named_tuples_behave_like_those_of_typing() -> None:
    ours, theirs = Ours("a"), Theirs("a")
    assert tuple(ours) == tuple(theirs) == ("a", 3)
    assert {ours: 1}[("a", 3)] == 1  # type: ignore[index]
    assert ours.double == theirs.double == 6
    assert ours._fields == theirs._fields
    assert tuple(ours._replace(size=4)) == tuple(theirs._replace(size=4))
    assert ours._asdict() == theirs._asdict()
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert ours._field_defaults == theirs._field_defaults
    assert Ours.__doc__ == "A value of ours."
    assert Ours.__module__ == Theirs.__module__
    assert hash(ours) == hash(theirs)


def test_our_named_tuples_are_immutable_and_ask_for_their_fields() -> None:
    with pytest.raises(AttributeError):
        Ours("a").name = "b"  # type: ignore[misc]
    with pytest.raises(TypeError):
        Ours()  # type: ignore[call-arg]
