"""A memory of a wrong kind is corrected; what recall finds is named below the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from integration.installed import Machine, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())


@pytest.fixture
def app(machine: Machine) -> Path:
    return machine.repository("app")


def test_recall_names_registered_documents_below_the_project(machine: Machine, app: Path) -> None:
    (app / "docs" / "adr").mkdir(parents=True)
    record = (
        "# Cart drawer\n\nThe cart drawer is built with Alpine, for htmx is too slow on mobile.\n"
    )
    (app / "docs" / "adr" / "0001-cart.md").write_text(record)
    machine.ok("docs", "add", "decisions", "docs/adr", at=app)
    told = machine.ok("recall", "cart drawer alpine", at=app)
    assert "  docs/adr/0001-cart.md" in told.splitlines()
    assert str(app) not in told
    everywhere = machine.ok("recall", "--everywhere", "cart drawer alpine", at=app)
    assert any(line.endswith("docs/adr/0001-cart.md") for line in everywhere.splitlines())


def test_a_wrong_kind_is_corrected_and_taken_back(machine: Machine, app: Path) -> None:
    said = "Invoices are typst, never weasyprint"
    ident = machine.ok(
        "remember", "--title", "Typst", "--tag", "pdf", said, at=app
    ).split("lesson ")[1].split(":")[0]  # fmt: skip
    told = machine.ok("edit", ident, "--kind", "rules", at=app)
    assert f"{ident} is hidden" in told
    (rule,) = machine.json("list", at=app)
    assert (rule["type"], rule["content"], rule["title"]) == ("constraint", said, "Typst")
    assert "pdf" in rule["tags"]
    assert "learned" not in rule["tags"]
    machine.ok("undo", "--yes", at=app)
    (lesson,) = machine.json("list", at=app)
    assert (lesson["type"], lesson["id"][:14]) == ("learned", ident)
    machine.ok("edit", ident, "Invoices are made with typst", "--kind", "decision", at=app)
    (decision,) = machine.json("list", at=app)
    assert (decision["type"], decision["content"]) == ("decision", "Invoices are made with typst")
    machine.ok("edit", decision["id"], "--kind", "decision", "--text", "Typst it is", at=app)
    assert [one["content"] for one in machine.json("list", at=app)] == ["Typst it is"]
    assert "there is no kind" in machine.fails(2, "edit", decision["id"], "--kind", "x", at=app)
