"""T10: whatever is wrong, the agent gets exit code 0, nothing or one object, and in time."""

import json
import os
import signal
import subprocess
import sys
import time
from hashlib import sha256
from typing import Any

import pytest

from reliability.faults import FAULTS, Scene
from reliability.stand import EVENTS, Ran, Stand, command, judged_output, payload, say, scale
from reliability_kit.shim import build_shim

pytestmark = pytest.mark.torture
_DEADLINE = 2.0


@pytest.fixture(scope="module")
def stand(tmp_path_factory: pytest.TempPathFactory) -> Stand:
    place = Stand(os.fspath(tmp_path_factory.mktemp("project")))
    with place.workspace() as workspace:
        workspace.remember("Run the lint before pushing the branch", kind="constraint")
        for n in range(20):
            workspace.learn(f"Lesson {n} about the lint and the harbour")
        workspace.refresh()
    place.satchel("hook", "SessionStart", stdin=payload("SessionStart"))
    return place


def fired(stand: Stand, event: str, scene: Scene) -> Ran:
    env = {**stand.env, **(scene.env or {})}
    if any(name.startswith("SK_") for name in env):
        env |= {"SK_PREFIX": os.path.realpath(stand.home), "LD_PRELOAD": build_shim(),
                "SK_COUNTER": stand.path(f"counter-{time.monotonic_ns()}")}  # fmt: skip
    given = scene.stdin
    if given is None:
        given = payload(event, 3, **({"cwd": stand.repo} | (scene.more or {})))
    word = event if scene.word is None else scene.word
    out: int | None = subprocess.PIPE
    if scene.stdout == "closed":
        reading, out = os.pipe()
        os.close(reading)
    elif scene.stdout == "full":
        out = os.open("/dev/full", os.O_WRONLY)
    line = [*scene.before, command(), "hook", *([word] if word else [])]
    began = time.monotonic()
    done = subprocess.run(line, cwd=scene.cwd or stand.repo, input=given, stdout=out,
                          stderr=subprocess.PIPE, timeout=30,
                          env={k: v for k, v in env.items() if v is not None})  # fmt: skip
    seconds = time.monotonic() - began
    if out is not None and out != subprocess.PIPE:
        os.close(out)
    return Ran(done.returncode, done.stdout or b"", done.stderr or b"", seconds)


def tree_of(repo: str) -> str:
    """Hash everything in the work tree and in git's own files."""
    whole = sha256()
    for folder, folders, names in os.walk(repo):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            whole.update(os.path.relpath(path, repo).encode() + b"\0")
            if os.path.isfile(path) and os.access(path, os.R_OK):
                with open(path, "rb") as file:
                    whole.update(file.read())
    return whole.hexdigest()


def judged(stand: Stand, name: str, event: str, scene: Scene, before: str) -> str:
    ran = fired(stand, event, scene)
    wrong = judged_output(ran.out)
    if ran.code:
        wrong = f"exit {ran.code}: {ran.err.decode('utf-8', 'replace')[-300:]}"
    elif b"Traceback" in ran.err:
        wrong = f"a traceback: {ran.err.decode('utf-8', 'replace')[-300:]}"
    elif ran.seconds > _DEADLINE:
        wrong = f"{ran.seconds:.2f} s"
    elif tree_of(stand.repo) != before:
        wrong = "the agent's files were touched"
    return f"{name} at {event}: {wrong}" if wrong else ""


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_an_agent_never_notices(stand: Stand, name: str) -> None:
    wrong = []
    trials = scale(1, 20) * len(EVENTS)
    for n in range(trials):
        event = EVENTS[n % len(EVENTS)]
        if os.path.exists(stand.state.faults):
            os.unlink(stand.state.faults)
        with FAULTS[name](stand) as scene:
            before = tree_of(stand.repo)
            wrong.append(judged(stand, name, event, scene, before))
            noted = scene.noted
        if noted and event == "PostToolUse":
            findings = json.loads(stand.satchel("doctor", "--json").out)["findings"]
            seen = [f for f in findings if "fault" in str(f).lower() or event in str(f)]
            if not seen:
                wrong.append(f"{name} at {event}: doctor says nothing: {str(findings)[-300:]}")
    assert not any(wrong), "\n".join(filter(None, wrong))
    say(f"T10 {name}", trials, "exit 0, nothing or one object, in time, no file touched")


def armed(process: subprocess.Popen[bytes]) -> None:
    """Wait until the hook catches SIGTERM: before that it is Python that starts, not Satchel."""
    caught = 0
    while not caught >> (signal.SIGTERM - 1) & 1:
        with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
            (line,) = [line for line in file if line.startswith("SigCgt:")]
        caught = int(line.split()[1], 16)


@pytest.mark.parametrize("event", EVENTS)
def test_a_terminated_hook_ends_well(stand: Stand, event: str) -> None:
    wrong = []
    for n in range(scale(6, 60)):
        with subprocess.Popen([command(), "hook", event], cwd=stand.repo, env=stand.env,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:  # fmt: skip
            armed(process)
            time.sleep(0.002 * (n % 6))
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(payload(event, n) if n % 2 else b"", timeout=30)
        if process.returncode or judged_output(out) or err:
            wrong.append(f"{process.returncode} {out[-200:]!r} {err[-200:]!r}")
    assert not wrong, wrong[:3]


def test_a_terminated_hook_keeps_what_it_was_given(stand: Stand) -> None:
    """A client that ends terminates the hook of the last command, which may have only begun."""
    for n in range(scale(4, 40)):
        taught: Any = {"tool_input": {"command": f'bd comment BD-1 "LEARNED: buoy b{n}b is green"'}}
        with subprocess.Popen([command(), "hook", "PostToolUse"], cwd=stand.repo, env=stand.env,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # fmt: skip
            armed(process)
            process.send_signal(signal.SIGTERM)
            process.communicate(payload("PostToolUse", n, **taught), timeout=30)
        assert b"is green" in stand.satchel("recall", f"buoy b{n}b").out


def test_what_hooks_kept_under_all_this_is_still_readable(stand: Stand) -> None:
    ran = stand.satchel("recall", "harbour")
    assert ran.code == 0, ran.text
    assert b"harbour" in ran.out


@pytest.mark.parametrize("name", ["bad_json", "binary_stdin", "state_file_as_inbox"])
def test_a_seeded_bug_is_caught(stand: Stand, name: str) -> None:
    """A hook without its last net: the exception reaches the agent."""
    line = [sys.executable, "-m", "reliability.workers.bare_hook"]
    with FAULTS[name](stand) as scene:
        given = payload("PostToolUse", 1) if scene.stdin is None else scene.stdin
        done = subprocess.run([*line, "PostToolUse"], cwd=stand.repo, env=stand.env, input=given,
                              capture_output=True)  # fmt: skip
    assert done.returncode or done.stderr


@pytest.mark.parametrize("asked", ["{} {}", "{1} {0}"])
def test_what_is_asked_beside_a_huge_paste_is_answered(stand: Stand, asked: str) -> None:
    """It used to be given up at the deadline: every word of the paste was searched for."""
    stand.satchel("remember", "--kind", "learned", "the harbour relay listens on port 9000")
    prompt = asked.format("on which port does the harbour relay listen?", "paste " * 8_000_000)
    ran = fired(
        stand,
        "UserPromptSubmit",
        Scene(more={"prompt": prompt, "session_id": f"paste{len(asked)}"}),
    )
    assert b"port 9000" in ran.out
    assert ran.seconds < _DEADLINE
