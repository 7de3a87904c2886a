"""Two statements of which one chooses what the other refuses, or a rival of it, are found."""

import pytest

from satchel.application.exchange.sharing import contradictions_of
from satchel.engine.statements.contradictions import AGAINST, SAME, Rule, clashes
from satchel.testing import temporary_workspace


def told(one: str, other: str) -> list[str]:
    return [clash.what for clash in clashes(one, [Rule("", 0, other)])]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("prefer npm over yarn", "prefer yarn over npm"),
        ("Use tabs", "2-space indentation"),
        ("Use npm", "Use pnpm"),
        ("Use pnpm, not npm", "Use npm"),
        ("use the fake clock instead of sleep", "use sleep instead of the fake clock"),
        ("Prefer composition over inheritance", "Prefer inheritance over composition"),
    ],
)
def test_order_and_rivals_contradict(one: str, other: str) -> None:
    assert told(one, other) == [AGAINST]
    assert told(other, one) == [AGAINST]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use npm in packages/cli", "Use pnpm in packages/web"),
        ("Use pytest", "Use jest"),
        ("We use tabs in go", "2-space indentation in yaml"),
        ("Open links in new tabs", "Leave a space after commas"),
        ("Never use npm", "Use pnpm"),
        ("Don't use tabs", "Use spaces"),
    ],
)
def test_what_excludes_nothing_does_not(one: str, other: str) -> None:
    assert told(one, other) == []


def test_a_choice_and_what_it_is_chosen_over_say_the_same_as_the_choice() -> None:
    assert told("Use pnpm, not npm", "Use pnpm") == [SAME]
    assert told("Pnpm, not npm", "Use pnpm, not npm") == [SAME]


def test_what_is_shared_is_shown_beside_what_it_contradicts() -> None:
    with temporary_workspace() as workspace:
        workspace.learn("Use npm")
        newer = workspace.learn("Use pnpm")
        workspace.learn("The parser is recursive")
        workspace.refresh()
        assert contradictions_of(workspace.memories.own, [newer]) == [
            "Use pnpm / Use npm (`pnpm` against `npm`)"
        ]


def test_a_contradiction_is_told_in_whole_words() -> None:
    old = Rule("a.md", 1, "Prefer composition over inheritance")
    (clash,) = clashes("Prefer inheritance over composition for providers", [old])
    assert clash.why.split("`")[1] in ("composition", "inheritance")
