"""Converts decisions to ledger records and back. An outcome is a new version of its decision."""

from __future__ import annotations

from satchel.core.errors import BadInputError
from satchel.core.hashing import digest
from satchel.core.ids import derived_ulid
from satchel.features.routing.values import FAILURE, OUTCOMES, SUCCESS, Choice, Decision, Score
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KIND = "routing_decision"
#: A tag by which decisions with an outcome are found.
DECIDED = "outcome-known"
_LONGEST = 2000
_LONGEST_NOTE = 1000
_RANKED = 5
_SPELLED = {
    "success": SUCCESS,
    "ok": SUCCESS,
    "good": SUCCESS,
    "done": SUCCESS,
    "yes": SUCCESS,
    "failure": FAILURE,
    "failed": FAILURE,
    "fail": FAILURE,
    "bad": FAILURE,
    "no": FAILURE,
}


def outcome_named(text: str) -> str:
    """Parse an outcome. Raises `BadInputError` if it is invalid."""
    found = _SPELLED.get(text.strip().lower())
    if found is None:
        raise BadInputError(
            f"There is no outcome {text[:40]!r}.", hint=f"Outcomes are {' and '.join(OUTCOMES)}."
        )
    return found


def message_ulid(source: str, message: str) -> str:
    """Return the fixed id of the decision on a message.

    It is made of the message's own, so that one which comes again is found in the ledger, under
    whose lock that is asked. Its time is not real: it lies before all others, so that ids that are
    handed out later still grow, and tells ids apart where lists cut them short.
    """
    mark = digest(f"{source}\0{message}".encode("utf-8", "replace"))
    return derived_ulid(int.from_bytes(mark[10:15], "big"), mark)


def decision_record(
    text: str,
    choice: Choice,
    *,
    message: str = "",
    task: str = "",
    came: str = "",
    own: frozenset[str] = frozenset(),
) -> Record:
    """Build a decision's line; the ledger adds its id and time.

    One that names an agent of the person's `own` is private.
    """
    best = next((one for one in choice.ranked if one.agent == choice.agent), None)
    data: dict[str, Any] = {
        "score": best.score if best is not None else 0.0,
        "threshold": choice.threshold,
        "fallback": choice.fallback,
        "ranked": [[one.agent, one.score] for one in choice.ranked[:_RANKED]],
    }
    if best is not None:
        data["signals"] = signals(best)
    if message:
        data["message"] = message
    if came:
        data["from"] = came
    named = {choice.agent, *(one.agent for one in choice.ranked[:_RANKED])}
    return Record(
        kind=KIND,
        content=text.strip()[:_LONGEST],
        agent=choice.agent,
        task=task,
        title=f"to {choice.agent}",
        source="satchel",
        data=data,
        visibility="private" if named & own else "",
    )


def outcome_record(record: Record, outcome: str, note: str = "") -> Record:
    """Build a decision's new version with its outcome."""
    data = {**(record.data or {}), "outcome": outcome}
    data.pop("note", None)
    if note.strip():
        data["note"] = note.strip()[:_LONGEST_NOTE]
    return record._replace(
        rev=record.rev + 1,
        ts=0,
        wall=None,
        hash="",
        edited=False,
        data=data,
        tags=(DECIDED, f"outcome-{outcome}"),
    )


def decision_of(record: Record, *, again: bool = False, choice: Choice | None = None) -> Decision:
    """Parse a decision, tolerating edited lines."""
    data = record.data if isinstance(record.data, dict) else {}
    outcome = data.get("outcome")
    score = data.get("score")
    return Decision(
        record.id,
        record.agent,
        record.content,
        at=record.when,
        score=float(score) if isinstance(score, int | float) else 0.0,
        fallback=data.get("fallback") is True,
        message=str(data.get("message") or ""),
        outcome=outcome if outcome in OUTCOMES else "",
        note=str(data.get("note") or ""),
        again=again,
        choice=choice,
        order=record.ts,
    )


def signals(score: Score) -> dict[str, Any]:
    """Return the parts of a score, without absent ones."""
    fields = score._asdict()
    del fields["agent"], fields["score"]
    return {k: list(v) if isinstance(v, tuple) else v for k, v in fields.items() if v}
