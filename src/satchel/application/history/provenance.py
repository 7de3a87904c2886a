"""Where a memory comes from, its effects, and who was shown it: `satchel why`."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.forgetting.places import SearchedFiles
from satchel.application.forgetting.scrub import is_tombstone
from satchel.application.services import Services
from satchel.core.errors import SatchelError
from satchel.core.excerpts import beginning
from satchel.core.shapes import list_of
from satchel.core.values import Any, NamedTuple
from satchel.storage.files import read_file
from satchel.storage.ledger.lines import records_in
from satchel.storage.ledger.record import Record

#: How much of a turn to show, in characters; most turns; most times it was shown.
_SHOWN, _TURNS, _TIMES = 600, 3, 20
#: How far from a memory, in seconds, a turn of its session may be its origin.
_NEAR = 900.0


class Provenance(NamedTuple):
    """Everything known about a memory. Times are Unix seconds.

    `derived_from` and `derived` are (id, kind, first words); `turns` (role, time, words);
    `proposals` (id, kind, state, title); `shown` (time, session, event, section, why, outcome).
    """

    record: Record
    versions: tuple[Record, ...]
    files: tuple[dict[str, Any], ...]
    derived_from: tuple[tuple[str, str, str], ...]
    derived: tuple[tuple[str, str, str], ...]
    supersedes: tuple[str, ...]
    superseded_by: tuple[str, ...]
    turns: tuple[tuple[str, float, str], ...]
    proposals: tuple[tuple[str, str, str, str], ...]
    approved: bool
    shown: tuple[tuple[int, str, str, str, str, str], ...]
    outcomes: dict[str, int]


def provenance(work: Services, given: str) -> Provenance:
    """Return what is known about a memory, by id or key. Raises `NotFoundError`."""
    record = work.memories.find(given).record
    versions = tuple(one.record for one in work.memories.history(given))
    every = [
        one
        for path in SearchedFiles(work.project, work.owner().home).ledgers()
        for one in records_in(read_file(path))
        if not is_tombstone(one)
    ]
    by_id = {one.id: one for one in every}
    ids = {one.id for one in versions}
    sources = dict.fromkeys(name for one in versions for name in one.derived_from)
    derived = {one.id: one for one in every if ids.intersection(one.derived_from)}
    proposals = [one for one in derived.values() if one.kind == "proposal"]
    newer = {one.id for one in every if ids.intersection(one.supersedes)} - ids
    anchors = (record.data or {}).get("anchors")
    return Provenance(
        record,
        versions,
        tuple(one for one in list_of(anchors) if isinstance(one, dict)),
        derived_from=tuple(_summary_row(name, by_id.get(name)) for name in sources),
        derived=tuple(
            _summary_row(one.id, one) for one in derived.values() if one.kind != "proposal"
        ),
        supersedes=tuple(dict.fromkeys(name for one in versions for name in one.supersedes)),
        superseded_by=tuple(sorted(newer)),
        turns=_turns(work, record),
        proposals=tuple(_proposals(work, [one.id for one in proposals])),
        approved=_approved(work, record),
        shown=tuple(_shown(work, record, ids)),
        outcomes=_outcomes(work, record),
    )


def _summary_row(ident: str, record: Record | None) -> tuple[str, str, str]:
    if record is None:
        return ident, "", ""
    return record.id, record.kind, beginning(record.title or record.content, 120)


def _turns(work: Services, record: Record) -> tuple[tuple[str, float, str], ...]:
    """Return the session's turns that contain it, otherwise the last one before it."""
    if not record.session:
        return ()
    from satchel.application.forgetting.matching import TraceMatcher

    try:
        with work.sessions as sessions:
            turns = sessions.archive.archived(record.session).turns
    except SatchelError:
        return ()
    traces = TraceMatcher([record.content])
    saying = [one for one in turns if traces.hits(one.text) or any(map(traces.hits, one.tools))]
    if not saying:
        near = [one for one in turns if 0 <= record.when - one.at <= _NEAR and one.role == "user"]
        saying = near[-1:]
    return tuple(
        (one.role, one.at, beginning(one.text or " ".join(one.tools), _SHOWN))
        for one in saying[:_TURNS]
    )


def _proposals(work: Services, idents: Sequence[str]) -> list[tuple[str, str, str, str]]:
    if not idents:
        return []
    from satchel.application.learning.reviewing.queue import open_queue

    queue = open_queue(work)
    try:
        return [
            (one.proposal.id, one.proposal.kind, one.state, one.proposal.title)
            for one in queue.all()
            if one.proposal.id in idents
        ]
    finally:
        queue.close()


def _approved(work: Services, record: Record) -> bool:
    """Return whether a person approved it for session starts."""
    from satchel.project.approvals.rules import mark_of

    return mark_of(record) in work.project.approvals.load().marks


def _shown(
    work: Services, record: Record, ids: set[str]
) -> list[tuple[int, str, str, str, str, str]]:
    outcomes = _by_session(work, record)
    found = [
        (one.ts, one.session, one.event, item.section, item.why, outcomes.get(one.session, ""))
        for one in work.injections.all()
        for item in one.items
        if item.identity == record.identity or item.id in ids
    ]
    return found[-_TIMES:]


def _by_session(work: Services, record: Record) -> dict[str, str]:
    from satchel.features.injections.outcomes import outcomes_of

    return outcomes_of(work.project).of(record.identity)


def _outcomes(work: Services, record: Record) -> dict[str, int]:
    from satchel.features.injections.outcomes import outcomes_of

    one = outcomes_of(work.project).usefulness().get(record.identity)
    if one is None:
        return {}
    return {name: getattr(one, name) for name in ("helped", "used", "ignored", "hurt")}
