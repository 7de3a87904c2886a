"""A repository with a project, one clock for both, and an agent that learns in it."""

from __future__ import annotations

from pathlib import Path

from integration.thread_made import Repository
from satchel.application import approval
from satchel.core.clock import FixedClock
from satchel.core.trust import AGENT
from satchel.features.branches.values import BranchState
from satchel.workspace import Workspace

#: Learnt before the first commit of a branch, and between that and the next.
LESSON, LATER = "tax_of() rounds half up", "tax_of() takes a Decimal"
HERE, ELSEWHERE, REVERTED = "", "elsewhere", "reverted"


class Shop:
    """A repository with a project, a clock for both, and an agent that learns."""

    def __init__(self, directory: Path, root: Path | None = None) -> None:
        self.directory = directory
        self.repository = Repository(root or directory / "shop")
        self.clock = FixedClock(self.repository.now)

    @classmethod
    def made(cls, directory: Path) -> Shop:
        """Make it, with a first commit."""
        shop = cls(directory)
        (shop.root / ".satchel").mkdir(parents=True)
        (shop.root / ".satchel" / "project.toml").write_text(
            '[project]\nid = "01TESTTESTTESTTESTTESTTEST"\n', "utf-8"
        )
        (directory / "home").mkdir(mode=0o700)
        (directory / "home" / "config.toml").write_text("[sessions]\nimport = false\n", "utf-8")
        shop.git("init", "-q", "-b", "main")
        shop.commit("first", **{"a.py": changed()})
        with shop.open() as work:
            approval.believe_self(work)
        return shop

    @property
    def root(self) -> Path:
        """The work tree that is worked in."""
        return self.repository.root

    def git(self, *words: str) -> str:
        """Run git at the shop's time."""
        return self.repository.git(*words).strip()

    def at(self, root: Path) -> Shop:
        """The same, in another work tree."""
        other = Shop(self.directory, root)
        other.passes(self.repository.now - other.repository.now)
        return other

    def passes(self, seconds: float = 60) -> None:
        """Let time pass."""
        self.repository.passes(seconds)
        self.clock.at = self.repository.now

    def open(self) -> Workspace:
        """Open the project in this work tree."""
        return Workspace.open(str(self.root), home=str(self.directory / "home"), clock=self.clock)

    def commit(self, message: str, **files: str) -> str:
        """Write files and commit them; return the commit's id."""
        self.passes()
        for name, text in files.items():
            (self.root / name).write_text(text, "utf-8")
        self.git("add", "--all")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def learn(self, text: str = LESSON, kind: str = "learned", trust: str = AGENT) -> None:
        """Learn something while working."""
        self.passes()
        with self.open() as work:
            work.remember(text, kind=kind, trust=trust)

    def states(self, *, make: bool = True) -> dict[str, str]:
        """How every memory stands here, by its text, as recall tells it."""
        with self.open() as work:
            if make:
                work.branches.make()
            records = work.memories.following_git()
            states = work.branches.states(records)
            return {one.content: told_of(states.get(one.id)) for one in records}

    def brief(self) -> str:
        """What a session is told at its start."""
        with self.open() as work:
            return work.briefs.session().text

    def state(self) -> str:
        """How the lessons of the branch stand here, which is the same for all."""
        states = self.states()
        (one,) = {states[text].partition(" ")[0] for text in (LESSON, LATER) if text in states}
        return one


def told_of(state: BranchState | None) -> str:
    return "" if state is None else f"{state.state} {state.told}"


def changed(*lines: int) -> str:
    """The file that everything is about, with some lines changed."""
    new = {n: f"    changed_line_{n} = compute_{n}()\n" for n in lines}
    return "".join(new.get(n, f"line_{n} = {n}\n") for n in range(20))
