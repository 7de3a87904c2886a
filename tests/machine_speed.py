"""How slow this machine is, so that a bound on processor time means the same everywhere."""

import time

#: Milliseconds of the loop below on the machine that the bounds were set on.
_REFERENCE_MS = 22.0


def _loop() -> float:
    started = time.process_time()
    total = 0
    for number in range(1_000_000):
        total += number % 7
    return (time.process_time() - started) * 1000


#: At least 1: a faster machine gets no tighter bound.
SLOWNESS = max(1.0, min(_loop() for _ in range(3)) / _REFERENCE_MS)
