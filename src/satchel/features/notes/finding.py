"""Turns hits into findings: one per file, with what helps to decide whether to open it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from satchel.core.excerpts import clipped
from satchel.core.quick_json import loads
from satchel.core.values import Any, NamedTuple
from satchel.engine.search.documents import Document, Hit
from satchel.engine.search.tokens import distinctive_words, words_of
from satchel.engine.search.wordings import Reranking, rerank_best
from satchel.features.notes.values import EPISODE, LearningNote, texts_of
from satchel.features.notes.weighted import in_category

_EXCERPT = 320
#: Most lines of a session's story to quote.
_QUOTED = 2


class NoteQuery(NamedTuple):
    """A query: the method, the directories, whether to rerank and to drop chance matches.

    `limit` is the most files; all `tags` are required, and the `category` or its beginning.
    """

    question: str
    mode: str
    names: tuple[str, ...]
    limit: int
    tags: tuple[str, ...] = ()
    category: str = ""
    rerank: bool = True
    strict: bool = False


class NoteMatch(NamedTuple):
    """A matching file.

    `docid` are six hexadecimal digits of its content, to fetch it by. `where` names the directory
    or collection. `score` is the search score of its best chunk, greater is better, and `parts`
    each signal's share of it. `through` are the entities that led here if nothing else did.
    """

    id: str
    docid: str
    title: str
    path: str
    where: str
    kind: str
    score: float
    heading: str
    excerpt: str
    fields: dict[str, Any]
    parts: Mapping[str, float] = MappingProxyType({})
    through: tuple[str, ...] = ()

    @property
    def key_insight(self) -> str:
        """Return the key insight; "" for a document that is not a note."""
        return str(self.fields.get("key_insight", ""))


def best_matches(
    hits: Iterable[tuple[Hit, float]],
    contents: Mapping[str, str],
    asked: NoteQuery,
    project: str = "",
) -> list[NoteMatch]:
    """Return each file's best chunk, best first.

    Args:
        hits: with their scores, best first.
        contents: path of a file -> hash of its content.
        asked: its question selects the lines to quote of a session's story, by shared words.
        project: the requesting project's name, to leave out other projects' stories; "" for all.
    """
    found: dict[str, NoteMatch] = {}
    for hit, score in hits:
        if len(found) >= asked.limit:
            break
        if hit.path in found:
            continue
        fields = loads(hit.document.fields)
        if project and hit.document.kind == EPISODE and fields.get("project", project) != project:
            continue
        held = {tag.lower() for tag in texts_of(fields.get("tags"))}
        if not in_category(str(fields.get("category", "")), asked.category):
            continue
        if not {tag.lower() for tag in asked.tags} <= held:
            continue
        found[hit.path] = _found(hit, score, fields, contents.get(hit.path, ""), asked.question)
    return list(found.values())


def later_first(found: Sequence[NoteMatch]) -> list[NoteMatch]:
    """Put superseded notes after the notes that supersede them, if those were found, too."""
    order = list(found)
    for one in found:
        by = str(one.fields.get("superseded_by") or "")
        later = next((two for two in order if by and two is not one and _is_named(two, by)), None)
        if later is not None and order.index(later) > order.index(one):
            order.remove(one)
            order.insert(order.index(later) + 1, one)
    return order


def _is_named(note: NoteMatch, by: str) -> bool:
    """Return whether "ADR-7", "0007-queue.md" or a title names a note, file 0007-queue.md."""
    name, said = name_of(note.path).lower(), os.path.splitext(by.lower())[0]
    number, same = re.match(r"\d+", name), re.search(r"\d+", said)
    numbered = number is not None and same is not None and int(number[0]) == int(same[0])
    return numbered or said in (name, note.id.lower(), note.title.lower())


def each_once(by_path: Mapping[str, NoteMatch], paths: Sequence[str]) -> list[NoteMatch]:
    """Return findings in order, without duplicates of a note in two places."""
    found: dict[str, NoteMatch] = {}
    for path in paths:
        one = by_path[path]
        found.setdefault(one.id or one.path, one)
    return list(found.values())


def reranked(question: str, found: list[NoteMatch], rerank: Reranking) -> list[NoteMatch]:
    """Rerank the best of all indexes, in one call."""
    return rerank_best(
        question,
        found,
        rerank,
        text_of=lambda one: "\n".join(filter(None, (one.title, one.key_insight, one.excerpt))),
        scored=lambda one, score, given: one._replace(
            score=score, parts={**one.parts, "reranker": given}
        ),
        score_of=lambda one: one.score,
    )


def note_of(document: Document, path: str) -> LearningNote:
    """Return the indexed fields of a note, without its body."""
    title = document.title
    return LearningNote(path, title or name_of(path), loads(document.fields), "", bool(title))


def name_of(path: str) -> str:
    """Return a file's name without extension."""
    return os.path.splitext(os.path.basename(path))[0]


def _telling(lines: list[str], question: str) -> list[str]:
    """Return the lines that share most words with a question, in order; all if none does."""
    asked = set(distinctive_words(question))
    shared = {at: len(asked.intersection(words_of(line))) for at, line in enumerate(lines)}
    best = sorted(sorted(filter(shared.get, shared), key=lambda at: -shared[at])[:_QUOTED])
    return [lines[at] for at in best] or lines


def _found(
    hit: Hit, score: float, fields: dict[str, Any], content: str, question: str
) -> NoteMatch:
    document = hit.document
    text = document.content[int(fields.get("lead", 0)) :]
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    if document.kind == EPISODE:
        lines = _telling(lines, question)
    short = " ".join(" ".join(lines).split())
    return NoteMatch(
        str(fields.get("id", "")),
        content[:6],
        document.title or name_of(hit.path),
        path=hit.path,
        where=hit.source,
        kind=document.kind,
        score=score,
        heading=str(fields.get("heading", "")),
        excerpt=clipped(short, _EXCERPT),
        fields=fields,
    )
