"""The console on 100,000 memories: `make console`. Time and weight of pages, then the tasks of people."""

import http.client
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from integration.console_shop import shop
from integration.console_stand import chromium, running
from integration.console_tasks import browsing, do_all, told
from satchel.application.learning.reviewing.review import Review
from satchel.features.tasks.values import Change
from satchel.workspace import Workspace

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
_CHANGES = 3
#: Seconds after which a server that was just started has nothing left to do but answer.
_SETTLED = 4.0


class Weighed(NamedTuple):
    """Milliseconds of a page: asked first of a new server, again, after a change; its bytes."""

    first: float
    again: float
    changed: float
    size: int


@contextmanager
def serving(project: Workspace) -> Iterator[Callable[[str], tuple[float, int]]]:
    """Start `satchel serve`; yield what asks for a page and returns milliseconds and bytes."""
    words = [sys.executable, "-m", "satchel", "serve", "--port", "0"]
    environment = {**os.environ, "SATCHEL_HOME": project.owner().home.path}
    with subprocess.Popen(
        words, cwd=project.project.place.root, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        printed = process.stdout.readline() + process.stdout.readline()
        link = re.search(r"http://127.0.0.1:(\d+)(/\S+once=\S+)", printed)
        assert link
        connection = http.client.HTTPConnection("127.0.0.1", int(link[1]))
        headers = {"user-agent": "a browser", "accept": "text/html"}

        def get(path: str) -> tuple[float, int]:
            began = time.perf_counter()
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            body = answer.read()
            assert answer.status in (200, 303), (answer.status, path)
            headers.setdefault("cookie", (answer.getheader("set-cookie") or "").split(";")[0])
            return (time.perf_counter() - began) * 1000, len(body)

        try:
            get(link[2])
            yield get
        finally:
            process.terminate()


def weigh(project: Workspace, name: str) -> Weighed:
    """Ask a server of its own for a page: at once, again, and after something is remembered."""
    path = f"/console/{project.project.key}/{name}"
    with serving(project) as get:
        first, size = get(path)
        time.sleep(_SETTLED)
        again = statistics.median(get(path)[0] for _ in range(_TRIES))
        changed = []
        for n in range(_CHANGES):
            project.remember(f"Nothing of note, {n}, {time.time_ns()}", kind="learned")
            changed.append(get(path)[0])
    return Weighed(first, again, statistics.median(changed), size)


def assets(page: Any, base: str) -> int:
    """Return the bytes of styles and scripts, as they are sent."""
    page.goto(f"{base}/home")
    sent: int = page.evaluate(
        "performance.getEntriesByType('resource').filter(r => /static/.test(r.name) "
        "&& !/svg/.test(r.name)).reduce((n, r) => n + r.encodedBodySize, 0)"
    )
    return sent


def once_more(project: Workspace, idents: dict[str, str]) -> dict[str, str]:
    """Put back what the tasks of people have done, so that they can be done in another way."""
    with project.tasks as tasks:
        tasks.apply(idents["ready"], Change({}, status="open"))
    project.intent.links.remove(idents["task"], "mondays")
    with Review(project) as review:
        waiting = [one.proposal for one in review.pending() if one.proposal.edits[0].text]
    return idents | {"suggestion": waiting[0].id}


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
        print(f"{'milliseconds':<32} {'first':>7} {'changed':>8} {'again':>7} {'bytes':>8}")
        for name in PAGES:
            one = weigh(project, name.format(**idents))
            bad = max(one[:3]) > MOST_MS or one.size + loaded > MOST_BYTES
            wrong += bad
            print(
                f"{name:<32} {one.first:7.0f} {one.changed:8.0f} {one.again:7.0f} {one.size:>8,}"
                f"{'  TOO MUCH' if bad else ''}",
                flush=True,
            )
        with running(project) as (address, token), browsing(browser, address, token) as page:
            base = f"{address}/console/{project.project.key}"
            print(told(do_all(page, base, project, idents, keys=False)), flush=True)
            again = once_more(project, idents)
            print(told(do_all(page, base, project, again, keys=True)), flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
