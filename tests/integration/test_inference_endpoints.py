"""Models behind HTTP, against a real server on the loopback."""

from __future__ import annotations

import socket
import time

import numpy as np
import pytest

from integration.model_server import Behaviour, model_server, vector_of
from satchel.core.errors import BadInputError
from satchel.engine.inference.expansion import expanded
from satchel.engine.inference.failures import ModelUnavailableError
from satchel.engine.inference.http_calls import Endpoint
from satchel.engine.inference.http_endpoints import BATCH, HttpEmbedder
from satchel.engine.inference.model_choice import (
    choice_of,
    open_embedder,
    open_generator,
    open_reranker,
)

PROTOCOLS = {"ollama": "/api/embed", "openai": "/v1/embeddings"}


def embedder(url: str, protocol: str = "ollama", **more: object) -> HttpEmbedder:
    return HttpEmbedder(Endpoint(url, timeout=5), protocol, "a-model", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_vectors_come_in_the_order_of_the_texts_at_unit_length(protocol: str) -> None:
    behaviour = Behaviour(reverse=True)
    texts = [f"text {n}" for n in range(BATCH + 3)]
    with model_server(behaviour) as url:
        model = open_embedder(choice_of(f"{protocol}:a-model", url=url))
        assert model is not None
        found = model.embed(texts)
    expected = np.array([vector_of(text, 8) for text in texts])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert found.dtype == np.float32
    assert np.allclose(found, expected, atol=1e-6)
    # One call learns the dimensions, two bring the texts.
    assert [path for path, _, _ in behaviour.requests] == [PROTOCOLS[protocol]] * 3
    assert {body["model"] for _, body, _ in behaviour.requests} == {"a-model"}


def test_no_texts_ask_nothing_when_the_dimensions_are_known() -> None:
    behaviour = Behaviour()
    with model_server(behaviour) as url:
        assert embedder(url, dimensions=8).embed([]).shape == (0, 8)
    assert behaviour.requests == []


def test_questions_and_documents_get_their_prefixes_and_the_identity_tells_them() -> None:
    behaviour = Behaviour(dimensions=768)
    with model_server(behaviour) as url:
        model = open_embedder(choice_of("embedding-gemma-300M", url=url))
        assert model is not None
        model.embed(["why?"], query=True)
        model.embed(["because"])
    assert [body["input"] for _, body, _ in behaviour.requests] == [
        ["task: search result | query: why?"],
        ["title: none | text: because"],
    ]
    assert model.identity.startswith("ollama:embeddinggemma/768|task:")


def test_the_key_goes_along_and_stands_in_no_error() -> None:
    behaviour = Behaviour(failures=[401])
    with model_server(behaviour) as url:
        model = open_embedder(choice_of("openai:a-model", url=url), key="sk-very-secret")
        assert model is not None
        with pytest.raises(ModelUnavailableError) as raised:
            model.embed(["a"])
    assert behaviour.requests[0][2] == "Bearer sk-very-secret"
    assert "secret" not in f"{raised.value} {raised.value.hint}"
    assert "model.key_name" in raised.value.hint
    assert url in str(raised.value)


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_asked_again(status: int) -> None:
    behaviour = Behaviour(failures=[status, status])
    with model_server(behaviour) as url:
        assert embedder(url, dimensions=8).embed(["a"]).shape == (1, 8)
    assert len(behaviour.requests) == 3


def test_the_server_says_how_long_to_wait() -> None:
    behaviour = Behaviour(failures=[429], retry_after="1")
    with model_server(behaviour) as url:
        embedder(url, dimensions=8).embed(["a"])
    assert behaviour.times[1] - behaviour.times[0] >= 0.99


def test_a_server_that_stays_busy_is_left_in_peace() -> None:
    behaviour = Behaviour(failures=[429] * 9)
    with model_server(behaviour) as url, pytest.raises(ModelUnavailableError, match="429"):
        embedder(url, dimensions=8).embed(["a"])
    assert len(behaviour.requests) == 4


@pytest.mark.parametrize("status", [400, 404, 500])
def test_other_errors_are_told_at_once(status: int) -> None:
    behaviour = Behaviour(failures=[status])
    with model_server(behaviour) as url, pytest.raises(ModelUnavailableError) as raised:
        embedder(url, dimensions=8).embed(["a"])
    assert str(status) in str(raised.value)
    assert "not now" in str(raised.value)
    assert raised.value.hint
    assert len(behaviour.requests) == 1


@pytest.mark.parametrize(
    "raw",
    [
        b"<html>a proxy's page</html>",
        b"[]",
        b"{}",
        b"",
        b'{"embeddings": [[1, 2]]}',
        b'{"embeddings": [[], []]}',
        b'{"embeddings": [[1, 2], [1]]}',
        b'{"embeddings": [["a", 2], [1, 2]]}',
        b'{"embeddings": [[NaN, 2], [1, 2]]}',
        b'{"embeddings": [[0, 0], [1, 2]]}',
        b'{"embeddings": [[1, 2], null]}',
        b'{"embeddings": [1, 2]}',
        b'{"embeddings": {"a": 1}}',
    ],
)
def test_nonsense_is_no_vector(raw: bytes) -> None:
    with (
        model_server(Behaviour(raw=raw)) as url,
        pytest.raises(ModelUnavailableError, match="unusable answer") as raised,
    ):
        embedder(url, dimensions=2).embed(["a", "b"])
    assert url in str(raised.value)
    assert raised.value.hint


@pytest.mark.parametrize(
    "raw",
    [b'{"data": [1]}', b'{"data": [{"index": 7, "embedding": [1, 2]}]}', b'{"data": [{}]}'],
)
def test_nonsense_in_the_other_protocol_is_no_vector_either(raw: bytes) -> None:
    with model_server(Behaviour(raw=raw)) as url, pytest.raises(ModelUnavailableError):
        embedder(url, "openai", dimensions=2).embed(["a"])


def test_vectors_of_another_length_are_refused() -> None:
    with (
        model_server(Behaviour(later_dimensions=16)) as url,
        pytest.raises(ModelUnavailableError, match="16 dimensions, not 8"),
    ):
        embedder(url).embed(["a"])


def test_an_answer_cut_short_is_an_error() -> None:
    with (
        model_server(Behaviour(cut_short=50)) as url,
        pytest.raises(ModelUnavailableError, match="cut short"),
    ):
        embedder(url, dimensions=8).embed(["a"])


def test_a_silent_server_is_given_up() -> None:
    with model_server(Behaviour(delay=1.0)) as url:
        model = HttpEmbedder(Endpoint(url, timeout=0.1), "ollama", "a-model", dimensions=8)
        start = time.monotonic()
        with pytest.raises(ModelUnavailableError, match="in time"):
            model.embed(["a"])
        assert time.monotonic() - start < 0.9


def test_no_server_says_what_to_start() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}"
    with pytest.raises(ModelUnavailableError) as raised:
        embedder(url, dimensions=8).embed(["a"])
    assert url in str(raised.value)
    assert "Start that server" in raised.value.hint


