"""The results of `satchel why` and `satchel thread`. Values."""

from __future__ import annotations

from satchel.core.values import NamedTuple
from satchel.features.thread.values import Evidence, Link

LINE, SYMBOL, COMMIT, SESSION, TASK = "line", "symbol", "commit", "session", "task"
NOTE = "note"


class LineStory(NamedTuple):
    """A line, its commit, and the sessions that wrote it, best first.

    `sha` is "" for an uncommitted line; `path` and `line` are its place in the commit.
    """

    line: int
    text: str
    sha: str
    path: str
    original: int
    origin: tuple[Link, ...] = ()


class CommitStory(NamedTuple):
    """A commit and the sessions it comes from.

    `cut_off`: its parents are missing from this shallow clone, so that it seems to add everything.
    `brings`: how many commits it merged. `unapproved`: nobody here has approved its author.
    `body`: what its message says behind the first line, without trailers.
    """

    sha: str
    subject: str
    author: str
    at: int
    reverts: str = ""
    links: tuple[Link, ...] = ()
    cut_off: bool = False
    brings: int = 0
    unapproved: bool = False
    body: str = ""


class PromptStory(NamedTuple):
    """A user's request: the turn, its position in the session, the time, the words."""

    turn: str
    place: int
    at: float
    text: str


#: Fewest words of a prompt that says something: shorter ones just agree to the one before.
_SAYS_SOMETHING = 4


def only_agrees(prompt: str) -> bool:
    """Return whether a prompt just agrees, so that the prompt before belongs to it."""
    return len(prompt.split()) < _SAYS_SOMETHING


class MemoryStory(NamedTuple):
    """A memory on the thread: its id, kind and first words, and why it is linked, if directly."""

    id: str
    kind: str
    text: str
    confidence: str = ""
    evidence: tuple[Evidence, ...] = ()


class SessionStory(NamedTuple):
    """A session: its requests, what its agent was told, what it learned.

    `archived` is false if only another program's record names it.
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
    """A task on the thread, its intent sections, and why it is linked.

    `unapproved`: a repository brought the tasks, and nobody has approved them.
    """

    id: str
    title: str
    status: str
    intent: tuple[str, ...]
    confidence: str
    evidence: tuple[Evidence, ...]
    unapproved: bool = False


class NoteStory(NamedTuple):
    """A learning note: its metadata, who wrote it, and what it names.

    Attributes:
        author: who first committed it, or else the author it names; "" if unknown.
        insight: its key insight, and `sure` the confidence that it states.
        replaced_by: the note that replaced it, according to itself.
        unapproved: a repository brought it, and nobody has approved it.
        origin: the sessions that wrote it, best first.
        memories: what it names.
    """

    id: str
    title: str
    path: str
    category: str
    insight: str
    sure: str
    created: str
    updated: str
    author: str
    replaced_by: str
    unapproved: bool
    origin: tuple[Link, ...] = ()
    memories: tuple[MemoryStory, ...] = ()


class Story(NamedTuple):
    """Everything on the target's thread. `git` is the time spent in git, in seconds."""

    asked: str
    kind: str
    path: str = ""
    lines: tuple[LineStory, ...] = ()
    commits: tuple[CommitStory, ...] = ()
    sessions: tuple[SessionStory, ...] = ()
    tasks: tuple[TaskStory, ...] = ()
    since: tuple[MemoryStory, ...] = ()
    note: NoteStory | None = None
    unread: int = 0
    git: float = 0.0
    seconds: float = 0.0
