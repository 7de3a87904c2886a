"""What a question asks of the archive: a time, words, or both."""

import pytest

from satchel.clients.transcript_format.values import TranscriptHead, Turn
from satchel.core.clock import FixedClock
from satchel.features.sessions.documents import documents_of
from satchel.features.sessions.search import read_question
from satchel.testing import temporary_workspace

#: Wednesday, 6 May 2026, noon.
NOW = 1_778_068_800.0
DAY = 86_400


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("what happened yesterday", ()),
        ("what did I do last week?", ()),
        ("what did we work on earlier today", ()),
        ("show me the sessions of 2026-05-04", ()),
        ("give me a recap of the last 3 days", ()),
        ("what happened on the 3rd of May", ()),
        ("what did we say about caching last week", ("caching",)),
        ("yesterday's flaky login test", ("flaky", "login", "test")),
    ],
)
def test_a_question_about_a_time_is_told_from_one_about_words(
    question: str, words: tuple[str, ...]
) -> None:
    asked = read_question(question, NOW)
    assert asked.span is not None
    assert asked.words == words


def test_without_a_time_numbers_and_months_are_words_like_others() -> None:
    asked = read_question("which port, 8080 or 3", NOW)
    assert asked.span is None
    assert asked.words == ("port", "8080", "3")


def test_a_session_over_midnight_has_two_days() -> None:
    midnight = NOW - NOW % DAY
    turns = [
        Turn("user", "late question", midnight - 60, "a"),
        Turn("assistant", "early answer", midnight + 60, "b"),
    ]
    documents = documents_of(TranscriptHead("claude", "s"), turns)
    days = [one for one in documents if one.kind == "day"]
    assert [day.ts for day in days] == [midnight - 60, midnight + 60]
    assert {day.title for day in days} == {"late question"}
    assert len({one.hash for one in documents}) == len(documents)


def test_what_was_said_comes_before_what_was_only_done() -> None:
    clock = FixedClock(NOW)
    with temporary_workspace(clock=clock) as workspace, workspace.sessions as sessions:
        import os

        from satchel.features.sessions.archive import append, head_line, path_in, turn_line

        archive = workspace.owner().archive(workspace.project.key).archive
        head = TranscriptHead("claude", "s", started=NOW - DAY)
        os.makedirs(archive)
        turns = [
            Turn("assistant", "", NOW - DAY, "t1", ("Bash: grep login login login",)),
            Turn("user", "the login page of the shop is broken since the release", NOW - DAY, "t2"),
        ]
        path = path_in(archive, head)
        append(path, [head_line(head), *(turn_line(turn)[0] for turn in turns)])
        hits = sessions.archive.search("login", 5)
        assert [hit.turns for hit in hits] == [("t2",), ("t1",)]
        assert hits[0].why == "words"
        (inside,) = sessions.archive.search("broken login yesterday", 1)
        assert inside.why == "words in the time"
        (outside,) = sessions.archive.search("broken login last month", 1)
        assert outside.why == "words"
        (overview,) = sessions.archive.search("what happened yesterday", 5)
        assert (overview.why, overview.session, overview.turns) == ("overview", "s", ("t1", "t2"))
        assert sessions.archive.search("what happened today", 5) == []


@pytest.mark.parametrize(
    "text",
    ["\ud83d half", "nul\x00inside", "\u202eright to left", '"quoted" AND (NOT', "x" * 300_000],
)
def test_odd_texts_are_archived_and_found(text: str) -> None:
    import json
    import os

    clock = FixedClock(NOW)
    with temporary_workspace(clock=clock) as workspace, workspace.sessions as sessions:
        path = os.path.join(workspace.project.place.root, "odd.jsonl")
        record = {
            "type": "user", "sessionId": "odd\ud800", "uuid": "u\ud800", "cwd": "/x\ud800",
            "timestamp": "2026-05-05T10:00:00Z", "message": {"role": "user", "content": text + " walrus"},
        }  # fmt: skip
        with open(path, "wb") as file:
            file.write(json.dumps(record).encode() + b"\n")
        assert sessions.archive.import_transcripts(paths=[path]).turns == 1
        assert sessions.archive.import_transcripts(paths=[path]).turns == 0
        assert len(sessions.archive.search("what happened yesterday", 5)) == 1
        hits = sessions.archive.search(f"{text[:50]} walrus", 5, weak=True)
        assert len(hits) == (1 if len(text) < 1000 else 0)


@pytest.mark.parametrize(
    ("said", "title"),
    [
        (("where were we?", "mend the sleep current"), "mend the sleep current"),
        (("Moin!", "weiter geht's", "der Sensor antwortet nicht"), "der Sensor antwortet nicht"),
        (("おはようございます。", "リンカのマップを見せて"), "リンカのマップを見せて"),
        (("hi, the sensor is gone", "thanks"), "hi, the sensor is gone"),
        (("continue", "go on"), "continue"),
    ],
)
def test_a_title_names_what_the_session_was_about(said: tuple[str, ...], title: str) -> None:
    turns = [Turn("user", text, NOW + at, str(at)) for at, text in enumerate(said)]
    documents = documents_of(TranscriptHead("codex", "s1"), turns)
    assert next(one.title for one in documents if one.kind == "day") == title
