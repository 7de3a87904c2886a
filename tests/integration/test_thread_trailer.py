"""The trailer that a session is asked for, if the person turns it on, and what it proves."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from integration.installed import COMMAND, Machine, needs_command
from integration.seeded_bugs import plant
from integration.thread_made import AgentAtWork, Repository, new_repository

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())

TAX = (
    "def tax_of(total):\n    return (total * RATE_OF_THE_YEAR).quantize(CENT)\n\n\n"
    "def toll_of(total):\n    return total * TOLL_OF_THE_BRIDGE\n"
)
#: A person's own lines in the same commit: too many for the session's lines to be proof.
TYPED = "".join(f"typed_by_a_person_{number} = {number}\n" for number in range(6))
SESSION = "0b8a4b44-6f0b-4f0e-9f3b-5d7c2f1e9a01"


def _start(machine: Machine, at: Path, event: str = "SessionStart", **more: Any) -> str:
    given = {"session_id": SESSION, "cwd": str(at), "source": "startup", **more}
    done = subprocess.run(
        [COMMAND, "hook", event, "--client", "claude-code"],
        cwd=at, input=json.dumps(given), capture_output=True, text=True, check=True, timeout=30,
        env=machine.environment,
    )  # fmt: skip
    assert done.stderr == ""
    told = json.loads(done.stdout)["hookSpecificOutput"] if done.stdout else {}
    return str(told.get("additionalContext", ""))


def test_a_session_is_asked_for_the_trailer_only_if_the_person_wants_it(machine: Machine) -> None:
    shop = machine.repository("shop")
    machine.ok("remember", "the tax office rounds half up", at=shop)
    assert "Satchel-Session" not in _start(machine, shop)
    machine.ok("config", "set", "hooks.trailer", "true", at=shop)
    line = f"End commit messages with the line: Satchel-Session: {SESSION}"
    assert _start(machine, shop, source="clear").splitlines().count(line) == 1
    told = _start(machine, shop, "SubagentStart", agent_type="coder", agent_id="a-1")
    assert "Satchel-Session" not in told


@pytest.mark.parametrize("odd", ["a b", "x\nSatchel-Session: y", "é", "", "a" * 200])
def test_an_odd_id_is_asked_of_nobody(machine: Machine, odd: str) -> None:
    shop = machine.repository("shop")
    machine.ok("config", "set", "hooks.trailer", "true", at=shop)
    assert "Satchel-Session" not in _start(machine, shop, session_id=odd)


def test_a_repository_cannot_turn_it_on(machine: Machine) -> None:
    shop = machine.repository("shop")
    with (shop / ".satchel" / "project.toml").open("a") as file:
        file.write("\n[hooks]\ntrailer = true\n")
    assert "Satchel-Session" not in _start(machine, shop)


# What it proves


def _worked(machine: Machine, shop: Repository, *, trailer: bool = True) -> AgentAtWork:
    """An agent writes lines on a branch; they are committed with a person's, named or not."""
    shop.git("switch", "-q", "-c", "rounding")
    work = AgentAtWork(shop, machine.home)
    work.prompt("round the tax")
    work.write("src/pay.py", TAX)
    shop.passes(3600)
    shop.by_hand("src/typed.py", TYPED)
    _commit(shop, "Round the tax", f"Satchel-Session: {work.session}" if trailer else "Signed")
    return work


def _commit(shop: Repository, subject: str, last: str, *words: str) -> None:
    shop.git("add", "--all")
    shop.git("commit", "-q", "-m", f"{subject}\n\n{last}", *words)


def _advance(shop: Repository) -> None:
    shop.git("switch", "-q", "main")
    shop.passes(9000)
    shop.by_hand("CHANGES", "Another hand was here.\n")
    _commit(shop, "Begin a list of changes", "By hand")


def amend(shop: Repository) -> None:
    shop.passes(9000)
    shop.by_hand("NOTES.md", "Nobody's agent wrote this line.\n")
    body = shop.git("log", "-1", "--format=%b").strip()
    _commit(shop, "Round it as the office does", body, "--amend")


