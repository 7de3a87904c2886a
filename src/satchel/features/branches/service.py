"""A project's branches: which memories do not simply hold at the checkout."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Mapping, Sequence

from satchel.core.errors import SatchelError
from satchel.core.redaction.names import kept_name
from satchel.core.values import cached_property
from satchel.features.branches.values import ELSEWHERE, BranchState, follows_git
from satchel.project.place import branch_of, commit_of, only_committed_since
from satchel.storage.paths import BRANCHES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.features.branches.tables import Table, Tables
    from satchel.project.store import ProjectStore
    from satchel.storage.ledger.record import Record

#: Seconds between two processes that build a table.
_EVERY = 5.0
#: Most memories for building a table while somebody waits: a few tenths of a second.
_AT_ONCE = 500


class Branches:
    """Tells whether the work behind memories is in what is checked out.

    Args:
        live: returns every memory that may be asked about.
        for_others: others use it, as on a team's server: the checkout here is not theirs.
    """

    def __init__(
        self,
        project: ProjectStore,
        live: Callable[[], Iterable[Record]],
        *,
        for_others: bool = False,
    ) -> None:
        self.project, self._live, self._for_others = project, live, for_others

    @cached_property
    def tables(self) -> Tables:
        """Return the stored tables; unused if no memory follows git."""
        from satchel.features.branches.tables import Tables

        return Tables(self.project.state.derived(BRANCHES))

    def states(self, records: Sequence[Record], *, wait: bool = False) -> Mapping[str, BranchState]:
        """Return the states of memories that do not simply hold, by id.

        Does not run git unless the caller can `wait`. For a checkout without a table, a background
        process builds one. Until then the last table answers if only commits came since; after a
        merge, a pull or a checkout nothing is returned.
        """
        followed = [] if self._for_others else [one for one in records if follows_git(one)]
        root = self.project.place.root
        commit = commit_of(root) if followed else ""
        if not commit:
            return {}
        branch = kept_name(branch_of(root))
        table = self.tables.find(commit, branch)
        if wait and table is not None and not _is_of(table, commit, branch):
            table = self._made_now() or table
        newest = max(one.ts for one in followed)
        if table is None or not _is_of(table, commit, branch) or newest > table.until:
            project = self.project
            if project.settings.flag("embed.background"):
                project.start_in_background("branches", project.state.lock("branches"), _EVERY)
        if table is None:
            return {}
        is_new = _is_of(table, commit, branch)
        if not is_new and not (table.branch == branch and only_committed_since(root, table.commit)):
            return {}
        as_of = "" if is_new else table.commit
        found = {one.id: _state(one, table, commit, branch) for one in followed}
        return {name: one._replace(as_of=as_of) for name, one in found.items() if one is not None}

    def _made_now(self) -> Table | None:
        """Build the checkout's table while somebody waits; None if that takes long."""
        if len(list(self._live())) > _AT_ONCE:
            return None
        try:
            return self.make()
        except SatchelError:
            return None  # the caller only asks for memories' states

    def make(self, commit: str = "") -> Table | None:
        """Build and store the checkout's table; None if nothing is checked out.

        Args:
            commit: build another commit's table, without storing it. Raises `GitError`.
        """
        root = self.project.place.root
        here = commit or commit_of(root)
        if not here or self._for_others:
            return None
        table, facts = self._made_at(here, "" if commit else branch_of(root))
        if not commit:
            self.tables.write(table)
            self.tables.write_facts(facts)
        return table

    def _made_at(self, commit: str, branch: str) -> tuple[Table, dict[str, Any]]:
        from satchel.features.branches.making import made

        collects = gc.isenabled()
        # All that is made here is needed to the end: looking for garbage is a sixth of the time.
        gc.disable()
        try:
            facts = self.tables.read_facts()
            return made(self.project.place, commit, branch, list(self._live()), facts)
        finally:
            if collects:
                gc.enable()

    def rebuild(self) -> int:
        """Drop all tables and build the checkout's; return its size."""
        self.tables.clear()
        table = self.make()
        return 0 if table is None else len(table.states)


def _is_of(table: Table | None, commit: str, branch: str) -> bool:
    return table is not None and (table.commit, table.branch) == (commit, branch)


def _state(record: Record, table: Table, commit: str, branch: str) -> BranchState | None:
    """Return a memory's state from a table, or from its birth if it is newer."""
    known = table.states.get(record.id)
    is_ours = record.commit == commit or (branch != "" and record.branch == branch)
    if known is not None:
        # Another commit's table may be wrong about our own branch.
        is_asked = _is_of(table, commit, branch)
        return None if not is_asked and known.state == ELSEWHERE and is_ours else known
    if record.ts <= table.until or is_ours or not follows_git(record, table.trunk):
        return None
    return BranchState(ELSEWHERE, record.branch, record.commit, "anchors" in (record.data or {}))
