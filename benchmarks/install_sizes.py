"""What an installation takes: packages and MB on disk, of the base and of each extra.

Fetches what `requirements-extras.lock` names (checked by hash), installs it into environments that are
thrown away, and prints a table; `make sizes`. MB are 10^6 bytes of files, with the bytecode that an
installer compiles, without Python itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from pathlib import Path

from installation.locks import EXTRAS, ROOT
from installation.pythons import Python, fetch
from installation.wheels import Fresh, build

_LARGEST = 8
_MB = 1_000_000


def sizes(fresh: Fresh) -> dict[str, int]:
    """Return distribution -> bytes of its files."""
    return {
        one.name: sum(
            os.path.getsize(path)
            for file in one.files or []
            if os.path.isfile(path := str(one.locate_file(file)))
        )
        for one in fresh.distributions()
    }


def start_up(fresh: Fresh, *words: str, times: int = 40) -> float:
    """Return the median of how long a program takes, in ms."""
    took = []
    for _ in range(times):
        begun = time.perf_counter()
        subprocess.run(words, cwd=fresh.folder, capture_output=True, check=True)
        took.append(time.perf_counter() - begun)
    return sorted(took)[times // 2] * 1000


def main() -> None:
    """Measure and print."""
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        extras = sorted(tomllib.load(file)["project"]["optional-dependencies"])
    version = (sys.version_info[0], sys.version_info[1], sys.version_info[2])
    python = Python(version, sys.executable)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fetch(os.path.join(ROOT, EXTRAS), str(folder / "wheels"), [python])
        wheel = build(folder / "ours", "-t", "wheel")
        packed = wheel.stat().st_size
        rows = {}
        for asked in ("", *extras, ",".join(extras)):
            fresh = Fresh(folder / f"with-{asked}", python)
            what = f"satchel[{asked}] @ {wheel.as_uri()}" if asked else str(wheel)
            wheels = str(folder / "wheels")
            fresh.pip("install", "--quiet", "--no-index", "--find-links", wheels, what)
            rows[asked] = sizes(fresh)
            if not asked:
                bare = start_up(fresh, fresh.python, "-c", "pass")
                asking = start_up(fresh, str(fresh.bin / "satchel"), "--version")
    base = rows[""]
    print(f"Python {python.name}\n")
    print("| installed | packages | MB on disk |\n|---|---|---|")
    print(f"| base | {len(base)} | {sum(base.values()) / _MB:.0f} |")
    for asked in extras:
        more = {one: size for one, size in rows[asked].items() if one not in base}
        print(f"| `{asked}` | +{len(more)} | +{sum(more.values()) / _MB:.0f} |")
    whole = rows[",".join(extras)]
    print(f"| all of these | {len(whole)} | {sum(whole.values()) / _MB:.0f} |\n")
    largest = Counter(base).most_common(_LARGEST)
    print("largest: " + ", ".join(f"{one} {size / _MB:.0f}" for one, size in largest))
    print(f"satchel itself: {base['satchel'] / _MB:.1f} MB, its wheel {packed / _MB:.1f}")
    print(f"satchel --version: {asking:.1f} ms; a bare python: {bare:.1f} ms")


if __name__ == "__main__":
    main()