def rebase(shop: Repository) -> None:
    _advance(shop)
    shop.git("switch", "-q", "rounding")
    shop.git("rebase", "-q", "main")


def squash(shop: Repository) -> None:
    shop.by_hand("src/more.py", "more_of_it = 1\n")
    _commit(shop, "More of it", "By hand")
    told = shop.git("log", "--reverse", "--format=* %s%n%n%b", "main..rounding")
    _advance(shop)
    shop.git("merge", "-q", "--squash", "rounding")
    _commit(shop, "Rounding (#4)", told)


def cherry_pick(shop: Repository) -> None:
    _advance(shop)
    shop.git("cherry-pick", "rounding")


WAYS = (amend, rebase, squash, cherry_pick)


def _forgotten_by_git(shop: Repository) -> None:
    names = shop.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split()
    here = shop.git("branch", "--show-current").strip()
    for name in names:
        if name != here:
            shop.git("branch", "-q", "-D", name)
    shop.git("reflog", "expire", "--expire=all", "--all")
    shop.git("gc", "--quiet", "--prune=now")


def _link(machine: Machine, shop: Repository) -> Any:
    (commit,) = machine.json("why", "HEAD", at=shop.root)["commits"]
    return commit["links"][0]


@pytest.mark.parametrize("rewrite", WAYS)
def test_the_trailer_proves_a_rewritten_commit(
    machine: Machine, rewrite: Callable[[Repository], None]
) -> None:
    shop = new_repository(machine)
    work = _worked(machine, shop)
    rewrite(shop)
    _forgotten_by_git(shop)
    link = _link(machine, shop)
    assert (link["session"], link["confidence"]) == (work.session, "certain")
    assert {"kind": "log", "detail": "Satchel-Session"} in link["evidence"]


def test_without_the_trailer_it_is_likely(machine: Machine) -> None:
    shop = new_repository(machine)
    work = _worked(machine, shop, trailer=False)
    link = _link(machine, shop)
    assert (link["session"], link["confidence"]) == (work.session, "likely")


def test_a_trailer_alone_proves_nothing(machine: Machine) -> None:
    """Anybody who can push can write one: lines of the session must agree, and its owner's mail."""
    shop = new_repository(machine)
    work = _worked(machine, shop)
    trailer = f"Satchel-Session: {work.session}"
    shop.by_hand("src/other.py", TYPED.replace("typed", "said"))
    _commit(shop, "Something else", trailer)
    assert _link(machine, shop)["confidence"] == "likely"
    shop.git("reset", "-q", "--hard", "HEAD^")
    shop.git("commit", "-q", "--amend", "--no-edit", "--author=Bob <bob@example.org>")
    shop.git("config", "user.email", "ann@example.org")
    assert _link(machine, shop)["confidence"] == "likely"


def test_other_trailers_prove_nothing_at_all(machine: Machine) -> None:
    shop = new_repository(machine)
    work = _worked(machine, shop, trailer=False)
    _commit(shop, "Round the tax", f"Claude-Session: {work.session}", "--amend")
    assert _link(machine, shop)["confidence"] == "likely"


@pytest.mark.parametrize(
    ("module", "seed", "test"),
    [
        (
            "features.thread.commits",
            "OWN_TRAILER = 'trailer'",
            test_other_trailers_prove_nothing_at_all,
        ),
        (
            "features.thread.linking",
            "records.of_trailers = lambda body: []",
            lambda machine: test_the_trailer_proves_a_rewritten_commit(machine, squash),
        ),
        (
            "features.thread.commits",
            "LIKELY = CERTAIN",
            test_a_trailer_alone_proves_nothing,
        ),
        (
            "storage.settings.table",
            "SHARED = frozenset({*SHARED, 'hooks.trailer'})",
            test_a_repository_cannot_turn_it_on,
        ),
    ],
)
def test_a_broken_promise_is_noticed(
    machine: Machine, module: str, seed: str, test: Callable[[Machine], None]
) -> None:
    plant(machine, f"satchel.{module}", seed)
    with pytest.raises((AssertionError, ValueError)) as caught:
        test(machine)
    assert "Traceback" not in str(caught.value)
