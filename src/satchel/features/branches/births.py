"""Finds the commits that memories depend on: of their work, and what took the place of these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from satchel.core.values import Any
from satchel.features.branches.reflogs import Reflogs, read_branch, read_heads
from satchel.features.branches.rewriting import Rewritings
from satchel.features.branches.rules import names_code
from satchel.features.branches.values import Birth, is_about_work
from satchel.features.branches.work import (
    WORK_ENDS,
    made_here,
    made_on,
    waits_elsewhere,
    work_of,
)
from satchel.storage.commits import History
from satchel.storage.ledger.record import Record


class Births:
    """What memories depend on, by the reflogs of a repository.

    Args:
        history: for comparing commits with what took their place.
        common: the repository's directory.
        here: the branch checked out, "" for none, and the trunk.
        branches: those that memories were learned on.
        facts: earlier facts, for when the logs no longer have them.
    """

    def __init__(
        self,
        history: History,
        common: str,
        here: tuple[str, str],
        branches: Iterable[str],
        facts: Mapping[str, Any],
    ) -> None:
        (self._here, self._trunk), self._facts = here, facts
        self._heads = Reflogs(read_heads(common))
        logs = [log for name in sorted(set(branches)) for log in read_branch(common, name)]
        self._logs = Reflogs([*self._heads.heads, *logs])
        self._rewritings = Rewritings(history, self._logs.heads, facts.get("rewritten", {}))
        self._work: dict[str, tuple[str, ...]] = {}
        self._own: dict[str, bool] = {}

    def of(self, record: Record) -> Birth:
        """Return what a memory depends on."""
        work = self._work_of(record)
        own = True if work else self._facts.get("own", {}).get(record.id)
        if own is None:
            own = made_here(record, self._heads)
        if own is not None and not work:
            self._own[record.id] = own
        text = f"{record.title} {record.content}"
        about = "anchors" in (record.data or {}) or names_code(text)
        return Birth(
            record.id,
            tuple(
                sha
                for one in work or (record.commit,)
                for sha in (one, *self._rewritings.chain(one))
            ),
            (made_on(work[-1], self._heads) if work else "") or record.branch,
            about_code=about and not is_about_work(record),
            waits=not work and waits_elsewhere(record, self._heads, self._here),
            own=own,
            learned=record.when,
        )

    def _work_of(self, record: Record) -> tuple[str, ...]:
        known = tuple(self._facts.get("work", {}).get(record.id, ()))
        if not known or record.when + WORK_ENDS >= self._facts.get("seen", 0):
            known = tuple(dict.fromkeys([*known, *work_of(record, self._logs, self._trunk)]))
        if known:
            self._work[record.id] = known
        return known

    def last_seen(self, branch: str) -> str:
        """Return the last commit any work tree had of a branch, or ""."""
        return self._heads.last_seen(branch)

    def facts(self) -> dict[str, Any]:
        """Return what to keep, since the logs expire."""
        times = [log.moves[-1].at for log in self._heads.heads if log.moves]
        return {
            "work": self._work,
            "own": self._own,
            "rewritten": {sha: told for sha, told in self._rewritings.found.items() if told},
            "seen": max(times, default=0),
        }
