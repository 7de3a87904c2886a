"""Brings the installed package up to what lies under src, without pip: for `make test ARGS=...`."""

from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path

TREE = Path(__file__).resolve().parents[1] / "src" / "satchel"
INSTALLED = Path(sysconfig.get_path("purelib")) / "satchel"


def main() -> None:
    """Copy what changed and remove what is gone."""
    here, there = files_in(TREE), files_in(INSTALLED)
    for name in there.keys() - here.keys():
        (INSTALLED / name).unlink()
    for name, stamp in here.items():
        if there.get(name) != stamp:
            (INSTALLED / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(TREE / name, INSTALLED / name)


def files_in(folder: Path) -> dict[str, tuple[int, int]]:
    """Return the size and time of every file below a folder but compiled ones, by path."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {
        str(path.relative_to(folder)): (path.stat().st_size, path.stat().st_mtime_ns)
        for path in found
    }


if __name__ == "__main__":
    main()
