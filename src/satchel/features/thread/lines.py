"""Finds the turn of a session that wrote a line. Rules only.

A line is recognized by its mark, in a file with its path, before its commit. Its surroundings count
too: a line in many files is recognized only by its neighbors. Whose a line is cannot be known if
somebody else wrote the same: tools must have written it as often as it is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from satchel.core.values import NamedTuple
from satchel.features.thread.values import CERTAIN, LIKELY, WROTE, Evidence, Link, Written

#: How many neighbors must agree if the line is not distinctive; how much clocks may differ.
_NEIGHBOURS, SLACK = 2, 120.0
#: What git's whole seconds leave out: what was written later may repeat what was committed.
SECOND = 1.0
_SAME_FILE, _SAME_NAME = 2, 1
#: Edits whose surroundings agree about as well as the best one's count as equally good.
_NEARLY = 0.5


class SoughtLine(NamedTuple):
    """A line whose origin is sought.

    Attributes:
        mark: the mark of its text.
        telling: whether it is distinctive enough by itself.
        around: marks of lines that its commit added next to it, the nearest first.
        paths: its file's path, and its earlier paths.
        times: author time and commit time, which may be much later.
    """

    mark: str
    telling: bool
    around: tuple[str, ...]
    paths: tuple[str, ...]
    times: tuple[float, float]


class _Fit(NamedTuple):
    """How well an edit fits: `path` 2 for the same file, 1 for the same name.

    `share` is of the neighbors that it or the file had; `nearest` the place of its own nearest one.
    """

    written: Written
    path: int
    share: float
    nearest: int


def origins(
    sought: SoughtLine,
    wrote: Sequence[Written],
    committed: Mapping[str, float] = MappingProxyType({}),
) -> list[Link]:
    """Return a line's origins, best first; empty if no edit of it was seen.

    Args:
        wrote: who wrote or removed it or its neighbors, before it was committed.
        committed: the sessions that its commit certainly comes from, and when they made it.
    """
    living = _living(sought, wrote)
    wrote = [one for one in wrote if one.times > 0]
    # After a rebase the commit time means little: edits before the author time come first, and only
    # an amended line was written after it.
    early = [one for one in wrote if one.at <= sought.times[0] + SLACK]
    if any(one.mark == sought.mark for one in early):
        wrote = early
    fits = _fits(sought, [one for one in wrote if one in living])
    if not fits:
        return []
    path = max(one.path for one in fits)
    fits = [one for one in fits if one.path == path]
    share = max(one.share for one in fits)
    best = [one for one in fits if one.share >= share - _NEARLY]
    # The same line may stand elsewhere too: this one was written with what is next to it.
    nearest = min((one.nearest for one in best if not one.written.whole), default=0)
    best = [one for one in best if one.written.whole or one.nearest == nearest]
    chosen = _chosen(best)
    sure = _is_certain(sought, wrote, chosen, committed)
    by_session = {chosen.written.session: chosen.written}
    for fit in reversed(best):
        by_session.setdefault(fit.written.session, fit.written)
    file = sought.paths[0] if path == _SAME_FILE else chosen.written.path
    evidence = (Evidence(WROTE, f"this line of {file}"),)
    return [
        Link(
            one.session,
            one.client,
            CERTAIN if sure else LIKELY,
            evidence=evidence,
            turn=one.turn,
            place=one.place,
            at=one.at,
        )
        for one in by_session.values()
    ]


def _living(sought: SoughtLine, wrote: Sequence[Written]) -> set[Written]:
    """Return what was written, except the line where it was taken out and then written again."""
    count, since = 0, 0
    for place, one in enumerate(wrote):
        here = one.mark == sought.mark and agreement(one.path, sought.paths) == _SAME_FILE
        if here and (one.times > 0 or not one.whole):
            if count <= 0 < one.times:
                since = place
            count += one.times
    return {one for place, one in enumerate(wrote) if place >= since or one.mark != sought.mark}


def _is_certain(
    sought: SoughtLine, wrote: Sequence[Written], chosen: _Fit, committed: Mapping[str, float]
) -> bool:
    """Return whether nothing contradicts an origin.

    The line is in the same file, only one prompt ever wrote it anywhere, not after its author did,
    and a neighbor or the commit confirms that it is this line. Text written over a possibly
    existing file is not certain, since the line may have been in it.
    """
    one = chosen.written
    own = (one.session, one.place)
    if chosen.path != _SAME_FILE or not sought.telling or one.whole or one.place < 0:
        return False
    # A session that wrote and then committed it has a clock of its own.
    if one.at > max(sought.times[0] + SECOND, committed.get(one.session, 0.0)):
        return False
    prompts: dict[str, set[tuple[str, int]]] = {}
    for other in wrote:
        prompts.setdefault(other.mark, set()).add((other.session, other.place))
    if prompts[sought.mark] != {own}:
        return False
    beside = any(prompts.get(mark) == {own} for mark in sought.around if mark != sought.mark)
    return beside or one.session in committed


def times_written(wrote: Iterable[Written], paths: Collection[str], until: float) -> int:
    """Return how often a line can be in a file through these edits of it alone.

    What was taken out of another file was moved here; what is written over a file may have been
    there.
    """
    here, others = 0, Counter[str]()
    for one in wrote:
        if one.at > until or (one.whole and one.times > 0):
            continue
        if agreement(one.path, paths) == _SAME_FILE:
            here += one.times
        else:
            others[one.path] += one.times
    return here + sum(min(0, count) for count in others.values())


def written_again(
    wrote: Sequence[Written], paths: Collection[str], own: tuple[str, int], since: float
) -> list[Written]:
    """Return who wrote a line into its file again, by the last edit of each prompt but its own.

    Git does not see that a line was taken out and typed again between two commits. A prompt that
    took it out as often as it wrote it only moved it, and what is written over a file repeats it.

    Args:
        wrote: the edits of the line.
        paths: its file's path, and its earlier paths.
        own: session and prompt that the line is said to come from.
        since: when it was committed.
    """
    here = [
        one
        for one in wrote
        if one.at > since and not one.whole and agreement(one.path, paths) == _SAME_FILE
    ]
    more = Counter[tuple[str, int]]()
    for one in here:
        more[one.session, one.place] += one.times
    again = {(one.session, one.place): one for one in here if one.times > 0}
    return [one for prompt, one in again.items() if prompt != own and more[prompt] > 0]


def was_taken_out(wrote: Iterable[Written], paths: Collection[str]) -> bool:
    """Return whether tools took a line out of its file altogether, and then wrote it again."""
    count, was_there = 0, False
    for one in wrote:
        if one.whole or agreement(one.path, paths) != _SAME_FILE:
            continue
        if was_there and count <= 0 < one.times:
            return True
        count += one.times
        was_there = was_there or one.times > 0
    return False


def _fits(sought: SoughtLine, wrote: Sequence[Written]) -> list[_Fit]:
    """Return edits that wrote the line, oldest first, with their fit."""
    own: dict[int, set[str]] = {}
    for one in wrote:
        own.setdefault(one.edit, set()).add(one.mark)
    near = {mark: place for place, mark in enumerate(sought.around) if mark != sought.mark}
    around = near.keys()
    found: list[_Fit] = []
    #: The known content of the file at that time.
    there: set[str] = set()
    for one in wrote:
        path = agreement(one.path, sought.paths)
        if path:
            there.add(one.mark)
        if one.mark != sought.mark:
            continue
        agreeing = len(own[one.edit] & around)
        known = sought.telling if path == _SAME_FILE else sought.telling and agreeing
        if known or (path and agreeing >= min(_NEIGHBOURS, max(1, len(around)))):
            beside = agreeing + len((there & around) - own[one.edit]) / 2
            nearest = min((near[mark] for mark in own[one.edit] & around), default=len(near))
            found.append(_Fit(one, path, beside / len(around) if around else 0.0, nearest))
    return found


def agreement(written: str, paths: Collection[str]) -> int:
    """Compare a tool's path with a repository's: 2 the same, 1 same name, 0 different.

    Only a path whose work tree was deleted is still absolute, and compared by its end.
    """
    given = written.replace("\\", "/")
    whole = given.startswith("/") or given[1:2] == ":"
    if any(given == path or (whole and given.endswith("/" + path)) for path in paths):
        return _SAME_FILE
    name = given.rpartition("/")[2]
    return _SAME_NAME if any(path.rpartition("/")[2] == name for path in paths) else 0


def _chosen(best: Sequence[_Fit]) -> _Fit:
    """Return the newest edit that adds the line, or the first that wrote the whole file.

    Rewriting a whole file repeats its existing lines.
    """
    adding = [one for one in best if not one.written.whole]
    return adding[-1] if adding else best[0]
