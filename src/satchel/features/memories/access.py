"""Operations on a project's memories: remember, find, list, change, delete."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from satchel.core.errors import BadInputError, NotFoundError, SatchelError
from satchel.core.kinds import EVERYWHERE, kinds_for
from satchel.core.trust import REPO, TRUST_ORDER
from satchel.engine.search.documents import EVERYTHING, Filter
from satchel.engine.search.records import is_private, record_of
from satchel.features.memories.ledgers import TEAM, USER
from satchel.features.memories.newest import REFILED, TAKEN_BACK, newest_of, withdraw
from satchel.project.approvals.rules import trust_from
from satchel.project.place import branch_of, commit_of
from satchel.storage.inbox.faults import note_fault
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.engine.search.records import StoredMemory
    from satchel.features.memories.newest import Newest
    from satchel.features.memories.service import Check, Memories
    from satchel.features.memories.store import MemoryStores
    from satchel.storage.ledger.file import Ledger

#: Fields that do not depend on a memory's kind.
_KEPT = (
    *("title", "source", "task", "epic", "category", "session", "agent", "client", "chat"),
    *("branch", "commit", "visibility", "confidence", "derived_from", "intent_anchors"),
)


class ProjectMemories:
    """The memories of an open project, wherever they are stored.

    Args:
        stores: where they are stored.
        refresh: updates the index from ledgers and inbox, before anything is read.
    """

    def __init__(self, stores: MemoryStores, refresh: Callable[[], None]) -> None:
        self.stores = stores
        self.refresh = refresh

    @property
    def own(self) -> Memories:
        """Return the project's memories on this machine, without refreshing."""
        return self.stores.own

    def ledger(self, kind: str) -> Ledger:
        """Return the private ledger of a kind."""
        return self.stores.ledgers.private(kind)

    def caught_up(self) -> Memories:
        """Return the project's memories on this machine, fully indexed."""
        self.stores.catch_up(self.own)
        return self.own

    def rotate(self) -> None:
        """Rotate the project's private ledgers that are too long."""
        self.stores.rotate(self.own)

    def ledger_paths(self) -> Sequence[str]:
        """Return the files of the private ledgers, archives included."""
        ledgers = self.stores.ledgers.every_private()
        return [path for one in ledgers for path in (one.archive, one.path)]

    # Writing

    def remember(self, content: str, *, kind: str, user: bool = False, **fields: Any) -> Record:
        """Remember something and return it as saved; it is on disk on return.

        Args:
            content: what to remember.
            kind: a kind of memory.
            user: keep it for the user, in every project, instead of for this project.
            fields: other fields of the record (see `Memories.remember`).
        """
        stores = self.stores
        memories = stores.person if user else stores.home_of(kind, {"content": content, **fields})
        if memories is None:
            raise BadInputError("A team's server keeps nothing personal.")
        title, seen_by = str(fields.get("title", "")), str(fields.get("visibility", ""))
        said = Record(kind, content=content, title=title, visibility=seen_by)
        said = said._replace(data=fields.get("data"))
        if stores.for_others and is_private(said):
            raise BadInputError(
                "It is private, or names somebody's address: nobody here could see it.",
                hint="Leave the address out, or ask the server's owner to `satchel remember` it.",
            )
        fields.setdefault("trust", stores.project.trust)
        if stores.project.session:
            fields["session"] = fields.get("session") or stores.project.session
        if not (user or stores.for_others):
            here = stores.project.place.root
            fields.setdefault("branch", branch_of(here))
            fields.setdefault("commit", commit_of(here))
        stores.catch_up(memories)
        if ident := fields.get("id", ""):
            from satchel.features.memories.written_once import written

            if before := written(memories.index, memories.sources, ident):
                return before
        made = memories.remember(content, kind=kind, **fields)
        stores.rotate(memories)
        stores.catch_up(memories)
        return made

    def replaced_by(self, record: Record, *, user: bool = False) -> list[Record]:
        """Return what a record just written replaced.

        Never raises: it is written, and an index that cannot be read must not deny that.
        """
        from satchel.features.memories.replacing import replaced_by

        stores = self.stores
        given = {"content": record.content, "visibility": record.visibility, "data": record.data}
        try:
            memories = stores.person if user else stores.home_of(record.kind, given)
            return [] if memories is None else replaced_by(memories, record)
        except SatchelError as error:
            state, now = self.own.ledgers.state, self.own.clock.now()
            note_fault(state.faults, "replaced memories", str(error), now)
            return []

    def would_replace(self, content: str, kind: str, trust: str) -> list[Record]:
        """Return what a memory of this trust would replace if it were written now."""
        from satchel.features.memories.replacing import replaced_by, with_replaced

        self.refresh()
        record = Record(kind=kind, content=content, trust=trust)
        memories = self.stores.home_of(kind, {"content": content, "visibility": "", "data": None})
        return replaced_by(memories, with_replaced(memories, record))

    def replaced(self, items: Sequence[StoredMemory]) -> frozenset[str]:
        """Return the ids of those memories that later ones have replaced."""
        from satchel.features.memories.replacing import replacements

        return frozenset(self.stores.retry_after_rebuild(lambda: replacements(self.own, items)))

    def successor(self, item: StoredMemory) -> StoredMemory | None:
        """Return what replaced a memory: what holds now, or None if it still holds itself."""
        from satchel.features.memories.replacing import replacements

        found, seen = item, {item.record.id}
        while True:
            record = found.record
            later = replacements(self.own, [found]).get(record.id)
            if later is None and record.deleted_at is not None:
                again = self.refiled(record.id)
                later = None if again is None else self.find(again.id)
            if later is None or later.record.id in seen:
                return None if found is item else found
            found = later
            seen.add(found.record.id)

    def delete(self, reference: str) -> Record:
        """Soft-delete a memory by id or key."""
        return self._deleted(self._holding(reference), reference)

    def remove(self, reference: str, *, check: Check | None = None) -> Record:
        """Soft-delete a memory of this project, never one of the user's. See `edit`."""
        return self._deleted(self._holding(reference, self._of_project()), reference, check)

    def edit(self, reference: str, content: str, *, check: Check | None = None) -> Record:
        """Write a new version of a memory with another text, by id or key.

        `check` receives every version of it while nobody else writes; if it raises, nothing is
        written.
        """
        memories = self._holding(reference)
        edited = memories.edit(reference, content, trust=self.stores.project.trust, check=check)
        self.stores.catch_up(memories)
        return edited

    def refile(self, reference: str, kind: str, content: str) -> Record:
        """Write a memory again with another kind, and hide the one with the wrong kind."""
        memories = self._holding(reference)
        was = memories.find(reference).record
        if was.deleted_at is not None:
            raise BadInputError("This memory is hidden.", hint="`satchel restore ID` first.")
        trust = self.stores.project.trust
        if content == was.content:
            trust = min(trust, was.trust or REPO, key=lambda one: TRUST_ORDER.get(one, 0))
        else:
            trust = trust_from(trust, was)
        fields = {name: getattr(was, name) for name in _KEPT}
        fields["tags"] = tuple(tag for tag in was.tags if tag != was.kind)
        fields["data"] = {**((was.kind != "fact" and was.data) or {}), REFILED: was.id}
        made = memories.remember(content, kind=kind, trust=trust, **fields)
        memories.delete(was.id)
        self.stores.catch_up(memories)
        return made

    def refiled(self, ident: str) -> Record | None:
        """Return the live memory that a memory of the wrong kind became, if any."""
        found = self.own.listed(Filter())
        return next((m.record for m in found if (m.record.data or {}).get(REFILED) == ident), None)

    def annotate(self, reference: str, data: dict[str, Any]) -> Record:
        """Write a new version of a memory with other data; fields missing from `data` stay."""
        memories = self._holding(reference)
        changed = memories.annotate(reference, data)
        self.stores.catch_up(memories)
        return changed

    def restore(self, reference: str, *, check: Check | None = None) -> Record:
        """Restore a deleted memory by id or key. See `edit`."""
        memories = self._holding(reference)
        restored = memories.restore(reference, check=check)
        self.stores.catch_up(memories)
        return restored

    def last_deleted(self, *, but_of: Collection[str] = ()) -> Record | None:
        """Return this project's last deleted memory that can be restored.

        Excludes those derived from one of `but_of`.
        """
        self.refresh()
        latest = self.own.index.latest(self.own.sources)
        records = [record_of(hit.document) for hit in latest if hit.document.deleted]
        # A purged or forgotten memory has the hashes of the removed lines.
        there = [one for one in records if one.deleted_at is not None and not one.data]
        there = [one for one in there if not set(one.derived_from).intersection(but_of)]
        there = [one for one in there if TAKEN_BACK not in one.tags]
        return max(there, key=lambda one: (one.deleted_at or 0, one.version), default=None)

    def last_remembered(self, *, but_of: Collection[str] = ()) -> Newest | None:
        """Return what was last remembered here or for the user. See `last_deleted`."""
        self.refresh()
        return newest_of(filter(None, (self.own, self.stores.person)), but_of)

    def take_back(self, newest: Newest) -> Record:
        """Undo what was last remembered: the key's earlier version holds again."""
        if newest.before is not None:
            return self.edit(newest.record.id, newest.before.content)
        gone = withdraw(newest)
        self.stores.catch_up(newest.of)
        return gone

    def last_edited(self) -> tuple[Record, Record] | None:
        """Return this project's memory whose text was changed last, and its version before."""
        self.refresh()
        latest = self.own.index.latest(self.own.sources)
        changed = (record_of(hit.document) for hit in latest if not hit.document.deleted)
        for one in sorted((r for r in changed if r.rev), key=lambda r: r.version, reverse=True):
            texts = [item.record for item in self.history(one.id)]
            before = next((r for r in texts if r.version < one.version), None)
            # An earlier text was restored, which is not a change to undo.
            put_back = sum(r.content == one.content for r in texts) > 1
            if before is not None and before.content != one.content and not put_back:
                return one, before
        return None

    def _deleted(self, memories: Memories, reference: str, check: Check | None = None) -> Record:
        deleted = memories.delete(reference, check=check)
        self.stores.catch_up(memories)
        return deleted

    # Reading

    def find(self, reference: str) -> StoredMemory:
        """Return a memory by id or key."""
        return self.stores.retry_after_rebuild(lambda: self._holding(reference).find(reference))

    def history(self, reference: str) -> list[StoredMemory]:
        """Return every version of a memory, newest first."""
        return self.stores.retry_after_rebuild(lambda: self._holding(reference).history(reference))

    def versions(self, reference: str) -> Sequence[StoredMemory]:
        """Return every version of a project memory, newest first; none of the user's."""
        return self.stores.retry_after_rebuild(
            lambda: self._holding(reference, self._of_project()).history(reference)
        )

    def live_everywhere(self, kinds: tuple[str, ...], limit: int) -> Sequence[Record]:
        """Return live records of these kinds, at most `limit` from each store."""
        self.refresh()
        return [
            one for store in self.stores.every() for one in store.live(kinds=kinds, limit=limit)
        ]

    def following_git(self) -> Sequence[Record]:
        """Return live records tied to commits, from every available store."""
        self.refresh()
        only = Filter(without=kinds_for(EVERYWHERE))
        stores = self.stores.reachable()
        return [one.record for store in stores for one in store.listed(only)]

    def list(
        self, only: Filter, limit: int, *, all_versions: bool = False
    ) -> Sequence[StoredMemory]:
        """Return memories, newest first."""
        self.refresh()
        return self.stores.retry_after_rebuild(
            lambda: self._listed(only, limit, all_versions=all_versions)
        )

    def count(self, only: Filter) -> int:
        """Return the number of memories that `list` returns without a limit."""
        return sum(map(_counted(only), self.stores.every()))

    def facts(self, *, as_of: float | None = None, about: str = "") -> Sequence[Record]:
        """Return facts of the project and its team that hold now or at `as_of`; of two copies, one.

        `about` filters by subject.
        """
        found = [f for store in self._of_project() for f in store.facts(as_of=as_of, about=about)]
        return list({(one.identity, one.version): one for one in found}.values())

    def counts(self) -> tuple[dict[str, int], str]:
        """Count the project's live memories by kind, and say why the team's are missing, or ""."""
        own = self.own
        here = own.index.counts(own.view())
        shared = [one for one in self.stores.reachable() if one.ledgers.owner == TEAM]
        team = self.stores.team
        if team is None or not shared:
            return here, self.stores.missing
        records = [one.record for one in own.listed(Filter())]
        copies = team.held([one.identity for one in records])
        found = dict(shared[0].index.counts(shared[0].view()))
        for one in records:
            if one.identity not in copies:
                found[one.kind] = found.get(one.kind, 0) + 1
        return found, ""

    def page(
        self, only: Filter, start: int, limit: int, *, all_versions: bool = False
    ) -> tuple[Sequence[StoredMemory], int]:
        """Return a page of project and team memories, newest first; none of the user's.

        Returns at most `limit` from `start` on, and the total.
        """
        stores = self._of_project()
        counts = [*map(_counted(only), stores)]
        filled = [store for store, count in zip(stores, counts, strict=True) if count]
        if len(filled) <= 1 and not all_versions:
            found = filled[0].listed(only, limit, start=start) if filled else []
            return found, sum(counts)
        # The same line may be in both, so only a whole list can be counted.
        every = self._listed(only, EVERYTHING, all_versions=all_versions, stores=stores)
        return every[start : start + limit], len(every)

    def shareable_count(self) -> int:
        """Count memories that could be shared and are not yet."""
        own, project = self.own, self.stores.project
        tracked = [s for s in own.sources if s.label == "tracked"]
        only = Filter(kinds=project.shared_kinds)
        return own.index.count_unshared(tracked, own.view(only))

    def _listed(
        self, only: Filter, limit: int, *, all_versions: bool, stores: Sequence[Memories] = ()
    ) -> Sequence[StoredMemory]:
        found = []
        for store in stores or self.stores.every():
            found += store.listed(only, limit, all_versions=all_versions)
        # The same line may be in the team's store and, as a copy, on this machine.
        once = {(item.record.identity, item.record.version): item for item in found}
        return sorted(once.values(), key=lambda item: item.record.version, reverse=True)[:limit]

    def _of_project(self) -> Sequence[Memories]:
        self.refresh()
        if self.stores.team is None:
            return [self.own]
        return [one for one in self.stores.every() if one.ledgers.owner != USER]

    def _holding(self, reference: str, among: Sequence[Memories] = ()) -> Memories:
        """Return the store of a memory: the project's or the user's."""
        self.refresh()
        # A local copy follows the team's store, never the other way round.
        *others, last = sorted(
            among or self.stores.every(), key=lambda store: store.ledgers.owner != TEAM
        )
        for store in others:
            try:
                store.find(reference)
            except NotFoundError:
                continue
            return store
        return last


def _counted(only: Filter) -> Callable[[Memories], int]:
    """Return what counts a store's live memories in a filter."""
    return lambda store: sum(store.index.counts(store.view(only)).values())
