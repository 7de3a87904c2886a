"""What is said in answer to the agent's work is kept with the order and the reason beside it."""

import pytest

from benchmarks.talk import Conversation, Lesson, judge
from satchel.application.learning.signals import replies
from satchel.application.learning.signals.lesson_filter import why_dropped
from satchel.application.learning.signals.scanning import scan
from satchel.clients.transcript_format.values import Turn


def kept(said: str, prev: str = "Done, and I used the newest version.") -> list[str]:
    turns = [("user", "please see to the exporter"), ("assistant", prev), ("user", said)]
    found = scan([Turn(role, text, float(at), id=str(at)) for at, (role, text) in enumerate(turns)])
    return [one.learning for one in found if not why_dropped(one)]


WHOLE = """
workmanager back to 2.8.1!! 2.9 dies on the galaxy a12 with that foreground service exception and a third of our drivers have that phone
    Workmanager back to 2.8.1: 2.9 dies on the galaxy a12 with that foreground service exception and a third of our drivers have that phone
leave the old column in. the warehouse reads it every night
    Leave the old column in: the warehouse reads it every night
editor role for them, not admin. whoever gets admin installs elementor and then we do the support for free
    Editor role for them, not admin: whoever gets admin installs elementor and then we do the support for free
the ops people in izmir don't read english well. turkish for all under /ops please
    The ops people in izmir don't read english well. Turkish for all under /ops please
>=1.23 please. the customers' clusters only have that one
    Use >=1.23: the customers' clusters only have that one
salt it then, growth looks at anonymous sessions each monday
    Salt it then: growth looks at anonymous sessions each monday
"""
_LINES = WHOLE.strip().splitlines()


@pytest.mark.parametrize(("said", "lesson"), list(zip(_LINES[::2], _LINES[1::2], strict=True)))
def test_an_order_is_told_with_its_reason(said: str, lesson: str) -> None:
    assert [one.partition(" (on: ")[0] for one in kept(said)] == [lesson.strip()]


def test_what_names_nothing_is_told_with_what_it_answers() -> None:
    said = "stderr. stdout is for data and nothing else, the packagers' test reads it"
    assert kept(said, "Errors are printed to stdout as well.") == [
        (
            "Stderr: stdout is for data and nothing else, the packagers' test reads it "
            "(on: Errors are printed to stdout as well)"
        )
    ]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("It is in one transaction now. Keys expire after 24h.", " (on: Keys expire after 24h)"),
        ("The key is ghp_0123456789abcdefghijABCDEFGHIJ012345.", ""),
        ("Shall they expire after 24h?", "Shall they expire after 24h: "),
    ],
)
def test_a_value_is_told_with_what_it_is_of(answer: str, told: str) -> None:
    (lesson,) = kept("7 days, batch clients retry over the weekend", answer)
    assert told in lesson
    assert "ghp_" not in lesson


@pytest.mark.parametrize(
    ("before", "answer", "said", "lesson"),
    [
        (
            "Humidity above 100 is a fault at site K7, set it to NaN",
            "Set to NaN for K7.",
            "for all sites actually, K7 is just where I noticed",
            "Humidity above 100 is a fault at site K7, set it to NaN: for all sites actually, K7 is just where I noticed",
        ),
        (
            "make the table",
            "M12_old.csv has no rows.",
            "Ah yes, M12_old is the one the goat ate. Ignore it, M12 is the replacement.",
            "M12_old is the one the goat ate. Ignore it. M12 is the replacement",
        ),
        (
            "I'm giving this repo to Tom\u00e1s on Monday, write down how to run everything",
            "Written.",
            "he has windows btw so no bash scripts",
            "Tom\u00e1s has windows so no bash scripts",
        ),
        (
            "make the figures",
            "Done.",
            "The y axis label should say 'Air temperature (\u00b0C)' in all figures, not 'temp'",
            "The y axis label should say 'Air temperature (\u00b0C)' in all figures, not 'temp'",
        ),
    ],
)  # fmt: skip
def test_an_answer_is_told_so_that_it_stands_alone(
    before: str, answer: str, said: str, lesson: str
) -> None:
    turns = [("user", before), ("assistant", answer), ("user", said)]
    found = scan([Turn(role, text, float(at), id=str(at)) for at, (role, text) in enumerate(turns)])
    assert [one.learning for one in found if one.turns == ("2",)] == [lesson]


