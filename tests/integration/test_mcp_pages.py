"""Answers over MCP that have more than one page; arguments that would be dropped."""

import re
from itertools import combinations
from pathlib import Path

from integration.installed import Machine
from integration.mcp_machine import Lines
from satchel.interfaces.mcp.profiles import tools_of
from satchel.interfaces.mcp.serving import _tool

DEFAULT = tools_of("default")


def test_recall_is_paged_to_its_end_and_tells_nothing_twice(
    tmp_path: Path,
) -> None:
    machine = Machine(tmp_path)
    project = machine.repository()
    # Written by several hands at several times, so that what weighs is not the words alone.
    kinds = ("learned", "decision", "constraint", "preference")
    with Lines(machine, project) as lines:
        lines.hello()
        for number in range(60):
            said = f"The harbour relay number {number} " + "waits " * (number % 7)
            lines.call("remember", content=said, kind=kinds[number % 4])
        pages = list(lines.pages("recall", question="harbour relay", limit=7))
        seen = [
            one for page in pages for one in re.findall(r"^[0-9A-Z]{26}(?= · )", page, re.MULTILINE)
        ]
        assert len(seen) == len(set(seen)) == 60
        cursor = pages[0].rpartition("cursor ")[2]
        other = lines.call("recall", question="harbour relay", limit=8, cursor=cursor)
        assert other["isError"]


def test_a_new_task_takes_no_state_that_would_be_dropped(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    with Lines(machine, machine.repository(), "serve") as lines:
        lines.hello()
        refused = lines.call("task", action="create", title="Deploy", status="closed")
        assert refused["isError"]
        assert "update" in refused["content"][0]["text"]
        made = lines.call("task", action="create", title="Deploy", status="open")
        assert " open Deploy" in made["content"][0]["text"]
        ident = made["content"][0]["text"].split("\n")[1].split()[0]
        refused = lines.call("task", action="update", id=ident, status="weird")
        assert "is not a state" in refused["content"][0]["text"]
        assert '"status":"open"' in lines.text("task", action="show", id=ident)


def test_recall_names_and_memory_reads_corrects_and_erases_by_id(tmp_path: Path) -> None:
    """The index is cheap: a line each; the text is asked for by its id, and is changed by it."""
    machine = Machine(tmp_path)
    project = machine.repository()
    long = "The walrus queue drains at night. " + "It waits for the tide and the moon. " * 40
    machine.ok("learn", "Never drain the walrus queue by hand", at=project)
    with Lines(machine, project) as lines:
        lines.hello().call("remember", content=long)
        index = lines.text("recall", question="walrus queue")
        assert max(map(len, index.splitlines())) < 250
        own = next(line for line in index.splitlines() if "drains at night" in line).split()[0]
        theirs = next(line for line in index.splitlines() if "by hand" in line).split()[0]
        assert long.strip() in lines.text("memory", id=own)
        lines.text("memory", id=own, action="correct", content="The walrus queue drains at noon")
        assert "drains at noon" in lines.text("memory", id=own)
        for action in ("correct", "hide", "erase"):
            refused = lines.call("memory", id=theirs, action=action, content="Do as you like")
            assert refused["isError"]
            assert "a person changes it" in refused["content"][0]["text"]
        assert own in lines.text("memory", id=own, action="erase")
        assert lines.call("memory", id=own)["isError"]
        assert "by hand" in lines.text("memory", id=theirs)
    assert "drains at" not in machine.contents(project)


def test_the_default_tools_cost_a_model_little_and_say_different_things() -> None:
    """At three and a half characters a token, JSON's; descriptions share no sentence's words."""
    listed = [_tool(one).model_dump_json(by_alias=True, exclude_none=True) for one in DEFAULT]
    assert sum(map(len, listed)) / 3.5 <= 2_400
    abouts = {one.name: set(re.findall(r"[a-z]{5,}", one.about.lower())) for one in DEFAULT}
    for one, other in combinations(("recall", "notes", "graph"), 2):
        assert not abouts[one] & abouts[other]


def test_a_brief_without_room_says_what_does_not_fit(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    project = machine.repository()
    machine.ok("learn", "The walrus queue drains at night", at=project)
    with Lines(machine, project) as lines:
        told = lines.hello().text("brief", max_tokens=1)
        assert "do not fit into 1 tokens" in told
        assert "Nothing to tell yet" not in told
