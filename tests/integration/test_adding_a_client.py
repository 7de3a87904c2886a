"""The client of docs/adding-a-client.md is a whole one: taken from the page, put into a copy."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from doc_blocks import ROOT, blocks_of
from integration.installed import Machine, needs_command

pytestmark = pytest.mark.skipif(bool(needs_command()), reason=needs_command())
PAGE = "docs/adding-a-client.md"
LEARNT = "the parser is recursive"
NO_CACHES = shutil.ignore_patterns("__pycache__", "node_modules", "recorded")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Satchel and its tests, with what the page adds."""
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(Path(ROOT, "src"), root / "src", ignore=NO_CACHES)
    for name in ("unit", "conftest.py"):
        source = Path(ROOT, "tests", name)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, root / "tests" / name)
    for block in blocks_of(PAGE):
        path = root / block.said
        if block.said.endswith("registry.py"):
            text = path.read_text("utf-8")
            assert text.count("\n)\nBY_NAME") == 1
            path.write_text(
                text.replace("\n)\nBY_NAME", f"\n{block.text.rstrip()},\n)\nBY_NAME"), "utf-8"
            )
        elif path.exists():
            path.write_text(f"{path.read_text('utf-8')}\n\n{block.text}", "utf-8")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(block.text, "utf-8")
    return root


def run_contract(copy: Path) -> subprocess.CompletedProcess[str]:
    """Run what every client must pass, for ours."""
    paths = os.pathsep.join(str(copy / name) for name in ("src", "tests"))
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", "pallet")
    return subprocess.run(
        [sys.executable, "-P", *words, "tests/unit/test_client_contract.py"],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_part_of_it_is_one_folder_or_one_line() -> None:
    places = [block.said for block in blocks_of(PAGE)]
    folder = [one for one in places if one.startswith("src/satchel/clients/pallet/")]
    assert len(folder) == 5
    others = ["src/satchel/clients/registry.py", "tests/unit/transcripts_made.py"]
    assert sorted({*places} - {*folder}) == others


def test_it_passes_the_contract(copy: Path) -> None:
    done = run_contract(copy)
    passed = re.search(r"(\d+) passed", done.stdout)
    assert done.returncode == 0, done.stdout
    assert passed
    assert int(passed[1]) > 20
    assert "skipped" not in done.stdout


def test_it_is_wired_hears_and_is_told(copy: Path, machine: Machine) -> None:
    machine.environment["PYTHONPATH"] = str(copy / "src")
    shop = machine.repository("shop", init=False)
    (shop / ".pallet").mkdir()
    said = machine.ok("init", "--yes", at=shop)
    assert "next, Pallet: start `pallet` once in this folder and trust it." in said
    machine.ok("install", "pallet", "--yes", at=shop)
    settings = json.loads((shop / ".pallet" / "settings.json").read_text("utf-8"))
    assert settings["mcpServers"]["satchel"]["args"] == ["mcp"]

    def event(name: str, **more: object) -> str:
        (entry,) = settings["hooks"][name]
        given = {"palletVersion": 1, "session_id": "p-1", "cwd": str(shop), **more}
        done = subprocess.run(
            ["sh", "-c", entry["command"]],
            cwd=shop,
            input=json.dumps(given),
            env=machine.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr == ""
        return done.stdout

    command = {"command": f"bd comment BD-1 'LEARNED: {LEARNT}'"}
    assert event("PostToolUse", tool_name="run", tool_input=command) == ""
    (kept,) = (one for one in machine.json("memory", "list", at=shop) if one["content"] == LEARNT)
    assert kept["client"] == "pallet"
    assert LEARNT in event("SessionStart", source="startup")


def test_a_seeded_bug_is_caught(copy: Path) -> None:
    """The page's client calls its prompt's event by a name that nobody translates."""
    hooks = copy / "src" / "satchel" / "clients" / "pallet" / "hooks.py"
    right = hooks.read_text("utf-8")
    hooks.write_text(right.replace("promptSent", "promptIsGone"), "utf-8")
    try:
        assert run_contract(copy).returncode == 1
    finally:
        hooks.write_text(right, "utf-8")
