"""One graph: from a line to the words that asked for it, by `satchel graph show` alone."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from integration.installed import Machine, needs_command
from integration.test_thread_cli import LINE, ROUND, session_of
from integration.thread_made import Repository, new_repository
from integration.thread_story import main_branch

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
AGENT = {"CLAUDECODE": "1"}


@pytest.fixture
def shop(machine: Machine) -> Repository:
    """A shop with two sessions, a task with its intent, a note and two memories of one."""
    made = new_repository(machine)
    main_branch(made, machine.home)
    root, session = made.root, session_of(machine, ROUND)
    machine.ok("task", "create", "Tax is wrong", "--id", "mail-4", at=root)
    machine.ok("intent", "new", "--name", "shop", at=root)
    machine.ok("intent", "link", "mail-4", "constraints.tech-stack", at=root)
    words = ("remember", "The tax office of `Bremen` wants half up", "--task", "mail-4")
    machine.run(*words, at=root, environment={**AGENT, "SATCHEL_SESSION": session})
    machine.ok("remember", "Cents are a Decimal too", "--at", "src/pay.py:tax_of", at=root)
    return made


def edges(machine: Machine, root: Path, asked: str) -> list[dict[str, Any]]:
    return list(machine.json("graph", "show", asked, at=root)["edges"])


def walked(machine: Machine, root: Path, asked: str) -> dict[str, set[str]]:
    """What is reached from something, by what its edges and theirs name: kind -> ids."""
    found: dict[str, set[str]] = {}
    waiting, known = [asked], {asked}
    while waiting:
        for edge in edges(machine, root, waiting.pop()):
            for end in (edge["source"], edge["target"]):
                found.setdefault(end["kind"], set()).add(end["id"])
                if end["id"] not in known and end["kind"] not in ("intent", "entity", "prompt"):
                    known.add(end["id"])
                    waiting.append(end["id"])
    return found


def test_every_edge_says_what_it_is_how_sure_and_why(machine: Machine, shop: Repository) -> None:
    told = edges(machine, shop.root, LINE)
    assert {edge["type"] for edge in told} >= {
        "comes from",
        "was written in",
        "is for",
        "was made in",
        "was asked in",
        "was learnt in",
        "serves",
        "is about",
    }
    assert all(edge["confidence"] in ("certain", "likely", "guess") for edge in told)
    assert [edge for edge in told if not edge["evidence"]] == []


def test_from_a_line_everything_is_reached(machine: Machine, shop: Repository) -> None:
    session = session_of(machine, ROUND)
    found = walked(machine, shop.root, LINE)
    assert session in found["session"]
    assert "mail-4" in found["task"]
    assert found["intent"] == {"constraints.tech-stack"}
    assert {"line", "commit", "prompt", "memory", "symbol"} <= found.keys()
    assert len(found["memory"]) == 2


def test_a_file_is_joined_to_commits_and_memories(machine: Machine, shop: Repository) -> None:
    told = edges(machine, shop.root, "src/pay.py")
    said = {edge["source"]["label"] for edge in told if edge["type"] == "is about"}
    assert said == {"Cents are a Decimal too"}
    assert sum(edge["type"] == "changed" for edge in told) >= 2
    text = machine.ok("graph", "show", "src/pay.py", at=shop.root)
    assert "is about it" in text
    assert "(certain, it is anchored at src/pay.py)" in text


def test_a_memory_is_joined_to_what_it_names(machine: Machine, shop: Repository) -> None:
    machine.ok("graph", "rebuild", at=shop.root)
    (memory,) = (
        edge["source"]["id"]
        for edge in edges(machine, shop.root, session_of(machine, ROUND))
        if edge["type"] == "was learnt in"
    )
    told = edges(machine, shop.root, memory)
    joined = {(edge["type"], edge["target"]["kind"]) for edge in told}
    assert joined >= {("was learnt in", "session"), ("is for", "task"), ("names", "entity")}
    entity = next(edge["target"]["id"] for edge in told if edge["target"]["kind"] == "entity")
    shown = machine.json("graph", "show", entity, at=shop.root)
    assert [text["id"].rpartition(":")[2] for text in shown["texts"]]


def test_what_nobody_knows_is_said(machine: Machine, shop: Repository) -> None:
    assert "nothing else here" in machine.fails(4, "graph", "show", "no-such-thing", at=shop.root)


def test_the_picture_draws_all_that_is_reached(
    machine: Machine, shop: Repository, tmp_path: Path
) -> None:
    page = tmp_path / "around.html"
    told = machine.json("graph", "visualize", str(page), "--around", LINE, at=shop.root)
    (text,) = re.findall(
        r'<script type="application/json" id="data">(.*?)</script>',
        page.read_text("utf-8"),
        re.DOTALL,
    )
    drawn = json.loads(text)
    found = walked(machine, shop.root, LINE)
    shown = {name for node in drawn["nodes"] for name in (node[0], *node[7])}
    assert shown >= set().union(*(ids for kind, ids in found.items() if kind != "entity"))
    assert set(drawn["kinds"]) >= {
        "line",
        "commit",
        "session",
        "prompt",
        "memory",
        "task",
        "intent",
    }
    assert told["things"] == len(drawn["nodes"]) > 8
    assert all(edge[4].startswith(("certain", "likely", "guess")) for edge in drawn["edges"])
    nothing = ("--around", "nothing-here")
    refused = machine.run("graph", "visualize", str(page), *nothing, at=shop.root)
    assert refused.code
    assert "Nothing here is called 'nothing-here'" in refused.err
