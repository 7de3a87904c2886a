"""Static embeddings: a text's vector is the sum of its word pieces' vectors.

Made for the cold command line: no numpy, no tokenizer library, a few milliseconds including
loading. The sums are integers, so the numpy version for many texts gives exactly the same. The
table is distilled by packages/satchel-models/recipe/static_table.py.
"""

from __future__ import annotations

import os
import sys
from _bisect import bisect_left
from collections.abc import Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    import numpy.typing as npt

    from satchel.engine.inference.contracts import Rows

#: Longer words are unknown to BERT's tokenizer, whatever their pieces are.
MOST_CHARACTERS = 100
#: The longest piece of the vocabulary, including `##`.
LONGEST_PIECE = 20
#: Most words to cache with their pieces; beyond that the cache is cleared.
_REMEMBERED = 50_000
#: The replacement character that decoders insert for invalid bytes.
_REPLACEMENT = 0xFFFD
#: The blocks of CJK ideographs in BERT's tokenizer.
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
        numbers: the pieces' numbers, if they differ from their positions.
        unknown: the number for a word with an unknown part.
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


DIMENSIONS = 384
#: Bytes of a code: one bit per dimension.
CODE_BYTES = DIMENSIONS // 8
_ROW_BYTES = 2 * DIMENSIONS
#: Texts summed at once by the numpy version.
_AT_ONCE = 256


class StaticTable:
    """A table of vectors.

    Args:
        words: path of the pieces, sorted by their bytes, one a line.
        rows: path of their vectors in the same order, 384 little-endian int16 each.
        identity: names table and build; sums and codes of different identities never mix.
    """

    __slots__ = ("_matrix", "_pieces", "_rows_path", "_words_path", "identity")

    dimensions = DIMENSIONS

    def __init__(self, words: str, rows: str, identity: str) -> None:
        self.identity = identity
        self._words_path = words
        self._rows_path = rows
        self._pieces: WordPieces | None = None
        self._matrix: npt.NDArray[np.int16] | None = None

    def sums(self, text: str) -> list[int]:
        """Return the sum of a text's piece vectors, 384 integers.

        All zero if the text holds no known word.
        """
        numbers = self._vocabulary().rows(text)
        if not numbers:
            return [0] * DIMENSIONS
        from satchel.storage.files import RAW, read_at

        descriptor = os.open(self._rows_path, os.O_RDONLY | RAW)
        try:
            rows = [_row(read_at(descriptor, _ROW_BYTES, n * _ROW_BYTES)) for n in numbers]
        finally:
            os.close(descriptor)
        return list(map(sum, zip(*rows, strict=True)))

    def code(self, text: str) -> bytes:
        """Return the signs of the sums: 48 bytes, the first dimension in the highest bit."""
        bits = "".join(["1" if total > 0 else "0" for total in self.sums(text)])
        return int(bits, 2).to_bytes(CODE_BYTES, "big")

    def sums_of_many(self, texts: Sequence[str]) -> npt.NDArray[np.int64]:
        """Return the sums of each text, int64 [texts, 384]: equal to `sums` of each."""
        import numpy as np

        if self._matrix is None:
            flat: np.memmap[Any, np.dtype[np.int16]] = np.memmap(self._rows_path, "<i2", "r")
            self._matrix = flat.reshape(-1, DIMENSIONS)
        sums = np.zeros((len(texts), DIMENSIONS), np.int64)
        pieces = self._vocabulary()
        for first in range(0, len(texts), _AT_ONCE):
            rows = [pieces.rows(text) for text in texts[first : first + _AT_ONCE]]
            for place, numbers in enumerate(rows, first):
                if numbers:
                    self._matrix[numbers].sum(axis=0, dtype=np.int64, out=sums[place])
        return sums

    def codes_of_many(self, texts: Sequence[str]) -> npt.NDArray[np.uint8]:
        """Return the code of each text, uint8 [texts, 48]: equal to `code` of each."""
        import numpy as np

        return np.packbits(self.sums_of_many(texts) > 0, axis=1)

    def _vocabulary(self) -> WordPieces:
        if self._pieces is None:
            with open(self._words_path, "rb") as file:
                self._pieces = WordPieces(file.read().decode().split("\n")[:-1])
        return self._pieces


def _row(data: bytes) -> Sequence[int]:
    if sys.byteorder == "little":
        return memoryview(data).cast("h")
    import struct

    return struct.unpack(f"<{DIMENSIONS}h", data)


#: Tables of this process, shared: the words take megabytes, and a server opens many projects.
_tables: dict[tuple[str, str], StaticTable] = {}


def open_table() -> StaticTable | None:
    """Return the table in satchel-models, or None if it is not installed."""
    try:
        import satchel_models  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        return None
    try:
        with open(satchel_models.path("static.id"), "rb") as file:
            identity = file.read().decode()
    except OSError:
        return None
    words, rows = satchel_models.path("static.words"), satchel_models.path("static.i16")
    return _tables.setdefault((words, identity), StaticTable(words, rows, identity))


class StaticEmbedder:
    """The table as an embedder, with normalized sums. Treats queries and documents alike."""

    __slots__ = ("_table", "identity")

    dimensions = DIMENSIONS

    def __init__(self, table: StaticTable) -> None:
        self._table = table
        self.identity = table.identity

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        """Return unit vectors, float32 [texts, 384]; zeros for texts without a known word."""
        import numpy as np

        del query
        sums = self._table.sums_of_many(texts).astype(np.float64)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        rows: Rows = (sums / np.maximum(lengths, 1)).astype(np.float32)
        return rows
