"""Heat: recent activity around a row, 0 to 10, as The Foundation scores projects. Pure."""

from __future__ import annotations

from collections.abc import Iterable

#: Days after which a change counts half.
HALF_LIFE = 14.0
#: Fresh changes that make half of the most.
_HALF_WAY = 4.0
MOST = 10.0
_DAY = 86_400


def heat_of(changes: Iterable[int], now: float) -> str:
    """Return the heat of something changed at these times (Unix seconds), such as `3.1`.

    Every change counts one at first and half after each fourteen days; four fresh ones make 5, and
    10 is never reached.
    """
    weight = sum(0.5 ** (max(0.0, now - at) / _DAY / HALF_LIFE) for at in changes)
    return f"{MOST * (1 - 0.5 ** (weight / _HALF_WAY)):.1f}"
