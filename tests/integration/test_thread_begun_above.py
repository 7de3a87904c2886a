"""A session that began above the project, or in a repository within, is linked by its files."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from integration.installed import Machine, needs_command
from integration.seeded_bugs import plant
from integration.thread_made import AgentAtWork, Repository, new_repository
from satchel.clients.transcripts.reading import transcript_files
from satchel.core.hashing import digest

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

TAX = "def tax_of(total):\n    return (total * RATE_OF_THE_YEAR).quantize(CENT)\n"
NOTE = "the other customer pays by invoice within thirty days\n"


class _Wanderer(AgentAtWork):
    """An agent whose session began in another directory than the repository's."""

    def __init__(self, machine: Machine, began: Path) -> None:
        elsewhere = Repository(began)
        super().__init__(elsewhere, machine.home)

    def at(self, repository: Repository) -> AgentAtWork:
        """Take over a repository's clock."""
        self.repository.now = max(self.repository.now, repository.now) + 60
        repository.now = self.repository.now
        return self


def _line(machine: Machine, root: Path, place: str) -> Any:
    (line,) = machine.json("why", place, at=root)["lines"]
    return line


def _commit(shop: Repository, subject: str) -> str:
    shop.passes(300)
    shop.git("add", "--all")
    shop.git("commit", "-q", "-m", subject)
    return shop.git("rev-parse", "HEAD").strip()


def test_a_session_that_began_in_the_parent_folder_is_linked(machine: Machine) -> None:
    shop = new_repository(machine)
    work = _Wanderer(machine, machine.directory)
    work.at(shop).prompt("round the tax to cents")
    work.write("shop/src/pay.py", TAX)
    shop.now = work.repository.now
    _commit(shop, "Round the tax")
    told = machine.json("why", "src/pay.py:2", at=shop.root)
    (link,) = told["lines"][0]["origin"]
    assert (link["session"], link["confidence"]) == (work.session, "likely")
    assert [one["text"] for one in told["sessions"][0]["prompts"]] == ["round the tax to cents"]


def test_what_it_did_elsewhere_is_not_kept(machine: Machine) -> None:
    """It wrote another project, too: what was said of that stays out of this one."""
    shop, other = new_repository(machine), machine.repository("other")
    work = _Wanderer(machine, machine.directory)
    work.at(shop).prompt("write down how the secret customer pays")
    work.write("other/notes.md", NOTE)
    work.says("The secret customer pays by invoice.")
    work.prompt("now round the tax")
    work.write("shop/src/pay.py", TAX)
    work.prompt("/model opus")
    work.write("shop/src/mail.py", "OUTBOX_OF_RECEIPTS = []\n")
    work.prompt("and mail the secret customer")
    work.write("loose.md", NOTE)
    shop.now = work.repository.now
    _commit(shop, "Round the tax")
    (shop.root / "notes.md").write_text(NOTE)
    (shop.root / "loose.md").write_text(NOTE)
    _commit(shop, "Keep notes")
    told = machine.json("why", work.session, at=shop.root)
    assert [one["text"] for one in told["sessions"][0]["prompts"]] == ["now round the tax"]
    (link,) = _line(machine, shop.root, "src/mail.py:1")["origin"]
    assert link["session"] == work.session
    assert link["place"] == 0
    assert _line(machine, shop.root, "notes.md:1")["origin"] == []
    assert _line(machine, shop.root, "loose.md:1")["origin"] == []
    assert machine.json("sessions", "search", "secret customer", at=shop.root) == []
    (link,) = machine.json("why", "notes.md:1", at=other)["lines"][0]["origin"]
    assert link["session"] == work.session


def test_a_prompt_that_is_answered_later_is_kept_with_the_answer(machine: Machine) -> None:
    shop = new_repository(machine)
    work = _Wanderer(machine, machine.directory)
    work.at(shop).prompt("round the tax")
    work.says("I look at it first.")
    assert machine.run("why", work.session, at=shop.root).code != 0
    work.write("shop/src/pay.py", TAX)
    shop.now = work.repository.now
    _commit(shop, "Round the tax")
    machine.ok("sessions", "import", at=shop.root)
    told = machine.json("why", "src/pay.py:2", at=shop.root)
    assert [one["text"] for one in told["sessions"][0]["prompts"]] == ["round the tax"]


def test_its_commits_are_known_by_the_repository_that_has_them(machine: Machine) -> None:
    shop = new_repository(machine)
    work = _Wanderer(machine, machine.directory)
    work.at(shop).prompt("round the tax")
    work.write("shop/src/pay.py", TAX)
    shop.now = work.repository.now
    work.repository.git = shop.git  # type: ignore[method-assign]
    sha = work.commit("Round the tax")
    (commit,) = machine.json("why", sha, at=shop.root)["commits"]
    assert [(one["session"], one["confidence"]) for one in commit["links"]] == [
        (work.session, "certain")
    ]


