"""Rarer ways to rewrite history: lines keep their prompts, and lessons are where their work is."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from integration.installed import Machine, needs_command
from integration.thread_made import AgentAtWork, Repository, new_repository
from integration.thread_scored import score
from satchel.core.clock import FixedClock
from satchel.core.trust import AGENT
from satchel.features.branches.values import BranchState
from satchel.workspace import Workspace

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

LESSON = "mail_of() answers within thirty days"
_DAYS = 200_000
#: Lets git's list of commits to pick begin with the last.
_REVERSE = (
    "import sys; path = sys.argv[1]; rows = open(path).read().splitlines(); "
    "picks = [row for row in rows if row.startswith('pick')]; "
    "open(path, 'w').write('\\n'.join(picks[::-1]) + '\\n')"
)


def _lines(name: str) -> str:
    steps = (f"    {name}_step_{n} = {name}_compute_{n}(total)\n" for n in range(6))
    return f"def {name}_of(total):\n{''.join(steps)}"


class Story:
    """Files of two prompts and of a person on the branch `work`, and a person's file on main."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.shop = machine, new_repository(machine)
        shop = self.shop
        shop.git("switch", "-q", "-c", "work")
        agent = AgentAtWork(shop, machine.home, "work")
        agent.prompt("mail what is owed")
        agent.write("src/mail.py", _lines("mail"))
        with self.opened() as work:
            work.remember(LESSON, kind="learned", trust=AGENT)
        self.mailed = agent.commit("Mail what is owed")
        shop.passes(_DAYS)
        agent.prompt("post it, too")
        agent.write("src/post.py", _lines("post"))
        self.posted = agent.commit("Post what is owed")
        self.by_hand("typed")
        self.work = {**shop.lines}
        shop.git("switch", "-q", "main")
        self.by_hand("late")

    def opened(self) -> Workspace:
        """Open the project at the repository's time."""
        home = str(self.machine.home / ".satchel")
        return Workspace.open(str(self.shop.root), home=home, clock=FixedClock(self.shop.now))

    def by_hand(self, name: str) -> None:
        """A person writes a file and commits it."""
        self.shop.passes(_DAYS)
        self.shop.by_hand(f"src/{name}.py", _lines(name))
        self.shop.git("add", "--all")
        self.shop.git("commit", "-q", "-m", f"Write {name}")
        self.shop.passes(_DAYS)

    def rebases(self, editor: str, *more: str) -> None:
        """Rebase the branch, with a program that edits what git will do."""
        self.shop.git("-c", f"sequence.editor={editor}", "rebase", "-q", "-i", *more, "main")


def reorder(story: Story) -> None:
    story.shop.git("switch", "-q", "work")
    story.rebases(f'"{sys.executable}" -c "{_REVERSE}"')


def autosquash(story: Story) -> None:
    story.shop.git("switch", "-q", "work")
    agent = AgentAtWork(story.shop, story.machine.home, "work")
    agent.prompt("mail it within three days")
    old, new = "mail_compute_2(total)", "mail_soon_enough(total, days=3)"
    agent.edit("src/mail.py", f"    mail_step_2 = {old}\n", f"    mail_step_2 = {new}\n")
    agent.runs_git("commit", "--all", "--fixup", story.mailed)
    story.shop.passes(_DAYS)
    story.rebases("true", "--autosquash")


def subtree(story: Story) -> None:
    """Another repository, in which a person had typed the same lines, comes in as a folder."""
    shop = story.shop
    other = Repository(shop.root.parent / "other")
    other.root.mkdir()
    other.now = shop.now
    other.git("init", "-q", "-b", "main")
    other.by_hand("copy.py", _lines("mail"))
    other.git("add", "--all")
    other.git("commit", "-q", "-m", "first")
    shop.git("merge", "-q", "--no-edit", "work")
    shop.git("fetch", "-q", str(other.root), "main")
    words = ("-s", "ours", "--no-commit", "--allow-unrelated-histories", "FETCH_HEAD")
    shop.git("merge", "-q", *words)
    shop.git("read-tree", "--prefix=vendor/", "-u", "FETCH_HEAD")
    shop.git("commit", "-q", "-m", "Take in the other")
    shop.lines["vendor/copy.py"] = other.lines["copy.py"]


def octopus(story: Story) -> None:
    for name in ("left", "right"):
        story.shop.git("switch", "-q", "-c", name, "main~1")
        story.by_hand(name)
    story.shop.git("switch", "-q", "main")
    story.shop.git("merge", "-q", "--no-edit", "work", "left", "right")


def graft(story: Story) -> None:
    """Git is told that the last prompt's commit has no parents."""
    story.shop.git("switch", "-q", "work")
    story.shop.git("replace", "--graft", story.posted)
    story.shop.lines = story.work


def line_ends(story: Story) -> None:
    story.shop.git("switch", "-q", "work")
    story.shop.lines = story.work
    for path in story.work:
        place = story.shop.root / path
        place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))
    story.shop.git("commit", "-q", "--all", "-m", "End lines as Windows does")


@pytest.mark.parametrize(
    "way", [reorder, autosquash, subtree, octopus, graft, line_ends], ids=lambda way: way.__name__
)
def test_lines_and_lessons_survive(machine: Machine, way: Callable[[Story], None]) -> None:
    story = Story(machine)
    with story.opened() as work:
        assert [one.state for one in _states(work)] == ["elsewhere"]
    way(story)
    found = score(lambda asked: machine.json("why", asked, at=story.shop.root), story.shop)
    print(f"\n{way.__name__:<12} {found}")
    assert (found.wrong, found.wrong_certain) == ((), ())
    assert found.certain >= found.lines - 1
    with story.opened() as work:
        assert _states(work) == []


def _states(work: Workspace) -> list[BranchState]:
    work.branches.make()
    return [*work.branches.states(work.memories.following_git()).values()]
