"""Migrations: numbered SQL files, only ever added. The schema is their sum.

One transaction for each: killed at any statement, a database is in the state before or after it,
and the next `migrate` continues from there.

A migration that leaves everything older clients use as it was says so in its first line: `-- usable
from: 12`. Clients of that version and newer go on meanwhile, so that servers can be replaced one
after the other.
"""

from __future__ import annotations

import os
from functools import lru_cache

from satchel.core.errors import ConflictError, NewerFormatError
from satchel.core.hashing import digest
from satchel.core.values import NamedTuple
from satchel.storage.database.acting import maintenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from satchel.storage.database.contract import TeamDatabase

#: The schema with all of Satchel's tables.
SCHEMA = "satchel"
_USABLE = "-- usable from: "
#: A server lock held during migration: two clients never migrate at once.
_LOCK = 7_345_001


class Migration(NamedTuple):
    """A migration: its number, name and statements, and its file's hash.

    `usable_from` is the oldest version whose clients may go on after it.
    """

    number: int
    name: str
    statements: tuple[str, ...]
    checksum: str
    usable_from: int


def migrations() -> list[Migration]:
    """Return every migration that this Satchel knows, in order."""
    folder = os.path.join(os.path.dirname(__file__), "migrations")
    found = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".sql"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = file.read()
            number, _, title = name.removesuffix(".sql").partition("_")
            checksum = digest(text.encode()).hex()[:16]
            usable = int(
                text.partition("\n")[0].removeprefix(_USABLE) if _USABLE in text else number
            )
            found.append(Migration(int(number), title, tuple(statements(text)), checksum, usable))
    return found


def statements(text: str) -> list[str]:
    """Split a script into statements, each ending with a semicolon at a line's end."""
    found, current = [], ""
    for line in text.splitlines(keepends=True):
        current += line
        if line.rstrip().endswith(";") and current.count("$$") % 2 == 0:
            found.append(current.strip())
            current = ""
    return found


def version_of(database: TeamDatabase) -> int:
    """Return a database's newest migration; 0 for none."""
    with maintenance(database):
        there = database.read("SELECT to_regclass(?1)::text", (f"{SCHEMA}.migrations",))
        if there[0][0] is None:
            return 0
        return int(database.read(f"SELECT MAX(number) FROM {SCHEMA}.migrations")[0][0] or 0)


@lru_cache(maxsize=1)
def newest() -> int:
    """Return the version of this Satchel's schema."""
    return migrations()[-1].number


def check(database: TeamDatabase, held: int | None = None) -> None:
    """Raise if this Satchel cannot use a database.

    Args:
        held: the database's version, if known.

    Raises `NewerFormatError` for a newer one that it cannot use, `ConflictError` for an older one.
    """
    known = newest()
    held = version_of(database) if held is None else held
    if held > known and _usable_from(database) > known:
        raise NewerFormatError(
            f"The team's store has version {held}; this Satchel knows {known}.",
            hint="Install the Satchel that your team uses.",
        )
    if held < known:
        raise ConflictError(
            f"The team's store has version {held}; this Satchel needs {known}.",
            hint="`satchel team migrate` migrates it; older clients must be updated too.",
        )


def _usable_from(database: TeamDatabase) -> int:
    """Return the oldest version whose clients can use a database."""
    with maintenance(database):
        rows = database.read(f"SELECT MAX(COALESCE(usable_from, number)) FROM {SCHEMA}.migrations")
    return int(rows[0][0] or 0)


def migrate(
    database: TeamDatabase,
    steps: list[Migration] | None = None,
    *,
    up_to: int = 0,
    before: Callable[[Migration, int], None] | None = None,
) -> list[Migration]:
    """Migrate a database to the newest version, or to `up_to`; return what was done.

    `before` is called before every statement; tests stop there.
    """
    done = []
    for step in steps or migrations():
        if up_to and step.number > up_to:
            break
        if _apply(database, step, before):
            done.append(step)
    if not up_to:
        check(database)
    return done


def _apply(
    database: TeamDatabase, step: Migration, before: Callable[[Migration, int], None] | None
) -> bool:
    with maintenance(database), database.transaction():
        database.write("SELECT pg_advisory_xact_lock(?1)", (_LOCK,))
        # Check again under the lock: another client may have migrated meanwhile.
        if version_of(database) >= step.number:
            return False
        database.script(
            f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}; "
            f"CREATE TABLE IF NOT EXISTS {SCHEMA}.migrations (number integer PRIMARY KEY, "
            "name text NOT NULL, checksum text NOT NULL, "
            "applied_at timestamptz NOT NULL DEFAULT now()); "
            f"ALTER TABLE {SCHEMA}.migrations "
            "ADD COLUMN IF NOT EXISTS usable_from integer"
        )
        # Building an index over a large store takes longer than a query may.
        database.script("SET LOCAL statement_timeout = 0")
        for place, statement in enumerate(step.statements):
            if before is not None:
                before(step, place)
            database.script(statement)
        database.write(
            f"INSERT INTO {SCHEMA}.migrations (number, name, checksum, usable_from) "
            "VALUES (?1, ?2, ?3, ?4)",
            (step.number, step.name, step.checksum, step.usable_from),
        )
    return True
