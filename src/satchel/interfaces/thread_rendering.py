"""Format what is on the thread of a line, commit, session, task or note as JSON and as text.

What a thing is connected to is formatted in `edges_rendering`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from satchel.application.thread import edges as ends
from satchel.application.thread.neighbours import Neighbours
from satchel.application.thread.relevance import memories_about_lines
from satchel.application.thread.values import (
    LINE,
    SYMBOL,
    CommitStory,
    LineStory,
    MemoryStory,
    NoteStory,
    PromptStory,
    SessionStory,
    Story,
    only_agrees,
)
from satchel.core import times
from satchel.core.excerpts import beginning
from satchel.core.ids import short_id
from satchel.core.plurals import counted
from satchel.core.trust import UNAPPROVED, clean_line
from satchel.features.thread import values as links
from satchel.features.thread.values import Evidence, Link
from satchel.interfaces.rendering import Style, cleaned

#: Width of a line of text; most groups of lines, commits, and memories of each sort to show.
_WIDTH, _GROUPS, _COMMITS, _MEMORIES, _PROMPTS = 110, 6, 5, 3, 3
#: Most commits of a session, task or note.
_LED_TO = 12
_SHOWN_ID = 8
#: Most characters of a task's id, which whoever made it chose.
_IDENT = 40
#: Follows the id of a commit or task, or a note, that a repository brought and nobody approved.
_UNAPPROVED = f" · {UNAPPROVED}"
#: How much of a memory to show before its reason, in characters, however long that is.
_LEAST = 60
_UNKNOWN = "no session is known to have written it"
_REASONS = {
    links.COMMITTED: "git told the session of {}",
    links.SAME_CHANGE: "it made the same change as {}",
    links.WROTE: "its tools wrote {}",
    links.ACCEPTED: "what it taught was accepted: {}",
    links.MESSAGE: "it made {} with this message then",
    links.LOG: "{} says so",
    links.FILES: "it wrote {} shortly before",
    links.TIME: "in time {}",
    links.WORDS: "it says {} of the message's words",
    "named": "{} names it",
    "remembered": "memories of session {} are of it",
    "kept": "it was kept for {}",
    "branch": "the branch is {}",
    "noted": "{} says so itself",
    "derived": "it is made of {}",
    "anchored": "it is anchored at {}",
    ends.BLAMED: "git blames it{}",
    ends.HISTORY: "git's history says so",
    ends.INJECTED: "the injection ledger says so",
    ends.RECORDED: "the record says so",
    ends.LINKED: "the intent links it",
}


def story_json(story: Story | Neighbours) -> dict[str, Any]:
    """Return a story, or edges, for `--json`."""
    told: dict[str, Any] = cleaned(_plain(story))
    return told


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return {name: _plain(part) for name, part in value._asdict().items()}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    return round(value, 3) if isinstance(value, float) else value


def story_text(story: Story, style: Style, *, explain: bool = False) -> str:
    """Format a story, at most a screen long; `explain` adds how long it took."""
    # Prompts by session and place, memories by id.
    told: set[tuple[str, int]] = set()
    groups = _groups(story)
    lines = [*_code(story, groups[:_GROUPS], style, told)]
    if len(groups) > _GROUPS:
        lines.append(f"  and {len(groups) - _GROUPS} more groups of lines; --json has all")
    commits, sessions = _of_groups(story, groups)
    if story.note is not None:
        lines += _note(story.note, story.path, style)
    shown = commits[: _COMMITS if story.kind in (LINE, SYMBOL) else _LED_TO]
    unknown = {line.sha for line in story.lines if not line.origin}
    named = {(line.sha, link.session) for line in story.lines for link in line.origin}
    for commit in shown:
        others = [one for one in commit.links if (commit.sha, one.session) not in named]
        is_unknown = commit.sha in unknown
        why = commit.body if is_unknown or not story.lines else ""
        lines += _commit(commit, others, why, said=is_unknown or len(others) < len(commit.links))
        if is_unknown and len(groups) == 1:
            lines.append(_field("", _UNKNOWN))
    if len(story.commits) > len(shown):
        lines.append(f"  and {len(story.commits) - len(shown)} more commits; --json has all")
    guesses = _only_guessed(story)
    for session in sessions:
        if session.session not in guesses:
            lines += _session(story, session, style, told)
    for task in story.tasks:
        why = f"  ({because(task.confidence, task.evidence)})" if task.evidence else ""
        what = f"{task.title} [{task.status}]{why}"
        lines.append(_field("task", _marked(task.id, what, unapproved=task.unapproved)))
        lines += [_field("intent", anchor) for anchor in task.intent]
    since = [one for one in story.since if (one.id, -1) not in told]
    lines += [_field("since", _memory(one)) for one in since[-_MEMORIES:]]
    if story.unread:
        left = counted(story.unread, "session")
        lines.append(f"  {left} of the archive not read yet; ask again in a moment")
    if explain:
        took = f"  git {story.git * 1000:.0f} ms, all {story.seconds * 1000:.0f} ms"
        lines.append(style.dim(took))
    return "\n".join(lines)


def thread_text(story: Story, style: Style) -> str:
    """Format everything on a thread in chronological order, oldest first."""
    events: list[tuple[float, str, str]] = []
    for session in story.sessions:
        name = _name(session)
        events += [(one.at, "asked", f"{name}: {one.text}") for one in session.prompts]
        events += [
            (session.ended, "learnt", f"{short_id(one.id)} {one.kind}: {one.text}")
            for one in session.learnt
        ]
    for commit in story.commits:
        link = commit.links[0] if commit.links else None
        why = f"  ({because(link.confidence, link.evidence[:1])})" if link else ""
        said = _marked(commit.sha[:10], commit.subject, unapproved=commit.unapproved)
        # In the same second, which is all that git knows, it was asked for before.
        events.append((commit.at + 0.999, "commit", said + why))
    lines = [
        style.bold(clean_line(_marked(one.id, one.title, unapproved=one.unapproved)))
        for one in story.tasks
    ]
    for at, what, text in sorted(events):
        lines.append(f"{times.minute(at)}  {what:<7} {_cut(text)}")
    return "\n".join(lines or ["Nothing is known of it."])


def _of_groups(
    story: Story, groups: Sequence[Sequence[LineStory]]
) -> tuple[Sequence[CommitStory], Sequence[SessionStory]]:
    """Return the commits and sessions to show: of many groups, only those of the first ones."""
    if len(groups) <= _GROUPS:
        return story.commits, story.sessions
    first = [_telling(group) for group in groups[:_GROUPS]]
    shas = {line.sha for line in first}
    names = {link.session for line in first for link in line.origin[:1]}
    return (
        [one for one in story.commits if one.sha in shas],
        [one for one in story.sessions if one.session in names],
    )


def _groups(story: Story) -> list[list[LineStory]]:
    """Return lines together that one session wrote for one prompt; blank ones belong anywhere."""
    groups: list[list[LineStory]] = []
    for line in story.lines:
        blank = not line.text.strip()
        if groups and (blank or _source(_telling(groups[-1])) == _source(line)):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _code(
    story: Story, groups: Sequence[Sequence[LineStory]], style: Style, told: set[tuple[str, int]]
) -> Iterator[str]:
    """Format groups of lines, and record the prompts shown."""
    prompts = {
        (session.session, one.place): one for session in story.sessions for one in session.prompts
    }
    for group in groups:
        first, last = group[0], group[-1]
        numbers = f"{first.line}" if first is last else f"{first.line}-{last.line}"
        telling = _telling(group)
        text = clean_line(telling.text.strip())[: _WIDTH - 30]
        yield f"{style.bold(f'{clean_line(story.path)}:{numbers}')}  {text}"
        for link in telling.origin[:1]:
            asked = _asked(link, prompts)
            told.update((link.session, one.place) for one in asked)
            if asked:
                best = {one.origin[0].confidence for one in group if one.origin}
                sure = "" if links.CERTAIN in best else f"{link.confidence}: "
                yield from _wrapped("asked", sure + " / ".join(one.text for one in asked))
        if len(groups) > 1 or telling.origin or not telling.sha:
            yield from _origin(telling, _how_sure(group))


def _asked(link: Link, prompts: Mapping[tuple[str, int], PromptStory]) -> list[PromptStory]:
    """Return the prompt that a line was written for; what only agrees follows what it agrees to."""
    found: list[PromptStory] = []
    for (session, place), one in sorted(prompts.items(), reverse=True):
        if session == link.session and place <= link.place and (found or place == link.place):
            found.insert(0, one)
            if not only_agrees(one.text):
                break
    return found


def _only_guessed(story: Story) -> set[str]:
    """Return sessions that a line's commit may have nothing to do with: names are enough."""
    found = {link for line in story.lines for link in line.origin}
    found |= {link for commit in story.commits for link in commit.links if story.lines}
    sure = {link.session for link in found if link.confidence != links.GUESS}
    return {link.session for link in found} - sure


