"""What `satchel doctor` says about hooks that failed."""

from pathlib import Path

from satchel.application.health.surroundings import fault_findings
from satchel.storage.inbox.faults import note_fault
from satchel.storage.paths import PrivateState


def test_hooks_that_gave_up_are_one_cause_however_late_they_were(tmp_path: Path) -> None:
    state = PrivateState(str(tmp_path))
    for late in ("1.8", "2.4"):
        note_fault(state.faults, "UserPromptSubmit", f"gave up after {late} s", 1_700_000_000)
    (found,) = fault_findings(state)
    assert found.what.startswith("gave up: the machine was too busy to answer in time (2 times")
    assert "Delete" not in found.next_step
