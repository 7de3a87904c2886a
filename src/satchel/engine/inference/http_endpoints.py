"""Models behind HTTP: Ollama's API, and OpenAI's with the common rerank extension.

Ollama: /api/embed, /api/generate. OpenAI and compatible servers: /v1/embeddings,
/v1/chat/completions, and /v1/rerank as in llama.cpp, Jina and Cohere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from satchel.core.shapes import list_of
from satchel.engine.inference.contracts import Rows
from satchel.engine.inference.http_calls import Endpoint, invalid_answer_error

#: Texts in one call.
BATCH = 64


class HttpEmbedder:
    """Embeds through a server.

    Args:
        protocol: `ollama` or `openai`.
        model: the name the server knows.
        dimensions: length of a vector; 0 asks the server on first use.
        query_prefix: prepended to texts that ask.
        document_prefix: prepended to texts that answer.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        protocol: str,
        model: str,
        *,
        dimensions: int = 0,
        query_prefix: str = "",
        document_prefix: str = "",
    ) -> None:
        self._endpoint = endpoint
        self._ollama = protocol == "ollama"
        self._model = model
        self._dimensions = dimensions
        self._prefixes = {True: query_prefix, False: document_prefix}

    @property
    def identity(self) -> str:
        """Protocol, model, prefixes and dimensions: everything that affects vectors."""
        kind = "ollama" if self._ollama else "openai"
        marks = "".join(f"|{prefix}" for prefix in self._prefixes.values() if prefix)
        return f"{kind}:{self._model}/{self.dimensions}{marks}"

    @property
    def dimensions(self) -> int:
        """Length of a vector; the first use may ask the server."""
        if not self._dimensions:
            self._dimensions = self._rows(["satchel"]).shape[1]
        return self._dimensions

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        """Return unit vectors, float32 [texts, dimensions]."""
        import numpy as np

        prefix = self._prefixes[query]
        parts = [np.zeros((0, self.dimensions), np.float32)]
        for first in range(0, len(texts), BATCH):
            rows = self._rows([prefix + text for text in texts[first : first + BATCH]])
            if rows.shape[1] != self.dimensions:
                raise invalid_answer_error(
                    self._endpoint.url,
                    f"vectors have {rows.shape[1]} dimensions, not {self.dimensions}",
                )
            parts.append(rows)
        return np.concatenate(parts)

    def _rows(self, texts: list[str]) -> Rows:
        """Request a batch's vectors: unit rows, one per text."""
        import numpy as np

        if self._ollama:
            answer = self._endpoint.post("/api/embed", {"model": self._model, "input": texts})
            listed = answer.get("embeddings")
        else:
            body = {"model": self._model, "input": texts, "encoding_format": "float"}
            listed = _in_order(self._endpoint.post("/v1/embeddings", body).get("data"))
        try:
            rows = np.array(listed, np.float32)
        except (TypeError, ValueError):
            rows = np.zeros((0, 0), np.float32)
        if rows.ndim != 2 or len(rows) != len(texts) or not rows.shape[1]:  # noqa: PLR2004 -- a matrix
            raise invalid_answer_error(
                self._endpoint.url, f"it holds no {len(texts)} vectors of one length"
            )
        lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise invalid_answer_error(self._endpoint.url, "a vector is zero or not finite")
        unit: Rows = (rows / lengths).astype(np.float32)
        return unit


class HttpReranker:
    """Reranks through /v1/rerank.

    Args:
        model: the name the server knows.
    """

    def __init__(self, endpoint: Endpoint, model: str) -> None:
        self._endpoint = endpoint
        self._model = model

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the server's score per text, in the order of the texts."""
        if not texts:
            return []
        body = {"model": self._model, "query": query, "documents": list(texts)}
        answer = self._endpoint.post("/v1/rerank", body | {"top_n": len(texts)})
        listed = answer.get("results", answer.get("data"))
        found: dict[int, float] = {}
        for item in list_of(listed):
            if not isinstance(item, dict):
                break
            place, score = item.get("index"), item.get("relevance_score", item.get("score"))
            if isinstance(place, int) and isinstance(score, int | float) and math.isfinite(score):
                found[place] = float(score)
        if found.keys() != set(range(len(texts))):
            raise invalid_answer_error(
                self._endpoint.url, f"it holds no scores of all {len(texts)} texts"
            )
        return [found[place] for place in range(len(texts))]


class HttpGenerator:
    """Generates through a server.

    Args:
        protocol: `ollama` or `openai`.
        model: the name the server knows.
    """

    def __init__(self, endpoint: Endpoint, protocol: str, model: str) -> None:
        self._endpoint = endpoint
        self._ollama = protocol == "ollama"
        self._model = model

    def generate(self, prompt: str, *, max_tokens: int) -> str:
        """Return what the model generates, as deterministically as possible."""
        text: Any
        if self._ollama:
            options = {"num_predict": max_tokens, "temperature": 0, "seed": 0}
            body = {"model": self._model, "prompt": prompt, "stream": False, "options": options}
            text = self._endpoint.post("/api/generate", body).get("response")
        else:
            answer = self._endpoint.post(
                "/v1/chat/completions",
                {
                    "model": self._model,
                    "messages": [{"role": "user", "content": prompt}],
                    "max_tokens": max_tokens,
                    "temperature": 0,
                },
            )
            try:
                text = answer["choices"][0]["message"]["content"]
            except (KeyError, IndexError, TypeError):
                text = None
        if not isinstance(text, str):
            raise invalid_answer_error(self._endpoint.url, "it holds no text")
        return text


def _in_order(data: Any) -> list[Any] | None:
    """Return the embeddings in OpenAI's `data` by index; None if invalid."""
    if not isinstance(data, list):
        return None
    found = {}
    for place, item in enumerate(data):
        if not isinstance(item, dict):
            return None
        found[item.get("index", place)] = item.get("embedding")
    return [found.get(place) for place in range(len(data))]
