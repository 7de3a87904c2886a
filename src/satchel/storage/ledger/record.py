"""A record: the value of every ledger line."""

from __future__ import annotations

from satchel.core.kinds import KINDS
from satchel.core.values import Any, NamedTuple

#: The seven fields of beads memory, in its order; every line carries them.
BEADS_MEMORY_FIELDS = ("key", "type", "content", "source", "tags", "ts", "bead")

#: Kinds whose lines are versions of one thing only if they have the same id: memories, injections,
#: and table rows. For all others, in other programs' ledgers too, the same key means the same thing
#: and the latest wins.
ID_KINDS = frozenset({"injection", "row"}.union(k.name for k in KINDS.values() if not k.keyed))


class Record(NamedTuple):
    """Something remembered.

    Missing fields are empty; times are whole Unix seconds, UTC. `kind` is written as `type` and
    `task` as `bead`, as in beads memory. `rev` counts later versions of the same id. `wall` is the
    writer's clock if it was behind the ledger's order (see docs/decisions/0004-order.md). `extra`
    holds fields of other programs, kept as they are. `edited` is not written: it marks a line that
    a person changed by hand. `text_id` distinguishes records with the same key made from different
    texts (docs/decisions/0034-text-id.md).
    """

    kind: str = ""
    content: str = ""
    key: str = ""
    source: str = ""
    tags: tuple[str, ...] = ()
    ts: int = 0
    task: str = ""
    id: str = ""
    rev: int = 0
    title: str = ""
    category: str = ""
    client: str = ""
    epic: str = ""
    session: str = ""
    chat: str = ""
    agent: str = ""
    branch: str = ""
    worktree: str = ""
    commit: str = ""
    visibility: str = ""
    trust: str = ""
    text_id: str = ""
    confidence: float | None = None
    relevance: float | None = None
    valid_from: int | None = None
    valid_to: int | None = None
    expires_at: int | None = None
    deleted_at: int | None = None
    supersedes: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()
    intent_anchors: tuple[str, ...] = ()
    data: dict[str, Any] | None = None
    wall: int | None = None
    extra: dict[str, Any] | None = None
    hash: str = ""
    edited: bool = False

    @property
    def identity(self) -> str:
        """Return the key shared by versions of one thing: the id, or for keyed kinds the key.

        An agent's preference is not the project's preference of the same name.
        """
        if self.kind in ID_KINDS or not self.key:
            return self.id
        owner = f"@{self.agent}" if self.kind == "preference" and self.agent else ""
        text = f"#{self.text_id}" if self.text_id else ""
        return f"{self.kind}{owner}:{self.key}{text}"

    @property
    def version(self) -> tuple[int, str, int, str]:
        """Return the sort key of versions: the greatest is the latest, wherever it is stored."""
        # Among copies of one version, the one that a person edited wins.
        return (self.ts, self.id, self.rev, ("~" if self.edited else "") + self.hash)

    def following(self, now: int) -> Record:
        """Return its next version, written `now`; it sorts after this one, whatever the clocks."""
        wall = now if self.ts > now + 1 else None
        newer = self._replace(rev=self.rev + 1, ts=max(now, self.ts), wall=wall)
        return newer._replace(hash="", edited=False)

    @property
    def when(self) -> int:
        """Return when it was written by the writer's clock, which ages are computed from."""
        return self.ts if self.wall is None else self.wall
