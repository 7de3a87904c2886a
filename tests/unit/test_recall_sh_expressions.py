"""The word of recall.sh: a basic regular expression, as grep reads it."""

import re
import subprocess

import pytest

from satchel.interfaces.cli.memories.recall_sh import expression

LINES = (
    "use C++ here",
    "init(self) called",
    "a.b",
    "x{2} y",
    "xx y",
    "redis or wal",
    "cost $5 (net",
    "[tag] b",
    "a\\b c",
    "*star",
    "ab12",
    "foo|bar",
    "a+b",
    "aab",
    "what? no",
    "2^10",
    "^caret",
)


@pytest.mark.parametrize(
    "word",
    [
        "C++",
        "init(self)",
        "a.b",
        r"x\{2\}",
        "x{2}",
        r"redis\|wal",
        "(net",
        "[0-9]",
        "[[:digit:]]",
        r"\[tag\]",
        "[]]",
        "[^a-z ]",
        "*star",
        r"a\+b",
        "a+b",
        "foo|bar",
        "what?",
        r"wha\?t",
        r"\(ab\)1",
        "^use",
        "here$",
        "$5",
        r"[\]",
        "2^1",
        r"\(^use\|wal$\)",
        r"[[:alpha:]]\{3\}",
    ],
)
def test_it_finds_the_lines_that_grep_finds(word: str) -> None:
    given = "".join(f"{line}\n" for line in LINES)
    done = subprocess.run(
        ["grep", "-i", "--", word], input=given, capture_output=True, text=True, check=False
    )
    wanted = re.compile(expression(word), re.IGNORECASE)
    assert [line for line in LINES if wanted.search(line)] == done.stdout.splitlines()
