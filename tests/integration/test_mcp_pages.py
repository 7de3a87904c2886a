"""Answers over MCP that have more than one page."""

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
