"""T11: standard output carries the protocol alone; a server is gone soon after its client."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from integration.installed import COMMAND, Machine
from integration.mcp_machine import HELLO, Lines
from reliability.stand import FULL, SEED, say, scale

pytestmark = pytest.mark.torture
_WORKERS = Path(__file__).parent / "workers"
_FORMS = ("child", "orphan", "held", "busy")
#: Seconds after which a server without a client has to be gone.
_GONE = 5.0


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    one = Machine(tmp_path)
    one.environment["PYTHONPATH"] = os.pathsep.join(one_ for one_ in sys.path if one_)
    return one


@pytest.fixture
def project(machine: Machine) -> Path:
    path = machine.repository()
    machine.ok("learn", "Use pnpm, not npm", at=path)
    return path


def server(defect: str = "", child: str = "echo a child speaks; cat") -> tuple[str, ...]:
    return (sys.executable, str(_WORKERS / "mcp_server.py"), defect, child)


def malformed(rnd: random.Random) -> bytes:
    """One line that is not a message; never a line end in it."""
    forms = (
        lambda: b"?" + rnd.randbytes(rnd.randrange(1, 60)).replace(b"\n", b"?"),
        lambda: b'{"jsonrpc":"2.0","id":7,"method":' + b"[" * rnd.randrange(1, 3_000),
        lambda: json.dumps(rnd.choice([1, None, "x", [], [{}], {}, {"jsonrpc": "1.0"}])).encode(),
        lambda: b'{"jsonrpc":"2.0","id":{},"method":"ping"}',
        lambda: b'{"jsonrpc":"2.0","id":1,"method":5}',
        lambda: b'{"jsonrpc":"2.0","result":"to nobody"}',
        lambda: b"\xff\xfe\x00" * rnd.randrange(1, 20),
        lambda: b"x" * rnd.randrange(1, 100_000),
    )
    return rnd.choice(forms)()


def spoken(lines: Lines, calls: int, broken: int) -> int:
    """Call tools among broken lines; return how many calls were answered rightly."""
    rnd = random.Random(SEED)
    answered = 0
    each = max(1, broken // calls)
    for number in range(calls):
        for _ in range(each):
            lines.send(malformed(rnd))
            # A refusal for every line, none of which is a line of the kind that is ignored.
            assert lines.read().get("id") is None
        told = lines.call("recall", question="pnpm", limit=1 + number % 5)
        answered += "Use pnpm, not npm" in told["content"][0]["text"]
    return answered


def test_standard_output_carries_nothing_but_messages(machine: Machine, project: Path) -> None:
    calls, broken = scale(25, 10_000), scale(2_000, 100_000)
    with Lines(machine, project, command=server()) as lines:
        answered = spoken(lines.hello(), calls, broken)
        assert lines.stray == []
    assert answered == calls
    assert lines.errors.count(b"a native library says hello") == calls
    say("T11", calls + broken, f"{calls} noisy calls among {broken} malformed lines, 0 stray bytes")


def test_a_print_into_the_protocol_would_be_noticed(machine: Machine, project: Path) -> None:
    with Lines(machine, project, command=server("open-streams", "echo a child speaks")) as lines:
        assert spoken(lines.hello(), 1, 1) == 1
        stray = b"".join(lines.stray)
    assert b"a stray print" in stray or b"a native library" in stray


def is_gone(number: int) -> bool:
    """Say whether a process is gone, or only waits to be asked how it ended."""
    try:
        status = Path(f"/proc/{number}/stat").read_text("ascii")
    except (FileNotFoundError, ProcessLookupError):
        return True
    return status.rpartition(")")[2].split()[0] == "Z"


def seconds_alive(number: int, most: float) -> float:
    """Wait until a process is gone; return how long that took, at most `most`."""
    began = time.monotonic()
    while time.monotonic() - began < most:
        if is_gone(number):
            return time.monotonic() - began
        time.sleep(0.05)
    return most


def killed(machine: Machine, project: Path, form: str, *command: str) -> int:
    """Start a client, kill it, and return the server's process id."""
    client = subprocess.Popen(
        [sys.executable, str(_WORKERS / "mcp_client.py"), form, *command], cwd=project,
        env=machine.environment, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert client.stdout is not None
    number = int(client.stdout.readline())
    assert not is_gone(number)
    client.send_signal(signal.SIGKILL)
    client.wait()
    client.stdout.close()
    return number


def test_a_server_is_gone_soon_after_its_client_is_killed(machine: Machine, project: Path) -> None:
    trials, slowest = scale(1, 75), 0.0
    for _ in range(trials):
        for form in _FORMS:
            number = killed(machine, project, form, COMMAND, "mcp")
            slowest = max(slowest, seconds_alive(number, _GONE))
            assert is_gone(number), f"{form}: an orphan after {_GONE} s"
    say("T11", trials * len(_FORMS), f"clients killed, 0 orphans, slowest {slowest:.1f} s")


def test_a_server_that_does_not_look_would_be_noticed(machine: Machine, project: Path) -> None:
    number = killed(machine, project, "child", *server("deaf", ""))
    try:
        assert seconds_alive(number, _GONE) == _GONE
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def test_the_end_of_the_input_ends_it_and_another_client_finds_everything(
    machine: Machine, project: Path
) -> None:
    trials = scale(3, 100)
    for trial in range(trials):
        # Asked and left at once: what was asked is done all the same.
        kept = {"content": f"Left behind {trial}"}
        asked: list[dict[str, object]] = [
            {"id": 1, "method": "initialize", "params": HELLO},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/call", "params": {"name": "remember", "arguments": kept}},
        ]
        given = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in asked)
        began = time.monotonic()
        done = subprocess.run([COMMAND, "mcp"], cwd=project, env=machine.environment,
                              input=given.encode(), capture_output=True, timeout=30, check=False)  # fmt: skip
        assert time.monotonic() - began < _GONE + 5
        assert done.returncode == 0
        messages = [json.loads(line) for line in done.stdout.splitlines()]
        assert [one["id"] for one in messages] == [1, 2]
        assert not messages[1]["result"]["isError"]
    left = [one for one in machine.contents(project) if one.startswith("Left behind")]
    assert len(set(left)) == trials
    say("T11", trials, f"ends of the input, every write done, {'full' if FULL else 'short'}")


def test_warnings_of_an_upgrade_and_a_first_run_stay_off_the_wire(
    machine: Machine, project: Path
) -> None:
    machine.environment |= {"PYTHONWARNINGS": "always", "PYTHONVERBOSE": "", "PYTHONDEVMODE": "1"}
    fresh = machine.of_somebody_else("newcomer")
    fresh.environment |= {"PYTHONWARNINGS": "always", "PYTHONDEVMODE": "1"}
    for one in (machine, fresh):
        with Lines(one, project) as lines:
            lines.hello().call("recall", question="pnpm")
            assert lines.stray == []
