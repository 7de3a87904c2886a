"""Splits a text into WordPieces like BERT's uncased tokenizer, without a tokenizer library.

Normalised after the rules of the reference implementation: control characters go, ideographs
stand alone, accents go, letters become small; then words part at spaces and around punctuation,
and each is cut greedily into the longest pieces the vocabulary knows (Wu et al. 2016).
"""

from __future__ import annotations

from _bisect import bisect_left
from collections.abc import Sequence

#: Longer words are unknown to BERT's tokenizer, whatever their pieces.
MOST_CHARACTERS = 100
#: No piece of the vocabulary is longer, its `##` included.
LONGEST_PIECE = 20
#: Words remembered with their pieces; beyond it the memory starts over.
_REMEMBERED = 50_000
#: What decoders put where bytes made no sense.
_REPLACEMENT = 0xFFFD
#: The blocks of CJK ideographs that BERT's tokenizer names.
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class _Letters(dict[int, str]):
    """Character replacements, computed on first use, for `str.translate`."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = becomes = _plain(character) if code < 128 else _far(code, character)  # noqa: PLR2004 -- ASCII
        return becomes


def _plain(character: str) -> str:
    """Return the replacement of an ASCII character."""
    if character.isalnum():
        return character.lower()
    if character in " \t\n\r":
        return " "
    return f" {character} " if character.isprintable() else ""


def _far(code: int, character: str) -> str:
    """Return the replacement of any other character, after canonical decomposition."""
    import unicodedata

    category = unicodedata.category(character)
    if code == _REPLACEMENT or category == "Mn" or category[0] == "C":
        return ""
    if category[0] == "Z":
        return " "
    if category[0] == "P" or any(first <= code <= last for first, last in _IDEOGRAPHS):
        return f" {character} "
    return character.lower()


_LETTERS = _Letters()


def words_of(text: str) -> list[str]:
    """Return a text's words: normalized, with punctuation separate."""
    if not text.isascii():
        import unicodedata

        text = unicodedata.normalize("NFD", text)
    return text.translate(_LETTERS).split()


class WordPieces:
    """A vocabulary, with a cache of split words.

    Args:
        vocabulary: the pieces, sorted by code points; a piece inside a word begins with `##`.
        numbers: the pieces' numbers, where they are not their places.
        unknown: what stands for a word with a part that is not known.
    """

    __slots__ = ("_known", "_numbers", "_unknown", "_vocabulary")

    def __init__(
        self,
        vocabulary: Sequence[str],
        numbers: Sequence[int] | None = None,
        unknown: tuple[int, ...] = (),
    ) -> None:
        self._vocabulary = vocabulary
        self._numbers = numbers
        self._unknown = unknown
        self._known: dict[str, tuple[int, ...]] = {}

    def rows(self, text: str) -> list[int]:
        """Return the ids of a text's pieces."""
        known = self._known
        rows: list[int] = []
        for word in words_of(text):
            pieces = known.get(word)
            if pieces is None:
                if len(known) >= _REMEMBERED:
                    known.clear()
                pieces = known[word] = self._cut(word)
            rows += pieces
        return rows

    def _cut(self, word: str) -> tuple[int, ...]:
        """Split a word into pieces."""
        vocabulary = self._vocabulary
        size = len(word)
        if size > MOST_CHARACTERS:
            return self._unknown
        pieces: list[int] = []
        start = 0
        while start < size:
            mark = "##" if start else ""
            for end in range(min(size, start + LONGEST_PIECE - len(mark)), start, -1):
                piece = mark + word[start:end]
                row = bisect_left(vocabulary, piece)
                if row < len(vocabulary) and vocabulary[row] == piece:
                    break
            else:
                return self._unknown
            pieces.append(row if self._numbers is None else self._numbers[row])
            start = end
        return tuple(pieces)
