"""Queries all sources concurrently. A failing or slow one does not delay the others."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillRunning

from satchel.application.research.values import Finding, Report
from satchel.core.errors import SatchelError

Ask = Callable[[], Sequence[Finding]]


def gather(sources: Mapping[str, Ask], *, patience: float) -> tuple[list[Finding], list[Report]]:
    """Return the sources' findings, in order, and a report on each source.

    Args:
        sources: name -> a function that queries it, run in its own thread.
        patience: seconds to wait for a source before leaving it out.
    """
    findings: list[Finding] = []
    reports: list[Report] = []
    deadline = time.monotonic() + patience
    pool = ThreadPoolExecutor(max_workers=max(1, len(sources)), thread_name_prefix="research")
    try:
        running = {name: pool.submit(_timed, ask) for name, ask in sources.items()}
        for name, future in running.items():
            try:
                found, spent, why = future.result(timeout=max(0.0, deadline - time.monotonic()))
            except StillRunning:
                found, spent, why = [], patience * 1000, f"no answer within {patience:.0f} s"
            findings += found
            reports.append(Report(name, len(found), round(spent, 1), why))
    finally:
        # A hanging source ends with the process; nobody waits for it.
        pool.shutdown(wait=False, cancel_futures=True)
    return findings, reports


def _timed(ask: Ask) -> tuple[list[Finding], float, str]:
    begun = time.perf_counter()
    try:
        found, why = list(ask()), ""
    except SatchelError as error:
        found, why = [], f"{error} {error.hint}".strip()
    return found, (time.perf_counter() - begun) * 1000, why
