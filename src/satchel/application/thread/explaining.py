"""Explains a line, commit, session, task or note: everything on its thread, with the evidence."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from satchel.application.thread.accepted import AcceptedLines, is_of_rules
from satchel.application.thread.commits import commit_story, with_marks
from satchel.application.thread.line_origins import LineOrigins
from satchel.application.thread.merges import brought_by
from satchel.application.thread.periods import log_between
from satchel.application.thread.sessions import learnt_about, learnt_for, session_story
from satchel.application.thread.targets import MOST_LINES, Target, target_of
from satchel.application.thread.tasks import task_story, tasks_of
from satchel.application.thread.values import (
    COMMIT,
    LINE,
    NOTE,
    SESSION,
    SYMBOL,
    TASK,
    CommitStory,
    LineStory,
    SessionStory,
    Story,
    TaskStory,
)
from satchel.core.errors import BadInputError, NotFoundError
from satchel.engine.search.documents import Filter
from satchel.features.thread.blaming import blame
from satchel.features.thread.linking import Linker
from satchel.features.thread.values import Link, SessionFacts
from satchel.storage.commits import BlamedLine, Commit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services


#: Most commits and sessions in one answer.
_COMMITS, _SESSIONS = 12, 6
#: Most commits after a session that may have come from it, and how much later, in seconds.
_CAME_OF, _WITHIN = 300, 30 * 86_400
#: How long a committing command may run on, in seconds: a hook only sees its end.
_MAKING = 900


class Explainer:
    """Answers `satchel why` and `satchel thread` for an open project.

    Args:
        work: the open project. Sessions missing from the archive are imported first, within a
            second or two.
        start: the directory that paths are relative to.
    """

    def __init__(self, work: Services, start: str = ".") -> None:
        work.owner()
        self.work, self.known, self.start = work, work.thread, start
        work.refresh()
        work.sessions.archive.catch_up()
        self.unread = self.known.catch_up()
        self.linker = Linker(self.known)
        self.lines = LineOrigins(self.linker, AcceptedLines(work))
        self._git = 0.0

    @property
    def _tells(self) -> dict[str, Callable[[Target], Story]]:
        return {
            LINE: self._lines,
            SYMBOL: self._lines,
            COMMIT: self._commit,
            SESSION: self._session,
            TASK: self._task,
            NOTE: self._note,
        }

    def why(self, asked: str) -> Story | None:
        """Explain a line, commit, session, task or note; None if `asked` is something else."""
        began, self._git = time.perf_counter(), 0.0
        target = target_of(self.work, asked, self.start)
        if target is None:
            return None
        story = self._told(target)
        seconds = time.perf_counter() - began
        return story._replace(asked=asked, unread=self.unread, git=self._git, seconds=seconds)

    def thread(self, asked: str) -> Story | None:
        """Return all that was asked, learned and committed around it; None if it is none of these.

        For a line, that is around the sessions it comes from.
        """
        began, self._git = time.perf_counter(), 0.0
        target = target_of(self.work, asked, self.start)
        if target is None:
            return None
        story = self._told(target)
        commits = {one.sha: one for one in story.commits}
        sessions = []
        for session in story.sessions:
            known = self.known.store.sessions(session.session)[:1]
            for facts in known:
                sessions.append(session_story(self.work, facts))
                for one in self._came_of(facts) if target.kind != SESSION else ():
                    commits.setdefault(one.sha, one)
        told = self.marked(sorted(commits.values(), key=lambda one: one.at))
        seconds = time.perf_counter() - began
        return story._replace(
            asked=asked,
            commits=told,
            sessions=tuple(sessions) or story.sessions,
            unread=self.unread,
            git=self._git,
            seconds=seconds,
        )

    def _told(self, target: Target) -> Story:
        story = self._tells[target.kind](target)
        return story._replace(commits=self.marked(story.commits))

    def marked(self, commits: Sequence[CommitStory]) -> tuple[CommitStory, ...]:
        """Return commits with what has to be said of each."""
        return with_marks(self.work.project.gate(), commits, self.linker.ends)

    # Lines

    def _lines(self, target: Target) -> Story:
        if not self.work.project.place.common:
            raise BadInputError("This is not a git repository, so lines have no history.")
        began = time.perf_counter()
        lines = (target.first, target.last)
        blamed, commits = blame(
            self.known.history, target.path, lines, self._adding, self.lines.typed_again
        )
        self._git += time.perf_counter() - began
        links = {sha: self.lines.links(one) for sha, one in commits.items()}
        told = [commit_story(commits[sha], links[sha]) for sha in commits]
        commits[""], links[""] = self._uncommitted(blamed), []
        stories = tuple(self._line(one, commits.get(one.sha), target.path) for one in blamed)
        wanted = [link for one in stories for link in one.origin]
        # A session that committed a rules file said much that has nothing to do with one line.
        wanted += [
            one
            for sha in ([] if is_of_rules(target.path) else commits)
            for one in links[sha][:1]
            if not self.linker.is_older(commits[sha], one.session)
        ]
        tasks = tasks_of(self.work, commits.values(), _owners(wanted))
        return Story(
            "",
            target.kind,
            target.path,
            lines=stories,
            commits=tuple(told),
            sessions=tuple(self._sessions(wanted)),
            tasks=tuple(tasks),
            since=tuple(learnt_about(self.work, target.path, {target.id} if target.id else ())),
        )

    def _adding(self, blamed: Sequence[BlamedLine]) -> dict[str, Commit]:
        counts = Counter(one.sha for one in blamed if one.sha)
        return self._read(counts, sorted({one.path for one in blamed if one.sha}))

    def _read(self, counts: dict[str, int], paths: Sequence[str]) -> dict[str, Commit]:
        """Read commits, those with the most lines first; large ones only for these files."""
        history, found = self.known.history, dict[str, Commit]()
        wide = history.wide([*counts]) if counts else set()
        for shas, of in (([*(counts.keys() - wide)], ()), ([*wide], paths)):
            if shas:
                found.update((one.sha, one) for one in history.commits(shas, *of))
        order = sorted(found, key=lambda sha: (-counts[sha], -found[sha].author_time))
        return {sha: found[sha] for sha in order}

    def _uncommitted(self, blamed: Sequence[BlamedLine]) -> Commit:
        """Return uncommitted lines as if they were committed now."""
        now = int(self.work.project.clock.now())
        added: dict[str, list[tuple[int, str]]] = {}
        for one in blamed:
            if not one.sha:
                added.setdefault(one.path, []).append((one.original, one.text))
        lines = {path: tuple(rows) for path, rows in added.items()}
        return Commit(
            "", now, now, parents=(), author="", subject="", body="", added=lines, renamed={}
        )

    def _line(self, one: BlamedLine, commit: Commit | None, shown: str) -> LineStory:
        inside = one.path.removeprefix(self._from_top(""))
        origin = self.lines.of(one, commit, self._from_top(shown), inside)
        return LineStory(
            one.line, one.text, one.sha, path=one.path, original=one.original, origin=tuple(origin)
        )

    # Commits, sessions, tasks

    def _commit(self, target: Target) -> Story:
        began = time.perf_counter()
        (commit,) = self.known.history.commits([target.id])
        links = self.linker.links(commit)
        count, brought = brought_by(self.known.history, commit, 0 if links else _COMMITS - 1)
        self._git += time.perf_counter() - began
        if not links and not brought:
            from satchel.application.thread.guesses import guessed

            links = guessed(self.work, commit, self.linker)
        told = [commit_story(one, self.linker.links(one)) for one in brought]
        prompts = [one._replace(place=place) for one in links for place in one.places]
        wanted = [*links, *prompts, *_first(told)]
        return Story(
            "",
            COMMIT,
            commits=(commit_story(commit, links)._replace(brings=count), *told),
            sessions=tuple(self._sessions(wanted)),
            tasks=tuple(tasks_of(self.work, [commit, *brought], _owners(wanted))),
        )

    def _session(self, target: Target) -> Story:
        (facts,) = self.known.store.sessions(target.id)
        commits = self._came_of(facts)
        links = [Link(facts.session, facts.client, "", ())]
        tasks = tasks_of(self.work, (), _owners(links))
        told = session_story(self.work, facts)
        return Story("", SESSION, commits=tuple(commits), sessions=(told,), tasks=tuple(tasks))

    def _came_of(self, facts: SessionFacts) -> list[CommitStory]:
        """Return the commits that a session led to, oldest first.

        Another branch's count too, but not for a change that is also on this one.
        """
        history = self.known.history
        if not self.work.project.place.common or not history.head():
            return []
        began = time.perf_counter()
        since, until = int(facts.began) - _MAKING, int(facts.ended) + _WITHIN
        here = [*history.commits(log_between(history, since, until, "HEAD")[-_CAME_OF:])]
        others = log_between(history, since, until, "--branches", "--not", "HEAD")[-_CAME_OF:]
        elsewhere = {one.change or one.sha: one for one in history.commits(others)}
        self._git += time.perf_counter() - began
        known = {one.change for one in here}
        found = []
        for commit in (*here, *(one for key, one in elsewhere.items() if key not in known)):
            links = [one for one in self.linker.links(commit) if one.session == facts.session]
            if links:
                found.append(commit_story(commit, links))
        return sorted(found, key=lambda one: one.at)

    def _task(self, target: Target) -> Story:
        shown, _, _ = self.work.tasks.view.show(target.id)
        task = task_story(self.work, shown.id)
        began = time.perf_counter()
        named = self._naming(shown.id)
        self._git += time.perf_counter() - began
        told = [commit_story(one, self.linker.links(one)) for one in named]
        sessions = [*_first(told), *self._of_records(shown.id)]
        return Story(
            "",
            TASK,
            commits=tuple(told),
            sessions=tuple(self._sessions(sessions)),
            tasks=(task,) if isinstance(task, TaskStory) else (),
            since=tuple(learnt_for(self.work, shown.id)),
        )

    def _naming(self, task: str) -> list[Commit]:
        if not self.work.project.place.common or not self.known.history.head():
            return []
        words = (
            "--fixed-strings",
            f"--grep={task}",
            f"--max-count={_COMMITS}",
            "HEAD",
            "--branches",
        )
        return [*self.known.history.commits(self.known.history.log(*words))]

    def _of_records(self, task: str) -> list[Link]:

        listed = self.work.memories.list(Filter(task=task), 50)
        names = dict.fromkeys(one.record.session for one in listed if one.record.session)
        return [Link(name, "", "", ()) for name in names]

    # Notes

    def _note(self, target: Target) -> Story:
        from satchel.application.thread import notes

        note, told = notes.read_story(self.work, target.path)
        inside = notes.path_inside(self.work, target.path)
        commits = self.commits_of(inside)
        links = {one.sha: self.linker.links(one) if one.sha else [] for one in commits}
        found: list[Link] = []
        for first in commits[-1:]:
            path = self._from_top(inside)
            for one in commits:
                path = one.renamed.get(path, path)
            found = notes.writers(self.linker, first, path, links[first.sha])
        origin = notes.with_named_session(note, found)
        made = [commit_story(one, links[one.sha]) for one in commits if one.sha]
        wanted = [*origin, *_first(made)]
        memories = notes.named_by(self.work, note)
        name = target.path.rpartition("/")[2]
        tasks = tasks_of(self.work, commits, _owners(wanted), (name, notes.text_of(note)))
        author = made[-1].author if made else told.author
        return Story(
            "",
            NOTE,
            inside,
            commits=tuple(made),
            sessions=tuple(self._sessions(wanted)),
            tasks=tuple(tasks),
            since=notes.learnt_of(self.work, note, [one.id for one in memories]),
            note=told._replace(author=author, origin=origin, memories=memories),
        )

    def commits_of(self, path: str) -> list[Commit]:
        """Return commits of a file, newest first, and the first; or its lines as if committed."""
        if not path or not self.work.project.place.common:
            return []
        began, history = time.perf_counter(), self.known.history
        try:
            below = self._from_top(path)
            shas = self._shas_of(below) if history.head() else []
            if not shas:
                with open(os.path.join(self.work.project.place.root, path), "rb") as file:
                    last = min(MOST_LINES, max(1, file.read().count(b"\n")))
                return [self._uncommitted(history.blame(path, 1, last))]
            kept = dict.fromkeys([*shas[: _COMMITS - 1], shas[-1]], 1)
            read = self._read(kept, [below])
            return [read[sha] for sha in kept if sha in read]
        except NotFoundError:
            return []  # git ignores it
        finally:
            self._git += time.perf_counter() - began

    def _from_top(self, path: str) -> str:
        """Return a project file's path below the top of its work tree, according to git."""
        below = self.work.project.place.below.replace(os.sep, "/")
        return f"{below}/{path}" if below else path

    def _shas_of(self, path: str) -> list[str]:
        """Return a file's commits through renames, newest first.

        Git's own `--follow` would also go from a copy to its original.
        """
        shas, since = list[str](), "HEAD"
        for _ in range(_COMMITS):
            found = self.known.history.log(since, "--", f":(top,literal){path}")
            shas += found
            first = self._read(dict.fromkeys(found[-1:], 1), [path])
            old = "".join(one.renamed.get(path, "") for one in first.values())
            if not old:
                break
            path, since = old, f"{found[-1]}^"
        return shas

    # Sessions

    def _sessions(self, links: Iterable[Link]) -> Iterator[SessionStory]:
        """Return the linked sessions, each with its relevant prompts."""
        places: dict[str, set[int]] = {}
        until: dict[str, float] = {}
        first: dict[str, Link] = {}
        for one in links:
            first.setdefault(one.session, one)
            wanted = places.setdefault(one.session, set())
            if one.place >= 0:
                wanted.add(one.place)
                until[one.session] = max(until.get(one.session, 0.0), one.at)
        for session, one in [*first.items()][:_SESSIONS]:
            known = self.known.store.sessions(session)[:1]
            facts = known[0] if known else SessionFacts(session, one.client)
            asked = places[session]
            yield session_story(self.work, facts, asked, until=until.get(session, 0.0))


def _first(commits: Sequence[CommitStory]) -> list[Link]:
    return [one.links[0] for one in commits if one.links]


def _owners(links: Iterable[Link]) -> list[str]:
    return [*dict.fromkeys(one.session for one in links)]
