"""Reflection: reads transcripts and captures, and queues suggestions for review.

Changes nothing that a person or an agent reads, except that it writes episodes and records what it
has read. No model is needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from satchel.application.learning.drafting.episodes import episode_of
from satchel.application.learning.drafting.overlong_memories import draft_moves, too_long
from satchel.application.learning.drafting.proposing import DraftResult, draft, redacted
from satchel.application.learning.drafting.values import Targets
from satchel.application.learning.nudging.withdrawals import still_said, with_withdrawals
from satchel.application.learning.reflection.changes_in_passing import with_changes
from satchel.application.learning.reflection.inputs import (
    as_rule,
    counted,
    proposed_before,
    signal_of,
    unshown,
)
from satchel.application.learning.reflection.transcripts import (
    oldest_first,
    own_transcripts,
    read_turns,
)
from satchel.application.learning.reviewing.queue import open_queue, write_metrics
from satchel.application.learning.reviewing.targets import ProjectTargets
from satchel.application.learning.signals.lesson_filter import why_dropped
from satchel.application.learning.signals.scanning import scan
from satchel.application.learning.signals.values import BEHAVIORAL, GROUPS, KNOWLEDGE, Signal
from satchel.application.learning.usefulness.service import archive_proposals, judge_session
from satchel.clients.registry import ALIASES
from satchel.clients.transcript_format.values import Turn
from satchel.core.errors import BadInputError, NotFoundError, SatchelError
from satchel.core.trust import AGENT
from satchel.core.values import NamedTuple
from satchel.features.proposals.metrics import project_metrics
from satchel.features.proposals.queue import Queue
from satchel.features.proposals.values import Proposal, Scan
from satchel.storage.files import replace_file
from satchel.storage.inbox.faults import note_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.application.services import Services

#: The captured kinds that are lessons, and the name under which reading them is recorded.
_CAPTURED = ("learned", "decision")
_CAPTURES = "captures"
_MOST_CAPTURES = 500
#: The reason for not proposing what Satchel itself had shown to the agent.
_SHOWN = "Satchel had shown it in that session"
_TAKEN_BACK = "taken back later in that session"
#: A session about reflecting teaches nothing.
_OF_OUR_OWN = ("/reflect", "process the transcript at:")


class ReflectionReport(NamedTuple):
    """The result of a reflection.

    `sessions` were read; `unchanged` ones were not, since nothing changed. `known` are signals that
    say what is already somewhere, and where; `dropped` those that were not proposed, and why.
    `episodes` were written. `waiting` suggestions are undecided, from earlier reflections too.
    """

    sessions: int
    unchanged: int
    signals: tuple[Signal, ...]
    proposed: tuple[Proposal, ...]
    known: tuple[tuple[Signal, str], ...]
    episodes: tuple[str, ...]
    damaged: tuple[str, ...] = ()
    dropped: tuple[tuple[Signal, str], ...] = ()
    waiting: int = 0

    def shareable_report(self) -> ReflectionReport:
        """Return it without the secrets that people typed."""
        return self._replace(
            signals=tuple(map(redacted, self.signals)),
            known=tuple((redacted(one), where) for one, where in self.known),
            dropped=tuple((redacted(one), why) for one, why in self.dropped),
        )


class Reflection:
    """The reflection of one project.

    Args:
        work: the open project, which the caller closes.
    """

    def __init__(self, work: Services) -> None:
        self.work = work
        self.places = ProjectTargets(work)

    def queue(self) -> Queue:
        """Open the review queue, which the caller closes."""
        return open_queue(self.work)

    def reflect(
        self,
        *,
        paths: Sequence[str] = (),
        group: str = "",
        agent: str = "",
        wordings: bool = True,
        again: bool = False,
        dry_run: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> ReflectionReport:
        """Read sessions changed since the last time, and suggest what they teach.

        Args:
            paths: transcripts instead of those of this project's sessions.
            group: `behavioral` or `knowledge` alone.
            agent: only for the file of this agent.
            wordings: read words; otherwise only the course of each session.
            again: also read unchanged sessions.
            dry_run: propose and write nothing; report what would be. Reads every session, since
                most have already been read in the background, unseen.
            progress: called with sessions done, and sessions in total.
        """
        if agent and agent not in self.places.agents():
            there = ", ".join(self.places.agents()) or "none"
            raise NotFoundError(f"There is no file of an agent {agent!r}.", hint=f"Files: {there}.")
        queue = self.queue()
        try:
            return self._reflect(
                queue, paths, _Wanted(group, agent, wordings, again, dry_run), progress
            )
        finally:
            queue.close()

    def _reflect(
        self,
        queue: Queue,
        paths: Sequence[str],
        wanted: _Wanted,
        progress: Callable[[int, int], None] | None,
    ) -> ReflectionReport:
        seen = {scan.source: scan.mark for scan in queue.scans()}
        self.places.suggested = [as_rule(one.proposal) for one in queue.pending()]
        # What was said last is suggested last, and is the newest memory when all are accepted.
        files = list(paths) or oldest_first(own_transcripts(self.work, above=True))
        done = ReflectionReport(0, 0, (), proposed=(), known=(), episodes=())
        for number, path in enumerate(files, 1):
            mark = _mark(path, wanted)
            if not (paths or wanted.again or wanted.dry_run) and seen.get(path) == mark:
                done = done._replace(unchanged=done.unchanged + 1)
            else:
                done = self._one(queue, path, mark, wanted, done, strict=bool(paths))
            if progress is not None:
                progress(number, len(files))
        done = self._captured(queue, wanted, done)
        if not wanted.dry_run:
            self.write_metrics(queue)
        return done._replace(waiting=len(queue.pending())).shareable_report()

    def _one(
        self,
        queue: Queue,
        path: str,
        mark: str,
        wanted: _Wanted,
        done: ReflectionReport,
        *,
        strict: bool,
    ) -> ReflectionReport:
        try:
            turns, session, client = read_turns(self.work, path)
        except SatchelError:
            if strict:
                raise
            return done._replace(damaged=(*done.damaged, path))
        if strict and not turns:
            raise BadInputError(
                f"{path} is not a transcript that Satchel can read.",
                hint=f"Known are those of {', '.join(ALIASES)}.",
            )
        if any(turn.text.lstrip().lower().startswith(_OF_OUR_OWN) for turn in turns[:10]):
            return done._replace(unchanged=done.unchanged + 1)
        heard = scan(turns, wordings=wanted.wordings)
        if wanted.wordings:
            known = [*self.places.rules(), *self.places.memories(), *self.places.suggested]
            heard = with_changes(turns, heard, known)
        found = still_said(heard, turns)
        signals = unshown(found, self.work.injections, session)
        shown = [(one, _TAKEN_BACK) for one in heard if one not in found]
        shown += [(one, _SHOWN) for one in found if one not in signals]
        signals = [one for one in signals if wanted.takes(one)]
        looked = Scan(session, path, mark, counted(signals))
        done = done._replace(dropped=(*done.dropped, *shown))
        return self._propose(queue, signals, turns, _Looked(looked, wanted, done, client))

    def _propose(
        self, queue: Queue, signals: list[Signal], turns: Sequence[Turn], at: _Looked
    ) -> ReflectionReport:
        looked, wanted, done, client = at
        reasons = [(one, wanted.why_dropped(one)) for one in signals]
        worth = self._said_better([one for one, why in reasons if not why])
        targets = self.places.targets(looked.session, client)
        drafted = self._drafted(worth, targets, wanted.agent)
        drafts = with_withdrawals(drafted.proposals, self.work, self.places, turns, looked.session)
        proposed = wanted.propose(queue, drafts)
        waiting = [one.proposal for one in queue.pending()]
        reasons += proposed_before(worth, drafts, proposed, waiting, remembers=targets.remembers)
        written: tuple[str, ...] | None = ()
        if not wanted.dry_run:
            written = self._write_episode(turns, worth, looked.session)
            judge_session(self.work, looked.session, turns)
            # Last: what was not written is tried again with the next scan.
            if written is not None:
                queue.note_scan(looked)
        return done._replace(
            sessions=done.sessions + bool(turns),
            signals=(*done.signals, *signals),
            proposed=(*done.proposed, *proposed),
            known=(*done.known, *drafted.known),
            episodes=(*done.episodes, *(written or ())),
            dropped=(*done.dropped, *(one for one in reasons if one[1])),
        )

    def _drafted(self, signals: Sequence[Signal], targets: Targets, agent: str) -> DraftResult:
        """Draft suggestions in turn, each compared with the previous ones."""
        proposals: list[Proposal] = []
        known: list[tuple[Signal, str]] = []
        for signal in signals:
            drafted = draft([signal], targets, agent=agent)
            proposals += drafted.proposals
            known += drafted.known
            self.places.suggested += map(as_rule, drafted.proposals)
        return DraftResult(tuple(proposals), tuple(known))

    def _captured(self, queue: Queue, wanted: _Wanted, done: ReflectionReport) -> ReflectionReport:
        """Examine captures, never-used memories, and an overlong project memory."""
        if wanted.agent or wanted.group == BEHAVIORAL:
            return done
        done = self._of_inbox(queue, wanted, done)
        aside = wanted.propose(queue, archive_proposals(self.work))
        done = done._replace(proposed=(*done.proposed, *aside))
        targets = self.places.targets()
        path = os.path.join(self.places.root, *targets.memory.split("/"))
        text = self.places.text_of(path)
        if not too_long(text):
            return done
        moves = wanted.propose(queue, draft_moves(text, targets))
        return done._replace(proposed=(*done.proposed, *moves))

    def _of_inbox(self, queue: Queue, wanted: _Wanted, done: ReflectionReport) -> ReflectionReport:
        """Suggest notes of lessons that agents stated since the last time.

        Only in reflect's own layout: elsewhere they are already memories.
        """
        work, targets = self.work, self.places.targets()
        if targets.remembers:
            return done
        work.refresh()
        seen = next((scan.mark for scan in queue.scans() if scan.source == _CAPTURES), "")
        records = [
            one
            for one in work.memories.own.live(kinds=_CAPTURED, limit=_MOST_CAPTURES)
            if one.trust == AGENT and not one.edited and (wanted.again or one.id > seen)
        ]
        if not records:
            return done
        signals, drafts = [], list[Proposal]()
        known: list[tuple[Signal, str]] = []
        for record in reversed(records):
            signals.append(signal_of(record))
            drafted = draft(signals[-1:], targets)
            drafts += [one._replace(derived_from=(record.id,)) for one in drafted.proposals]
            known += drafted.known
        proposed = wanted.propose(queue, drafts)
        if not wanted.dry_run:
            mark = max(one.id for one in records)
            queue.note_scan(Scan("", _CAPTURES, mark, counted(signals)))
        return done._replace(
            signals=(*done.signals, *signals),
            proposed=(*done.proposed, *proposed),
            known=(*done.known, *known),
        )

    def _said_better(self, signals: list[Signal]) -> list[Signal]:
        """Let the chosen model condense findings; rules keep the user's words."""
        generator = self.work.models.generator()
        if generator is None:
            return signals
        from satchel.engine.inference.rewriting import reword

        failed: list[str] = []
        told = []
        for one in signals:
            if one.group == KNOWLEDGE and not failed:
                said = f"{one.error}\n{one.learning}".strip()
                learning = reword(said, generator, tell=failed.append)
                told.append(one if learning == said else one._replace(learning=learning))
            else:
                told.append(one)  # an unreachable server is unreachable for every signal
        if failed:
            note_fault(
                self.work.project.state.faults, "reflect", failed[0], self.work.project.clock.now()
            )
        return told

    def _write_episode(
        self, turns: Sequence[Turn], signals: Sequence[Signal], session: str
    ) -> tuple[str, ...] | None:
        """Write the session's episode; return its file, none if it has none, None if it failed."""
        project = os.path.basename(self.places.root)
        now = self.work.project.clock.now()
        episode = episode_of(turns, signals, session=session, project=project, now=now)
        if episode is None:
            return ()
        path = os.path.join(self.work.project.state.episodes, *episode.path.split("/"))
        try:
            replace_file(path, episode.text.encode("utf-8", "replace"), mode=0o600)
        except SatchelError as error:
            note_fault(self.work.project.state.faults, "episode", str(error), now)
            return None
        return (path,)

    # Figures

    def figures(self) -> dict[str, Any]:
        """Return this project's reflection figures."""
        queue = self.queue()
        try:
            return project_metrics(queue.all(), queue.scans())
        finally:
            queue.close()

    def write_metrics(self, queue: Queue) -> None:
        """Write the figures of all projects, keeping those of others."""
        write_metrics(self.work, queue)


