"""The code tier: where something is implemented, and who uses it."""

from __future__ import annotations

from satchel.application.recall.results import CODE, Result
from satchel.application.recall.routing import REFERENCES, SYMBOLS
from satchel.core.errors import BusyError, NotFoundError
from satchel.engine.search.tokens import COMMON, shares_enough, words_of
from satchel.features.code.anchored import map_in_background
from satchel.features.code.symbols.languages import language_of, words_in
from satchel.project.background import is_large

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from satchel.application.services import Services
    from satchel.features.code.service import Code

#: Words that show that a question is about code.
_SAYS_CODE = words_in(
    "call called caller callers calls class classes code codebase declare declared declares "
    "declaration define defined defines definition file files function functions handle handled "
    "handles implement implemented implements implementation import imported imports method "
    "methods module modules source symbol symbols use used uses"
)
_SHORTEST_NAME = 3
#: Settings rather than programs: they answer no question about code.
_SETTINGS = frozenset(("json", "yaml", "toml", "ini", "xml"))


def code_results(
    work: Services, question: str, source: str, limit: int, *, weak: bool = False
) -> list[Result]:
    """Answer questions about code, and about things it names, from the code map.

    Args:
        source: the source it was routed to; "" if the other tiers had no answer: then it must name
            code by a path, an identifier or a keyword.
        weak: also return weak matches.

    Raises `BusyError` if a large repository was never mapped: mapping starts, but a question does
    not wait for it.
    """
    if not (source or weak or _asks_of_code(question)):
        return []
    found = _references(work, question, limit) if source == REFERENCES else []
    found = found or _symbols(work, question, limit)
    asked = _subject(question)
    if weak or not asked or _names(asked, found):
        return found
    # Words of asking, such as `work`, may also be names if they are the subject alone.
    found = _symbols(work, asked, limit)
    return found if _names(asked, found) else []


def _asks_of_code(question: str) -> bool:
    """Return whether a question is about code: it uses a code-like name or a keyword."""
    from satchel.features.code.search.questions import take_apart

    asked = take_apart(question)
    said = _SAYS_CODE.intersection(words_of(question))
    return bool(asked.identifiers or asked.paths or said)


def _subject(question: str) -> str:
    """Return the words for a question's subject, not those of asking."""
    from satchel.features.code.search.questions import CHANGES

    asking = COMMON | CHANGES | _SAYS_CODE
    words = (word.strip("?!.,:;\"'()`") for word in question.split())
    return " ".join(word for word in words if word.lower() not in asking)


def _names(asked: str, found: Sequence[Result]) -> bool:
    """Return whether a result's name contains the subject, not just one word by chance."""
    return any(shares_enough(asked, f"{one.title} {one.place} {one.text}") for one in found)


def _mapped(work: Services) -> Code:
    """Return the code map; the first map of a large repository is left to `upkeep`."""
    code = work.code
    if not code.is_mapped() and is_large(work.project.place.common):
        code.close()
        map_in_background(code)
        raise BusyError(
            "the code is being mapped for the first time", hint="`satchel code status` waits"
        )
    return code


def _references(work: Services, question: str, limit: int) -> list[Result]:
    """Return the places that use the last name in the question."""
    code = _mapped(work)
    try:
        for word in reversed(question.replace("`", " ").split()):
            name = word.strip("?!.,:;\"'()")
            if name.lower() in COMMON | _SAYS_CODE or len(name) < _SHORTEST_NAME:
                continue
            try:
                uses = code.refs(name, limit=limit).callers
            except NotFoundError:
                continue
            if uses:
                return [
                    Result(
                        CODE,
                        REFERENCES,
                        f"{one.within or one.path} ({one.kind})",
                        f"uses {name}",
                        f"{one.path}:{one.line}",
                        score=1.0,
                        identity=f"{one.path}:{one.line}",
                    )
                    for one in sorted(uses, key=lambda use: use.kind != "call")
                ]
    finally:
        code.close()
    return []


def _symbols(work: Services, question: str, limit: int) -> list[Result]:
    """Query the code map: symbols first, then files without any of them."""
    code = _mapped(work)
    try:
        symbols, files = code.find(question, limit=limit)
    finally:
        code.close()
    own = work.project.tracked.owned()
    agents = tuple(f"{path}/" for path in work.project.tracked.agents)
    root = work.project.place.root

    def is_code(path: str) -> bool:
        return language_of(path) not in _SETTINGS and not f"{root}/{path}".startswith(agents)

    found = [
        Result(
            CODE,
            SYMBOLS,
            f"{one.symbol.qualified} ({one.symbol.kind})",
            "\n".join(t for t in (one.symbol.signature, one.symbol.documentation) if t),
            f"{one.path}:{one.symbol.line}",
            score=one.score,
            identity=f"{one.path}:{one.symbol.line}",
        )
        for one in symbols
        if is_code(one.path)
    ]
    there = {one.path for one in symbols}
    found += [
        Result(
            CODE,
            SYMBOLS,
            one.path,
            one.role,
            one.path,
            score=one.score,
            parts=one.parts,
            identity=one.path,
        )
        for one in files
        if one.path not in there and not one.path.startswith(own) and is_code(one.path)
    ]
    return found[:limit]
