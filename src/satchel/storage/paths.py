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
        """Instruction files outside their project that the person approved, with their hashes."""
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

    @property
    def skills(self) -> str:
        """Templates of the person's own skills, deployed to agent clients with the shipped ones."""
        return self._in("skills")

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
    def episodes(self) -> str:
        """The stories of this project's sessions, a directory for each day."""
        return self._in("episodes")

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
    def lost(self) -> str:
        """How many events hooks could not keep; it lies ready before that happens."""
        return self._in("lost")

    @property
    def asking(self) -> str:
        """What agents were asked in sessions: counts and hashes, for hooks."""
        return self._in("asking")

    def asking_of(self, session: str) -> str:
        """What the agent of one session was asked."""
        return self._in("asking", session.encode("utf-8", "replace").hex()[:200] + ".session")

    @property
    def last_brief(self) -> str:
        """What the last session started with, as text. Derived."""
        return self._in("last-brief.txt")

    def seen(self, client: str) -> str:
        """Whose time says when hooks of a client last ran."""
        return self._in("seen", client)

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
        """How instruction files stood when they were last looked at: times and hashes."""
        return self._in("memory-files.json")

    @property
    def memory_sessions(self) -> str:
        """Which instruction files a session may write to without asking."""
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

    @property
    def learnings(self) -> str:
        """What sessions whose end a hook told of have learnt, numbered by day."""
        return self._in("LEARNINGS.md")

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


def archive_of(ledger: str) -> str:
    """Path of the archive that rotation moves the oldest lines of a ledger to."""
    return ledger.removesuffix(".jsonl") + ".archive.jsonl"
