"""Few modules know the platform; the rest ask them. `make check` lets mypy look at all three."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: This list only shrinks.
KNOW = {
    "interfaces/mcp/streams.py",
    "project/background.py",
    "storage/files.py",
    "storage/locks.py",
    "storage/platforms.py",
    "storage/safe_open.py",
    "storage/settings/environment.py",
}
_ASKS = re.compile(r"\bsys\.platform\b|\bos\.name\b|\bplatform\.system\b|(get|has)attr\(os,")


def test_only_these_modules_ask_for_the_platform() -> None:
    source = ROOT / "src" / "satchel"
    asking = {
        str(path.relative_to(source))
        for path in source.rglob("*.py")
        if _ASKS.search(path.read_text("utf-8"))
    }
    assert asking == KNOW


def test_mypy_looks_at_the_other_platforms_too() -> None:
    made = (ROOT / "Makefile").read_text()
    checks = made.partition("\nCHECKS :=")[2].partition("\n")[0].split()
    assert {"check-types-darwin", "check-types-win32"} <= {*checks}
    rule = made.partition("\ncheck-types-darwin check-types-win32: check-types-%:")[2]
    assert "--platform $*" in rule.partition("\n\n")[0].partition("machine:")[0]
    assert "$(CHECKS)" in made.partition("\ncheck:")[2].partition("\n\n")[0]
    assert "$(CHECKS)" in made.partition("\nelse\ntest:")[2].partition("endif")[0]