def _note(note: NoteStory, path: str, style: Style) -> Iterator[str]:
    """Format a note's metadata, who wrote it and what it names."""
    title = clean_line(note.title)[: _WIDTH - 10]
    yield style.bold(f"note {title}") + (_UNAPPROVED if note.unapproved else "")
    yield _field("file", " · ".join(filter(None, (path or note.path, note.id, note.category))))
    if note.insight:
        yield _field("insight", f"{note.insight}{f' ({note.sure})' if note.sure else ''}")
    dates = (("created", note.created), ("updated", note.updated), ("by", note.author))
    if any(said for _, said in dates):
        yield _field("made", ", ".join(f"{name} {said}" for name, said in dates if said))
    for one in note.origin[:2]:
        yield _field("written" if one is note.origin[0] else "or", _linked(one))
    if not note.origin:
        yield _field("written", "in no session that is known")
    if note.replaced_by:
        yield _field("replaced", f"by {note.replaced_by}")
    for memory in note.memories[:_MEMORIES]:
        yield _field("names", _memory(memory))


def _memory(one: MemoryStory) -> str:
    # The file name is enough here, to leave room for the memory's text.
    reasons = [reason._replace(detail=reason.detail.rpartition("/")[2]) for reason in one.evidence]
    why = f"  ({because(one.confidence, reasons)})" if reasons else ""
    said = f"{short_id(one.id)} {one.kind}: {one.text}"
    return beginning(clean_line(said), max(_LEAST, _WIDTH - len(why))) + why


