"""Memories: the operations that interfaces and hooks call."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.clock import Clock
from satchel.core.errors import (
    BadInputError,
    ContentTooLargeError,
    EmptyContentError,
    NotFoundError,
)
from satchel.core.ids import memory_key, short_id, text_id
from satchel.core.kinds import KINDS, LESSON, kind_named
from satchel.core.trust import USER
from satchel.core.values import Any, NamedTuple
from satchel.engine.search.documents import EVERYTHING, Filter, View
from satchel.engine.search.records import StoredMemory, record_of, remembered
from satchel.features.memories.ledgers import TRACKED, append_to
from satchel.features.memories.lookup import find_memory
from satchel.features.memories.shared import own_beside
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from satchel.core.scope import Scope
    from satchel.engine.search.contracts import SearchIndex
    from satchel.engine.search.documents import Source
    from satchel.features.memories.contract import MemoryLedgers
    from satchel.features.memories.scoped import Scoped

    #: Receives every version of a memory, newest first, before another is written; may refuse it.
    Check = Callable[[Sequence[StoredMemory]], None]

_ALL = Filter()
_LONGEST_SECONDS = 100 * 366 * 86_400


class Limits(NamedTuple):
    """The maximum size of a memory, and an insight's default lifetime.

    `single_valued` are predicates, in lower case, for which a subject has one value at a time.
    """

    content_bytes: int = 262_144
    insight_seconds: float = 3600.0
    single_valued: tuple[str, ...] = ()


class Memories:
    """The memories of one place.

    Args:
        ledgers: for writing.
        index: for reading; the caller has updated it.
        limits: the maximum size of a memory, and the lifetime of an insight.
        sources: what may be seen; everything of the ledgers if None.
    """

    def __init__(
        self,
        ledgers: MemoryLedgers,
        index: SearchIndex,
        clock: Clock,
        limits: Limits,
        sources: list[Source] | None = None,
    ) -> None:
        self.ledgers = ledgers
        self.index = index
        self.clock = clock
        self.limits = limits
        self.sources = ledgers.sources() if sources is None else sources

    @property
    def held(self) -> Memories:
        """Unapproved memories from the repository, for review and recall."""
        held = self.ledgers.held_sources()
        return Memories(self.ledgers, self.index, self.clock, self.limits, held)

    def view(self, only: Filter = _ALL) -> View:
        """Return what a query sees of these memories now."""
        return View(self.sources, self.clock.now(), only)

    def remember(self, content: str, *, kind: str = "learned", **fields: Any) -> Record:
        """Write a memory and return it as saved.

        Args:
            content: what to remember; a fact may be written `subject | predicate | object`.
            kind: a kind from the table, in any spelling.
            fields: other fields of the record; `key` names a preference; `expires_in` is
                seconds from now.
        """
        from satchel.core.redaction.redactor import redact
        from satchel.features.memories.facts import SINGLE, check_times, parse_triple, triple_data
        from satchel.features.memories.replacing import with_replaced
        from satchel.features.memories.tags import detect_tags
        from satchel.features.memories.written_once import append_once
        from satchel.storage.ledger.file import redacted

        named = kind_named(kind)
        # Redacted before the key is derived: a slug would hide a secret from the patterns.
        text = redact(self._checked(content))[0]
        expires_in = fields.pop("expires_in", None)
        if named.name == "insight" and expires_in is None and "expires_at" not in fields:
            expires_in = self.limits.insight_seconds
        if expires_in is not None:
            fields["expires_at"] = self._after(float(expires_in))
        check_times(fields)
        key = str(fields.pop("key", "")).strip() or memory_key(named.name, text)
        given = fields.get("data") or {}
        if named.name == "fact" and "subject" not in given:
            triple = parse_triple(text)
            if triple:
                fields["data"] = triple_data(*triple) | given
                if triple[1].casefold() in self.limits.single_valued:
                    fields["data"].setdefault(SINGLE, True)
        tags = detect_tags(named.name, text, tuple(fields.pop("tags", ())))
        fields.setdefault("trust", USER)
        record = Record(kind=named.name, content=text, key=key, tags=tags, **fields)
        record = redacted(record)
        if named.name == LESSON and record.key == memory_key(LESSON, record.content):
            record = self._told_apart(record)
        closed: list[Record] = []
        if named.name == "fact":
            closed, record = self._closed_by(record), self._ended(record)
        record = with_replaced(self, self._after_older(record))
        return append_once(self.ledgers, self.index, self.sources, [*closed, record])

    def append(self, records: Sequence[Record]) -> list[Record]:
        """Append records to their private ledgers unchanged."""
        return append_to(self.ledgers, records)

    def _checked(self, content: str) -> str:
        text = content.strip()
        if not text:
            raise EmptyContentError(hint='Say what to remember: `satchel learn "..."`.')
        limit = self.limits.content_bytes
        size = len(text.encode("utf-8", "replace"))
        if size > limit:
            raise ContentTooLargeError(
                f"The content has {size:,} bytes; a memory may have {limit:,}.",
                hint="Keep the lesson, and put the material into a file that it names.",
            )
        return text

    def _after(self, seconds: float) -> int:
        if not 0 < seconds < _LONGEST_SECONDS:
            raise BadInputError(
                f"A memory cannot expire after {seconds:g} s.", hint="For example: 30m, 24h, 7d."
            )
        return int(self.clock.now() + seconds)

    def _after_older(self, record: Record) -> Record:
        """Date a keyed memory's new version after the one it replaces.

        A private ledger orders its own lines; in the team's ledger a line may come from a machine
        whose clock runs ahead.
        """
        if not KINDS[record.kind].keyed or self.ledgers.tracked is None:
            return record
        versions = self.index.history(record.identity, self.sources)
        now = int(self.clock.now())
        if versions and versions[0].source == TRACKED and versions[0].document.ts >= now:
            return record._replace(ts=versions[0].document.ts + 1, wall=now)
        return record

    def _told_apart(self, lesson: Record) -> Record:
        """Give a lesson an identity from its text, since others may begin alike.

        Lines of other programs have none: if one says the same, this is a newer version of it.
        """
        ident = text_id(lesson.content)
        for hit in self.index.history(lesson.identity, self.sources)[:1]:
            if not hit.document.deleted and text_id(hit.document.content) == ident:
                return lesson
        return lesson._replace(text_id=ident)

    def _closed_by(self, fact: Record) -> list[Record]:
        from satchel.features.memories.facts import closing_records

        now = int(self.clock.now())
        dated = fact.valid_from is not None
        newer = fact._replace(valid_from=fact.valid_from if dated else now, ts=now)
        return closing_records(self.live(kinds=("fact",)), newer, now, dated=dated)

    def _ended(self, fact: Record) -> Record:
        """Close a past fact whose later answer is already known."""
        from satchel.features.memories.facts import valid_until

        if fact.valid_from is None:
            return fact
        return fact._replace(valid_to=valid_until(fact, self.live(kinds=("fact",))))

    def live(
        self, *, kinds: tuple[str, ...] = (), limit: int = EVERYTHING, task: str = ""
    ) -> list[Record]:
        """Return live records, newest first."""
        only = Filter(kinds=kinds, task=task)
        hits = self.index.live(self.view(only), limit=limit)
        return [record_of(hit.document) for hit in hits]

    def listed(
        self, only: Filter, limit: int = EVERYTHING, *, all_versions: bool = False, start: int = 0
    ) -> list[StoredMemory]:
        """Return records, newest first; `all_versions` includes deleted and expired ones.

        Skips the first `start`.
        """
        if all_versions:
            hits = self.index.latest(self.sources, limit=start + limit, only=only)[start:]
        else:
            hits = self.index.live(self.view(only), limit=limit, start=start)
        return [remembered(hit) for hit in hits]

    def scoped(self, scope: Scope, *, kinds: tuple[str, ...] = (), rules: int) -> Scoped:
        """Return memories relevant to a task and the newest rules, in Beads Console's steps."""
        from satchel.features.memories.scoped import read_scoped

        constraints = self.live(kinds=("constraint",), limit=rules)
        near = self.live(task=scope.task) if scope.task else []
        if scope.epic:
            near += [m.record for m in self.listed(Filter(epic=scope.epic))]
        every = {record.identity: record for record in [*near, *constraints]}
        return read_scoped(every.values(), scope, self.clock.now(), kinds=kinds)

    def facts(self, *, as_of: float | None = None, about: str = "") -> list[Record]:
        """Return facts that hold now or at `as_of`; `about` filters by subject."""
        from satchel.features.memories.facts import facts_at

        wanted = about.casefold()
        now = self.clock.now()
        hits = self.index.latest(self.sources, only=Filter(kinds=("fact",)))
        # Closed facts are not live, but still answer questions about the past.
        every = [record_of(hit.document) for hit in hits if not hit.document.deleted]
        kept = [fact for fact in every if fact.expires_at is None or fact.expires_at > now]
        found = facts_at(kept, now if as_of is None else as_of)
        return [f for f in found if wanted in str((f.data or {}).get("subject", "")).casefold()]

    def preference(self, key: str, *, agent: str = "") -> tuple[Record, int] | None:
        """Return a preference and its version, from 1; None if it was never set."""
        probe = Record(kind="preference", key=key, agent=agent)
        versions = self.index.history(probe.identity, self.sources)
        if not versions or versions[0].document.deleted:
            return None
        return record_of(versions[0].document), len(versions)

    def find(self, reference: str) -> StoredMemory:
        """Return a memory, live or not, by id (or prefix, or UUID) or by key."""
        return find_memory(self.index, self.sources, reference)

    def history(self, reference: str) -> list[StoredMemory]:
        """Return every version of a memory, newest first."""
        identity = self.find(reference).record.identity
        return [remembered(hit) for hit in self.index.history(identity, self.sources)]

    def delete(self, reference: str, *, check: Check | None = None) -> Record:
        """Soft-delete a memory by appending a line: a tombstone, or one's own beside it again."""

        def deleted(record: Record) -> Record:
            if record.deleted_at is not None:
                raise BadInputError("This memory is already deleted.")
            if (own := own_beside(record, self.history(record.id))) is not None:
                return own
            now = int(self.clock.now())
            return record._replace(content="", title="", data=None, deleted_at=now)

        return self._revise(reference, deleted, check)

    def edit(
        self, reference: str, content: str, *, trust: str = USER, check: Check | None = None
    ) -> Record:
        """Write a memory's new version with another text; earlier ones stay in its history.

        Args:
            reference: its id or key.
            content: the whole new text.
            trust: the writer's trust.
            check: may refuse it, while nobody else writes.
        """

        def edited(record: Record) -> Record:
            if record.deleted_at is not None:
                hint = f"`satchel restore {short_id(record.id)}` brings it back."
                raise BadInputError("This memory is hidden.", hint=hint)
            if record.kind == "fact" and (record.data or {}).get("subject"):
                raise BadInputError(
                    "A fact ends, it does not change.",
                    hint='Write the new one: `satchel remember --kind fact "A | is | C"`.',
                )
            text = self._checked(content)
            if text == record.content:
                return record
            from satchel.project.approvals.rules import trust_from  # recall changes nothing

            versions = self.index.history(record.identity, self.sources)
            same = [one for hit in versions if (one := remembered(hit).record).content == text]
            known = trust_from(trust, record, same=same)
            return record._replace(content=text, trust=known, edited=False)

        return self._revise(reference, edited, check)

    def annotate(self, reference: str, data: dict[str, Any]) -> Record:
        """Write a memory's new version with other data; fields missing from `data` stay."""
        return self._revise(reference, lambda r: r._replace(data={**(r.data or {}), **data}))

    def restore(self, given: str, *, check: Check | None = None) -> Record:
        """Restore a deleted memory as it was when deleted."""

        def restored(record: Record) -> Record:
            if record.deleted_at is None:
                raise BadInputError("This memory is not deleted.")
            versions = self.index.history(record.identity, self.sources)
            kept = [hit.document for hit in versions if not hit.document.deleted]
            if not kept:
                raise NotFoundError(
                    "Only an empty line is left of this memory: it was purged or forgotten.",
                    hint="A backup made before a purge may have it.",
                )
            return record_of(kept[0])._replace(id=record.id)

        return self._revise(given, restored, check)

    def _revise(
        self, reference: str, change: Callable[[Record], Record], check: Check | None = None
    ) -> Record:
        """Append a memory's new version; `check` runs on the current one under the lock."""
        found = same = self.find(reference).record

        def make() -> list[Record]:
            nonlocal same
            record = found
            if check is not None:
                # A busy index raises: compared with stale content, anything would pass.
                self.index.catch_up(self.sources)
                check(self.history(reference))
                record = self.find(reference).record
            changed = change(record)
            if changed is record:
                same = record
                return []
            now = int(self.clock.now())
            wall = now if record.ts > now + 1 else None
            ts = max(now, record.ts + (changed.id != record.id))
            from satchel.project.approvals.rules import trust_of  # recall changes nothing

            # A line that was edited by hand keeps what that says of it.
            changed = changed._replace(trust=trust_of(changed), edited=False)
            return [changed._replace(rev=record.rev + 1, ts=ts, wall=wall)]

        return (self.ledgers.private(found.kind).append_made(make) or [same])[0]
