"""Links commits to sessions by all available evidence. Rules only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from satchel.core.line_marks import mark_of
from satchel.core.values import NamedTuple
from satchel.features.thread.lines import SECOND, SLACK, agreement, times_written
from satchel.features.thread.values import (
    CERTAIN,
    COMMITTED,
    CONFIDENCES,
    FILES,
    GUESS,
    KINDS,
    LIKELY,
    LOG,
    MESSAGE,
    OWN_TRAILER,
    SAME_CHANGE,
    WROTE,
    Evidence,
    FileEdit,
    Link,
    PrintedCommit,
    Written,
)
from satchel.storage.commits import Commit, telling_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    Did = TypeVar("Did", Written, FileEdit)

#: Shares of a commit's distinctive lines: what makes a session likely, what is nearly all of them,
#: and the most that others may have then; and the fewest lines for a meaningful share.
_LIKELY, _NEARLY_ALL, _OTHERS, _FEW = 0.3, 0.8, 0.2, 3
#: Most seconds between the committing call and the author time.
_MAKING = 900.0
#: How long before a commit its files may have been written to count, seconds.
BEFORE = 86_400.0
_SOON = 3600.0


class Signs(NamedTuple):
    """The evidence found about a commit.

    Attributes:
        committed: sessions in which git printed its id.
        same: sessions that made a commit with the same change, with that commit's id and time.
        wrote: who wrote or removed its lines before it was committed.
        message: sessions' commits with the same first line.
        touched: who wrote its files before.
        logs: sessions named in other programs' records: session, client, source.
    """

    committed: Sequence[PrintedCommit] = ()
    same: Sequence[PrintedCommit] = ()
    wrote: Sequence[Written] = ()
    message: Sequence[PrintedCommit] = ()
    touched: Sequence[FileEdit] = ()
    logs: Sequence[tuple[str, str, str]] = ()


class _Case:
    """The evidence for one session."""

    def __init__(self, client: str) -> None:
        self.client = client
        self.evidence: dict[str, str] = {}
        self.confidence = GUESS
        self._likely: set[str] = set()
        self.turn, self.place, self.at = "", -1, 0.0
        self.places: set[int] = set()
        self.weight = 0.0

    def add(self, kind: str, detail: str, confidence: str, weight: float = 0.0) -> None:
        """Add a reason. Lines with a message, or with our trailer, are certain together."""
        self.evidence.setdefault(kind, detail)
        if confidence == LIKELY:
            self._likely.add(kind)
        asked_for = self.evidence.get(LOG) == OWN_TRAILER
        if WROTE in self._likely and (MESSAGE in self._likely or asked_for):
            confidence = CERTAIN
        if CONFIDENCES.index(confidence) < CONFIDENCES.index(self.confidence):
            self.confidence = confidence
        self.weight += weight

    def happened(self, turn: str, place: int, at: float) -> None:
        """Record the turn, from the strongest evidence."""
        if not self.turn:
            self.turn, self.place, self.at = turn, place, at


#: Session, client -> its evidence.
_Cases = Callable[[str, str], _Case]


def link(commit: Commit, signs: Signs) -> list[Link]:
    """Return the sessions a commit comes from, most certain first."""
    cases: dict[str, _Case] = {}

    def case(session: str, client: str) -> _Case:
        return cases.setdefault(session, _Case(client))

    for kind, made in ((COMMITTED, signs.committed), (SAME_CHANGE, signs.same)):
        for one in made:
            # Who made it after its author may have picked it.
            first = kind == COMMITTED or one.at <= commit.author_time
            found = case(one.session, one.client)
            found.add(kind, one.ident, CERTAIN if first else LIKELY, 2.0)
            found.happened(one.turn, one.place, one.at)
    _by_message(commit, signs, case)
    _by_lines(commit, signs, case)
    for session, client, what in signs.logs:
        case(session, client).add(LOG, what, LIKELY, 0.5)
    _by_files(commit, signs, case, others=bool(cases))
    if any(one.confidence == CERTAIN for one in cases.values()):
        # A guess adds nothing to known links.
        cases = {name: one for name, one in cases.items() if one.confidence != GUESS}
    order = sorted(
        cases.items(),
        key=lambda item: (CONFIDENCES.index(item[1].confidence), -item[1].weight, item[0]),
    )
    return [
        Link(
            session,
            one.client,
            one.confidence,
            evidence=tuple(
                Evidence(kind, one.evidence[kind]) for kind in KINDS if kind in one.evidence
            ),
            turn=one.turn,
            place=one.place,
            at=one.at,
            places=tuple(sorted(one.places)),
        )
        for session, one in order
    ]


def _by_message(commit: Commit, signs: Signs, case: _Cases) -> None:
    """Link by message: author time and message usually survive amend and rebase."""
    for one in signs.message:
        if -_MAKING <= commit.author_time - one.at <= _MAKING:
            found = case(one.session, one.client)
            found.add(MESSAGE, one.ident, LIKELY, 1.0)
            found.happened(one.turn, one.place, one.at)


def _until(commit: Commit, did: Sequence[Did]) -> Sequence[Did]:
    """Return what was done before the author time, or else before the commit time."""
    early = [one for one in did if one.at <= commit.author_time + SLACK]
    return early or [one for one in did if one.at <= commit.commit_time + SLACK]


def _by_lines(commit: Commit, signs: Signs, case: _Cases) -> None:
    # Who moves or indents lines did not write them.
    lines = {
        mark: paths for mark, paths in telling_lines(commit).items() if mark not in commit.removed
    }
    if not lines:
        return
    wrote: dict[str, dict[str, Written]] = {}
    clients: dict[str, str] = {}
    for one in _until(commit, signs.wrote):
        if one.times > 0 and agreement(one.path, lines.get(one.mark, ())):
            wrote.setdefault(one.session, {})[one.mark] = one
            clients[one.session] = one.client
    shares = {session: len(marks) / len(lines) for session, marks in wrote.items()}
    together = len({mark for marks in wrote.values() for mark in marks}) / len(lines)
    for session, share in shares.items():
        count, others = (
            len(wrote[session]),
            max((s for name, s in shares.items() if name != session), default=0.0),
        )
        few = count < min(_FEW, len(lines)) or (len(lines) < _FEW and others > 0)
        # Text written over a file may have been in it before.
        new = [mark for mark, one in wrote[session].items() if not one.whole]
        enough = max(_NEARLY_ALL * len(lines), _FEW)
        if others <= _OTHERS and len(new) >= enough and _count(commit, signs, new) >= enough:
            confidence = CERTAIN
        elif (share >= _LIKELY or together >= _NEARLY_ALL) and not few:
            confidence = LIKELY
        else:
            confidence = GUESS
        found = case(session, clients[session])
        found.add(WROTE, f"{count} of {len(lines)} lines", confidence, share)
        last = max(wrote[session].values(), key=lambda one: one.at)
        found.happened(last.turn, last.place, last.at)
        found.places = {one.place for one in wrote[session].values()}


def _count(commit: Commit, signs: Signs, marks: Sequence[str]) -> int:
    """Count the lines that tools wrote as often as a commit adds them, before its author did."""
    adds: dict[str, Counter[str]] = {}
    for path, lines in commit.added.items():
        for _, text in lines:
            adds.setdefault(mark_of(text), Counter())[path] += 1
    wrote: dict[str, list[Written]] = {}
    for one in signs.wrote:
        wrote.setdefault(one.mark, []).append(one)
    return sum(
        all(
            times_written(wrote[mark], _paths(commit, path), commit.author_time + SECOND) >= times
            for path, times in adds[mark].items()
        )
        for mark in marks
    )


def _paths(commit: Commit, path: str) -> tuple[str, ...]:
    old = commit.renamed.get(path)
    return (path, old) if old else (path,)


def _by_files(commit: Commit, signs: Signs, case: _Cases, *, others: bool) -> None:
    """Link by recently written files: supporting evidence, or a guess on its own."""
    paths = set(commit.added) | set(commit.renamed)
    seen: dict[str, set[str]] = {}
    last: dict[str, FileEdit] = {}
    # Prompts after the commit are no reason for it; git has whole seconds.
    before = [one for one in signs.touched if one.at <= commit.author_time + 1]
    for one in before or _until(commit, signs.touched):
        same = [path for path in paths if agreement(one.path, (path,)) > 1]
        if same:
            seen.setdefault(one.session, set()).update(same)
            last[one.session] = one
    for session, touched in seen.items():
        one, share = last[session], len(touched) / len(paths)
        soon = commit.author_time - one.at <= _SOON
        sure = LIKELY if share == 1 and soon and len(seen) == 1 and not others else GUESS
        found = case(session, one.client)
        found.add(FILES, f"{len(touched)} of {len(paths)} files", sure, share / 10)
        found.happened(one.turn, one.place, one.at)
