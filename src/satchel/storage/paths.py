"""Where the home's files are: the only module that knows a path there.

The *user home* (`~/.satchel`, moved by SATCHEL_HOME) and the *private state* of a project inside
it. Paths in the work tree are in `tracked_files`.
"""

from __future__ import annotations

import os

ROUTING, SCHEDULE = "memory-query-routing.json", "upkeep-schedule.json"
#: Beside agents' identity files: message routing, for all of them and for one.
PROFILES, PROFILE = "profiles.yaml", "profile.yaml"
TABLES_INDEX, TASK_INDEXES, UPKEEP = "tables.db", "tasks", "upkeep.json"
THREAD = "thread.db"
#: How memories relate to commits, one file per commit.
BRANCHES = "branches"
BROWSER_SESSIONS, ANSWERS = "browser-sessions", "answers"
ROUTING_OUTCOMES, ROUTED_MESSAGES = "routing-outcomes.json", "routed-messages.json"
PROJECT_FILE = os.path.join(".satchel", "project.toml")


class Directory:
    """A directory with named files."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path

    def _in(self, *parts: str) -> str:
        return os.path.join(self.path, *parts)


class Below:
    """The path of a file in a `Directory`."""

    __slots__ = ("_parts",)

    def __init__(self, *parts: str) -> None:
        self._parts = parts

    def __get__(self, owner: Directory, _: type | None = None) -> str:
        return os.path.join(owner.path, *self._parts)


class UserHome(Directory):
    """The user's own Satchel directory."""

    __slots__ = ()

    #: The user's settings, TOML.
    configuration = Below("config.toml")
    #: Which questions go to which tier, JSON in The Foundation's format.
    routing = Below(ROUTING)
    #: The person's instructions for every agent, in every project.
    instructions = Below("MEMORY.md")
    #: Instruction files outside their project that the person approved, with their hashes.
    memory_trust = Below("memory-trust.json")
    #: Which work trees belong to which project, one small file for each.
    registry = Below("registry")
    #: Compiled patterns, for the Python that compiled them. Derived.
    patterns = Below("patterns.bin")
    #: Reflection metrics of all projects, YAML in reflect's format. Derived.
    metrics = Below("metrics.yaml")
    #: The token of this installation's server.
    server_token = Below("server-token")
    #: The address of the database with the users of the server last started.
    server_database = Below("server-database")

    @property
    def user_state(self) -> PrivateState:
        """Ledgers and index of memories that belong to the person, not to a project."""
        return PrivateState(self._in("user"))

    #: Identity files of agents and of the person, valid in every project.
    agents = Below("agents")
    #: Templates of the person's own skills, installed in agent clients along with the built-in
    #: ones.
    skills = Below("skills")

    def knowledge_base(self, preset: str) -> str:
        """The person's learning notes and episodes, in every project.

        Whatever the project's layout, the first of the two places that has notes is used.
        """
        theirs = os.path.join(os.path.expanduser("~"), ".learnings", "documents")
        own = self._in("learnings", "documents")
        there = [place for place in (theirs, own) if os.path.isdir(place)]
        if len(there) == 1:
            return there[0]
        return theirs if preset == "agents" else own

    def repository_state(self, key: str) -> PrivateState:
        """Derived state of a git repository that is not a project: the map of its code."""
        return PrivateState(self._in("repositories", key))

    def project_state(self, key: str) -> PrivateState:
        """Private state of the project with this key."""
        return PrivateState(self._in("projects", key))