def test_a_project_within_a_repository_has_its_part_of_a_session_at_the_top(
    machine: Machine,
) -> None:
    shop = new_repository(machine)
    below = shop.root / "packages" / "till"
    (below / ".satchel").mkdir(parents=True)
    (below / ".satchel" / "project.toml").write_text('id = "01K00000000000000000000000"\n')
    work = AgentAtWork(shop, machine.home)
    work.prompt("round the tax")
    work.write("packages/till/pay.py", TAX)
    work.write("src/pay.py", TAX.replace("tax", "toll"))
    work.commit("Round both")
    (link,) = _line(machine, below, "pay.py:2")["origin"]
    assert (link["session"], link["confidence"]) == (work.session, "likely")
    (link,) = _line(machine, shop.root, "packages/till/pay.py:2")["origin"]
    assert (link["session"], link["confidence"]) == (work.session, "certain")


def _with_submodule(machine: Machine) -> tuple[Repository, Repository]:
    shop = new_repository(machine)
    library = machine.repository("library", init=False)
    shop.git("submodule", "--quiet", "add", os.fspath(library), "vendor/library")
    inside = Repository(shop.root / "vendor" / "library")
    inside.now = shop.now
    machine.ok("init", "--no-hooks", "--yes", at=inside.root)
    inside.git("add", "--all")
    inside.git("commit", "-q", "-m", "Remember")
    _commit(shop, "Use the library")
    return shop, inside


def test_a_session_above_a_submodule_is_linked_to_what_it_wrote_there(machine: Machine) -> None:
    shop, inside = _with_submodule(machine)
    work = AgentAtWork(shop, machine.home)
    work.prompt("the library must round")
    work.write("vendor/library/pay.py", TAX)
    inside.now = shop.now
    _commit(inside, "Round")
    (link,) = _line(machine, inside.root, "pay.py:2")["origin"]
    assert link["session"] == work.session


def test_a_session_in_a_submodule_is_linked_to_what_it_wrote_above(machine: Machine) -> None:
    shop, inside = _with_submodule(machine)
    work = AgentAtWork(inside, machine.home)
    work.repository.now = shop.now
    work.prompt("call it in the shop, too")
    work.write("../../src/pay.py", TAX)
    shop.now = inside.now
    _commit(shop, "Round the tax")
    (link,) = _line(machine, shop.root, "src/pay.py:2")["origin"]
    assert link["session"] == work.session


def test_a_file_of_the_same_name_in_a_repository_within_is_not_this_ones(machine: Machine) -> None:
    """The session began in a submodule and wrote its file; a person wrote the same above."""
    shop, inside = _with_submodule(machine)
    work = AgentAtWork(inside, machine.home)
    work.repository.now = shop.now
    work.prompt("the library must round")
    work.write("pay.py", TAX)
    inside.passes(5)
    shop.now = inside.now
    shop.by_hand("pay.py", TAX)
    _commit(shop, "Round the tax")
    assert _line(machine, shop.root, "pay.py:2")["origin"] == []


def test_a_session_in_the_parent_folder_is_linked_to_a_linked_work_tree(machine: Machine) -> None:
    shop = new_repository(machine)
    shop.git("worktree", "add", "-q", "-b", "rounding", "../shop-rounding")
    beside = Repository(machine.directory / "shop-rounding")
    work = _Wanderer(machine, machine.directory)
    work.at(shop).prompt("round the tax")
    work.write("shop-rounding/src/pay.py", TAX)
    beside.now = work.repository.now
    _commit(beside, "Round the tax")
    shop.now = beside.now
    shop.git("merge", "-q", "rounding")
    for root in (shop.root, beside.root):
        (link,) = _line(machine, root, "src/pay.py:2")["origin"]
        assert link["session"] == work.session


@pytest.mark.parametrize(
    ("module", "seed", "test"),
    [
        (
            "features.sessions.project_part",
            "ProjectPart._is_here = lambda *_: True",
            test_what_it_did_elsewhere_is_not_kept,
        ),
        (
            "features.sessions.project_part",
            "ProjectPart.turns = lambda self, reader, cwd: iter(reader)",
            test_what_it_did_elsewhere_is_not_kept,
        ),
        (
            "application.thread.sessions",
            "SessionDirectory = (lambda made: lambda cwd, *_, **__: made(cwd))(SessionDirectory)",
            test_a_file_of_the_same_name_in_a_repository_within_is_not_this_ones,
        ),
    ],
)
def test_what_crosses_projects_is_noticed(
    machine: Machine, module: str, seed: str, test: Callable[[Machine], None]
) -> None:
    plant(machine, f"satchel.{module}", seed)
    with pytest.raises((AssertionError, ValueError)) as caught:
        test(machine)
    assert "Traceback" not in str(caught.value)


@pytest.mark.parametrize(
    ("client", "place"),
    [
        ("cursor", "projects/w-shops/agent-transcripts/one.jsonl"),
        ("gemini", f"tmp/{digest(b'/w/shops').hex()}/chats/one.json"),
    ],
)
def test_a_client_s_sessions_above_are_looked_at(tmp_path: Path, client: str, place: str) -> None:
    file = tmp_path / place
    file.parent.mkdir(parents=True)
    file.touch()
    (found,) = transcript_files(client, str(tmp_path), "/w/shops/shop")
    assert (found.path, found.cwd) == (str(file), "/w/shops")
