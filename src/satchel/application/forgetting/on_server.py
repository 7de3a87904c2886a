"""Forgetting on a team's server: one tombstone per memory stays, quotations lose the words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from satchel.application.forgetting.choosing import strings_in
from satchel.application.forgetting.matching import TraceMatcher
from satchel.application.forgetting.places import Rules
from satchel.application.forgetting.scrub import cleaned_line, without_lines
from satchel.application.forgetting.values import SHORT_ID
from satchel.application.services import Services
from satchel.core import quick_json
from satchel.core.errors import SatchelError
from satchel.core.shapes import dict_of
from satchel.project.shared_state import LEDGERS, beside
from satchel.storage.database.contract import TeamDatabase
from satchel.storage.database.migrating import SCHEMA
from satchel.storage.database.queries import load_queries
from satchel.storage.inbox.faults import note_fault
from satchel.storage.ledger.contract import RecordLedger
from satchel.storage.ledger.team import TeamLedger, array_of, derive_nothing


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


def lines_that_say(ledger: TeamLedger, rules: Rules) -> tuple[list[bytes], list[bytes]]:
    """Return the lines to remove, and those that take their place, as in a ledger's file."""
    held = list(ledger.raws())
    kept = without_lines(held, rules.traces, rules.goes, rules.stays, now=rules.now, ids=rules.ids)
    before, after = set(held), set(kept)
    gone = [raw for raw in held if raw not in after]
    return gone, [raw for raw in kept if raw not in before]


def forget_lines(ledger: TeamLedger, rules: Rules) -> int:
    """Replace lines by tombstones, or by themselves without the words; return how many.

    The documents are rebuilt by the caller.
    """
    gone, new = lines_that_say(ledger, rules)
    if gone:
        ledger.replace(gone, new)
    return len(gone)


def server_ledgers(work: Services) -> Sequence[RecordLedger]:
    """Return the project's ledgers on the team's server; none without one."""
    team = work.memories.stores.team
    return [] if team is None else team.writable().ledgers.every_private()


def lines_on_server(work: Services, rules: Rules) -> int:
    """Return how many lines on the server are to be replaced."""
    return sum(len(lines_that_say(ledger, rules)[0]) for ledger in _team_ledgers(work))


def forget_on_server(work: Services, rules: Rules) -> int:
    """Forget in the server's ledgers, and derive its documents again; return how many lines."""
    team, now = work.memories.stores.team, int(work.project.clock.now())
    count = sum(forget_lines(ledger, rules) for ledger in _team_ledgers(work))
    if team is not None and count:
        team.rebuild()
        try:
            # The server also keeps deleted rows until a sweep.
            swept = ", ".join(f"{SCHEMA}.{t}" for t in ("ledger_lines", "documents", "word_counts"))
            team.store.database.script(f"VACUUM {swept}")
        except SatchelError as error:
            note_fault(work.project.state.faults, "forgetting", str(error), now)
    return count


def forget_shown(work: Services, rules: Rules, session: str) -> int:
    """Remove matching sessions, tasks, graph items and stored answers; return how many.

    What servers know of the project loses the words: suggestions, what was shown, sessions.
    """
    team = work.memories.stores.team
    if team is None:
        return 0
    team.writable()
    database = team.store.database
    count = forget_published(database, team.project, rules.traces, session)
    count += forget_answers(database, team.project, rules.traces)
    with _beside(database, team.project) as name:
        for one in LEDGERS:
            clock = work.project.clock
            ledger = TeamLedger(database, name, one, clock=clock, derive=derive_nothing)
            count += forget_lines(ledger, rules)
        with database.transaction():
            count += _forget_in_sessions(database, name, rules.traces, session)
    if count:
        swept = ", ".join(
            f"{SCHEMA}.{t}" for t in ("published", "server_documents", "ledger_lines")
        )
        database.script(f"VACUUM {swept}")
    return count


def in_sessions_on_server(work: Services, traces: TraceMatcher, session: str) -> int:
    """Return how many rows of servers' sessions go, or lose words, as `forget_shown` does it."""
    whole = len(session) >= SHORT_ID  # few characters of an id name none
    return sum(
        (whole and ident.startswith(session)) or cleaned_line(body, traces) != body
        for ident, body in _session_rows(work)
    )


def said_in_sessions_on_server(work: Services) -> list[str]:
    """Return every text in the sessions that servers keep of the project."""
    rows = (quick_json.loads(body.decode()) for _, body in _session_rows(work))
    return [text for row in rows for text in strings_in(row)]


def _session_rows(work: Services) -> list[tuple[str, bytes]]:
    """Return the sessions and messages that servers keep, by their ids; none without a server."""
    team = work.memories.stores.team
    if team is None:
        return []
    team.writable()
    asked = load_queries(__file__, "on_server.sql")["sessions"]
    with _beside(team.store.database, team.project) as name:
        rows = team.store.database.read(asked, (name,))
    return [(str(ident), body) for _, ident, body in rows if isinstance(body, bytes)]


@contextmanager
def _beside(database: TeamDatabase, project: str) -> Iterator[str]:
    """Act for what servers know of a project; return the name of that."""
    database.project = beside(project)
    try:
        yield database.project
    finally:
        database.project = project


def _forget_in_sessions(
    database: TeamDatabase, project: str, traces: TraceMatcher, session: str
) -> int:
    """Remove a session, and the words from the others; return how many rows were changed."""
    sql = load_queries(__file__, "on_server.sql")
    database.read(sql["hold"], (project,))
    count = 0
    if len(session) >= SHORT_ID:
        count = database.write(sql["drop_session"], (project, session))
    for subject, ident, body in database.read(sql["sessions"], (project,)):
        if isinstance(body, bytes) and (clean := cleaned_line(body, traces)) != body:
            count += database.write(sql["reword_session"], (project, subject, ident, clean))
    return count


def _team_ledgers(work: Services) -> list[TeamLedger]:
    return [one for one in server_ledgers(work) if isinstance(one, TeamLedger)]
