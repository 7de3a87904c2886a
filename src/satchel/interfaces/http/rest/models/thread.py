"""Where code comes from: the thread from a line to its commit, session, prompt, task, memories."""

from __future__ import annotations

from typing import Annotated, Literal

from satchel.interfaces.http.rest.models.fields import Plain, says

_SHA = says("The commit.", "9f2c1ab")
_SESSION = says("The client's id of the session.", "7c2a")
_CLIENT = says("The agent client.", "claude-code")
_MOMENT = says("Unix seconds; 0 if unknown.", 1773671400)
_SURE = says("certain, likely or guess.", "certain")


class Evidence(Plain):
    """One reason for a link."""

    kind: Annotated[str, says("Its kind.", "committed")]
    detail: Annotated[str, says("What was seen.", "9f2c1ab")]


class CodeOrigin(Plain):
    """A session that a commit or a line comes from."""

    session: Annotated[str, _SESSION]
    client: Annotated[str, _CLIENT]
    confidence: Annotated[Literal["certain", "likely", "guess"], _SURE]
    evidence: Annotated[list[Evidence], says("The evidence, strongest first.")]
    turn: Annotated[str, says('The turn that wrote it; "" if unknown.', "t-1")]
    place: Annotated[int, says("Position of the prompt in the session; -1 for none.", 0)]
    at: Annotated[float, _MOMENT]
    places: Annotated[list[int], says("Positions of all prompts of a commit.", [0])]


class ExplainedLine(Plain):
    """A line and its origin."""

    line: Annotated[int, says("Line, from 1.", 42)]
    text: Annotated[str, says("What it says.", "RATE = 19")]
    sha: Annotated[str, says('Its commit; "" if not committed.', "9f2c1ab")]
    path: Annotated[str, says("Its file in that commit.", "lib/pay.py")]
    original: Annotated[int, says("Its line in that commit.", 40)]
    origin: Annotated[list[CodeOrigin], says("Sessions that wrote it, best first.")]


class ExplainedCommit(Plain):
    """A commit and the sessions it comes from."""

    sha: Annotated[str, _SHA]
    subject: Annotated[str, says("First line of its message.", "Raise the rate")]
    author: Annotated[str, says("Who made it.", "Ann")]
    at: Annotated[int, _MOMENT]
    reverts: Annotated[str, says('The commit that it reverts; "" for none.', "")]
    links: Annotated[list[CodeOrigin], says("Sessions, best first.")]
    cut_off: Annotated[bool, says("Whether a shallow clone has nothing before it.", False)]
    brings: Annotated[int, says("How many commits it merged.", 0)]
    unapproved: Annotated[bool, says("Whether nobody here has approved its author.", False)]
    body: Annotated[str, says("What its message says behind the first line, without trailers.", "")]


class Prompt(Plain):
    """A user's request."""

    turn: Annotated[str, says("Id of the turn.", "t-1")]
    place: Annotated[int, says("Its position in the session.", 0)]
    at: Annotated[float, _MOMENT]
    text: Annotated[str, says("The words.", "Raise the rate to 19.")]


class MemoryMention(Plain):
    """A memory on the thread."""

    id: Annotated[str, says("Id of the memory.", "01M8ZK3")]
    kind: Annotated[str, says("Its kind.", "decision")]
    text: Annotated[str, says("Its first words.", "Use pgx")]
    confidence: Annotated[str, says('Of its own link: certain or likely; "" for none.', "certain")]
    evidence: Annotated[list[Evidence], says("Why it is linked, if not by its session.")]


class ExplainedSession(Plain):
    """A session: its requests, what its agent had been told, what it learned."""

    session: Annotated[str, _SESSION]
    client: Annotated[str, _CLIENT]
    title: Annotated[str, says("Its title.", "Rates")]
    branch: Annotated[str, says("Its branch.", "main")]
    began: Annotated[float, _MOMENT]
    ended: Annotated[float, _MOMENT]
    archived: Annotated[bool, says("Whether its transcript is here.", True)]
    prompts: Annotated[list[Prompt], says("What was asked.")]
    told: Annotated[list[MemoryMention], says("What its agent had been told.")]
    learnt: Annotated[list[MemoryMention], says("What it learnt.")]


class ExplainedTask(Plain):
    """A task on the thread."""

    id: Annotated[str, says("Id of the task.", "shop-a1b2")]
    title: Annotated[str, says("One line.", "New rates")]
    status: Annotated[str, says("Where it stands.", "closed")]
    intent: Annotated[list[str], says("Sections of the intent it is about.", ["rates"])]
    confidence: Annotated[str, _SURE]
    evidence: Annotated[list[Evidence], says("Why the task is thought to be related.")]
    unapproved: Annotated[bool, says("A repository brought it; nobody approved it.", False)]


class ExplainedNote(Plain):
    """A learning note: what it says of itself, who wrote it, what it names."""

    id: Annotated[str, says("Its id.", "use-pgx-a1b2c3")]
    title: Annotated[str, says("Its title.", "Use pgx")]
    path: Annotated[str, says("Its file.", "/home/ann/shop/docs/solutions/patterns/pgx.md")]
    category: Annotated[str, says("Its category.", "patterns")]
    insight: Annotated[str, says("Its key insight.", "pgx keeps the types.")]
    sure: Annotated[str, says('HIGH, MEDIUM or LOW, as it says; "" for nothing.', "HIGH")]
    created: Annotated[str, says("When, according to the note.", "2026-03-16")]
    updated: Annotated[str, says("When, according to the note.", "2026-03-17")]
    author: Annotated[str, says("Who committed it first, or whom it names.", "Ann")]
    replaced_by: Annotated[str, says("What replaced it, as it says.", "")]
    unapproved: Annotated[bool, says("A repository brought it; nobody approved it.", False)]
    origin: Annotated[list[CodeOrigin], says("Sessions that wrote it, best first.")]
    memories: Annotated[list[MemoryMention], says("Memories that it names.")]


class Explanation(Plain):
    """Everything on the requested thread."""

    asked: Annotated[str, says("What was asked.", "lib/pay.py:42")]
    kind: Annotated[str, says("line, symbol, commit, session, task or note.", "line")]
    path: Annotated[str, says('The file; "" for none.', "lib/pay.py")]
    lines: Annotated[list[ExplainedLine], says("Lines.")]
    commits: Annotated[list[ExplainedCommit], says("Commits.")]
    sessions: Annotated[list[ExplainedSession], says("Sessions.")]
    tasks: Annotated[list[ExplainedTask], says("Tasks.")]
    since: Annotated[list[MemoryMention], says("What was learnt about it since.")]
    note: Annotated[ExplainedNote | None, says("The note, if it is one.")]
    unread: Annotated[int, says("Sessions of the archive not read yet.", 0)]
    git: Annotated[float, says("Seconds spent in git.", 0.02)]
    seconds: Annotated[float, says("Seconds in total.", 0.05)]
