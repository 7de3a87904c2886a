"""Forgetting in a project: selects records, finds their copies, rewrites files, writes a receipt.

The ledgers with the memories are rewritten last, so that after being killed a run finds them again
and continues. Indexes that a killed run left are compacted by the next run, and by upkeep.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from satchel.application.forgetting.choosing import (
    cascade,
    copies_of,
    keeps_its_words,
    left_in_memories,
    newest_versions,
    spared_by,
    strings_in,
    texts_of,
)
from satchel.application.forgetting.elsewhere import copies_of_home, unreachable_copies
from satchel.application.forgetting.indexes import pack_indexes
from satchel.application.forgetting.matching import TraceMatcher
from satchel.application.forgetting.on_server import (
    forget_on_server,
    forget_shown,
    in_sessions_on_server,
    lines_on_server,
    server_ledgers,
)
from satchel.application.forgetting.places import (
    Rules,
    SearchedFiles,
    without_name,
    without_removal,
)
from satchel.application.forgetting.receipts import Receipts
from satchel.application.forgetting.retold import told_in_sessions
from satchel.application.forgetting.scrub import is_tombstone
from satchel.application.forgetting.values import (
    DERIVED,
    EPISODE,
    KEPT,
    LEDGER,
    LEDGER_FILE,
    OWNED,
    REMOVE,
    Leftover,
    Place,
    Receipt,
)
from satchel.application.recall.service import recall_memories
from satchel.core.errors import BadInputError, NotFoundError, SatchelError
from satchel.core.values import NamedTuple
from satchel.storage.files import read_file
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.lines import records_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services

    #: Backups that were rewritten, and those that still contain it.
    BackupsDone = tuple[Sequence[Place], Sequence[Leftover]]
    from satchel.storage.ledger.record import Record

_FOUND = 200
#: Fewest characters of an id that identify a suggestion.
_SHORT = 4


class Selection(NamedTuple):
    """The memories to forget: by id or key, query, session, or source."""

    given: tuple[str, ...] = ()
    query: str = ""
    session: str = ""
    source: str = ""


class Plan(NamedTuple):
    """What would be forgotten, and where it was found.

    `chosen` were named, `derived` go with them; `places` are rewritten, `owned` only on a
    person's word, `remains` not at all. `team` counts lines on a server. `everywhere`: the
    person's own memory goes, which every project may have been shown. `told` are passages of
    sessions.
    """

    chosen: tuple[Record, ...]
    derived: tuple[Record, ...]
    rules: Rules
    places: tuple[Place, ...]
    owned: tuple[Place, ...]
    remains: tuple[Leftover, ...]
    team: int = 0
    everywhere: bool = False
    session: str = ""
    told: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Return the ids of everything to remove: what was learnt twice under a key has two."""
        named = dict.fromkeys(one.id for one in (*self.chosen, *self.derived))
        return tuple(named | dict.fromkeys(sorted(self.rules.ids)))


