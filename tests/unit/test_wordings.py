"""What words and vectors both find first is an answer, however large the store is."""

import pytest

from satchel.engine.search.documents import Document, Hit
from satchel.engine.search.hybrid import HYBRID, Scored
from satchel.engine.search.wordings import agreed
from satchel.features.notes.relevance import filter_relevant


def found(number: int, text: str, words: float, vectors: float) -> Scored:
    document = Document(f"d{number}", f"h{number}", "note", 0, f"d{number}", 0, "", text, "")
    parts = {name: value for name, value in (("words", words), ("vectors", vectors)) if value}
    return Scored(Hit(document, 1.0, "here", f"{number}.md", number), words + vectors, parts)


class LargeStore:
    """Vectors of so many texts that the nearest by chance is near."""

    def least_cosine(self) -> float:
        return 0.6


@pytest.mark.parametrize(
    ("first", "second", "number"),
    [
        ((1.0, 0.45), (0.4, 0.30), 1),
        ((1.0, 0.45), (0.4, 0.50), -1),  # vectors find another one first
        ((1.0, 0.30), (0.4, 0.20), -1),  # by chance alone
        ((0.0, 0.45), (0.0, 0.20), -1),  # no word of it
    ],
)
def test_agreement(first: tuple[float, float], second: tuple[float, float], number: int) -> None:
    assert agreed([found(1, "a", *first), found(2, "b", *second)]) == number
    assert agreed([]) == -1


def test_hybrid_does_not_abstain_where_words_and_vectors_agree() -> None:
    one = found(1, "refresh tokens rotate", 1.0, 0.45)
    other = found(2, "the cup of tea", 0.2, 0.1)
    question = "how long do our login tokens stay good before people must sign up again"
    kept, _ = filter_relevant(question, HYBRID, [one, other], LargeStore(), None)  # type: ignore[arg-type]
    assert kept == [one]
