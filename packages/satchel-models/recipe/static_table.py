"""A table of word vectors distilled from the encoder, after model2vec (Minish, 2024).

Each token is encoded alone, between the opening and the closing token, and mean-pooled. The mean
over the vocabulary is removed, the axes are half whitened (C^(-1/4): symmetric, so no eigenvector
has a sign to choose), and each token is weighted by smooth inverse frequency (Arora et al. 2017,
a / (a + p)) with p after Zipf from the token's rank: BERT's vocabulary is ordered by frequency.
The figures were chosen by finding the second half of Python's documentation strings by the first.
"""

from __future__ import annotations

import numpy as np
import onnxruntime

from recipe.errors import NotAccurateError
from recipe.shape import CLOSE, HIDDEN, OPEN

SMOOTHING = 3e-5
WHITENING = 0.5
_BATCH = 512


def table_of(session: onnxruntime.InferenceSession, tokens: list[str]) -> tuple[bytes, bytes]:
    """Return the words, one a line and sorted by their bytes, and their rows of int16.

    Args:
        session: the encoder.
        tokens: the vocabulary by id. Special and unused tokens, `[...]`, get no row.
    """
    kept = [i for i, token in enumerate(tokens) if not (token[:1] == "[" and len(token) > 1)]
    vectors = _pooled(session, np.array(kept, np.int64))
    vectors -= vectors.mean(axis=0)
    spread, axes = np.linalg.eigh(np.cov(vectors.T))
    # The last layer's normalisation leaves one direction without spread.
    spread = np.maximum(spread, spread.max() * 1e-6)
    vectors = vectors @ (axes * spread ** (-WHITENING / 2)) @ axes.T
    share = 1 / np.arange(1, len(kept) + 1)
    share /= share.sum()
    vectors *= (SMOOTHING / (SMOOTHING + share))[:, None]
    rows = np.rint(vectors * (32767 / np.abs(vectors).max())).astype("<i2")
    if not rows.any(axis=1).all():
        raise NotAccurateError("the static table has empty rows")
    words = [tokens[i].encode() for i in kept]
    order = sorted(range(len(words)), key=words.__getitem__)
    return b"\n".join(words[i] for i in order) + b"\n", rows[order].tobytes()


def _pooled(session: onnxruntime.InferenceSession, ids: np.ndarray) -> np.ndarray:
    """Encode each token by itself: float64 [tokens, 384]."""
    framed = np.full((len(ids), 3), OPEN, np.int64)
    framed[:, 1] = ids
    framed[:, 2] = CLOSE
    parts = []
    for start in range(0, len(ids), _BATCH):
        batch = framed[start : start + _BATCH]
        feed = {"input_ids": batch, "attention_mask": np.ones_like(batch)}
        parts.append(session.run(None, feed)[0].mean(axis=1, dtype=np.float64))
    return np.concatenate(parts).reshape(len(ids), HIDDEN)