def _source(line: LineStory) -> tuple[str, tuple[str, int]]:
    one = line.origin[0] if line.origin else None
    return line.sha, (one.session, one.place) if one else ("", -1)


def _telling(group: Sequence[LineStory]) -> LineStory:
    """Return the first line of a group that is not blank."""
    return next((one for one in group if one.text.strip()), group[0])


def _how_sure(group: Sequence[LineStory]) -> str:
    """Say how certain the origin of a group's lines is, if not all are alike."""
    said = [one.origin[0].confidence for one in group if one.text.strip() and one.origin]
    levels = [one for one in links.CONFIDENCES if one in said]
    if len(levels) < 2:  # noqa: PLR2004
        return ""
    return f"{levels[0]} ({said.count(levels[0])} of {len(said)}) or {levels[-1]}"


def _origin(line: LineStory, sure: str) -> Iterator[str]:
    if not line.sha:
        yield _field("commit", "not committed yet")
    elif not line.origin:
        yield _field("written", f"commit {line.sha[:10]}; {_UNKNOWN}")
    for one in line.origin[:2]:
        is_first = one is line.origin[0]
        yield _field("written" if is_first else "or", _linked(one, sure if is_first else ""))


def _commit(commit: CommitStory, left: Sequence[Link], why: str, *, said: bool) -> Iterator[str]:
    """Format a commit.

    Args:
        left: its sessions that its lines have not named.
        why: the rest of its message, if nothing else says why.
        said: its lines have named a session, or said that none is known.
    """
    what = f"{commit.subject} ({commit.author}, {times.day(commit.at)})"
    what += f"; reverts {commit.reverts[:10]}" if commit.reverts else ""
    yield _field("commit", _marked(commit.sha[:10], what, unapproved=commit.unapproved))
    if why:
        yield from _wrapped("", f"{UNAPPROVED}: {why}" if commit.unapproved else why)
    if commit.cut_off:
        yield _field("", "the history is cut off here; `git fetch --unshallow` brings the rest")
    for one in left[:2]:
        yield _field("", f"from {_linked(one._replace(at=0.0))}")
    if len(left) > 2:  # noqa: PLR2004
        more = counted(len(left) - 2, "more session")
        yield _field("", f"and from {more}; --json has all")
    if commit.brings:
        yield _field("", f"merges {counted(commit.brings, 'commit')}")
    elif not (left or said):
        yield _field("", "from no session that is known")


