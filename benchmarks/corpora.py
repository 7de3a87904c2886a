"""A corpus of JSON lines, searched by the same engine as everything else: for measuring it.

Format: one object a line, `id` and `text`, optionally `title`, `tags`, `timestamp`, `session`,
`conversation`. Questions: `id`, `query`, optionally `conversation` (only its documents are
searched), `exclude` (ids that may not be answers), `timestamp` (when it was asked).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from satchel.core import times
from satchel.core.errors import BadInputError
from satchel.core.hashing import short_hash
from satchel.engine.search.documents import Document, Filter, Source, View
from satchel.engine.search.hybrid import Query, Scored, search_documents
from satchel.engine.search.index import Index
from satchel.features.graph.passages import Passage
from satchel.project.derived_store import MEMORY, open_database

if TYPE_CHECKING:
    from satchel.engine.inference.contracts import Embedder
    from satchel.engine.search.hybrid import Weights
    from satchel.engine.search.vectors import Vectors

#: Nothing of a corpus expires: it is asked as if it had just been written.
_NOW = 4_102_444_800.0
_SAMPLE = 200
_DESCRIBING = ("tags", "labels", "files", "files_touched")
#: Milliseconds, and what else is not a time in seconds.
_NEVER = 1e11
_CODE_STARTS = ("def ", "async def ", "class ", "function ", "func ", "fn ", "public ", "import ")


class Question(NamedTuple):
    """One question of a set, with what its author says about it."""

    id: str
    text: str
    relevant: tuple[str, ...]
    category: str
    conversation: str
    exclude: frozenset[str]
    asked: float | None


class Corpus:
    """One corpus, indexed.

    Args:
        path: the corpus file.
        index_path: where its index is made; in memory unless given.
        embedder: makes vectors; None for keyword search alone.
        kind: what kind of source it is; "" guesses from the texts.
    """

    def __init__(
        self,
        path: str,
        index_path: str = MEMORY,
        *,
        embedder: Embedder | None = None,
        static: Callable[..., list[bytes]] | None = None,
        kind: str = "",
    ) -> None:
        self.path = path
        self.kind = kind or guess_kind(path)
        self.index = Index(open_database(index_path), _line_parser())
        self._sources = [Source(path, "corpus")]
        self.index.catch_up(self._sources)
        damage = self.index.damage()
        if damage:
            raise BadInputError(f"{path}, line {damage[0].line}: {damage[0].reason}")
        self.vectors: Vectors | None = None
        if embedder is not None:
            from satchel.engine.search.vectors import Vectors

            self.vectors = Vectors(self.index.database, embedder, static)
        self._rows: dict[str, int] | None = None

    def embed(self, progress: Callable[[int], None] = lambda _: None) -> None:
        """Give every document its vectors; `progress` is told how many are left each time."""
        while self.vectors is not None and self.vectors.embed_waiting():
            progress(self.vectors.waiting())

    def search(
        self,
        question: Question,
        *,
        limit: int = 100,
        mode: str = "hybrid",
        expand: Callable[[Mapping[int, float]], Mapping[int, float]] | None = None,
        weights: Weights | None = None,
    ) -> list[Scored]:
        """Documents for one question, best first, without those it excludes."""
        query = Query(
            question.text,
            limit=limit + len(question.exclude),
            mode=mode,
            kind=self.kind,
            asked=question.asked,
            weights=weights,
            exclude=question.exclude,
        )
        view = View(self._sources, _NOW, Filter(task=question.conversation))
        found = search_documents(self.index, view, query, vectors=self.vectors, expand=expand)
        # A corpus may use one id in several conversations, or twice: an answer names it once.
        distinct = {one.hit.document.id: one for one in reversed(found)}
        kept = [one for one in found if distinct[one.hit.document.id] is one]
        return kept[:limit]

    def rows(self) -> dict[str, int]:
        """Row of every document by its id."""
        if self._rows is None:
            hits = self.index.live(View(self._sources, _NOW), limit=10_000_000)
            self._rows = {hit.document.id: hit.number for hit in hits}
        return self._rows

    def has_titles(self) -> bool:
        """Return whether most documents have a title."""
        sql = "SELECT COUNT(*), SUM(title <> '') FROM documents"
        count, titled = (int(value or 0) for value in self.index.database.read(sql)[0])
        return titled * 2 > count

    def texts(self) -> Iterator[tuple[str, str, str]]:
        """Id, title and text of every document."""
        for hit in self.index.live(View(self._sources, _NOW), limit=10_000_000):
            yield hit.document.id, hit.document.title, hit.document.content


def questions(path: str) -> Iterator[Question]:
    """Read a file of questions."""
    for fields in _objects(path):
        if "query" not in fields:
            raise BadInputError(f"{path}: the question {fields['id']!r} has no `query`.")
        asked = _moment(fields.get("timestamp"))
        yield Question(
            str(fields["id"]),
            _text(fields["query"]),
            _idents(path, fields, "relevant"),
            _text(fields.get("category")),
            _text(fields.get("conversation")),
            frozenset(_idents(path, fields, "exclude")),
            float(asked) if asked else None,
        )


def triples(path: str) -> Iterator[Passage]:
    """Read ready-made entities and relations: `id`, `entities`, `triples` a line.

    Of a triple that lacks a part, which models write now and then, the subject is kept.
    """
    for row in _objects(path):
        entities = [name for name in row.get("entities") or () if isinstance(name, str)]
        parts = [
            [str(part) for part in one if part is not None] for one in row.get("triples") or ()
        ]
        whole = tuple((one[0], one[1], one[2]) for one in parts if len(one) == 3)
        entities += [one[0] for one in parts if one and len(one) != 3]
        yield Passage(str(row["id"]), tuple(entities), whole)


def guess_kind(path: str) -> str:
    """Guess what kind of source a corpus is from its first documents."""
    sample = []
    for fields in _objects(path):
        sample.append(fields)
        if len(sample) == _SAMPLE:
            break
    if sum("conversation" in one or "speaker" in one for one in sample) * 2 > len(sample):
        return "conversation"
    texts = [str(one.get("text", "")).lstrip() for one in sample]
    if sum(text.startswith(_CODE_STARTS) for text in texts) * 2 > len(texts):
        return "code"
    return "documents"


def _idents(path: str, fields: dict[str, Any], name: str) -> tuple[str, ...]:
    """Read a list of ids."""
    listed = fields.get(name) or []
    if not isinstance(listed, list):
        raise BadInputError(f"{path}: `{name}` of {fields['id']!r} is not a list of ids.")
    return tuple(map(str, listed))


def _text(value: Any) -> str:
    """Spell a value; half characters, which JSON can write and no database keeps, become `?`."""
    return ("" if value is None else str(value)).encode("utf-8", "replace").decode()


def _objects(path: str) -> Iterator[dict[str, Any]]:
    try:
        file = open(path, encoding="utf-8-sig", errors="replace")  # noqa: SIM115 -- closed below
    except OSError as error:
        raise BadInputError(
            f"{path} could not be read: {os.strerror(error.errno or 0)}."
        ) from error
    with file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                fields = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise BadInputError(f"{path}, line {number} is not JSON: {error}.") from error
            if not isinstance(fields, dict) or "id" not in fields:
                raise BadInputError(f"{path}, line {number} is not an object with an id.")
            yield fields


def _line_parser() -> Callable[[bytes], Document | str]:
    places: dict[str, int] = {}

    def parse(raw: bytes) -> Document | str:
        try:
            fields = json.loads(raw)
            conversation, session = (_text(fields.get(n)) for n in ("conversation", "session"))
            # Many sets number the sessions of each conversation from one.
            thread = f"{conversation}\n{session}" if session else ""
            places[thread] = places.get(thread, 0) + 1
            return Document(
                # The same id in two conversations names two documents.
                # Two documents of one id are two documents.
                identity=f"{conversation}\n{_text(fields['id'])}\n{short_hash(raw)}",
                hash=short_hash(raw),
                kind="document",
                ts=_moment(fields.get("timestamp")),
                id=_text(fields["id"]),
                rev=0,
                title=_text(fields.get("title")),
                content=_text(fields.get("text")),
                tags=_text(" ".join(_labels(fields))),
                task=conversation or _text(fields.get("task") or fields.get("bead")),
                thread=thread,
                place=places[thread],
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            return f"no document: {error!r}"

    return parse


def _labels(fields: dict[str, Any]) -> list[str]:
    """Words that describe a document: tags, labels, the branch and files of its work.

    Nothing else is read: in sets made of links between documents, links are the answers.
    """
    found = [_text(fields["branch"])] if fields.get("branch") else []
    for name in _DESCRIBING:
        value = fields.get(name)
        values = value if isinstance(value, list) else [value] if isinstance(value, str) else []
        found += [_text(one) for one in values if isinstance(one, str) and one]
    return found


def _moment(value: Any) -> int:
    """Unix seconds of an ISO time or a number; 0 for none."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            moment = int(value)
        else:
            moment = int(times.seconds_of(str(value)) or 0)
    except (ValueError, OverflowError):
        return 0
    return moment if abs(moment) < _NEVER else 0
