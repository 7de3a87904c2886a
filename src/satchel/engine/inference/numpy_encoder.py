"""The built-in encoder's graph (BERT, Devlin et al. 2018) in numpy, without onnxruntime.

It reads the weights from the graph's own file, and quantizes the input of each matrix to eight bits
as the graph does (ONNX's DynamicQuantizeLinear), so that both give the same vectors up to rounding
in eight bits. A quarter as fast; 73 MB less to install.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from satchel.engine.inference.contracts import Rows

_LAYERS = 6
_HEADS = 12
_EPSILON = 1e-12
_LEVELS = 255


class NumpyEncoder:
    """The loaded weights. Thread-safe.

    Args:
        graph: path of the ONNX file.
        index: path of the JSON file with the offset of each array.
    """

    __slots__ = ("_weights",)

    def __init__(self, graph: str, index: str) -> None:
        with open(index, encoding="utf-8") as file:
            places = json.load(file)
        data = np.memmap(graph, np.uint8, "r")
        self._weights: dict[str, Rows] = {}
        for name, (kind, shape, begin) in places.items():
            size = math.prod(shape) * np.dtype(kind).itemsize
            array = np.frombuffer(data[begin : begin + size], kind).reshape(shape)
            # Word rows are looked up, a few at a time; all other arrays are matrices to multiply.
            self._weights[name] = array if name == "words" else array.astype(np.float32)

    def run(self, texts: Sequence[Sequence[int]]) -> list[Rows]:
        """Return each text's last hidden state, float32 [tokens, 384].

        The texts' tokens are multiplied together, which is faster, but quantized text by text. The
        factors are integers, so no sum depends on a text's neighbors.
        """
        weights = self._weights
        rows = np.concatenate([np.asarray(ids) for ids in texts])
        ends = np.cumsum([len(ids) for ids in texts])
        begins = np.concatenate([[0], ends[:-1]])
        hidden: Rows = weights["words"][rows] * weights["scales"][rows]
        hidden += np.concatenate([weights["positions"][: len(ids)] for ids in texts])
        _normalise(hidden, weights["embeddings.gamma"], weights["embeddings.beta"])
        for layer in range(_LAYERS):
            here = f"layer{layer}."
            three = self._product(hidden, here + "attention.self", begins)
            mixed = np.concatenate([_attended(part) for part in np.split(three, ends[:-1])])
            mixed = self._product(mixed, here + "attention.output.dense", begins)
            hidden = self._added(mixed, hidden, here + "attention.output.")
            wide = _gelu(self._product(hidden, here + "intermediate.dense", begins))
            narrow = self._product(wide, here + "output.dense", begins)
            hidden = self._added(narrow, hidden, here + "output.")
        return np.split(hidden, ends[:-1])

    def _product(self, values: Rows, name: str, begins: npt.NDArray[np.intp]) -> Rows:
        """Multiply by an 8-bit matrix and add its bias."""
        rounded, scales = _rounded(values, begins)
        product: Rows = rounded @ self._weights[name + "_quantized"]
        product *= self._weights[name + "_scale"]
        product *= scales
        product += self._weights[name + ".bias"]
        return product

    def _added(self, values: Rows, before: Rows, here: str) -> Rows:
        """Add the residual and normalize."""
        values += before
        norm = here + "LayerNorm."
        return _normalise(values, self._weights[norm + "weight"], self._weights[norm + "bias"])


def _attended(three: Rows) -> Rows:
    """Return a text's attention: values weighted by query-key similarity.

    Args:
        three: queries, keys and values side by side, float32 [tokens, 3 * 384].

    Returns:
        float32 [tokens, 384].
    """
    tokens, size = len(three), three.shape[1] // 3
    queries, keys, values = three.reshape(tokens, 3, _HEADS, -1).transpose(1, 2, 0, 3)
    shares: Rows = queries @ keys.transpose(0, 2, 1)
    shares /= np.float32(math.sqrt(size / _HEADS))
    shares -= shares.max(axis=-1, keepdims=True)
    np.exp(shares, out=shares)
    shares /= shares.sum(axis=-1, keepdims=True)
    mixed: Rows = (shares @ values).transpose(1, 0, 2).reshape(tokens, size)
    return mixed


def _rounded(values: Rows, begins: npt.NDArray[np.intp]) -> tuple[Rows, Rows]:
    """Quantize each text to 256 levels between its minimum and maximum, including 0.

    Args:
        values: the rows of all texts.
        begins: where each text begins.

    Returns:
        Integers around 0, and the scale of each row [rows, 1].
    """
    least = np.minimum(np.minimum.reduceat(values.min(axis=1), begins), 0)
    most = np.maximum(np.maximum.reduceat(values.max(axis=1), begins), 0)
    scales = np.maximum((most - least) / np.float32(_LEVELS), np.float32(1e-30))
    zeros = np.rint(-least / scales)
    lengths = np.diff(begins, append=len(values))
    scale, zero = (np.repeat(each, lengths)[:, None] for each in (scales, zeros))
    rounded = values / scale
    np.rint(rounded, out=rounded)
    return np.clip(rounded, -zero, _LEVELS - zero, out=rounded), scale


def _normalise(values: Rows, weight: Rows, bias: Rows) -> Rows:
    """Normalize each row to mean 0 and variance 1, then scale and shift it, in place."""
    values -= values.mean(axis=-1, keepdims=True)
    variance = np.einsum("ij,ij->i", values, values)[:, None] / values.shape[-1]
    values /= np.sqrt(variance + np.float32(_EPSILON))
    values *= weight
    values += bias
    return values


def _gelu(values: Rows) -> Rows:
    """Return x * P(X <= x) for a standard normal X.

    By formula 7.1.26 of Abramowitz and Stegun (1964), with an error of at most 1.5e-7. The usual
    tanh form is faster, but its error of 5e-4 changes the quantized values.
    """
    away = np.abs(values)
    away *= np.float32(math.sqrt(0.5))
    t = 1 / (1 + np.float32(0.3275911) * away)
    tail = np.float32(1.061405429) * t
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        tail += np.float32(factor)
        tail *= t
    away *= away
    np.negative(away, out=away)
    tail *= np.exp(away, out=away)
    share = np.copysign(1 - tail, values)
    share += 1
    share *= values
    share *= np.float32(0.5)
    return share
