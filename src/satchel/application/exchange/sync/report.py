"""What a sync round did, in numbers and names."""

from __future__ import annotations

from satchel.application.forgetting.values import Leftover
from satchel.core.values import NamedTuple


class SyncReport(NamedTuple):
    """The result of a round: lines and files received, whether any were sent, conflicts.

    `aside` are files that both sides changed: theirs is beside ours. `kept` are files that stay on
    this machine: private, personal, or with a secret. `left` still says what another home forgot.
    """

    lines: int = 0
    files: int = 0
    sent: int = 0
    scrubbed: int = 0
    projects: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    left: tuple[Leftover, ...] = ()

    def with_round(self, other: SyncReport) -> SyncReport:
        """Return the report of the rounds so far and of another one."""
        return SyncReport(
            self.lines + other.lines,
            self.files + other.files,
            other.sent,
            scrubbed=self.scrubbed + other.scrubbed,
            projects=tuple(dict.fromkeys((*self.projects, *other.projects))),
            aside=tuple(dict.fromkeys((*self.aside, *other.aside))),
            kept=other.kept,
            left=tuple(dict.fromkeys((*self.left, *other.left))),
        )
