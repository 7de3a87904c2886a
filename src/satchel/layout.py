"""Where files lie: the only module that knows a path.

Three places. The *user home* (`~/.satchel`, moved by SATCHEL_HOME), the *private state* of a
project inside it, and the *tracked files* in the work tree, whose names a preset decides.
"""

from __future__ import annotations

import os

PROJECT_FILE = os.path.join(".satchel", "project.toml")


class UserHome:
    """The user's own Satchel directory."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path

    def _in(self, *parts: str) -> str:
        return os.path.join(self.path, *parts)

    @property
    def configuration(self) -> str:
        """The user's settings, TOML."""
        return self._in("config.toml")

    @property
    def registry(self) -> str:
        """Which work trees belong to which project, one small file for each."""
        return self._in("registry")

    @property
    def user_state(self) -> PrivateState:
        """Ledgers and index of memories that belong to the person, not to a project."""
        return PrivateState(self._in("user"))

    def knowledge_base(self, preset: str) -> str:
        """Learning notes and episodes of the person, in every project."""
        if preset == "agents":
            return os.path.join(os.path.expanduser("~"), ".learnings", "documents")
        return self._in("learnings", "documents")

    def project_state(self, key: str) -> PrivateState:
        """Private state of the project with this key."""
        return PrivateState(self._in("projects", key))


class PrivateState:
    """Private ledgers, inbox, index and locks of one project, outside every work tree."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path

    def _in(self, *parts: str) -> str:
        return os.path.join(self.path, *parts)

    def ledger(self, name: str) -> str:
        """A private ledger: `knowledge`, or a short-lived kind with a ledger of its own."""
        return self._in("ledgers", name + ".jsonl")

    @property
    def ledgers(self) -> str:
        """The directory of private ledgers."""
        return self._in("ledgers")

    @property
    def inbox(self) -> str:
        """The directory hooks append to."""
        return self._in("inbox")

    @property
    def index(self) -> str:
        """The derived SQLite index."""
        return self._in("index.db")

    @property
    def graph(self) -> str:
        """The derived SQLite graph."""
        return self._in("graph.db")

    @property
    def graph_settings(self) -> str:
        """How the graph changes with time, JSON as seed 001 spells it."""
        return self._in("graphmem-evolution.json")

    @property
    def identity(self) -> str:
        """Which project this is the private state of."""
        return self._in("identity.json")

    @property
    def settings_snapshot(self) -> str:
        """Resolved settings as JSON, for hooks."""
        return self._in("settings.json")

    @property
    def quarantine(self) -> str:
        """Lines that do not parse, verbatim."""
        return self._in("quarantine")

    @property
    def faults(self) -> str:
        """What went wrong inside hooks, which never show it to the agent."""
        return self._in("faults.jsonl")

    @property
    def journals(self) -> str:
        """What installers changed, for undo."""
        return self._in("journals")

    @property
    def collections(self) -> str:
        """The Markdown trees that are searched by name, TOML."""
        return self._in("collections.toml")

    @property
    def notes(self) -> NotesState:
        """The same place, for the index of notes and its locks."""
        return NotesState(self.path)

    def lock(self, name: str) -> str:
        """A lock file."""
        return self._in("locks", name + ".lock")


class NotesState(PrivateState):
    """Where the index of notes lies: a file of its own, because notes are read in other ways."""

    __slots__ = ()

    @property
    def index(self) -> str:
        """The derived SQLite index of notes."""
        return self._in("notes.db")

    def lock(self, name: str) -> str:
        """A lock file, apart from those of the memories."""
        return self._in("locks", f"notes-{name}.lock")


#: preset -> thing -> path below the work tree. A thing that a preset does not name lies at its
#: default place.
PRESETS: dict[str, dict[str, str]] = {
    "default": {
        "knowledge": ".satchel/knowledge.jsonl",
        "memory": ".satchel/MEMORY.md",
        "instincts": ".satchel/instincts.yaml",
        "intent_links": ".satchel/intent-links.json",
        "prompts": ".satchel/prompts",
        "agents": ".satchel/agents",
        "tasks": ".satchel/tasks.jsonl",
    },
    "beads": {
        "knowledge": ".beads/memory/knowledge.jsonl",
        "intent_links": ".beads/intent-links.json",
        "prompts": ".beads/prompts",
        "tasks": ".beads/issues.jsonl",
        "recall_shim": ".beads/memory/recall.sh",
    },
    "agents": {
        "knowledge": ".agents/knowledge.jsonl",
        "memory": ".agents/MEMORY.md",
        "instincts": ".agents/instincts.yaml",
    },
    "beans": {
        "knowledge": ".beans/knowledge.jsonl",
        "memory": ".beans/BEANS.md",
    },
}

#: Task files of every preset and of the seeds, all read, first come first.
TASK_FILES = (
    "tasks.jsonl",
    ".satchel/tasks.jsonl",
    ".beads/issues.jsonl",
    ".beads/beads.jsonl",
)


class TrackedFiles:
    """The files of a project that git tracks, in one work tree."""

    __slots__ = ("preset", "root")

    def __init__(self, root: str, preset: str = "default") -> None:
        self.root = root
        self.preset = preset

    def place(self, thing: str) -> str:
        """Absolute path of a thing under this preset."""
        below = PRESETS[self.preset].get(thing) or PRESETS["default"][thing]
        return os.path.join(self.root, *below.split("/"))

    @property
    def project_file(self) -> str:
        """Id and settings of the project."""
        return os.path.join(self.root, PROJECT_FILE)

    @property
    def knowledge(self) -> str:
        """The tracked ledger."""
        return self.place("knowledge")

    @property
    def solutions(self) -> str:
        """Learning notes of the project, in directories by category."""
        return os.path.join(self.root, "docs", "solutions")

    @property
    def tasks(self) -> tuple[str, ...]:
        """Every file that may hold tasks."""
        return tuple(os.path.join(self.root, *name.split("/")) for name in TASK_FILES)

    def owned(self) -> tuple[str, ...]:
        """Paths below the root that are Satchel's own, for gates that must ignore them."""
        here = PRESETS[self.preset].values()
        default = PRESETS["default"].values()
        wired = (".satchel", ".gitattributes", ".claude/settings.json")
        return tuple(sorted({*here, *default, *wired}))


def archive_of(ledger: str) -> str:
    """Path of the archive that rotation moves the oldest lines of a ledger to."""
    return ledger.removesuffix(".jsonl") + ".archive.jsonl"
