"""Compares what workers were told was saved with what a store holds.

Allowed: a write that was never acknowledged is there, whole. Everything else is a failure.
Each id belongs to one worker, so that its history has one order.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Logged(NamedTuple):
    """One operation of a worker; ``op`` is ``write`` or ``delete``."""

    op: str
    id: str
    sha256: str
    acked: bool


class Verdict(NamedTuple):
    """The ids that break the promise, by the way they break it."""

    missing: tuple[str, ...]  # acknowledged, and not there
    altered: tuple[str, ...]  # there, with another content than allowed
    duplicated: tuple[str, ...]  # there more than once
    resurrected: tuple[str, ...]  # there, after an acknowledged delete
    invented: tuple[str, ...]  # there, and never written by anybody

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not any(self)

    def describe(self) -> str:
        """One line for a test's message."""
        wrong = [f"{len(ids)} {name} ({', '.join(ids[:5])})" for name, ids in self.named() if ids]
        return "; ".join(wrong) or "all acknowledged writes are there, unaltered"

    def named(self) -> Iterable[tuple[str, tuple[str, ...]]]:
        """Each kind of failure with its ids."""
        return zip(self._fields, self, strict=True)


class WorkLog:
    """A worker's own log file: say ``intend`` before an operation, ``ack`` after it."""

    def __init__(self, path: str) -> None:
        self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def intend(self, op: str, id_: str, sha256: str = "") -> None:
        """The operation may happen from now on."""
        self._line(op, id_, sha256, acked=False)

    def ack(self, op: str, id_: str, sha256: str = "") -> None:
        """The store said that the operation is done."""
        self._line(op, id_, sha256, acked=True)

    def close(self) -> None:
        """Give the file back."""
        os.close(self._fd)

    def _line(self, op: str, id_: str, sha256: str, *, acked: bool) -> None:
        os.write(self._fd, json.dumps([op, id_, sha256, acked]).encode() + b"\n")


def digest(content: bytes | str) -> str:
    """The hash by which contents are compared."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def read_logs(paths: Iterable[str]) -> tuple[Logged, ...]:
    """Merge workers' logs; an intent whose acknowledgement follows counts once, as acknowledged."""
    merged: list[Logged] = []
    for path in paths:
        open_at: dict[tuple[str, str, str], int] = {}
        with open(path, "rb") as handle:
            lines = handle.read().split(b"\n")[:-1]  # a killed worker leaves half a line at most
        for line in lines:
            entry = Logged(*json.loads(line))
            key = entry[:3]
            if entry.acked and key in open_at:
                merged[open_at.pop(key)] = entry
                continue
            if not entry.acked:
                open_at[key] = len(merged)
            merged.append(entry)
    return tuple(merged)


def check(
    acked: Iterable[Logged], present: Mapping[str, str] | Iterable[tuple[str, str]]
) -> Verdict:
    """Judge a store.

    Args:
        acked: Every operation, acknowledged or not, in the order of its worker.
        present: (id, sha256) of every record the store shows, repeats included.
    """
    pairs = list(present.items() if isinstance(present, Mapping) else present)
    found: dict[str, list[str]] = {}
    for id_, sha256 in pairs:
        found.setdefault(id_, []).append(sha256)
    histories: dict[str, list[Logged]] = {}
    for entry in acked:
        if entry.op not in ("write", "delete"):
            raise ValueError(f"unknown operation {entry.op!r}")
        histories.setdefault(entry.id, []).append(entry)
    missing, altered, resurrected = [], [], []
    for id_, history in histories.items():
        last = max((n for n, entry in enumerate(history) if entry.acked), default=-1)
        possible = history[max(last, 0) :]  # the last acknowledged one, or any after it
        hashes = {entry.sha256 for entry in possible if entry.op == "write"}
        may_be_absent = last < 0 or any(entry.op == "delete" for entry in possible)
        here = found.get(id_, [])
        if not here and not may_be_absent:
            missing.append(id_)
        elif here and last >= 0 and not hashes:
            resurrected.append(id_)
        elif hashes and any(sha256 not in hashes for sha256 in here):
            altered.append(id_)
    times = Counter(id_ for id_, _ in pairs)
    return Verdict(
        tuple(missing),
        tuple(altered),
        tuple(id_ for id_, count in times.items() if count > 1),
        tuple(resurrected),
        tuple(id_ for id_ in found if id_ not in histories),
    )


#: With 95 % confidence no more than so many failures are expected where none to four were seen.
_EXPECTED = (3.0, 4.75, 6.3, 7.76, 9.16)


def rule_of_three(trials: int, failures: int = 0) -> str:
    """What n trials prove: without a failure, with 95 % confidence the rate is at most 3/n."""
    if trials < 1:
        raise ValueError("no trial proves nothing")
    few = failures < len(_EXPECTED)
    most = _EXPECTED[failures] if few else failures + 2 * failures**0.5 + 2
    percent = min(100.0, 100 * most / trials)
    figure = f"{percent:.0f}" if percent >= 10 else f"{percent:.2g}"
    told = f"{failures} failure{'' if failures == 1 else 's'}"
    return f"{told} in {trials} trials: at most {figure} % at 95 %"
