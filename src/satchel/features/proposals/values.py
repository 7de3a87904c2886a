"""Suggestions as values."""

from __future__ import annotations

from satchel.core.values import Any, NamedTuple

#: Kinds of proposals: reflect's routing table, and those derived from existing content.
AGENT_FILE, NOTE, MEMORY, INSTINCT = "agent_file", "note", "memory", "instinct"
SKILL, UPDATE, GUARD, PROMOTION, MOVE, ARCHIVE = (
    "skill",
    "update",
    "guard",
    "promotion",
    "move",
    "archive",
)
KINDS = (AGENT_FILE, NOTE, MEMORY, INSTINCT, SKILL, UPDATE, GUARD, PROMOTION, MOVE, ARCHIVE)
BEHAVIORAL, KNOWLEDGE = "behavioral", "knowledge"

PENDING, ACCEPTING, ACCEPTED, REJECTED, UNDOING, UNDONE = (
    "pending",
    "accepting",
    "accepted",
    "rejected",
    "undoing",
    "undone",
)
STATES = (PENDING, ACCEPTING, ACCEPTED, REJECTED, UNDOING, UNDONE)

#: What to do to a file: create it; add a line below a heading; append text; add an entry to
#: instincts.yaml or guards.yaml; remove lines (only a move); put a memory aside, by its id; a
#: memory remembered.
CREATE, ENTRY, APPEND, STRUCTURED, TAKE_OUT, SET_ASIDE, REMEMBER = (
    "create",
    "entry",
    "append",
    "structured",
    "take_out",
    "set_aside",
    "remember",
)
OPERATIONS = (CREATE, ENTRY, APPEND, STRUCTURED, TAKE_OUT, SET_ASIDE, REMEMBER)
#: Those that change no file.
OF_MEMORIES = (SET_ASIDE, REMEMBER)
#: What a path is below: the work tree, the user's knowledge base, the user's home; the ledger.
PROJECT, LEARNINGS, HOME, MEMORIES = "project", "learnings", "home", "memories"


#: The editors of a structured file that confirm a soft rule, and that remove one.
REINFORCE, WITHDRAW = "reinforce", "withdraw"
#: The field of an edit's data that marks a memory as the user's, in every project.
USER = "user"


class Edit(NamedTuple):
    """One edit to one file, applicable to the file's later states.

    `path` is relative, below `below`; for `HOME` it is relative to the user's own directory.
    `section` is a heading (ENTRY), the kind of the memory (REMEMBER), or the name of a structured
    file's editor (STRUCTURED), whose arguments are in `data`.
    """

    operation: str
    below: str
    path: str = ""
    text: str = ""
    section: str = ""
    data: dict[str, Any] | None = None

    @property
    def for_person(self) -> bool:
        """Whether it remembers something for the user, in every project."""
        return self.operation == REMEMBER and bool((self.data or {}).get(USER))

    @property
    def takes_out(self) -> bool:
        """Whether something stated before is no longer shown afterwards."""
        return self.operation in (TAKE_OUT, SET_ASIDE) or self.section == WITHDRAW


class Proposal(NamedTuple):
    """A suggested change with its origin. The ledger adds `id` and `ts`.

    `tier` says how certain the signal is. `key` is the same for the same change, so that a rejected
    one is not proposed again. `warnings` name rules that it repeats or contradicts. `trust` is that
    of its least trusted source.
    """

    kind: str
    group: str
    title: str
    why: str
    tier: str
    edits: tuple[Edit, ...]
    key: str
    quote: str = ""
    session: str = ""
    turns: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    agent: str = ""
    trust: str = "agent"
    learning_type: str = ""
    scope: str = "project"
    id: str = ""
    ts: int = 0

    @property
    def own_edits(self) -> tuple[Edit, ...]:
        """The edits without those that remove what the first one contradicts."""
        first, rest = self.edits[:1], self.edits[1:]
        return (*first, *(edit for edit in rest if not edit.takes_out))

    @property
    def confirms(self) -> bool:
        """Whether it only confirms an existing soft rule."""
        return any(edit.section == REINFORCE for edit in self.edits)


#: The note of a reworded suggestion, followed by the new one's id.
_REWORDED = "changed into "


class Decision(NamedTuple):
    """A decision on a suggestion: its state, when, by whom, and what was done.

    `files` has, for each file written, the path, the SHA-256 afterwards, and the text before (None:
    missing), as needed for undoing. `line` is the ledger line's id, since several decisions may
    share a second. `answer` is the same for all decisions of one command.
    """

    state: str = PENDING
    at: int = 0
    by: str = ""
    commit: str = ""
    note: str = ""
    files: tuple[tuple[str, str, str | None], ...] = ()
    line: str = ""
    answer: str = ""

    @classmethod
    def reworded_as(cls, ident: str) -> Decision:
        """Return the decision that another suggestion replaces this one."""
        return cls(REJECTED, by="user", note=_REWORDED + ident)

    @property
    def reworded(self) -> str:
        """Return the id of this suggestion's rewording, or ""."""
        return self.note.removeprefix(_REWORDED) if self.note.startswith(_REWORDED) else ""


class QueuedProposal(NamedTuple):
    """A suggestion, its decision, and the number that names it in a review.

    The number stays the same while the suggestion waits. New ones begin at 1 again once none waits;
    one that waits again has the number that it had, unless another has it now.
    """

    proposal: Proposal
    decided: Decision
    number: int = 0

    @property
    def state(self) -> str:
        """Return one of `STATES`."""
        return self.decided.state


class Scan(NamedTuple):
    """A scan of a session: which, its file and the file's state, signals by tier and type."""

    session: str
    source: str
    mark: str
    found: dict[str, int]
    at: int = 0
