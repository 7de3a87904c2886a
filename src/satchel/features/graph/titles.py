"""Links passages that mention another's title, as a wiki would."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from satchel.features.graph.passages import Passage

#: Titles shorter than this are words like any other.
_SHORTEST = 4
#: Punctuation that belongs to the text around a name.
_AROUND = ".,:;!?()[]{}\"'`*_"
#: First word of a title -> number of its words -> titles.
_ByFirst = dict[str, dict[int, set[tuple[str, ...]]]]
_NONE: dict[int, set[tuple[str, ...]]] = {}


def linked_by_title(rows: Iterable[tuple[str, str, str]]) -> Iterator[Passage]:
    """Yield the titles that each (id, title, text) names: its own and others'.

    A title's addition in brackets, "Mercury (planet)", is not part of the name.
    """
    held = [(ident, _plain(title), text) for ident, title, text in rows]
    by_first: _ByFirst = {}
    for title in dict.fromkeys(title for _, title, _ in held if len(title) >= _SHORTEST):
        words = tuple(title.split())
        by_first.setdefault(words[0], {}).setdefault(len(words), set()).add(words)
    for ident, title, text in held:
        names = [title] if len(title) >= _SHORTEST else []
        yield Passage(ident, tuple(dict.fromkeys([*names, *_named_in(text, by_first)])))


def _named_in(text: str, by_first: _ByFirst) -> Iterator[str]:
    words = [bare for word in text.lower().split() if (bare := word.strip(_AROUND))]
    for place, word in enumerate(words):
        # "Italy's" names Italy.
        for first in (word, word[:-2]) if word.endswith("'s") else (word,):
            for length, names in by_first.get(first, _NONE).items():
                name = (first, *words[place + 1 : place + length])
                if name in names:
                    yield " ".join(name)
                elif name[-1].endswith("'s"):
                    name = (*name[:-1], name[-1].removesuffix("'s"))
                    if name in names:
                        yield " ".join(name)


def _plain(title: str) -> str:
    name = title.partition(" (")[0] if title.rstrip().endswith(")") else title
    return " ".join(word for w in name.lower().split() if (word := w.strip(_AROUND)))
