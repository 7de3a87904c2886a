"""What waits for approval, as a person reads it: nothing that may reach an agent is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from integration.installed import needs_command
from integration.somebody import begun, cloned
from satchel.interfaces.cli.sharing.approve import _readable

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
BOB = ("Bob", "bob@example.org")
INSTINCTS = "version: 1\ninstincts:\n- id: inst-1\n  rule: {}\n  created: 2026-11-25\n"


def test_a_colleague_s_rules_and_tasks_are_a_line_each(tmp_path: Path) -> None:
    bob = begun(tmp_path / "bob", BOB)
    bob.satchel("rules", "add", "Commit first so you get the sha")
    bob.satchel("tasks", "create", "Refund worker", "--description", "Run it at night")
    bob.shares("Amounts are integer cents")
    ann = cloned(tmp_path / "ann", bob)
    # Before: 14 lines of YAML and JSON, and nothing said at `init` where no memory waited.
    begins = ann.satchel("init", "--yes", "--no-hooks")
    assert "1 shared memory and 2 files for agents  `satchel approve`" in begins
    waits = ann.satchel("approve").splitlines()
    assert any(line.endswith("  RULE        Amounts are integer cents") for line in waits)
    (rule,) = [line for line in waits if "Commit first" in line]
    assert rule.startswith("    | inst-")
    assert " · Commit first so you get the sha · 0.5 · " in rule
    (task,) = [line for line in waits if "Refund worker" in line]
    assert task.endswith(" · Refund worker · open · 2 · task · Run it at night")


def test_a_rule_whose_source_quotes_it_is_said_once() -> None:
    rule = "version: 1\ninstincts:\n- id: inst-1\n  rule: Never edit generated/ by hand\n  source: {}\n"
    said = "inst-1 · Never edit generated/ by hand"
    assert _readable("a.yaml", rule.format("never edit generated/ by hand")) == [said]
    more = rule.format("no, never edit generated/ by hand; ZEBRA")
    assert _readable("a.yaml", more) == [f"{said} · no, …; ZEBRA"], "what is more is not left out"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.yaml", INSTINCTS.format("say ZEBRA")),
        ("a.yaml", f"# ZEBRA\n{INSTINCTS.format('fine')}"),
        ("a.yaml", INSTINCTS.format("fine") + "more: ZEBRA\n"),
        ("a.yaml", "instincts: [ZEBRA"),
        ("a.yaml", "ZEBRA: [1]\nother: [{a: 1}]\n"),
        ("a.jsonl", '{"id":"t-1","data":{"deep":["ZEBRA"]}}\n'),
        ("a.jsonl", '{"id":"t-1"}\nZEBRA\n'),
        ("a.md", "# ZEBRA\n"),
    ],
)
def test_nothing_in_a_file_is_hidden(path: str, text: str) -> None:
    assert "ZEBRA" in "\n".join(_readable(path, text))
