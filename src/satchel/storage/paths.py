"""Where files lie: the only module that knows a path.

Three places. The *user home* (`~/.satchel`, moved by SATCHEL_HOME), the *private state* of a
project inside it, and the *tracked files* in the work tree, whose names a preset decides.
"""

from __future__ import annotations

import os

ROUTING, SCHEDULE = "memory-query-routing.json", "upkeep-schedule.json"
#: Beside agents' identity files: who gets which message, for all of them and for one.
PROFILES, PROFILE = "profiles.yaml", "profile.yaml"
TABLES_INDEX, TASK_INDEXES, UPKEEP = "tables.db", "tasks", "upkeep.json"
ROUTING_OUTCOMES, ROUTED_MESSAGES = "routing-outcomes.json", "routed-messages.json"
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
    def routing(self) -> str:
        """Which questions go to which tier, JSON as The Foundation spells it."""
        return self._in(ROUTING)

    @property
    def instructions(self) -> str:
        """What the person tells every agent, in every project."""
        return self._in("MEMORY.md")

    @property
    def memory_trust(self) -> str:
        """Memory files outside their project that the person approved, with their hashes."""
        return self._in("memory-trust.json")

    @property
    def registry(self) -> str:
        """Which work trees belong to which project, one small file for each."""
        return self._in("registry")

    @property
    def metrics(self) -> str:
        """How reflection does, over all projects, YAML as reflect spells it. Derived."""
        return self._in("metrics.yaml")

    @property
    def server_token(self) -> str:
        """The token of this installation's server."""
        return self._in("server-token")

    @property
    def user_state(self) -> PrivateState:
        """Ledgers and index of memories that belong to the person, not to a project."""
        return PrivateState(self._in("user"))

    @property
    def agents(self) -> str:
        """Identity files of agents, and of the person, that hold in every project."""
        return self._in("agents")

    def knowledge_base(self, preset: str) -> str:
        """Learning notes and episodes of the person, in every project."""
        if preset == "agents":
            return os.path.join(os.path.expanduser("~"), ".learnings", "documents")
        return self._in("learnings", "documents")

    def repository_state(self, key: str) -> PrivateState:
        """Derived state of a git repository that is no project: the map of its code."""
        return PrivateState(self._in("repositories", key))

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

    def code(self, tree: str) -> str:
        """The derived SQLite map of the code of one work tree, by the work tree's own key."""
        return self._in("code", tree + ".db")

    @property
    def code_maps(self) -> str:
        """The directory of the maps of all work trees."""
        return self._in("code")

    @property
    def packs(self) -> str:
        """Context packs that were saved, by name."""
        return self._in("packs")

    @property
    def graph_settings(self) -> str:
        """How the graph changes with time, JSON as The Foundation spells it."""
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
    def guards(self) -> str:
        """The approved guards, compiled to JSON for hooks."""
        return self._in("guards.json")

    @property
    def intent(self) -> str:
        """What was parsed of the project's intent, with the hash of its file."""
        return self._in("intent.json")

    @property
    def sessions(self) -> SessionsState:
        """The same place, for sessions, the archive of transcripts, and their index."""
        return SessionsState(self.path)

    @property
    def memory_files(self) -> str:
        """How memory files stood when they were last looked at: times and hashes."""
        return self._in("memory-files.json")

    @property
    def memory_sessions(self) -> str:
        """Which memory files a session may write to without asking."""
        return self._in("memory-sessions.json")

    def derived(self, name: str) -> str:
        """A derived file by its name, one of those above."""
        return self._in(name)

    @property
    def research(self) -> str:
        """Answers to research questions, by question and commit."""
        return self._in("research")

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


class SessionsState(PrivateState):
    """Where the sessions of Satchel's own lie, and an index of them alone."""

    __slots__ = ()

    @property
    def index(self) -> str:
        """The derived SQLite index of turns."""
        return self._in("own-sessions.db")

    @property
    def own(self) -> str:
        """Sessions of Satchel's own, a directory for each."""
        return self._in("sessions")

    @property
    def hooks(self) -> str:
        """What sessions begin with, JSON as The Foundation spells it."""
        return self._in("session-hooks.json")

    def lock(self, name: str) -> str:
        """A lock file, apart from those of the memories."""
        return self._in("locks", f"sessions-{name}.lock")


