"""What a session was opened for is no lesson: an order to work, or what ails until it is mended.

A rule, or what is led in ("btw ..."), is one wherever it is said.
"""

import pytest

from satchel.application.learning.signals.lesson_filter import why_dropped
from satchel.application.learning.signals.scanning import scan
from satchel.clients.transcript_format.values import Turn


def suggested(said: str, *, first: bool = True) -> list[str]:
    """Return what a prompt teaches as the first of its session, or behind another."""
    before = [] if first else [("user", "look at the form"), ("assistant", "It is a form.")]
    turns = [*before, ("user", said), ("assistant", "It comes from the cookie. I changed it.")]
    told = scan([Turn(role, text, float(at)) for at, (role, text) in enumerate(turns)])
    return [one.learning for one in told if one.role == "user" and not why_dropped(one)]


@pytest.mark.parametrize(
    "said",
    [
        "bump all androidx deps please, security wants it",
        "add caching for exchange rates, we call the bank's api on every request",
        "can you replace our hand-rolled parser with lark, im sick of the corner cases",
        "login test is flaky in the nightly, 3 of 10 red. go",
        "Our GPU jobs queue forever. Can you write me a script that picks the emptiest partition?",
        "The app is starting very slowly on the old devices. I measured it with the profiler.",
        "our mocks of the core system are garbage, make better ones. wiremock is there",
    ],
)
def test_what_a_session_is_opened_for_is_no_lesson(said: str) -> None:
    assert suggested(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "the login test fails. btw staging is down every night from 2 to 4",
        "Never push to main, it is protected. The build fails, please look.",
        "Use pnpm here, not npm. The build fails, please look.",
        "the files from the old system are semicolon separated, load them into raw.sales",
    ],
)
def test_rules_and_facts_in_the_first_prompt_are_kept(said: str) -> None:
    assert suggested(said)


def test_the_same_words_later_are_heard_as_before() -> None:
    assert suggested("login test is flaky in the nightly, 3 of 10 red", first=False)
