"""Learn the weights of the cues of signals from labelled turns, and write the table.

    python tests/benchmarks/signal_weights.py TURNS.jsonl ... [--out src/satchel/application/learning/signals/weights.py]

Each line of a file is a turn: `text`, `prev`, `labels`, `ambiguous` (labels in doubt), and
`session`, by which turns are kept together when the model is checked on what it has not seen. The
model is a logistic regression on the cues alone: a cue that speaks for a label never weighs less
than nothing, one against it never more. Nothing but the standard library; no chance in it.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import subprocess
import sys
from typing import NamedTuple

from satchel.application.learning.signals.classifying import find_cues
from satchel.application.learning.signals.cues import CUES, LABELS, OF_THE_TURN

_PENALTY = {"correction": 1.0, "decision": 1.0, "fact": 0.4, "preference": 0.4}
#: What a wording says by itself, however few turns show it: where learning begins, and returns to.
_PLAIN = {
    "correction": {"I meant": 2.5, "you did": 2.5, "is not right": 2.0, "is wrong": 1.5, "undo": 1.5,
                   "do not act": 1.0, "no": 1.0, "why is it": 1.0, "expected": 1.0},
    "decision": {"never mind": 3.0, "decided": 2.0, "goes with": 2.0, "let us": 2.0, "for now": 1.5,
                 "agrees": 2.0, "no need": 1.5, "we will": 1.0},
    "fact": {"for your information": 4.0, "has changed": 1.5, "the cause": 1.5, "we have": 1.5,
             "somebody did": 1.0, "as things stand": 0.5},
    "preference": {"I prefer": 3.0, "always": 2.0, "instruction file": 2.0, "way of working": 2.0,
                   "use this not that": 2.0, "I like": 2.0, "as it is done": 1.5},
}  # fmt: skip
#: What leaves no doubt: never less than this, whether or not a turn of the examples says it.
_AT_LEAST = {
    "correction": {"I meant": 2.0, "you did": 2.0, "why did you": 2.0},
    "decision": {"we decided": 3.0, "never mind": 3.0, "agrees": 1.5},
    "fact": {"for your information": 3.0, "the thing is so": 1.35, "only tells": 1.35},
    "preference": {"always do": 3.5, "I prefer": 3.0, "instruction file": 2.0},
}
#: What a turn counts as a no where whoever labelled it was in doubt.
_IN_DOUBT = {"correction": 0.5, "decision": 0.0, "fact": 0.25, "preference": 0.0}
_FOLDS, _TIMES, _ROUNDS = 5, 3, 400
_LEAST = 0.02


class Turn(NamedTuple):
    """A labelled turn as the model sees it: cues and amounts, labels, session."""

    cues: dict[str, float]
    labels: tuple[str, ...]
    ambiguous: tuple[str, ...]
    session: str


class Model(NamedTuple):
    """Weights by cue, and what all of them are added to."""

    weights: dict[str, float]
    bias: float

    def score(self, cues: dict[str, float]) -> float:
        """Return the log odds of a label."""
        return self.bias + sum(self.weights.get(name, 0.0) * n for name, n in cues.items())


def turns_of(path: str) -> list[Turn]:
    """Read labelled turns."""
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [
        Turn(
            {name: one.amount for name, one in find_cues(row["text"], row.get("prev", "")).items()},
            tuple(row["labels"]), tuple(row.get("ambiguous", ())),
            str(row.get("session", row.get("src", row["id"]))),
        )
        for row in rows
    ]  # fmt: skip


def signs_of(label: str) -> dict[str, int]:
    """Return the cues that count for a label, and on which side."""
    every = (*CUES, *OF_THE_TURN)
    for_it = {cue.name: 1 for cue in every if label in cue.speaks}
    return for_it | {cue.name: -1 for cue in every if label in cue.against}


def fitted(turns: list[Turn], label: str) -> Model:
    """Fit a label's weights: accelerated gradient steps, each put back on its side."""
    signs, penalty, plain = signs_of(label), _PENALTY[label], _PLAIN[label]
    least = _AT_LEAST[label]
    rows = [
        (
            {name: n for name, n in turn.cues.items() if name in signs},
            float(label in turn.labels),
            counts(turn, label),
        )
        for turn in turns
    ]
    yes = sum(y for _, y, _ in rows)
    start = Model(dict.fromkeys(signs, 0.0), math.log((yes + 0.5) / (len(rows) - yes + 0.5)))
    now = ahead = start
    step = 1 / (0.25 * _largest(rows) + penalty)
    pace = 1.0
    for _ in range(_ROUNDS):
        slope = {name: penalty * (w - plain.get(name, 0.0)) for name, w in ahead.weights.items()}
        rise = 0.0
        for cues, y, much in rows:
            miss = much * (1 / (1 + math.exp(-max(-30.0, min(30.0, ahead.score(cues))))) - y)
            rise += miss
            for name, n in cues.items():
                slope[name] += miss * n
        moved = {name: ahead.weights[name] - step * slope[name] for name in signs}
        kept = {
            name: max(w, least.get(name, 0.0)) if signs[name] > 0 else min(w, 0.0)
            for name, w in moved.items()
        }
        following = Model(kept, ahead.bias - step * rise)
        faster = (1 + math.sqrt(1 + 4 * pace * pace)) / 2
        push = (pace - 1) / faster
        ahead = Model(
            {name: w + push * (w - now.weights[name]) for name, w in following.weights.items()},
            following.bias + push * (following.bias - now.bias),
        )
        now, pace = following, faster
    return now