def _session(
    story: Story, session: SessionStory, style: Style, told: set[tuple[str, int]]
) -> Iterator[str]:
    name = _name(session)
    when = times.minute(session.began) if session.began else ""
    branch = f"on {clean_line(session.branch)}" if session.branch else ""
    head = style.bold(" ".join(filter(None, ("session", name, when, branch))))
    told_of = list(_of_session(story, session, told))
    if told_of or not story.lines:
        yield from (head, *told_of)


def _of_session(story: Story, session: SessionStory, told: set[tuple[str, int]]) -> Iterator[str]:
    """Format what a session was asked, told and taught, as far as its lines have not said it."""
    if not session.archived:
        yield _field("", "it is not in this archive")
    prompts = [one for one in session.prompts if (session.session, one.place) not in told]
    if len(prompts) > _PROMPTS:
        before = counted(len(prompts) - _PROMPTS, "prompt")
        yield _field("", f"and {before} before these; --json has all")
    for one in prompts[-_PROMPTS:]:
        yield from _wrapped("asked", f"{times.minute(one.at)} {one.text}")
    for what, memories in (("told then", session.told), ("learnt", session.learnt)):
        shown = memories_about_lines(story, session, memories)[-_MEMORIES:]
        told.update((memory.id, -1) for memory in shown)
        for memory in shown:
            yield _field(what, f"{short_id(memory.id)} {memory.kind}: {memory.text}".strip())
        left = len(memories) - len(shown)
        if left:
            others = counted(left, "memory", "memories")
            yield _field(
                "" if shown else what,
                f"and {left} more" if shown else f"{others} about other things",
            )


def _linked(link: Link, sure: str = "") -> str:
    name = _name(link)
    when = f" at {times.minute(link.at)}" if link.at else ""
    return f"{name}{when}: {because(sure or link.confidence, link.evidence)}"


def _name(one: SessionStory | Link) -> str:
    return clean_line(f"{one.client} {one.session[:_SHOWN_ID]}".strip())


def because(confidence: str, evidence: Sequence[Evidence]) -> str:
    """Say how certain a link is, and the evidence for it."""
    reasons = [_REASONS.get(one.kind, one.kind).format(one.detail) for one in evidence[:2]]
    return f"{confidence}, {'; '.join(reasons)}" if reasons else confidence


def _marked(ident: str, said: str, *, unapproved: bool) -> str:
    """Put the mark before a stranger's words: they may be long enough to push it off the line."""
    return f"{ident[:_IDENT]}{_UNAPPROVED + ':' if unapproved else ''} {said}"


def _wrapped(name: str, text: str) -> Iterator[str]:
    """Format words on at most two lines."""
    line = beginning(clean_line(text), 2 * _WIDTH - 20)
    first = line if len(line) <= _WIDTH else beginning(line, _WIDTH).removesuffix("…")
    yield _field(name, first)
    if first != line:
        yield _field("", line.removeprefix(first).strip())


def _field(name: str, text: str) -> str:
    return f"  {name:<10}{_cut(text)}"


def _cut(text: str) -> str:
    return beginning(clean_line(text), _WIDTH)
