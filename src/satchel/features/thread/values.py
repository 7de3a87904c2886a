"""What links code to conversation: facts of sessions and commits, evidence, links. Values."""

from __future__ import annotations

from satchel.core.values import NamedTuple

#: How sure a link is. Whatever is only guessed says so.
CERTAIN, LIKELY, GUESS = "certain", "likely", "guess"
CONFIDENCES = (CERTAIN, LIKELY, GUESS)

#: Kinds of evidence, strongest first.
COMMITTED = "committed"  # git told the session this commit's id
SAME_CHANGE = "same change"  # the session made a commit that changes the very same lines
WROTE = "wrote"  # tools of the session wrote these lines
MESSAGE = "message"  # the session made a commit of this message at the author's time
LOG = "log"  # another program's record names the session
FILES = "files"  # the session wrote these files shortly before
TIME = "time"  # the session was open, or near, at that time
WORDS = "words"  # the session speaks of the same things
KINDS = (COMMITTED, SAME_CHANGE, WROTE, MESSAGE, LOG, FILES, TIME, WORDS)


class Evidence(NamedTuple):
    """One reason for a link: its kind, and what was seen, in words."""

    kind: str
    detail: str = ""


class Link(NamedTuple):
    """A session that a commit or a line comes from.

    Attributes:
        session: the client's id of it.
        turn: the turn that wrote or committed it; "" where none is known.
        place: of the person's prompt before it in the session, -1 for none.
        at: when that turn was, seconds since 1970.
    """

    session: str
    client: str
    confidence: str
    evidence: tuple[Evidence, ...]
    turn: str = ""
    place: int = -1
    at: float = 0.0


class WrittenFile(NamedTuple):
    """What one call of a tool wrote; see `clients.transcript_format.values.Edit`."""

    path: str
    marks: tuple[str, ...]
    whole: bool = False


class TurnFacts(NamedTuple):
    """What one turn is evidence of: nothing that was said, only where and when.

    `commits` are pairs: the id that git printed, and the mark of the message's first line.
    """

    id: str
    place: int
    at: float
    is_prompt: bool
    wrote: tuple[WrittenFile, ...] = ()
    commits: tuple[tuple[str, str], ...] = ()


class SessionFacts(NamedTuple):
    """One archived session as evidence. `parent` is the session whose subagent it was."""

    session: str
    client: str
    parent: str = ""
    branch: str = ""
    model: str = ""
    began: float = 0.0
    ended: float = 0.0
    turns: tuple[TurnFacts, ...] = ()


class Written(NamedTuple):
    """One call that wrote a line: which line, in which edit, turn and session.

    `place` is that of the person's prompt before it, -1 where there was none. What a subagent
    did is of its parent's session.
    """

    mark: str
    edit: int
    path: str
    whole: bool
    session: str
    client: str
    turn: str
    place: int
    at: float


class Made(NamedTuple):
    """A commit that git told a session of: the id as it was printed; `place` as above."""

    ident: str
    subject: str
    session: str
    client: str
    turn: str
    place: int
    at: float


class Touched(NamedTuple):
    """One call that wrote a file; `place` as above."""

    path: str
    session: str
    client: str
    turn: str
    place: int
    at: float
