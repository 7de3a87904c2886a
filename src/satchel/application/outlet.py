"""The only path from memories to a text read by an agent or another user.

Whatever is shown to an agent unasked (a session's start, a prompt, a subagent, the memory brief,
research, chat) takes its memories from here. Memories that wait for approval, were rejected or
replaced never leave, nor do those that were reverted or are about code of an unmerged branch; a
checkpoint does not repeat what the user rejected in review; a memory about deleted code is
mentioned once; what came by git leaves without secrets; and each memory carries the remark that
must go with it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from satchel.core.errors import SatchelError, StoreAwayError
from satchel.core.redaction.names import kept_name
from satchel.core.trust import UNAPPROVED
from satchel.core.values import NamedTuple, cached_property
from satchel.engine.search.documents import Filter
from satchel.engine.search.records import StoredMemory, is_private
from satchel.features.memories.ledgers import TRACKED, USER
from satchel.features.memories.replacing import replacements
from satchel.storage.files import TOLD_SIZE, read_file
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from satchel.application.services import Services
    from satchel.core.scope import Scope
    from satchel.features.memories.scoped import Scoped
    from satchel.features.memories.service import Memories
    from satchel.project.approvals.gate import Gate
    from satchel.project.approvals.rules import ApprovalSet

    T = TypeVar("T")

#: The tag of a memory that the user put aside.
ASIDE = "archived"
_CODE_AS_IT_WAS = "fresh"
_CHECKPOINT = "checkpoint"
#: Most memories with a text to search for the wanted ones.
_MOST_NAMING = 200
#: More than anybody reads; 20,000 used up the whole time of a session's start.
_MOST_RULES = 1000


class Shown(NamedTuple):
    """A memory that may be shown, and a remark to go with it, or ""."""

    record: Record
    note: str = ""


class Outlet:
    """Hands out an open project's memories.

    Args:
        to_others: leave out private memories, since others can read the text.
        may_wait: the caller can wait for git if something else is checked out.
        whole: the text has no place to say that the team's memories are missing: then
            `StoreAwayError` is raised.

    Created for each text, so that approvals given meanwhile apply to the next.
    """

    def __init__(
        self,
        work: Services,
        *,
        to_others: bool = False,
        may_wait: bool = False,
        whole: bool = False,
    ) -> None:
        self._work, self._to_others, self._may_wait = work, to_others, may_wait
        self._whole = whole
        self._stores: list[Memories] | None = None
        self._notes: dict[str, str | None] = {}
        self._branches: dict[str, str] = {}
        #: Requested memories about deleted code, with a description of that code.
        self.gone: dict[str, Shown] = {}
        #: Requested files that wait for this user's approval.
        self.waiting_files: set[str] = set()
        #: Requested memories whose work is not part of what is checked out.
        self.not_here: set[str] = set()
        #: Why the team's memories are missing from the result, or "".
        self.missing = ""

    @cached_property
    def _approved(self) -> ApprovalSet | None:
        """Return the approvals, read when the first memory is checked."""
        from satchel.features.memories.approvals import approved_in

        return approved_in(self._work.project)

    @cached_property
    def _gate(self) -> Gate:
        return self._work.project.gate()

    @cached_property
    def branch(self) -> str:
        """The branch that is checked out here; "" if none is."""
        from satchel.project.place import branch_of

        return kept_name(branch_of(self._work.project.place.root))

    def admits(self, path: str) -> bool:
        """Return whether a file of the work tree may be shown to an agent.

        Others are counted in `waiting_files`.
        """
        return path in self.admitted_files([path])

    def admitted_files(self, paths: Iterable[str]) -> frozenset[str]:
        """Return the files of the work tree that may be shown to an agent, checked together."""
        admitted: set[str] = set()
        filled: dict[str, bytes] = {}
        asked = set(paths)
        for path in asked:
            try:
                data = read_file(path, most=TOLD_SIZE)
            except SatchelError:
                continue
            if data:
                filled[path] = data
            else:
                admitted.add(path)
        admitted |= self._passed(filled) if filled else frozenset()
        self.waiting_files |= asked - admitted
        return frozenset(admitted)

    def _passed(self, files: Mapping[str, bytes]) -> frozenset[str]:
        try:
            return self._gate.admitted(files)
        except SatchelError:
            return frozenset()

    def waiting_lines(self) -> int:
        """Count tracked ledger lines that wait for the user's approval."""
        from satchel.features.memories.approvals import asked_lines

        return len(asked_lines(self._own))

    @property
    def now(self) -> float:
        """Return the time in Unix seconds."""
        return self._work.project.clock.now()

    def newest(
        self, kinds: tuple[str, ...], limit: int, *, everywhere: bool = False
    ) -> list[Shown]:
        """Return live memories of these kinds, newest first.

        Args:
            kinds: from the table of kinds.
            limit: how many to check; fewer may be shown.
            everywhere: also from the user's memories.
        """
        only = Filter(kinds=kinds)

        def ask(stores: list[Memories]) -> list[StoredMemory]:
            if len(stores) == 1:
                return stores[0].listed(only, limit)
            return _once(one for store in stores for one in store.listed(only, limit))

        return self.admitted(self._asked(ask, everywhere=everywhere))

    def naming(
        self, text: str, kinds: tuple[str, ...], fits: Callable[[Record], bool]
    ) -> list[Shown]:
        """Return the project's live memories that hold a text, newest first.

        Args:
            text: as found in the title, the content or an anchor.
            kinds: of the table of kinds.
            fits: whether a memory is wanted; called before anything expensive.
        """
        only = Filter(kinds=kinds, naming=text)
        found = self._asked(
            lambda stores: _once(s for one in stores for s in one.listed(only, _MOST_NAMING))
        )
        return self.admitted([one for one in found if fits(one.record)])

    def count(self, kinds: tuple[str, ...]) -> int:
        """Count the project's live memories of these kinds, whether or not they are held back.

        This machine's and the team's may be copies of each other: the larger number counts.
        """
        only = Filter(kinds=kinds)
        return self._asked(
            lambda stores: max(sum(s.index.counts(s.view(only)).values()) for s in stores)
        )

    def scoped(
        self, scope: Scope, *, kinds: tuple[str, ...] = (), rules: int = _MOST_RULES
    ) -> tuple[Scoped, list[Shown]]:
        """Return the memories relevant to a task, in order, grouped by step.

        Args:
            scope: the task and its epic.
            kinds: those wanted; all if empty.
            rules: how many of the newest constraints to look at.
        """
        from satchel.features.memories.scoped import united

        found = self._asked(
            lambda stores: united(
                [one.scoped(scope, kinds=kinds, rules=rules) for one in stores], scope, self.now
            )
        )
        shown = {_key(one.record): one for one in self.admitted(_tracked(found.all()))}
        kept = found._replace(
            task=_among(found.task, shown),
            epic=_among(found.epic, shown),
            project=_among(found.project, shown),
            active=_among(found.active, shown),
        )
        return kept, list(shown.values())

    def admitted(self, found: Iterable[StoredMemory]) -> list[Shown]:
        """Filter results to those that may be shown, keeping their order, with remarks."""
        items = [one for one in found if not self._is_held(one)]
        replaced = self._asked(
            lambda stores: {ident for one in stores for ident in replacements(one, items)},
            everywhere=True,
        )
        items = [one for one in items if one.record.id not in replaced]
        items = self._without_rejected(self._following_git(items))
        self._look_at_code([one.record for one in items])
        shown = []
        for one in items:
            note = self._notes.get(one.record.id, "")
            if note is not None:
                branch = self._branches.get(one.record.id, "")
                shown.append(Shown(_clean(one), "; ".join(filter(None, [branch, note]))))
            elif one.record.id in self.gone:
                self.gone[one.record.id] = Shown(_clean(one), self.gone[one.record.id].note)
        return shown

    def _is_held(self, one: StoredMemory) -> bool:
        record = one.record
        if one.source == UNAPPROVED or ASIDE in record.tags:
            return True
        held = self._approved is not None and self._approved.holds(record)
        return held or (self._to_others and is_private(record))

    def _without_rejected(self, items: Sequence[StoredMemory]) -> list[StoredMemory]:
        """Remove from checkpoints what the user rejected in review."""
        quoting = any(one.record.kind == _CHECKPOINT for one in items)
        if not (quoting and self._rejected):
            return list(items)
        from satchel.features.proposals.rejected import without_rejected

        left = [
            without_rejected(one.record, self._rejected)
            if one.record.kind == _CHECKPOINT
            else one.record
            for one in items
        ]
        return [
            one._replace(record=record)
            for one, record in zip(items, left, strict=True)
            if record is not None
        ]

    @cached_property
    def _rejected(self) -> frozenset[str]:
        """Return what the user rejected in review, read when a checkpoint is shown."""
        from satchel.features.proposals.waiting import LEDGER

        project = self._work.project
        if not project.has_log(LEDGER):
            return frozenset()
        from satchel.features.proposals.queue import Queue
        from satchel.features.proposals.rejected import rejected_words

        return rejected_words(Queue(project.log(LEDGER)).all())

    def _following_git(self, items: Sequence[StoredMemory]) -> list[StoredMemory]:
        """Drop memories that do not hold at this commit, and add remarks to the rest."""
        records = [one.record for one in items]
        states = self._work.branches.states(records, wait=self._may_wait)
        self.not_here |= {name for name, one in states.items() if one.is_held}
        self._branches.update((name, one.told) for name, one in states.items())
        return [one for one in items if one.record.id not in self.not_here]

    def _look_at_code(self, records: Sequence[Record]) -> None:
        """Record the state of anchored code: in words, "" if unchanged, None if deleted."""
        new = [
            one for one in records if one.id not in self._notes and "anchors" in (one.data or {})
        ]
        if not new:
            return
        from satchel.features.code.anchored import code_states

        states = code_states(self._work.code, new)
        for record in new:
            one = states.get(record.id)
            if one is not None:
                as_it_was = one.state == _CODE_AS_IT_WAS
                self._notes[record.id] = None if one.gone else "" if as_it_was else one.told
                if one.gone:
                    self.gone[record.id] = Shown(record, one.told)

    @property
    def _own(self) -> Memories:
        return self._work.memories.own

    def _asked(self, ask: Callable[[list[Memories]], T], *, everywhere: bool = False) -> T:
        """Ask the available stores of the project, or with the user's; see `missing`."""
        stores = self._work.memories.stores
        if self._stores is None:
            self._reached(stores.reachable())
        try:
            return ask(self._among(everywhere=everywhere))
        except StoreAwayError as error:
            self._reached(stores.team_is_away(error))
            return ask(self._among(everywhere=everywhere))

    def _reached(self, found: list[Memories]) -> None:
        self._stores, self.missing = found, self._work.memories.stores.missing
        if self._whole and self.missing:
            raise self._work.memories.stores.away()

    def _among(self, *, everywhere: bool) -> list[Memories]:
        return [one for one in self._stores or () if everywhere or one.ledgers.owner != USER]


