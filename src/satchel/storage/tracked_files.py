"""Paths of a project's tracked files; a preset sets their names."""

from __future__ import annotations

import os

from satchel.storage.paths import PROJECT_FILE, ROUTING, Below, Directory

#: preset -> thing -> path below the work tree. A thing that a preset does not name lies at its
#: default place.
PRESETS: dict[str, dict[str, str]] = {
    "default": {
        "knowledge": ".satchel/knowledge.jsonl",
        "memory": ".satchel/MEMORY.md",
        "instincts": ".satchel/instincts.yaml",
        "guards": ".satchel/guards.yaml",
        "checks": ".satchel/checks.yaml",
        "more_checks": ".satchel/checks",
        "check_workflow": ".github/workflows/satchel-check.yml",
        "intent_links": ".satchel/intent-links.json",
        "prompts": ".satchel/prompts",
        "agents": ".satchel/agents",
        "tables": ".satchel/tables",
        "sessions": ".satchel/sessions",
        "learnings_log": ".satchel/LEARNINGS.md",
        "tasks": ".satchel/tasks.jsonl",
    },
    "beads": {
        "knowledge": ".beads/memory/knowledge.jsonl",
        "intent_links": ".beads/intent-links.json",
        "prompts": ".beads/prompts",
        "sessions": ".beads/sessions",
        "tasks": ".beads/issues.jsonl",
        "recall_shim": ".beads/memory/recall.sh",
    },
    "agents": {
        "knowledge": ".agents/knowledge.jsonl",
        "memory": ".agents/MEMORY.md",
        "instincts": ".agents/instincts.yaml",
    },
    "beans": {"knowledge": ".beans/knowledge.jsonl", "memory": ".beans/BEANS.md"},
}

#: Task files of every preset, beads and The Foundation, all read, first come first.
TASK_FILES = ("tasks.jsonl", ".satchel/tasks.jsonl", ".beads/issues.jsonl", ".beads/beads.jsonl")

#: Instruction files of the common clients.
_INSTRUCTIONS = ("AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", "BEANS.md")


class TrackedFiles(Directory):
    """A project's tracked files, in one work tree."""

    __slots__ = ("preset", "root")

    #: Id and settings of the project.
    project_file = Below(PROJECT_FILE)
    #: Learning notes of the project, in directories by category.
    solutions = Below("docs", "solutions")
    #: The project's intent.
    intent = Below("PROJECT_INTENT.md")
    #: Where dossiers of research are written.
    research = Below("research")
    #: The map of the code that people and agents read.
    codebase_map = Below("docs", "CODEBASE_MAP.md")
    #: What sessions begin with, as The Foundation keeps it in the repository.
    session_hooks = Below("config", "session-hooks.json")

    def __init__(self, root: str, preset: str = "default") -> None:
        super().__init__(root)
        self.root = root
        self.preset = preset

    def place(self, thing: str) -> str:
        """Return the absolute path of an item under this preset."""
        below = PRESETS[self.preset].get(thing) or PRESETS["default"][thing]
        return os.path.join(self.root, *below.split("/"))

    @property
    def knowledge(self) -> str:
        """The tracked ledger."""
        return self.place("knowledge")

    @property
    def routing(self) -> tuple[str, ...]:
        """Where a project may say which questions go to which tier; the first that is there."""
        return (
            os.path.join(self.root, ".satchel", ROUTING),
            os.path.join(self.root, "config", ROUTING),
        )

    @property
    def rules(self) -> tuple[str, ...]:
        """Files with rules for agents that are there: instruction files at the root, soft rules."""
        named = [os.path.join(self.root, name) for name in _INSTRUCTIONS]
        paths = (*named, self.place("memory"), self.place("instincts"))
        return tuple(path for path in paths if os.path.lexists(path))

    @property
    def intent_links(self) -> str:
        """Which task is about which section of the intent."""
        return self.place("intent_links")

    @property
    def tasks(self) -> tuple[str, ...]:
        """Every file that may hold tasks."""
        return tuple(os.path.join(self.root, *name.split("/")) for name in TASK_FILES)

    @property
    def sessions(self) -> str:
        """Sessions that git tracks, where a person has asked for that."""
        return self.place("sessions")

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

    def spoken(self) -> list[str]:
        """Files in the work tree that agents are shown verbatim, if present.

        Where a link leads outside the work tree, nothing is the repository's to show.
        """
        from satchel.storage.safe_open import escapes_root

        found = [self.place("memory"), self.intent, self.place("instincts"), *self.tasks]
        found += [self.learnings_log, self.place("checks")]
        for directory in (self.place("prompts"), os.path.join(self.root, ".claude", "prompts")):
            found += [os.path.join(directory, f"session-{kind}.md") for kind in ("start", "end")]
        parts = (self.place("tables"), self.place("more_checks"), self.solutions)
        for top in (*self.agents, *parts):
            for directory, _, names in os.walk(top):
                found += [os.path.join(directory, name) for name in sorted(names)]
        inside = (one for one in dict.fromkeys(found) if not escapes_root(one, self.root))
        return [path for path in inside if os.path.isfile(path)]

    def owned(self) -> tuple[str, ...]:
        """Satchel's own paths below the root, which gates must ignore."""
        here = PRESETS[self.preset].values()
        default = PRESETS["default"].values()
        wired = (".satchel", ".gitattributes", ".claude/settings.json")
        return tuple(sorted({*here, *default, *wired}))
