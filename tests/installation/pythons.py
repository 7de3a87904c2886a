"""The Pythons of this machine that Satchel can be installed with.

Run as a program, this file lists them; with `--fetch LOCK FOLDER` it fetches what the lock names for
each of them, so that tests can install without a network.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from typing import NamedTuple

OLDEST = (3, 11)
_PROBE = "import sys, venv; print(*sys.version_info[:4])"


class Python(NamedTuple):
    """One Python that was started, and answered.

    Attributes:
        version: major, minor, micro.
        program: absolute path.
    """

    version: tuple[int, int, int]
    program: str

    @property
    def name(self) -> str:
        """What it is called in reports: `3.12.1`."""
        return ".".join(map(str, self.version))


def found() -> list[Python]:
    """List one final release of each minor version from the oldest on, oldest first.

    The one that runs this stands for its minor version; others are named `python3.N` on PATH, or
    lie in the folder of `pyenv`. One that does not run, or has no `venv`, is not there.
    """
    best: dict[tuple[int, int], Python] = {}
    for program in dict.fromkeys([_base_program(), *_on_path(), *_of_pyenv()]):
        python = _asked(program)
        if python is None or python.version < OLDEST:
            continue
        minor = python.version[:2]
        if minor not in best or (minor != sys.version_info[:2] and best[minor] < python):
            best[minor] = python
    return [best[minor] for minor in sorted(best)]


def _base_program() -> str:
    program: str = getattr(sys, "_base_executable", "") or sys.executable
    return program


def _on_path() -> list[str]:
    named = []
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        named += [os.path.join(folder, name) for name in names if _is_name(name)]
    return named


def _is_name(name: str) -> bool:
    """Whether a program is named for a version that is not too old; those need not be started."""
    found = re.fullmatch(r"python3\.(\d+)", name)
    return found is not None and (3, int(found[1])) >= OLDEST


def _of_pyenv() -> list[str]:
    pyenv = shutil.which("pyenv")
    if pyenv is None:
        return []
    told = subprocess.run([pyenv, "root"], capture_output=True, text=True, timeout=30, check=False)
    versions = os.path.join(told.stdout.strip(), "versions")
    if told.returncode != 0 or not os.path.isdir(versions):
        return []
    return [
        os.path.join(versions, version, "bin", name)
        for version in os.listdir(versions)
        if os.path.isdir(os.path.join(versions, version, "bin"))
        for name in os.listdir(os.path.join(versions, version, "bin"))
        if _is_name(name)
    ]


def _asked(program: str) -> Python | None:
    """Start a program and ask for its version; None if it does not run (a shim of pyenv)."""
    try:
        done = subprocess.run(
            [program, "-I", "-c", _PROBE], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = done.stdout.split()
    if done.returncode != 0 or len(words) != 4 or words[3] != "final":
        return None
    return Python((int(words[0]), int(words[1]), int(words[2])), os.path.abspath(program))


def fetch(lock: str, folder: str, pythons: Iterable[Python] = ()) -> None:
    """Fetch the wheels that a lock names, for each Python or for these, checked by hash."""
    for python in pythons or found():
        subprocess.run(
            [sys.executable, "-m", "pip", "--python", python.program, "download", "--quiet",
             "--disable-pip-version-check", "--require-hashes", "--only-binary", ":all:",
             "--requirement", lock, "--dest", folder],
            check=True,
        )  # fmt: skip
        print(f"{os.path.basename(lock)}: fetched for Python {python.name}", file=sys.stderr)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--fetch"]:
        fetch(sys.argv[2], sys.argv[3])
    else:
        print("\n".join(f"{python.name} {python.program}" for python in found()))