def test_what_is_to_be_done_next_is_no_part_of_it() -> None:
    said = "not a file in the repo. throwaway lists go in the chat here, always. delete it"
    (lesson,) = kept(said)
    assert "throwaway lists" in lesson
    assert "delete it" not in lesson.lower()


def test_two_rules_are_two_lessons() -> None:
    assert kept("never edit the generated client. always run the linter before a commit") == [
        "Never edit the generated client",
        "Always run the linter before a commit",
    ]


def test_a_secret_takes_no_lesson_along() -> None:
    said = "the relay's login is admin / s3cr3tpw. leave the old column in. the warehouse reads it every night"
    assert kept(said) == ["Leave the old column in: the warehouse reads it every night"]


def test_a_secret_that_the_agent_named_takes_none_along() -> None:
    said = "stderr. stdout is for data and nothing else, the packagers' test reads it"
    (lesson,) = kept(said, "I log in with password=Zk9qLw27xT on stdout.")
    assert lesson == "Stderr: stdout is for data and nothing else, the packagers' test reads it"


@pytest.mark.parametrize(
    "said",
    [
        "remove it from the avatar, you can hardly see it there",
        "revert that, it broke the login",
        "left one. the other wraps badly",
        "skip the tests, im in a hurry",
        "no, the file I sent you, that one is older",
        "try again, I restarted the container",
        "put it above the table. there is more room now",
        "yes but without the chart, the boss is waiting",
        "nice. now the second one please",
        "rename it, it looks like a typo",
    ],
)
def test_a_reason_of_the_moment_makes_no_lesson(said: str) -> None:
    assert kept(said) == []


def test_a_first_prompt_is_a_task() -> None:
    said = "leave the old column in. the new page reads the first ten rows"
    found = scan([Turn("user", said, 1.0, id="1")])
    assert not [one for one in found if ": the new page" in one.learning]


def test_a_bug_that_leaves_half_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "_EXPLAINS", 2.0)
    with pytest.raises(AssertionError):
        test_an_order_is_told_with_its_reason(
            "leave the old column in. the warehouse reads it every night",
            "Leave the old column in: the warehouse reads it every night",
        )


def test_the_measure_tells_whole_lessons_from_halves() -> None:
    """Of three lessons one is whole, one in part, one missed; one suggestion is none of them."""
    turns = (
        ("user", "please see to the exporter"),
        ("assistant", "Done."),
        ("user", "leave the old column in. the warehouse reads it every night"),
        ("assistant", "Left."),
        ("user", "we always squash before a merge"),
    )
    lessons = (
        Lesson(2, "", ("old column", "warehouse")),
        Lesson(2, "", ("warehouse", "morning")),
        Lesson(2, "", ("blue",)),
    )
    result = judge(Conversation("x", turns, lessons))
    assert [bool(text) for _, text in result.lessons] == [True, True, False]
    assert [one.lower()[:16] for one in result.others] == ["we always squash"]


OPENINGS = [
    "Add rate limiting to the public api, 100 req/min per key",
    "plot the qc metrics per batch, boxplots, pdf",
    "Our webhook receiver for Klarna loses events under load",
]


@pytest.mark.parametrize("said", OPENINGS)
def test_what_a_session_is_opened_for_is_no_lesson(said: str) -> None:
    turns = [("user", said), ("assistant", "I start with the middleware; the limit is per minute.")]
    assert not scan([Turn(role, text, 1.0) for role, text in turns])


def test_what_a_session_is_opened_for_is_none_either_if_the_agent_calls_a_tool_first() -> None:
    said = "reviewer 2 wants the model refitted with site as random effect"
    turns = [
        Turn("user", said, 1.0),
        Turn("assistant", "", 2.0, tools=("Edit: model.py",)),
        Turn("user", "", 3.0),
        Turn("assistant", "mixedlm converged.", 4.0),
    ]
    assert not scan(turns)
    assert scan([turns[0], turns[3]._replace(text="Noted.")])


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("DPD's sandbox only answers between 8 and 18 on weekdays", "Understood."),
        ("Our GPU jobs queue forever", "Noted, I won't wait for them."),
        (
            "DPD's sandbox only answers between 8 and 18 on weekdays. write the client",
            "I write the client in `dpd.py`.",
        ),
    ],
)
def test_what_is_only_told_first_is_one(said: str, answer: str) -> None:
    turns = [("user", said), ("assistant", answer)]
    (found,) = scan([Turn(role, text, 1.0) for role, text in turns])
    assert found.learning == said.partition(". ")[0]
