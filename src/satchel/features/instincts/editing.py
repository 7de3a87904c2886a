"""Edits of `instincts.yaml`: every function takes the file's text and returns a new one. Pure.

They raise errors in the text or the request, and change nothing else in it. A review queue calls
them with the text that it showed; `InstinctFile.apply` writes the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from satchel.core.errors import BadInputError, ConflictError
from satchel.core.hashing import digest
from satchel.core.values import Any
from satchel.engine.markdown.yaml_entries import Entry, with_changes, with_entry, without_entries
from satchel.features.instincts import lifecycle
from satchel.features.instincts.reading import find, read_instincts
from satchel.features.instincts.values import (
    ADDED,
    CATEGORIES,
    CONTRADICTED,
    DECAYED,
    EVIDENCE,
    FIELD,
    PROMOTED,
    PRUNED,
    REINFORCED,
    SCOPES,
    Change,
    Edit,
    Instinct,
    NewInstinct,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.engine.statements.contradictions import Clash

_LONGEST_RULE = 500


def added(text: str, new: NewInstinct, *, today: date) -> Edit:
    """Add a soft rule; one that says the same is reinforced instead.

    Raises `BadInputError` for an empty or too long rule, and values outside the lists.
    """
    new = checked(new)
    shelf = read_instincts(text)
    for instinct in shelf.instincts:
        if _said(instinct.rule) == _said(new.rule):
            return reinforced(text, instinct.id, today=today)
    ident = _new_id(new.rule, today, {instinct.id for instinct in shelf.instincts})
    confidence = initial_confidence(new)
    fields: dict[str, Any] = {
        "id": ident,
        "rule": new.rule,
        "confidence": confidence,
        "scope": new.scope,
        "category": new.category,
        "created": today.isoformat(),
        "last_reinforced": today.isoformat(),
        "reinforcement_count": 1,
        "source": new.source,
    }
    if new.tags:
        fields["tags"] = list(new.tags)
    if not new.source:
        del fields["source"]
    change = Change(ident, ADDED, confidence, after=confidence, rule=new.rule, detail=new.evidence)
    # One line, so that git can merge entries added by two people.
    return Edit(with_entry(shelf.listing, fields, in_line=True), (change,))


def reinforced(text: str, ident: str, *, today: date) -> Edit:
    """Confirm a rule once: 0.1 more, at most 0.9, from its current confidence."""
    shelf = read_instincts(text)
    instinct, entry = find(shelf, ident)
    before = lifecycle.current_confidence(instinct, today)
    after = lifecycle.raised(before)
    fields = {
        "confidence": after,
        "last_reinforced": today.isoformat(),
        "reinforcement_count": instinct.reinforcement_count + 1,
    }
    change = Change(instinct.id, REINFORCED, before, after, instinct.rule)
    return Edit(with_changes(shelf.listing, [(entry, fields)]), (change,))


def contradicted(text: str, ident: str, *, today: date, by: str = "") -> Edit:
    """Contradict a rule once: 0.2 less; `by` is the rule that replaces it, and is added."""
    shelf = read_instincts(text)
    instinct, entry = find(shelf, ident)
    if by and _said(by) == _said(instinct.rule):
        raise BadInputError("A rule cannot contradict itself.", hint="`satchel rules show`.")
    before = instinct.confidence
    after = lifecycle.lowered(before)
    made = with_changes(shelf.listing, [(entry, {"confidence": after})])
    change = Change(
        instinct.id, CONTRADICTED, before, after=after, rule=instinct.rule, detail=_cleaned(by)
    )
    if not by:
        return Edit(made, (change,))
    rival = NewInstinct(
        by,
        scope=_one_of(instinct.scope, SCOPES),
        category=_one_of(instinct.category, CATEGORIES),
        source=f"contradicts {instinct.id}",
        tags=instinct.tags,
    )
    competing = added(made, rival, today=today)
    return Edit(competing.text, (change, *competing.changes))


def reviewed(text: str, *, today: date) -> Edit:
    """Apply all decay that is due. Idempotent."""
    shelf = read_instincts(text)
    fields: list[tuple[Entry, dict[str, Any]]] = []
    changes = []
    for instinct, entry in zip(shelf.instincts, shelf.entries, strict=True):
        after, until = lifecycle.faded(instinct, today)
        if until:
            fields.append((entry, {"confidence": after, "decayed_to": until}))
            changes.append(
                Change(
                    instinct.id,
                    DECAYED,
                    instinct.confidence,
                    after=after,
                    rule=instinct.rule,
                    detail=until,
                )
            )
    return Edit(with_changes(shelf.listing, fields) if fields else text, tuple(changes))


def promoted(text: str, ident: str, note: str) -> Edit:
    """Mark a rule as promoted to a note."""
    shelf = read_instincts(text)
    instinct, entry = find(shelf, ident)
    made = with_changes(shelf.listing, [(entry, {"promoted": note})])
    now = instinct.confidence
    return Edit(
        made, (Change(instinct.id, PROMOTED, now, after=now, rule=instinct.rule, detail=note),)
    )


def pruned(text: str, idents: Sequence[str], *, today: date, good: bool = False) -> Edit:
    """Remove rules from the file.

    Raises `ConflictError` for one that is still good, unless `good` ones may be removed too.
    """
    shelf = read_instincts(text)
    gone, changes = [], []
    pairs = list(zip(shelf.instincts, shelf.entries, strict=True))
    known = {pair[0].id: pair for pair in pairs}
    single = len(known) == len(pairs)
    for ident in dict.fromkeys(idents):
        instinct, entry = known[ident] if single and ident in known else find(shelf, ident)
        worth = lifecycle.current_confidence(instinct, today)
        if worth >= lifecycle.LOWEST_SHOWN and not good:
            raise ConflictError(
                f"{instinct.id} is worth {worth:g}, and only what is below "
                f"{lifecycle.LOWEST_SHOWN:g} is pruned.",
                hint="Contradict it, or `satchel rules remove ID`.",
            )
        gone.append(entry)
        kept = f"{instinct.scope}, {instinct.category}"
        changes.append(
            Change(
                instinct.id,
                PRUNED,
                instinct.confidence,
                after=worth,
                rule=instinct.rule,
                detail=kept,
            )
        )
    return Edit(without_entries(shelf.listing, gone) if gone else text, tuple(changes))


def contradicted_by(instincts: Sequence[Instinct], rule: str, *, path: str = "") -> list[Clash]:
    """Return the soft rules that a rule contradicts."""
    # Whoever only reads soft rules needs none of its patterns, nor those of secrets.
    from satchel.engine.statements.contradictions import AGAINST, Rule, clashes

    rules = [Rule(path, one.line, one.rule) for one in instincts]
    return [clash for clash in clashes(rule, rules) if clash.what == AGAINST]


def checked(new: NewInstinct) -> NewInstinct:
    """Return a new rule, cleaned. Raises if it is invalid."""
    rule = _cleaned(new.rule)
    if not rule:
        raise BadInputError("An instinct needs a rule.", hint='For example "Use pnpm, not npm".')
    if len(rule) > _LONGEST_RULE:
        raise BadInputError(
            f"The rule has {len(rule)} characters; an instinct has at most {_LONGEST_RULE}.",
            hint="Longer lessons are learning notes: `satchel notes add`.",
        )
    words = (("scope", new.scope, SCOPES), ("category", new.category, CATEGORIES))
    for name, said, allowed in words:
        if said not in allowed:
            raise BadInputError(
                f"{said[:40]!r} is not a valid {name} of an instinct.",
                hint=f"One of {', '.join(allowed)}.",
            )
    if new.evidence and new.evidence not in EVIDENCE:
        raise BadInputError(
            f"{new.evidence[:40]!r} is not a kind of evidence.",
            hint=f"One of {', '.join(EVIDENCE)}.",
        )
    if new.confidence is not None and not 0 <= new.confidence <= lifecycle.HIGHEST:
        raise BadInputError(
            f"A confidence of {new.confidence:g} is out of range.", hint="It is from 0 to 0.9."
        )
    tags = tuple(filter(None, (_cleaned(tag) for tag in new.tags)))
    return new._replace(rule=rule, source=_cleaned(new.source), tags=tags)


def initial_confidence(new: NewInstinct) -> float:
    """Return a new rule's initial confidence."""
    if new.confidence is not None:
        return round(new.confidence, 2)
    return EVIDENCE.get(new.evidence, lifecycle.START)


def _cleaned(text: str) -> str:
    """Return one line without secrets, because git tracks the file."""
    from satchel.core.redaction.redactor import redact

    plain = text.encode("utf-8", "replace").decode("utf-8")
    return " ".join(redact(plain)[0].split())


def _said(rule: str) -> str:
    return " ".join(rule.casefold().split()).rstrip(".!")


def _one_of(said: str, allowed: tuple[str, ...]) -> str:
    return said if said in allowed else allowed[0]


def _new_id(rule: str, today: date, taken: set[str]) -> str:
    for attempt in range(len(taken) + 1):
        seed = f"{FIELD}\n{rule}\n{today.isoformat()}\n{attempt or ''}"
        ident = f"inst-{today:%Y%m%d}-{digest(seed.encode()).hex()[:6]}"
        if ident not in taken:
            return ident
    raise ConflictError("No id is left for an instinct on this date.")
