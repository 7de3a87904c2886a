"""Finds seed phrases of wallets: twelve or more words in a row that are all on BIP-39's list.

Only checked for twelve words in a row of the list's lengths; prose has `a`, `of` and `is` in
between.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int, str]

KIND = "seed-phrase"
WORDS_FILE = "bip39_english.txt"
_FEWEST = 12
_SHORTEST_WORD, _LONGEST_WORD = 3, 8
_SPLIT = {code: " " for code in range(128) if not chr(code).isalpha()}
_listed: set[str] = set()


def find_seed_phrases(lower: str) -> Iterator[Span]:
    """Find (start, end, kind) of seed phrases, with any separators between the words.

    `lower` is in lower case, and ASCII.
    """
    letters = lower.translate(_SPLIT)
    words = letters.split()
    row: list[tuple[int, str]] = []
    at = 0
    for word in words:
        at = letters.index(word, at)
        if _SHORTEST_WORD <= len(word) <= _LONGEST_WORD:
            row.append((at, word))
        else:
            yield from _phrases(row)
            row = []
        at += len(word)
    yield from _phrases(row)


def _phrases(row: list[tuple[int, str]]) -> Iterator[Span]:
    if len(row) < _FEWEST:
        return
    first = 0
    listed = _words()
    for i in range(len(row) + 1):
        if i < len(row) and row[i][1] in listed:
            continue
        if i - first >= _FEWEST:
            at, last = row[i - 1]
            yield row[first][0], at + len(last), KIND
        first = i + 1


def _words() -> set[str]:
    if not _listed:
        import os

        with open(os.path.join(os.path.dirname(__file__), WORDS_FILE), encoding="ascii") as file:
            _listed.update(line.strip() for line in file if not line.startswith("#"))
    return _listed
