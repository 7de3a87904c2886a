"""Memory files as everybody asks for them: read, written to after a look, approved."""

from __future__ import annotations

from satchel.features.instructions import saved
from satchel.features.instructions.service import InstructionFiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.features.instructions.saving import Proposal
    from satchel.features.instructions.trusting import Approval


class Instructions(InstructionFiles):
    """Memory files of one project; see `InstructionFiles` for how they are read."""

    def save_memory(
        self, content: str, target: str = "project", section: str = "", *, anyway: bool = False
    ) -> Proposal:
        """Propose to keep something in a memory file. Nothing is written until it is applied.

        Args:
            content: one thing to keep; see `memory_files.entries` for what becomes of it.
            target: project, local, global, or the path of a memory file.
            section: heading below which it goes; "" for the setting.
            anyway: write what is there already.
        """
        return saved.propose_entry(self, content, target, section, anyway=anyway)

    def target(self, name: str) -> str:
        """Return the path that a target of `save_memory` means."""
        return saved.target_of(self, name).path

    def approved(self) -> list[Approval]:
        """Return what of outside is approved for this project."""
        return saved.approved(self)

    def would_approve(self, path: str) -> dict[str, str]:
        """Return what an approval of a file or folder would cover: path -> SHA-256."""
        return saved.would_approve(self, path)

    def glance(self, path: str) -> str:
        """Return the beginning of a file that is to be approved."""
        return saved.glance(path)

    def approve(
        self, path: str, *, everywhere: bool = False, shown: dict[str, str] | None = None
    ) -> dict[str, str]:
        """Approve a file, or the memory files in a folder, as they are now, and as `shown`."""
        return saved.approve(self, path, everywhere=everywhere, shown=shown)

    def revoke(self, path: str) -> list[str]:
        """Take an approval back; return the paths."""
        return saved.revoke(self, path)
