"""Parses `instincts.yaml` in reflect's format, leniently, with a list of problems. Pure."""

from __future__ import annotations

from satchel.core.errors import AmbiguousIdError, NotFoundError
from satchel.core.shapes import list_of
from satchel.core.values import Any
from satchel.engine.markdown.plain_entries import read_plain
from satchel.engine.markdown.yaml_entries import Entry
from satchel.features.instincts.lifecycle import START, day_of
from satchel.features.instincts.merging import put_together
from satchel.features.instincts.values import CATEGORIES, FIELD, SCOPES, Instinct, ParsedInstincts


def read_instincts(text: str) -> ParsedInstincts:
    """Parse a file's text; an unfinished merge is combined, and reported as a problem.

    Raises `BadInputError` with the line if it is not such a file.
    """
    listing, problems = put_together(text, FIELD)
    problems += [f"line {line}: it is not an instinct" for line in listing.strays]
    instincts, entries = [], []
    seen: set[str] = set()
    for entry in listing.entries:
        one = _instinct(entry.fields, entry.line, problems)
        if one.id and one.id in seen:
            problems.append(f"line {entry.line}: the id {one.id} occurs twice")
        seen.add(one.id)
        if one.rule:
            instincts.append(one)
            entries.append(entry)
    return ParsedInstincts(listing, tuple(instincts), tuple(entries), tuple(problems))


def instincts_in(text: str) -> tuple[Instinct, ...]:
    """Return only the rules of a file's text, which needs no library if Satchel wrote it."""
    plain = read_plain(text, FIELD)
    if plain is None:
        return read_instincts(text).instincts
    idents = [one.fields.get("id") for one in plain]
    if len(set(idents)) < len(idents):
        return read_instincts(text).instincts  # which of two is newer
    found = (_instinct(one.fields, one.line, []) for one in plain)
    return tuple(one for one in found if one.rule)


def find(shelf: ParsedInstincts, given: str) -> tuple[Instinct, Entry]:
    """Return a rule by id, or by the start or end of it, or by the start of its words."""
    pairs = list(zip(shelf.instincts, shelf.entries, strict=True))
    found = [pair for pair in pairs if given and pair[0].id == given]
    if not found:
        found = [pair for pair in pairs if given and pair[0].id.startswith(given)] or [
            pair for pair in pairs if given and pair[0].id.endswith("-" + given)
        ]
    if not found:
        said = " ".join(given.casefold().split())
        found = [pair for pair in pairs if said and pair[0].rule.casefold().startswith(said)]
    if not found:
        raise NotFoundError(
            f"There is no soft rule {given[:60]!r}.", hint="`satchel rules` lists them."
        )
    if len(found) > 1:
        raise AmbiguousIdError(
            f"{len(found)} soft rules begin like {given[:60]!r}.", hint="Give the whole id."
        )
    return found[0]


def _instinct(fields: dict[str, Any], line: int, problems: list[str]) -> Instinct:
    def text(name: str) -> str:
        value = fields.get(name)
        return " ".join(str(value).split()) if isinstance(value, str | int | float) else ""

    def wrong(what: str) -> None:
        problems.append(f"line {line}: {what}")

    if not text("id"):
        wrong("it has no id")
    if not text("rule"):
        wrong("it has no rule")
    for name, allowed in (("scope", SCOPES), ("category", CATEGORIES)):
        if text(name) and text(name) not in allowed:
            wrong(f"its {name} is {text(name)[:40]!r}, none of {', '.join(allowed)}")
    confidence = _number(fields.get("confidence"))
    if confidence is None and "confidence" in fields:
        wrong("its confidence is not a number from 0 to 1")
    for name in ("created", "last_reinforced", "decayed_to"):
        if text(name) and day_of(text(name)) is None:
            wrong(f"{name} is {text(name)[:40]!r}, not a date")
    count = _number(fields.get("reinforcement_count"), most=10**9)
    tags = fields.get("tags")
    return Instinct(
        text("id"),
        text("rule"),
        START if confidence is None else confidence,
        scope=text("scope") or "project",
        category=text("category"),
        created=text("created"),
        last_reinforced=text("last_reinforced"),
        reinforcement_count=int(count or 0),
        source=text("source"),
        tags=tuple(str(tag) for tag in list_of(tags)),
        promoted="yes" if fields.get("promoted") is True else _note_of(fields.get("promoted")),
        decayed_to=text("decayed_to"),
        line=line,
    )


def _note_of(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Any, most: float = 1) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if 0 <= number <= most else None
