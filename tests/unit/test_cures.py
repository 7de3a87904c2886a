"""A cause that an agent found is kept together with what it did about it."""

from __future__ import annotations

import pytest

from satchel.application.learning.signals.cures import with_cure
from satchel.application.learning.signals.scanning import scan
from satchel.clients.transcript_format.values import ASSISTANT, USER, Turn

_CAUSE = "The root cause was that `/var/cache/scons` is a full tmpfs, so SCons drops every entry."
_FIX = "The fix: point `SCONS_CACHE` to `/srv/scons`."
_DEAD_END = (
    "It turned out that `OS.move_to_trash` does not work on SteamOS because it has no trash."
)
_INSTEAD = "I switched to `DirAccess.remove_absolute` with a backup copy, so that it works there."
_ADDED = "I added `tmpfs.size` to the unit."


@pytest.mark.parametrize(
    ("cause", "cure"), [(_CAUSE, _FIX), (_DEAD_END, _INSTEAD), (_CAUSE, _ADDED)]
)
def test_a_finding_is_kept_with_its_cure(cause: str, cure: str) -> None:
    found = scan([Turn(USER, "find out why"), Turn(ASSISTANT, f"{cause} {cure}")])
    assert [one.learning for one in found] == [f"{cause[:-1]}. {cure[:-1]}"]


def test_the_story_of_a_failure_is_kept_with_its_cure() -> None:
    turns = [
        Turn(USER, "delete old saves via the trash"),
        Turn(
            ASSISTANT, "", tools=("Bash: make check",), errors=("FAILED: move_to_trash returned 1",)
        ),
        Turn(ASSISTANT, "", tools=("Edit: saves.gd",)),
        Turn(ASSISTANT, "", tools=("Bash: make check",)),
        Turn(ASSISTANT, f"{_DEAD_END} {_INSTEAD}"),
    ]
    assert [one.structural for one in scan(turns) if _INSTEAD[:-1] in one.learning] == [True]


@pytest.mark.parametrize(
    "following",
    [
        "",
        "All 42 tests pass now.",
        "The fix might be to raise the limit.",
        "I changed the title as well.",
        "I added a regression test `test_full_disk`.",
        "Should I switch to `rm`?",
    ],
)
def test_what_follows_is_no_cure_unless_it_says_so(following: str) -> None:
    assert with_cure("The cause was a full disk", following) == "The cause was a full disk"
