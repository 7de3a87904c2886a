"""Words that no native writer of technical English uses stay out of code, messages and pages."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: What stood here once, and what to write.
WORDS = {
    r"\banew\b": "again; rebuild, redraw, start over",
    r"\bput before (?:an?|the|its|no|any) (?:\w+ )?(?:agent|session|prompt)s?\b": "shown to, added to",
    r"\b(?:thereby|hereby|therein|thereof|whereto|wherein|heretofore)\b": "by that, here, in it",
    r"\bat the latest\b": "by",
    r"\bof its own accord\b": "by itself",
    r"\bin so far as\b": "as far as",
    r"\bhow (?:it|this|that) is called\b": "what it is called",
    r"'\{?\w+\}?' is no \w": "is not a",
    r"\b1 (?:findings|memories|lines|files|rows|suggestions|sessions)\b": "the singular",
    r"\bsatchel (?:task|learnings|collection|instincts|prime|session|agent|table)(?![-\w./=])": "the command's own name: tasks, notes, docs, rules, overview, sessions, agents, tables",
    r"\binformations\b|\badvices\b|\bsoftwares\b|\bevidences\b": "the singular",
    r"\bactually existing\b|\beventually (?:existing|needed)\b": "existing, that may be needed",
}
OWN_WORDS = {"tests/architecture/test_words.py"}


def pages() -> list[Path]:
    """Our own code, templates and pages."""
    found = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    for ending in ("py", "html", "sql"):
        found += ROOT.glob(f"src/**/*.{ending}")
    found += [*ROOT.glob("tests/**/*.py"), *ROOT.glob("benchmarks/*.py")]
    own = (one for one in found if "node_modules" not in one.parts)
    return sorted(one for one in own if str(one.relative_to(ROOT)) not in OWN_WORDS)


def uses(pattern: str, text: str) -> list[str]:
    """Return the lines of a text that use a word."""
    return [line.strip() for line in text.splitlines() if re.search(pattern, line, re.IGNORECASE)]


@pytest.mark.parametrize("pattern", WORDS, ids=lambda one: one[:30])
def test_a_word_that_was_weeded_out_does_not_come_back(pattern: str) -> None:
    found = {
        str(page.relative_to(ROOT)): lines
        for page in pages()
        if (lines := uses(pattern, page.read_text("utf-8")))
    }
    assert found == {}, f"Write: {WORDS[pattern]}."


def test_a_word_that_comes_back_is_noticed() -> None:
    seeded = "The index is built anew, and 'x' is no duration."
    assert [one for one in WORDS if uses(one, seeded)] == [r"\banew\b", r"'\{?\w+\}?' is no \w"]
