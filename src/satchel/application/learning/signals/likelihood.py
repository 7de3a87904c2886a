"""Estimates how likely a sentence is to last, with weights learned from labelled sentences.

A logistic regression on words, word pairs, a few marks and the sentence's form, with its static
vector if the table used for learning is installed. `benchmarks/lasting_weights.py` learns the
weights and measures them on unseen sentences.
"""

from __future__ import annotations

import os

from satchel.application.learning.signals.speech.abroad import heard_abroad
from satchel.application.learning.signals.speech.clauses import peel
from satchel.application.learning.signals.speech.forms import Form, form_of
from satchel.core import quick_json
from satchel.core.values import NamedTuple
from satchel.storage.kept_patterns import LazyPattern, spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from satchel.engine.inference.static import StaticTable

WEIGHTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lasting_weights.json")
#: The length that vectors are scaled to: longer, they would outweigh the words.
VECTOR_LENGTH = 3.0
#: Weights are kept as whole thousandths.
SCALE = 1000
_WORDS = LazyPattern(r"[^\W\d_]+'?[^\W\d_]*|\d{1,2}:\d\d\b|\d+|[?!:;,.`]")
#: Scripts without spaces are read in pairs of characters.
_UNSPACED = LazyPattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_ENDS = " ,.!\u3002"
_AT_MOST_LONG, _LENGTH_STEP = 3, 3
_MARKS = (
    ("<code>", LazyPattern(r"[`/]|\w_\w|\w\.\w|[a-z][A-Z]")),
    ("<this>", spoken(r"\b(?:this|that|it|these|those)\b")),
    ("<the>", spoken(r"\b(?:the|this|that)\s")),
    ("<now>", spoken(r"\b(?:now|today|yet|tomorrow|yesterday|later|first|again|still|just)\b")),
    ("<general>", spoken(r"\b(?:every|all|always|never|any|each|whenever|no)\b")),
    ("<we>", spoken(r"\b(?:our|we)\b")),
    ("<a>", spoken(r"\ban?\s")),
    (
        "<error>",
        LazyPattern(
            r"\b\w*(?:Error|Exception|Errno|ERR)\b|\b(?:error|fatal|panic|failed)\b\W*[:\[(]"
            r"|\bexit code\b|\btraceback\b"
        ),
    ),
)
#: Words of courtesy, which say nothing about what is said.
_COURTESY_FIRST = spoken(
    r"(?:(?:ok|okay|hey|hi|hello|well|oh|ah|hm{1,8}|alright|right|so|and|but|also|anyway|please|pls"
    r"|while (?:you(?:'re| are)?|we(?:'re| are)?|ur) at it|one (?:more|last) thing"
    r"|@?(?:claude|codex|gemini|copilot|cursor))\b[\s,.:!-]{1,8}){1,6}"
)
_COURTESY_LAST = spoken(r"(?:\b(?:please|pls|plz|thanks|thank you|thx|ty|ok|okay)|[:;]-?[)(DP])\Z")
_LEADS = ("decides", "general", "marked", "objects", "praises")


class Weights(NamedTuple):
    """Learned weights for each feature and dimension, in thousandths.

    `known` is added if there is a vector; `identity` names its table. `labels` has weights for each
    label; "" is the bias.
    """

    bias: int
    words: dict[str, int]
    known: int
    vector: list[int]
    identity: str
    labels: dict[str, dict[str, int]]


def form_in(sentence: str, *, rejected: bool = False, objected: bool = False) -> Form | None:
    """Return a lasting sentence's form, in any language; see `speech.forms.form_of`."""
    return form_of(sentence, rejected=rejected, objected=objected) or heard_abroad(sentence)


def words_of(text: str) -> list[str]:
    """Return lower-case words and punctuation; for scripts without spaces, character pairs."""
    found: list[str] = []
    for word in _WORDS.findall(text.lower()):
        if _UNSPACED.fullmatch(word):
            found += [word[at : at + 2] for at in range(max(1, len(word) - 1))]
        elif word[0].isdigit():
            found.append("<time>" if ":" in word else "<number>")
        else:
            found.append(word)
    return found


