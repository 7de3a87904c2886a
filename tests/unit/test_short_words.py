"""Words as the index sees them: what developers write short is what it stands for."""

import pytest

from satchel.engine.search import tokens


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("which python version in production", "Prod runs Python 3.11"),
        ("the prod database", "The database of production is read only"),
        ("email provider", "Our mail provider is Postmark"),
        ("repos of dependencies", "Deps come from one repository"),
    ],
)
def test_what_is_written_short_answers_what_is_asked_in_full(question: str, text: str) -> None:
    assert tokens.shares_enough(question, text)
    found = tokens.match_expression(question)
    assert any(f'"{word}"' in found for word in tokens.words_of(text))


def test_short_and_long_are_one_word_and_no_other_is() -> None:
    assert tokens.meaning("prod") == tokens.meaning("production")
    assert tokens.meaning("configs") == tokens.meaning("configuration")
    assert tokens.meaning("product") != tokens.meaning("production")
    assert tokens.spellings("pool") == ("pool",)