def counts(turn: Turn, label: str) -> float:
    """Say how much a turn counts for a label: less, or not at all, where it was in doubt."""
    return _IN_DOUBT[label] if label in turn.ambiguous else 1.0


def _largest(rows: list[tuple[dict[str, float], float, float]]) -> float:
    """Return the largest eigenvalue of the cues' squares, by power iteration."""
    vector: dict[str, float] = {name: 1.0 for cues, _, _ in rows for name in cues}
    vector[""] = 1.0
    size = 1.0
    for _ in range(60):
        after = dict.fromkeys(vector, 0.0)
        for cues, _, _ in rows:
            along = vector[""] + sum(vector[name] * n for name, n in cues.items())
            after[""] += along
            for name, n in cues.items():
                after[name] += along * n
        size = math.sqrt(sum(x * x for x in after.values())) or 1.0
        vector = {name: x / size for name, x in after.items()}
    return 1.05 * size


def measured(pairs: list[tuple[float, bool, float]], least: float) -> tuple[float, float, float]:
    """Return precision, recall and F1 of scores above `least`; what is in doubt counts less."""
    right = sum(much for score, y, much in pairs if score > least and y)
    said = sum(much for score, _, much in pairs if score > least)
    there = sum(much for _, y, much in pairs if y)
    precision, recall = right / max(0.1, said), right / max(1, there)
    return precision, recall, 2 * right / max(1, said + there)


def checked(turns: list[Turn], label: str) -> tuple[float, tuple[float, float, float]]:
    """Return the best threshold on turns that the weights were not learnt from, and its figures."""
    runs = []
    for time in range(_TIMES):
        sessions = sorted({turn.session for turn in turns})
        random.Random(time).shuffle(sessions)
        fold = {session: at % _FOLDS for at, session in enumerate(sessions)}
        pairs = []
        for part in range(_FOLDS):
            model = fitted([turn for turn in turns if fold[turn.session] != part], label)
            pairs += [
                (model.score(turn.cues), label in turn.labels, counts(turn, label))
                for turn in turns
                if fold[turn.session] == part
            ]
        runs.append(pairs)
    steps = [n / 10 for n in range(-45, 15)]
    curve = [sum(measured(pairs, t)[2] for pairs in runs) / _TIMES for t in steps]
    smooth = [
        sum(curve[max(0, i - 2) : i + 3]) / len(curve[max(0, i - 2) : i + 3])
        for i in range(len(curve))
    ]
    least = steps[max(range(len(steps)), key=smooth.__getitem__)]
    figures = [measured(pairs, least) for pairs in runs]
    precision, recall, f1 = (sum(column) / _TIMES for column in zip(*figures, strict=True))
    return least, (precision, recall, f1)


def table(learnt: dict[str, dict[str, float]]) -> str:
    """Return the text of `weights.py`."""
    lines = [
        '"""How loudly each cue speaks for a label, or against it; 1.0 in sum is enough for a label.',
        "",
        "Learnt from labelled turns by `tests/benchmarks/signal_weights.py`, which writes this file; not",
        "edited by hand. What is not named weighs nothing.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "#: By label, the loudest first.",
        "WEIGHTS: dict[str, dict[str, float]] = {",
    ]
    for label in LABELS:
        lines.append(f'    "{label}": {{')
        for name, weight in sorted(learnt[label].items(), key=lambda one: (-one[1], one[0])):
            lines.append(f'        "{name}": {weight:.2f},')
        lines.append("    },")
    return "\n".join([*lines, "}", ""])


def main() -> int:
    """Learn, say how well it holds, and write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("turns", nargs="+")
    parser.add_argument("--out", default="")
    wanted = parser.parse_args()
    turns = [turn for path in wanted.turns for turn in turns_of(path)]
    learnt: dict[str, dict[str, float]] = {}
    for label in LABELS:
        told = [turn for turn in turns if counts(turn, label)]
        least, (precision, recall, f1) = checked(told, label)
        model = fitted(told, label)
        there = sum(label in turn.labels for turn in told)
        scale = max(0.2, least - model.bias)
        learnt[label] = {
            name: round(weight / scale, 2)
            for name, weight in model.weights.items()
            if abs(weight / scale) >= _LEAST
        }
        print(
            f"{label:10} {there:3} of {len(told)}  precision {precision:.2f} recall {recall:.2f} F1 {f1:.2f}"
        )
    if wanted.out:
        with open(wanted.out, "w", encoding="utf-8") as file:
            file.write(table(learnt))
        subprocess.run([sys.executable, "-m", "ruff", "format", "-q", wanted.out], check=False)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
