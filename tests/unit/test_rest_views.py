"""A field of a value that REST would drop without a word is found out at the first answer."""

import pytest
from pydantic import BaseModel

from satchel.core.values import NamedTuple
from satchel.interfaces.http.rest import views


class Told(BaseModel):
    """An answer."""

    id: str
    created_at: str
    note: str = ""


class Kept(NamedTuple):
    """What it is made of."""

    id: str
    at: float
    new: str = ""


def test_every_field_is_told_or_named() -> None:
    one = Kept("a", 1.0)
    told = views.filled(Told, one, without="at new", created_at=one.at)
    assert told == {"id": "a", "created_at": "1970-01-01T00:00:01.000Z"}
    assert views.filled(Told, one, without=views.MOST, created_at=one.at) == told


@pytest.mark.parametrize(
    ("without", "others", "wrong"),
    [
        ("at", {"created_at": ""}, "new"),  # the value gained it
        ("at new gone", {"created_at": ""}, "gone"),  # the value lost it
        ("at new", {}, "created_at"),  # the answer gained it
        ("at new", {"created_at": "", "made": ""}, "made"),  # the answer lost it
    ],
)
def test_a_field_that_nobody_decided_about_is_an_error(
    without: str, others: dict[str, str], wrong: str
) -> None:
    with pytest.raises(TypeError, match=f"Told of Kept: decide about {wrong}$"):
        views.filled(Told, Kept("a", 0.0), without=without, **others)
