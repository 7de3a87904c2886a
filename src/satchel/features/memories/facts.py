"""Facts as triples with validity. Pure.

Several answers to one question (subject and predicate) may coexist. If one of them is declared
single-valued, a newer answer closes the older, and both are kept.
"""

from __future__ import annotations

from collections.abc import Iterable

from satchel.core.errors import BadInputError
from satchel.core.values import Any
from satchel.storage.ledger.record import Record

#: The years 1 to 9999, which every calendar supports.
_FIRST_SECOND, _LAST_SECOND = -62_135_596_800, 253_402_300_799
#: Field of the data that declares a fact single-valued.
SINGLE = "single"


def triple_data(subject: str, predicate: str, object_: str) -> dict[str, str]:
    """Return the `data` of a fact."""
    parts = {"subject": subject.strip(), "predicate": predicate.strip(), "object": object_.strip()}
    missing = [name for name, value in parts.items() if not value]
    if missing:
        raise BadInputError(
            f"A fact needs a subject, a predicate and an object; missing: {', '.join(missing)}.",
            hint='For example: `satchel remember --kind fact "api | listens on | port 8080"`.',
        )
    return parts


def parse_triple(text: str) -> tuple[str, str, str] | None:
    """Parse `subject | predicate | object`; None if the text is a sentence."""
    parts = [part.strip() for part in text.split("|")]
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 and all(parts) else None  # noqa: PLR2004


def is_single(facts: Iterable[Record]) -> bool:
    """Return whether these facts' question is declared to have one answer at a time."""
    return any((fact.data or {}).get(SINGLE) is True for fact in facts)


def valid_until(fact: Record, others: Iterable[Record]) -> int | None:
    """Return when a past fact stopped holding: at the start of the next known answer."""
    begin = starts(fact)
    others = [other for other in others if question_of(other) == question_of(fact)]
    if not is_single([fact, *others]):
        return fact.valid_to
    later = [starts(other) for other in others if starts(other) > begin]
    return fact.valid_to if fact.valid_to is not None else min(later, default=None)


def question_of(record: Record) -> tuple[str, str]:
    """Return a fact's question: subject and predicate, or its text if not a triple."""
    data = record.data or {}
    if data.get("subject") and data.get("predicate"):
        return (str(data["subject"]).casefold(), str(data["predicate"]).casefold())
    return (record.identity, "")


def starts(record: Record) -> int:
    """Return when a fact begins to hold."""
    return record.when if record.valid_from is None else record.valid_from


def closing_records(
    older: Iterable[Record], newer: Record, now: int, *, dated: bool = True
) -> list[Record]:
    """Return lines, written `now`, that close older open facts answered by `newer`.

    Args:
        older: known facts.
        newer: with its start time.
        now: Unix seconds.
        dated: whether somebody stated when `newer` starts. Of two undated ones the last written
            holds, regardless of the writing machines' clocks.
    """
    begin = starts(newer)
    older = [fact for fact in older if question_of(fact) == question_of(newer)]
    if not is_single([newer, *older]):
        return []
    return [
        fact.following(now)._replace(valid_from=starts(fact), valid_to=max(begin, starts(fact)))
        for fact in older
        if fact.id != newer.id
        and fact.valid_to is None
        and (starts(fact) <= begin or not (dated or fact.valid_from))
        and (fact.data or {}).get("object") != (newer.data or {}).get("object")
    ]


def with_validity(facts: Iterable[Record]) -> list[Record]:
    """Close facts left open by separate writers: each ends when the next begins."""
    by_question: dict[tuple[str, str], list[Record]] = {}
    for fact in facts:
        by_question.setdefault(question_of(fact), []).append(fact)
    settled = []
    for answers in by_question.values():
        if not is_single(answers):
            settled += answers
            continue
        # A fact that a later one closed at its very beginning, because of a fast clock, never held.
        settled += [fact for fact in answers if fact.valid_to == starts(fact)]
        held = [fact for fact in answers if fact.valid_to != starts(fact)]
        held.sort(key=lambda f: (starts(f), f.version))
        for fact, after in zip(held, [*held[1:], None], strict=True):
            open_end = fact.valid_to is None and after is not None
            settled.append(fact._replace(valid_to=starts(after)) if open_end and after else fact)
    return settled


def facts_at(facts: Iterable[Record], moment: float) -> list[Record]:
    """Return facts that held at a time (Unix seconds), newest first."""
    return sorted(
        (
            fact
            for fact in with_validity(facts)
            if starts(fact) <= moment and (fact.valid_to is None or moment < fact.valid_to)
        ),
        key=lambda f: f.version,
        reverse=True,
    )


def check_times(fields: dict[str, Any]) -> None:
    """Reject out-of-range times, and validity that ends before it begins."""
    for name in ("expires_at", "valid_from", "valid_to"):
        value = fields.get(name)
        if value is not None and not _FIRST_SECOND <= value <= _LAST_SECOND:
            raise BadInputError(f"{name} is outside the years 1 to 9999.")
    begin, end = fields.get("valid_from"), fields.get("valid_to")
    if begin is not None and end is not None and end <= begin:
        raise BadInputError("A fact cannot stop holding before it begins to.")
