"""Checks a team's PostgreSQL before a server starts on it. Changes nothing."""

from __future__ import annotations

from contextlib import closing
from typing import Any

from satchel.application.findings import ERROR, NOTE, WARNING, Finding
from satchel.core.errors import ConflictError, NewerFormatError, SatchelError
from satchel.project.server_database import SERVER
from satchel.storage.database.acting import MAINTENANCE

#: The oldest supported PostgreSQL and pgvector.
OLDEST, OLDEST_VECTOR = 15, (0, 8)
_SUBJECT, _REPLICA = "database", "replica"
_LOCAL = ("", "localhost", "127.0.0.1", "::1")
_SAFE = ("verify-ca", "verify-full")
#: The column of `_FACTS` that says whether tables may be created.
_CREATES = 4
_FACTS = """
SELECT current_setting('server_version_num')::int / 10000, pg_is_in_recovery(),
  current_setting('fsync') = 'on', current_setting('synchronous_commit') <> 'off',
  has_database_privilege(current_database(), 'CREATE'),
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
  (SELECT COUNT(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int - 1,
  (SELECT default_version FROM pg_available_extensions WHERE name = 'vector'),
  (SELECT extversion FROM pg_extension WHERE extname = 'vector'),
  EXISTS (SELECT FROM pg_available_extensions WHERE name = 'btree_gin')
"""
#: Whether the second wall's roles can be created or already exist for this user; and their names.
_ROLES = """
SELECT (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user)
  OR (SELECT COUNT(*) = 2 FROM pg_roles WHERE rolname IN (r.reader, r.writer)
    AND pg_has_role(oid, 'USAGE')), quote_ident(r.reader), quote_ident(r.writer), current_user::text
FROM (SELECT ('satchel_reader_' || current_database())::name AS reader,
  ('satchel_writer_' || current_database())::name AS writer) r
"""
#: The acting role, and the tables with a project that no wall protects from it.
_WALL = """
SELECT current_user::text, COALESCE(string_agg(c.relname, ', ' ORDER BY c.relname), '')
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'project'
WHERE c.relnamespace = 'satchel'::regnamespace AND c.relkind IN ('r', 'p')
  AND NOT c.relispartition AND NOT row_security_active(c.oid)
"""


def database_findings(url: str, replica: str = "", *, workers: int = 1) -> list[Finding]:
    """Return what is wrong with a team's database for a server with this many workers."""
    from satchel.project.team_store import GLANCE, connect

    found = _encryption(_SUBJECT, url)
    try:
        with closing(connect(url, GLANCE, MAINTENANCE)) as database:
            (row,) = database.read(_FACTS)
            found += _facts(row, workers)
            version = _version(database, creates=bool(row[_CREATES]))
            found += version or _wall(database)
    except SatchelError as error:
        return [*found, _failed(_SUBJECT, error)]
    return found + (_replica_findings(replica) if replica else [])


def _facts(row: Any, workers: int) -> list[Finding]:
    from satchel.storage.database.postgresql_pool import MOST

    version, recovers, safe, waits, creates, most, others, offered, vector, gin = row
    found = []

    def say(severity: str, what: str, step: str = "") -> None:
        found.append(Finding(severity, _SUBJECT, what, step))

    if version < OLDEST:
        say(ERROR, f"it is PostgreSQL {version}; {OLDEST} or newer is needed")
    if recovers:
        say(ERROR, "it is a replica: nothing can be written", "Name the primary in --database.")
    if not safe:
        say(ERROR, "`fsync` is off: a crash loses what was acknowledged")
    if not waits:
        say(WARNING, "`synchronous_commit` is off: a crash loses the last acknowledged writes")
    if vector is None and not (offered and creates):
        say(ERROR, "the extension `vector` is not there", "Install pgvector 0.8 or newer.")
    elif _numbers(vector or offered) < OLDEST_VECTOR:
        say(ERROR, f"pgvector is {vector or offered}; 0.8 or newer is needed")
    if not gin:
        say(ERROR, "the extension `btree_gin` is not there", "It is in PostgreSQL's contrib.")
    wanted = workers * MOST
    free = max(0, most - others)
    if wanted > free:
        say(
            WARNING,
            f"{workers} workers may open {wanted} connections; {free} of {most} are free",
            "Raise `max_connections`, or put a pooler before it.",
        )
    return found


def _version(database: Any, *, creates: bool) -> list[Finding]:
    from satchel.storage.database import migrating

    try:
        migrating.check(database)
    except NewerFormatError as error:
        return [_failed(_SUBJECT, error)]
    except ConflictError:
        held = migrating.version_of(database)
        what = "the tables will be created at startup"
        if held:
            what = f"startup will migrate the tables from version {held} to {migrating.newest()}"
        if not creates:
            step = "GRANT CREATE ON DATABASE, or run `satchel team migrate` as its owner."
            return [Finding(ERROR, _SUBJECT, "this user may not create or alter tables", step)]
        makes_roles, reader, writer, user = database.read(_ROLES)[0]
        if not makes_roles:
            step = (
                f"As an administrator: CREATE ROLE {reader} NOLOGIN; CREATE ROLE {writer} NOLOGIN; "
                f"GRANT {reader}, {writer} TO {user};"
            )
            return [Finding(ERROR, _SUBJECT, "this user may not create the store's roles", step)]
        return [Finding(NOTE, _SUBJECT, what)]
    return []


def _wall(database: Any) -> list[Finding]:
    """Report where the second wall does not hold: for the acting roles, and for the login user."""
    user, open_to_user = database.read(_WALL)[0]
    found = []
    database.project = SERVER
    for writes in (False, True):
        database.writes = writes
        role, wide = database.read(_WALL)[0]
        if wide:
            what = f"row security does not bind {role} in {wide}: projects are kept apart once only"
            step = f"ENABLE ROW LEVEL SECURITY on them; {role} must be NOSUPERUSER NOBYPASSRLS."
            found.append(Finding(WARNING, _SUBJECT, what, step))
    if open_to_user and not found:
        what = f"{user} owns the tables or is a superuser: SQL that is not Satchel's is not walled"
        step = "Let servers log in as a user who has nothing but the two roles of the store."
        found.append(Finding(NOTE, _SUBJECT, what, step))
    return found


def _replica_findings(url: str) -> list[Finding]:
    from satchel.project.team_store import GLANCE, connect

    found = _encryption(_REPLICA, url)
    try:
        with closing(connect(url, GLANCE, MAINTENANCE)) as database:
            (behind,) = database.read("SELECT pg_is_in_recovery()")[0]
    except SatchelError as error:
        return [*found, _failed(_REPLICA, error)]
    if not behind:
        found.append(Finding(NOTE, _REPLICA, "it is not a replica but a separate database"))
    return found


def _encryption(subject: str, url: str) -> list[Finding]:
    """Report connections over which memories would cross a network unprotected."""
    from satchel.project.team_store import parts_of

    given = parts_of(url)
    host, mode = given.get("host", ""), given.get("sslmode", "prefer")
    if all(one in _LOCAL or one.startswith("/") for one in host.split(",")) or mode in _SAFE:
        return []
    what = f"`sslmode` is {mode}: nobody checks that {host} is the server it says it is"
    return [Finding(WARNING, subject, what, "Add ?sslmode=verify-full to its address.")]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())


def _failed(subject: str, error: SatchelError) -> Finding:
    return Finding(ERROR, subject, str(error), error.hint)
