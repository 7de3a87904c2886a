"""The links from code to conversation: facts, evidence, links. Values."""

from __future__ import annotations

from satchel.core.values import NamedTuple

#: How certain a link is. Guesses are marked as such.
CERTAIN, LIKELY, GUESS = "certain", "likely", "guess"
CONFIDENCES = (CERTAIN, LIKELY, GUESS)

#: Kinds of evidence, strongest first.
COMMITTED = "committed"  # git told the session this commit's id
SAME_CHANGE = "same change"  # the session made a commit that changes the very same lines
WROTE = "wrote"  # tools of the session wrote these lines
ACCEPTED = "accepted"  # a person accepted what the session taught, and so the line was written
MESSAGE = "message"  # the session made a commit of this message at the author's time
LOG = "log"  # another program's record names the session
FILES = "files"  # the session wrote these files shortly before
TIME = "time"  # the session was open, or near, at that time
WORDS = "words"  # the session speaks of the same things
KINDS = (COMMITTED, SAME_CHANGE, WROTE, ACCEPTED, MESSAGE, LOG, FILES, TIME, WORDS)

#: The detail of `LOG` for the trailer that sessions are asked for (`hooks.trailer`).
OWN_TRAILER = "Satchel-Session"


class Evidence(NamedTuple):
    """A reason for a link: its kind, and what was seen, in words."""

    kind: str
    detail: str = ""


class Link(NamedTuple):
    """A session that a commit or line comes from.

    Attributes:
        session: the client's id.
        turn: the turn that wrote or committed it; "" if unknown.
        place: of the user's prompt before it in the session, -1 for none.
        at: the turn's time, seconds since 1970.
        places: those of all prompts that wrote lines of a commit.
    """

    session: str
    client: str
    confidence: str
    evidence: tuple[Evidence, ...]
    turn: str = ""
    place: int = -1
    at: float = 0.0
    places: tuple[int, ...] = ()


class WrittenFile(NamedTuple):
    """What a tool call wrote; see `clients.transcript_format.values.Edit`."""

    path: str
    marks: tuple[str, ...]
    whole: bool = False
    gone: tuple[str, ...] = ()
    at: float = 0.0


class TurnFacts(NamedTuple):
    """A turn as evidence: where and when, but none of its text.

    `commits` are pairs: the id that git printed, and the mark of the message's first line.
    """

    id: str
    place: int
    at: float
    is_prompt: bool
    wrote: tuple[WrittenFile, ...] = ()
    commits: tuple[tuple[str, str], ...] = ()


class SessionFacts(NamedTuple):
    """An archived session as evidence. `parent` is the parent of a subagent's."""

    session: str
    client: str
    parent: str = ""
    branch: str = ""
    model: str = ""
    began: float = 0.0
    ended: float = 0.0
    turns: tuple[TurnFacts, ...] = ()


class Written(NamedTuple):
    """A call that wrote or removed a line: the line, its edit, turn and session.

    `place` is that of the user's prompt before it, -1 if there was none. A subagent's work belongs
    to its parent's session. `times` is how often it wrote the line, negative if it removed it.
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
    times: int = 1


class PrintedCommit(NamedTuple):
    """A commit that git printed in a session: its id as printed; `place` as above."""

    ident: str
    subject: str
    session: str
    client: str
    turn: str
    place: int
    at: float


class FileEdit(NamedTuple):
    """A call that wrote a file; `place` as above."""

    path: str
    session: str
    client: str
    turn: str
    place: int
    at: float
