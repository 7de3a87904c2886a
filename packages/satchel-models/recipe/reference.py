"""The same encoder in plain numpy, written from the paper: what the graph is checked against."""

from __future__ import annotations

import math

import numpy as np

from recipe.shape import EPSILON, HEADS, HIDDEN, LAYERS, Weights

_WIDTH = HIDDEN // HEADS
_erf = np.vectorize(math.erf, otypes=[np.float64])


def forward(weights: Weights, ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return the last hidden state, float64 [batch, tokens, 384].

    Args:
        weights: the checkpoint.
        ids: token ids [batch, tokens].
        mask: 1 for a token, 0 for padding [batch, tokens].
    """
    places = weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
    hidden = weights["embeddings.word_embeddings.weight"][ids].astype(np.float64) + places
    hidden += weights["embeddings.token_type_embeddings.weight"][0]
    hidden = _normalised(weights, "embeddings.LayerNorm", hidden)
    barred = np.where(mask[:, None, None, :] == 1, 0.0, -1e9)
    for layer in range(LAYERS):
        here = f"encoder.layer.{layer}."
        mixed = _attention(weights, here + "attention.self.", hidden, barred)
        mixed = _linear(weights, here + "attention.output.dense", mixed)
        hidden = _normalised(weights, here + "attention.output.LayerNorm", hidden + mixed)
        wide = _linear(weights, here + "intermediate.dense", hidden)
        wide = wide * 0.5 * (1 + _erf(wide / math.sqrt(2)))
        wide = _linear(weights, here + "output.dense", wide)
        hidden = _normalised(weights, here + "output.LayerNorm", hidden + wide)
    return hidden


def _linear(weights: Weights, name: str, values: np.ndarray) -> np.ndarray:
    return values @ weights[name + ".weight"].T + weights[name + ".bias"]


def _normalised(weights: Weights, name: str, values: np.ndarray) -> np.ndarray:
    centred = values - values.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
    return centred / spread * weights[name + ".weight"] + weights[name + ".bias"]


def _attention(weights: Weights, name: str, hidden: np.ndarray, barred: np.ndarray) -> np.ndarray:
    batch, tokens, _ = hidden.shape

    def heads(part: str) -> np.ndarray:
        values = _linear(weights, name + part, hidden)
        return values.reshape(batch, tokens, HEADS, _WIDTH).transpose(0, 2, 1, 3)

    scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / math.sqrt(_WIDTH) + barred
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    mixed = shares @ heads("value")
    return mixed.transpose(0, 2, 1, 3).reshape(batch, tokens, HIDDEN)
