"""How certain it is that a memory is relevant to a prompt, beyond shared words. Pure.

Three signals, each compared with chance in one store:

- words: BM25 over the square root of the prompt's length, since long prompts share words with
everything;
- density: the same over the square root of the memory's length, since long memories do too;
- meaning: how similar their static vectors are, if the memory has one.

The chance level is learned by asking this very store prompts about other things: their best score
grows with the logarithm of the prompt's length, so a line and its spread are fitted. A signal is
how many spreads a memory is above the line; the sum of the signals is calibrated in the same way,
and the confidence is the share of unrelated prompts that score lower.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, log, sqrt

from satchel.core.values import Any, NamedTuple

#: Words added to every memory's length, so that the shortest do not win just by being short.
_SHORTEST = 8
#: The quantiles of unrelated prompts' scores that are kept as the tail.
TAIL = (0.5, 0.8, 0.9, 0.95, 0.98)
#: A spread below this share of a signal's range means that the store is too small to tell.
_LEAST_SPREAD = 0.05
#: Memories with a vector have their own chance level if they are at least this share of what was
#: found.
_MOST = 0.8
#: In a small store most unrelated prompts share no words, so no spread can be measured: the minimum
#: spreads of words, density and meaning are those of larger stores.
_FEW, _SPREADS = 50, (1.2, 0.16, 0.03)
#: Logistic fit of how often a pushed memory answered its prompt: intercept, weight of -ln(1 -
#: confidence) up to a limit, and weight of not being the best. See `likelihood`.
_ANSWERED, _BEYOND = (-2.25, 0.557, -1.79), 10.0
#: Converts a median absolute deviation to a standard deviation, for a normal distribution.
_MAD = 1.4826


class Signals(NamedTuple):
    """A memory's signals; `meaning` is None if it has no vector."""

    words: float
    density: float
    meaning: float | None


class Chance(NamedTuple):
    """The best score of unrelated prompts: base + slope * log(1 + words), and its spread."""

    base: float
    slope: float
    spread: float

    def above(self, score: float, size: float) -> float:
        """Return how many spreads a score is above chance."""
        return (score - self.base - self.slope * size) / self.spread


class Scale(NamedTuple):
    """Converts signals to a confidence: chance for each and for their sum, and its tail."""

    signals: tuple[Chance, ...]
    total: Chance
    tail: tuple[float, ...]

    def height(self, signals: Sequence[float], length: int) -> float:
        """Return how many spreads the combined signals are above chance."""
        size = log(1 + length)
        return self.total.above(_summed(self.signals, signals, size), size)

    def confidence(self, height: float) -> float:
        """Return the share of unrelated prompts whose best memory scores below a height.

        Between the kept points and beyond the last, the tail is assumed exponential.
        """
        points = list(zip(self.tail, [-log(1 - share) for share in TAIL], strict=True))
        low, high = points[0], points[1]
        for point in points[2:]:
            if height > high[0]:
                low, high = high, point
        slope = (high[1] - low[1]) / max(high[0] - low[0], 1e-6)
        return max(0.0, 1 - exp(-max(0.0, high[1] + (height - high[0]) * slope)))


class Calibration(NamedTuple):
    """Chance levels in a store of a given size, with meaning and by words only."""

    documents: int
    full: Scale | None
    words: Scale

    def is_open(self, signals: Signals, length: int) -> bool:
        """Return whether the words suffice for a memory; meaning alone does not."""
        size = log(1 + length)
        lines = self.words.signals
        return lines[0].above(signals.words, size) + lines[1].above(signals.density, size) > 0

    def judge(self, signals: Signals, length: int) -> tuple[float, float]:
        """Return a memory's (height above chance, confidence) for a prompt's word count."""
        scale: Scale | None = self.full if signals.meaning is not None else None
        values = [signals.words, signals.density]
        if scale is None:
            scale = self.words
        elif signals.meaning is not None:
            values.append(signals.meaning)
        height = scale.height(values, length)
        return height, scale.confidence(height)


