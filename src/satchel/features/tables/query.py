"""Answers questions from rows: who offered X, which leads are won, what is overdue."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from satchel.core import times
from satchel.engine.search.tokens import (
    COMMON,
    coverage,
    distinctive_words,
    stem,
    without_accents,
    words_of,
)
from satchel.features.tables.service import Tables
from satchel.features.tables.types import format_value
from satchel.features.tables.values import BOOLEAN, CHOICE, DATE, REFERENCE, TIME, Hit, Row, Schema

#: Words that ask for what is late.
_OVERDUE = {"overdue", "late", "outstanding"}
#: Words of a question that say nothing about its subject.
_ASKING = {"list", "show", "give", "find", "tell", "many", "still", "currently", "right", "ones"}
#: Words that ask for every row, if nothing else narrows it.
_LISTING = {"which", "list", "show", "all", "every", "many", "our"}
_LEAST = 0.5
_NAMED = 0.35
_CANDIDATES = 40


def answers(tables: Tables, question: str, limit: int) -> list[Hit]:
    """Return matching rows, best first.

    A table is meant if the question has its name or one of its `words`. The rest of the question
    narrows: values of a choice, `overdue`, and words that a row must have. If no table is meant,
    rows with the question's words answer.
    """
    asked = [word for word in distinctive_words(question) if word not in COMMON]
    found: list[Hit] = []
    named = False
    for schema in tables.schemas.values():
        names = [schema.name, *schema.words]
        single = [name for name in names if len(words_of(name)) == 1]
        means = {stem(without_accents(words_of(name)[0])) for name in single}
        if any(stem(word) in means for word in asked):
            named = True
            every = bool(_LISTING & set(words_of(question)))
            found += _of_table(tables, schema, asked, means, limit, every=every)
    overdue = bool(_OVERDUE & set(asked))
    if overdue and not named:
        for schema in tables.schemas.values():
            if schema.due:
                found += _of_table(tables, schema, asked, set(), limit, every=False)
    if not found and not overdue:
        found = _anywhere(tables, " ".join(asked))
    found.sort(key=lambda hit: (-hit.score, -hit.row.at, hit.row.id))
    return found[:limit]


def _of_table(
    tables: Tables,
    schema: Schema,
    asked: Sequence[str],
    means: set[str],
    limit: int,
    *,
    every: bool,
) -> list[Hit]:
    """Answer from the table that is meant: every row that fits the rest of the question."""
    rest = [word for word in asked if stem(word) not in means and word not in _ASKING]
    overdue = bool(_OVERDUE & set(rest))
    rest = [word for word in rest if word not in _OVERDUE]
    wanted: dict[str, set[str]] = {}
    for field in schema.fields:
        if field.type == CHOICE:
            values = {one: {stem(w) for w in words_of(one)} for one in field.of}
            held = {one for one, words in values.items() if words <= {stem(w) for w in rest}}
            if held:
                wanted[field.name] = held
                taken = set[str]().union(*(values[one] for one in held))
                rest = [word for word in rest if stem(word) not in taken]
        elif field.type == BOOLEAN and stem(field.name) in {stem(word) for word in rest}:
            wanted[field.name] = {"yes"}
            rest = [word for word in rest if stem(word) != stem(field.name)]
    if rest:
        hits = _by_words(tables, schema, " ".join(rest))
    elif wanted or overdue or every:
        hits = [_hit(tables, schema, row, 0.0) for row in tables.rows(schema.name)]
    else:
        # "What leads to this" contains the word by chance.
        return []
    today = times.utc(tables.store(schema).clock.now())
    kept = [
        hit
        for hit in hits
        if all(format_value(hit.row.values.get(name)) in values for name, values in wanted.items())
        and (not overdue or is_overdue(schema, hit.row, today))
    ]
    return [hit._replace(score=min(1.0, _NAMED + hit.score * (1 - _NAMED))) for hit in kept][:limit]


def is_overdue(schema: Schema, row: Row, now: datetime) -> bool:
    """Return whether a row's date has passed and it is not closed."""
    field, value = schema.field(schema.due), row.values.get(schema.due)
    if field is None or not isinstance(value, str):
        return False
    if schema.closed and format_value(row.values.get(schema.closed[0])) in schema.closed[1:]:
        return False
    if field.type == DATE:
        return value < now.date().isoformat()
    due = times.moment_of(value)
    return due is not None and due < now


def _anywhere(tables: Tables, question: str) -> list[Hit]:
    """Find rows of any table with most of some words, in one search."""
    rows = tables.find_anywhere(question, _CANDIDATES) if question else []
    hits = [_hit(tables, tables.schemas[row.table], row, 0.0) for row in rows]
    return _covering(hits, question)


def _covering(hits: Sequence[Hit], question: str) -> list[Hit]:
    scored = [hit._replace(score=coverage(question, f"{hit.title} {hit.text}")) for hit in hits]
    return [hit for hit in scored if hit.score >= _LEAST]


def _by_words(tables: Tables, schema: Schema, question: str) -> list[Hit]:
    """Find rows with most of some words, including in referenced rows."""
    if not question:
        return []
    found = tables.find(schema.name, question, limit=_CANDIDATES)
    hits = [_hit(tables, schema, row, 0.0) for row in found]
    seen = {hit.row.id for hit in hits}
    for field in schema.fields:
        # The price of a named supplier: the name is in the other row.
        if field.type == REFERENCE and field.to in tables.schemas:
            targets = {row.id for row in tables.find(field.to, question, limit=_CANDIDATES)}
            if targets:
                hits += [
                    _hit(tables, schema, row, 0.0)
                    for row in tables.rows(schema.name)
                    if row.values.get(field.name) in targets and row.id not in seen
                ]
                seen.update(hit.row.id for hit in hits)
    return _covering(hits, question)


def _hit(tables: Tables, schema: Schema, row: Row, score: float) -> Hit:
    lines = []
    for field in schema.fields:
        value = row.values.get(field.name)
        if value is None:
            continue
        text = tables.named(field, value) if field.type == REFERENCE else format_value(value)
        if field.type == TIME:
            text = text.replace("T", " ")
        lines.append(f"{field.name}: {' '.join(text.split())}")
    return Hit(row, schema, row.title(schema), "\n".join(lines), score)
