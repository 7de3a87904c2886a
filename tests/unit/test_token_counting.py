"""Tokens: exact with a tokenizer file, else an estimate that says so."""

from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from satchel.core.errors import BadInputError
from satchel.engine.inference.token_counting import token_count_for


def test_an_estimate_says_for_which_family() -> None:
    plain, claude = token_count_for(""), token_count_for("claude-opus-5")
    assert (plain.exact, claude.exact) == (False, False)
    assert claude.label == "estimated for claude"
    assert plain.count("x" * 400) == 100
    assert claude.count("x" * 400) == 115


def test_a_tokenizer_of_the_model_counts_exactly(tmp_path: Path) -> None:
    words = {"[UNK]": 0, "one": 1, "two": 2}
    tokenizer = Tokenizer(WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    path = tmp_path / "small" / "tokenizer.json"
    path.parent.mkdir()
    tokenizer.save(str(path))
    counted = token_count_for("any", str(path))
    assert (counted.exact, counted.label) == (True, "by small")
    assert counted.count("one two three") == 3


def test_a_file_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no tokenizer at"):
        token_count_for("", str(tmp_path / "none.json"))
    broken = tmp_path / "tokenizer.json"
    broken.write_text("{}")
    with pytest.raises(BadInputError, match="is not a tokenizer"):
        token_count_for("", str(broken))