class Forgetting:
    """Forgetting in an open project, which the caller closes."""

    def __init__(self, work: Services) -> None:
        self.work = work
        self.receipts = receipts_of(work)

    def plan(self, selection: Selection) -> Plan:
        """Find what to remove and every place that contains it.

        Only drains the inbox and imports transcripts: what a client's file still says is known by
        the archive's mark on its turn.

        Raises `NotFoundError` where nothing is meant.
        """
        self.work.refresh()
        self.work.listening.drain(60.0)
        self.work.sessions.archive.catch_up()
        every = self._every()
        told = told_in_sessions(self.work, selection.query) if selection.query else []
        seeds = self._chosen(selection, every, elsewhere=bool(told))
        return self._planned(seeds, every, told, selection.session)

    def _planned(
        self, seeds: Sequence[Record], every: Sequence[Record], told: Sequence[str], session: str
    ) -> Plan:
        ids = cascade(seeds, every, session=session)
        texts = {*told, *(text for one in every if one.id in ids for text in texts_of(one))}
        copies = copies_of(TraceMatcher(texts, spared_by(every, ids)), every, ids)
        if copies:
            ids = cascade([one for one in every if one.id in ids | copies], every)
            texts |= {text for one in every if one.id in ids for text in texts_of(one)}
        rules = self._rules(TraceMatcher(texts, spared_by(every, ids)), ids)
        newest = newest_versions(one for one in every if one.id in ids)
        named = {one.identity for one in seeds}
        person = self.work.memories.stores.person
        theirs = {one.id for one in person.live()} if ids and person is not None else set()
        places = self._files(everywhere=bool(theirs & ids), session=session)
        found = places.found(rules)
        at_server = in_sessions_on_server(self.work, rules.traces, session)
        if not (seeds or found or at_server):
            raise _nothing()
        remains = [
            Leftover(path, "a large file", "was not searched") for path in places.passed_over
        ]
        remains += left_in_memories(every, ids, rules.traces)
        return Plan(
            tuple(one for one in newest if one.identity in named),
            tuple(one for one in newest if one.identity not in named),
            rules,
            places=tuple(one for one in found if one.action not in (OWNED, KEPT)),
            owned=tuple(one for one in found if one.action == OWNED),
            remains=(
                *remains,
                *(Leftover(one.path, one.what, "is kept") for one in found if one.action == KEPT),
            ),
            team=lines_on_server(self.work, rules) + at_server,
            everywhere=bool(theirs & ids),
            session=session,
            told=tuple(told),
        )

    def apply(
        self, plan: Plan, *, files: bool = False, backups: Callable[[], BackupsDone] | None = None
    ) -> Receipt:
        """Remove everything in the plan and write the receipt.

        Args:
            files: also rewrite user-owned files.
            backups: handles copies in backups; returns which were rewritten and which still contain
                it.

        Raises `BusyError` if a lock is not free: the command can be repeated.
        """
        every = [one for one in self._every() if one.id in set(plan.ids)]
        hashes = sorted({one.hash for one in every})
        run = self.receipts.begin(plan.ids, hashes)
        self.work.listening.drain(60.0)
        done: list[Place] = []
        remains = list(plan.remains)
        places = self._files(everywhere=plan.everywhere, session=plan.session)
        if self.work.memories.stores.team is not None and plan.team:
            if count := forget_on_server(self.work, plan.rules):
                done.append(Place("the team's server", "lines", f"{count} lines"))
            why = "keeps its own backups and write-ahead log"
            remains.append(Leftover("the team's server", "PostgreSQL", why))
        if shown := forget_shown(self.work, plan.rules, plan.session):
            done.append(Place("the team's server", "published", f"{shown} rows"))
        chosen = [*plan.places, *(plan.owned if files else ())]
        chosen.sort(key=lambda one: (one.what.startswith(LEDGER_FILE), one.path))  # ledgers last
        # What quotes a memory goes first, in every ledger: once the memory's own lines are gone, a
        # run that was killed has no text left to search for.
        ledgers = [one for one in plan.places if one.what.startswith(LEDGER_FILE)]
        for place in ledgers:
            with suppress(SatchelError, FileNotFoundError):  # told below
                places.scrub(place, without_removal(plan.rules))
        for place in chosen:
            if place.action == DERIVED:
                continue
            try:
                places.scrub(place, plan.rules)
            except FileNotFoundError:
                continue
            except SatchelError as error:
                remains.append(Leftover(place.path, place.what, str(error)))
                continue
            done.append(place)
        done += [place for place in plan.places if place.action == DERIVED]
        episodes = any(one.what == EPISODE and one.action == REMOVE for one in done)
        remains += pack_indexes(self.work, places, plan.rules.traces, episodes=episodes)
        if backups is not None:
            rewritten, still = backups()
            done += rewritten
            remains += still
        remains += self._left(plan, places, {one.where for one in remains})
        remains += unreachable_copies(self.work.project, plan.rules.traces, plan.ids)
        remains += copies_of_home(self.work.owner().home.path, plan.rules.traces, plan.ids)
        remains += [Leftover(one, "a file's name", "says it") for one in places.named(plan.rules)]
        done = [one._replace(path=without_name(one.path, plan.rules)) for one in done]
        remains = [one._replace(where=without_name(one.where, plan.rules)) for one in remains]
        left = tuple({(one.where, one.what): one for one in remains}.values())
        return self.receipts.end(run, Receipt(plan.ids, tuple(hashes), tuple(done), left))

    def finish(self, *, packs: bool = False) -> int:
        """Finish killed runs: forget what they left, compact the indexes; return how many.

        With `packs`, the indexes are compacted even if there was none.
        """
        unfinished = self.receipts.known().unfinished
        if not (unfinished or packs):
            return 0
        for ids in unfinished.values():
            every = self._every()
            left = [one for one in every if one.id in ids]
            if left:
                self.apply(self._planned(left, every, (), ""))
        stones = [
            one
            for path in self._files(everywhere=True).ledgers()
            for one in records_in(read_file(path))
            if is_tombstone(one)
        ]
        pack_indexes(self.work, self._files(everywhere=True), TraceMatcher(()))
        for run, ids in unfinished.items():
            gone = [one for one in stones if one.id in ids]
            hashes = sorted({str(h) for one in gone for h in (one.data or {}).get(LEDGER) or ()})
            names = tuple(dict.fromkeys(one.id for one in gone))
            self.receipts.end(run, Receipt(names, tuple(hashes), (), ()))
        return len(unfinished)

    def _left(self, plan: Plan, places: SearchedFiles, told: set[str]) -> list[Leftover]:
        """Search everything again and report what is still there."""
        again = "was written again in the meantime"
        found = [one for one in places.found(plan.rules) if one.path not in told]
        return [Leftover(one.path, one.what, _WHY.get(one.action, again)) for one in found]

    def _files(self, *, everywhere: bool, session: str = "") -> SearchedFiles:
        work = self.work
        return SearchedFiles(
            work.project, work.owner().home, everywhere=everywhere, session=session
        )

    def _rules(self, traces: TraceMatcher, ids: frozenset[str]) -> Rules:
        def goes(record: Record) -> bool:
            data = record.data or {}
            named = record.id in ids or str(data.get("of")) in ids
            if named or bool(ids.intersection(record.derived_from)):
                return True
            # Drawings and proposals made from it mean nothing without its words.
            operation = record.kind == "proposal" or ("op" in data and "entities" in data)
            return operation and any(
                traces.hits(text) for text in strings_in([record.title, record.content, data])
            )

        def stays(record: Record) -> bool:
            return keeps_its_words(record) and record.id not in ids

        return Rules(traces, goes, stays, int(self.work.project.clock.now()), ids)

    def _every(self) -> list[Record]:
        """Return every version of every record that is not a tombstone, also on the server."""
        found = []
        for path in self._files(everywhere=False).ledgers():
            found += [one for one in records_in(read_file(path)) if not is_tombstone(one)]
        for ledger in server_ledgers(self.work):
            records = [line.record for line in ledger.read()]
            found += [one for one in records if one is not None and not is_tombstone(one)]
        return found

    def _named(self, given: str, every: Sequence[Record]) -> list[Record]:
        try:
            identity = self.work.memories.find(given).record.identity
        except NotFoundError:
            found = _suggestion(given, every) or self._left_by_killed(given, every)
            if not found:
                raise
            return found
        return [one for one in every if one.identity == identity]

    def _left_by_killed(self, given: str, every: Sequence[Record]) -> list[Record]:
        """Return what killed runs about this id have not reached: one copy may be gone already."""
        wanted = given.strip().upper()
        runs = self.receipts.known().unfinished.values() if len(wanted) >= _SHORT else ()
        about = {one for ids in runs if any(i.startswith(wanted) for i in ids) for one in ids}
        return [one for one in every if one.id in about]

    def _chosen(
        self, selection: Selection, every: Sequence[Record], *, elsewhere: bool = False
    ) -> list[Record]:
        wanted: list[Record] = []
        for given in selection.given:
            wanted += self._named(given, every)
        if selection.query:
            answer = recall_memories(self.work, selection.query, limit=_FOUND)
            names = {item.record.id for item in answer.items}
            wanted += [one for one in every if one.id in names]
        if selection.session:
            wanted += [one for one in every if one.session.startswith(selection.session)]
        if selection.source:
            wanted += [one for one in every if one.source == selection.source]
        if not any(selection):
            raise BadInputError("What should be forgotten?", hint="Give ids, --query or --session.")
        if not (wanted or selection.session or elsewhere):
            raise _nothing()
        return wanted


def _suggestion(given: str, every: Sequence[Record]) -> list[Record]:
    """Return a suggestion by id or prefix, whatever its state."""
    wanted = given.strip().upper()
    found = {
        one.id
        for one in every
        if one.kind == "proposal" and len(wanted) >= _SHORT and one.id.startswith(wanted)
    }
    return [one for one in every if one.id in found] if len(found) == 1 else []


def _nothing() -> NotFoundError:
    return NotFoundError(
        "That matches nothing that is remembered.",
        hint="`satchel recall` and `satchel memory list` show ids.",
    )


_WHY = {
    OWNED: "is your own file; --files removes it there",
    DERIVED: "is in use, or was made of a file that still says it; `satchel rebuild` rebuilds it",
    KEPT: "is kept",
}


def receipts_of(work: Services) -> Receipts:
    """Open the receipts of a project."""
    state = work.project.state
    return Receipts(Ledger(state.ledger(LEDGER), state.lock(LEDGER), clock=work.project.clock))
