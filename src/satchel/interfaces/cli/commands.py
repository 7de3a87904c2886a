"""The table of commands: name, module, summary and aliases."""

from __future__ import annotations

import sys

from satchel.core.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Run = Callable[[Sequence[str]], int]


class Command(NamedTuple):
    """A command: the module below `satchel.interfaces.cli` that runs it, "" for another face.

    Its function has the command's name, or the name after a colon in `module`. `bare` is its
    default action.
    """

    name: str
    module: str
    does: str
    bare: str = ""


#: Group -> the fields of its commands, in the order of `satchel help all`.
_ROWS = {
    "Start": (
        ("init", "setup.init", "make this repository a project; wire the agents found here"),
        ("install", "setup.install", "wire hooks, MCP server and skills into agent clients"),
        ("uninstall", "setup.install", "remove them; your own settings stay"),
        ("undo", "setup.undo", "undo the newest change; with --setup, what init or install wrote"),
        ("status", "health.status", "show how this project stands, and the next step"),
        ("doctor", "health.doctor", "find and explain problems"),
        ("config", "health.config", "show and change settings"),
        ("adopt", "setup.init", "import another memory tool's files, or work beside it"),
        ("join", "setup.join:run", "say whether a new clone belongs to a project known here"),
    ),
    "Remember": (
        ("remember", "memories.remember", "keep a lesson; with --kind a rule, a decision"),
        ("learn", "memories.remember", "the same for lessons"),
        ("recall", "memories.recall", "search everything remembered"),
        ("memory", "memories.memory", "list, show, edit and hide memories", "list"),
        ("forget", "memories.forget", "erase memories from every file, with a receipt"),
        ("why", "thread.command", "show where a line, commit, task or memory comes from"),
        ("thread", "thread.command", "show what was asked, learnt and committed, in order"),
        ("log", "memories.log", "show what was remembered, changed and hidden, and when"),
    ),
    "Sessions": (
        ("brief", "briefs.command", "show what an agent is told when a session starts"),
        ("why-injected", "memories.why_injected", "show what was shown in a session, and why"),
        ("sessions", "sessions.command:session", "list, read and search sessions", "list"),
        ("reflect", "learning.reflect", "look for lessons in past sessions"),
        ("review", "learning.review", "accept, change or reject suggestions"),
        ("approve", "sharing.approve", "approve what a repository, tools or the web brought"),
        ("quarantine", "sharing.approve", "the former name of `approve`"),
    ),
    "Project": (
        (
            "notes",
            "notes.learnings:learnings",
            "search and keep notes, the project's and yours",
            "list",
        ),
        ("docs", "notes.collections:collection", "search directories of Markdown", "list"),
        ("search-learnings", "notes.search_learnings", "search notes by front matter"),
        ("instructions", "instructions.command", "show and edit CLAUDE.md, AGENTS.md, ...", "show"),
        ("intent", "intent.command", "show what the project is for; link tasks to it", "show"),
        (
            "tasks",
            "tasks.command:task",
            "show what is ready and what blocks it; create, close",
            "ready",
        ),
        ("bd", "tasks.command", "the same, in bd's format"),
        ("code", "code.command", "find symbols and who uses them", "status"),
        ("anchor", "code.anchor", "pin memories to the code they are about again"),
        ("pack", "code.command", "make a context pack for a task"),
        ("overview", "briefs.command:prime", "give an overview: stack, README, what must be known"),
        ("research", "research.command", "ask notes, memories, code and documentation"),
        ("graph", "graph.command", "query, feed and draw the knowledge graph", "stats"),
        ("rules", "instincts.command:instincts", "show and manage soft rules"),
        ("guards", "guards.command", "rules that act before a tool runs"),
        ("check", "checks.command", "test what the memory says, for CI too"),
    ),
    "Share": (
        ("share", "sharing.share", "move memories into the file that git tracks"),
        ("team", "sharing.team", "keep memories on your team's PostgreSQL server", "status"),
        ("sync", "sharing.sync", "sync your machines through your own git remote", "status"),
        ("import", "sharing.share:import_", "read an export, or another program's memory"),
        ("export", "sharing.share", "write everything durable into one archive"),
        ("backup", "backups.command", "back up your home"),
        ("restore", "backups.command", "restore your home from a backup"),
        ("serve", "server.serve", "run the web console and the REST API"),
        ("mcp", "server.mcp", "serve the memory to agents over MCP"),
    ),
    "Agents and data": (
        ("agents", "agents.command:agent", "show and make agents' identity files", "list"),
        ("route", "routing.command", "choose the agent for a message"),
        ("tables", "tables.command:table", "keep business records with a declared schema", "list"),
    ),
    "Upkeep": (
        ("stats", "health.doctor", "count memories, tokens and bytes"),
        ("upkeep", "upkeep.command", "do what is due: expire, decay, archive; schedule it"),
        ("rebuild", "health.doctor", "rebuild indexes and graph from the files"),
        ("bench", "bench", "measure speed and search quality, from a clone"),
        ("completion", "shell.completion", "print a shell completion script"),
        ("hook", "", "called by agent clients"),
    ),
}

#: Group -> its commands.
GROUPS = {group: tuple(Command(*row) for row in rows) for group, rows in _ROWS.items()}
COMMANDS = {command.name: command for group in GROUPS.values() for command in group}

