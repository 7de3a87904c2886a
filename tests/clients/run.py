"""Run Satchel in every real agent client, offline: one line for each check, exit 1 if one fails.

    python -m clients.run [--only NAME,...] [--part hooks|lines]       (from tests/, by `make clients`)

Each client runs where nothing but loopback can be reached, where a scripted model listens, with an
environment and a home of its own. `build/clients/NAME` has what it printed and each request.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from clients.checks import Check, all_checks
from clients.isolation import adopt_orphans, end_what_is_left, keep_loopback_alone
from clients.recording import record
from clients.stand import HERE, PROGRAMS, Stand, locked_versions
from clients.table import CLIENTS, Client
from clients.thread import SCORES, thread_checks

LOGS = HERE.parents[1] / "build" / "clients"
TIMES = "times.json"
_AT_ONCE = 2
_MARKS = {True: "ok  ", False: "FAIL", None: "n/a "}
#: Seconds for one client, where other work takes most of the machine; five minutes are enough for all.
_LONGEST = 1500


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(one.name for one in CLIENTS))
    parser.add_argument("--part", choices=[*_PARTS], action="append")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    parts = asked.part or [*_PARTS]
    if asked.inside:
        return _inside(next(one for one in CLIENTS if one.name == asked.inside), parts)
    names = asked.only.split(",")
    started = time.monotonic()
    chosen = [one for one in CLIENTS if one.name in names]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        # The slowest stands last in the table, and must not run alone at the end.
        codes = list(pool.map(lambda one: _isolated(one, parts), reversed(chosen)))
    for part in parts:
        told, kept = _TABLES[part]
        print(f"{told}:\n\n{_table(chosen, kept)}\n")
    print(f"{len(chosen)} clients in {time.monotonic() - started:.0f} s")
    return 1 if any(codes) or len(chosen) < len(names) else 0


def _isolated(client: Client, parts: list[str]) -> int:
    """Run one client in a process of its own; print what came of it in one piece."""
    done = subprocess.run(
        [
            *(sys.executable, "-P", "-m", "clients.run", "--inside", client.name),
            *(word for part in parts for word in ("--part", part)),
        ],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(HERE.parent), "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    print(f"== {client.name}\n{done.stdout}", flush=True)
    return done.returncode


def _inside(client: Client, parts: list[str]) -> int:
    """Run one client, in a process that does nothing else."""
    if not (PROGRAMS / client.words("run")[0]).exists():
        print(f"FAIL {client.package} is not installed")
        return 1
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(f"FAIL it takes longer than {_LONGEST} s"))
    signal.alarm(_LONGEST)
    try:
        keep_loopback_alone()
    except OSError as error:
        print(f"FAIL {client.name} cannot be run offline: {error}")
        return 1
    adopt_orphans()
    failed = 0
    for part in parts:
        with tempfile.TemporaryDirectory(prefix="clients-", ignore_cleanup_errors=True) as scratch:
            try:
                for name, good, detail in _PARTS[part](client, Path(scratch)):
                    failed += good is False
                    told = f"  ({' '.join(detail.split())})" if detail and good is not True else ""
                    print(f"{_MARKS[good]} {name}{told}", flush=True)
            except subprocess.TimeoutExpired as error:
                failed += 1
                print(f"FAIL {' '.join(error.cmd)} does not end")
            finally:
                end_what_is_left()
    return 1 if failed else 0


def _hooks(client: Client, scratch: Path) -> Iterator[Check]:
    """Check what a session sees of Satchel; keep what the client gave to its hooks."""
    stand = Stand(client, scratch, LOGS / client.name)
    yield from all_checks(stand)
    print(f"recorded {record(stand)} inputs of hooks")
    (stand.logs / TIMES).write_text(json.dumps(_times(stand)), "utf-8")


def _lines(client: Client, scratch: Path) -> Iterator[Check]:
    """Check whose lines are said to be whose; keep the client's transcripts."""
    yield from thread_checks(Stand(client, scratch, LOGS / f"{client.name}-lines"))


def _times(stand: Stand) -> dict[str, str]:
    """Return the median and the longest time of each event's hook, as a cell of a table."""
    found: dict[str, list[float]] = {}
    for one in stand.hooks():
        found.setdefault(one.event, []).append(one.ms)
    return {
        event: f"{statistics.median(times):.0f} / {max(times):.0f}"
        for event, times in found.items()
    }


#: What is looked at in each client, on a scratch machine of its own.
_PARTS = {"hooks": _hooks, "lines": _lines}
_TABLES = {
    "hooks": ("Milliseconds of a hook, median / longest", TIMES),
    "lines": ("Lines right and certain / right / wrong / certain and wrong, of all", SCORES),
}


def _table(clients: list[Client], kept: str) -> str:
    """Return what all clients left in a file of this name as the documentation shows it."""
    heads, rows = [""], dict[str, list[str]]()
    for number, client in enumerate(clients):
        heads.append(f"{client.name} {locked_versions()[client.package]}")
        path = next(LOGS.glob(f"{client.name}*/{kept}"), LOGS / kept)
        for event, cell in (json.loads(path.read_text()) if path.exists() else {}).items():
            rows.setdefault(event, ["-"] * len(clients))[number] = cell
    lines = [heads, ["---"] * len(heads), *([f"`{event}`", *row] for event, row in rows.items())]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
