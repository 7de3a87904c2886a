"""The MiniLM encoder (BERT, Devlin et al. 2018) written down as an ONNX graph.

Inputs `input_ids` and `attention_mask`, int64 [batch, tokens]; output `last_hidden_state`, float32
[batch, tokens, 384]. There is one segment, so the segment vector is added to the positions.
The operators of the domain com.microsoft are onnxruntime's fused ones: written here directly,
nothing depends on a graph optimiser recognising them.
"""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from recipe.shape import EPSILON, HEADS, HIDDEN, LAYERS, Weights

FUSED = "com.microsoft"


class Graph:
    """Nodes and constants, in the order they are added."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []

    def constant(self, name: str, value: np.ndarray) -> str:
        """Add a constant and return its name."""
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(
        self, operator: str, inputs: list[str], output: str, domain: str = "", **attributes: float
    ) -> str:
        """Add a node with one output and return that output's name."""
        node = helper.make_node(
            operator, inputs, [output], name=output + "/" + operator, domain=domain, **attributes
        )
        self.nodes.append(node)
        return output


def encoder(weights: Weights) -> ModelProto:
    """Return the float32 graph over these weights."""
    graph = Graph()
    hidden = _embeddings(graph, weights)
    mask = graph.node("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
    for layer in range(LAYERS):
        last = layer == LAYERS - 1
        output = "last_hidden_state" if last else ""
        hidden = _layer(graph, weights, layer, hidden, mask=mask, output=output)
    shape = ["batch", "tokens"]
    return helper.make_model(
        helper.make_graph(
            graph.nodes,
            "minilm",
            [
                helper.make_tensor_value_info("input_ids", TensorProto.INT64, shape),
                helper.make_tensor_value_info("attention_mask", TensorProto.INT64, shape),
            ],
            [helper.make_tensor_value_info(hidden, TensorProto.FLOAT, [*shape, HIDDEN])],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(FUSED, 1)],
        ir_version=8,
        producer_name="satchel-models",
    )


def _embeddings(graph: Graph, weights: Weights) -> str:
    """Word, position and segment vectors, summed and normalised."""
    positions = (
        weights["embeddings.position_embeddings.weight"]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    words = _words(graph, weights["embeddings.word_embeddings.weight"])
    graph.node("Shape", ["input_ids"], "length", start=1, end=2)
    place = graph.node(
        "Slice",
        [
            graph.constant("positions", positions),
            graph.constant("zero", np.zeros(1, np.int64)),
            "length",
        ],
        "places",
    )
    summed = graph.node("Add", [words, place], "summed")
    return graph.node(
        "LayerNormalization",
        [
            summed,
            graph.constant("embeddings.gamma", weights["embeddings.LayerNorm.weight"]),
            graph.constant("embeddings.beta", weights["embeddings.LayerNorm.bias"]),
        ],
        "embedded",
        axis=-1,
        epsilon=EPSILON,
    )


def _words(graph: Graph, table: np.ndarray) -> str:
    """Look word vectors up in a table of bytes with a scale per word: half of the file."""
    scales = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-12) / 127
    small = np.rint(table / scales).astype(np.int8)
    rows = graph.node("Gather", [graph.constant("words", small), "input_ids"], "rows")
    scale = graph.node(
        "Gather", [graph.constant("scales", scales.astype(np.float32)), "input_ids"], "row_scales"
    )
    wide = graph.node("Cast", [rows], "rows_wide", to=TensorProto.FLOAT)
    return graph.node("Mul", [wide, scale], "word_vectors")


def _layer(
    graph: Graph, weights: Weights, number: int, hidden: str, *, mask: str, output: str
) -> str:
    """One transformer layer: attention, then the feed-forward part, each added and normalised."""
    here = f"encoder.layer.{number}."
    mine = f"layer{number}."

    def matrix(name: str) -> str:
        return graph.constant(mine + name, weights[here + name + ".weight"].T)

    def vector(name: str) -> str:
        return graph.constant(mine + name, weights[here + name])

    three = [f"attention.self.{part}" for part in ("query", "key", "value")]
    joint = np.concatenate([weights[here + name + ".weight"].T for name in three], axis=1)
    bias = np.concatenate([weights[here + name + ".bias"] for name in three])
    attended = graph.node(
        "Attention",
        [
            hidden,
            graph.constant(mine + "attention.self", joint),
            graph.constant(mine + "attention.self.bias", bias),
            mask,
        ],
        mine + "attended",
        FUSED,
        num_heads=HEADS,
    )

    def added(from_: str, name: str, to: str, skip: str) -> str:
        product = graph.node("MatMul", [from_, matrix(name + ".dense")], mine + name + ".product")
        product = graph.node("Add", [product, vector(name + ".dense.bias")], mine + name + ".moved")
        # Sum, not Add: onnxruntime would fuse Add into SkipLayerNormalization, which is slower
        # (27 ms instead of 7 of a batch's 100).
        summed = graph.node("Sum", [product, skip], mine + name + ".summed")
        norm = [vector(f"{name}.LayerNorm.{part}") for part in ("weight", "bias")]
        return graph.node("LayerNormalization", [summed, *norm], to, axis=-1, epsilon=EPSILON)

    between = added(attended, "attention.output", mine + "between", hidden)
    wide = graph.node("MatMul", [between, matrix("intermediate.dense")], mine + "wide")
    bent = graph.node("BiasGelu", [wide, vector("intermediate.dense.bias")], mine + "bent", FUSED)
    return added(bent, "output", output or mine + "out", between)
