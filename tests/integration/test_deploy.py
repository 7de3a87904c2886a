"""What `deploy/` ships: read by the programs it is for, with options that exist."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from satchel.faces.cli.serving import _parser

DEPLOY = Path(__file__).parents[2] / "deploy"


def options_in(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))


def known() -> set[str]:
    return {name for action in _parser()._actions for name in action.option_strings}


def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return read


def test_systemd_reads_the_unit() -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("no systemd on this machine")
    done = subprocess.run(
        [program, "verify", str(DEPLOY / "satchel.service")], capture_output=True, text=True
    )
    assert "Unknown" not in done.stderr, done.stderr
    assert done.returncode == 0, done.stderr


def test_the_unit_and_the_containers_use_options_that_exist() -> None:
    unit = (DEPLOY / "satchel.service").read_text()
    said = "".join(
        line for line in unit.splitlines() if line.startswith("# SERVE") or "--data" in line
    )
    assert {"--database", "--workers"} <= options_in(said) <= known()
    container = (DEPLOY / "Containerfile").read_text()
    entry = "".join(
        line for line in container.splitlines() if line.startswith(("ENTRYPOINT", "CMD"))
    )
    assert {"--host", "--team"} <= options_in(entry) <= known()
    command = compose()["services"]["satchel"]["command"]
    assert {"--database"} <= options_in(" ".join(command)) <= known()


def test_the_compose_file_pins_a_database_with_vectors_and_holds_no_password() -> None:
    services = compose()["services"]
    assert re.fullmatch(
        r"docker\.io/pgvector/pgvector:\d+\.\d+\.\d+-pg\d+", services["db"]["image"]
    )
    passwords = [services["db"]["environment"]["POSTGRES_PASSWORD"],
                 services["satchel"]["environment"]["PGPASSWORD"]]  # fmt: skip
    assert all(one.startswith("${SATCHEL_DB_PASSWORD:?") for one in passwords)
    built = DEPLOY.parent / services["satchel"]["build"]["dockerfile"]
    assert built.is_file()
