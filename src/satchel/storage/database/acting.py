"""Which project a transaction acts for, and whether it may write: a second wall on the server.

Besides the condition on `project` in each statement, PostgreSQL's row security and two database
roles make sure that a statement for another project, or none, sees and changes nothing. Set
together with the settings that open each transaction anyway, so it costs no extra round trip.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.database.contract import TeamDatabase

#: In place of a project: act as the login user, who is not restricted.
MAINTENANCE = None

#: Settings of one transaction. Overrides a server that acknowledges before writing; one that waits
#: for its replicas is left alone.
SET_UP = """
SELECT set_config('search_path', $1, true), set_config('statement_timeout', $2, true),
  set_config('lock_timeout', $2, true),
  set_config('idle_in_transaction_session_timeout', $2, true),
  set_config('plan_cache_mode', $3, true),
  set_config('client_min_messages', 'warning', true),
  set_config('hnsw.iterative_scan', 'strict_order', true),
  CASE WHEN current_setting('synchronous_commit') = 'off'
    THEN set_config('synchronous_commit', 'on', true) END
"""
#: The same, and the project; last, since the restricted roles may set nothing else.
SET_UP_FOR = f"{SET_UP}, satchel.act($4, $5)"
#: How the next statements of a transaction are planned.
SET_PLANS = "SELECT set_config('plan_cache_mode', $1, true)"


@contextmanager
def maintenance(database: TeamDatabase) -> Iterator[None]:
    """Act as the login user, for what belongs to no project: the schema and its version."""
    project, database.project = database.project, MAINTENANCE
    try:
        yield
    finally:
        database.project = project
