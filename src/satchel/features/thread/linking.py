"""Links commits and lines to sessions, from evidence."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from satchel.core.errors import SatchelError
from satchel.core.line_marks import is_telling, mark_of, marks_of
from satchel.core.trust import clean_line
from satchel.core.values import cached_property
from satchel.features.thread import records
from satchel.features.thread.commits import BEFORE, Signs, link
from satchel.features.thread.lines import (
    SECOND,
    SLACK,
    SoughtLine,
    origins,
    times_written,
    was_taken_out,
    written_again,
)
from satchel.features.thread.records import RecordedSession
from satchel.features.thread.service import Thread
from satchel.features.thread.values import (
    CERTAIN,
    COMMITTED,
    CONFIDENCES,
    FILES,
    GUESS,
    LIKELY,
    LOG,
    SAME_CHANGE,
    TIME,
    WORDS,
    WROTE,
    Evidence,
    Link,
    PrintedCommit,
    Written,
)
from satchel.storage.blobs import texts_of
from satchel.storage.commits import Commit, telling_lines
from satchel.storage.files import read_file
from satchel.storage.git import GitError
from satchel.storage.safe_open import read_inside

#: How many lines on each side identify a line's edit.
_AROUND = 2
#: A change with fewer distinctive lines may be made twice; then the message must be the same, too.
_TELLING_CHANGE = 3
#: How far from the author time a commit with the same message counts, seconds.
_MESSAGE = 86_400.0
#: Most seconds between a commit and the command that made it; clocks may differ by hours.
_PRINTED = 86_400.0
_TRACES, _LARGEST_TRACE = ".agent-trace", 32 * 1024 * 1024


class Linker:
    """Links a project's commits and lines, caching records."""

    def __init__(self, thread: Thread) -> None:
        self.thread = thread
        self._references: list[str] | None = None
        self._traces: dict[str, list[RecordedSession]] | None = None
        self._began: dict[str, float] = {}
        self._counts: dict[tuple[str, str], Counter[str]] = {}
        self._texts: dict[tuple[str, str], str] = {}

    @cached_property
    def _email(self) -> str:
        """The e-mail address that git writes into commits here; "" if it has none."""
        try:
            return self.thread.history.ask("config", "--get", "user.email").strip().lower()
        except GitError:
            return ""

    @cached_property
    def ends(self) -> frozenset[str]:
        """The commits at which the history of a shallow clone ends."""
        try:
            told = read_file(os.path.join(self.thread.project.place.common, "shallow"))
        except SatchelError:
            return frozenset()
        return frozenset(told.decode("ascii", "replace").split())

    def is_anothers(self, commit: Commit) -> bool:
        """Return whether somebody else wrote a commit, going by git's e-mail addresses."""
        return bool(commit.email and self._email) and commit.email != self._email

    def may_be_of(self, commit: Commit, session: str, slack: float = SLACK) -> bool:
        """Return whether a session had begun when a commit was made."""
        return self._had_begun(session, commit.made_at, slack)

    def is_older(self, commit: Commit, session: str) -> bool:
        """Return whether a session can only have amended, rebased or picked a commit."""
        return not self._had_begun(session, commit.author_time, SLACK)

    def _had_begun(self, session: str, at: float, slack: float) -> bool:
        if session not in self._began:
            known = self.thread.store.sessions(session)[:1]
            self._began[session] = known[0].began if known else 0.0
        return self._began[session] <= at + slack

    # Commits

    def links(self, commit: Commit) -> list[Link]:
        """Return the sessions a commit comes from, most certain first."""
        store = self.thread.store
        until = max(commit.author_time, commit.commit_time) + SLACK
        names = {path.rpartition("/")[2] for path in (*commit.added, *commit.renamed.values())}
        subject = mark_of(commit.subject)
        # A command may print more commits than it made.
        printed = store.sessions_printing(commit.sha)
        signs = Signs(
            [one for one in printed if abs(one.at - commit.commit_time) <= _PRINTED],
            self._same(commit),
            store.wrote(telling_lines(commit), until),
            message=store.sessions_with_subject(subject, commit.author_time - _MESSAGE, until)
            if subject
            else (),
            touched=store.touched([*names], commit.author_time - BEFORE, until) if names else (),
            logs=[(one.session, one.client, one.program) for one in self._recorded(commit)],
        )
        alone = self.is_anothers(commit)
        # A commit at the end of a shallow history seems to have added everything.
        ends = commit.sha in self.ends
        found = [
            one
            for one in link(commit, signs)
            if _is_told(one)
            or (
                not ends
                # What is only near in time has no clock but this machine's; git has whole seconds.
                and self.may_be_of(commit, one.session, 1.0 if _is_by_chance(one) else SLACK)
                and not (alone and _is_by_chance(one))
            )
        ]
        found = [
            less_sure(one)
            if self.is_older(commit, one.session) or (alone and not _is_told(one))
            else one
            for one in found
        ]
        return sorted(found, key=lambda one: CONFIDENCES.index(one.confidence))

    def _same(self, commit: Commit) -> list[PrintedCommit]:
        """Return commits with the same change: of the same message, or telling in the same file."""
        if not commit.change:
            return []
        made = self.thread.store.sessions_with_change(commit.change)
        telling = len(telling_lines(commit)) >= _TELLING_CHANGE
        subject = mark_of(commit.subject)
        return [
            one
            for one in made
            # Who makes a change again, after a revert or on another branch, did not make it first.
            if not commit.sha.startswith(one.ident)
            and one.at <= commit.made_at
            and (one.subject == subject or (telling and self._share_a_file(commit, one.ident)))
        ]

    def _share_a_file(self, commit: Commit, ident: str) -> bool:
        """Return whether another commit touches a file of the same name."""
        history = self.thread.history
        try:
            other = history.paths([*history.known([ident]).values()])
        except GitError:
            return False
        names = {path.rpartition("/")[2] for paths in other.values() for path in paths}
        return any(path.rpartition("/")[2] in names for path in commit.added)

    # Lines

    def origin(self, commit: Commit, path: str, number: int, links: Sequence[Link]) -> list[Link]:
        """Return the origin of a line that a commit added, best first.

        Args:
            commit: with the lines it adds to this file.
            path: the file's path in that commit.
            number: the line number there.
            links: the commit's own sessions.
        """
        found = self._written(commit, path, number, links)
        if len(found) > 1:
            # Of several sessions that wrote a line, the one that committed it is likelier.
            sure = {one.session for one in links if _is_sure(one)}
            found.sort(key=lambda one: one.session not in sure)
        seen = {one.session for one in found}
        for one in self._recorded(commit):
            if one.covers(path, number) and one.session not in seen:
                seen.add(one.session)
                evidence = (Evidence(LOG, one.program),)
                found.append(Link(one.session, one.client, LIKELY, evidence))
        # Who reverts a commit did not write the lines that come back.
        brings = commit.sha not in self.ends and not commit.reverts
        made = [one for one in links if brings and not self.is_older(commit, one.session)]
        return found or [_committed_there(one) for one in made if _is_of_session(one)][:1]

    def _written(self, commit: Commit, path: str, number: int, links: Sequence[Link]) -> list[Link]:
        sought = sought_line(commit, path, number)
        if sought is None:
            return []
        until = max(commit.author_time, commit.commit_time) + SLACK
        wrote = self.thread.store.wrote({sought.mark, *sought.around}, until)
        made = {one.session: one.at for one in links[:1] if _is_sure(one)}
        found = origins(sought, wrote, made)
        sure = bool(found) and found[0].confidence == CERTAIN
        if sure and self.is_anothers(commit) and not any(_is_told(one) for one in links):
            sure = False
        if found:
            rows = [one for one in wrote if one.mark == sought.mark]
            before = max(found[0].at, commit.author_time + SECOND)
            known = times_written(rows, sought.paths, before)
            count = self.count_of(commit.sha, path, sought.mark)
            if count > 1 and self._were_there(commit, sought, rows, known, count):
                return []
            # Nobody knows which of several the tools wrote.
            sure = sure and 0 < count <= known
        return found if sure else [less_sure(one) for one in found]

    def _were_there(
        self, commit: Commit, sought: SoughtLine, rows: Sequence[Written], known: int, count: int
    ) -> bool:
        """Return whether all lines like this that tools wrote were in the file before a commit."""
        if any(one.whole for one in rows) or not commit.parents:
            return False
        before = max(self.count_of(commit.parents[0], path, sought.mark) for path in sought.paths)
        return known <= before < count

    def is_of_one_prompt(self, link: Link, path: str, mark: str) -> bool:
        """Return whether one prompt wrote a line of the work tree wherever its file has it."""
        count = self.count_of("", path, mark)
        if count < 2:  # noqa: PLR2004
            return True
        rows = self.thread.store.wrote({mark}, float("inf"))
        prompts = {(one.session, one.place) for one in rows if one.times > 0}
        known = times_written(rows, (path,), float("inf"))
        return prompts == {(link.session, link.place)} and count <= known

    def with_later(
        self, origin: Sequence[Link], commit: Commit, paths: Sequence[str], mark: str
    ) -> list[Link]:
        """Return a line's origin with who wrote it into its file again since; then none is certain.

        The last of them comes first if tools took the line out before.
        """
        first = next(iter(origin), None)
        if first is None or first.confidence != CERTAIN or not commit.sha:
            return [*origin]
        rows = self.thread.store.wrote({mark}, float("inf"))
        own, since = (first.session, first.place), max(first.at, commit.author_time + SECOND)
        why = (Evidence(WROTE, f"this line of {paths[0]} again"),)
        again = [
            Link(one.session, one.client, LIKELY, why, one.turn, one.place, one.at)
            for one in reversed(written_again(rows, paths, own, since))
        ]
        if not again:
            return [*origin]
        earlier = [*map(less_sure, origin)]
        return again + earlier if was_taken_out(rows, paths) else earlier + again

    def count_of(self, sha: str, path: str, mark: str) -> int:
        """Return how often a line is in a file of a commit, or of the work tree."""
        if (sha, path) not in self._counts:
            text = self._texts.get((sha, path)) or self.thread.history.file_text(sha, path)
            self._counts[sha, path] = Counter(marks_of(text))
        return self._counts[sha, path][mark]

    def read_ahead(self, files: Sequence[tuple[str, str]]) -> None:
        """Read files, each a commit and a path, in place of what was read before."""
        self._texts = texts_of(self.thread.history.root, files) if files else {}
        self._counts.clear()

    # Records of other programs

    def _recorded(self, commit: Commit) -> list[RecordedSession]:
        """Return links from other programs' records, which anyone who can push can write."""
        return [
            one
            for one in self._records_of(commit)
            if clean_line(one.session).strip() and self.may_be_of(commit, one.session)
        ]

    def _records_of(self, commit: Commit) -> list[RecordedSession]:
        if not commit.sha:
            return []
        found = records.of_trailers(commit.body)
        try:
            if self._references is None:
                self._references = self.thread.history.names(
                    records.GIT_AI_NOTES,
                    f"refs/heads/{records.CHECKPOINTS}",
                    f"refs/remotes/*/{records.CHECKPOINTS}",
                )
            for name in self._references:
                if name == records.GIT_AI_NOTES:
                    found += records.of_git_ai(self.thread.history.note(name, commit.sha))
                else:
                    found += self._checkpoints(name, commit)
        except GitError:
            pass  # what others recorded is never required
        if self._traces is None:
            self._traces = self._read_traces()
        return found + self._traces.get(commit.sha, [])

    def _checkpoints(self, reference: str, commit: Commit) -> list[RecordedSession]:
        history, found = self.thread.history, []
        for ident in records.checkpoints_of(commit.body):
            folder = f"{ident[:2]}/{ident[2:]}"
            listed = [
                one for one in history.listing(reference, folder) if one.endswith("metadata.json")
            ]
            found += records.of_checkpoint(history.text(f"{reference}:{one}") for one in listed)
        return found

    def _read_traces(self) -> dict[str, list[RecordedSession]]:
        root, found = self.thread.project.place.root, dict[str, list[RecordedSession]]()
        folder = os.path.join(root, _TRACES)
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            return found
        for name in names:
            if not name.endswith(".jsonl"):
                continue
            try:
                data = read_inside(root, os.path.join(folder, name), most=_LARGEST_TRACE)
            except (OSError, SatchelError):
                continue
            for revision, one in records.of_agent_trace(data.decode("utf-8", "replace")):
                found.setdefault(revision, []).append(one)
        return found