def bare(sentence: str) -> str:
    """Return a sentence without courtesies and its end: with and without them it means the same."""
    text = sentence.replace("\u2019", "'").rstrip(_ENDS)
    first = _COURTESY_FIRST.match(text)
    text = text[first.end() :] if first else text
    last = _COURTESY_LAST.search(text)
    return (text[: last.start()].rstrip(_ENDS) if last else text) or sentence


def features_of(sentence: str, form: Form | None, *, rejected: bool = False) -> list[str]:
    """Return a sentence's features: words, pairs, beginning, marks, form."""
    text = bare(sentence)
    words = words_of(text)
    pairs = [f"{a} {b}" for a, b in zip(["^", *words], [*words, "$"], strict=True)]
    marks = [name for name, pattern in _MARKS if pattern.search(text)]
    length = f"<length {min(_AT_MOST_LONG, len(words) // _LENGTH_STEP)}>"
    begins = "^ " + " ".join(words[:3])
    peeled = peel(sentence)
    leads = [f"<{name}>" for name in _LEADS if getattr(peeled, name)]
    refused = ["<rejected>"] if rejected else []
    put = ["<form>", f"<form {form.name}>"] if form else ["<no form>"]
    return list(dict.fromkeys([*words, *pairs, begins, length, *marks, *leads, *refused, *put]))


def likelihood(sentence: str, form: Form | None, *, rejected: bool = False) -> float:
    """Return how likely a sentence is to last, 0 to 1.

    Args:
        sentence: one sentence, as written.
        form: how it is put; see `form_in`.
        rejected: it was said while rejecting an agent's call.
    """
    from math import exp

    weights, table = learnt()
    get = weights.words.get
    features = features_of(sentence, form, rejected=rejected)
    total = weights.bias + sum(get(one, 0) for one in features)
    if table is not None:
        sums = table.sums(bare(sentence))
        length = sum(one * one for one in sums) ** 0.5
        if length:
            alike = sum(a * b for a, b in zip(sums, weights.vector, strict=True))
            total += weights.known + VECTOR_LENGTH * alike / length
    return 1 / (1 + exp(-max(-50.0, min(50.0, total / SCALE))))


def knows(sentence: str) -> float:
    """Return the share of a sentence's words that have a weight, 0 to 1."""
    words = [one for one in words_of(sentence) if one[:1].isalpha()]
    known = learnt()[0].words
    return sum(one in known for one in words) / len(words) if words else 0.0


def label_of(sentence: str, form: Form | None = None) -> str:
    """Return a lasting sentence's label: decision, correction, fact or preference."""
    return label_by(learnt()[0], sentence, form)


def label_by(weights: Weights, sentence: str, form: Form | None) -> str:
    """Return a sentence's label according to the weights."""
    totals = label_odds(weights, sentence, form)
    return max(totals, key=totals.__getitem__)


def label_odds(weights: Weights, sentence: str, form: Form | None) -> dict[str, int]:
    """Return a lasting sentence's log odds for each label, in thousandths."""
    features = ["", *features_of(sentence, form)]
    return {
        label: sum(found.get(one, 0) for one in features) for label, found in weights.labels.items()
    }


def weights_from(data: Sequence[object]) -> Weights:
    """Read the file of weights."""
    return Weights(*data)  # type: ignore[arg-type]


_kept: list[tuple[Weights, StaticTable | None]] = []


def learnt() -> tuple[Weights, StaticTable | None]:
    """Return the weights, and the vectors they were learned with if available."""
    if not _kept:
        from satchel.engine.inference.static import open_table

        with open(WEIGHTS, encoding="utf-8") as file:
            weights = weights_from(quick_json.loads(file.read()))
        table = open_table()
        known = table is not None and table.identity == weights.identity
        _kept.append((weights, table if known else None))
    return _kept[0]