class PrivateState(Directory):
    """Private ledgers, inbox, index and locks of one project, outside every work tree."""

    __slots__ = ()

    def ledger(self, name: str) -> str:
        """A private ledger: `knowledge`, or a short-lived kind with its own ledger."""
        return self._in("ledgers", name + ".jsonl")

    #: The directory of private ledgers.
    ledgers = Below("ledgers")
    #: The directory hooks append to.
    inbox = Below("inbox")
    #: The derived SQLite index.
    index = Below("index.db")
    #: The derived SQLite graph.
    graph = Below("graph.db")

    def code(self, tree: str) -> str:
        """The derived SQLite map of the code of one work tree, by the work tree's own key."""
        return self._in("code", tree + ".db")

    #: Who wrote the work tree's files, according to git. Derived.
    file_authors = Below("file-authors.jsonl")
    #: The directory of the maps of all work trees.
    code_maps = Below("code")
    #: Reports of this project's sessions, one directory per day.
    episodes = Below("episodes")
    #: How the graph changes over time, JSON in The Foundation's format.
    graph_settings = Below("graphmem-evolution.json")
    #: Which project this is the private state of.
    identity = Below("identity.json")
    #: Resolved settings as JSON, for hooks.
    settings_snapshot = Below("settings.json")
    #: Lines that do not parse, verbatim.
    quarantine = Below("quarantine")
    #: Errors inside hooks, which never show them to the agent.
    faults = Below("faults.jsonl")
    #: How many events hooks could not keep; created in advance.
    lost = Below("lost")
    #: What hooks asked agents in sessions: counts and hashes.
    asking = Below("asking")

    def asking_of(self, session: str) -> str:
        """What hooks asked one session's agent."""
        return self._in("asking", session.encode("utf-8", "replace").hex()[:200] + ".session")

    #: The last session's first brief, as text. Derived.
    last_brief = Below("last-brief.txt")

    def seen(self, client: str) -> str:
        """A file whose time says when a client's hooks last ran."""
        return self._in("seen", client)

    #: What installers changed, for undo.
    journals = Below("journals")
    #: The named Markdown trees to search, TOML.
    collections = Below("collections.toml")
    #: The approved guards, compiled to JSON for hooks.
    guards = Below("guards.json")
    #: The parsed project intent, with the hash of its file.
    intent = Below("intent.json")

    @property
    def sessions(self) -> SessionsState:
        """The same directory, for sessions, the transcript archive, and their index."""
        return SessionsState(self.path)

    #: The state of instruction files when last checked: times and hashes.
    memory_files = Below("memory-files.json")
    #: Which instruction files a session may write to without asking.
    memory_sessions = Below("memory-sessions.json")

    def derived(self, name: str) -> str:
        """A derived file, by one of the names above."""
        return self._in(name)

    #: Answers to research questions, by question and commit.
    research = Below("research")

    @property
    def notes(self) -> NotesState:
        """The same directory, for the index of notes and its locks."""
        return NotesState(self.path)

    def lock(self, name: str) -> str:
        """A lock file."""
        return self._in("locks", name + ".lock")


class NotesState(PrivateState):
    """The index of notes: a separate file, because notes are read in other ways."""

    __slots__ = ()

    #: The derived SQLite index of notes.
    index = Below("notes.db")

    def lock(self, name: str) -> str:
        """A lock file, separate from those of the memories."""
        return self._in("locks", f"notes-{name}.lock")


class SessionsState(PrivateState):
    """Where the sessions of Satchel's own lie, and an index of them alone."""

    __slots__ = ()

    #: The derived SQLite index of turns.
    index = Below("own-sessions.db")
    #: Sessions of Satchel's own, a directory for each.
    own = Below("sessions")
    #: Copies for the index of sessions that a team's servers share.
    copies = Below("shared-sessions")
    #: What sessions begin with, JSON as The Foundation spells it.
    hooks = Below("session-hooks.json")
    #: What sessions whose end a hook told of have learnt, numbered by day.
    learnings = Below("LEARNINGS.md")

    def lock(self, name: str) -> str:
        """A lock file, separate from those of the memories."""
        return self._in("locks", f"sessions-{name}.lock")


class ArchiveState(SessionsState):
    """The same place, with the archive of the person's transcripts and an index of both."""

    __slots__ = ()

    #: The derived SQLite index of turns.
    index = Below("sessions.db")
    #: What clients' transcripts said, a file for each session.
    archive = Below("archive")
    #: What left the archive because of its age.
    old = Below("archive-old")
    #: How far each transcript was read.
    imported = Below("imported.json")


def archive_of(ledger: str) -> str:
    """Path of the archive that rotation moves the oldest lines of a ledger to."""
    return ledger.removesuffix(".jsonl") + ".archive.jsonl"
