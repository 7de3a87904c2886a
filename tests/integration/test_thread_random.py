"""Random work of agents and people: what is told as certain is right, whatever was done."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from integration.installed import Machine, needs_command
from integration.thread_made import AgentAtWork, Repository
from satchel.application.thread.explaining import Explainer
from satchel.features.sessions.prompts import is_prompt
from satchel.features.thread.values import CERTAIN, SessionFacts
from satchel.workspace import Workspace

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

NAMES = ("price", "total", "order", "count", "tax", "store", "receipt", "address")
#: Lines that many prompts write: nobody can know them by themselves.
COMMON = (
    "    return result",
    "    result = []",
    "else:",
    "try:",
    "    pass",
    "}",
    "import logging",
    "",
)


def some_lines(chance: random.Random, count: int) -> list[str]:
    found = []
    for _ in range(count):
        if chance.random() < 0.3:
            found.append(chance.choice(COMMON))
        else:
            left, right = chance.choice(NAMES), chance.choice(NAMES)
            found.append(f"    {left}_{chance.randrange(40)} = {right}({chance.randrange(9)})")
    return found


class Work:
    """Random sessions in one repository."""

    def __init__(self, repository: Repository, home: Path, seed: int) -> None:
        self.repository, self.home = repository, home
        self.chance = random.Random(seed)

    def lines(self, path: str) -> list[str]:
        return [text for text, _ in self.repository.lines.get(path, [])]

    def changed(self, path: str) -> list[str]:
        lines, chance = self.lines(path), self.chance
        at = chance.randrange(len(lines) + 1)
        gone = chance.choice((0, 0, 1, 3))
        new = some_lines(chance, chance.randrange(1, 12))
        if chance.random() < 0.3:  # the same again as elsewhere
            begin = chance.randrange(len(lines) + 1)
            new = lines[begin : begin + chance.randrange(1, 6)]
        return lines[:at] + new + lines[at + gone :]

    def session(self) -> None:
        chance, agent = self.chance, AgentAtWork(self.repository, self.home)
        for number in range(chance.randrange(1, 4)):
            agent.prompt(f"Do the {number}. thing of {agent.session[:8]}, please")
            for _ in range(chance.randrange(1, 3)):
                self.act(agent, f"src/{chance.choice('abc')}.py")
            if chance.random() < 0.6:
                agent.commit(f"Do a thing {chance.randrange(1000)}", "--allow-empty")
        agent.commit("End the work", "--allow-empty")
        self.repository.passes(chance.choice((60, 4000, 90_000)))

    def act(self, agent: AgentAtWork, path: str) -> None:
        lines = self.lines(path)
        kind = self.chance.choice(("write", "edit", "edit", "edit", "shell"))
        if kind == "write" or len(lines) < 4:
            agent.write(path, "\n".join(self.changed(path)) + "\n")
        elif kind == "shell":
            at = self.chance.randrange(len(lines)) + 1
            agent.shell(f"sed -i '{at}s/.*/    moved_{self.chance.randrange(99)} = 1/' {path}")
        else:
            self.edit(agent, path, lines)

    def edit(self, agent: AgentAtWork, path: str, lines: list[str]) -> None:
        """Replace some lines, with their neighbours named to say which."""
        text = "\n".join(lines) + "\n"
        at = self.chance.randrange(len(lines))
        for wide in range(1, len(lines)):
            part = lines[max(0, at - wide) : at + wide]
            old = "\n".join(part) + "\n"
            if text.count(old) == 1 and text.startswith(old) is (max(0, at - wide) == 0):
                new = [*part]
                here = self.chance.randrange(len(new) + 1)
                again = self.chance.sample(lines, min(len(lines), 2))
                new[here : here + self.chance.choice((0, 1))] = self.chance.choice(
                    (some_lines(self.chance, self.chance.randrange(1, 5)), again)
                )
                agent.edit(path, old, "\n".join(new) + "\n")
                return

    def by_hand(self) -> None:
        path = f"src/{self.chance.choice('abc')}.py"
        self.repository.by_hand(path, "\n".join(self.changed(path)) + "\n")
        self.repository.git("add", "--all")
        self.repository.git("commit", "--allow-empty", "-m", "By hand")
        self.repository.passes(500)


@pytest.mark.parametrize("seed", range(12))
def test_what_is_certain_is_right(
    machine: Machine, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(machine.home))
    root = machine.directory / "shop"
    root.mkdir()
    repository = Repository(root)
    repository.git("init", "--quiet", "--initial-branch=main")
    machine.ok("init", "--no-hooks", "--yes", at=root)
    repository.git("add", "--all")
    repository.git("commit", "-m", "first")
    work = Work(repository, machine.home, seed)
    for _ in range(9):
        work.session()
        if work.chance.random() < 0.5:
            work.by_hand()
    found: Counter[str] = Counter()
    with Workspace.open(str(root), home=str(machine.home / ".satchel")) as opened:
        explainer = Explainer(opened, str(root))
        archive = opened.sessions.archive
        turns = {
            session: archive.archived(session).turns
            for session in {one.session for one in archive_sessions(explainer)}
        }
        for path, lines in sorted(repository.lines.items()):
            story = explainer.why(f"{path}:1-{len(lines)}")
            assert story is not None
            when = {one.sha: one.at for one in story.commits}
            rows = zip(story.lines, lines, repository.times[path], strict=True)
            for line, (text, origin), at in rows:
                # Of two equal lines beside each other, git may take the other one for the new one.
                if not text.strip() or when.get(line.sha, at) < int(at):
                    continue
                best = line.origin[0] if line.origin else None
                told = None
                if best is not None and 0 <= best.place < len(turns[best.session]):
                    turn = turns[best.session][best.place]
                    told = (best.session, turn.text if is_prompt(turn) else "")
                right = told == origin
                sure = best is not None and best.confidence == CERTAIN
                found["right" if right else "wrong"] += 1
                found["certain"] += sure
                assert right or not sure, (path, line, origin)
    print(f"\nseed {seed}: {dict(found)}")
    assert found["right"] >= 0.75 * (found["right"] + found["wrong"])
    assert found["certain"]


def archive_sessions(explainer: Explainer) -> list[SessionFacts]:
    return explainer.known.store.sessions("")
