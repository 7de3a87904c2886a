"""The commits of a story, and what has to be said of each."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from satchel.application.thread.values import CommitStory
from satchel.features.thread.values import Link
from satchel.project.approvals.gate import Gate
from satchel.storage.commits import Commit

#: Most characters of a message behind its first line; how git tells of a revert, which has a field.
_BODY, _REVERTS = 600, "This reverts commit "


def commit_story(commit: Commit, links: Sequence[Link]) -> CommitStory:
    """Return a commit's story, with the sessions it comes from."""
    return CommitStory(
        commit.sha,
        commit.subject,
        commit.author,
        at=commit.author_time,
        reverts=commit.reverts,
        links=tuple(links),
        body=said_in(commit.body)[:_BODY],
    )


def said_in(body: str) -> str:
    """Return a message's paragraphs, without what git adds to it: what it reverts, trailers."""
    paragraphs = [one.strip() for one in body.split("\n\n") if one.strip()]
    paragraphs = [one for one in paragraphs if not one.startswith(_REVERTS)]
    if paragraphs and all(_is_trailer(line) for line in paragraphs[-1].splitlines()):
        paragraphs.pop()
    return "\n\n".join(paragraphs)


def _is_trailer(line: str) -> bool:
    name, colon, said = line.partition(": ")
    return bool(colon and said) and name.replace("-", "").isalnum()


def with_marks(
    gate: Gate, commits: Sequence[CommitStory], ends: Collection[str]
) -> tuple[CommitStory, ...]:
    """Return commits with what is missing before them, and whether they wait for approval.

    A subject and a name are a stranger's words, like any line that a repository brings.

    Args:
        gate: knows whom the person believes.
        commits: to be told.
        ends: where this shallow clone is cut off.
    """
    strangers = gate.unapproved_commits([one.sha for one in commits if one.sha])
    return tuple(
        one._replace(cut_off=one.sha in ends, unapproved=one.sha in strangers) for one in commits
    )
