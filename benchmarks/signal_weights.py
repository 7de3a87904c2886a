"""Learn the weights of the cues of signals from labelled turns, and write the table.

    python benchmarks/signal_weights.py [TURNS ...] [--labels correction ...] [--out FILE]

Learning begins at `hearing_corpus/first_weights.json`, and is drawn back to it: what was learnt from
turns of people that are not in the repository (docs/decisions/0026-signals.md).
`hearing_corpus/turns.tsv`, written for this, is always learnt from.
Each line of a further file, JSON Lines, is a turn that somebody said: `text`, `prev`, `labels`,
`ambiguous` (labels in doubt), and `session`. Half of these turns, by a hash of the text, are held
out, and what becomes of them is printed.

`--check hearing_corpus/blind_turns.jsonl` judges turns that nothing was learnt from.

The model is a logistic regression on the cues alone: a cue that speaks for a label never weighs less
than nothing, one against it never more. There is no chance in it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from satchel.application.learning.signals.classifying import classify, find_cues
from satchel.application.learning.signals.cues import CUES, LABELS, Cue, labels_in
from satchel.application.learning.signals.weights import WEIGHTS
from satchel.storage.kept_patterns import spoken

CORPUS = Path(__file__).parent / "hearing_corpus"
WRITTEN = CORPUS / "turns.tsv"
FIRST: dict[str, dict[str, float]] = json.loads((CORPUS / "first_weights.json").read_text("utf-8"))
#: Cues of the whole turn and of what the agent said before it; `classifying` finds them.
OF_THE_TURN: tuple[Cue, ...] = tuple(
    Cue(name, labels_in(sides.partition("-")[0]), labels_in(sides.partition("-")[2]), spoken(""))
    for name, sides in (
        ("answers", "d"), ("agrees", "d-cf"), ("refuses", "cd"), ("picks", "d"),
        ("at the outset", "-cd"), ("after a report", "c-f"), ("only asks", "-dcfp"),
        ("only tells", "f"), ("tells in answer", "f-d"), ("tells at the outset", "f"), ("tells after a report", "c"), ("takes up", "c"), ("pasted", "-dcp"), ("very short", "-cfp"), ("long", "f-"),
        ("sounds like a decision", "d"), ("sounds like a correction", "c"),
        ("sounds like a fact", "f"), ("sounds like a preference", "p"), ("sounds lasting", "dfp"),
    )
)  # fmt: skip
_PENALTY = 0.7
#: Log odds of a weight of 1.0: where no cue is found, a label has odds of e to the minus this.
_SCALE = 2.0
#: What leaves no doubt: never less than this, whether or not a turn of the examples says it.
_AT_LEAST = {
    "correction": {"I meant": 1.0, "you did": 1.0, "why did you": 1.0},
    "decision": {"we decided": 1.0, "never mind": 1.0, "agrees": 0.5},
    "fact": {"for your information": 1.0, "the thing is so": 0.5, "tells at the outset": 0.5},
    "preference": {"always do": 1.0, "I prefer": 1.0, "instruction file": 0.8},
}
#: What a turn counts as a no where whoever labelled it was in doubt.
_IN_DOUBT = {"correction": 0.3, "decision": 0.0, "fact": 0.25, "preference": 0.0}
#: A turn that somebody said counts twice; a written one without the label is one of many such.
_SAID, _WRITTEN_NO = 2.0, 1.5
_FOLDS, _TIMES, _ROUNDS = 5, 3, 400
_LEAST = 0.02
Floats = npt.NDArray[np.float64]


class Turn(NamedTuple):
    """A labelled turn: what was said, its labels and those in doubt, its session if it was said."""

    text: str
    prev: str
    labels: tuple[str, ...]
    ambiguous: tuple[str, ...]
    session: str = ""

    @property
    def held_out(self) -> bool:
        """Whether nothing is learnt from it: half of those that somebody said."""
        return bool(self.session) and hashlib.sha256(self.text.encode()).digest()[0] % 2 == 0


class Row(NamedTuple):
    """A turn as the model sees it for one label: cues, whether it has the label, what it counts."""

    cues: dict[str, float]
    has: bool
    much: float


def turns_of(path: str) -> list[Turn]:
    """Read turns that were said."""
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [
        Turn(row["text"], row.get("prev", ""), tuple(row["labels"]),
             tuple(row.get("ambiguous", ())), str(row.get("session", row["id"])))
        for row in rows
    ]  # fmt: skip


def written(path: Path = WRITTEN) -> list[Turn]:
    """Read turns that were written to learn from: labels, what the agent said, what is said."""
    found = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        letters, prev, text = line.split("\t")
        doubted = "".join(letters[at + 1] for at, one in enumerate(letters) if one == "?")
        sure = "".join(one for one in letters if one not in f"?-{doubted}")
        found.append(Turn(text, prev, labels_in(sure), labels_in(doubted)))
    return found


def rows_of(turns: list[Turn], label: str) -> list[Row]:
    """Return turns as the model sees them for a label."""
    signs = signs_of(label)
    rows = []
    for turn in turns:
        cues = {name: one.amount for name, one in find_cues(turn.text, turn.prev).items()}
        has = label in turn.labels
        much = _SAID if turn.session else 1.0 if has else _WRITTEN_NO
        if label in turn.ambiguous:
            much *= _IN_DOUBT[label]
        rows.append(Row({name: n for name, n in cues.items() if name in signs}, has, much))
    return rows


def signs_of(label: str) -> dict[str, int]:
    """Return the cues that count for a label, and on which side."""
    every = (*CUES, *OF_THE_TURN)
    for_it = {cue.name: 1 for cue in every if label in cue.speaks}
    return for_it | {cue.name: -1 for cue in every if label in cue.against}


def fitted(rows: list[Row], label: str) -> dict[str, float]:
    """Fit a label's weights: accelerated gradient steps, each put back on its side."""
    signs, least = signs_of(label), _AT_LEAST[label]
    cues = np.array([[row.cues.get(name, 0.0) for name in signs] for row in rows])
    has, much = np.array([[row.has, row.much] for row in rows]).T
    began = _SCALE * np.array([FIRST[label].get(name, 0.0) for name in signs])
    speaks = np.array([sign > 0 for sign in signs.values()])
    low = np.where(speaks, [_SCALE * least.get(name, 0.0) for name in signs], -np.inf)
    high = np.where(speaks, np.inf, 0.0)
    now = ahead = began
    step = 1 / (0.25 * _largest(cues, much) + _PENALTY)
    pace = 1.0
    for _ in range(_ROUNDS):
        odds = np.clip(cues @ ahead - _SCALE, -30.0, 30.0)
        miss = much * (1 / (1 + np.exp(-odds)) - has)
        slope = _PENALTY * (ahead - began) + miss @ cues
        following = np.clip(ahead - step * slope, low, high)
        faster = (1 + math.sqrt(1 + 4 * pace * pace)) / 2
        ahead = following + (pace - 1) / faster * (following - now)
        now, pace = following, faster
    return dict(zip(signs, now.tolist(), strict=True))


