"""The encoder in the package satchel-models.

Vectors are the normalized mean of the last layer's tokens, as all-MiniLM-L6-v2 was trained (Reimers
and Gurevych 2019). Queries and documents are treated alike.

It runs on numpy, or on onnxruntime if installed, which is four times as fast. Both round to eight
bits in the same places, so their vectors differ as little as those of two processors do.

Each text is quantized by itself: the scale depends on the whole run, so in a batch a text's vector
would depend on its neighbors, and a rebuilt index would differ from one that grew. It costs
nothing: no padding is computed, and groups are spread over threads.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from satchel.engine.inference.contracts import Encoded, Rows
from satchel.engine.inference.static import WordPieces

#: Most texts whose tokens are in memory at once.
_AT_ONCE = 1024
#: Characters to read per token of the model's limit: saves tokenizing long files.
_CHARACTERS_A_TOKEN = 16
_MOST_THREADS = 4
#: Tokens that are worked on together.
_GROUP = 256
#: Tokens before and after a text, and for an unknown word: [CLS], [SEP], [UNK].
_OPEN, _CLOSE, _UNKNOWN = 101, 102, 100


class BuiltInEmbedder:
    """The encoder. Thread-safe.

    Args:
        run: takes the tokens of some texts and returns the last hidden state of each, float32
            [tokens, dimensions].
        pieces: cuts a text into tokens.
        identity: names the model.
        dimensions: length of a vector.
        max_tokens: how many tokens of a text are read, including the first and last.
        threads: how many texts are processed at a time.
    """

    __slots__ = ("_most", "_pieces", "_run", "_threads", "dimensions", "identity")

    def __init__(
        self,
        run: Callable[[Sequence[Sequence[int]]], list[Rows]],
        pieces: WordPieces,
        identity: str,
        *,
        dimensions: int,
        max_tokens: int,
        threads: int,
    ) -> None:
        self._run = run
        self._pieces = pieces
        self._most = max_tokens
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

    def encode(self, texts: Sequence[str], *, contexts: Sequence[str] = ()) -> list[Encoded]:
        """Return each text's vector, token vectors and token ids from one run.

        A text with a context is read after it, but its vector is the mean of its own tokens only.
        """
        given = contexts or [""] * len(texts)
        begins = [len(self._tokens(before)) - 1 if before else 1 for before in given]
        ids = [
            self._tokens(f"{before}\n{text}" if before else text)
            for before, text in zip(given, texts, strict=True)
        ]
        each = zip(self._each(ids), ids, begins, strict=True)
        return [_encoded(hidden, numbers, begin) for hidden, numbers, begin in each]

    def _hidden(self, texts: Sequence[str]) -> Iterator[Rows]:
        """Yield the last hidden state of each text, in order, [CLS] first and [SEP] last."""
        for first in range(0, len(texts), _AT_ONCE):
            yield from self._each([self._tokens(t) for t in texts[first : first + _AT_ONCE]])

    def _tokens(self, text: str) -> list[int]:
        """Return a text's token ids, framed and truncated to the model's limit."""
        numbers = self._pieces.rows(text[: self._most * _CHARACTERS_A_TOKEN])
        return [_OPEN, *numbers[: self._most - 2], _CLOSE]

    def _each(self, ids: Sequence[Sequence[int]]) -> Iterator[Rows]:
        groups = _groups(ids)
        if self._threads == 1 or len(groups) == 1:
            yield from chain.from_iterable(map(self._run, groups))
        else:
            from concurrent.futures import ThreadPoolExecutor

            with ThreadPoolExecutor(self._threads) as pool:
                yield from chain.from_iterable(pool.map(self._run, groups))


def _groups(ids: Sequence[Sequence[int]]) -> list[list[Sequence[int]]]:
    """Batch texts into groups large enough for a call and small enough for the cache."""
    groups: list[list[Sequence[int]]] = []
    tokens = _GROUP
    for numbers in ids:
        tokens += len(numbers)
        if tokens > _GROUP:
            groups.append([])
            tokens = len(numbers)
        groups[-1].append(numbers)
    return groups


def open_built_in(threads: int = 0, *, plain: bool = False) -> BuiltInEmbedder | None:
    """Load the built-in model, about 0.2 s; None if it is not installed.

    Args:
        threads: how many to use; 0 means one per processor, at most four.
        plain: whether to use numpy even if onnxruntime is installed.
    """
    try:
        import satchel_models  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        return None
    threads = threads or min(os.cpu_count() or 1, _MOST_THREADS)
    graph = satchel_models.path("minilm.onnx")
    run = None if plain else _by_onnxruntime(graph)
    if run is None:
        if "numpy" in sys.modules:
            # The library already has threads; more would spin waiting for them.
            threads = 1
        else:
            os.putenv("OPENBLAS_NUM_THREADS", "1")  # the threads are ours
        from satchel.engine.inference.numpy_encoder import NumpyEncoder

        run = NumpyEncoder(graph, satchel_models.path("minilm.index")).run
    return BuiltInEmbedder(
        run,
        _pieces(satchel_models.path("vocab.txt")),
        satchel_models.MODEL,
        dimensions=satchel_models.DIMENSIONS,
        max_tokens=satchel_models.MAX_TOKENS,
        threads=threads,
    )


def _by_onnxruntime(graph: str) -> Callable[[Sequence[Sequence[int]]], list[Rows]] | None:
    """Return a session that runs the graph; None if onnxruntime is not installed."""
    from importlib.util import find_spec

    if find_spec("onnxruntime") is None:
        return None
    # The runtime would record a machine id and its use, for its maker. Its own switch comes too
    # late: recording starts at import.
    os.putenv("ORT_DISABLE_TELEMETRY", "1")
    # First: the runtime would import numpy by its inner modules, which fails while another thread
    # imports numpy.
    import numpy as np

    try:
        from onnxruntime import InferenceSession, SessionOptions  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        return None
    options = SessionOptions()
    # One thread per run: several would spin while waiting for each other, which on a busy machine
    # costs more than it saves.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # Processors without instructions for sums of 8-bit products would saturate some of them.
    options.add_session_config_entry("session.x64quantprecision", "1")
    # 3 shows errors and hides warnings about the machine's devices.
    options.log_severity_level = 3
    session = InferenceSession(graph, options, providers=["CPUExecutionProvider"])

    def run(texts: Sequence[Sequence[int]]) -> list[Rows]:
        rows = [np.array([ids], np.int64) for ids in texts]
        feeds = [{"input_ids": ids, "attention_mask": np.ones_like(ids)} for ids in rows]
        return [session.run(None, feed)[0][0] for feed in feeds]

    return run


def _pieces(vocabulary: str) -> WordPieces:
    """Read the vocabulary, one piece a line; bracketed pieces never occur in text."""
    with open(vocabulary, encoding="utf-8") as file:
        pieces = file.read().split("\n")[:-1]
    known = sorted(
        (piece, number) for number, piece in enumerate(pieces) if piece == "[" or piece[:1] != "["
    )
    return WordPieces([piece for piece, _ in known], [number for _, number in known], (_UNKNOWN,))


def _encoded(hidden: Rows, ids: Sequence[int], first: int) -> Encoded:
    """Extract a text's part from a run; the text begins at token `first`."""
    from satchel.engine.inference.contracts import Encoded

    tokens = hidden[first:-1]
    mean = tokens if first > 1 and len(tokens) else hidden
    vector = _at_unit_length(mean.mean(axis=0, keepdims=True))[0]
    return Encoded(vector, _at_unit_length(tokens.copy()), tuple(ids[first:-1]))


def _at_unit_length(rows: Rows) -> Rows:
    """Scale rows to length 1, in place; zero rows stay zero."""
    import numpy as np

    rows /= np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-12)
    return rows
