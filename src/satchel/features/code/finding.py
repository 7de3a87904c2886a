"""Finds where something is implemented: symbols first, then files."""

from __future__ import annotations

import re

from satchel.features.code.questions import CHANGES, expression, take_apart
from satchel.features.code.values import SymbolMatch
from satchel.features.code.words import parts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.features.code.ranking import Ranker
    from satchel.features.code.store import CodeStore
    from satchel.features.code.values import CodeFile, RankedFile, Symbol

_CANDIDATES = 200
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
#: How likely the answer to "where is X" is of such a kind, in such a file.
_KINDS = {"variable": 0.75, "route": 0.95}
_ROLES = {"test": 0.55, "generated": 0.5, "doc": 0.8}


def find(
    store: CodeStore, ranker: Ranker, text: str, *, limit: int = 10
) -> tuple[list[SymbolMatch], list[RankedFile]]:
    """Return matching symbols and files, best first."""
    question = take_apart(text)
    words = {w: 2 for w, weight in question.words.items() if weight > 1 and w not in CHANGES}
    words = words or question.words
    ranked = ranker.rank(text, most=max(50, limit))
    by_path = {one.path: one.score for one in ranked}
    matched = store.match("symbol", expression(words), _CANDIDATES)
    names = [*question.identifiers, *_NAME.findall(text)][:60]
    rows = store.symbols("symbols_numbered", sorted(matched))
    rows += store.symbols("symbols_named", sorted(set(names)))
    best = max(matched.values(), default=1.0)
    found: dict[tuple[str, int, str], SymbolMatch] = {}
    for number, ident, symbol in rows:
        file = ranker.files[number]
        if ranker.is_own(file.path, text):
            continue
        score = _score(symbol, file, matched.get(ident, 0.0) / best, words, set(names))
        score = 0.8 * score + 0.2 * by_path.get(file.path, 0.0)
        key = (file.path, symbol.line, symbol.name)
        if key not in found or found[key].score < score:
            found[key] = SymbolMatch(file.path, symbol, round(min(1.0, score), 3))
    ordered = sorted(found.values(), key=lambda f: (-f.score, f.path, f.symbol.line))
    return ordered[:limit], ranked[:limit]


def _score(
    symbol: Symbol, file: CodeFile, matched: float, words: dict[str, int], names: set[str]
) -> float:
    """Return a definition's score, 0 to 1: match, share of words in its name, exactness."""
    own = set(parts_of(symbol.name)) | set(parts_of(symbol.parent.rsplit(".", 1)[-1]))
    asked = {word for word in words if len(word) > 1}
    share = len({w for w in asked if _holds(own, w)}) / max(1, len(asked))
    exact = 1.0 if symbol.name in names and len(symbol.name) > 3 else 0.0  # noqa: PLR2004
    score = 0.45 * matched + 0.3 * share + 0.25 * exact
    return score * _KINDS.get(symbol.kind, 1.0) * _ROLES.get(file.role, 1.0)


def _holds(own: set[str], word: str) -> bool:
    if word in own:
        return True
    root = word[: max(4, len(word) - 3)]
    return len(word) > 4 and any(part.startswith(root) for part in own)  # noqa: PLR2004
