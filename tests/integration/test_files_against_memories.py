"""A line of an instruction file that contradicts a rule or decision: what is said of it is marked."""

from __future__ import annotations

from pathlib import Path

from integration.somebody import ANN, begun, cloned

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


def test_of_a_file_that_the_client_reads_itself_the_memory_names_the_line(tmp_path: Path) -> None:
    ann = begun(tmp_path / "ann", ANN)
    ann.satchel("remember", "--kind", "decision", "we moved from uv to pip-tools")
    ann.satchel("remember", "--kind", "constraint", "Amounts are integer cents")
    ann.writes("CLAUDE.md", "# Here\n\n- run tests with `uv run pytest`\n- keep functions short\n")
    told = [line for line in ann.starts().splitlines() if "ask which holds" in line]
    assert [line.partition(" (")[0] for line in told] == [
        "[DECISION] we moved from uv to pip-tools"
    ]
    assert "CLAUDE.md line 3 says otherwise: ask which holds" in told[0]
    ann.writes("CLAUDE.md", "# Here\n\n- run tests with `pytest -q`\n- keep functions short\n")
    assert "ask which holds" not in ann.starts()


def test_what_the_client_reads_itself_is_not_told_again(tmp_path: Path) -> None:
    ann = begun(tmp_path / "ann", ANN)
    ann.satchel("remember", "--kind", "constraint", "Use pnpm, never npm.")
    ann.satchel("learn", "batch ids are YYMMDD-NNN")
    ann.satchel("learn", "batch ids are unique for a year")
    ann.writes("CLAUDE.md", "# Here\n\n- Use `pnpm`, never npm\n- Batch ids are YYMMDD-NNN\n")
    told = ann.starts()
    assert "batch ids are unique for a year" in told
    assert "YYMMDD" not in told
    assert "pnpm" not in told
    ann.writes("CLAUDE.md", "# Here\n\n- Use `pnpm`, never npm, in web/\n")
    assert "pnpm" in ann.starts()


def test_a_colleagues_line_that_the_client_reads_counts_before_it_is_approved(
    tmp_path: Path,
) -> None:
    ann = begun(tmp_path / "ann", ANN)
    ann.satchel("remember", "--kind", "decision", "we moved from uv to pip-tools")
    bob = cloned(tmp_path / "bob", ann, ("Bob", "bob@example.org"))
    bob.writes("CLAUDE.md", "# Here\n\n- run tests with `uv run pytest`\n")
    bob.commits()
    ann.git("pull", "--quiet", str(bob.root), "main")
    (told,) = [line for line in ann.starts().splitlines() if "ask which holds" in line]
    assert told.startswith("[DECISION] we moved from uv to pip-tools")
    assert "CLAUDE.md line 3 says otherwise" in told
