"""Personal data stays private: it is remembered, and never offered to a team by itself."""

import time

import pytest

from satchel.application.exchange.sharing import shareable_records
from satchel.core.redaction.personal import is_personal
from satchel.testing import temporary_workspace


@pytest.mark.parametrize(
    "text",
    ["ask ana.lopez@corp.io about billing", "on call: +49 170 1234567", "call +1 (415) 555-0134"],
)
def test_an_address_or_a_number_is_personal(text: str) -> None:
    assert is_personal(text)


@pytest.mark.parametrize(
    "text",
    [
        "clone git@github.com:a/b.git",
        "the fixture uses user@example.com",
        "decorate it with @dataclass",
        "pip install a@2.0 and c++ 17",
        "1 + 2 = 3",
        "left at 2026-11-22T10:00:00+01:00",
    ],
)
def test_code_is_not(text: str) -> None:
    assert not is_personal(text)


def test_a_long_run_of_what_may_begin_an_address_is_read_at_once() -> None:
    began = time.thread_time()
    assert not is_personal("a." * 40_000 + "@")
    assert is_personal("a." * 40_000 + "b@corp.io")
    assert time.thread_time() - began < 1


def test_what_is_personal_is_recalled_here_and_not_offered_to_the_team() -> None:
    with temporary_workspace() as workspace:
        workspace.learn("billing questions go to ana.lopez@corp.io")
        workspace.learn("billing runs at midnight")
        assert len(workspace.recall("billing").items) == 2
        offered = shareable_records(workspace.memories.own, ("learned",))
        assert [record.content for record in offered] == ["billing runs at midnight"]
        assert workspace.memories.shareable_count() == 1
