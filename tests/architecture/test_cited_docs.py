"""Every page of the documentation that settings and code cite is there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
_CITED = re.compile(r"(?<![\w/.~-])/?docs/[\w./-]*[\w/]")
#: Files of the projects that Satchel works on, not of this one.
_THEIRS = ("docs/CODEBASE_MAP.md", "docs/solutions", "docs/style.md")


def cited_in(text: str) -> set[str]:
    """Paths below `docs` that a text names."""
    found = {name.lstrip("/") for name in _CITED.findall(text)}
    return {name for name in found if not name.startswith(_THEIRS)}


def test_every_cited_page_is_there() -> None:
    sources = [ROOT / "pyproject.toml", ROOT / "Makefile", *(ROOT / "src").rglob("*.py")]
    missing = {
        (str(path.relative_to(ROOT)), name)
        for path in sources
        for name in cited_in(path.read_text("utf-8"))
        if not (ROOT / name).exists()
    }
    assert missing == set()


def test_a_citation_is_found() -> None:
    assert cited_in("see docs/decisions/0099-none.md, and docs/code.md.") == {
        "docs/decisions/0099-none.md", "docs/code.md",
    }  # fmt: skip
    assert cited_in("build/docs/index.html docs/solutions/x") == set()
