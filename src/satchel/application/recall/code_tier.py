"""The tier of code: where something is implemented, and who uses it."""

from __future__ import annotations

from satchel.application.recall.results import CODE, Result
from satchel.application.recall.routing import REFERENCES, SYMBOLS
from satchel.core.errors import BusyError, NotFoundError
from satchel.features.code.anchored import map_in_background
from satchel.project.background import is_large

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services
    from satchel.features.code.service import Code


def code_results(work: Services, question: str, source: str, limit: int) -> list[Result]:
    """Answer from the map of the code.

    Raises `BusyError` where a large repository was never mapped: the map is begun, and nobody
    waits for it within a question.
    """
    found = _references(work, question, limit) if source == REFERENCES else []
    return found or _symbols(work, question, limit)


def _mapped(work: Services) -> Code:
    """Return the map of the code; the first one of a large repository is left to `upkeep`."""
    code = work.code
    if not code.is_mapped() and is_large(work.project.place.common):
        code.close()
        map_in_background(code)
        raise BusyError(
            "the code is being mapped for the first time", hint="`satchel code status` waits"
        )
    return code


def _references(work: Services, question: str, limit: int) -> list[Result]:
    """Return the places that use what the question names last."""
    code = _mapped(work)
    try:
        for name in reversed(question.replace("`", " ").split()):
            try:
                uses = code.refs(name.strip("?!.,:;\"'()"), limit=limit).callers
            except NotFoundError:
                continue
            if uses:
                return [
                    Result(
                        CODE,
                        REFERENCES,
                        f"{one.within or one.path} ({one.kind})",
                        f"uses {name.strip('?')}",
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
    """Ask the map of the code: symbols first, then files that hold none of them."""
    code = _mapped(work)
    try:
        symbols, files = code.find(question, limit=limit)
    finally:
        code.close()
    own = work.project.tracked.owned()
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
        if one.path not in there and not one.path.startswith(own)
    ]
    return found[:limit]
