"""The lines of commits that certainly come from a session, for records in other formats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from satchel.features.thread.linking import Linker
from satchel.features.thread.values import CERTAIN, WROTE, Link
from satchel.storage.commits import Commit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services

#: Most commits, and how many at once.
_MOST, _TOGETHER = 100_000, 100
#: Most of their files to hold at once; others are read one by one.
_AHEAD = 500


class CertainLine(NamedTuple):
    """A line of a commit, and where it comes from."""

    number: int
    text: str
    link: Link


#: Lines by file and session.
Lines = Mapping[str, Mapping[str, list[CertainLine]]]


def certain_lines(work: Services) -> Iterator[tuple[Commit, Lines]]:
    """Yield the commits of this history that have such lines, oldest first, with the lines."""
    work.owner()
    work.sessions.archive.catch_up()
    thread = work.thread
    thread.catch_up(float("inf"))
    first = min((one[3] for one in thread.store.spans(0.0, float("inf"))), default=None)
    if first is None or not thread.history.head():
        return
    linker = Linker(thread)
    since = f"--since=@{int(first) - 120}"
    shas = thread.history.log("--no-merges", f"--max-count={_MOST}", since, "HEAD")
    shas.reverse()
    for at in range(0, len(shas), _TOGETHER):
        commits = thread.history.commits(shas[at : at + _TOGETHER])
        linked = [(one, linker.links(one)) for one in commits]
        files = [(one.sha, path) for one, links in linked if links for path in one.added]
        linker.read_ahead(files[:_AHEAD])
        for commit, links in linked:
            found = _of_commit(commit, links, linker)
            if found:
                yield commit, found


def _of_commit(commit: Commit, links: Sequence[Link], linker: Linker) -> Lines:
    found: dict[str, dict[str, list[CertainLine]]] = {}
    for path, lines in sorted(commit.added.items()):
        for number, text in lines:
            for one in linker.origin(commit, path, number, links)[:1]:
                if one.confidence == CERTAIN and one.evidence[0].kind == WROTE:
                    rows = found.setdefault(path, {}).setdefault(one.session, [])
                    rows.append(CertainLine(number, text, one))
    return {path: dict(sorted(rows.items())) for path, rows in found.items()}


def model_of(work: Services, session: str) -> str:
    """Return the model of a session, as its client names it, or ""."""
    known = work.thread.store.sessions(session)
    return known[0].model if known else ""
