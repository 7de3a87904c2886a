"""T29: Satchel inside an agent calls no model, starts one process at a time, captures not itself."""

import json
import os
import stat
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from integration.model_server import Behaviour, model_server
from reliability.stand import EVENTS, Stand, command, payload, say, scale

pytestmark = pytest.mark.torture
AGENTS = ("claude", "codex", "copilot", "gemini", "cursor-agent", "opencode", "llm", "ollama")


class Children(threading.Thread):
    """Looks for processes that hooks of one project left to themselves, by their step."""

    def __init__(self, stand: Stand) -> None:
        super().__init__(daemon=True)
        self._repo, self.ended = stand.repo.encode(), threading.Event()
        self.seen: dict[str, set[int]] = defaultdict(set)
        self.most: Counter[str] = Counter()

    def now(self) -> Counter[str]:
        """Count those that are there, by step.

        A child that is about to become git still bears the words of the step that starts it.
        """
        steps, parents = {}, {}
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                words = Path(f"/proc/{name}/cmdline").read_bytes().split(b"\0")
                parent = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[1]
            except (FileNotFoundError, ProcessLookupError):
                continue
            if b"upkeep" in words and self._repo in words:
                steps[int(name)] = words[words.index(b"upkeep") + 1].decode()
                parents[int(name)] = int(parent)
        own = {number: step for number, step in steps.items() if parents[number] not in steps}
        for number, step in own.items():
            self.seen[step].add(number)
        return Counter(own.values())

    def run(self) -> None:
        while not self.ended.wait(0.005):
            self.most |= self.now()


@contextmanager
def watched(stand: Stand) -> Iterator[Children]:
    """Watch until those that were started have ended."""
    children = Children(stand)
    children.start()
    try:
        yield children
        deadline = time.monotonic() + 60
        while children.now():
            assert time.monotonic() < deadline, f"they do not end: {children.now()}"
            time.sleep(0.05)
    finally:
        children.ended.set()
        children.join()


def agents_in(folder: str) -> dict[str, str]:
    """Put programs of agents before all others; each fires a hook again, and is written down."""
    os.makedirs(folder)
    log = os.path.join(folder, "called")
    for name in AGENTS:
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\necho "$0 $*" >> {log}\necho {{}} | satchel hook SessionStart\n')
        os.chmod(path, stat.S_IRWXU)
    return {"PATH": folder + os.pathsep + os.environ["PATH"], "CALLED": log}


def inside(stand: Stand, folder: Path) -> dict[str, str]:
    """Return an agent's environment, in which nothing is turned off for tests."""
    kept = {k: v for k, v in stand.env.items() if k != "SATCHEL_EMBED_BACKGROUND"}
    return kept | agents_in(str(folder))


def storm(stand: Stand, environment: dict[str, str], count: int, *hook: str) -> None:
    """Fire every event again and again, eight at a time; `hook` stands for the command."""

    def fire(n: int) -> int:
        event = EVENTS[n % len(EVENTS)]
        given = payload(event, n, session=f"s{n // len(EVENTS)}")
        words = [*(hook or (command(),)), "hook", event]
        done = subprocess.run(
            words, cwd=stand.repo, input=given, env=environment, capture_output=True
        )
        return done.returncode

    with ThreadPoolExecutor(8) as crowd:
        assert list(crowd.map(fire, range(count))) == [0] * count
    called = Path(environment["CALLED"])
    assert not called.exists(), called.read_text()


def test_hooks_call_no_model_and_no_agent(tmp_path: Path) -> None:
    behaviour = Behaviour()
    with model_server(behaviour) as url:
        chosen = "".join(f'{name} = "ollama:any"\n' for name in ("embed", "generate"))
        settings = f'[model]\nurl = "{url}"\nexpand = true\n{chosen}[embed]\nbackground = false\n'
        stand = Stand(str(tmp_path / "stand"), settings=settings)
        count = scale(5, 100) * len(EVENTS)
        storm(stand, inside(stand, tmp_path / "agents"), count)
        assert behaviour.requests == []
        done = stand.satchel("recall", "lint before merge", "--method", "hybrid")
        assert behaviour.requests, f"the model is not chosen, so nothing was tested: {done.text}"
    say("T29", count, "hooks with a model chosen and eight agents on the path: 0 calls of either")


@pytest.mark.parametrize("defect", ["", "each asks for itself"])
def test_what_hooks_leave_to_the_background_is_one_process_at_a_time(
    tmp_path: Path, defect: str
) -> None:
    stand = Stand(str(tmp_path / "stand"), settings="[reflect]\nauto = true\n")
    environment = inside(stand, tmp_path / "agents")
    planted = (sys.executable, "-m", "reliability.workers.asks_for_itself") if defect else ()
    count = scale(5, 100) * len(EVENTS)
    with watched(stand) as children:
        storm(stand, environment, count, *planted)
    assert children.seen, "nothing was left to the background: nothing was tested"
    if defect:
        assert max(children.most.values()) > 1
        return
    assert max(children.most.values()) == 1, children.most
    started = {step: len(found) for step, found in children.seen.items()}
    say("T29", count, f"hooks; processes beside them: {started}, never two of one step at once")


def test_what_was_put_before_an_agent_is_not_captured_again(tmp_path: Path) -> None:
    stand = Stand(str(tmp_path / "stand"))
    for n in range(3):
        stand.satchel("learn", f"Lesson {n} about the harbour and its lint")
    before = stand.satchel("memory", "list", "--json").out
    rounds = scale(3, 100)
    for n in range(rounds):
        given = stand.satchel("hook", "SessionStart", stdin=payload("SessionStart", n))
        text = json.loads(given.out)["hookSpecificOutput"]["additionalContext"]
        assert "Lesson 2" in text
        for event in EVENTS:
            said = {"prompt": text, "last_assistant_message": text, "tool_response": {"stdout": text},
                    "tool_name": "Bash", "tool_input": {"command": f"satchel learn '{text}'"}}  # fmt: skip
            stand.satchel("hook", event, stdin=payload(event, n, **said))
    # Every session leaves checkpoints, which push lessons out of a list's first page.
    kept = json.loads(stand.satchel("memory", "list", "--json", "--limit", "10000").out)
    lessons = [one for one in kept if "Lesson" in one["content"]]
    assert len(lessons) == len(json.loads(before)) == 3
    say("T29", rounds * len(EVENTS), "hooks fed with what was injected: 0 captured again")
