"""Each import contract catches a breach that is planted in a copy of the package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: Contract -> a module, and a line that must not stand there.
BREACHES = {
    "floors": ("storage/locks.py", "from satchel.features.tasks import values"),
    "features": ("features/tasks/values.py", "from satchel.features.notes import values"),
    "application": (
        "application/recall/results.py",
        "from satchel.application.chat import contract",
    ),
    "recall": (
        "application/recall/search/keyword.py",
        "from satchel.application.recall.tiers import code",
    ),
    "learning": (
        "application/learning/listening/turns.py",
        "from satchel.application.learning.reviewing import queue",
    ),
    "code": (
        "features/code/symbols/values.py",
        "from satchel.features.code.packs import values",
    ),
    "clients": ("clients/codex/hooks.py", "from satchel.clients.gemini import hooks"),
    "engine": ("engine/ranking/decay.py", "from satchel.engine.search import documents"),
    "statements": (
        "engine/statements/opposites.py",
        "from satchel.engine.statements import replacing",
    ),
    "storage": ("storage/locks.py", "from satchel.storage.ledger import record"),
    "no-circles": (
        "features/tasks/values.py",
        "def late() -> object:\n    from satchel.features.tasks import service\n\n    return service",
    ),
    "hot-path": ("interfaces/hooks/capture.py", "from satchel.engine.search import documents"),
    "pure": ("core/scope.py", "import subprocess"),
    "drivers": ("features/tasks/service.py", "from satchel.storage.database import sqlite"),
    "psycopg": ("storage/database/contract.py", "import psycopg"),
    "interfaces": ("interfaces/mcp/schemas.py", "from satchel.interfaces.cli import front"),
    "mcp": ("interfaces/http/server/metrics.py", "import mcp"),
}
#: A type-only import counts like any other.
TYPE_ONLY = (
    "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from satchel.features.tasks import values"
)


def contracts() -> dict[str, str]:
    """Return the contracts of `pyproject.toml`: id -> name."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    every = settings["tool"]["importlinter"]["contracts"]
    assert not [one["id"] for one in every if one.get("ignore_imports")], "an arrow is passed over"
    return {one["id"]: one["name"] for one in every}


def broken(tree: Path) -> set[str]:
    """Run import-linter over a copy; return the names of the contracts that it finds broken."""
    program = os.path.join(os.path.dirname(sys.executable), "lint-imports")
    done = subprocess.run(
        [program, "--no-cache"],
        cwd=tree,
        env={"PYTHONPATH": str(tree / "src"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    lines = done.stdout.splitlines()
    return {line.removesuffix(" BROKEN").strip() for line in lines if line.endswith(" BROKEN")}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree = tmp_path_factory.mktemp("house")
    ignored = shutil.ignore_patterns("__pycache__", "*.html", "*.js", "*.css", "*.md")
    shutil.copytree(ROOT / "src", tree / "src", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tree)
    return tree


def test_every_contract_has_a_breach() -> None:
    assert set(BREACHES) == set(contracts())


def test_the_house_as_it_is_breaks_none(copy: Path) -> None:
    assert broken(copy) == set()


@pytest.mark.parametrize("contract", BREACHES)
def test_a_planted_breach_is_caught(copy: Path, contract: str) -> None:
    name, line = BREACHES[contract]
    path = copy / "src" / "satchel" / name
    before = path.read_text("utf-8")
    path.write_text(f"{before}\n\n{line}\n", "utf-8")
    try:
        assert contracts()[contract] in broken(copy)
    finally:
        path.write_text(before, "utf-8")


def test_an_import_for_types_alone_is_caught(copy: Path) -> None:
    path = copy / "src" / "satchel" / "core" / "scope.py"
    before = path.read_text("utf-8")
    path.write_text(f"{before}\n\n{TYPE_ONLY}\n", "utf-8")
    try:
        assert contracts()["floors"] in broken(copy)
    finally:
        path.write_text(before, "utf-8")
