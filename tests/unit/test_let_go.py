"""What a later statement lets go contradicts a line of an instruction file that still says it."""

from __future__ import annotations

import pytest

from satchel.engine.statements.contradictions import AGAINST, Rule, clashes

_BUILD = "Build the extension with `scons target=debug` in `native/`."
_SAVES = "Saves back to version 7 have to load, that's what we promised the early players"


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("We build the extension with cmake --preset debug now, no longer with scons", _BUILD),
        ("Build with cmake --preset debug now, no more scons", _BUILD),
        ("The extension builds with cmake now, not scons", _BUILD),
        ("Saves from version 9 on have to load, no longer from 7", _SAVES),
        ("Only version 9 and up have to load now, not 7 anymore", _SAVES),
        (
            "Test builds go out on tuesday, not thursday anymore",
            "Test builds go out thursday before noon because most testers sit in Korea",
        ),
        ("German texts are reviewed by Lena now, not Ines", "German texts are reviewed by Ines."),
    ],
)
def test_what_holds_no_longer_contradicts_what_says_it(said: str, line: str) -> None:
    for new, old in ((said, line), (line, said)):
        assert [one.what for one in clashes(new, [Rule("CLAUDE.md", 1, old)])] == [AGAINST]


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("The linter no longer runs in CI", "CI runs the unit tests"),
        ("We build the docs with sphinx now, no longer with scons", "Never use scons for docs"),
        ("We use mold on the build box now, no longer gold", "The logo is drawn in gold"),
        ("Backups go to s3 now, not the nas", "The nas holds the raw recordings of each match"),
        ("Tests are in tests/ now, not in src", "Format src with clang-format before a commit"),
    ],
)
def test_it_leaves_what_is_about_something_else(said: str, line: str) -> None:
    assert not [one for one in clashes(said, [Rule("CLAUDE.md", 1, line)]) if one.what == AGAINST]


def test_what_a_change_came_with_is_no_part_of_its_subject() -> None:
    line = Rule("CLAUDE.md", 1, "Physics runs at 60 ticks per second.")
    said = "physics ticks are 120 now, not 60, since the grapple"
    assert [one.what for one in clashes(said, [line])] == [AGAINST]
