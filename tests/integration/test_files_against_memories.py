"""A line of MEMORY.md that contradicts a rule or decision: both are said, and both are marked."""

from __future__ import annotations

from pathlib import Path

from integration.somebody import ANN, begun

_NOTE = "contradicts another one here: ask which holds"


def test_both_are_marked_and_nothing_else(tmp_path: Path) -> None:
    ann = begun(tmp_path / "ann", ANN)
    ann.satchel("remember", "--kind", "constraint", "Use npm")
    ann.satchel("remember", "--kind", "constraint", "Amounts are integer cents")
    ann.satchel("remember", "--kind", "decision", "npm it is, not bun")
    ann.writes(".satchel/MEMORY.md", "# Memory\n\n- Use bun, not npm\n- Run tests before a push\n")
    told = ann.starts().splitlines()
    marked = [line for line in told if _NOTE in line]
    assert f"- Use bun, not npm ({_NOTE})" in marked
    assert any(line.startswith("[RULE] Use npm (") for line in marked)
    assert not [line for line in marked if "cents" in line or "push" in line]
    ann.writes(".satchel/MEMORY.md", "# Memory\n\n- Run tests before a push\n")
    assert _NOTE not in ann.starts()
