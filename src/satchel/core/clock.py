"""The clock. Everything that needs the time is given one."""

import time


class Clock:
    """Wall-clock time in UTC."""

    def now(self) -> float:
        """Return the Unix time."""
        return time.time()


class FixedClock(Clock):
    """A clock that moves only when told to: for tests, ours and yours."""

    def __init__(self, at: float = 1_767_225_600.0) -> None:
        self.at = at

    def now(self) -> float:
        """Return the Unix time, as last set."""
        return self.at

    def advance(self, seconds: float) -> None:
        """Move the clock by `seconds`, backwards if negative."""
        self.at += seconds
