from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hashed_words import HashedEmbedder
from satchel.application.recall.questions import Method, RecallRequest
from satchel.application.recall.search.every_store import recall
from satchel.application.recall.service import method_for
from satchel.core.clock import FixedClock
from satchel.engine.search.documents import Filter
from satchel.engine.search.tokens import (
    code_words,
    coverage,
    distinctive_words,
    match_expression,
    stem,
)
from satchel.storage.ledger.record import Record
from satchel.testing import reopened, temporary_workspace
from satchel.workspace import Workspace


def answers(workspace: Workspace, question: str, **options: Any) -> list[str]:
    found = workspace.recall(question, **options)
    return [item.record.content for item in found.items]


def test_a_question_finds_the_lesson_and_says_where_it_comes_from() -> None:
    with temporary_workspace() as workspace:
        workspace.learn("We dropped Redis: one store is enough", source="supervisor")
        workspace.learn("The linter runs before every push")
        (found,) = workspace.recall("why was redis dropped").items
        assert found.record.content.startswith("We dropped Redis")
        assert (found.source, found.coverage) == ("private", 1.0)
        product = 1.0
        for part in found.parts.values():
            product *= part
        assert found.score == pytest.approx(product, rel=1e-3)


def test_nothing_found_is_the_answer_when_it_is_the_truth() -> None:
    with temporary_workspace() as workspace:
        workspace.learn("We dropped Redis")
        assert workspace.recall("kubernetes ingress").items == ()
        assert workspace.recall("???").items == ()


@pytest.mark.parametrize(
    ("content", "question"),
    [
        ("call parseHttpURL first", "parse http url"),
        ("the setting max_tokens counts", "maxtokens"),
        ("the setting max_tokens counts", "max tokens"),
        ("closures must be Sendable", "closure"),
        ("configuration is read once", "conf*"),
        ("kubectl needs the staging context", "what about kube*?"),
        ("Größe der Datei prüfen", "grosse datei prufen"),
        ("error ECONNREFUSED 127.0.0.1:5432", "connect ECONNREFUSED 127.0.0.1:5432"),
        ("the file src/app/main.py holds it", "src/app/main.py"),
    ],
)
def test_words_are_found_as_people_and_programs_spell_them(content: str, question: str) -> None:
    with temporary_workspace() as workspace:
        workspace.learn(content)
        workspace.learn("something quite unrelated to anything asked for here")
        assert answers(workspace, question)[:1] == [content]


def test_what_sessions_leave_behind_never_crowds_out_a_lesson() -> None:
    with temporary_workspace() as workspace:
        noise = [Record(kind="activity", key="a", content=f"login {n}") for n in range(200)]
        workspace.memories.own.append(noise)
        lesson = "The login page needs a token in the header or the proxy in front refuses it"
        workspace.learn(lesson)
        assert answers(workspace, "login") == [lesson]
        shown = answers(workspace, "login", only=Filter(kinds=("activity",)))
        assert len(shown) == 10


def test_a_memory_of_the_task_at_hand_comes_before_its_equal_of_another() -> None:
    with temporary_workspace() as workspace:
        for task in ("U", "T", "V"):
            workspace.remember(f"migrate the schema carefully {task}", kind="decision", task=task)
        with open(workspace.project.tracked.place("tasks"), "w", encoding="utf-8") as file:
            file.write('{"id": "T", "title": "t"}\n')
        assert answers(workspace, "migrate the schema", task="T")[0].endswith("T")


def test_filters_narrow_by_kind_tag_and_time() -> None:
    clock = FixedClock()
    with temporary_workspace(clock=clock) as workspace:
        workspace.learn("cache the parser", tags=("speed",))
        clock.advance(1000)
        workspace.remember("cache the lexer", kind="decision")
        assert answers(workspace, "cache", only=Filter(kinds=("decision",))) == ["cache the lexer"]
        assert answers(workspace, "cache", only=Filter(tag="speed")) == ["cache the parser"]
        since = int(clock.now()) - 10
        assert answers(workspace, "cache", only=Filter(since=since)) == ["cache the lexer"]
        assert answers(workspace, "cache", only=Filter(until=since)) == ["cache the parser"]
        assert len(answers(workspace, "cache", limit=1)) == 1


