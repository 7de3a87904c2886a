"""The encoder that the package satchel-models carries, run by onnxruntime.

Vectors are the mean over the last layer's tokens at unit length, as all-MiniLM-L6-v2 was trained
(Reimers and Gurevych 2019). Queries and documents are treated alike.

Each text is a run of its own: at eight bits the scale of a run depends on all that is in it, so in
a batch a text's vector would depend on its neighbours, and a rebuilt index would differ from the
one that grew. It costs nothing: no padding is computed, and runs are spread over threads.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from satchel.engine.inference.contracts import Encoded, Rows

#: Texts whose tokens are held at once.
_AT_ONCE = 1024
#: Characters that are read for each token the model reads: spares the tokenizer long files.
_CHARACTERS_A_TOKEN = 16
_MOST_THREADS = 4


class BuiltInEmbedder:
    """The encoder. Safe to share between threads.

    Args:
        session: the loaded graph, an onnxruntime.InferenceSession.
        tokenizer: its tokenizer, a tokenizers.Tokenizer that cuts at the model's length.
        identity: names the model.
        dimensions: length of a vector.
        max_tokens: where the tokenizer cuts.
        threads: how many texts are worked on at a time.
    """

    __slots__ = ("_characters", "_session", "_threads", "_tokenizer", "dimensions", "identity")

    def __init__(
        self,
        session: Any,
        tokenizer: Any,
        identity: str,
        *,
        dimensions: int,
        max_tokens: int,
        threads: int,
    ) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._characters = max_tokens * _CHARACTERS_A_TOKEN
        self._threads = threads
        self.identity = identity
        self.dimensions = dimensions

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        """Return unit vectors, float32 [texts, 384], in the order of the texts."""
        import numpy as np

        del query
        found = np.zeros((len(texts), self.dimensions), np.float32)
        for place, hidden in enumerate(self._hidden(texts)):
            found[place] = hidden.mean(axis=0)
        return _at_unit_length(found)

    def token_vectors(self, texts: Sequence[str]) -> list[Rows]:
        """Return unit vectors of each text's tokens without [CLS] and [SEP]."""
        return [_at_unit_length(hidden[1:-1]) for hidden in self._hidden(texts)]

    def encode(self, texts: Sequence[str], *, contexts: Sequence[str] = ()) -> list[Encoded]:
        """Return vector, token vectors and token numbers of each text from one run.

        A text with a context is read after it, and its vector is the mean of its own tokens.
        """
        given = contexts or [""] * len(texts)
        joined = [
            f"{before}\n{text}" if before else text
            for before, text in zip(given, texts, strict=True)
        ]
        some = [_sendable(text[: self._characters]) for text in joined]
        encodings = self._tokenizer.encode_batch(some)
        return [
            _encoded(hidden, encoding, len(before) + 1 if before else 0)
            for hidden, encoding, before in zip(
                self._each(encodings), encodings, given, strict=True
            )
        ]

    def _hidden(self, texts: Sequence[str]) -> Iterator[Rows]:
        """Yield the last hidden state of each text, in order, [CLS] first and [SEP] last."""
        for first in range(0, len(texts), _AT_ONCE):
            some = [_sendable(text[: self._characters]) for text in texts[first : first + _AT_ONCE]]
            yield from self._each(self._tokenizer.encode_batch_fast(some))

    def _each(self, encodings: Sequence[Any]) -> Iterator[Rows]:
        if self._threads == 1 or len(encodings) == 1:
            yield from map(self._run, encodings)
        else:
            from concurrent.futures import ThreadPoolExecutor

            with ThreadPoolExecutor(self._threads) as pool:
                yield from pool.map(self._run, encodings)

    def _run(self, encoding: Any) -> Rows:
        """Run the encoder over one text: float32 [tokens, dimensions]."""
        import numpy as np

        ids = np.array([encoding.ids], np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        hidden: Rows = self._session.run(None, feed)[0][0]
        return hidden


def open_built_in(threads: int = 0) -> BuiltInEmbedder | None:
    """Load the built-in model, about 0.2 s; None where it or what runs it is not installed.

    Args:
        threads: how many may work at a time; 0 means one for each processor, at most four.
    """
    # The runtime would note down an id of this machine and what is done, for its maker. Its own
    # switch comes too late: it begins when it is imported.
    os.putenv("ORT_DISABLE_TELEMETRY", "1")
    try:
        import satchel_models  # type: ignore[import-not-found, import-untyped, unused-ignore]
        from onnxruntime import (  # type: ignore[import-untyped]
            InferenceSession,
            SessionOptions,
        )
        from tokenizers import Tokenizer
    except ImportError:
        return None
    options = SessionOptions()
    # One thread inside a run: several would spin while they wait for each other, which on a busy
    # machine costs more than it brings.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # 3 lets errors through and keeps warnings about the machine's devices from people's terminals.
    options.log_severity_level = 3
    tokenizer = Tokenizer.from_file(satchel_models.path("tokenizer.json"))
    tokenizer.enable_truncation(satchel_models.MAX_TOKENS)
    session = InferenceSession(
        satchel_models.path("minilm.onnx"), options, providers=["CPUExecutionProvider"]
    )
    return BuiltInEmbedder(
        session,
        tokenizer,
        satchel_models.MODEL,
        dimensions=satchel_models.DIMENSIONS,
        max_tokens=satchel_models.MAX_TOKENS,
        threads=threads or min(os.cpu_count() or 1, _MOST_THREADS),
    )


def _encoded(hidden: Rows, encoding: Any, begin: int) -> Encoded:
    """Cut what belongs to a text out of a run; the text begins at character `begin`."""
    from satchel.engine.inference.contracts import Encoded

    first = 1
    while begin and first < len(encoding.ids) - 1 and encoding.offsets[first][0] < begin:
        first += 1
    tokens = hidden[first:-1]
    mean = tokens if begin and len(tokens) else hidden
    vector = _at_unit_length(mean.mean(axis=0, keepdims=True))[0]
    return Encoded(vector, _at_unit_length(tokens.copy()), tuple(encoding.ids[first:-1]))


def _sendable(text: str) -> str:
    """Return the text without half characters, which no UTF-8 can carry."""
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8")


def _at_unit_length(rows: Rows) -> Rows:
    """Scale rows to length 1, in place; a row of zeros stays."""
    import numpy as np

    rows /= np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-12)
    return rows
