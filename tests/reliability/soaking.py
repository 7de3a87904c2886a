"""Hours of ordinary work in short: who works, what is looked at meanwhile, and the verdict."""

import http.client
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

from reliability.stand import SEED, Stand, command, judged_output, payload, sentence
from satchel.storage.ledger.record import Record

WORKERS, MCP_SERVERS = 8, 3
#: Each worker's, MCP client's and browser's rest between two acts, seconds.
_REST = 0.5
#: Requests at once with which a server is warmed up: more than it opens workspaces.
_AT_ONCE = 20
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
#: What an agent goes through, again and again.
_ACTS = ("SessionStart", "UserPromptSubmit", *("PreToolUse", "PostToolUse") * 4, "SubagentStart",
         "SubagentStop", "PreCompact", "SessionEnd")  # fmt: skip
_HERE = "/api/projects/current"
_PATHS = (
    "/console/current/home", "/console/current/memory?q=merge+queue", f"{_HERE}/memory?limit=50",
    "/console/current/memory", f"{_HERE}/search?q=branch+deploy", "/console/current/sessions",
    "/console/current/work", "/console/current/explore", "/console/current/settings", "/healthz",
)  # fmt: skip


#: Seconds after which a dead child that nobody asked for counts as forgotten.
_UNASKED = 2.0


class Sample(NamedTuple):
    """What one long-lived process held at one moment: bytes, open descriptors, seconds of work."""

    at: float
    resident: int
    descriptors: int
    worked: float


class Limits(NamedTuple):
    """What is allowed: growth over the last half, descriptors, bytes, share of one core.

    A server opens a workspace, six files, for each request there is at once.
    """

    growth: float = 0.05
    descriptors: int = 6
    log: int = 64 * 1024 * 1024
    idle: float = 0.01