@settings(max_examples=15, deadline=None)
@given(
    held=st.lists(st.text("abc de", min_size=1, max_size=12).filter(str.strip), max_size=8),
    question=st.text("abc de", min_size=1, max_size=8),
)
def test_the_same_question_has_the_same_answer(held: list[str], question: str) -> None:
    with temporary_workspace() as workspace:
        for content in held:
            workspace.remember(content, kind="decision")
        workspace.remember("abc for me", kind="preference", key="x", user=True)
        first = workspace.recall(question)
        assert workspace.recall(question) == first
        with reopened(workspace) as other:
            assert other.recall(question) == first
        workspace.rebuild()
        assert workspace.recall(question) == first


def test_what_still_waits_in_the_inbox_is_found_too() -> None:
    from satchel.storage.inbox.events import COMMAND

    with temporary_workspace() as workspace:
        with workspace.project.inbox.drain_lock():  # somebody else is draining, for ever
            event = {"what": COMMAND, "command": 'bd comment B "LEARNED: the parser is recursive"'}
            workspace.project.inbox.append(event, workspace.project.clock.now())
            (found,) = workspace.recall("parser").items
            assert (found.record.content, found.source) == ("the parser is recursive", "inbox")
        (found,) = workspace.recall("parser").items
        assert found.source == "private"


# Words


@given(st.text())
def test_coverage_is_a_share(text: str) -> None:
    assert 0.0 <= coverage(text, "some text about anything") <= 1.0
    if distinctive_words(text):
        assert coverage(text, text) == 1.0


@given(st.text())
def test_the_search_expression_quotes_every_word(text: str) -> None:
    expression = match_expression(text)
    for part in expression.split(" OR ") if expression else []:
        assert part.startswith('"')
        assert part.endswith('"')
        assert '"' not in part[1:-1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("parseHttpURL", ["parse", "http", "url"]),
        ("max_tokens", ["maxtokens"]),
        ("plain words", []),
        ("HTTPServer2Go", ["http", "server2", "go"]),
    ],
)
def test_code_is_spelled_apart(text: str, words: list[str]) -> None:
    assert code_words(text) == words


@pytest.mark.parametrize(
    ("word", "root"), [("closures", "closur"), ("tested", "test"), ("is", "is")]
)
def test_endings_are_cut_alike(word: str, root: str) -> None:
    assert stem(word) == root


@pytest.mark.parametrize(
    "forms",
    ["retries retried retry retrying", "bookings booking booked", "files file", "statuses status"],
)
def test_forms_of_a_word_are_one(forms: str) -> None:
    assert len(set(map(stem, forms.split()))) == 1


def test_common_words_count_only_where_there_are_no_others() -> None:
    assert distinctive_words("what is the parser") == ["parser"]
    assert distinctive_words("what is the") == ["what", "is", "the"]


@pytest.mark.parametrize("late", [True, False])
def test_a_reading_again_word_by_word_can_be_left_out(late: bool) -> None:  # noqa: FBT001
    with temporary_workspace() as workspace:
        workspace.learn("the cache is cold after a restart")
        index = workspace.memories.own.index
        workspace.memories.stores.catch_up(workspace.memories.own)
        vectors = index.vectors(HashedEmbedder())
        while vectors.embed_waiting():
            pass
        method = Method("hybrid", vectors_of=lambda _: vectors, late=late)
        (found,) = recall(
            RecallRequest("cold cache", 5, method=method), [workspace.memories.own]
        ).items
        assert ("late" in found.evidence) is late


def test_the_setting_without_a_reranker_leaves_it_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, late in (("none", False), ("built-in-maxsim", True)):
        monkeypatch.setenv("SATCHEL_MODEL_RERANK", value)
        with temporary_workspace() as workspace:
            assert method_for(workspace, "x", "hybrid").late is late


def test_two_checkpoints_that_say_the_same_are_shown_once() -> None:
    """One at a compaction, one at the session's end a minute later."""
    with temporary_workspace() as workspace:
        for when in ("compaction", "end"):
            workspace.remember(
                "Asked: move the lock to postgres\nOpen: no answer yet",
                kind="checkpoint",
                key=f"checkpoint-{when}",
                title=f"Session checkpoint ({when})",
            )
        workspace.learn("Asked of the lock in postgres: it is advisory")
        found = [one for one in workspace.ask("the lock in postgres").pieces if one.found]
        assert [one.found.record.kind for one in found if one.found] == ["learned", "checkpoint"]
