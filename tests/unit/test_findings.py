"""What an agent reports as found out becomes one line that stands by itself."""

import pytest

from satchel.application.learning.signals.findings import findings_in


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (
            "**Root cause**: The `Store` struct was missing the `Kind` field.",
            "Root cause: The `Store` struct was missing the `Kind` field",
        ),
        (
            "Root cause: the export opened one connection for each row, and the pool has 20.",
            "Root cause: the export opened one connection for each row, and the pool has 20",
        ),
        (
            "Done.\n\n- **Root Cause:** `save()` was called twice by the hook.\n- **Fix**: call it in `close()` alone.",
            "Root cause: `save()` was called twice by the hook. Fix: call it in `close()` alone",
        ),
        (
            "Unfortunately, **git doesn't provide hooks for `git restore` or `git reset`**. They are silent.",
            "git doesn't provide hooks for `git restore` or `git reset`",
        ),
        (
            "1. **Switched to `-z` format** - to correctly handle names with spaces.\nWe run `git status -z` now.",
            "Switched to `git status -z` format - to correctly handle names with spaces",
        ),
    ],
)
def test_a_finding_is_one_line(said: str, found: str) -> None:
    assert [one.text for one in findings_in(said)] == [found]


@pytest.mark.parametrize(
    "said",
    [
        "Root cause: probably something in `cache.py`, I am not sure.",
        "The root cause is in the code.",
        "Root cause: the test was simply wrong here.",
        "```\nRoot cause: the `Store` struct was missing the field\n```",
        "`npm` does not support workspaces, let me check that.",
        "Updated the tests.",
    ],
)
def test_a_guess_a_plan_and_a_report_are_none(said: str) -> None:
    assert findings_in(said) == []
