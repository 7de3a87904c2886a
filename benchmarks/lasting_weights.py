"""Learn how likely a sentence is said to last, and write the weights.

    python benchmarks/lasting_weights.py [--out src/satchel/application/learning/signals/lasting_weights.json]

Learnt from `hearing_corpus/taught.tsv` and three quarters of `hearing_corpus/sentences.tsv`; the last
quarter, by a hash of the text, is held out, and what the weights make of it is printed. Each sentence
counts twice, with its static vector and without, so that one table of weights serves both.

A prompt is heard sentence by sentence, and learnt so: every sentence of one that passes is passing,
and of one that lasts the likeliest is what lasts, judged by what was learnt from the others.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.hearing import CORPUS, Said, corpus
from satchel.application.learning.signals.likelihood import (
    SCALE,
    VECTOR_LENGTH,
    WEIGHTS,
    Weights,
    bare,
    features_of,
    form_in,
    label_by,
)
from satchel.application.learning.signals.statements import sentences_in
from satchel.application.learning.signals.values import CORRECTION, DECISION, FACT, PREFERENCE
from satchel.engine.inference.static import StaticTable, open_table

TAUGHT = CORPUS.with_name("taught.tsv")
Array = npt.NDArray[np.float64]

#: How much a weight costs, and what is too rare or too small to keep; labels can do with less.
_PENALTY, _RARE, _SMALL, _SMALL_OF_LABELS = 2.0, 2, 60, 150
_STEPS, _POWERS = 800, 30
#: Rounds of choosing the sentences that last; how likely a further one of a prompt has to be.
_ROUNDS, _ALSO_LASTS = 2, 0.9
THRESHOLDS = (0.4, 0.5, 0.6, 0.7, 0.8)
LABELS = {"c": CORRECTION, "d": DECISION, "f": FACT, "p": PREFERENCE}


def vectors(table: StaticTable, said: Sequence[Said]) -> Array:
    """Return static vectors of one length, float64 [sentences, 384]."""
    sums = table.sums_of_many([bare(one.text) for one in said]).astype(np.float64)
    length = np.linalg.norm(sums, axis=1, keepdims=True)
    return sums / np.where(length == 0, 1, length) * VECTOR_LENGTH


def features(one: Said) -> list[str]:
    """Return the features of a line of the corpus."""
    rejected = one.where == "rejected"
    return features_of(
        one.text, form_in(one.text, rejected=rejected, objected=rejected), rejected=rejected
    )


class Found(NamedTuple):
    """Which sentence has which feature: rows and columns of the ones in a sparse matrix."""

    rows: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int64]
    shape: tuple[int, int]

    def times(self, weights: Array) -> Array:
        """Return the matrix times a vector, float64 [sentences]."""
        found = np.bincount(self.rows, weights[self.columns], self.shape[0])
        return found.astype(np.float64, copy=False)

    def summed(self, values: Array) -> Array:
        """Return the transposed matrix times a vector, float64 [features]."""
        found = np.bincount(self.columns, values[self.rows], self.shape[1])
        return found.astype(np.float64, copy=False)


def matrix(said: Sequence[Said], names: dict[str, int]) -> Found:
    """Return which sentence has which feature."""
    ones = [(row, names[f]) for row, one in enumerate(said) for f in features(one) if f in names]
    rows, columns = np.array(ones, np.int64).reshape(-1, 2).T
    return Found(rows, columns, (len(said), len(names)))


class Fitted(NamedTuple):
    """The weights of the features, of the vector, of having one, and the bias."""

    words: Array
    vector: Array
    known: float
    bias: float


def fit(words: Found, dense: Array, wanted: Array) -> Fitted:
    """Return the weights of a logistic regression; the bias costs nothing.

    Every sentence counts with its row of `dense` and without, or once if `dense` has no columns.
    Nesterov's accelerated descent, with the step that the largest eigenvalue allows.
    """
    known = float(dense.shape[1] > 0)
    many, wide = words.shape[1], dense.shape[1]

    def totals(weights: Array) -> tuple[Array, Array]:
        plain = words.times(weights[:many]) + weights[-1]
        return plain, plain + dense @ weights[many:-2] + weights[-2]

    def gradient(plain: Array, rich: Array) -> Array:
        rich = rich * known
        both = plain + rich
        return np.concatenate([words.summed(both), dense.T @ rich, [rich.sum(), both.sum()]])

    costs = np.append(np.full(many + wide + 1, _PENALTY), 0)
    along = np.ones(many + wide + 2)
    for _ in range(_POWERS):
        along = gradient(*totals(along / np.linalg.norm(along)))
    step = 1 / (0.25 * np.linalg.norm(along) + _PENALTY)
    weights = ahead = np.zeros(many + wide + 2)
    for number in range(_STEPS):
        off = [1 / (1 + np.exp(-one)) - wanted for one in totals(ahead)]
        after = ahead - step * (gradient(*off) + costs * ahead)
        ahead = after + number / (number + 3) * (after - weights)
        weights = after
    return Fitted(weights[:many], weights[many:-2], weights[-2], weights[-1])


def named(said: Sequence[Said]) -> dict[str, int]:
    """Number the features that are not too rare."""
    seen = Counter(name for one in said for name in features(one))
    return {name: place for place, name in enumerate(sorted(n for n in seen if seen[n] >= _RARE))}


def kept(found: Array, names: dict[str, int], least: int) -> dict[str, int]:
    """Return the weights that are not too small, in thousandths, by feature."""
    rounded = {name: round(found[at] * SCALE) for name, at in names.items()}
    return {name: value for name, value in rounded.items() if abs(value) >= least}


def learn(said: Sequence[Said], table: StaticTable) -> Weights:
    """Learn the weights: what lasts from all sentences, what it is from those that last."""
    names = named(said)
    wanted = np.array([float(one.kind == "lasting") for one in said])
    found = fit(matrix(said, names), vectors(table, said), wanted)
    lasting = [one for one in said if one.kind == "lasting" and one.label in LABELS]
    names_of_labels = named(lasting)
    words, none = matrix(lasting, names_of_labels), np.zeros((len(lasting), 0))
    labels = {}
    for short, label in LABELS.items():
        one = fit(words, none, np.array([float(said.label == short) for said in lasting]))
        told = kept(one.words, names_of_labels, _SMALL_OF_LABELS)
        labels[label] = {"": round(one.bias * SCALE), **told}
    return Weights(
        round(found.bias * SCALE),
        kept(found.words, names, _SMALL),
        round(found.known * SCALE),
        [round(one * SCALE) for one in found.vector],
        table.identity,
        labels,
    )


def learn_by_sentence(said: Sequence[Said], table: StaticTable) -> tuple[Weights, list[Said]]:
    """Learn from the sentences of prompts; also return those sentences."""
    parts = [(one, [one._replace(text=each) for each in sentences_in(one.text)]) for one in said]
    sure: list[Said] = []
    several = []
    for one, sentences in parts:
        if one.kind == "lasting" and len(sentences) > 1:
            several.append(sentences)
        else:
            sure += sentences or [one]
    weights, chosen = learn(sure, table), sure
    for _ in range(_ROUNDS if several else 0):
        chosen = list(sure)
        for sentences in several:
            likely = judge(weights, sentences, table)
            least = min(likely.max(), _ALSO_LASTS)
            chosen += [one for one, each in zip(sentences, likely, strict=True) if each >= least]
        weights = learn(chosen, table)
    return weights, chosen


def judge(weights: Weights, said: Sequence[Said], table: StaticTable | None) -> Array:
    """Return the likelihood of each sentence, float64 [sentences]."""
    totals = np.array(
        [weights.bias + sum(weights.words.get(name, 0) for name in features(one)) for one in said],
        dtype=np.float64,
    )
    if table is not None:
        totals += weights.known + vectors(table, said) @ np.array(weights.vector, np.float64)
    result: Array = 1 / (1 + np.exp(-totals / SCALE))
    return result


def report(found: Array, said: Sequence[Said]) -> str:
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
    taught = [*corpus(TAUGHT), *(one for one in said if not one.held_out or wanted.check)]
    out = corpus(wanted.check) if wanted.check else [one for one in said if one.held_out]
    weights, seen = learn_by_sentence(taught, table)
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
