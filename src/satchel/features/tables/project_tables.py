"""A project's business records: schemas in its work tree, rows here or on the team's server."""

from __future__ import annotations

import os
from collections.abc import Callable

from satchel.core.errors import BadInputError, BusyError, NotFoundError
from satchel.core.plurals import counted
from satchel.core.values import Closing
from satchel.engine.search.documents import Source
from satchel.engine.search.index import Index
from satchel.engine.search.records import parse_line
from satchel.features.tables.rows import LEDGER
from satchel.features.tables.schemas import (
    ENDING,
    LARGEST,
    check_together,
    preset_files,
    read_schema,
)
from satchel.features.tables.service import Tables
from satchel.features.tables.store import RowStore
from satchel.features.tables.values import Schema
from satchel.project.derived_store import DerivedStore
from satchel.project.store import ProjectStore
from satchel.storage.files import names_in, replace_file
from satchel.storage.inbox.faults import note_fault
from satchel.storage.ledger.file import Ledger
from satchel.storage.paths import TABLES_INDEX
from satchel.storage.safe_open import is_within, read_inside

_MODE = 0o644


class ProjectTables(Closing):
    """The tables of an open project.

    Args:
        team_rows: opens the rows on the team's server; returns None if none is configured.
    """

    def __init__(self, project: ProjectStore, team_rows: Callable[[], RowStore | None]) -> None:
        self.project, self._team_rows = project, team_rows
        self._index = DerivedStore(
            project.state.derived(TABLES_INDEX),
            project.state,
            lambda database: Index(database, parse_line),
            what="index of tables",
            patience=project.patience,
        )
        self._here: RowStore | None = None
        self._team: RowStore | None = None
        #: Unreadable schemas, and why.
        self.problems: list[str] = []

    def close(self) -> None:
        """Close the index that was opened here."""
        if self._here is not None:
            self._here.ledger.close()
        self._index.close()
        self._here = self._team = None

    @property
    def directory(self) -> str:
        """The directory of the schemas, one file per table."""
        return self.project.tracked.place("tables")

    def exist(self) -> bool:
        """Return whether any table is declared."""
        return bool(self._files())

    def tables(self, *, strict: bool = True) -> Tables:
        """Open the tables. Raises `BadInputError` for an invalid schema, if `strict`.

        Otherwise its table is left out, and `problems` says why.
        """
        schemas: dict[str, Schema] = {}
        self.problems = []
        root = self.project.place.root
        for path in self._files():
            try:
                schema = read_schema(read_inside(root, path, most=LARGEST), path)
                schemas[schema.name] = schema
            except (BadInputError, NotFoundError) as error:
                if strict:
                    raise
                self.problems.append(str(error))
        wrong = check_together(schemas)
        if wrong and strict:
            raise BadInputError(wrong[0], hint="`satchel tables list` shows the tables.")
        self.problems += wrong
        return Tables(schemas, {name: self._store(one) for name, one in schemas.items()})

    def write_preset(self, name: str, only: tuple[str, ...] = ()) -> tuple[list[str], list[str]]:
        """Write a shipped set of schemas; return those written and those existing."""
        files = preset_files(name)
        wrong = [one for one in only if one + ENDING not in files]
        if wrong:
            names = ", ".join(one.removesuffix(ENDING) for one in files)
            raise NotFoundError(f"{name} has no table {wrong[0][:40]!r}.", hint=f"It has {names}.")
        root = os.path.realpath(self.project.place.root)
        if not is_within(os.path.realpath(self.directory), root):
            raise BadInputError(f"{self.directory} is outside the project.")
        written, there = [], []
        for file_name, text in files.items():
            if only and file_name.removesuffix(ENDING) not in only:
                continue
            path = os.path.join(self.directory, file_name)
            if os.path.lexists(path):
                there.append(path)
            else:
                replace_file(path, text.encode(), mode=_MODE)
                written.append(path)
        return written, there

    def rebuild(self) -> int:
        """Rebuild the index from the ledger; return the number of row versions."""
        store = self.here()
        return store.index.reindex(store.sources).added

    def purge(self, *, after_days: float, dry_run: bool = False) -> str:
        """Purge rows deleted more than `after_days` ago from ledger and index.

        Returns a sentence; "" if nothing was purged. Rows on a server stay.
        """
        from satchel.storage.ledger.purging import purge_ledger

        if not os.path.exists(self.project.state.ledger(LEDGER)):
            return ""
        store, now = self.here(), self.project.clock.now()
        done = purge_ledger(self._ledger(), now=now, after_days=after_days, dry_run=dry_run)
        if not done.memories:
            return ""
        if not dry_run:
            store.refresh()
            try:
                store.index.compact()
            except BusyError:
                note_fault(
                    self.project.state.faults, "tables", "in use: not packed after a purge", now
                )
        would = "would lose" if dry_run else "lost"
        return (
            f"{counted(len(done.memories), 'row')} deleted over {after_days:g} days ago {would} "
            f"{counted(done.lines, 'line')}"
        )

    def findings(self) -> list[str]:
        """Return problems with schemas, rows and the index."""
        if not self.exist():
            return []
        tables = self.tables(strict=False)
        found = list(self.problems)
        for name in tables.schemas:
            found += [f"{name} {one}" for one in tables.check(name)][:20]
        if self._here is not None:
            found += self._here.index.problems()
        return found

    def here(self) -> RowStore:
        """Rows on this machine."""
        if self._here is None:
            self._here = self._index.asked(self._opened)
        return self._here

    def _ledger(self) -> Ledger:
        state = self.project.state
        return Ledger(state.ledger(LEDGER), state.lock(LEDGER), clock=self.project.clock)

    def _opened(self) -> RowStore:
        ledger, clock = self._ledger(), self.project.clock
        rows = RowStore(ledger, self._index.open(), [Source(ledger.path, LEDGER)], clock)
        rows.refresh()
        return rows

    def _store(self, schema: Schema) -> RowStore:
        if schema.private:
            return self.here()
        if self._team is None:
            self._team = self._team_rows()
        return self._team or self.here()

    def _files(self) -> list[str]:
        names = names_in(self.directory)
        good = [name for name in names if name.endswith(ENDING) and not name.startswith(".")]
        return [os.path.join(self.directory, name) for name in good]