def signals_of(bm25: float, prompt: int, memory: int, meaning: float | None) -> Signals:
    """Return a memory's signals.

    Args:
        bm25: the memory's score for the prompt.
        prompt: significant words of the prompt.
        memory: words of the memory.
        meaning: share of equal bits of their codes.
    """
    words = bm25 / sqrt(max(1, prompt))
    return Signals(words, words / sqrt(_SHORTEST + memory), meaning)


def calibrated(count: int, asked: Sequence[tuple[int, Sequence[Signals]]]) -> Calibration:
    """Measure the chance levels.

    Args:
        count: documents of the store.
        asked: for each unrelated prompt, its length and the signals of what it found.
    """
    by_words = [(length, [(s.words, s.density) for s in found]) for length, found in asked]
    whole = [
        (length, [(s.words, s.density, s.meaning) for s in found if s.meaning is not None])
        for length, found in asked
    ]
    known, every = sum(len(found) for _, found in whole), sum(len(found) for _, found in asked)
    spreads = _SPREADS if count <= _FEW else (0.0, 0.0, 0.0)
    full = _scale(whole, spreads) if known > every * _MOST else None
    return Calibration(count, full, _scale(by_words, spreads[:2]))


#: Typical calibrations by number of memories: chance for words, density and meaning, and for the
#: sums with and without meaning. Measured as in `calibrated`: docs/decisions/0037-one-gate.md.
_TYPICAL = (
    (1, (0.0, 0.1, 1.2), (0.0, 0.015, 0.16), (0.5, 0.02, 0.05), (0.0, 0.0, 1.4)),
    (4, (0.0, 0.59, 1.47), (0.02, 0.07, 0.19), (0.44, 0.06, 0.05), (0.55, -0.17, 1.45)),
    (20, (2.28, 0.18, 1.25), (0.32, 0.012, 0.18), (0.52, 0.044, 0.033), (0.4, -0.26, 1.33)),
    (50, (3.44, -0.07, 1.08), (0.53, -0.036, 0.166), (0.548, 0.038, 0.031), (-0.2, -0.1, 1.39)),
    (51, (1.85, -0.02, 0.68), (0.27, -0.02, 0.1), (0.549, 0.036, 0.031), (-0.2, -0.1, 1.36)),
    (100, (2.58, -0.15, 0.8), (0.42, -0.037, 0.155), (0.57, 0.032, 0.032), (-0.42, -0.02, 1.44)),
    (400, (3.51, -0.18, 0.8), (0.6, -0.055, 0.165), (0.59, 0.026, 0.032), (-0.65, -0.03, 1.35)),
    (1500, (4.52, -0.26, 0.93), (0.83, -0.09, 0.21), (0.604, 0.024, 0.034), (-0.6, -0.02, 1.38)),
    (4000, (5.23, -0.285, 1.27), (0.98, -0.118, 0.223), (0.616, 0.021, 0.041), (-0.5, -0.04, 1.35)),
)
_TYPICAL_WORDS = Chance(-0.1, 0.0, 1.35)
_TYPICAL_TAIL = (-0.2, 0.7, 1.25, 1.85, 2.7)


def typical(count: int) -> Calibration:
    """Return the typical calibration for a store of this size, before measuring."""
    low, high = _TYPICAL[0], _TYPICAL[1]
    for knot in _TYPICAL[2:]:
        if count > high[0]:
            low, high = high, knot
    share = max(0.0, log(max(1, count) / low[0]) / log(high[0] / low[0]))
    lines = [
        Chance(*(a + share * (b - a) for a, b in zip(one, other, strict=True)))
        for one, other in zip(low[1:], high[1:], strict=True)
    ]
    *signals, total = lines
    full = Scale(tuple(signals), total, _TYPICAL_TAIL)
    words = Scale(tuple(signals[:2]), _TYPICAL_WORDS, _TYPICAL_TAIL)
    return Calibration(count, full, words)


