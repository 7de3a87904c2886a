"""Searches the archive: separates a question's time from its words.

"what happened yesterday" is about a day and nothing else: it gets an overview. "what did we say
about caching last week" is about words in a time. A question without a time is about words.
"""

from __future__ import annotations

import time

from satchel.core import quick_json, times
from satchel.core.errors import BusyError, SatchelError
from satchel.core.shapes import dict_of
from satchel.core.values import Any, NamedTuple
from satchel.engine.search.documents import Document, Filter, View
from satchel.engine.search.hybrid import KEYWORD, Query, search_documents
from satchel.engine.search.time_words import time_span
from satchel.engine.search.tokens import COMMON, coverage, words_of
from satchel.features.sessions.documents import ACT, DAY, TURN
from satchel.features.sessions.values import ArchiveHit
from satchel.project.background import is_due

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from satchel.engine.search.contracts import DocumentVectors, SearchIndex
    from satchel.project.store import ProjectStore

#: Seconds between two imports of clients' files, and the most for one.
_EVERY, _SECONDS = 5.0, 1.5


def catch_up(project: ProjectStore, run: Callable[[Callable[[int, int], None]], object]) -> None:
    """Import new content; leave longer work to a background process.

    A session's end triggers an import; not every client reports one.

    Args:
        project: the archive's project.
        run: imports, and is stopped by its progress callback.
    """
    lock = project.state.sessions.lock("archive")
    end = time.monotonic() + _SECONDS

    def bounded(_done: int, _all: int) -> None:
        if time.monotonic() > end:
            raise BusyError("There is more to import.")

    try:
        if project.patient and is_due(f"{lock}-look", _EVERY):
            run(bounded)
    except BusyError:
        if project.settings.flag("embed.background"):
            project.start_in_background("archive", lock, _EVERY)
    except (OSError, SatchelError) as error:
        project.note_fault("sessions", str(error))


OVERVIEW, IN_TIME, WORDS = "overview", "words in the time", "words"
#: Words for a time, or that only ask.
_TIME = (
    "yesterday today tonight night morning afternoon evening earlier recently lately ago back "
    "last past previous this current next week weeks month months year years day days hour hours "
    "minute minutes since during between january february march april may june july august "
    "september october november december jan feb mar apr jun jul aug sep sept oct nov dec monday "
    "tuesday wednesday thursday friday saturday sunday one two three four five six seven eight "
    "nine ten couple few several st nd rd th just now time"
)
_ASKING = (
    "happened happen happening done doing work worked working go going went show tell summary "
    "summarize summarise overview list session sessions conversation conversations transcript "
    "transcripts anything everything something things stuff please give recap review activity "
    "activities discussed talked said say accomplished accomplish finish finished s ve d ll re m "
    "t let us im got"
)
_OF_TIME, _OF_ASKING = frozenset(_TIME.split()), frozenset(_ASKING.split())
#: Candidates per wanted hit: several turns of one session count as one.
_SPARE = 4
_OF_ONE_SESSION = 3
#: A turn must have this share of the question's significant words.
_LEAST_COVERAGE = 0.34
_MOST_DAYS = 2000


class TimeQuestion(NamedTuple):
    """A question's period in seconds (None without one), and its significant words."""

    span: tuple[int, int] | None
    words: tuple[str, ...]


def read_question(question: str, now: float) -> TimeQuestion:
    """Separate a question's period from its words."""
    span = time_span(question, now)
    words = []
    for word in words_of(question):
        if word in COMMON or word in _OF_ASKING:
            continue
        if span is not None and (word in _OF_TIME or word.rstrip("stndrh").isdigit()):
            continue
        words.append(word)
    return TimeQuestion(span, tuple(dict.fromkeys(words)))


class ArchiveSearch(NamedTuple):
    """The parameters of a search: the index, and what of it may be found.

    `weak`: also return turns with few of the words.
    """

    documents: SearchIndex
    view: View
    mode: str = KEYWORD
    vectors: DocumentVectors | None = None
    weak: bool = False


def search_archive(searched: ArchiveSearch, question: str, limit: int) -> list[ArchiveHit]:
    """Search the archive; see the module for the method.

    Words are searched within the question's time; if nothing matches there, everywhere, and the
    hits' `why` says so. Turns with few of the words are left out.
    """
    asked = read_question(question, searched.view.now)
    if asked.span is not None and not asked.words:
        return overview(searched, asked.span, limit)
    wanted = " ".join(asked.words) if asked.words else question
    if asked.span is not None:
        begin, end = asked.span
        inside = Filter(since=begin, until=end - 1)
        found = _by_words(searched, wanted, limit, inside, IN_TIME)
        if found:
            return found
    return _by_words(searched, wanted, limit, Filter(), WORDS)


def overview(searched: ArchiveSearch, span: tuple[int, int], limit: int) -> list[ArchiveHit]:
    """List what each session did in a period, latest first."""
    begin, end = span
    only = Filter(kinds=(DAY,), since=begin - times.DAY, until=end - 1)
    hits = searched.documents.live(searched.view._replace(only=only), limit=_MOST_DAYS)
    found = []
    for hit in hits:
        fields = _fields(hit.document)
        if fields.get("parent"):
            continue  # a subagent's work belongs to its session
        first, last = float(fields.get("begin") or 0), float(fields.get("end") or 0)
        if last >= begin and first < end:
            found.append(_of_day(hit.document, fields))
    found.sort(key=lambda one: (one.at, one.session), reverse=True)
    return found[:limit]


def _by_words(
    searched: ArchiveSearch, wanted: str, limit: int, only: Filter, why: str
) -> list[ArchiveHit]:
    """Search what was said; if that is too little, also what was done."""
    found: list[ArchiveHit] = []
    counts: dict[str, int] = {}
    for kind in (TURN, ACT):
        if len(found) >= limit:
            break
        query = Query(wanted, limit * _SPARE, kind="conversation", mode=searched.mode, diverse=True)
        view = searched.view._replace(only=only._replace(kinds=(kind,)))
        for scored in search_documents(searched.documents, view, query, vectors=searched.vectors):
            if "words" not in scored.parts and "vectors" not in scored.parts:
                continue  # it only stands beside a match
            document = scored.hit.document
            if not searched.weak and coverage(wanted, document.content) < _LEAST_COVERAGE:
                continue
            counts[document.thread] = counts.get(document.thread, 0) + 1
            if counts[document.thread] <= _OF_ONE_SESSION:
                parts = tuple(scored.parts.items())
                hit = _of_turn(document)
                found.append(hit._replace(score=scored.score, why=why, parts=parts))
    return found[:limit]


def _of_turn(document: Document) -> ArchiveHit:
    fields = _fields(document)
    return ArchiveHit(
        session=str(fields.get("session") or ""),
        turns=(document.id,),
        text=document.content,
        at=float(document.ts),
        score=0.0,
        role=str(fields.get("role") or ""),
        client=str(fields.get("client") or ""),
        title=str(fields.get("of") or ""),
    )


def _of_day(document: Document, fields: dict[str, Any]) -> ArchiveHit:
    ends = dict.fromkeys((str(fields.get("first") or ""), str(fields.get("last") or "")))
    return ArchiveHit(
        session=str(fields.get("session") or ""),
        turns=tuple(ends),
        text=document.content,
        at=float(document.ts),
        score=1.0,
        client=str(fields.get("client") or ""),
        title=document.title,
        why=OVERVIEW,
    )


def _fields(document: Document) -> dict[str, Any]:
    try:
        value = quick_json.loads(document.fields)
    except ValueError:
        return {}
    return dict_of(value)
