"""Upkeep of a project: bounded steps in order, resumed if a run was killed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from satchel.application.services import Services, private_states
from satchel.application.upkeep.ledger_upkeep import OF_LEDGERS, LedgerUpkeep, purged_on_server
from satchel.application.upkeep.steps import ALL, NAMES, STEPS, Step, steps_of
from satchel.core import quick_json
from satchel.core.errors import BadInputError, BusyError, SatchelError, StoreError
from satchel.core.plurals import counted
from satchel.core.values import NamedTuple
from satchel.features.memories.embedding import embed
from satchel.project.registry import heal_identity
from satchel.storage.files import read_file, replace_file
from satchel.storage.locks import FileLock
from satchel.storage.paths import UPKEEP

#: Seconds after which a killed run is started over instead of resumed.
STALE = 20 * 3600.0


class StepRun(NamedTuple):
    """When a step last ended, in Unix seconds, and its report."""

    at: float
    told: str


class RunState(NamedTuple):
    """Each step's last end; when the open run began (0: none), and its remaining steps.

    `purging` says that a purge began and has not packed the indexes.
    """

    steps: dict[str, StepRun]
    began: float = 0.0
    left: tuple[str, ...] = ()
    purging: bool = False

    def resumes(self, now: float) -> bool:
        """Return whether a killed run is being resumed."""
        return bool(self.left) and 0 <= now - self.began < STALE

    def with_started(self, now: float, names: Sequence[str]) -> RunState:
        """Return the state with a run of these steps started."""
        return self._replace(began=now, left=tuple(names))

    def with_ended(self, name: str, now: float, told: str | None) -> RunState:
        """Return the state with one step ended; None means it was skipped."""
        left = tuple(one for one in self.left if one != name)
        steps = self.steps if told is None else {**self.steps, name: StepRun(now, told)}
        return self._replace(steps=steps, left=left)

    def with_purge(self, *, begun: bool) -> RunState:
        """Return the state with a purge begun, or packed."""
        return self._replace(purging=begun)


def read_run_state(path: str) -> RunState:
    """Read the state of upkeep; empty if the file is unreadable."""
    try:
        value = quick_json.loads(read_file(path).decode("utf-8") or "{}")
        steps = {
            str(name): StepRun(float(one["at"]), str(one["told"]))
            for name, one in value.get("steps", {}).items()
        }
        left = tuple(str(name) for name in value.get("left", ()))
        began = float(value.get("began", 0))
        return RunState(steps, began, left, purging=bool(value.get("purging")))
    except (ValueError, KeyError, TypeError, AttributeError, StoreError):
        return RunState({})


def write_run_state(path: str, standing: RunState) -> None:
    """Write the state atomically."""
    fields = {
        "steps": {name: one._asdict() for name, one in standing.steps.items()},
        "began": standing.began,
        "left": list(standing.left),
        "purging": standing.purging,
    }
    replace_file(path, (quick_json.dumps(fields) + "\n").encode("utf-8", "replace"))


#: Embeds and reports; the interface passes one that shows progress.
Embed = Callable[[], str]
BUSY = "busy"
_DRAIN_SECONDS = 60.0
#: Each session is finished before the next, so that a run may stop after any.
_REFLECT_SECONDS = 120.0


class Upkeep:
    """Upkeep of an open project, which the caller closes.

    Args:
        embed: embeds instead of the silent default.
    """

    def __init__(self, work: Services, embed: Embed | None = None) -> None:
        self.work = work
        self._embed = embed
        self._path = work.project.state.derived(UPKEEP)

    def run_state(self) -> RunState:
        """Return when each step last ran."""
        return read_run_state(self._path)

    def run(self, name: str, *, dry_run: bool = False, confirmed: bool = False) -> dict[str, str]:
        """Run one step, or all; return each step's report.

        Of two simultaneous whole runs, the second only reports `busy`. A killed whole run is
        resumed where it stopped, unless that was long ago.
        """
        if name not in (ALL, *NAMES):
            raise BadInputError(
                f"There is no step {name[:40]!r}.", hint="`satchel upkeep list` names them."
            )
        if name != ALL or dry_run:
            return self._run(steps_of(name), name, dry_run=dry_run, confirmed=confirmed)
        lock = FileLock(self.work.project.state.lock("upkeep"), timeout=0)
        if not lock.acquire():
            return {BUSY: "another upkeep is running; this one stopped"}
        try:
            now, standing = self.work.project.clock.now(), self.run_state()
            steps: tuple[Step, ...] = STEPS
            if standing.resumes(now):
                steps = tuple(step for step in STEPS if step.name in standing.left)
            else:
                self._write(standing.with_started(now, NAMES))
            return self._run(steps, ALL, dry_run=False, confirmed=confirmed)
        finally:
            lock.release()

    def _run(
        self, steps: tuple[Step, ...], name: str, *, dry_run: bool, confirmed: bool
    ) -> dict[str, str]:
        self.work.refresh()
        if not dry_run:
            with suppress(SatchelError, OSError):  # doctor goes on reporting it
                project = self.work.project
                heal_identity(self.work.owner().home, project.place, project.key)
        memories, settings = self.work.memories.own, self.work.project.settings
        ledgers = LedgerUpkeep(memories, settings, dry_run=dry_run, confirmed=confirmed)
        report: dict[str, str] = {}
        for step in steps:
            only_said = dry_run or (name == ALL and not step.in_run)
            try:
                if step.name in OF_LEDGERS:
                    was_killed = step.name == "purge" and not dry_run and self._begins_purge()
                    told = ledgers.run(step.name)
                    self.work.memories.stores.catch_up(memories)
                    if step.name == "purge":
                        told += self._purged_beside(dry_run=dry_run, packs=was_killed)
                else:
                    told = self._one(
                        step.name, dry_run=only_said, confirmed=confirmed, named=name != ALL
                    )
            except (SatchelError, BusyError) as error:
                if name != ALL:
                    raise
                told = f"left for the next run: {error}"
            if told:
                report[step.name] = told
            if not dry_run:
                now = self.work.project.clock.now()
                ran = None if only_said else told
                self._write(self.run_state().with_ended(step.name, now, ran))
        return report

    def _one(self, name: str, *, dry_run: bool, confirmed: bool, named: bool) -> str:
        from satchel.application.upkeep.proposals import (
            merge_proposals,
            promotion_proposals,
            proposed,
        )
        from satchel.application.upkeep.session_upkeep import keep_retention, keep_thread

        work = self.work
        steps: dict[str, Callable[[], str]] = {
            "drain": lambda: self._drained(dry_run=dry_run),
            "decay": lambda: self._decayed(dry_run=dry_run, confirmed=confirmed),
            "instincts": lambda: work.instincts.write_decay(dry_run=dry_run),
            "consolidate": lambda: proposed(work, merge_proposals(work), dry_run=dry_run),
            "promote": lambda: proposed(work, promotion_proposals(work), dry_run=dry_run),
            "reflect": lambda: "" if dry_run else self._reflected(),
            "archive": lambda: self._archived(dry_run=dry_run, named=named),
            "thread": lambda: keep_thread(work, dry_run=dry_run),
            "branches": lambda: self._followed(dry_run=dry_run),
            "retention": lambda: keep_retention(work, dry_run=dry_run, confirmed=confirmed),
            "embed": lambda: self._embedded(dry_run=dry_run),
            "code": lambda: self._mapped(dry_run=dry_run, named=named),
        }
        return steps[name]()

    def _drained(self, *, dry_run: bool) -> str:
        if dry_run:
            return f"{len(self.work.project.inbox.peek())} events wait"
        drained = self.work.listening.drain(_DRAIN_SECONDS)
        return f"{len(drained.written)} records written, {drained.left} events left"

    def _decayed(self, *, dry_run: bool, confirmed: bool) -> str:
        """Apply decay to existing graphs. Similar names are never merged here."""
        told = []
        for user, state in private_states(self.work):
            if not os.path.exists(state.graph):
                continue
            with self.work.graph as graph:
                plan, run = graph.evolve(
                    apply=not dry_run,
                    confirmed=confirmed,
                    user=user,
                    changes={"consolidation": False},
                )
            whose = "your graph" if user else "the graph"
            would = "would change" if dry_run else "changed"
            text = f"{len(plan.steps)} things of {whose} {would}"
            text += f", {plan.held_back} held back" if plan.held_back else ""
            told.append(text + (f" (run {run})" if run and plan.steps else ""))
        return "; ".join(told) or "there is no graph yet"

    def _archived(self, *, dry_run: bool, named: bool) -> str:
        """Archive sessions; if run by name, also apply retention and update the thread."""
        from satchel.application.upkeep.session_upkeep import (
            keep_archive,
            keep_retention,
            keep_thread,
        )

        told = [keep_archive(self.work, dry_run=dry_run)]
        if named:
            told.append(keep_retention(self.work, dry_run=dry_run))
            told.append(keep_thread(self.work, dry_run=dry_run))
        return ", ".join(filter(None, told))

    def _followed(self, *, dry_run: bool) -> str:
        if not self.work.project.place.common:
            return "there is no git here"
        if dry_run:
            return "memories would be compared with what is checked out"
        table = self.work.branches.make()
        if table is None:
            return "nothing is checked out"
        count = counted(len(table.states), "memory is", "memories are")
        return f"{count} of work that is not part of {table.commit[:10]}"

    def _reflected(self) -> str:
        from satchel.application.learning.nudging.nudges import keep_ready
        from satchel.application.learning.reflection.service import Reflection

        keep_ready()
        lock = FileLock(self.work.project.state.lock("reflecting"), timeout=0)
        if not lock.acquire():
            return "another process reflects"
        end = time.monotonic() + _REFLECT_SECONDS

        def bounded(_done: int, _all: int) -> None:
            if time.monotonic() > end:
                raise BusyError("The sessions that were not read yet are read the next time.")

        try:
            done = Reflection(self.work).reflect(progress=bounded)
        except BusyError as error:
            return str(error)
        finally:
            lock.release()
        return f"{len(done.proposed)} changes proposed; see `satchel review`"

    def _mapped(self, *, dry_run: bool, named: bool) -> str:
        if not named and not os.path.isdir(self.work.project.state.code_maps):
            return "there is no map yet; `satchel code` makes one"
        if dry_run:
            return "the map of the code would be brought up to date"
        from satchel.application.upkeep.anchoring import follow_anchors

        with self.work.code as code:
            files = code.status()["files"]
        moved = sum(one.repinned for one in follow_anchors(self.work))
        return f"{files} files mapped" + (f"; {moved} memories follow their code" * bool(moved))

    def _embedded(self, *, dry_run: bool) -> str:
        if dry_run:
            waiting = sum(
                store.index.vector_counts()[0] for store in self.work.memories.stores.every()
            )
            return f"{waiting} memories would get their vectors"
        if self._embed is not None:
            return self._embed()
        done = embed(self.work.memories.stores, self.work.models)
        if done.why:
            return done.why
        return f"{done.done} memories got their vectors" + (f"; {done.left} wait" * bool(done.left))

    def _begins_purge(self) -> bool:
        """Record that a purge begins; return whether one began before and was killed."""
        before = self.run_state()
        self._write(before.with_purge(begun=True))
        return before.purging

    def _purged_beside(self, *, dry_run: bool, packs: bool) -> str:
        """Purge graphs, tables and the team's server, and finish killed runs of either."""
        from satchel.application.forgetting.service import Forgetting

        days = self.work.project.settings.integer("memory.purge_after_days")
        with self.work.graph as graph:
            told = [graph.purge(after_days=days, dry_run=dry_run)]
        with self.work.tables as tables:
            told.append(tables.purge(after_days=days, dry_run=dry_run))
        team = self.work.memories.stores.team
        if team is not None:
            told.append(
                purged_on_server(team, self.work.project.clock.now(), days, dry_run=dry_run)
            )
        ended = 0 if dry_run else Forgetting(self.work).finish(packs=packs)
        if not dry_run:
            self._write(self.run_state().with_purge(begun=False))
        told.append(f"{ended} killed runs of forget ended" if ended else "")
        return "".join(f"; {one}" for one in told if one)

    def _write(self, standing: RunState) -> None:
        try:
            write_run_state(self._path, standing)
        except SatchelError:
            return  # a full disk: finished work is kept, and repeated harmlessly next time