def test_a_redirect_takes_neither_key_nor_texts_elsewhere() -> None:
    other = Behaviour()
    with model_server(other) as elsewhere:
        behaviour = Behaviour(location=elsewhere + "/api/embed")
        with model_server(behaviour) as url, pytest.raises(ModelUnavailableError, match="307"):
            embedder(url, dimensions=8).embed(["a"])
    assert other.requests == []


@pytest.mark.parametrize(
    "url",
    [
        "http://models.example.com",
        "http://127.0.0.1.example.com",
        "http://10.0.0.7:11434",
        "ftp://127.0.0.1",
        "file:///etc/passwd",
        "127.0.0.1:11434",
        "http://",
        "http://127.0.0.1:port",
        "https://name:password@models.example.com",
        "",
    ],
)
def test_addresses_that_leak_or_are_none_are_refused(url: str) -> None:
    with pytest.raises(BadInputError) as raised:
        Endpoint(url)
    assert raised.value.hint
    assert "password@" not in str(raised.value)


@pytest.mark.parametrize(
    "url", ["https://models.example.com", "http://[::1]:1", "http://localhost"]
)
def test_addresses_that_do_not_leak_are_taken(url: str) -> None:
    assert Endpoint(url + "/").url == url


def test_plain_http_is_a_persons_choice() -> None:
    assert Endpoint("http://10.0.0.7:11434", plain_http=True).url == "http://10.0.0.7:11434"


