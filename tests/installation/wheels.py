"""Satchel's wheel, built here; environments of their own that it is installed into, offline."""

from __future__ import annotations

import contextlib
import glob
import hashlib
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path

import pytest

from installation.locks import BASE, ROOT
from installation.pythons import Python

#: What `make test` has fetched, so that nothing is fetched while tests run.
FETCHED = os.path.join(ROOT, ".venv", "wheels")
_NO_NETWORK = "http://127.0.0.1:9"  # the port of "discard": nobody listens


def offline() -> dict[str, str]:
    """An environment in which pip knows no index, no configuration and no network."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    for name in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE"):
        kept.pop(name, None)
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), _NO_NETWORK)
    pip = {"PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    return {**kept, **proxies, **pip, "PIP_ROOT_USER_ACTION": "ignore", "NO_PROXY": ""}


def run(
    *words: str, at: str = ROOT, check: bool = True, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program offline; with `check`, one that fails fails the test."""
    done = subprocess.run(
        words, cwd=at, env={**offline(), **(environment or {})}, capture_output=True, text=True,
        timeout=300, check=False,
    )  # fmt: skip
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done


def build(folder: Path, *kinds: str, source: str = ROOT, epoch: str = "") -> Path:
    """Build the wheel (`-t wheel`) or the source archive (`-t sdist`) alone; return its path."""
    environment = {"SOURCE_DATE_EPOCH": epoch} if epoch else {}
    run(
        sys.executable, "-m", "hatchling", "build", "-d", str(folder), *kinds, at=source,
        environment=environment,
    )  # fmt: skip
    (made,) = folder.iterdir()
    return made


def contents(wheel: Path) -> dict[str, str]:
    """Return name -> SHA-256 of every file in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}


class Fresh:
    """An environment with nothing in it, not even pip, until something is installed.

    Args:
        folder: where it is made.
        python: what it is made of.
    """

    def __init__(self, folder: Path, python: Python) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.python = str(self.bin / "python")
        run(python.program, "-I", "-m", "venv", "--without-pip", str(folder))

    def pip(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run this run's own pip for the environment."""
        return run(sys.executable, "-m", "pip", "--python", self.python, *words, check=check)

    def install(
        self, lock: str, *, wheels: str = FETCHED, check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        """Install what a lock names from a folder of wheels, and nothing from anywhere else."""
        return self.pip(
            "install", "--quiet", "--no-compile", "--no-index", "--find-links", wheels, "--only-binary", ":all:",
            "--require-hashes", "--requirement", lock, check=check,
        )  # fmt: skip

    def install_satchel(self, wheel: Path) -> None:
        """Install the base lock and the wheel, both by hash."""
        lock = self.folder / "satchel.lock"
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        lock.write_text(f"satchel @ {wheel.as_uri()} --hash=sha256:{digest}\n", encoding="utf-8")
        self.install(os.path.join(ROOT, BASE))
        self.install(str(lock))

    def distributions(self) -> list[metadata.Distribution]:
        """List what is installed."""
        (site,) = glob.glob(str(self.folder / "lib" / "python*" / "site-packages"))
        return list(metadata.distributions(path=[site]))


def need_fetched() -> None:
    """Skip a test, plainly, where no wheels were fetched; under `make test` fail it."""
    if os.path.isdir(FETCHED):
        return
    assert not runs_in_venv(), "make test fetches wheels into .venv/wheels: they are not there"
    pytest.skip("no wheels in .venv/wheels: `make test` fetches them")


def runs_in_venv() -> bool:
    """Say whether this is the environment that `make test` builds."""
    return os.path.realpath(sys.prefix) == os.path.realpath(os.path.join(ROOT, ".venv"))


@contextlib.contextmanager
def scratch_repository(folder: Path) -> Iterator[Path]:
    """An empty git repository."""
    folder.mkdir(parents=True)
    run("git", "init", "--quiet", str(folder))
    yield folder
