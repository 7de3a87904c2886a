"""The console on 100,000 memories: `make console`. Time and weight of pages, then the tasks of people."""

import statistics
import sys
import time
from typing import Any

from integration.console_shop import shop
from integration.console_stand import chromium, running
from integration.console_tasks import browsing, do_all, told

PAGES = (
    "home",
    "memory",
    "memory/{memory}",
    "memory/{memory}?tab=shown",
    "memory?q=gateway",
    "memory?kind=decision",
    "memory?start=50000",
    "inbox",
    "inbox/s-{suggestion}",
    "sessions",
    "sessions/{session}",
    "work",
    "work/{task}",
    "work?view=list",
    "work/intent",
    "explore",
    "explore?focus=PaymentClient",
    "settings?section=brief",
    "find?q=gateway",
)
#: Milliseconds on the server, and bytes without pictures, that a page may take.
MOST_MS, MOST_BYTES = 150, 100_000
_TRIES = 5


def weigh(page: Any, url: str) -> tuple[float, int]:
    """Return the median of milliseconds until a page is answered, and its bytes with what it loads."""
    seconds, sizes = [], [0]
    for _ in range(_TRIES):
        began = time.perf_counter()
        body = page.evaluate(
            "u => fetch(u, {headers: {accept: 'text/html'}}).then(r => r.text())", url
        )
        seconds.append(time.perf_counter() - began)
        sizes.append(len(body.encode()))
    return statistics.median(seconds) * 1000, max(sizes)


def assets(page: Any, base: str) -> int:
    """Return the bytes of styles and scripts, as they are sent."""
    page.goto(f"{base}/home")
    sent: int = page.evaluate(
        "performance.getEntriesByType('resource').filter(r => /static/.test(r.name) "
        "&& !/svg/.test(r.name)).reduce((n, r) => n + r.encodedBodySize, 0)"
    )
    return sent


def main(memories: int = 100_000) -> int:
    """Print what was measured; return how many pages are too slow or too heavy."""
    wrong = 0
    began = time.monotonic()
    with chromium() as browser, shop(memories) as (project, idents):
        took = time.monotonic() - began
        print(
            f"{memories:,} memories, 2,000 tasks, 500 sessions, 5,000 nodes: made in {took:.0f} s"
        )
        with running(project) as (address, token), browsing(browser, address, token) as page:
            base = f"{address}/console/{project.project.key}"
            loaded = assets(page, base)
            print(f"styles and scripts: {loaded:,} bytes, once")
            for name in PAGES:
                took, size = weigh(page, f"{base}/{name.format(**idents)}")
                bad = took > MOST_MS or size + loaded > MOST_BYTES
                wrong += bad
                print(
                    f"{name:<32} {took:7.0f} ms {size:>8,} bytes{'  TOO MUCH' if bad else ''}",
                    flush=True,
                )
            for keys in (False, True):
                print(told(do_all(page, base, project, idents, keys=keys)), flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
