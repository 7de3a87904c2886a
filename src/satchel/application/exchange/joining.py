"""Joins the private state of a place with the state its project already has.

A place whose history could not be compared begins with a state of its own; see
`satchel.project.registry`. When the user says that both are one project, everything durable is
merged into the older state, overwriting nothing.
"""

from __future__ import annotations

import os
import shutil
from typing import Any

from satchel.application.exchange.export.import_archive import append_member
from satchel.application.exchange.sync.applying import append_lines, scrub, write_conflict_copy
from satchel.application.exchange.sync.merging import merge_lines, merge_packed, merge_plain
from satchel.core.errors import NotFoundError
from satchel.core.hashing import digest
from satchel.core.values import NamedTuple
from satchel.project.inventory import (
    IDENTITY,
    INBOX,
    LEDGER,
    LINES,
    PACKED,
    HomeFile,
    home_files,
    local_path,
)
from satchel.project.registry import (
    keep_identity,
    point_to,
    read_identity,
    registry_lock,
    spelled_path,
)
from satchel.storage.files import read_file, replace_file
from satchel.storage.home_paths import lock_name
from satchel.storage.ledger.lines import decode, split_lines
from satchel.storage.locks import FileLock
from satchel.storage.paths import PrivateState, UserHome, archive_of


class Candidate(NamedTuple):
    """A private state that may belong to the same project: its key, and where it was seen."""

    key: str
    places: tuple[str, ...]


class JoinReport(NamedTuple):
    """The result of a join: lines, files, and files kept beside a different one."""

    lines: int = 0
    files: int = 0
    aside: tuple[str, ...] = ()


def candidates(home: UserHome, key: str) -> list[Candidate]:
    """Return the states that this one may belong to and that were not asked about yet."""
    found = []
    for other in read_identity(home, key).get("alike", ()):
        known = read_identity(home, other)
        if known:
            places = tuple(spelled_path(place) for place in known["anchors"])
            found.append(Candidate(other, places))
    return found


def keep_apart(home: UserHome, key: str) -> None:
    """Record that this state belongs to a separate project."""
    with registry_lock(home):
        identity = read_identity(home, key)
        if identity:
            keep_identity(home, {**identity, "alike": []})


def join(home: UserHome, key: str, other: str) -> JoinReport:
    """Merge the state `key` into the state `other`, for every place that has it.

    An interrupted join can be repeated: nothing is added twice, and until everything is merged the
    place keeps its former state.

    Raises `NotFoundError` if `other` is not a candidate.
    """
    _checked(home, key, other)
    report = _put_all(home, key, other, JoinReport())
    with registry_lock(home):
        mine, theirs = _checked(home, key, other)
        united = {name: sorted({*theirs[name], *mine[name]}) for name in ("anchors", "roots")}
        histories = {tuple(one) for part in (theirs, mine) for one in part.get("histories", ())}
        keep_identity(home, {**theirs, **united, "histories": sorted(histories)})
        # From here on hooks write to the joined state.
        point_to(home, key, other)
    # What a hook wrote meanwhile.
    report = _put_all(home, key, other, report)
    shutil.rmtree(home.project_state(key).path)
    return report


def _checked(home: UserHome, key: str, other: str) -> tuple[dict[str, Any], dict[str, Any]]:
    mine, theirs = read_identity(home, key), read_identity(home, other)
    if not theirs or other not in mine.get("alike", ()):
        raise NotFoundError(f"{other} is not a private memory that this clone could belong to.")
    return mine, theirs


def _put_all(home: UserHome, key: str, other: str, report: JoinReport) -> JoinReport:
    for one in home_files(home):
        if one.state == f"projects/{key}" and one.kind != IDENTITY:
            report = _put(home, one, other, report)
    return report


def _put(home: UserHome, one: HomeFile, other: str, report: JoinReport) -> JoinReport:
    below = one.path.split("/")[2:]
    source = local_path(home.path, one.path)
    target = os.path.join(home.project_state(other).path, *below)
    data = read_file(source)
    if one.sort == LEDGER:
        lines = _put_ledger(home.project_state(other), one, target, data)
        return report._replace(lines=report.lines + lines)
    if one.sort == LINES:
        new = merge_plain(split_lines(read_file(target)), split_lines(data)).incoming
        append_lines(target, new)
        return report._replace(lines=report.lines + len(new))
    if one.sort == PACKED:
        packed, _ = merge_packed(read_file(target), data)
        if packed:
            append_member(target, packed)
        return report._replace(lines=report.lines + len(packed))
    if one.kind == INBOX:
        # The next drain of the other state takes these events too; their ids keep them from being
        # recorded twice.
        name = digest(one.path.encode() + b"\0" + data).hex()[:16]
        target = os.path.join(os.path.dirname(target), f"taken-{name}.jsonl")
    if not os.path.lexists(target):
        replace_file(target, data)
        return report._replace(files=report.files + 1)
    if read_file(target) == data:
        return report
    beside = f"{target}.joined-{digest(data).hex()[:8]}"
    write_conflict_copy(beside, data)
    return report._replace(aside=(*report.aside, beside))


def _put_ledger(state: PrivateState, one: HomeFile, target: str, data: bytes) -> int:
    """Append what a ledger lacks. Unparsable lines are included, to be quarantined."""
    name = one.ledger
    files = [state.ledger(name), archive_of(state.ledger(name))]
    with FileLock(state.lock(lock_name(name))):
        ours = [raw for file in files for raw in split_lines(read_file(file))]
        theirs = split_lines(data)
        done = merge_lines(ours, theirs)
        odd = [raw for raw in theirs if decode(raw).record is None and raw not in set(ours)]
        append_lines(target, [*done.incoming, *odd])
        scrub(files, done.scrubbed, state.index)
    return len(done.incoming) + len(odd)
