"""The built-in encoder: what its vectors are, and that they depend on nothing but the text."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from satchel.engine.inference import model_choice
from satchel.engine.inference.built_in import BuiltInEmbedder, open_built_in
from satchel.engine.models import Models
from satchel.storage.settings.table import Settings

TEXTS = [
    "The team moved sessions from Redis into the database.",
    "Why was the cache abandoned?",
    "Birds sing at dawn.",
    "",
    "naïve 中文 \ud800 \x00 \ufffd",
    "word " * 5000,
]


@pytest.fixture(scope="module", params=[False, True], ids=["onnxruntime", "numpy"])
def model(request: pytest.FixtureRequest) -> BuiltInEmbedder:
    found = open_built_in(2, plain=request.param)
    if found is None:
        pytest.skip("satchel-models is not installed")
    return found


def test_vectors_have_unit_length_and_the_order_of_the_texts(model: BuiltInEmbedder) -> None:
    found = model.embed(TEXTS)
    assert found.shape == (len(TEXTS), 384)
    assert found.dtype == np.float32
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    assert model.embed([]).shape == (0, 384)
    assert model.dimensions == 384


@pytest.mark.parametrize("plain", [False, True], ids=["onnxruntime", "numpy"])
def test_a_vector_depends_on_its_text_alone(*, plain: bool) -> None:
    model, other = open_built_in(2, plain=plain), open_built_in(1, plain=plain)
    if model is None or other is None:
        pytest.skip("satchel-models is not installed")
    together = model.embed(TEXTS)
    for text, vector in zip(TEXTS, together, strict=True):
        assert np.array_equal(model.embed([text])[0], vector)
        assert np.array_equal(other.embed([text, "something else"])[0], vector)


def test_numpy_and_onnxruntime_give_the_same_vectors() -> None:
    pytest.importorskip("onnxruntime")
    quick, plain = open_built_in(1), open_built_in(1, plain=True)
    if quick is None or plain is None:
        pytest.skip("satchel-models is not installed")
    texts = [f"{a} {b}" for a in TEXTS[:3] for b in ("", "Nobody knows why.", "It is 4 % faster.")]
    assert (quick.embed(texts) * plain.embed(texts)).sum(axis=1).min() > 0.99


def test_a_context_is_read_and_is_no_part_of_the_vector(model: BuiltInEmbedder) -> None:
    alone, after = model.encode(["It was slow.", "It was slow."], contexts=["", "The cache."])
    assert alone.pieces == after.pieces
    assert alone.tokens.shape == after.tokens.shape
    assert 0.5 < float(alone.vector @ after.vector) < 0.999


def test_meaning_brings_texts_together_that_share_no_word(model: BuiltInEmbedder) -> None:
    found = model.embed(TEXTS[:3])
    assert found[0] @ found[1] > found[0] @ found[2] + 0.15


def test_long_texts_are_cut_where_the_model_ends(model: BuiltInEmbedder) -> None:
    tokens = [one.tokens for one in model.encode(["word " * 5000, "word " * 254])]
    assert [len(rows) for rows in tokens] == [254, 254]


def test_tokens_have_unit_vectors_and_special_ones_are_gone(model: BuiltInEmbedder) -> None:
    tokens = [one.tokens for one in model.encode(["hello world", ""])]
    assert [rows.shape for rows in tokens] == [(2, 384), (0, 384)]
    assert np.allclose(np.linalg.norm(tokens[0], axis=1), 1, atol=1e-5)


def test_the_encoder_is_as_near_to_the_exact_one_as_its_manifest_says() -> None:
    import json

    satchel_models = pytest.importorskip("satchel_models")
    with open(satchel_models.path("manifest.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    assert manifest["accuracy"]["exact_least_cosine"] > 0.9995
    assert manifest["accuracy"]["small_mean_cosine"] > 0.98
    assert manifest["source_sha256"].startswith(satchel_models.MODEL.rpartition("@")[2])


def test_numpy_is_imported_whole_before_the_runtime_asks_for_a_part_of_it() -> None:
    """A thread that imports numpy beside it would otherwise meet it half done."""
    pytest.importorskip("onnxruntime")
    program = """
import sys
from satchel.engine.inference.built_in import open_built_in

class Look:
    seen = []
    def find_spec(self, name, path=None, target=None):
        if name == "onnxruntime":
            self.seen.append("numpy" in sys.modules)

sys.meta_path.insert(0, Look())
open_built_in(1)
print(Look.seen[-1])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "True", done.stderr


def test_threads_that_ask_at_once_get_one_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """A source of research once got none, since another thread was still loading it."""
    opened: list[object] = []

    def slowly(*_given: object, **_named: object) -> object:
        time.sleep(0.05)
        opened.append(object())
        return opened[-1]

    monkeypatch.setattr(model_choice, "open_embedder", slowly)
    models = Models(Settings())
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: models.embedder(), range(4)))
    assert found == opened * 4