class ArchiveState(SessionsState):
    """The same place, with the archive of the person's transcripts and an index of both."""

    __slots__ = ()

    @property
    def index(self) -> str:
        """The derived SQLite index of turns."""
        return self._in("sessions.db")

    @property
    def archive(self) -> str:
        """What clients' transcripts said, a file for each session."""
        return self._in("archive")

    @property
    def old(self) -> str:
        """What left the archive because of its age."""
        return self._in("archive-old")

    @property
    def imported(self) -> str:
        """How far each transcript was read."""
        return self._in("imported.json")


#: preset -> thing -> path below the work tree. A thing that a preset does not name lies at its
#: default place.
PRESETS: dict[str, dict[str, str]] = {
    "default": {
        "knowledge": ".satchel/knowledge.jsonl", "memory": ".satchel/MEMORY.md",
        "instincts": ".satchel/instincts.yaml", "guards": ".satchel/guards.yaml",
        "checks": ".satchel/checks.yaml", "more_checks": ".satchel/checks",
        "check_workflow": ".github/workflows/satchel-check.yml",
        "intent_links": ".satchel/intent-links.json", "prompts": ".satchel/prompts",
        "agents": ".satchel/agents", "tables": ".satchel/tables",
        "sessions": ".satchel/sessions", "learnings_log": ".satchel/LEARNINGS.md",
        "tasks": ".satchel/tasks.jsonl",
    },
    "beads": {
        "knowledge": ".beads/memory/knowledge.jsonl", "intent_links": ".beads/intent-links.json",
        "prompts": ".beads/prompts", "sessions": ".beads/sessions",
        "tasks": ".beads/issues.jsonl", "recall_shim": ".beads/memory/recall.sh",
    },
    "agents": {
        "knowledge": ".agents/knowledge.jsonl", "memory": ".agents/MEMORY.md",
        "instincts": ".agents/instincts.yaml",
    },
    "beans": {"knowledge": ".beans/knowledge.jsonl", "memory": ".beans/BEANS.md"},
}  # fmt: skip

#: Task files of every preset, beads and The Foundation, all read, first come first.
TASK_FILES = ("tasks.jsonl", ".satchel/tasks.jsonl", ".beads/issues.jsonl", ".beads/beads.jsonl")


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
    def routing(self) -> tuple[str, ...]:
        """Where a project may say which questions go to which tier; the first that is there."""
        return (
            os.path.join(self.root, ".satchel", ROUTING),
            os.path.join(self.root, "config", ROUTING),
        )

    @property
    def intent(self) -> str:
        """The project's intent."""
        return os.path.join(self.root, "PROJECT_INTENT.md")

    @property
    def research(self) -> str:
        """Where dossiers of research are written."""
        return os.path.join(self.root, "research")

    @property
    def intent_links(self) -> str:
        """Which task is about which section of the intent."""
        return self.place("intent_links")

    @property
    def codebase_map(self) -> str:
        """The map of the code that people and agents read."""
        return os.path.join(self.root, "docs", "CODEBASE_MAP.md")

    @property
    def tasks(self) -> tuple[str, ...]:
        """Every file that may hold tasks."""
        return tuple(os.path.join(self.root, *name.split("/")) for name in TASK_FILES)

    @property
    def sessions(self) -> str:
        """Sessions that git tracks, where a person has asked for that."""
        return self.place("sessions")

    @property
    def session_hooks(self) -> str:
        """What sessions begin with, as The Foundation keeps it in the repository."""
        return os.path.join(self.root, "config", "session-hooks.json")

    @property
    def learnings_log(self) -> str:
        """What sessions learnt, entry by entry: where The Foundation keeps it if that is there."""
        learnings = os.path.join(self.root, ".learnings")
        return (
            os.path.join(learnings, "LEARNINGS.md")
            if os.path.isdir(learnings)
            else self.place("learnings_log")
        )

    @property
    def agents(self) -> tuple[str, ...]:
        """Directories of agents' identity files: new ones go to the first, all are read."""
        others = (("agents",), (".agents",), (".agents", "agents"))
        return (self.place("agents"), *(os.path.join(self.root, *names) for names in others))

    def owned(self) -> tuple[str, ...]:
        """Paths below the root that are Satchel's own, for gates that must ignore them."""
        here = PRESETS[self.preset].values()
        default = PRESETS["default"].values()
        wired = (".satchel", ".gitattributes", ".claude/settings.json")
        return tuple(sorted({*here, *default, *wired}))


def archive_of(ledger: str) -> str:
    """Path of the archive that rotation moves the oldest lines of a ledger to."""
    return ledger.removesuffix(".jsonl") + ".archive.jsonl"