class _Wanted(NamedTuple):
    """What a reflection should look for; see `Reflection.reflect`."""

    group: str
    agent: str
    wordings: bool
    again: bool
    dry_run: bool

    def propose(self, queue: Queue, proposals: Sequence[Proposal]) -> Sequence[Proposal]:
        """Return new suggestions, and queue them unless this is a dry run."""
        return queue.new(proposals) if self.dry_run else queue.propose(proposals)

    def why_dropped(self, signal: Signal) -> str:
        """Return why a signal is not suggested; "" if it lasts, or reasons are not wanted."""
        return "" if signal.structural and not self.wordings else why_dropped(signal)

    def takes(self, signal: Signal) -> bool:
        """Return whether a signal belongs to the wanted group."""
        if not self.group:
            return True
        if self.group not in GROUPS:
            raise BadInputError(f"There is no group {self.group!r}.")
        behavioral = signal.group == BEHAVIORAL
        return behavioral == (self.group == BEHAVIORAL)


class _Looked(NamedTuple):
    """One reading of a session: its scan, what was wanted, what came before, and whose it is."""

    scan: Scan
    wanted: _Wanted
    done: ReflectionReport
    client: str


def _mark(path: str, wanted: _Wanted) -> str:
    """Record a file's state, and what it was searched for."""
    try:
        status = os.stat(path)
    except OSError:
        return ""
    looked = f"{wanted.group}:{wanted.agent}:{int(wanted.wordings)}"
    return f"{status.st_size}:{status.st_mtime_ns}:{looked}"
