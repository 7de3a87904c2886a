"""For which project a transaction acts, and whether it may write: a second wall on the server.

Behind the condition on `project` in each statement stand PostgreSQL's row security and two roles of
the database, so that a statement that names another project, or none, sees and changes nothing. It
is said with the settings that open each transaction anyway: one message less than a round trip.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.database.contract import TeamDatabase

#: In place of a project: act as the user who logs in, whom no wall stops.
MAINTENANCE = None

#: Settings of one transaction. A server set to acknowledge before it has written is told
#: otherwise; one that asks its replicas too is left alone.
SET_UP = """
SELECT set_config('search_path', $1, true), set_config('statement_timeout', $2, true),
  set_config('lock_timeout', $2, true),
  set_config('idle_in_transaction_session_timeout', $2, true),
  set_config('client_min_messages', 'warning', true),
  set_config('hnsw.iterative_scan', 'strict_order', true),
  CASE WHEN current_setting('synchronous_commit') = 'off'
    THEN set_config('synchronous_commit', 'on', true) END
"""
#: The same, and for which project; last, since the roles of the wall may do nothing else.
SET_UP_FOR = f"{SET_UP}, satchel.act($3, $4)"


@contextmanager
def maintenance(database: TeamDatabase) -> Iterator[None]:
    """Act as the user who logs in: for what is of no project, the schema and its version."""
    project, database.project = database.project, MAINTENANCE
    try:
        yield
    finally:
        database.project = project