def held_back(work: Services, paths: Iterable[str]) -> frozenset[str]:
    """Return those of some files, absolute or in the work tree, that nobody has approved."""
    outlet, root = Outlet(work), work.project.place.root
    asked = {path: os.path.join(root, path) for path in paths}
    admitted = outlet.admitted_files(asked.values())
    return frozenset(path for path, full in asked.items() if full not in admitted)


def _key(record: Record) -> tuple[str, str]:
    """Return what tells a record from one of somebody else's with the same id."""
    return record.id, record.hash


def _among(step: Iterable[Record], shown: Mapping[tuple[str, str], Shown]) -> tuple[Record, ...]:
    return tuple(shown[_key(one)].record for one in step if _key(one) in shown)


def _once(found: Iterable[StoredMemory]) -> list[StoredMemory]:
    """Drop copies and older versions of what another store has too; newest first."""
    newest: dict[str, StoredMemory] = {}
    for one in sorted(found, key=lambda one: one.record.version, reverse=True):
        newest.setdefault(one.record.identity, one)
    return list(newest.values())


def _tracked(records: Iterable[Record]) -> list[StoredMemory]:
    """Treat records of an unknown ledger as lines of the tracked one."""
    return [StoredMemory(one, TRACKED) for one in records]


def _clean(one: StoredMemory) -> Record:
    """Remove secrets from a line that another machine may have written."""
    if one.source != TRACKED:
        return one.record
    from satchel.storage.ledger.file import redacted

    try:
        return redacted(one.record)
    except SatchelError:
        return one.record._replace(content="", title="", data=None)
