"""People ask by the kind of a tool and remember by its name."""

from __future__ import annotations

import pytest

from satchel.application.recall.search import every_store as search
from satchel.engine.tool_kinds import kinds_named, tools_meant
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

SAID = (
    "We use pnpm in this repo, npm breaks the lockfile",
    "Tests run with vitest, jest was dropped",
    "Postgres holds the orders, advisory locks guard them",
    "Format with ruff, line length 100",
    "Staging is reset every night at 3",
)


def first(work: Workspace, question: str) -> str:
    return next((one.record.content for one in work.recall(question).items), "")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("which package manager do we use?", 0),
        ("package manager", 0),
        ("what test framework do we use", 1),
        ("which database", 2),
        ("what formatter is used", 3),
        ("how do we lint", 3),
        ("code style", 3),
    ],
)
def test_a_question_by_the_kind_finds_the_tool(
    question: str, said: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with temporary_workspace() as work:
        for text in SAID:
            work.learn(text)
        assert first(work, question) == SAID[said]
        # Seeded bug: words alone. "Test framework" shares a word with its answer.
        monkeypatch.setattr(search, "tools_meant", lambda _: "")
        assert (first(work, question) == SAID[said]) is (said == 1)


@pytest.mark.parametrize(
    "question",
    ["which web framework", "which message broker", "what is the meaning of life", "the cache"],
)
def test_a_kind_of_which_nothing_is_known_is_nothing_found(question: str) -> None:
    with temporary_workspace() as work:
        for text in SAID:
            work.learn(text)
        assert first(work, question) == ""


def test_a_kind_is_named_by_whole_words() -> None:
    assert "package manager" in kinds_named("Use pnpm.")
    assert kinds_named("the pnpmish reactor restores") == ""
    assert "sqlite" in tools_meant("Which databases are there?")
    assert tools_meant("a prelinted thing") == ""
