"""Rate limits per client: a token bucket that refills over time. Pure except for the clock."""

from __future__ import annotations

from satchel.core.values import NamedTuple

#: Requests at once, and those that come back each second.
BURST, PER_SECOND = 240, 60.0
#: Bytes of one request's body, of a URL, and requests that wait for one identity.
MOST_BODY, MOST_URL = 2 * 1024 * 1024, 8_192
#: Requests that are answered at the same time, and those among them that show no token.
MOST_RUNNING, MOST_STRANGERS = 200, 50
#: Connections that have not said a whole head, and the seconds that each has for it.
MOST_SILENT, HEAD_SECONDS = 100, 10.0
#: Seconds in which a request's body has to be there.
BODY_SECONDS = 60.0
_MOST_CLIENTS = 10_000


class _Bucket(NamedTuple):
    left: float
    at: float


class RateLimit:
    """Counts requests by client.

    Args:
        burst: how many at once.
        per_second: how many more each second.
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
