"""Where files of the home lie: the only module that knows a path there.

The *user home* (`~/.satchel`, moved by SATCHEL_HOME) and the *private state* of a project inside
it. What lies in the work tree is in `tracked_files`.
"""

from __future__ import annotations

import os

ROUTING, SCHEDULE = "memory-query-routing.json", "upkeep-schedule.json"
#: Beside agents' identity files: who gets which message, for all of them and for one.
PROFILES, PROFILE = "profiles.yaml", "profile.yaml"
TABLES_INDEX, TASK_INDEXES, UPKEEP = "tables.db", "tasks", "upkeep.json"
THREAD = "thread.db"
#: How memories stand seen from commits, a file for each.
BRANCHES = "branches"
BROWSER_SESSIONS, ANSWERS = "browser-sessions", "answers"
ROUTING_OUTCOMES, ROUTED_MESSAGES = "routing-outcomes.json", "routed-messages.json"
PROJECT_FILE = os.path.join(".satchel", "project.toml")


class Directory:
    """A directory whose files have their names here."""

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
    #: Which questions go to which tier, JSON as The Foundation spells it.
    routing = Below(ROUTING)
    #: What the person tells every agent, in every project.
    instructions = Below("MEMORY.md")
    #: Instruction files outside their project that the person approved, with their hashes.
    memory_trust = Below("memory-trust.json")
    #: Which work trees belong to which project, one small file for each.
    registry = Below("registry")
    #: How reflection does, over all projects, YAML as reflect spells it. Derived.
    metrics = Below("metrics.yaml")
    #: The token of this installation's server.
    server_token = Below("server-token")
    #: The address of the database that the server started last keeps its users in.
    server_database = Below("server-database")

    @property
    def user_state(self) -> PrivateState:
        """Ledgers and index of memories that belong to the person, not to a project."""
        return PrivateState(self._in("user"))

    #: Identity files of agents, and of the person, that hold in every project.
    agents = Below("agents")
    #: Templates of the person's own skills, deployed to agent clients with the shipped ones.
    skills = Below("skills")

    def knowledge_base(self, preset: str) -> str:
        """Learning notes and episodes of the person, in every project.

        Whatever a project's layout: where one of the two places holds notes, that is the place.
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
        """A private ledger: `knowledge`, or a short-lived kind with a ledger of its own."""
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

    #: Who wrote files of the work tree, as git said. Derived.
    file_authors = Below("file-authors.jsonl")
    #: The directory of the maps of all work trees.
    code_maps = Below("code")
    #: The stories of this project's sessions, a directory for each day.
    episodes = Below("episodes")
    #: How the graph changes with time, JSON as The Foundation spells it.
    graph_settings = Below("graphmem-evolution.json")
    #: Which project this is the private state of.
    identity = Below("identity.json")
    #: Resolved settings as JSON, for hooks.
    settings_snapshot = Below("settings.json")
    #: Lines that do not parse, verbatim.
    quarantine = Below("quarantine")
    #: What went wrong inside hooks, which never show it to the agent.
    faults = Below("faults.jsonl")
    #: How many events hooks could not keep; it lies ready before that happens.
    lost = Below("lost")
    #: What agents were asked in sessions: counts and hashes, for hooks.
    asking = Below("asking")

    def asking_of(self, session: str) -> str:
        """What the agent of one session was asked."""
        return self._in("asking", session.encode("utf-8", "replace").hex()[:200] + ".session")

    #: What the last session started with, as text. Derived.
    last_brief = Below("last-brief.txt")

    def seen(self, client: str) -> str:
        """Whose time says when hooks of a client last ran."""
        return self._in("seen", client)

    #: What installers changed, for undo.
    journals = Below("journals")
    #: The Markdown trees that are searched by name, TOML.
    collections = Below("collections.toml")
    #: The approved guards, compiled to JSON for hooks.
    guards = Below("guards.json")
    #: What was parsed of the project's intent, with the hash of its file.
    intent = Below("intent.json")

    @property
    def sessions(self) -> SessionsState:
        """The same place, for sessions, the archive of transcripts, and their index."""
        return SessionsState(self.path)

    #: How instruction files stood when they were last looked at: times and hashes.
    memory_files = Below("memory-files.json")
    #: Which instruction files a session may write to without asking.
    memory_sessions = Below("memory-sessions.json")

    def derived(self, name: str) -> str:
        """A derived file by its name, one of those above."""
        return self._in(name)

    #: Answers to research questions, by question and commit.
    research = Below("research")

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

    #: The derived SQLite index of notes.
    index = Below("notes.db")

    def lock(self, name: str) -> str:
        """A lock file, apart from those of the memories."""
        return self._in("locks", f"notes-{name}.lock")


class SessionsState(PrivateState):
    """Where the sessions of Satchel's own lie, and an index of them alone."""

    __slots__ = ()

    #: The derived SQLite index of turns.
    index = Below("own-sessions.db")
    #: Sessions of Satchel's own, a directory for each.
    own = Below("sessions")
    #: What sessions begin with, JSON as The Foundation spells it.
    hooks = Below("session-hooks.json")
    #: What sessions whose end a hook told of have learnt, numbered by day.
    learnings = Below("LEARNINGS.md")

    def lock(self, name: str) -> str:
        """A lock file, apart from those of the memories."""
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