def sought_line(commit: Commit, path: str, number: int) -> SoughtLine | None:
    """Return the search for a line's origin; None if the commit did not add it.

    An empty line is searched by its neighbors.
    """
    text, at = commit.line(path, number), number
    if text is None:
        return None
    for step in (0, -1, 1, -2, 2):
        near = commit.line(path, number + step)
        if near and near.strip():
            text, at = near, number + step
            break
    around: list[tuple[int, str]] = []
    for step in (-1, 1):
        beside, count = at + step, 0
        while (near := commit.line(path, beside)) is not None and count < _AROUND:
            if is_telling(near):
                around.append((abs(beside - at), mark_of(near)))
                count += 1
            beside += step
    old = commit.renamed.get(path)
    paths = (path, old) if old else (path,)
    times = (float(commit.author_time), float(commit.commit_time))
    telling, mark = is_telling(text) and at == number, mark_of(text)
    near_marks = tuple(mark for _, mark in sorted(around))
    return SoughtLine(mark, telling, near_marks, paths, times) if mark else None


def _is_sure(link: Link) -> bool:
    """Return whether the session itself made the commit, or one with the same change."""
    kinds = {reason.kind for reason in link.evidence}
    return link.confidence == CERTAIN and bool(kinds & {COMMITTED, SAME_CHANGE})


def less_sure(link: Link) -> Link:
    """Return a link to somebody else's commit: the same lines may have been typed twice."""
    return link._replace(confidence=LIKELY) if link.confidence == CERTAIN else link


def _is_told(link: Link) -> bool:
    """Return whether git printed this very commit in the session: then clocks do not matter."""
    return any(reason.kind == COMMITTED for reason in link.evidence)


def _is_by_chance(link: Link) -> bool:
    """Return whether a link is only supported by time, files and words."""
    return {reason.kind for reason in link.evidence} <= {FILES, TIME, WORDS}


def _is_of_session(link: Link) -> bool:
    """Return whether a commit is linked by more than another program's record."""
    return link.confidence != GUESS and any(reason.kind != LOG for reason in link.evidence)


def _committed_there(link: Link) -> Link:
    """Weaken a commit's link for a line without an observed edit."""
    weaker = LIKELY if link.confidence == CERTAIN else GUESS
    return link._replace(confidence=weaker)
