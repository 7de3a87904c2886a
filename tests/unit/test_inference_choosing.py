"""From a setting's words to a model; absent packages; expansion that never loses the question."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from satchel.core.errors import BadInputError
from satchel.engine.inference import packages
from satchel.engine.inference.expansion import MOST_VARIANTS, expanded, variants_of
from satchel.engine.inference.failures import ModelUnavailableError
from satchel.engine.inference.model_choice import (
    PRESETS,
    ModelChoice,
    choice_of,
    open_embedder,
    open_generator,
    open_reranker,
)
from satchel.storage.settings.table import Settings


def test_what_the_settings_say_by_default_can_be_opened() -> None:
    settings = Settings()
    assert choice_of(settings.text("model.embed")) == ModelChoice("built-in")
    assert choice_of(settings.text("model.rerank"), "rerank") == ModelChoice("built-in-maxsim")
    assert open_generator(choice_of(settings.text("model.generate"), "generate")) is None


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_names_its_model_for_its_own_provider(name: str) -> None:
    preset = PRESETS[name]
    choice = choice_of(name, preset.task)
    assert choice.provider == preset.provider
    assert preset.provider in preset.names
    if choice.model:
        assert choice.dimensions == preset.dimensions
        assert choice.query_prefix == preset.query_prefix


def test_a_model_keeps_the_colons_of_its_name() -> None:
    choice = choice_of(" ollama:nomic-embed-text:v1.5 ")
    assert (choice.provider, choice.model) == ("ollama", "nomic-embed-text:v1.5")
    assert choice.url == "http://127.0.0.1:11434"


def test_a_preset_can_be_had_from_another_provider() -> None:
    choice = choice_of("openai:embedding-gemma-300M", url="http://localhost:1")
    assert (choice.model, choice.url) == ("embeddinggemma-300M", "http://localhost:1")
    assert choice.document_prefix == "title: none | text: "


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("", "embed"),
        ("nonsense", "embed"),
        ("ollama:", "embed"),
        (":model", "embed"),
        ("azure:model", "embed"),
        ("qwen3-reranker-0.6b", "embed"),
        ("built-in", "rerank"),
        ("ollama:model", "rerank"),
        ("static", "generate"),
        ("ollama:all-mpnet-base-v2", "embed"),
    ],
)
def test_what_names_no_model_is_told_with_what_would(text: str, task: str) -> None:
    if text == "ollama:all-mpnet-base-v2":
        # The preset has no name there, so nothing is guessed.
        assert "ollama" not in PRESETS["all-mpnet-base-v2"].names
    with pytest.raises(BadInputError) as raised:
        choice_of(text, task)
    assert "none" in raised.value.hint
    assert "PROVIDER:MODEL" in raised.value.hint


def test_none_is_none_without_a_word() -> None:
    told: list[str] = []
    assert open_embedder(ModelChoice("none"), tell=told.append) is None
    assert open_reranker(ModelChoice("none"), tell=told.append) is None
    assert told == []


@pytest.mark.parametrize(
    ("text", "task", "here"),
    [
        ("fastembed:BAAI/bge-small-en-v1.5", "embed", packages.is_installed("fastembed")),
        ("all-mpnet-base-v2", "embed", packages.is_installed("sentence-transformers")),
        ("sentence-transformers:cross", "rerank", packages.is_installed("sentence-transformers")),
    ],
)
def test_an_absent_package_is_named_with_the_command_that_brings_it(
    text: str, task: str, *, here: bool
) -> None:
    if here:
        pytest.skip("the package is installed here")
    told: list[str] = []
    open_it = open_embedder if task == "embed" else open_reranker
    assert open_it(choice_of(text, task), tell=told.append) is None
    assert len(told) == 1
    assert "pip install" in told[0]


@pytest.mark.skipif(packages.is_installed("fastembed"), reason="the package is installed here")
def test_fastembed_says_that_it_is_absent() -> None:
    with pytest.raises(ModelUnavailableError) as raised:
        packages.FastembedEmbedder("a").embed(["b"])
    assert "pip install fastembed" in raised.value.hint


@pytest.mark.skipif(
    packages.is_installed("sentence-transformers"), reason="the package is installed here"
)
def test_sentence_transformers_says_that_it_is_absent() -> None:
    with pytest.raises(ModelUnavailableError) as raised:
        packages.SentenceTransformersEmbedder("a").embed(["b"])
    assert "pip install sentence-transformers" in raised.value.hint
    with pytest.raises(ModelUnavailableError):
        packages.CrossEncoderReranker("a").scores("b", ["c"])


# Expansion

WRITTEN = """\
<think>lex: what I think</think>
Sure! Here are some:
lex: redis removal decision
LEX:   redis   removal   decision
vec: for what reason was the cache dropped
hyde: We dropped Redis because sessions were lost at every deployment.
exec: rm -rf
lex: a
vec: Why was redis dropped
lex
"""


def test_an_answer_is_read_strictly() -> None:
    assert variants_of(WRITTEN, "why was redis dropped?") == [
        "redis removal decision",
        "for what reason was the cache dropped",
        "We dropped Redis because sessions were lost at every deployment.",
    ]


@given(written=st.text() | st.lists(st.sampled_from(WRITTEN.splitlines())).map("\n".join))
@example(written="\n".join(f"lex: words {n}" for n in range(100)))
@example(written="lex: " + "long " * 1000)
@example(written="vec: hidden \x1b[31m red")
def test_whatever_a_model_writes_is_bounded(written: str) -> None:
    found = variants_of(written, "why was redis dropped?")
    assert len(found) <= MOST_VARIANTS
    assert len(set(found)) == len(found)
    for text in found:
        assert text.isprintable()
        assert 3 <= len(text) <= 600


def test_without_a_model_the_question_stays_as_it_is() -> None:
    assert expanded("why  so?", None) == ["why  so?"]
