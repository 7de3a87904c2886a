"""Forgetting on a team's server: lines are removed, one tombstone per memory stays."""

from __future__ import annotations

from collections.abc import Collection

from satchel.application.forgetting.choosing import strings_in
from satchel.application.forgetting.matching import TraceMatcher
from satchel.application.forgetting.scrub import is_tombstone, tombstone_of
from satchel.core import quick_json
from satchel.core.shapes import dict_of
from satchel.storage.database.queries import load_queries
from satchel.storage.ledger.lines import decode
from satchel.storage.ledger.team import TeamLedger, array_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.database.contract import TeamDatabase
    from satchel.storage.ledger.record import Record


def forget_published(
    database: TeamDatabase, project: str, traces: TraceMatcher, session: str = ""
) -> int:
    """Remove published rows that match or belong to a session; return how many.

    Another machine that still has it publishes it again, unless it forgets it too.
    """
    sql = load_queries(__file__, "on_server.sql")
    gone: dict[str, list[str]] = {}
    for subject, ident, body in database.read(sql["published"], (project,)):
        fields = quick_json.loads(str(body))
        fields = dict_of(fields)
        of_session = session and session in (ident, fields.get("conversation"))
        if of_session or any(traces.hits(text) for text in strings_in(fields)):
            gone.setdefault(str(subject), []).append(str(ident))
    for subject, ids in gone.items():
        database.write(sql["take_back"], (project, subject, array_of(ids)))
    return sum(map(len, gone.values()))


def forget_answers(database: TeamDatabase, project: str, traces: TraceMatcher) -> int:
    """Remove servers' answers to requests with a key, as far as they match; return how many."""
    sql = load_queries(__file__, "on_server.sql")
    gone = [
        str(ident)
        for ident, body in database.read(sql["answers"], (project,))
        if isinstance(body, bytes)
        and any(traces.hits(text) for text in strings_in(quick_json.loads(body.decode())))
    ]
    if gone:
        database.write(sql["drop_answers"], (project, array_of(gone)))
    return len(gone)


def forget_lines(ledger: TeamLedger, ids: Collection[str], now: int) -> int:
    """Replace the lines of some records by tombstones; return how many were removed.

    The documents are rebuilt by the caller.
    """
    gone: dict[str, list[Record]] = {}
    lines: list[bytes] = []
    for raw in ledger.raws():
        record = decode(raw).record
        if record is not None and record.id in ids and not is_tombstone(record):
            gone.setdefault(record.id, []).append(record)
            lines.append(raw)
    if lines:
        ledger.replace(lines, [tombstone_of(records, now) for records in gone.values()])
    return len(lines)
