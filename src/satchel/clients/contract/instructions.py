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
#: Lowest first: what comes later overrides what came before. Figures of beans where it has one.
PRIORITIES = {GLOBAL: 0, PLUGIN: 50, AGENT: 60, TEAM: 75, PROJECT: 100, LOCAL: 101}
TIERS = tuple(PRIORITIES)

#: Who put a file there, which decides what it may import without being asked about.
USER, REPOSITORY, SHARED, MACHINE = "user", "repository", "shared", "machine"

#: When a file reaches an agent: in every session, with certain files at hand, or when asked for.
ALWAYS, CONDITIONAL, ON_REQUEST = "always", "conditional", "on request"


#: So much is read of a MEMORY.md that a client keeps for itself.
AUTO_LINES, AUTO_BYTES = 200, 25_000


class Source(NamedTuple):
    """A location of an instruction file.

    Attributes:
        path: absolute.
        tier: one of `TIERS`.
        owner: USER, REPOSITORY, SHARED or MACHINE.
        priority: of its tier, or of its place in the tier.
        depth: directories between the work tree's top and the file's; orders equal priorities.
        order: place among files of the same directory.
        clients: who reads it without Satchel; () for nobody.
        kind: ALWAYS, CONDITIONAL or ON_REQUEST.
        most_lines: only so many first lines are read by who wrote it; 0 for all.
        most_bytes: the same, bytes.
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

    `suffix` ends their names; `template` is the source that each becomes, with its own path.
    """

    path: str
    suffix: str
    template: Source
    deep: bool = False


class File(NamedTuple):
    """An instruction file below a known directory.

    Attributes:
        path: with `/`.
        order: place among files of equal priority.
        is_read: whether the client itself reads it.
        local: whether one with `.local` before its ending counts beside it.
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
        target: as the command line calls it.
        file: below the repository, with `/`.
        head: what a new file begins with.
        most: bytes that the client reads; 0 for all.
        too_long: what is said about more.
    """

    target: str
    file: str
    head: str = ""
    most: int = 0
    too_long: str = ""


#: Where several clients read rules; the smallest that one of them reads counts.
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
        dialect: how it reads a text that names another file; see `features.instructions.scanning`.
        reads: names that it reads in directories of a project.
        own: of these, the one of which it also reads copies that are hidden or local.
        hidden: name -> the hidden directory that holds another copy of it.
        override: a file that it reads in place of all others in that directory.
        first_only: of `reads` it takes only the first that a directory has.
        machine: directories of whoever manages the machine, for the file `own`.
        home_files, home_folders: below its own directory.
        top_files, top_folders: at the top of a project.
        project_folders: in any directory of a project.
        notes: its own directory, directories it may know the project by -> what it has noted.
        agent_memory: its own directory, the project, an agent -> what it keeps for that agent.
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
        """Names of which one that is there hides the others beside it, strongest first."""
        if self.override:
            return (self.override,)
        return self.reads[:-1] if self.first_only else ()


def instructions_of(client: str) -> Instructions:
    """Return a client's instruction files."""
    found: Instructions = part(client, "instructions")
    return found
