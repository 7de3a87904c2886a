"""The instruction files that a client reads, and how it treats them by location."""

from __future__ import annotations

from satchel.clients.registry import part
from satchel.core.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

GLOBAL, PLUGIN, AGENT, TEAM, PROJECT, LOCAL = (
    "global",
    "plugin",
    "agent",
    "team",
    "project",
    "project-local",
)
#: Lowest first: later ones override earlier ones. The numbers are beans' where it has them.
PRIORITIES = {GLOBAL: 0, PLUGIN: 50, AGENT: 60, TEAM: 75, PROJECT: 100, LOCAL: 101}
TIERS = tuple(PRIORITIES)

#: Who put a file there, which decides what it may import without asking.
USER, REPOSITORY, SHARED, MACHINE = "user", "repository", "shared", "machine"

#: When a file reaches an agent: in every session, along with certain files, or on request.
ALWAYS, CONDITIONAL, ON_REQUEST = "always", "conditional", "on request"


#: How much is read of a client's own MEMORY.md.
AUTO_LINES, AUTO_BYTES = 200, 25_000


class Source(NamedTuple):
    """A location of an instruction file.

    Attributes:
        path: absolute.
        tier: one of `TIERS`.
        owner: USER, REPOSITORY, SHARED or MACHINE.
        priority: of its tier, or of its position in the tier.
        depth: directories between the work tree's top and the file; orders equal priorities.
        order: position among files of the same directory.
        clients: the clients that read it themselves; () for none.
        kind: ALWAYS, CONDITIONAL or ON_REQUEST.
        most_lines: its client reads only this many first lines; 0 for all.
        most_bytes: the same, in bytes.
    """

    path: str
    tier: str
    owner: str
    priority: int
    depth: int = 0
    order: int = 0
    clients: tuple[str, ...] = ()
    kind: str = ALWAYS
    most_lines: int = 0
    most_bytes: int = 0


class Directory(NamedTuple):
    """A directory of instruction files: their names, depth and type.

    `suffix` ends their names; `template` is the source for each, with its own path.
    """

    path: str
    suffix: str
    template: Source
    deep: bool = False


class File(NamedTuple):
    """An instruction file below a known directory.

    Attributes:
        path: with `/`.
        order: position among files of equal priority.
        is_read: whether the client itself reads it.
        local: whether a copy with `.local` before its suffix also counts.
    """

    path: str
    order: int = 30
    is_read: bool = True
    local: bool = False


class Folder(NamedTuple):
    """A folder of instruction files below a known directory: their suffix and depth."""

    path: str
    suffix: str
    order: int
    deep: bool = True


class Rules(NamedTuple):
    """Where `instructions compile` writes a client's rules.

    Attributes:
        target: its name on the command line.
        file: below the repository, with `/`.
        head: the beginning of a new file.
        most: how many bytes the client reads; 0 for all.
        too_long: the warning about longer files.
    """

    target: str
    file: str
    head: str = ""
    most: int = 0
    too_long: str = ""


#: Where several clients read rules; the smallest of their limits counts.
AGENTS_RULES = Rules(
    "agents",
    "AGENTS.md",
    most=32 * 1024,
    too_long="the rules are larger than the 32 KiB that Codex reads of AGENTS.md",
)


class Instructions(NamedTuple):
    """The instruction files that a client reads itself.

    Attributes:
        rules: where compiled rules go.
        dialect: how it reads references to other files; see `features.instructions.scanning`.
        reads: file names that it reads in a project's directories.
        own: the one of these with hidden or local copies.
        hidden: name -> the hidden directory with another copy.
        override: a file that it reads instead of all others in a directory.
        first_only: only the first of `reads` in each directory is read.
        machine: directories of the machine's administrator, for the file `own`.
        home_files, home_folders: below its own directory.
        top_files, top_folders: at the top of a project.
        project_folders: in any directory of a project.
        notes: its own directory, possible directories of the project -> its notes.
        agent_memory: its own directory, the project, an agent -> that agent's memory.
    """

    rules: Rules
    dialect: str = "none"
    reads: tuple[str, ...] = ()
    own: str = ""
    hidden: dict[str, str] = {}  # noqa: RUF012 -- the field of a tuple
    override: str = ""
    first_only: bool = False
    machine: tuple[str, ...] = ()
    home_files: tuple[File, ...] = ()
    home_folders: tuple[Folder, ...] = ()
    top_files: tuple[File, ...] = ()
    top_folders: tuple[Folder, ...] = ()
    project_folders: tuple[Folder, ...] = ()
    notes: Callable[[str, Sequence[str]], list[Directory]] | None = None
    agent_memory: Callable[[str, str, str], list[Source]] | None = None

    @property
    def in_place_of_others(self) -> tuple[str, ...]:
        """File names of which the first that exists hides the others beside it."""
        if self.override:
            return (self.override,)
        return self.reads[:-1] if self.first_only else ()


def instructions_of(client: str) -> Instructions:
    """Return a client's instruction files."""
    found: Instructions = part(client, "instructions")
    return found
