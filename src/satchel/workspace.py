"""The workspace: the one composition root, and the public API.

    from satchel.workspace import Workspace

    with Workspace.open(".") as workspace:
        workspace.learn("Run `make lint` before pushing: CI fails on warnings.")
        answer = workspace.recall("what must I do before pushing?")

Settings, stores and clock meet here and nowhere else. Opening one reads settings and finds the
project; databases are opened when something is first read.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from types import TracebackType

from satchel.clock import Clock
from satchel.errors import (
    BusyError,
    NoProjectError,
    NotReadableError,
    NotWritableError,
    StoreError,
)
from satchel.layout import TrackedFiles, UserHome
from satchel.locks import FileLock
from satchel.memories.documents import parse_line
from satchel.memories.ledgers import USER, Ledgers
from satchel.memories.service import Limits, Memories
from satchel.projects.finding import branch_of, find_place, known_key
from satchel.scopes import Scope
from satchel.search.index import Filter, Index
from satchel.settings.environment import home_path
from satchel.settings.loading import load_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

    from satchel.briefs.sections import Brief
    from satchel.capture.draining import Drained
    from satchel.health.doctor import Finding
    from satchel.health.statistics import Statistics
    from satchel.inbox.spool import Inbox
    from satchel.injections.injection_ledger import InjectionLedger
    from satchel.layout import PrivateState
    from satchel.ledger.record import Record
    from satchel.memories.service import Remembered
    from satchel.projects.finding import Place
    from satchel.recall.answers import Answer
    from satchel.settings.table import Settings
    from satchel.storage.database import Database

_TRUNKS = ("", "main", "master", "trunk", "develop")


class Workspace:
    """One project, opened from one of its work trees.

    Args:
        place: where it was opened.
        home: the user's Satchel directory.
        clock: the time; tests pass a `FixedClock`.
        patience: seconds to wait for another process; hooks have little of it.
    """

    def __init__(
        self, place: Place, home: UserHome, clock: Clock, *, patience: float | None = None
    ) -> None:
        self.place = place
        self.home = home
        self.clock = clock
        self.key = known_key(home.registry, place) or self._registered()
        self.state = home.project_state(self.key)
        project_file = TrackedFiles(place.root).project_file
        self.settings: Settings = load_settings(
            home.configuration, project_file, self.state.settings_snapshot
        )
        self.tracked = TrackedFiles(place.root, self.settings.text("layout.preset"))
        wait = self.settings.number("index.wait_ms") / 1000
        self.patience = wait if patience is None else patience
        self._ledger_patience = 30.0 if patience is None else patience
        self.ledgers = Ledgers(
            self.state, self.tracked.knowledge, clock=clock, timeout=self._ledger_patience
        )
        self._memories: Memories | None = None
        self._user: Memories | None = None

    def _registered(self) -> str:
        """Register a place that is new here. Starts git, once."""
        from satchel.projects.registering import project_key

        return project_key(self.home, self.place)

    @classmethod
    def open(cls, start: str = ".", *, home: str = "", clock: Clock | None = None) -> Self:
        """Open the project that `start` lies in.

        Raises `NoProjectError` where there is none: `satchel init` makes one.
        """
        place = find_place(start)
        if place is None:
            raise NoProjectError(
                f"{os.path.abspath(start)} is in no Satchel project.",
                hint="Run `satchel init` at the top of your repository.",
            )
        return cls(place, UserHome(home or home_path()), clock or Clock())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close databases that were opened."""
        for memories in (self._memories, self._user):
            if memories is not None:
                memories.index.database.close()
                memories.ledgers.close()
        self._memories = self._user = None

    # Parts

    @property
    def memories(self) -> Memories:
        """The project's memories. The index is opened as it is: see `fresh`."""
        if self._memories is None:
            index = open_index(self.state, self.patience)
            self._memories = Memories(self.ledgers, index, self.clock, self._limits())
        return self._memories

    @property
    def user_memories(self) -> Memories:
        """Memories that belong to the person, in every project."""
        if self._user is None:
            state = self.home.user_state
            ledgers = Ledgers(
                state, "", clock=self.clock, owner=USER, timeout=self._ledger_patience
            )
            index = open_index(state, self.patience)
            self._user = Memories(ledgers, index, self.clock, self._limits())
        return self._user

    def _limits(self) -> Limits:
        hours = self.settings.number("memory.insight_ttl_hours")
        return Limits(self.settings.integer("memory.max_bytes"), hours * 3600)

    @property
    def inbox(self) -> Inbox:
        """What hooks have appended."""
        from satchel.inbox.spool import Inbox

        return Inbox(self.state.inbox)

    @property
    def injections(self) -> InjectionLedger:
        """What was put before agents in this project."""
        from satchel.injections.injection_ledger import InjectionLedger
        from satchel.ledger.file import Ledger

        path, lock = self.state.ledger("injections"), self.state.lock("injections")
        return InjectionLedger(Ledger(path, lock, clock=self.clock, timeout=self._ledger_patience))

    def _stores(self) -> list[Memories]:
        """Project first; the user's own only once there is something in it."""
        stores = [self.memories]
        if os.path.isdir(self.home.user_state.ledgers):
            self._caught_up(self.user_memories)
            stores.append(self.user_memories)
        return stores

    # Writing

    def learn(self, content: str, **fields: Any) -> Record:
        """Remember something learnt. See `remember`."""
        return self.remember(content, kind="learned", **fields)

    def remember(self, content: str, *, kind: str, user: bool = False, **fields: Any) -> Record:
        """Remember one thing and return it as saved; it is on disk when this returns.

        Args:
            content: what to remember.
            kind: a kind of memory.
            user: keep it for the person, in every project, instead of for this project.
            fields: other fields of the record (see `Memories.remember`).
        """
        if fields.get("task") and not fields.get("epic"):
            # Kept with the memory of a task only so that it can be shown; scoping asks the task.
            fields.setdefault("epic", "")
        memories = self.user_memories if user else self.memories
        self._caught_up(memories)
        written = memories.remember(content, kind=kind, **fields)
        self._rotate(memories)
        return written

    def delete(self, given: str) -> Record:
        """Delete a memory softly, by id or key."""
        self.fresh()
        deleted = self.memories.delete(given)
        self._caught_up(self.memories)
        return deleted

    # Reading

    def fresh(self) -> None:
        """Bring the index up to date: changed ledgers first, then the inbox."""
        self._caught_up(self.memories)
        if not self.inbox.waiting():
            return
        drained = self.drain(self.settings.number("inbox.drain_ms") / 1000)
        if drained.left:
            self._drain_in_background()

    def drain(self, seconds: float) -> Drained:
        """Drain the inbox for at most `seconds` and index what came of it."""
        from satchel.capture.draining import Drainer
        from satchel.ledger.quarantine import Quarantine

        drainer = Drainer(
            self.inbox,
            self.memories,
            self.injections,
            Quarantine(self.state.quarantine),
            self.state.faults,
        )
        drained = drainer.drain(seconds)
        if drained.written:
            self._rotate(self.memories)
            self._caught_up(self.memories)
        return drained

    def pending(self) -> list[Record]:
        """Records of events that are still in the inbox."""
        if not self.inbox.waiting():
            return []
        from satchel.capture.draining import pending_records

        return pending_records(self.inbox)

    def recall(
        self,
        question: str,
        *,
        limit: int = 0,
        only: Filter | None = None,
        task: str = "",
    ) -> Answer:
        """Answer a question from everything remembered here and by the person."""
        from satchel.recall.keyword import recall

        self.fresh()
        return recall(
            question,
            self._stores(),
            limit=limit or self.settings.integer("recall.limit"),
            only=only,
            scope=self.scope(task),
            pending=self.pending(),
        )

    def find(self, given: str) -> Remembered:
        """Find one memory by id or key."""
        self.fresh()
        return self.memories.find(given)

    def history(self, given: str) -> list[Remembered]:
        """Every version of a memory, newest first."""
        self.fresh()
        return self.memories.history(given)

    def list(self, only: Filter, limit: int, *, all_versions: bool = False) -> Sequence[Remembered]:
        """Memories, newest first."""
        self.fresh()
        return self.memories.listed(only, limit, all_versions=all_versions)

    def scope(self, task: str = "") -> Scope:
        """Return the scope of a task; without one, of the task the branch is named after."""
        paths = [path for path in self.tracked.tasks if os.path.isfile(path)]
        branch = "" if task else branch_of(self.place.root)
        if not task and (branch in _TRUNKS or not paths):
            return Scope()
        if not paths:
            return Scope(task)
        from satchel.tasks.reading import epic_of, read_tasks

        tasks = read_tasks(paths)
        named = task or next(
            (part for part in (branch, branch.split("/")[-1]) if part in tasks), ""
        )
        return Scope(named, epic_of(named, tasks) if named else "")

    # Briefs

    def session_brief(self, *, task: str = "", role: str = "", most: int = 0) -> Brief:
        """Compose what a session starts with; `most` is the client's own limit, in tokens."""
        from satchel.briefs.session_start import session_brief
        from satchel.trust import new_nonce

        self.fresh()
        return session_brief(
            self._stores(),
            self.settings,
            scope=self.scope(task),
            nonce=new_nonce(),
            waiting_to_share=self.shareable_count(),
            role=role,
            budget=self._budget("brief.max_tokens", most),
        )

    def prompt_brief(self, prompt: str, *, session: str, most: int = 0) -> Brief:
        """Compose what a prompt gets: new memories that matter to it, or nothing."""
        from satchel.briefs.prompt import prompt_brief
        from satchel.trust import new_nonce

        self.fresh()
        shown = self.injections.of_session(session) if session else []
        return prompt_brief(
            prompt,
            self._stores(),
            self.settings,
            scope=self.scope(),
            nonce=new_nonce(),
            already={item.identity for one in shown for item in one.items},
            pending=self.pending(),
            budget=self._budget("prompt.max_tokens", most),
        )

    def _budget(self, name: str, most: int) -> int:
        wanted = self.settings.integer(name)
        return min(wanted, most) if most else wanted

    def note_injection(self, brief: Brief, *, session: str, event: str, agent: str = "") -> None:
        """Write down what was put before an agent."""
        from satchel.injections.injection_ledger import Injected, Injection

        items = tuple(
            Injected(
                p.item.identity, p.item.id, p.section, p.rank, p.tokens, p.item.why, p.item.raw
            )
            for p in brief.placed
        )
        injection = Injection(
            int(self.clock.now()), session, event, agent, brief.tokens, brief.budget,
            brief.left_out, items,
        )  # fmt: skip
        self.injections.note(injection)

    def shareable_count(self) -> int:
        """Count memories that could go to the team's ledger and are not in it."""
        tracked = [s for s in self.memories.sources if s.label == "tracked"]
        only = Filter(kinds=self.settings.words("share.kinds"))
        index, now = self.memories.index, self.clock.now()
        return index.count_unshared(tracked, self.memories.sources, now=now, only=only)

    # Upkeep of derived things

    def rebuild(self) -> int:
        """Build the index anew from ledgers; return how many documents it holds."""
        self.close()
        with FileLock(self.state.lock("index")):
            for ending in ("", "-wal", "-shm"):
                if os.path.exists(self.state.index + ending):
                    os.unlink(self.state.index + ending)
        return self._caught_up(self.memories)

    def upkeep(self, step: str, *, dry_run: bool, confirmed: bool) -> dict[str, str]:
        """Run one step of upkeep, or all; return what each did, in words."""
        from satchel.upkeep.rounds import run_rounds

        self.fresh()
        report = {}
        if step in ("all", "drain") and not dry_run:
            drained = self.drain(60.0)
            report["drain"] = f"{len(drained.written)} records written, {drained.left} events left"
        report |= run_rounds(
            self.memories, self.settings, step, dry_run=dry_run, confirmed=confirmed
        )
        self._caught_up(self.memories)
        return report

    def examine(self) -> Sequence[Finding]:
        """Find and explain whatever is wrong. Changes nothing but the index."""
        from satchel.health.doctor import examine
        from satchel.storage.sqlite import engine_is_safe

        self._caught_up(self.memories)
        return examine(
            engine_is_safe=engine_is_safe(),
            memories=self.memories,
            state=self.state,
            tracked=self.tracked,
            inbox=self.inbox,
            injections=self.injections,
            root=self.place.root,
            clock=self.clock,
        )

    def statistics(self) -> Statistics:
        """Count memories, tokens and bytes."""
        from satchel.health.statistics import collect

        self.fresh()
        return collect(
            memories=self.memories,
            state=self.state,
            tracked=self.tracked,
            inbox=self.inbox,
            injections=self.injections,
            clock=self.clock,
        )

    def other_database(self, path: str) -> Database:
        """Open another program's database, to read from it."""
        from satchel.storage.sqlite import SqliteDatabase

        return SqliteDatabase(path)

    def _caught_up(self, memories: Memories) -> int:
        """Index what changed. A busy index is read as it stands; a broken one is built anew."""
        try:
            return self._index_and_quarantine(memories)
        except BusyError:
            return 0
        except NotWritableError as error:
            # A full disk: what was indexed before can still be read.
            note_fault(memories.ledgers.state, "index", str(error))
            return 0
        except NotReadableError:
            if not os.path.exists(memories.ledgers.state.index):
                raise
            state = memories.ledgers.state
            set_aside(state, memories.index)
            memories.index = open_index(state, self.patience)
            return self._index_and_quarantine(memories)

    def _index_and_quarantine(self, memories: Memories) -> int:
        done = memories.index.catch_up(memories.sources)
        if done.damage:
            from satchel.ledger.quarantine import Quarantine

            quarantine = Quarantine(memories.ledgers.state.quarantine)
            for damage in done.damage:
                raw, now = damage.raw.rstrip(b"\n"), int(self.clock.now())
                quarantine.keep(damage.path, raw, damage.reason, now)
        return done.added

    def _rotate(self, memories: Memories) -> None:
        """Rotate private ledgers that have grown too long. A busy one waits for the next time."""
        from satchel.ledger.rotation import rotate

        above = self.settings.integer("rotation.above")
        for ledger in memories.ledgers.every_private():
            # A line has a hundred bytes at least: shorter files need no counting.
            if os.path.exists(ledger.path) and os.path.getsize(ledger.path) > above * 100:
                try:
                    rotate(ledger, above=above, move=self.settings.integer("rotation.move"))
                except BusyError:
                    continue

    def _drain_in_background(self) -> None:
        """Leave the rest of the inbox to one detached process that ends by itself."""
        import subprocess
        import sys

        subprocess.Popen(
            [sys.executable, "-m", "satchel", "upkeep", "drain"],
            cwd=self.place.root,
            env={**os.environ, "SATCHEL_HOME": self.home.path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            close_fds=True,
        )


def open_index(state: PrivateState, patience: float) -> Index:
    """Open an index; one of another version or with damage is set aside and made anew.

    Where nothing can be written, the index is made in memory: reading still works.
    """
    try:
        return _open(state.index, patience)
    except NotReadableError:
        set_aside(state, None)
        return _open(state.index, patience)
    except NotWritableError:
        return _open(":memory:", patience)


def _open(path: str, patience: float) -> Index:
    from satchel.storage.sqlite import SqliteDatabase

    return Index(SqliteDatabase(path, busy_seconds=patience), parse_line)


def set_aside(state: PrivateState, index: Index | None) -> None:
    """Move a damaged index aside, never away: someone may want to know what happened to it."""
    if index is not None:
        index.database.close()
    with FileLock(state.lock("index"), timeout=10):
        if _opens(state):
            return
        for ending in ("", "-wal", "-shm"):
            if os.path.exists(state.index + ending):
                os.replace(state.index + ending, f"{state.index}.damaged{ending}")
        note_fault(state, "index", "the index could not be used and is built anew")


def _opens(state: PrivateState) -> bool:
    """Say whether another process has mended the index meanwhile."""
    from satchel.storage.sqlite import SqliteDatabase

    try:
        database = SqliteDatabase(state.index)
        try:
            Index(database, parse_line)
            return not database.problems()
        finally:
            database.close()
    except StoreError:
        return False


def note_fault(state: PrivateState, where: str, what: str) -> None:
    """Write down a fault that nobody was shown, for `satchel doctor`. Never raises."""
    from satchel.inbox.faults import note_fault as note

    note(state.faults, where, what, time.time())