class Soaked(NamedTuple):
    """What was seen: samples of each process by name, the rest as found."""

    samples: dict[str, list[Sample]]
    idle: dict[str, float]
    zombies: set[int]
    log: int
    acts: int
    errors: list[str]

    def growth(self, name: str) -> float:
        """Return by what share a process grew over the last half: last quarter by the one before."""
        held = [one.resident for one in self.samples[name]]
        return (
            _middle(held[len(held) * 3 // 4 :]) / _middle(held[len(held) // 2 : len(held) * 3 // 4])
            - 1
        )

    def opened(self, name: str) -> int:
        """Return by how many descriptors the last quarter's middle differs from the one before."""
        held = [one.descriptors for one in self.samples[name]]
        return round(
            _middle(held[len(held) * 3 // 4 :]) - _middle(held[len(held) // 2 : len(held) * 3 // 4])
        )

    def complaints(self, limits: Limits) -> dict[str, list[str]]:
        """Return what went beyond the limits, by its name; {} where nothing did."""
        found = {
            "resident": [f"{n} {self.growth(n):+.1%}" for n in self.samples if self.growth(n) > limits.growth],
            "descriptors": [
                f"{n} {self.opened(n):+}" for n in self.samples if self.opened(n) > limits.descriptors
            ],
            "zombies": [str(one) for one in sorted(self.zombies)],
            "log": [f"{self.log:,} bytes"] if self.log > limits.log else [],
            "idle": [f"{n} {share:.1%}" for n, share in self.idle.items() if share > limits.idle],
            "errors": self.errors[:5],
        }  # fmt: skip
        return {name: told for name, told in found.items() if told}

    def told(self) -> str:
        """Return the figures of a line to quote."""
        most = max(self.samples, key=self.growth)
        return (
            f"{self.acts} acts, {len(self.errors)} errors; last half: resident at most "
            f"{self.growth(most):+.1%} ({most}), descriptors at most "
            f"{max((self.opened(n) for n in self.samples), key=abs):+}; {len(self.zombies)} zombies; "
            f"log {self.log / 1e6:.1f} MB; idle {max(self.idle.values()):.2%} of a core"
        )


def _middle(values: Sequence[int]) -> float:
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def sample(number: int, now: float) -> Sample:
    """Look at one process."""
    with open(f"/proc/{number}/statm", encoding="ascii") as file:
        resident = int(file.read().split()[1]) * _PAGE
    return Sample(now, resident, len(os.listdir(f"/proc/{number}/fd")), worked(number))


def worked(number: int) -> float:
    """Return the seconds of processor time that a process has taken."""
    with open(f"/proc/{number}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def dead_children(parents: Iterable[int]) -> set[int]:
    """Return the children of these processes that ended and that nobody asked how."""
    mine, found = set(parents), set()
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="ascii") as file:
                fields = file.read().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if fields[0] == "Z" and int(fields[1]) in mine:
            found.add(int(name))
    return found


class _Crowd:
    """Threads that act until they are told to stop; what goes wrong is written down."""

    def __init__(self) -> None:
        self.ended = threading.Event()
        self.errors: list[str] = []
        self.acts = itertools.count()
        self._threads: list[threading.Thread] = []

    def send(self, name: str, act: Callable[[int], str]) -> None:
        """Let somebody act again and again; `act` returns what went wrong, or ""."""

        def work() -> None:
            dice = random.Random(f"{SEED} {name}")
            for turn in itertools.count():
                try:
                    wrong = act(turn)
                except (OSError, ValueError, AssertionError, http.client.HTTPException) as error:
                    wrong = repr(error)
                if wrong:
                    self.errors.append(f"{name}: {wrong}")
                next(self.acts)
                if self.ended.wait(_REST * dice.uniform(0.5, 1.5)):
                    return

        self._threads.append(threading.Thread(target=work, daemon=True))
        self._threads[-1].start()

    def stop(self) -> None:
        self.ended.set()
        for thread in self._threads:
            thread.join(60)


class Mcp:
    """A client of `satchel mcp` that stays."""

    def __init__(self, stand: Stand) -> None:
        self.process = subprocess.Popen(
            [command(), "mcp"], cwd=stand.repo, env=stand.env, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._number = 0
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}}
        self.ask("initialize", **hello, clientInfo={"name": "soak", "version": "0"})

    def ask(self, method: str, **params: Any) -> str:
        """Ask; return what is wrong with the answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        fine = "result" in answer and not answer["result"].get("isError")
        return "" if fine else json.dumps(answer)[:300]

    def act(self, turn: int) -> str:
        """Do what agents do: mostly ask, sometimes keep."""
        if turn % 10 == 9:
            dice = random.Random(turn)
            return self.ask("tools/call", name="remember", arguments={"content": sentence(dice, 9)})
        asked = sentence(random.Random(turn), 3)
        return self.ask("tools/call", name="recall", arguments={"question": asked})

    def close(self) -> None:
        self.process.communicate(timeout=30)


class Server:
    """`satchel serve` that stays, sound or leaking."""

    def __init__(self, stand: Stand, form: str) -> None:
        said = stand.satchel("serve", "token")
        self._headers = {"Authorization": "Bearer " + said.out.decode().split()[0]}
        self.process = stand.start("soaked_server", form, "--port", 0, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline().partition(b"127.0.0.1:")[2].split(b"/")[0])
        self._kept = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def browse(self, turn: int) -> str:
        """Look at the next page."""
        return self._get(self._kept, _PATHS[turn % len(_PATHS)])

    def warm_up(self) -> None:
        """Ask from many sides at once: what a server opens for that stays open, and is no leak."""

        def ask(number: int) -> str:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            said = [self._get(connection, _PATHS[n % len(_PATHS)]) for n in (number, number + 1)]
            connection.close()
            return "".join(said)

        with ThreadPoolExecutor(_AT_ONCE) as crowd:
            wrong = [told for told in crowd.map(ask, range(_AT_ONCE)) if told]
        assert not wrong, wrong[0]

    def look_on(self, turn: int) -> str:
        """Come, listen to what changes until something does, and go."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", f"{_HERE}/events", headers=self._headers)
        answer = connection.getresponse()
        while answer.status == http.client.OK and b"event: changed" not in answer.readline():
            pass
        connection.close()
        return "" if answer.status == http.client.OK else f"events: {answer.status} in turn {turn}"

    def _get(self, connection: http.client.HTTPConnection, path: str) -> str:
        connection.request("GET", path, headers=self._headers)
        answer = connection.getresponse()
        answer.read()
        return "" if answer.status == http.client.OK else f"{path}: {answer.status}"

    def close(self) -> None:
        self._kept.close()
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=30)


def a_used_project(root: str, memories: int) -> Stand:
    """Make a project that has been worked in for long: so many memories are there."""
    stand, dice = Stand(root), random.Random(SEED)
    with stand.workspace() as project:
        said = (f"Lesson number {n} of before: {sentence(dice, 8)}" for n in range(memories))
        project.memories.own.append([Record(content=one, trust="agent") for one in said])
        project.refresh()
    return stand


def _hooks(stand: Stand, number: int) -> Callable[[int], str]:
    """Return what one agent does: hook after hook, a new session each round."""

    def act(turn: int) -> str:
        event = _ACTS[turn % len(_ACTS)]
        session = f"w{number}-{turn // len(_ACTS)}"
        done = stand.satchel("hook", event, stdin=payload(event, turn, session=session))
        wrong = judged_output(done.out)
        return f"{event}: {done.code} {done.text} {wrong}" if done.code or done.err or wrong else ""

    return act


@contextmanager
def _long_lived(stand: Stand, form: str) -> Iterator[tuple[Server, list[Mcp]]]:
    server = Server(stand, form)
    clients = [Mcp(stand) for _ in range(MCP_SERVERS)]
    try:
        yield server, clients
    finally:
        for client in clients:
            client.close()
        server.close()


def soak(
    stand: Stand, *, seconds: float, idle: float, form: str = "sound", workers: int = WORKERS
) -> Soaked:
    """Let everybody work for so long, then rest; look at the processes that stay meanwhile.

    Args:
        stand: the project.
        seconds: of work; looked at a hundred times.
        idle: seconds of rest over which the processor time of those that stay is taken.
        form: of the server, `sound` or `leaking`.
        workers: how many agents fire hooks meanwhile.
    """
    with _long_lived(stand, form) as (server, clients):
        stays = {"serve": server.process.pid}
        stays |= {f"mcp {n}": client.process.pid for n, client in enumerate(clients)}
        server.warm_up()
        crowd = _Crowd()
        for number in range(workers):
            crowd.send(f"worker {number}", _hooks(stand, number))
        for number, client in enumerate(clients):
            crowd.send(f"mcp {number}", client.act)
        crowd.send("browser", server.browse)
        crowd.send("onlooker", server.look_on)
        samples: dict[str, list[Sample]] = {name: [] for name in stays}
        dead, zombies, log = dict[int, float](), set[int](), 0
        began = time.monotonic()
        while (now := time.monotonic() - began) < seconds:
            for name, number in stays.items():
                samples[name].append(sample(number, now))
            dead = {one: dead.get(one, now) for one in dead_children(stays.values())}
            # Dead for so long, nobody asks any more; a busy machine takes its time to ask.
            zombies |= {one for one, since in dead.items() if now - since >= _UNASKED}
            log = max(log, _largest_log(stand.home))
            time.sleep(seconds / 100)
        crowd.stop()
        time.sleep(min(5.0, idle))  # what was asked for in the background is done
        before = {name: worked(number) for name, number in stays.items()}
        time.sleep(idle)
        rested = {name: (worked(number) - before[name]) / idle for name, number in stays.items()}
        return Soaked(samples, rested, zombies, log, next(crowd.acts), crowd.errors)


def _largest_log(home: str) -> int:
    sizes = [0]
    for where, _, names in os.walk(home):
        for name in names:
            if name.endswith("-wal"):
                try:
                    sizes.append(os.path.getsize(os.path.join(where, name)))
                except FileNotFoundError:
                    continue
    return max(sizes)


def main() -> None:
    """`python -m reliability.soaking SECONDS`: soak a project, and print what was seen."""
    import tempfile

    seconds = float(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="satchel-soak-") as directory:
        found = soak(
            a_used_project(directory, 10_000), seconds=seconds, idle=min(60.0, seconds / 4)
        )
    for name, taken in found.samples.items():
        for one in taken[:: max(1, len(taken) // 20)]:
            print(
                f"{name:8} {one.at:7.1f} s  {one.resident / 1e6:7.1f} MB  {one.descriptors:4} open"
            )
    print(found.told(), found.complaints(Limits()), sep="\n")


if __name__ == "__main__":
    main()
