"""Rate limits per client: a token bucket that refills over time. Pure except for the clock."""

from __future__ import annotations

from satchel.core.values import NamedTuple

#: Requests allowed at once, and added per second.
BURST, PER_SECOND = 240, 60.0
#: Longest request body and URL, in bytes; most requests waiting for one identity.
MOST_BODY, MOST_URL = 2 * 1024 * 1024, 8_192
#: Most concurrent requests, and most of them without a token.
MOST_RUNNING, MOST_STRANGERS = 200, 50
#: Most connections without a complete head, and the seconds each has for it.
MOST_SILENT, HEAD_SECONDS = 100, 10.0
#: Seconds within which a request's body must arrive.
BODY_SECONDS = 60.0
_MOST_CLIENTS = 10_000


class _Bucket(NamedTuple):
    left: float
    at: float


class RateLimit:
    """Counts requests by client.

    Args:
        burst: how many at once.
        per_second: how many more per second.
    """

    def __init__(self, burst: int = BURST, per_second: float = PER_SECOND) -> None:
        self.burst, self.per_second = burst, per_second
        self._buckets: dict[str, _Bucket] = {}

    def allows(self, client: str, now: float) -> float:
        """Count a request; return 0, or the seconds to wait."""
        bucket = self._buckets.get(client) or _Bucket(float(self.burst), now)
        left = min(self.burst, bucket.left + max(0.0, now - bucket.at) * self.per_second)
        if left < 1:
            self._buckets[client] = _Bucket(left, now)
            return (1 - left) / self.per_second
        if len(self._buckets) > _MOST_CLIENTS:
            self._buckets.clear()
        self._buckets[client] = _Bucket(left - 1, now)
        return 0.0
