"""Speech that runs on without marks, as it is dictated, is heard sentence by sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.hearing import CORPUS, corpus
from satchel.application.learning.signals import own_words, statements
from satchel.application.learning.signals.hearing import hear
from satchel.application.learning.signals.run_on import with_marks

SAID = corpus(CORPUS.with_name("dictated.tsv"))
#: A prompt, and the lessons in it.
LESSONS = {
    "I see you used moment again we got rid of that ages ago please use date fns for anything with"
    " dates": ["Use date fns for anything with dates"],
    "um I think the problem is that you're running the tests with npm but we use bun here so bun"
    " test is the command": ["We use bun here so bun test is the command"],
    "no no no the deadline is the fifteenth not the fifth so adjust the plan": [
        "The deadline is the fifteenth, not the fifth"
    ],
    "yeah so that's not quite right because the customer id is actually a string in our system not"
    " an integer": ["The customer id is actually a string in our system, not an integer"],
    "the user table is huge it has like eighty million rows so never do a full scan on it okay": [
        "The user table is huge, it has eighty million rows, so never do a full scan on it"
    ],
    "can you look at the checkout page the total is wrong and by the way prices in germany always"
    " include the tax so don't add it again": [
        "Prices in germany always include the tax, so don't add it again"
    ],
    "ok listen I don't want you to install packages without asking me first every package has to go"
    " through security": [
        "I don't want you to install packages without asking me first",
        "Every package has to go through security",
    ],
    "the backend is in api and the frontend in web and we run everything in docker so never call php"
    " directly use make php": [
        "The backend is in api and the frontend in web",
        "We run everything in docker, so never call php directly, use make php",
    ],
    "hey one quick thing before you start we only support python 3.12 and up so you don't need any"
    " typing imports for older versions": [
        "We only support python 3.12 and up, so you don't need any typing imports for older versions"
    ],
    "we have three environments dev test and prod and the test environment is shared with the other"
    " team so whenever you deploy to test you have to tell them in the channel first otherwise they"
    " lose their data": [
        "We have three environments dev test and prod",
        "The test environment is shared with the other team",
        (
            "Whenever you deploy to test you have to tell them in the channel first otherwise they"
            " lose their data"
        ),
    ],
    "yeah no that's wrong we bill per seat not per workspace so the total has to be seats times"
    " price": ["We bill per seat, not per workspace, so the total has to be seats times price"],
}


@pytest.mark.parametrize("text", LESSONS)
def test_the_lesson_is_heard_without_what_was_said_around_it(text: str) -> None:
    assert [one.wording for one in hear(text)] == LESSONS[text]


def test_run_on_speech_taken_for_one_sentence_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded bug."""
    monkeypatch.setattr(statements, "with_marks", lambda text: text)
    monkeypatch.setattr(own_words, "with_marks", lambda text: text)
    wrong = [text for text in LESSONS if [one.wording for one in hear(text)] != LESSONS[text]]
    assert len(wrong) == len(LESSONS)


def test_most_lessons_in_dictated_prompts_are_heard_and_no_passing_one() -> None:
    heard = {one.text: bool(hear(one.text)) for one in SAID}
    lasting = [heard[one.text] for one in SAID if one.kind == "lasting"]
    assert sum(lasting) >= 0.8 * len(lasting)
    assert not [one.text for one in SAID if one.kind == "passing" and heard[one.text]]


@pytest.mark.parametrize(
    "text",
    [
        "use pnpm here not npm",
        "The importer runs at night. Please keep the retry at three, it is what the bank wants.",
        "- can you always run the linter before you commit and let's never skip the hook please ok",
        "every message goes through the filter on the server BEFORE it is relayed to anybody at all",
        "show me how you can build the docs and where can we read about the settings of the theme",
    ],
)
def test_what_has_marks_or_is_short_or_a_list_stays_as_it_is(text: str) -> None:
    assert with_marks(text) == text


WORDS = (
    "so and but we never please can you use it is not the a bun that again wrong from now on why"
)


@given(st.lists(st.sampled_from(WORDS.split()), min_size=14, max_size=60))
def test_only_marks_are_added(words: list[str]) -> None:
    marked = with_marks(" ".join(words))
    assert marked.replace(".", "").replace(",", "").split() == words
