"""Review: suggestions are shown as diffs, accepted, rejected, changed, undone.

The only place that makes a proposed change. An acceptance is recorded before the first file is
touched and again when all are written, so that a kill in between is completed the next time; every
edit is idempotent.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from satchel.application.learning.reviewing.change_history import commit_files
from satchel.application.learning.reviewing.contradicted import Contradicted, still_contradicted
from satchel.application.learning.reviewing.files import (
    contents_of,
    decoded,
    encoded,
    with_list_item,
    without_edits,
    write_file,
)
from satchel.application.learning.reviewing.instincts import editors_of, note_history
from satchel.application.learning.reviewing.memories import additions, keep, set_archived, take_back
from satchel.application.learning.reviewing.queue import open_queue, write_metrics
from satchel.application.learning.reviewing.rewording import of_other_kind, reworded
from satchel.application.learning.reviewing.shown_to_others import shown_to_others
from satchel.application.learning.reviewing.targets import ProjectTargets
from satchel.application.learning.reviewing.words import message_of, why_not
from satchel.core.errors import (
    BadInputError,
    ConflictError,
    NotFoundError,
    NotWritableError,
    SatchelError,
)
from satchel.core.hashing import digest
from satchel.core.ids import new_ulid, short_id
from satchel.core.trust import clean_line
from satchel.core.values import Closing, NamedTuple
from satchel.features.proposals.edits import Change, Editor, diff_of, edited, with_free_names
from satchel.features.proposals.queue import Queue
from satchel.features.proposals.selection import answered_last, select_proposals
from satchel.features.proposals.values import (
    ACCEPTED,
    ACCEPTING,
    ENTRY,
    OF_MEMORIES,
    PENDING,
    REJECTED,
    REMEMBER,
    SET_ASIDE,
    TAKE_OUT,
    UNDOING,
    UNDONE,
    Decision,
    Edit,
    Proposal,
    QueuedProposal,
)
from satchel.storage.locks import FileLock
from satchel.storage.safe_open import escapes_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services


class AppliedProposal(NamedTuple):
    """An accepted suggestion: its files by display name, its commit, its memories.

    `gone` are the texts that are no longer shown because of it.
    """

    proposal: Proposal
    files: tuple[str, ...]
    commit: str
    memories: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


class ReviewReport(NamedTuple):
    """The result of a review: what failed and why, and lines that still say the opposite."""

    applied: tuple[AppliedProposal, ...] = ()
    rejected: tuple[Proposal, ...] = ()
    failed: tuple[tuple[Proposal, str], ...] = ()
    against: tuple[Contradicted, ...] = ()


class Review(Closing):
    """The review queue of one project.

    Args:
        work: the open project, which the caller closes.
    """

    def __init__(self, work: Services) -> None:
        self.work = work
        self.places = ProjectTargets(work)
        self.queue: Queue = open_queue(work)
        #: Decisions made through one object are one answer, and undone together.
        self.said = new_ulid(int(work.project.clock.now() * 1000))

    def close(self) -> None:
        """Close the queue."""
        self.queue.close()

    def all(self) -> list[QueuedProposal]:
        """Return every suggestion; for others, without those about the user's own files."""
        every = self.queue.all()
        return every if self.work.person is not None else shown_to_others(self.work, every)

    def find(self, given: str) -> QueuedProposal:
        """Return a suggestion by its id, or the start or end of it.

        Raises `NotFoundError`, also for one that `all` leaves out.
        """
        found = self.queue.find(given)
        shown = [found] if self.work.person is not None else shown_to_others(self.work, [found])
        if not shown:
            raise NotFoundError(f"There is no suggestion {given[:40]!r}.")
        return shown[0]

    def pending(self) -> list[QueuedProposal]:
        """Return pending suggestions by their numbers."""
        waiting = [one for one in self.all() if one.state == PENDING]
        return sorted(waiting, key=lambda one: one.number)

    def changes(self, proposal: Proposal) -> list[Change]:
        """Return a suggestion's changes to the current files, leaving out unchanged ones.

        Raises `ConflictError` if a file has changed since.
        """
        made: dict[str, Change] = {}
        for edit in with_free_names(proposal.edits, lambda one: contents_of(self._path(one))):
            if edit.operation in OF_MEMORIES:
                continue
            path = self._path(edit)
            known = made.get(path)
            before = known.before if known else contents_of(path)
            after = edited(known.after if known else before, edit, self._editors())
            made[path] = Change(path, before, after, edit)
        return [one for one in made.values() if one.after != (one.before or b"") or not one.before]

    def diff(self, proposal: Proposal) -> str:
        """Return a suggestion as one unified diff, or why there is none."""
        try:
            changes = self.changes(proposal)
        except SatchelError as error:
            return f"({error})\n"
        told = [
            f"(memory {short_id(edit.path)} leaves briefs: {clean_line(edit.text)[:300]})\n"
            for edit in proposal.edits
            if edit.operation == SET_ASIDE
        ]
        first: dict[bytes, str] = {}
        for one in changes:
            shown = self.places.shown(one.path)
            if one.before is None and one.after in first:
                same = f"(new: the same text as {clean_line(first[one.after])})"
                told.append(f"--- /dev/null\n+++ b/{clean_line(shown)}\n{same}\n")
            else:
                told.append(diff_of(one, shown))
                first.setdefault(one.after, shown)
        told += [diff_of(change, name) for name, change in additions(proposal)]
        return "".join(told) or "(nothing to change: it is there already)\n"

    def replaces(self, proposal: Proposal) -> list[str]:
        """Return the texts of memories that accepting a suggestion would replace.

        Those that it removes itself are named in its warnings.
        """
        named = {edit.path for edit in proposal.edits}
        return [
            clean_line(one.title or one.content)
            for edit in proposal.edits
            if edit.operation == REMEMBER
            for one in self.work.memories.would_replace(edit.text, edit.section, proposal.trust)
            if one.id not in named
        ]

    # Deciding

    def answer(self, said: str) -> ReviewReport:
        """Apply an answer to all pending suggestions: Y, N, 1,3, all-knowledge, all-behavioral."""
        accepted, rejected = select_proposals(said, self.pending())
        done = self.accept([one.proposal for one in accepted])
        return done._replace(rejected=self.reject([one.proposal for one in rejected]))

    def accept(self, proposals: Sequence[Proposal], *, by: str = "user") -> ReviewReport:
        """Apply suggestions, each as one commit; those that fail stay pending."""
        applied, failed = [], []
        if not proposals:
            return ReviewReport()
        with FileLock(self.work.project.state.lock("review"), timeout=10):
            every = self.queue.all()
            standing = {one.proposal.id: one.decided for one in every}
            begun = {one.proposal.id: one.decided for one in every if one.state == ACCEPTING}
            for proposal in proposals:
                decided = standing.get(proposal.id, Decision(UNDOING))
                if decided.state not in (PENDING, ACCEPTING, UNDONE):
                    failed.append((proposal, why_not(proposal, decided)))
                    continue
                try:
                    applied.append(self._apply(proposal, by, begun.get(proposal.id)))
                except (SatchelError, OSError) as error:
                    failed.append((proposal, str(error)))
                    self.queue.decide(proposal, Decision(PENDING, by=by, note=str(error)[:300]))
            against = still_contradicted(self.work, self.queue, [one.proposal for one in applied])
            write_metrics(self.work, self.queue)
        return ReviewReport(tuple(applied), (), tuple(failed), against)

    def reject(
        self, proposals: Sequence[Proposal], *, by: str = "user", note: str = ""
    ) -> tuple[Proposal, ...]:
        """Reject suggestions for good. Skips those decided meanwhile."""
        if not proposals:
            return ()
        with FileLock(self.work.project.state.lock("review"), timeout=10):
            waiting = {one.proposal.id for one in self.queue.pending()}
            gone = tuple(one for one in proposals if one.id in waiting)
            for proposal in gone:
                self.queue.decide(proposal, Decision(REJECTED, by=by, note=note, answer=self.said))
            write_metrics(self.work, self.queue)
        return gone

    def modify(self, proposal: Proposal, text: str, kind: str = "") -> Proposal:
        """Replace a suggestion by one with `text`, or of another kind; it keeps its place.

        Raises `BadInputError` for an empty text, an invalid note, or an impossible kind.
        """
        changed = reworded(proposal, text)
        if kind:
            changed = of_other_kind(changed, kind, self.places.targets(proposal.session))
        self.changes(changed)
        made = self.queue.propose([changed])
        if not made:
            raise ConflictError(
                "It was changed to this before.", hint="`satchel review --all` shows it."
            )
        self.queue.decide(proposal, Decision.reworded_as(made[0].id)._replace(answer=made[0].id))
        return made[0]

    def resume(self) -> ReviewReport:
        """Finish accepting or undoing after the process was killed."""
        every = self.queue.all()
        try:
            done = self.accept([s.proposal for s in every if s.state == ACCEPTING])
            for one in every:
                if one.state == UNDOING:
                    self._resume_undoing(one.proposal.id)
        except NotWritableError as error:
            self.work.project.work_around("review", error)
            return ReviewReport()
        return done

    def _apply(self, proposal: Proposal, by: str, begun: Decision | None) -> AppliedProposal:
        """Apply the changes; `begun` is what was recorded before a kill."""
        said = begun.answer if begun else self.said
        changes = self.changes(proposal)
        files = tuple((one.path, digest(one.after).hex(), decoded(one.before)) for one in changes)
        # What had been written by then is no longer a change, but must be undone too.
        made = {one.path for one in changes}
        files = tuple(f for f in (begun.files if begun else ()) if f[0] not in made) + files
        self.queue.decide(proposal, Decision(ACCEPTING, by=by, files=files, answer=said))
        for change in changes:
            write_file(change.path, change.after)
        set_archived(self.work, proposal, aside=True)
        aside = [clean_line(edit.text) for edit in proposal.edits[1:] if edit.takes_out]
        gone = (*aside, *self.replaces(proposal))
        memories = keep(self.work, proposal)
        note_history(self.work.instincts, changes)
        before = {path: encoded(text) for path, _, text in files}
        self.work.project.note_own(before)
        commit = self._commit(before, message_of(proposal))
        done = Decision(ACCEPTED, by=by, commit=commit, files=files, answer=said)
        self.queue.decide(proposal, done)
        shown = tuple(self.places.shown(path) for path in before)
        return AppliedProposal(proposal, shown, commit, memories, gone)

    def _commit(self, before: Mapping[str, bytes | None], message: str) -> str:
        if not self.work.project.settings.flag("reflect.commit"):
            return ""
        return commit_files(self.places.root, before, message)

    # Taking back

    def last_decided(self) -> QueuedProposal | None:
        """Return the suggestion that was accepted or rejected last, and still is."""
        return next(iter(self.decided_together()), None)

    def decided_together(self) -> list[QueuedProposal]:
        """Return the suggestions of the last answer, accepted or rejected, newest first."""
        return answered_last(self.queue.all())

    def check_undo(self, several: Sequence[QueuedProposal]) -> None:
        """Raise `ConflictError` if one of these, undone in this order, could not be undone."""
        files: dict[str, bytes | None] = {}
        for one in several:
            files |= self._planned(one, files)

    def undo(self, standing: QueuedProposal) -> list[str]:
        """Undo an accepted suggestion; return the files by display name.

        A file changed since keeps those changes: additions are removed, removals restored. Raises
        `ConflictError` if they cannot be separated; then nothing is changed.
        """
        with FileLock(self.work.project.state.lock("review"), timeout=10):
            standing = self.queue.find(standing.proposal.id)
            if standing.state != ACCEPTED:
                raise ConflictError(
                    f"This suggestion is {standing.state}; there is nothing to take back.",
                    hint="`satchel review --all` shows what was accepted.",
                )
            return self._take_back(standing)

    def _resume_undoing(self, ident: str) -> None:
        with FileLock(self.work.project.state.lock("review"), timeout=10):
            standing = self.queue.find(ident)
            if standing.state != UNDOING:
                return
            try:
                self._take_back(standing)
            except (SatchelError, OSError) as error:
                # Mark it accepted again, so that nothing else waits for it.
                again = standing.decided._replace(state=ACCEPTED, note=str(error)[:300])
                self.queue.decide(standing.proposal, again)

    def _take_back(self, standing: QueuedProposal) -> list[str]:
        proposal, decided = standing.proposal, standing.decided
        planned = self._planned(standing, {})
        found = {path: contents_of(path) for path in planned}
        self.queue.decide(proposal, decided._replace(state=UNDOING, by="user"))
        for path, before in planned.items():
            if before is None:
                if os.path.lexists(path):
                    os.unlink(path)
            else:
                write_file(path, before)
        set_archived(self.work, proposal, aside=False)
        take_back(self.work, proposal)
        paths = list(planned)
        self.work.project.note_own(paths)
        commit = self._commit(found, f"Undo: {proposal.title[:60]}")
        self.queue.decide(proposal, Decision(UNDONE, by="user", commit=commit))
        write_metrics(self.work, self.queue)
        return [self.places.shown(path) for path in paths]

    def _planned(
        self, standing: QueuedProposal, files: Mapping[str, bytes | None]
    ) -> dict[str, bytes | None]:
        """Return a suggestion's files without its changes; `files` have changed since."""
        return {
            file[0]: self._without(
                standing.proposal,
                files[file[0]] if file[0] in files else contents_of(file[0]),
                file,
            )
            for file in standing.decided.files
        }

    def _without(
        self, proposal: Proposal, now: bytes | None, file: tuple[str, str, str | None]
    ) -> bytes | None:
        """Return a file without what a suggestion changed, keeping later changes."""
        path, sha, before = file
        old = encoded(before)
        if now is None:
            # Somebody deleted it: it stays deleted, unless lines moved out of it would be lost.
            moved = any(e.operation == TAKE_OUT and self._path(e) == path for e in proposal.edits)
            return old if moved else None
        if digest(now).hex() == sha or now == old:
            return old
        own = [edit for edit in proposal.edits if self._path(edit) == path]
        return without_edits(path, old, now, own, self._editors())

    # Files

    def _path(self, edit: Edit) -> str:
        base = self.places.base(edit.below)
        path = os.path.normpath(os.path.join(base, *edit.path.split("/")))
        if os.path.isabs(edit.path) or escapes_root(path, base):
            raise BadInputError(
                f"{edit.path} leads out of {base}; nothing was written.", hint="Reject it."
            )
        return os.path.realpath(path)

    def _editors(self) -> dict[str, Editor]:
        return {ENTRY: with_list_item, **editors_of(self.work.instincts)}
