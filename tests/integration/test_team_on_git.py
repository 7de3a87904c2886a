"""A team that has git and no server: two people, two homes, two clones of one repository."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from integration.installed import Machine, context_of, needs_command
from satchel.application.briefs.contradicting import with_contradictions
from satchel.application.outlet import Shown
from satchel.core.trust import REPO, USER
from satchel.storage.ledger.record import Record
from satchel.testing import run_git

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
AGAINST = "contradicts another one here"


class Colleague:
    """Somebody with a machine, a name in git, and a clone."""

    def __init__(self, folder: Path, name: str, origin: Path) -> None:
        folder.mkdir()
        self.machine = Machine(folder)
        self.clone = folder / "shop"
        run_git(str(folder), "clone", "--quiet", str(origin), str(self.clone))
        self.name = ("-c", f"user.name={name}", "-c", f"user.email={name}@example.org")

    def git(self, *words: str) -> str:
        return run_git(str(self.clone), *self.name, *words)

    def says(self, *words: str) -> str:
        return self.machine.ok(*words, at=self.clone)

    def shares(self) -> None:
        self.says("share", "--yes")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "what we know")
        self.git("push", "--quiet", "origin", "HEAD:main")

    def pulls(self) -> None:
        self.git("pull", "--quiet", "--no-rebase", "origin", "main")

    def brief(self) -> str:
        told = self.machine.hook("SessionStart", self.clone, source="startup")
        return context_of(told, "SessionStart")


@pytest.fixture
def colleagues(tmp_path: Path) -> tuple[Colleague, Colleague]:
    origin = tmp_path / "origin.git"
    run_git(str(tmp_path), "init", "--quiet", "--bare", "--initial-branch=main", str(origin))
    ann = Colleague(tmp_path / "ann", "ann", origin)
    ann.says("init", "--yes")
    ann.says("remember", "--kind", "constraint", "Never log request bodies.")
    ann.shares()
    return ann, Colleague(tmp_path / "bob", "bob", origin)


def test_a_new_colleague_is_asked_once_and_no_tracked_file_changes(
    colleagues: tuple[Colleague, Colleague],
) -> None:
    ann, bob = colleagues
    (bob.machine.home / ".codex").mkdir()  # the repository is wired for what Ann uses
    begun_here = bob.says("init", "--yes")
    assert "1 shared memory        `satchel approve`" in begun_here
    assert "Codex on this machine  `satchel install codex` wires it here" in begun_here
    # The client shows the person what waits, once a day.
    waits = "Satchel: 1 thing from this repository is waiting for the person's approval"
    begun = [bob.machine.hook("SessionStart", bob.clone, source="startup") for _ in range(2)]
    assert begun[0]["systemMessage"].startswith(waits)
    assert "systemMessage" not in begun[1]
    assert "log request bodies" not in context_of(begun[0], "SessionStart")
    bob.says("approve", "--author", "ann@example.org", "--yes")
    assert "[RULE] Never log request bodies. (ann <ann@example.org>, repo" in bob.brief()
    ann.says("learn", "rate limits count per API key")
    ann.shares()
    bob.pulls()
    assert "rate limits count per API key (ann" in bob.brief()
    assert bob.git("status", "--porcelain") == ""


def test_what_two_decided_against_each_other_is_marked_and_checked(
    colleagues: tuple[Colleague, Colleague],
) -> None:
    ann, bob = colleagues
    for one, other in ((ann, "bob"), (bob, "ann")):
        one.says("init", "--yes")
        one.says("approve", "--author", f"{other}@example.org", "--yes")
    bob.says("remember", "--kind", "decision", "We use GraphQL for the partner API")
    ann.says("remember", "--kind", "decision", "We use REST for the partner API")
    ann.shares()
    bob.says("share", "--yes")
    bob.git("add", "--all")
    bob.git("commit", "--quiet", "--message", "ours")
    bob.pulls()
    bob.git("push", "--quiet", "origin", "HEAD:main")
    ann.pulls()
    assert ann.brief().count(AGAINST) == 2
    checked = ann.machine.run("check", at=ann.clone)
    assert checked.code == 1
    listed = checked.out
    assert "'We use GraphQL for the partner API'" in listed
    assert "'We use REST for the partner API'" in listed
    assert "These are built in; `satchel check --init`" in listed


def shown(text: str, trust: str) -> Shown:
    return Shown(Record("decision", text, id=f"{trust}-{text}", trust=trust))


def marks(decisions: Sequence[Shown]) -> list[bool]:
    _, told = with_contradictions([], decisions)
    return [AGAINST in one.note for one in told]


def test_only_what_others_brought_is_compared() -> None:
    rest, graphql = "We use REST for the partner API", "We use GraphQL for the partner API"
    assert marks([shown(rest, USER), shown(graphql, REPO), shown("Ship on Fridays", REPO)]) == [
        True,
        True,
        False,
    ]
    assert marks([shown(rest, USER), shown(graphql, USER)]) == [False, False]


def test_what_a_colleague_replaced_or_deleted_is_so_for_all_once_approved(
    colleagues: tuple[Colleague, Colleague],
) -> None:
    ann, bob = colleagues
    ann.says("remember", "--kind", "decision", "Use pika for the broker")
    ann.says("remember", "--kind", "decision", "Reports are written by cron")
    ann.shares()
    bob.pulls()
    bob.says("init", "--yes")
    bob.says("approve", "--all", "--yes")
    bob.says("remember", "--kind", "decision", "We dropped pika, the broker is reached by aio-pika")
    cron = next(x for x in bob.says("list").splitlines() if "cron" in x).split()[0]
    bob.says("delete", cron, "--yes", "--share")
    bob.shares()
    ann.pulls()
    listed = ann.says("list")
    assert "(replaced)" not in listed, "nobody has approved it"
    assert "cron" in listed
    waits = ann.says("approve")
    assert "deletes: Reports are written by cron" in waits
    assert "2 things wait" in waits
    ann.says("approve", "--all", "--yes")
    listed = ann.says("list")
    assert "cron" not in listed
    assert ["pika for the broker" in x for x in listed.splitlines() if "(replaced)" in x] == [True]
    told = ann.brief()
    assert "Use pika for the broker" not in told
    assert AGAINST not in told
    ann.machine.ok("check", at=ann.clone)
    assert "Nothing waits" in ann.says("approve")


def test_what_a_colleague_stated_stays_in_the_brief(
    colleagues: tuple[Colleague, Colleague],
) -> None:
    ann, bob = colleagues
    ann.says("remember", "--kind", "fact", "Batch ids have six digits.")
    ann.says("learn", "rate limits count per API key")
    ann.shares()
    bob.pulls()
    bob.says("init", "--yes")
    bob.says("approve", "--author", "ann@example.org", "--yes")
    for number in range(7):
        bob.says("learn", f"the oven needs {number + 3} minutes for tray {number}")
    brief = bob.brief()
    assert "Batch ids have six digits. (ann" in brief
    assert "rate limits count per API key (ann" in brief


def test_a_line_that_came_back_is_put_aside_with_its_versions(
    colleagues: tuple[Colleague, Colleague],
) -> None:
    ann, bob = colleagues
    ann.says("learn", "the night tariff starts at 23:00")
    ann.shares()
    ann.says("hide", "learned-the-night-tariff-starts-at-23-00")
    ann.says("restore", "learned-the-night-tariff-starts-at-23-00")
    ann.says("edit", "learned-the-night-tariff-starts-at-23-00", "--content", "night tariff: 23:00")
    ann.shares()
    bob.pulls()
    bob.says("init", "--yes")
    (line,) = [one for one in bob.says("approve").splitlines() if "night tariff" in one]
    bob.says("approve", "--reject", line.split()[0], "--yes")
    assert "night tariff" not in bob.says("approve")
    assert "23:00" not in bob.says("recall", "night tariff", "--json")


def test_a_clone_says_how_its_persons_own_commits_pass(
    colleagues: tuple[Colleague, Colleague],
) -> None:
    """Otherwise a file with lines of two people waits again after every change, unexplained."""
    ann, bob = colleagues
    bob.git("config", "user.email", "Bob@example.org")
    bob.git("config", "user.name", "bob")
    rules = bob.clone / "CLAUDE.md"
    for one, line in ((bob, "- Use pnpm.\n"), (ann, "- Run make lint.\n")):
        one.git("pull", "--quiet", "origin", "main")
        file = one.clone / "CLAUDE.md"
        before = file.read_text("utf-8") if file.exists() else ""
        file.write_text(before + line, "utf-8")
        one.git("add", "--all")
        one.git("commit", "--quiet", "--message", "a rule")
        one.git("push", "--quiet", "origin", "HEAD:main")
    bob.pulls()
    assert "Run make lint" in rules.read_text("utf-8")
    once = "`satchel approve --author bob@example.org` once ends that."
    told = bob.says("approve", "--author", "ann@example.org", "--yes")
    assert "bob@example.org is your own address." in told
    assert once in told
    assert once in bob.says("approve")
    assert "none left" in bob.says("approve", "--author", "bob@example.org", "--yes")
    assert bob.says("approve").strip() == "Nothing waits for your approval."


def test_status_counts_what_a_brief_counts(colleagues: tuple[Colleague, Colleague]) -> None:
    """Codex reads no CLAUDE.md, and is told the rules in it once they are approved."""
    ann, bob = colleagues
    (ann.clone / "CLAUDE.md").write_text("## Learned Rules\n- Run make lint before a push.\n")
    ann.git("add", "--all")
    ann.git("commit", "--quiet", "--message", "a rule")
    ann.git("push", "--quiet", "origin", "HEAD:main")
    bob.says("install", "codex", "--hooks", "--yes")
    bob.pulls()
    waiting = bob.machine.json("approve", at=bob.clone)["held"]
    bob.says("approve", *(one["id"] for one in waiting), "--yes")
    assert "1 thing from this repository is waiting" in bob.says("brief")
    assert bob.machine.json("status", at=bob.clone)["unapproved"] == 1
    bob.says("approve", "CLAUDE.md", "--yes")
    assert bob.machine.json("status", at=bob.clone)["unapproved"] == 0
