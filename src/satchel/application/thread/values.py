"""What `satchel why` and `satchel thread` tell. Values."""

from __future__ import annotations

from satchel.core.values import NamedTuple
from satchel.features.thread.values import Evidence, Link

LINE, SYMBOL, COMMIT, SESSION, TASK = "line", "symbol", "commit", "session", "task"


class LineStory(NamedTuple):
    """A line, the commit that it comes from, and the sessions that wrote it, best first.

    `sha` is "" for a line that is not committed; `path` and `line` are where it was in its commit.
    """

    line: int
    text: str
    sha: str
    path: str
    original: int
    origin: tuple[Link, ...] = ()


class CommitStory(NamedTuple):
    """A commit and the sessions that it comes from."""

    sha: str
    subject: str
    author: str
    at: int
    reverts: str = ""
    links: tuple[Link, ...] = ()


class PromptStory(NamedTuple):
    """What a person asked for: the turn and its place in the session, when, and the words."""

    turn: str
    place: int
    at: float
    text: str


class MemoryStory(NamedTuple):
    """A memory on the thread: its id, kind and first words."""

    id: str
    kind: str
    text: str


class SessionStory(NamedTuple):
    """A session: what was asked there, what the agent had been told, what it learnt.

    `archived` is false where only a record of another program names it.
    """

    session: str
    client: str
    title: str = ""
    branch: str = ""
    began: float = 0.0
    ended: float = 0.0
    archived: bool = True
    prompts: tuple[PromptStory, ...] = ()
    told: tuple[MemoryStory, ...] = ()
    learnt: tuple[MemoryStory, ...] = ()


class TaskStory(NamedTuple):
    """A task on the thread, the sections of the intent it is about, and why it is thought to be."""

    id: str
    title: str
    status: str
    intent: tuple[str, ...]
    confidence: str
    evidence: tuple[Evidence, ...]


class Story(NamedTuple):
    """Everything on the thread of what was asked. `git` are the seconds that git took."""

    asked: str
    kind: str
    path: str = ""
    lines: tuple[LineStory, ...] = ()
    commits: tuple[CommitStory, ...] = ()
    sessions: tuple[SessionStory, ...] = ()
    tasks: tuple[TaskStory, ...] = ()
    since: tuple[MemoryStory, ...] = ()
    unread: int = 0
    git: float = 0.0
    seconds: float = 0.0