def _scale(
    asked: Sequence[tuple[int, Sequence[Sequence[float]]]], spreads: Sequence[float]
) -> Scale:
    sizes = [log(1 + length) for length, _ in asked]
    lines = []
    for place, least in enumerate(spreads):
        best = [max((one[place] for one in found), default=None) for _, found in asked]
        lowest = min((one for one in best if one is not None), default=0.0)
        nothing = 0.0 if place < 2 else lowest  # noqa: PLR2004 -- words; codes are never without
        line = _line(sizes, [nothing if one is None else one for one in best])
        lines.append(line._replace(spread=max(line.spread, least)))
    sums = []
    for size, (_, found) in zip(sizes, asked, strict=True):
        nothing_found = [0.0, 0.0, *(c.base + c.slope * size for c in lines[2:])]
        sums.append(max(_summed(lines, one, size) for one in (*found, nothing_found)))
    total = _line(sizes, sums)
    heights = sorted(total.above(one, size) for one, size in zip(sums, sizes, strict=True))
    last = len(heights) - 1
    tail = tuple(heights[min(last, int(share * len(heights)))] for share in TAIL)
    return Scale(tuple(lines), total, tail)


def _summed(lines: Sequence[Chance], signals: Sequence[float], size: float) -> float:
    parts = [line.above(one, size) for line, one in zip(lines, signals, strict=True)]
    return sum(parts) / sqrt(len(parts))


def _line(sizes: Sequence[float], scores: Sequence[float]) -> Chance:
    """Fit a line by least squares, with the larger of two measures of spread."""
    count = max(1, len(sizes))
    middle, mean = sum(sizes) / count, sum(scores) / count
    varied = sum((size - middle) ** 2 for size in sizes)
    slope = sum((s - middle) * (y - mean) for s, y in zip(sizes, scores, strict=True))
    slope = slope / varied if varied else 0.0
    base = mean - slope * middle
    off = [y - base - slope * s for s, y in zip(sizes, scores, strict=True)]
    standard = sqrt(sum(one * one for one in off) / count)
    typical = sorted(map(abs, off))[len(off) // 2] * _MAD if off else 0.0
    least = _LEAST_SPREAD * (max(scores, default=0.0) - min(scores, default=0.0))
    return Chance(base, slope, max(standard, typical, least, 1e-9))


def as_data(one: Calibration) -> list[Any]:
    """Return a calibration as lists and numbers."""
    return [one.documents, _scale_data(one.full), _scale_data(one.words)]


def _scale_data(scale: Scale | None) -> list[Any] | None:
    if scale is None:
        return None
    return [[list(line) for line in scale.signals], list(scale.total), list(scale.tail)]


def from_data(data: Any) -> Calibration:
    """Parse the result of `as_data`. Raises `ValueError` if invalid."""
    try:
        count, full, words = data
        by_words = _scale_from(words)
        return Calibration(int(count), None if full is None else _scale_from(full), by_words)
    except TypeError as error:
        raise ValueError(str(error)) from None


def _scale_from(data: Any) -> Scale:
    lines, total, tail = data
    if len(tail) != len(TAIL):
        raise ValueError("a tail of another length")
    signals = tuple(Chance(*map(float, line)) for line in lines)
    return Scale(signals, Chance(*map(float, total)), tuple(map(float, tail)))


def likelihood(confidence: float, *, best: bool) -> float:
    """Return how often a pushed memory of such a confidence answers the prompt, from 0 to 1.

    Being beyond chance does not mean being an answer: most pushed memories are beyond 99 % of
    unrelated prompts, yet a third of them concern something else. Logistic regression on `python -m
    benchmarks relevance_gate`'s own stores, by known answers.

    Args:
        confidence: as `Calibration.judge` returns it.
        best: whether nothing else found for the prompt is further above chance.
    """
    base, weight, behind = _ANSWERED
    beyond = min(_BEYOND, -log(max(1e-9, 1 - confidence)))
    return 1 / (1 + exp(-(base + weight * beyond + (0.0 if best else behind))))


def above(found: Iterable[tuple[float, float]], least: float, share: float) -> list[int]:
    """Return the indexes of memories worth an interruption, best first.

    The others must be nearly as far above chance as the best.

    Args:
        found: (height, confidence) of each.
        least: the required confidence.
        share: the share of the best one's height that others must reach.
    """
    judged = list(found)
    order = sorted(range(len(judged)), key=lambda place: (-judged[place][0], place))
    kept = [place for place in order if judged[place][1] >= least]
    best = judged[kept[0]][0] if kept else 0.0
    return [place for place in kept if judged[place][0] >= share * best]
