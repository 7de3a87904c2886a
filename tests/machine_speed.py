"""How slow this machine is, so that a bound on processor time means the same everywhere."""

import gc
import time
from collections.abc import Callable

#: Milliseconds of the loop below on the machine that the bounds were set on.
_REFERENCE_MS = 22.0


def _loop() -> float:
    started = time.process_time()
    total = 0
    for number in range(1_000_000):
        total += number % 7
    return (time.process_time() - started) * 1000


def slowness() -> float:
    """How slow it is right now, neighbours on the same core included; at least 1."""
    return max(1.0, _loop() / _REFERENCE_MS)


#: At least 1: a faster machine gets no tighter bound.
SLOWNESS = max(1.0, min(_loop() for _ in range(3)) / _REFERENCE_MS)


def least_seconds(work: Callable[[], object], tries: int = 5, *, enough: float = 0.0) -> float:
    """Processor seconds that `work` takes at best, each try set against the speed beside it.

    A first try of less than `enough` is not repeated nor set against anything: that makes it less.

    Garbage is not collected meanwhile: that takes as long as everything is large that the tests
    before have left in this process, and says nothing about `work`.
    """
    if (first := _undisturbed(work)) < enough:
        return first
    taken = []
    for _ in range(tries):
        before = slowness()
        spent = _undisturbed(work)
        taken.append(spent / max(before, slowness()))
    return min(taken)


def _undisturbed(work: Callable[[], object]) -> float:
    """Processor seconds that `work` takes while no garbage is collected."""
    collects = gc.isenabled()
    gc.disable()
    started = time.process_time()
    work()
    spent = time.process_time() - started
    if collects:
        gc.enable()
    return spent