def _score(weights: dict[str, float], row: Row) -> float:
    """Return the log odds of a label."""
    return sum(weights[name] * n for name, n in row.cues.items()) - _SCALE


def _largest(cues: Floats, much: Floats) -> float:
    """Return the largest eigenvalue of the cues' squares, by power iteration."""
    vector = np.ones(cues.shape[1])
    size = 1.0
    for _ in range(60):
        after = (much * (cues @ vector)) @ cues
        size = float(np.linalg.norm(after)) or 1.0
        vector = after / size
    return 1.05 * size


def measured(pairs: list[tuple[bool, bool]]) -> str:
    """Return precision, recall and F1 of what was said of turns, and what they are."""
    right = sum(said and has for said, has in pairs)
    claimed, there = sum(said for said, _ in pairs), sum(has for _, has in pairs)
    precision, recall = right / max(1, claimed), right / max(1, there)
    return f"precision {precision:.2f} recall {recall:.2f} F1 {2 * right / max(1, claimed + there):.2f}"


def checked(turns: list[Turn], label: str) -> str:
    """Return the figures on turns that the weights were not learnt from, in turn; no doubtful ones."""
    rows = rows_of(turns, label)
    pairs = []
    for time in range(_TIMES):
        groups = sorted({turn.session or turn.text for turn in turns})
        random.Random(time).shuffle(groups)
        fold = {group: at % _FOLDS for at, group in enumerate(groups)}
        parts = [fold[turn.session or turn.text] for turn in turns]
        for part in range(_FOLDS):
            weights = fitted(
                [row for row, at in zip(rows, parts, strict=True) if at != part], label
            )
            pairs += [
                (_score(weights, row) > 0, row.has)
                for row, at, turn in zip(rows, parts, turns, strict=True)
                if at == part and label not in turn.ambiguous
            ]
    return measured(pairs)


@cache
def _heard(text: str, prev: str) -> frozenset[str]:
    """Return the labels of a turn by the weights that ship: each label's figures ask for them."""
    return frozenset(one.label for one in classify(text, prev))


def as_shipped(turns: list[Turn], label: str) -> str:
    """Return the figures of what `classify` says, by the weights that ship."""
    return measured(
        [
            (
                label in _heard(turn.text, turn.prev),
                label in turn.labels,
            )
            for turn in turns
            if label in turn.labels or label not in turn.ambiguous
        ]
    )


def table(learnt: dict[str, dict[str, float]]) -> str:
    """Return the text of `weights.py`."""
    lines = [
        '"""The weight of each cue for or against a label; a sum of 1.0 is enough for a label.',
        "",
        "Learned from labeled turns by `benchmarks/signal_weights.py`, which writes this file; not edited by",
        "hand. Unlisted cues weigh nothing.",
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
    parser.add_argument("turns", nargs="*")
    parser.add_argument("--labels", nargs="+", choices=LABELS, default=LABELS)
    parser.add_argument("--out", default="")
    parser.add_argument("--check", default="", help="only judge these turns, by what ships")
    wanted = parser.parse_args()
    if wanted.check:
        turns = turns_of(wanted.check)
        for label in LABELS:
            there = sum(label in turn.labels for turn in turns)
            print(f"{label:10} {there:3} of {len(turns)}: {as_shipped(turns, label)}")
        return 0
    said = [turn for path in wanted.turns for turn in turns_of(path)]
    turns = [*written(), *(turn for turn in said if not turn.held_out)]
    out = [turn for turn in said if turn.held_out]
    learnt = dict(WEIGHTS)
    for label in LABELS:
        for name, some in (("learnt from", turns), ("held out", out)):
            there = sum(label in turn.labels for turn in some)
            print(
                f"{label:10} {there:3} of {len(some)} {name}, as it ships: {as_shipped(some, label)}"
            )
        if label not in wanted.labels:
            continue
        print(f"{label:10} cues alone, each turn by weights of others: {checked(turns, label)}")
        weights = fitted(rows_of(turns, label), label)
        learnt[label] = {
            name: round(weight / _SCALE, 2)
            for name, weight in weights.items()
            if abs(weight / _SCALE) >= _LEAST
        }
    if wanted.out:
        with open(wanted.out, "w", encoding="utf-8") as file:
            file.write(table(learnt))
        subprocess.run([sys.executable, "-m", "ruff", "format", "-q", wanted.out], check=False)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
