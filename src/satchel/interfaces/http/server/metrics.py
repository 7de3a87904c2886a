"""The log of requests, and Prometheus metrics: their number and duration by route."""

from __future__ import annotations

import json
import sys
from collections.abc import MutableMapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.values import ValueClass

from satchel.core.clock import Clock
from satchel.features.sessions.serialization import iso


class RequestLog:
    """A log on standard error, with one line per answered request."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def note(self, scope: MutableMapping[str, Any], status: int, seconds: float, user: str) -> None:
        """Log a request. A closed pipe does not stop the response."""
        asked = {"method": scope["method"][:8], "route": route_of(scope), "status": status}
        told = {"time": iso(self._clock.now()), **asked, "seconds": round(seconds, 6), "user": user}
        try:
            # One write, so that lines of several workers do not mix.
            sys.stderr.write(json.dumps(told) + "\n")
            sys.stderr.flush()
        except (OSError, ValueError):
            return


#: Boundaries of the duration buckets, seconds.
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 10.0)
#: The label of requests without a route: their paths would be arbitrary text.
_NOWHERE = "(none)"


class Metrics:
    """The metrics of one server. No label holds content, a user or an id."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "satchel_requests",
            "Requests by route and status.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "satchel_request_seconds",
            "Duration of requests in seconds.",
            ("route",),
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self.running = Gauge(
            "satchel_requests_running",
            "Requests in progress.",
            registry=self._registry,
            multiprocess_mode="livesum",
        )

    def note(self, scope: MutableMapping[str, Any], status: int, seconds: float) -> None:
        """Count a request that was answered."""
        route = route_of(scope)
        self._requests.labels(scope["method"][:8], route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def exposed(self) -> tuple[bytes, str]:
        """Return all workers' metrics in Prometheus format, and their content type."""
        registry = self._registry
        if ValueClass.__name__ == "MmapedValue":
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry), CONTENT_TYPE_LATEST


def route_of(scope: MutableMapping[str, Any]) -> str:
    """Return the route that a request matched, with names in place of ids."""
    return str(getattr(scope.get("route"), "path", _NOWHERE))


def forget_worker(pid: int) -> None:
    """Stop counting the running requests of a dead worker; keep its totals."""
    mark_process_dead(pid)  # type: ignore[no-untyped-call]
