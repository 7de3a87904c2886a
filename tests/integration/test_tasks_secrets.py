"""Reasons for closing, reopening and deleting a task lose their secrets before they are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from satchel.testing import temporary_workspace

#: Put together here, so that no scanner takes this file for a leak.
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize("step", ["close", "reopen", "delete"])
def test_a_reason_holds_no_secret(step: str) -> None:
    with temporary_workspace() as work:
        task = work.tasks.create("Refund worker").id
        reason = f"the token {SECRET} was wrong"
        if step != "delete":
            work.tasks.close([task], reason if step == "close" else "done")
        if step == "reopen":
            work.tasks.reopen(task, reason)
        if step == "delete":
            work.tasks.delete([task], reason)
        written = Path(work.project.tracked.place("tasks")).read_text()
        assert "was wrong" in written
        assert SECRET not in written
