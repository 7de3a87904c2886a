"""What a session that began above the project did in it, and nothing else that it said.

Such a session may be about several projects. Of it, the archive keeps the calls that wrote this
project's files or made its commits, and the prompts that asked for them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from satchel.clients.transcript_format.values import TranscriptHead, Turn
from satchel.clients.transcripts.reading import TranscriptReader
from satchel.features.sessions.prompts import is_prompt
from satchel.features.sessions.whose import belongs
from satchel.project.place import find_place
from satchel.project.store import ProjectStore
from satchel.storage.commits import History
from satchel.storage.git import GitError
from satchel.storage.safe_open import is_within


def began_above(project: ProjectStore, cwd: str) -> bool:
    """Return whether a session's directory contains the project, and is not one of its own."""
    if not cwd or not os.path.isdir(cwd):
        return False
    here = os.path.realpath(cwd)
    return is_within(os.path.realpath(project.place.root), here) and not belongs(project, cwd)


class ProjectPart:
    """The part of sessions above a project that is the project's.

    Attributes:
        project: whose files count.
    """

    def __init__(self, project: ProjectStore) -> None:
        self.project = project
        self._above: dict[str, bool] = {}
        self._folders: dict[str, bool] = {}

    def holds(self, cwd: str) -> bool:
        """Return whether sessions of a directory may have such a part."""
        if cwd not in self._above:
            self._above[cwd] = began_above(self.project, cwd)
        return self._above[cwd]

    def head(self, head: TranscriptHead) -> TranscriptHead:
        """Return a session's head without its title and branch, which may be another project's."""
        return head._replace(title="", branch="")

    def turns(self, reader: TranscriptReader, cwd: str) -> Iterator[Turn]:
        """Yield the turns that are the project's.

        Afterwards the reader resumes at the last prompt, since it may get an answer later.
        """
        asked: Turn | None = None
        resume = behind = reader.resume
        for turn in reader:
            if is_prompt(turn):
                asked, resume = turn, behind
            elif not reader.head.parent and (done := self._done_here(turn, cwd)) is not None:
                if asked is not None:
                    yield asked._replace(branch="")
                    asked = None
                yield done
            behind = reader.resume
        reader.resume = resume

    def prompts(self, turns: Iterable[Turn], cwd: str) -> list[Turn]:
        """Return the prompts that led to changes of the project's files, and of no others."""
        found: list[Turn] = []
        asked: list[Turn] = []
        is_here = False
        for turn in turns:
            if is_prompt(turn):
                found += asked if is_here else []
                asked, is_here = [turn], False
            elif turn.edits:
                is_here = all(self._is_here(one.path, cwd) for one in turn.edits)
                asked = asked if is_here else []
        return found + (asked if is_here else [])

    def _done_here(self, turn: Turn, cwd: str) -> Turn | None:
        """Return what a turn did here, without what it said; None for nothing."""
        edits = tuple(one for one in turn.edits if self._is_here(one.path, cwd))
        commits = self._made_here(turn.commits)
        if not edits and not commits:
            return None
        return turn._replace(text="", tools=(), errors=(), edits=edits, commits=commits, branch="")

    def _is_here(self, written: str, cwd: str) -> bool:
        folder = os.path.dirname(os.path.join(cwd, written.replace("\\", "/")))
        while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
            folder = os.path.dirname(folder)
        if folder not in self._folders:
            place = find_place(folder)
            self._folders[folder] = place is not None and self.project.owns(place)
        return self._folders[folder]

    def _made_here(self, commits: tuple[str, ...]) -> tuple[str, ...]:
        """Return the commits that this repository has."""
        if not commits or not self.project.place.common:
            return ()
        try:
            known = History(self.project.place.root).known([one.split(" ")[0] for one in commits])
        except GitError:
            return ()
        return tuple(one for one in commits if one.split(" ")[0] in known)
