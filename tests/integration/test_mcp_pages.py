"""Answers over MCP that have more than one page; arguments that would be dropped."""

from pathlib import Path

from integration.installed import Machine
from integration.mcp_machine import Lines


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
        seen, cursor = [], ""
        while True:
            page = lines.call("recall", question="harbour relay", limit=7, cursor=cursor)
            seen += [one["id"] for one in page["structuredContent"]["items"]]
            cursor = page["structuredContent"]["next_cursor"]
            if not cursor:
                break
            other = lines.call("recall", question="harbour relay", limit=8, cursor=cursor)
            assert other["isError"]
        assert len(seen) == len(set(seen)) == 60


def test_a_new_task_takes_no_state_that_would_be_dropped(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    with Lines(machine, machine.repository(), "serve") as lines:
        lines.hello()
        refused = lines.call("task", action="create", title="Deploy", status="closed")
        assert refused["isError"]
        assert "update" in refused["content"][0]["text"]
        made = lines.call("task", action="create", title="Deploy", status="open")
        assert made["structuredContent"]["tasks"][0]["status"] == "open"
