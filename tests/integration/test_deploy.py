"""What `deploy/` ships: read by the programs it is for, with options that exist."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from installation.wheels import build, contents
from satchel.interfaces.cli.server.serve import _parser

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


def stages() -> list[list[str]]:
    """The instructions of the container file, stage by stage, each on one line."""
    text = (DEPLOY / "Containerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    starts = [at for at, line in enumerate(lines) if line.startswith("FROM ")]
    return [lines[a:b] for a, b in zip(starts, [*starts[1:], len(lines)], strict=True)]


def test_the_container_is_built_from_files_that_are_there_and_enough(tmp_path: Path) -> None:
    """No container is built here: what it copies is, by the same builder, to the same wheel."""
    building, running = stages()
    copied = tmp_path / "copied"
    for line in building:
        if line.startswith("COPY "):
            *sources, target = line.split()[1:]
            for source in sources:
                there, here = DEPLOY.parent / source, copied / target
                if there.is_dir():
                    shutil.copytree(there, here, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    here.mkdir(parents=True, exist_ok=True)
                    shutil.copy(there, here)
    wheel = build(tmp_path / "container", "-t", "wheel", source=str(copied))
    assert contents(wheel) == contents(build(tmp_path / "plain", "-t", "wheel"))
    commands = [line for line in [*building, *running] if " pip " in line]
    assert commands
    for line in commands:
        for command in line.removeprefix("RUN ").split("&&"):
            words = command.split()
            assert words[:2] != ["pip", "install"] or "--require-hashes" in words, command
            for name in re.findall(r"requirements\S*\.lock", command):
                assert (copied / name).is_file()
    (extras,) = re.findall(r"satchel\[([a-z,]+)\]", " ".join(commands))
    with open(DEPLOY.parent / "pyproject.toml", "rb") as file:
        assert set(extras.split(",")) <= set(tomllib.load(file)["project"]["optional-dependencies"])
    assert [line for line in running if line.startswith("COPY ")] == [
        "COPY --from=build /installed /usr/local"
    ]


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
