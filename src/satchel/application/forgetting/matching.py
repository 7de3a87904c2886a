"""Traces: whether and where a text contains what is to be forgotten. Pure.

A text is recognized by five words in a row, or by a distinctive word of letters and digits. Both
are also found in other forms: in keys, truncated, in another case. Where writing has no spaces,
each character is a word, and two of them count as one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from satchel.application.forgetting.values import MARK
from satchel.core.values import Any

#: Characters of Chinese and Japanese, which are written without spaces.
_UNSPACED = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
#: An accented letter may be two characters: the letter, and a mark that combines with it.
_WORDS = re.compile(rf"[{_UNSPACED}]|(?:[^\W_{_UNSPACED}][\u0300-\u036f]*)+")
#: Not ASCII, though ASCII in lower case: in bytes, an ASCII word may contain them.
_FOLDS_TO_ASCII = tuple(
    form
    for character in "ßẞſ\u212aﬀﬁﬂﬃﬄﬅﬆ"
    for form in (character.encode(), f"\\u{ord(character):04x}".encode())
)
_RUN = 5
#: Fewest words of a text, shorter than a run, that is searched for in other texts.
_FEWEST = 3
_TELLING = 8
_HEX = re.compile(r"[0-9a-f]+\Z")
_ULID = 26
_DEEP = 200

Gram = tuple[str, ...]


class TraceMatcher:
    """Matches what is to be forgotten.

    Args:
        texts: the texts to forget, in every version.
        spared: texts that stay; their words are not distinctive.
    """

    def __init__(self, texts: Iterable[str], spared: Iterable[str] = ()) -> None:
        whole = [text.strip() for text in texts if text.strip()]
        self.exact = frozenset(whole)
        self._after: dict[Gram, set[str]] = {}
        self._before: dict[Gram, set[str]] = {}
        self._sizes: set[int] = set()
        telling: set[str] = set()
        for text in self.exact:
            words = words_of(text)
            telling.update(word for word in words if is_distinctive(word))
            self._learn(words)
        if telling:
            for text in spared:
                telling.difference_update(words_of(text))
        self.telling = frozenset(telling)
        self._anchors = self._anchored()

    def __bool__(self) -> bool:
        return bool(self.exact)

    def _anchored(self) -> tuple[bytes, ...]:
        """Return one word of each target; if none occurs, nothing matches."""
        grams = [list(gram) for gram in self._after]
        grams += [words for text in self.exact if not _is_long(words := words_of(text))]
        plain = [[word for word in gram if word.isascii()] for gram in grams]
        if not all(plain) or any(not word.isascii() for word in self.telling):
            return ()
        anchors = {max(words, key=lambda word: (len(word), word)) for words in plain}
        return tuple(word.encode() for word in sorted(anchors | self.telling))

    def may_hit(self, data: bytes) -> bool:
        """Return, quickly, whether bytes may match; false is certain."""
        lowered = data.lower()
        wanted = (*self._anchors, *_FOLDS_TO_ASCII)
        return not self._anchors or any(one in lowered for one in wanted)

    def _learn(self, words: Sequence[str]) -> None:
        if not _is_long(words):
            return
        size = min(_RUN * _per_word(words), len(words))
        self._sizes.add(size)
        for start in range(len(words) - size + 1):
            gram = tuple(words[start : start + size])
            if start + size < len(words):
                self._after.setdefault(gram, set()).add(words[start + size])
            if start:
                self._before.setdefault(gram, set()).add(words[start - 1])
            self._after.setdefault(gram, set())

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return the matching spans as character positions; adjacent words are merged."""
        if text.strip() in self.exact:
            return [(0, len(text))]
        found = list(_WORDS.finditer(text))
        words = [_folded(match.group()) for match in found]
        marked = {at for at, word in enumerate(words) if word in self.telling}
        for size in self._sizes:
            for at in range(len(words) - size + 1):
                gram = tuple(words[at : at + size])
                if gram in self._after:
                    marked.update(range(at, at + size))
                    marked |= self._cut(words, at, size, gram)
        return _joined(sorted(marked), found)

    def _cut(self, words: Sequence[str], at: int, size: int, gram: Gram) -> set[int]:
        """Return neighboring words that are part of a truncated one."""
        end, marked = at + size, set()
        if end < len(words) and any(w.startswith(words[end]) for w in self._after[gram]):
            marked.add(end)
        before = self._before.get(gram, ())
        if at and any(w.endswith(words[at - 1]) for w in before):
            marked.add(at - 1)
        return marked

    def ends(self) -> list[Gram]:
        """Return the first and the last words of each text, as many as identify it elsewhere."""
        found: dict[Gram, None] = {}
        for text in sorted(self.exact):
            words = words_of(text)
            size = min(_RUN * _per_word(words), len(words))
            if _is_long(words):
                found |= dict.fromkeys((tuple(words[:size]), tuple(words[-size:])))
        return list(found)

    def is_searched_for(self, text: str) -> bool:
        """Return whether a text to forget is also found inside others: not if it is too short."""
        words = words_of(text)
        return _is_long(words) or not self.telling.isdisjoint(words)

    def hits(self, text: str) -> bool:
        """Return whether a text matches."""
        return bool(self.spans(text))

    def without(self, text: str) -> str:
        """Return a text with its matches replaced by a mark."""
        spans = self.spans(text)
        if not spans:
            return text
        parts, end = [], 0
        for start, stop in spans:
            parts += [text[end:start], MARK]
            end = stop
        return "".join([*parts, text[end:]])

    def cleaned(self, value: Any, depth: int = 0) -> Any:
        """Return a JSON value with all matches removed, from field names too."""
        if isinstance(value, str):
            return self.without(value)
        if depth > _DEEP:
            return None
        if isinstance(value, list):
            return [self.cleaned(one, depth + 1) for one in value]
        if isinstance(value, dict):
            return {self.without(name): self.cleaned(one, depth + 1) for name, one in value.items()}
        return value

    def in_bytes(self, data: bytes) -> bool:
        """Return whether raw bytes contain a distinctive word or a text's start, in any case."""
        lowered = data.lower()
        wanted = {word.encode() for word in self.telling}
        wanted |= {
            text.encode("utf-8", "replace")[:40].lower()
            for text in self.exact
            if _is_long(words_of(text))
        }
        return any(one in lowered for one in wanted)


def words_of(text: str) -> list[str]:
    """Return a text's words, case-folded."""
    return [_folded(match.group()) for match in _WORDS.finditer(text)]


def _folded(word: str) -> str:
    return (word if word.isascii() else unicodedata.normalize("NFC", word)).casefold()


def _per_word(words: Sequence[str]) -> int:
    """Return how many items count as a word: two where most are characters without spaces."""
    return 2 if 2 * sum(bool(_IS_UNSPACED.match(word)) for word in words) > len(words) else 1


def _is_long(words: Sequence[str]) -> bool:
    """Return whether a text is long enough to be searched for in other texts."""
    return len(words) >= _FEWEST * _per_word(words)


def is_distinctive(word: str) -> bool:
    """Return whether a word is unique to its text: letters and digits, but not an id."""
    mixed = any(c.isdigit() for c in word) and any(c.isalpha() for c in word)
    return mixed and len(word) >= _TELLING and len(word) != _ULID and not _HEX.match(word)


def _joined(marked: Sequence[int], found: Sequence[re.Match[str]]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    last = -2
    for at in marked:
        start, stop = found[at].span()
        if at == last + 1:
            spans[-1] = (spans[-1][0], stop)
        else:
            spans.append((start, stop))
        last = at
    return spans