#: Aliases -> the words they stand for.
ALIASES = {
    "list": ("memory", "list"),
    "show": ("memory", "show"),
    "edit": ("memory", "edit"),
    "history": ("memory", "history"),
    "hide": ("memory", "delete"),
    "erase": ("forget",),
    "session": ("sessions",),
    "learnings": ("notes",),
    "collection": ("docs",),
    "task": ("tasks",),
    "instincts": ("rules",),
    "prime": ("overview",),
    "suggestions": ("review",),
    "accept": ("review", "accept"),
    "apply": ("review", "accept"),
    "reject": ("review", "reject"),
    "settings": ("config",),
    "console": ("serve", "--open"),
    "agent": ("agents",),
    "table": ("tables",),
    # What hands type from habit.
    "add": ("remember",),
    "save": ("remember",),
    "search": ("recall",),
    "find": ("recall",),
    "query": ("recall",),
    "ls": ("memory", "list"),
    "memories": ("memory",),
    "delete": ("memory", "delete"),
    "rm": ("memory", "delete"),
    "remove": ("memory", "delete"),
    "note": ("notes",),
    "todo": ("tasks",),
    "info": ("status",),
    "setup": ("init",),
    "inbox": ("review",),
    "proposals": ("review",),
    "pending": ("review",),
    "trust": ("approve",),
    "ask": ("recall",),
    "lessons": ("memory", "list", "--kind", "lesson"),
    "decisions": ("memory", "list", "--kind", "decision"),
    "dashboard": ("serve", "--open"),
    "ui": ("serve", "--open"),
    "web": ("serve", "--open"),
    "injected": ("why-injected",),
    "blame": ("why",),
    "explain": ("why",),
    "grep": ("recall",),
    "facts": ("memory", "facts"),
    "unhide": ("memory", "restore"),
    "guard": ("guards",),
    "rule": ("rules",),
    "instinct": ("rules",),
}
_OFF = (
    "`SATCHEL_DISABLED=1` in the environment turns the hooks off; "
    "`satchel config set hooks.inject false` stops showing memories to agents, "
    "`satchel config set hooks.capture false` stops keeping what they learn, "
    "and `satchel uninstall` takes Satchel out of them."
)
_REPLACE = (
    '`satchel edit ID "..."` gives a memory new words; '
    "`satchel remember` of what holds now may replace it by itself."
)
#: The right command -> what people type for it.
_SAID = {
    "satchel install --status": "hooks",
    "satchel install --skills": "skills",
    _OFF: "off disable pause stop",
    "satchel config set hooks.inject true": "on enable",
    "Pull Satchel's clone and run `make try` there.": "update upgrade",
    "satchel undo --dry-run": "reset",
    "satchel upkeep": "clean gc",
    "satchel share": "commit push publish",
    "What others share comes with `git pull`; then look: `satchel approve`.": "pull",
    "satchel check": "test lint conflicts contradictions",
    "satchel doctor": "verify fix repair",
    (
        "`satchel review --diff` shows what suggestions would change; "
        "`satchel history ID` what a memory said before."
    ): "diff",
    (
        '`satchel remember "..." --kind decision` keeps a decision; '
        "`satchel docs add` makes a directory of decision records searchable."
    ): "adr",
    _REPLACE: "supersede replace",
    (
        "`satchel upkeep consolidate` finds memories that say the same; "
        "`satchel review` asks which stays."
    ): "dedupe",
    "`satchel hide ID --share` hides a shared memory, for your colleagues too.": "unshare",
    "satchel sessions checkpoint": "checkpoint",
    "satchel sessions": "resume last",
    "satchel log --since today": "today",
    "satchel log --since yesterday": "yesterday",
    "satchel brief": "context",
    "satchel brief --prompt WORDS": "prompt",
    "satchel rules": "preferences prefs",
    "satchel review --all": "corrections",
    "satchel stats": "where",
    "satchel recall --everywhere WORDS": "projects",
}
SAID_OTHERWISE = {word: told for told, words in _SAID.items() for word in words.split()}
#: How similar a word must be to a command's name: "pause" is not a typo for "erase".
_NEAR = 0.75
#: A command that only scripts of beads memory call, and its module.
_UNLISTED = {"recall-sh": "memories.recall"}


def with_action(name: str, words: list[str]) -> list[str]:
    """Insert the default action if the words name none."""
    bare = COMMANDS[name].bare if name in COMMANDS else ""
    named = words[2:] if words[:1] == ["-C"] else words
    return [*words, bare] if bare and {*named} <= {"--json"} else words


def hint_for(name: str) -> str:
    """Return what to do instead of an unknown command."""
    said = SAID_OTHERWISE.get(name.lstrip("-").lower(), "")
    if " " in name.strip():
        said = 'satchel recall "..."'
    if not said:
        import difflib

        near = difflib.get_close_matches(name, [*COMMANDS, *ALIASES], n=1, cutoff=_NEAR)
        said = f"satchel {near[0]}" if near else ""
    if said.startswith("satchel "):
        return f"Did you mean `{said}`?"
    return said or "`satchel help all` lists them."


def run_of(name: str) -> Run | None:
    """Import a command's module and return its function, or None if there is none."""
    module = COMMANDS[name].module if name in COMMANDS else _UNLISTED.get(name, "")
    if not module:
        return None
    room, _, function = module.partition(":")
    path = f"satchel.interfaces.cli.{room}"
    __import__(path)  # `importlib` would cost a bare `--version` more than everything else
    found: Run = getattr(sys.modules[path], function or name.replace("-", "_"))
    return found
