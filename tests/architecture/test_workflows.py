"""What the workflows of the repository's host run exists here."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def steps(path: Path) -> list[dict[str, Any]]:
    jobs = yaml.safe_load(path.read_text())["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_runs_what_there_is_and_may_only_read(path: Path) -> None:
    told = yaml.safe_load(path.read_text())
    assert told["permissions"] == {"contents": "read"}
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for step in steps(path):
        assert ("run" in step) != ("uses" in step)
        assert set(re.findall(r"\bmake ([a-z-]+)", step.get("run", ""))) <= targets


def test_every_python_that_the_package_takes_is_tried() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text())["jobs"]
    assert jobs["linux"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert all(job["timeout-minutes"] <= 60 for job in jobs.values())


def test_publishing_holds_no_secret() -> None:
    text = (ROOT / ".github/workflows/release.yml").read_text()
    assert "secrets." not in text
    publish = yaml.safe_load(text)["jobs"]["publish"]
    assert publish["permissions"]["id-token"] == "write"
    assert publish["needs"] == "build"
