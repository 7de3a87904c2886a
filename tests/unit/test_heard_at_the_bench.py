"""What somebody who works on hardware says in passing: what lasts of it, and what is a symptom."""

from __future__ import annotations

import re

import pytest

from satchel.application.learning.listening.checkpoints import where_it_stood
from satchel.application.learning.signals import lesson_filter
from satchel.application.learning.signals.hearing import hear
from satchel.application.learning.signals.lesson_filter import why_dropped
from satchel.application.learning.signals.scanning import scan
from satchel.clients.transcript_format.values import ASSISTANT, USER, Turn
from satchel.clients.transcripts.tail import Message


@pytest.mark.parametrize(
    ("said", "wording"),
    [
        # A cry of discovery is no part of what was discovered.
        (
            "ah that was it: the sensor sits on address 0x77 because SDO is pulled high",
            "The sensor sits on address 0x77 because SDO is pulled high",
        ),
        (
            "found it, the uart has to be suspended before sleep, otherwise it draws 300uA",
            "The uart has to be suspended before sleep, otherwise it draws 300uA",
        ),
        # What to use instead is half of a refusal.
        (
            "no docker, the nas cant run it. use systemd",
            "No docker, the nas can't run it: use systemd",
        ),
        (
            "no matplotlib, it takes 3s to start on the pi. use plotext",
            "No matplotlib, it takes 3s to start on the pi: use plotext",
        ),
        # Things of hardware are things of a project.
        ("baudrate is 921600 on all boards", "Baudrate is 921600 on all boards"),
    ],
)
def test_what_lasts_is_heard_whole(said: str, wording: str) -> None:
    assert [one.wording for one in hear(said, "I changed it.")] == [wording]


@pytest.mark.parametrize(
    "said",
    [
        "the bench board resets every 8 seconds since this morning",
        "the gateway drops every second packet since the last update",
        "the logger hangs after two hours since yesterday",
        "lets get 0.4 out",
        "no luck, still red. use -vv",
        "no idea. use the other one",
    ],
)
def test_a_symptom_and_an_order_for_once_are_not_heard(said: str) -> None:
    assert hear(said, "I changed it.") == []


def test_what_is_so_since_lately_is_still_heard() -> None:
    assert hear("the staging database listens on port 5433 since the last deploy")


def suggested(said: str) -> list[str]:
    """What a session with this in it teaches."""
    turns = [Turn(ASSISTANT, "Shall I sign it?", id="a"), Turn(USER, said, id="b")]
    return [one.learning for one in scan(turns) if not why_dropped(one)]


def test_the_name_of_a_key_is_not_taken_for_a_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "Ota images are signed with ed25519, not rsa"
    assert suggested(said) == [said]
    assert suggested("images of 4caea0e are signed with rsa, not hmac") == []
    # Seeded bug: every name of such letters and figures looks like a commit.
    monkeypatch.setattr(lesson_filter, "_LOGGED", re.compile(r"\b[0-9a-f]{7,}\b"))
    assert suggested(said) == []


@pytest.mark.parametrize(
    "taught",
    [
        "unit tests live under tests/unit and use ztest, one suite per module",
        "die Funkparameter stehen in boards/tern_v2.overlay, nicht in prj.conf",
        "timestamps in all files are utc with a Z, no local time anywhere",
    ],
)
def test_a_rule_that_orders_nothing_is_not_what_was_asked(taught: str) -> None:
    said = ["move the watchdog to the work queue", "Moved it to src/health.c.", taught, "Noted."]
    roles = (USER, ASSISTANT, USER, ASSISTANT)
    messages = [
        Message(role, text, str(at))
        for at, (role, text) in enumerate(zip(roles, said, strict=True))
    ]
    messages[1] = messages[1]._replace(worked=True)
    stood = where_it_stood(messages)
    assert stood is not None
    assert stood.asked == said[0]
    assert stood.summary == said[1]
