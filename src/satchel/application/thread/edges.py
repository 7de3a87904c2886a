"""Edges between all things on a thread: what connects them, how certainly, and why. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from satchel.application.thread.values import (
    COMMIT,
    LINE,
    NOTE,
    SESSION,
    TASK,
    CommitStory,
    LineStory,
    MemoryStory,
    NoteStory,
    SessionStory,
    Story,
    TaskStory,
)
from satchel.core.values import NamedTuple
from satchel.features.thread.values import CERTAIN, CONFIDENCES, LIKELY, Evidence, Link

FILE, PROMPT, MEMORY, INTENT, ENTITY = "file", "prompt", "memory", "intent", "entity"
#: Evidence only used here; see `features.thread.values` for that of links.
BLAMED, HISTORY, INJECTED = "blamed", "history", "injected"
RECORDED, LINKED = "recorded", "linked"
#: Characters of a commit's id.
SHOWN_SHA = 10


class Node(NamedTuple):
    """A thing on the thread. `id` identifies it in queries; `label` describes it in words.

    `unapproved`: a repository brought it, and nobody has approved it.
    """

    kind: str
    id: str
    label: str = ""
    unapproved: bool = False


class Edge(NamedTuple):
    """A step from one thing to another: `source` is `type` of `target`."""

    source: Node
    type: str
    target: Node
    confidence: str
    evidence: tuple[Evidence, ...]


def edges_of(story: Story) -> list[Edge]:
    """Return the edges of a story, those of its subject first."""
    asked = node_of(story)
    found = [
        *_lines(asked, story.lines),
        *(_note(asked, story.note) if story.note is not None else ()),
        *_tasks(asked, story.tasks),
        *_commits(asked, story.commits),
        *_sessions(asked, story),
        *(about(asked, one) for one in story.since),
    ]
    return list(dict.fromkeys(one for one in found if one.source.id != one.target.id))


def node_of(story: Story) -> Node:
    """Return what a story was asked about."""
    if story.kind == COMMIT and story.commits:
        return _commit(story.commits[0])
    if story.kind == SESSION and story.sessions:
        return _session(story.sessions[0])
    if story.kind == TASK and story.tasks:
        return _task(story.tasks[0])
    if story.kind == NOTE and story.note is not None:
        return Node(NOTE, story.note.id, story.note.title, story.note.unapproved)
    text = story.lines[0].text.strip() if story.kind == LINE and story.lines else ""
    return Node(story.kind, story.asked, text)


def session_node(session: str, title: str = "") -> Node:
    """Return a session as a node."""
    return Node(SESSION, session, title)


def memory_node(one: MemoryStory) -> Node:
    """Return a memory as a node."""
    return Node(MEMORY, one.id, one.text)


def about(asked: Node, one: MemoryStory) -> Edge:
    """Return the edge from a memory to what it is about."""
    return Edge(memory_node(one), "is about", asked, one.confidence or CERTAIN, one.evidence)


def _commit(one: CommitStory) -> Node:
    return Node(COMMIT, one.sha[:SHOWN_SHA], one.subject, one.unapproved)


def _session(one: SessionStory) -> Node:
    asking = one.prompts[0].text if one.prompts else ""
    return session_node(one.session, one.title or asking)


def _task(one: TaskStory) -> Node:
    return Node(TASK, one.id, one.title, one.unapproved)


def _lines(asked: Node, lines: tuple[LineStory, ...]) -> Iterator[Edge]:
    counts = Counter(one.sha for one in lines if one.sha)
    for sha, count in counts.most_common():
        some = f" for {count} of {len(lines)} lines" if count < len(lines) else ""
        seen = Evidence(BLAMED, some)
        yield Edge(asked, "comes from", Node(COMMIT, sha[:SHOWN_SHA]), CERTAIN, (seen,))
    links = sorted(
        (link for one in lines for link in one.origin[:1]),
        key=lambda link: CONFIDENCES.index(link.confidence),
    )
    yield from _written(asked, links)


def _written(source: Node, links: list[Link]) -> Iterator[Edge]:
    """Yield one edge to each session, the most certain."""
    first: dict[str, Link] = {}
    for link in links:
        first.setdefault(link.session, link)
    for link in first.values():
        yield Edge(
            source, "was written in", session_node(link.session), link.confidence, link.evidence
        )


def _note(asked: Node, note: NoteStory) -> Iterator[Edge]:
    yield from _written(asked, [*note.origin])
    for one in note.memories:
        confidence = one.confidence or CERTAIN
        yield Edge(asked, "names", memory_node(one), confidence, one.evidence)
    if note.replaced_by:
        said = Evidence("noted", note.id)
        yield Edge(asked, "was replaced by", Node(NOTE, note.replaced_by), CERTAIN, (said,))


def _tasks(asked: Node, tasks: tuple[TaskStory, ...]) -> Iterator[Edge]:
    for one in tasks:
        task = _task(one)
        yield Edge(asked, "is for", task, one.confidence, one.evidence)
        for anchor in one.intent:
            yield Edge(task, "serves", Node(INTENT, anchor), CERTAIN, (Evidence(LINKED),))


def _commits(asked: Node, commits: tuple[CommitStory, ...]) -> Iterator[Edge]:
    for one in commits:
        if not one.sha:
            continue
        commit = _commit(one)
        if asked.kind == TASK:
            named = Evidence("named", one.sha[:SHOWN_SHA])
            yield Edge(commit, "is for", asked, CERTAIN, (named,))
        elif asked.kind in (NOTE, FILE):
            yield Edge(commit, "changed", asked, CERTAIN, (Evidence(HISTORY),))
        elif asked.kind == COMMIT and commit.id != asked.id:
            yield Edge(asked, "merges", commit, CERTAIN, (Evidence(HISTORY),))
        if one.reverts:
            reverted = Node(COMMIT, one.reverts[:SHOWN_SHA])
            yield Edge(commit, "reverts", reverted, CERTAIN, (Evidence(HISTORY),))
        for link in one.links[:1]:
            session = session_node(link.session)
            yield Edge(commit, "was made in", session, link.confidence, link.evidence)


def _sessions(asked: Node, story: Story) -> Iterator[Edge]:
    linked = {link.session for one in story.commits for link in one.links[:1]}
    for one in story.sessions:
        session = _session(one)
        if asked.kind == TASK and one.session not in linked:
            seen = Evidence("remembered", one.session)
            yield Edge(session, "worked on", asked, LIKELY, (seen,))
        for prompt in one.prompts:
            said = Node(PROMPT, f"{one.session}#{prompt.place}", prompt.text)
            yield Edge(said, "was asked in", session, CERTAIN, (Evidence(RECORDED),))
        for told in (each for each in one.told if each.id):
            yield Edge(session, "was told", memory_node(told), CERTAIN, (Evidence(INJECTED),))
        for learnt in one.learnt:
            yield Edge(
                memory_node(learnt), "was learnt in", session, CERTAIN, (Evidence(RECORDED),)
            )
