"""Learn how likely a sentence is said to last, and write the weights.

    python benchmarks/lasting_weights.py [--out src/satchel/application/learning/signals/lasting_weights.json]

Learnt from `hearing_corpus/taught.tsv` and three quarters of `hearing_corpus/sentences.tsv`; the last
quarter, by a hash of the text, is held out, and what the weights make of it is printed. Each sentence counts twice, with its
static vector and without, so that one table of weights serves both. Full-batch gradient descent: no
chance in it.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.hearing import CORPUS, Said, corpus
from satchel.application.learning.signals.likelihood import (
    SCALE,
    VECTOR_LENGTH,
    WEIGHTS,
    Weights,
    features_of,
    form_in,
    label_by,
)
from satchel.application.learning.signals.values import CORRECTION, DECISION, FACT, PREFERENCE
from satchel.engine.inference.static import StaticTable, open_table

TAUGHT = CORPUS.with_name("taught.tsv")
Array = npt.NDArray[np.float64]
Single = npt.NDArray[np.float32]

#: How much a weight costs, and what is too rare or too small to keep; labels can do with less.
_PENALTY, _RARE, _SMALL, _SMALL_OF_LABELS = 2.0, 2, 20, 100
_STEPS, _POWERS = 800, 30
THRESHOLDS = (0.4, 0.5, 0.6, 0.7, 0.8)
LABELS = {"c": CORRECTION, "d": DECISION, "f": FACT, "p": PREFERENCE}


def vectors(table: StaticTable, said: list[Said]) -> Array:
    """Return static vectors of one length, float64 [sentences, 384]."""
    sums = table.sums_of_many([one.text for one in said]).astype(np.float64)
    length = np.linalg.norm(sums, axis=1, keepdims=True)
    return sums / np.where(length == 0, 1, length) * VECTOR_LENGTH


def features(one: Said) -> list[str]:
    """Return the features of a line of the corpus."""
    rejected = one.where == "rejected"
    return features_of(
        one.text, form_in(one.text, rejected=rejected, objected=rejected), rejected=rejected
    )


def matrix(said: list[Said], names: dict[str, int]) -> Array:
    """Return which sentence has which feature, float64 [sentences, features]."""
    found = np.zeros((len(said), len(names)))
    for row, one in enumerate(said):
        for name in features(one):
            if name in names:
                found[row, names[name]] = 1
    return found


def fit(inputs: Array, wanted: Array) -> Array:
    """Return the weights of a logistic regression; the last is the bias, which costs nothing.

    Nesterov's accelerated descent, with the step that the largest eigenvalue allows.
    """
    # Half the bytes: each step reads the whole of it twice.
    rows: Single = np.hstack([inputs, np.ones((len(inputs), 1))]).astype(np.float32)
    costs = np.full(rows.shape[1], _PENALTY, np.float32)
    costs[-1] = 0
    along = np.ones(rows.shape[1], np.float32)
    for _ in range(_POWERS):
        along = rows.T @ (rows @ (along / np.linalg.norm(along)))
    step = np.float32(1 / (0.25 * np.linalg.norm(along) + _PENALTY))
    told = wanted.astype(np.float32)
    weights = ahead = np.zeros(rows.shape[1], np.float32)
    for number in range(_STEPS):
        off = 1 / (1 + np.exp(-(rows @ ahead))) - told
        after = ahead - step * (rows.T @ off + costs * ahead)
        ahead = after + np.float32(number / (number + 3)) * (after - weights)
        weights = after
    return weights.astype(np.float64)


def named(said: list[Said]) -> dict[str, int]:
    """Number the features that are not too rare."""
    seen = Counter(name for one in said for name in features(one))
    return {name: place for place, name in enumerate(sorted(n for n in seen if seen[n] >= _RARE))}


def kept(found: Array, names: dict[str, int], least: int) -> dict[str, int]:
    """Return the weights that are not too small, in thousandths, by feature."""
    rounded = {name: round(found[at] * SCALE) for name, at in names.items()}
    return {name: value for name, value in rounded.items() if abs(value) >= least}


def learn(said: list[Said], table: StaticTable) -> Weights:
    """Learn the weights: what lasts from all sentences, what it is from those that last."""
    names = named(said)
    words, dense = matrix(said, names), vectors(table, said)
    known, none = np.ones((len(said), 1)), np.zeros((len(said), 1))
    inputs = np.vstack(
        [np.hstack([words, known, dense]), np.hstack([words, none, np.zeros_like(dense)])]
    )
    wanted = np.tile([float(one.kind == "lasting") for one in said], 2)
    found = fit(inputs, wanted)
    vector = [round(one * SCALE) for one in found[len(names) + 1 : -1]]
    bias, known_weight = round(found[-1] * SCALE), round(found[len(names)] * SCALE)
    lasting = [one for one in said if one.kind == "lasting" and one.label in LABELS]
    labels = {}
    names_of_labels = named(lasting)
    words = matrix(lasting, names_of_labels)
    for short, label in LABELS.items():
        one = fit(words, np.array([float(said.label == short) for said in lasting]))
        labels[label] = {"": round(one[-1] * SCALE), **kept(one, names_of_labels, _SMALL_OF_LABELS)}
    return Weights(bias, kept(found, names, _SMALL), known_weight, vector, table.identity, labels)


def judge(weights: Weights, said: list[Said], table: StaticTable | None) -> Array:
    """Return the likelihood of each sentence, float64 [sentences]."""
    totals = np.array(
        [weights.bias + sum(weights.words.get(name, 0) for name in features(one)) for one in said],
        dtype=np.float64,
    )
    if table is not None:
        totals += weights.known + vectors(table, said) @ np.array(weights.vector, np.float64)
    result: Array = 1 / (1 + np.exp(-totals / SCALE))
    return result


def report(found: Array, said: list[Said]) -> str:
    """Say how much of what lasts and of what passes is above each threshold."""
    lasting = np.array([one.kind == "lasting" for one in said])
    parts = [
        f"{least:.1f}: {(found[lasting] > least).mean():.3f} / {(found[~lasting] > least).mean():.3f}"
        for least in THRESHOLDS
    ]
    return "  ".join(parts)


def main() -> None:
    """Learn, write, and say what came of it."""
    parser = argparse.ArgumentParser(description="Learn how likely a sentence is said to last.")
    parser.add_argument("corpus", nargs="*", type=Path)
    parser.add_argument("--out", default=WEIGHTS)
    parser.add_argument(
        "--check", type=Path, help="sentences to judge by in place of the last quarter"
    )
    wanted = parser.parse_args()
    table = open_table()
    if table is None:
        raise SystemExit("The package satchel-models is not installed.")
    said = [one for path in wanted.corpus for one in corpus(path)] or corpus()
    seen = [*corpus(TAUGHT), *(one for one in said if not one.held_out or wanted.check)]
    out = corpus(wanted.check) if wanted.check else [one for one in said if one.held_out]
    weights = learn(seen, table)
    with open(wanted.out, "w", encoding="utf-8") as file:
        json.dump(weights, file, separators=(",", ":"), ensure_ascii=False)
        file.write("\n")
    print(f"{len(seen)} sentences, {len(weights.words)} weights; of what lasts / of what passes:")
    for name, asked in (("with vectors", table), ("without", None)):
        print(f"learnt from, {name:13} {report(judge(weights, seen, asked), seen)}")
        print(f"held out, {name:16} {report(judge(weights, out, asked), out)}")
    told = [one for one in out if one.kind == "lasting" and one.label in LABELS]
    right = sum(label_by(weights, one.text, form_in(one.text)) == LABELS[one.label] for one in told)
    print(f"the label is right of {right} of {len(told)} held out")


if __name__ == "__main__":
    main()
