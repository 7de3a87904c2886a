"""From the pinned weights to the files of the wheel."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os

import numpy as np
import onnx
import onnxruntime
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load

from recipe.encoder_graph import encoder
from recipe.errors import NotAccurateError
from recipe.reference import forward
from recipe.shape import Weights
from recipe.source import FILES, checked_files
from recipe.static_table import table_of

#: Counts up when the vectors change: it stands in the model's identity.
REVISION = 1
#: What every build must reach: cosine of a text's vector with the numpy pass, least of the sample.
LEAST_EXACT, LEAST_SMALL = 0.9995, 0.97


def build(sources: str, place: str) -> None:
    """Write the wheel's data files into a folder.

    Raises:
        NoSourceError: the weights cannot be had.
        NotAccurateError: the built encoder is wrong.
    """
    files = checked_files(sources)
    weights = load(files["model.safetensors"])
    vocabulary = _tokenizer(files["tokenizer.json"], place)
    exact, small = os.path.join(place, "exact.onnx"), os.path.join(place, "minilm.onnx")
    onnx.save(encoder(weights), exact)
    with _quiet():
        quantize_dynamic(
            exact,
            small,
            op_types_to_quantize=["MatMul", "Attention"],
            per_channel=True,
            weight_type=QuantType.QInt8,
            extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
        )
    accuracy = _accuracy(weights, exact, small)
    words, rows = table_of(_session(exact), vocabulary)
    os.unlink(exact)
    _write(place, "minilm.index", _index(small))
    _write(place, "static.words", words)
    _write(place, "static.i16", rows)
    # The last digits of a table depend on the linear algebra of the machine that built it, and
    # signs of sums must not be compared between two tables: the identity names the build.
    name = f"all-MiniLM-L6-v2-static/{REVISION}@{hashlib.sha256(rows).hexdigest()[:8]}"
    _write(place, "static.id", name.encode())
    _manifest(place, accuracy)


def _tokenizer(data: bytes, place: str) -> list[str]:
    """Write tokenizer.json without padding and truncation, and vocab.txt; return the tokens."""
    tokenizer = json.loads(data)
    tokenizer["truncation"] = tokenizer["padding"] = None
    by_id = sorted((number, token) for token, number in tokenizer["model"]["vocab"].items())
    tokens = [token for _, token in by_id]
    _write(place, "tokenizer.json", json.dumps(tokenizer, ensure_ascii=False).encode())
    _write(place, "vocab.txt", ("\n".join(tokens) + "\n").encode())
    return tokens


def _index(path: str) -> bytes:
    """Return where each array of a graph begins in its file, as JSON: name, type, shape, byte.

    So that it can be read without a library for ONNX. Weights have their zero at 0: not named.
    """
    with open(path, "rb") as file:
        data = file.read()
    places: dict[str, tuple[str, list[int], int]] = {}
    for tensor in onnx.load(path).graph.initializer:
        array = onnx.numpy_helper.to_array(tensor)
        if tensor.name.endswith("_zero_point"):
            if array.any():
                raise NotAccurateError(f"{tensor.name} is not 0")
        else:
            kind = array.dtype.newbyteorder("<")
            places[tensor.name] = (
                kind.str,
                list(array.shape),
                data.index(array.astype(kind).tobytes()),
            )
    return json.dumps(places).encode()


def _session(path: str) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])


def _accuracy(weights: Weights, exact: str, small: str) -> dict[str, float]:
    """Compare both graphs with the numpy pass on tokens drawn at random, padded unevenly."""
    random = np.random.default_rng(0)
    ids = random.integers(1996, 29000, (24, 40))
    mask = (np.arange(40) < random.integers(3, 41, 24)[:, None]).astype(np.int64)
    expected = _unit(forward(weights, ids, mask), mask)
    figures = {}
    for name, path, least in (("exact", exact, LEAST_EXACT), ("small", small, LEAST_SMALL)):
        feed = {"input_ids": ids, "attention_mask": mask}
        cosines = (_unit(_session(path).run(None, feed)[0], mask) * expected).sum(axis=1)
        figures[f"{name}_mean_cosine"] = round(float(cosines.mean()), 6)
        figures[f"{name}_least_cosine"] = round(float(cosines.min()), 6)
        if cosines.min() < least:
            raise NotAccurateError(f"{name}: cosine {cosines.min():.4f}, at least {least} needed")
    return figures


def _unit(hidden: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Mean over the tokens that count, at length 1."""
    pooled = (hidden * mask[:, :, None]).sum(axis=1)
    return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)


def _manifest(place: str, accuracy: dict[str, float]) -> None:
    """Write down what was built, from what and with what."""
    hashes = {}
    for name in sorted(os.listdir(place)):
        with open(os.path.join(place, name), "rb") as file:
            hashes[name] = hashlib.sha256(file.read()).hexdigest()
    manifest = {
        "model": "sentence-transformers/all-MiniLM-L6-v2",
        "revision": REVISION,
        "source_sha256": FILES["model.safetensors"],
        "sha256": hashes,
        "accuracy": accuracy,
        "built_with": {
            "numpy": np.__version__,
            "onnx": onnx.__version__,
            "onnxruntime": onnxruntime.__version__,
        },
    }
    _write(place, "manifest.json", (json.dumps(manifest, indent=1) + "\n").encode())


def _write(place: str, name: str, data: bytes) -> None:
    with open(os.path.join(place, name), "wb") as file:
        file.write(data)


@contextlib.contextmanager
def _quiet():  # noqa: ANN202 -- a generator that contextlib turns into something else
    """Keep the quantiser from advising a preparation that this graph does not need."""
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)