def test_scores_come_in_the_order_of_the_texts() -> None:
    texts = ["nothing", "redis was dropped", "redis"]
    with model_server(Behaviour()) as url:
        model = open_reranker(choice_of("qwen3-reranker-0.6b", "rerank", url=url))
        assert model is not None
        assert model.scores("why was redis dropped", texts) == [0.0, 3.0, 1.0]
        assert model.scores("why", []) == []


@pytest.mark.parametrize(
    "raw",
    [
        b'{"results": [{"index": 0, "relevance_score": 1}]}',
        b'{"results": "none"}',
        b'{"results": [{"index": 0, "relevance_score": "high"}, {"index": 1, "score": 1}]}',
        b'{"results": [1, 2]}',
        b"{}",
    ],
)
def test_scores_that_are_not_all_there_are_refused(raw: bytes) -> None:
    with model_server(Behaviour(raw=raw)) as url:
        model = open_reranker(choice_of("openai:a-model", "rerank", url=url))
        assert model is not None
        with pytest.raises(ModelUnavailableError, match="scores"):
            model.scores("why", ["a", "b"])


@pytest.mark.parametrize(
    ("protocol", "limit"), [("ollama", ("options", "num_predict")), ("openai", ("max_tokens",))]
)
def test_a_generator_writes_within_its_limit(protocol: str, limit: tuple[str, ...]) -> None:
    behaviour = Behaviour()
    with model_server(behaviour) as url:
        model = open_generator(choice_of(f"{protocol}:a-model", "generate", url=url))
        assert model is not None
        assert model.generate("go on", max_tokens=7) == "lex: other words"
    asked: object = behaviour.requests[0][1]
    for name in limit:
        assert isinstance(asked, dict)
        asked = asked[name]
    assert asked == 7


@pytest.mark.parametrize("raw", [b'{"response": 1}', b'{"choices": []}', b'{"choices": [{}]}'])
@pytest.mark.parametrize("protocol", ["ollama", "openai"])
def test_a_generator_that_writes_no_text_is_unavailable(protocol: str, raw: bytes) -> None:
    with model_server(Behaviour(raw=raw)) as url:
        model = open_generator(choice_of(f"{protocol}:a-model", "generate", url=url))
        assert model is not None
        with pytest.raises(ModelUnavailableError, match="no text"):
            model.generate("go on", max_tokens=7)


WRITTEN = "Sure!\nlex: redis removal decision\nvec: for what reason was the cache dropped\n"


@pytest.mark.parametrize("protocol", ["ollama", "openai"])
def test_an_expanded_question_begins_with_itself(protocol: str) -> None:
    question = "why  {was} redis\ndropped?"
    behaviour = Behaviour(written=WRITTEN)
    with model_server(behaviour) as url:
        model = open_generator(choice_of(f"{protocol}:a-model", "generate", url=url))
        found = expanded(question, model)
    assert found == [
        question,
        "redis removal decision",
        "for what reason was the cache dropped",
    ]
    assert "why {was} redis dropped?" in str(behaviour.requests[0][1])


@pytest.mark.parametrize(
    "behaviour",
    [
        Behaviour(written="I cannot help with that."),
        Behaviour(failures=[500]),
        Behaviour(raw=b"<html>"),
        Behaviour(cut_short=9),
    ],
)
def test_a_model_that_fails_leaves_the_question(behaviour: Behaviour) -> None:
    told: list[str] = []
    with model_server(behaviour) as url:
        model = open_generator(choice_of("ollama:a-model", "generate", url=url))
        assert expanded("why?", model, tell=told.append) == ["why?"]
    assert all(url in line for line in told)
    assert len(told) == (behaviour.written != "I cannot help with that.")
