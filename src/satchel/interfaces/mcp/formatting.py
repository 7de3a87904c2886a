"""Format memories for an agent: labelled with their trust, cleaned and fenced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from satchel.application.outlet import held_back
from satchel.application.recall.results import Result
from satchel.application.services import Services
from satchel.core.times import age
from satchel.core.trust import AGENT, IMPORTED, USER, clean_line, fence, new_nonce
from satchel.features.memories.origins import origin_of
from satchel.interfaces.rendering import cleaned, picked
from satchel.project.approvals.rules import trust_of
from satchel.storage.ledger.record import Record

#: How much of an item to show, in characters, if it can be read by id, and if not.
_LINE, _SHOWN = 120, 400
#: The kind whose key carries information missing from the content.
_NAMED = "preference"
#: A fence's label for unapproved files.
NOBODYS_YET = "which came with this repository and nobody has approved"


def fenced(label: str, body: str) -> str:
    """Wrap untrusted text in a fence that the text cannot close."""
    return fence(new_nonce(), label, body)


def trust_label(record: Record) -> str:
    """Return where a memory comes from: user, agent, tool, web, imported."""
    return trust_of(record) or IMPORTED


def memory_item(record: Record, now: float) -> dict[str, Any]:
    """Return a memory as an item of an answer."""
    data: dict[str, Any] = {
        **picked(record, "id", "kind", "title", "content", "key", "tags", "task"),
        "trust": trust_label(record),
        "origin": origin_of(record, now),
        "age_seconds": max(0, int(now - record.when)),
    }
    result: dict[str, Any] = cleaned(data)
    return result


def with_warning(work: Services, label: str, *paths: str) -> str:
    """Add to a fence's label that files it quotes came with the repository, unapproved."""
    return f"{label}, {NOBODYS_YET}" if held_back(work, paths) else label


def result_lines(work: Services, pieces: Sequence[Result]) -> str:
    """Format results, one line each, saying which came with the repository, unapproved."""
    now = work.project.clock.now()
    return "\n".join([_result_line(one, now) for one in pieces]) or "Nothing found."


def _result_line(piece: Result, now: float) -> str:
    """Format a result on one line: id, kind and age, origin, opening words."""
    found = piece.found
    kind, said = piece.source, f"{clean_line(piece.title)}: {clean_line(piece.text)}"
    trust = piece.trust
    if found is not None:
        one = found.record
        kind, trust = one.kind, trust_label(one)
        title = clean_line(one.key if one.kind == _NAMED else one.title)
        content = clean_line(one.content)
        said = f"{title}: {content}" if title else content
    # What `memory` reads by id is only named; the rest is shown whole.
    most = _LINE if found is not None else _SHOWN
    said = said if len(said) <= most else said[:most].rstrip() + "…"
    if found is not None and found.branch:
        said += f" ({clean_line(found.branch.told)})"
    parts = [found.record.id if found is not None else clean_line(piece.place), kind]
    parts += [age(now - piece.at)] if piece.at else []
    parts += [trust] if trust not in ("", USER, AGENT) else []
    return f"{' · '.join(parts)}: {said}"


def more_pages(cursor: str) -> str:
    """Return how to request the next page, or "" for the last one."""
    return f"\nMore: the same call with cursor {cursor}" if cursor else ""
