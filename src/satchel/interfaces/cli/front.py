"""The command line's front: finds the command, runs it, turns errors into words and exit codes."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence

from satchel import __version__
from satchel.core.errors import BadInputError, SatchelError
from satchel.interfaces.cli.endings import complain, refused, tell_what_was_worked_around

Command = Callable[[Sequence[str]], int]

#: Command -> what it does, in the order of the overview.
COMMANDS = {
    "init": "make this repository a Satchel project and wire the hooks (shows the diff first)",
    "install": "wire hooks, MCP server and skills into agent clients (shows the diff first)",
    "uninstall": "take them out again; what is yours stays",
    "join": "say whether a new clone belongs to a project that is known here",
    "adopt": "take over, or live beside, another memory's files and hooks",
    "learn": "remember something learnt",
    "remember": "remember something of another kind: decision, constraint, fact, ...",
    "recall": "search everything remembered",
    "memory": "list, show, delete memories; their history",
    "instructions": "show, list and save memory files: AGENTS.md, CLAUDE.md and their kin",
    "intent": "show what the project is for; link tasks to its sections",
    "task": "tasks: what is ready, what blocks what; create, claim, close, sync",
    "bd": "the same as bd says it: ready, show, create, update, close, sync",
    "research": "ask learnings, memories, code, documentation (and the web) at once",
    "prime": "look over the project: stack, README, what must be known of it",
    "brief": "show what an agent would be told: a session start, a whole prompt",
    "session": "sessions and their messages; import and search what clients wrote of theirs",
    "agent": "show and make agents' identity files; log their decisions",
    "route": "say which agent a message goes to, and how it went",
    "table": "business records by declared schema: add, find, count, import, export",
    "learnings": "search and keep learning notes, the project's and your own",
    "search-learnings": "search the notes of a directory by weighted front matter",
    "collection": "search Markdown trees by name: documentation, workspaces",
    "instincts": "small rules with a confidence: show, add, review, promote, prune",
    "guards": "lessons that act before a tool runs, once you approved them",
    "check": "run assertions about the memory, for CI too",
    "graph": "ask, feed, prune and draw the knowledge graph",
    "code": "find code: symbols, who uses what, docs/CODEBASE_MAP.md",
    "pack": "make a context pack: the files and symbols that a task is about",
    "reflect": "find what sessions taught; propose notes, rules and instincts",
    "review": "look at proposals as diffs; accept, change or reject them",
    "approve": "look at what a repository, tools and the web brought; let it reach agents",
    "quarantine": "the earlier name of `approve`",
    "share": "move memories into the ledger that git tracks, after a look",
    "team": "keep memories on your team's PostgreSQL server: init, push, pull, status",
    "import": "read an archive of `export`, another program's knowledge.jsonl or memory.db",
    "export": "write all durable things of this project, or of you, into one archive",
    "backup": "keep this moment of your home, beside whoever is writing",
    "restore": "put the home back as a backup has it, also to a moment between two",
    "log": "what was remembered, changed and deleted, and what stood at a time",
    "sync": "keep your homes on several machines alike, through a git remote of yours",
    "why-injected": "show what was put before a session, why, and what it cost",
    "serve": "answer over HTTP: the REST API, live changes; users and tokens of a team",
    "stats": "count memories, tokens and bytes",
    "doctor": "find and explain whatever is wrong",
    "rebuild": "build the index anew from the ledgers",
    "upkeep": "what time does: expire, decay, purge, rotate ...; install its schedule",
    "forget": "take memories out of every file, with a receipt of what is left where",
    "why": "where a memory comes from, what came of it, who was shown it",
    "config": "show settings and where they come from",
    "bench": "measure speed against named floors",
    "undo": "take back what was done last: a deletion, an accepted proposal, `init`, `adopt`",
    "completion": "print what bash, zsh, fish, tcsh or PowerShell need to complete commands",
    "schema": "print the JSON Schema of what a command prints with --json",
    "mcp": "serve the memory to agents over MCP; list its tools; clients' settings",
    "hook": "what agent clients call",
}


def run(words: Sequence[str]) -> int:
    """Run one command line; return its exit code."""
    _open_standard_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a character still gets the rest of the line.
            stream.reconfigure(errors="replace")
    try:
        code = _dispatch([_spelled(word) for word in words])
        sys.stdout.flush()
        tell_what_was_worked_around()
    except UnicodeEncodeError:
        # A name on the command line whose bytes are no text: nothing here can be called that.
        ours = all(word == _spelled(word) and not _is_escaped(word) for word in words)
        what = "A path that it uses" if ours else "A word of the command"
        wrong = BadInputError(f"{what} is not UTF-8.", hint="Spell it in UTF-8.")
        complain(wrong, as_json="--json" in words)
        return wrong.exit_code
    except SatchelError as error:
        complain(error, as_json="--json" in words)
        return error.exit_code
    except OSError as error:
        return refused(error, as_json="--json" in words)
    except KeyboardInterrupt:
        print("interrupted; what was saved is saved", file=sys.stderr)
        return 130
    return code


def _open_standard_streams() -> None:
    """Give a program that was started without them something to read from and write to."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 -- open until the end
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _spelled(word: str) -> str:
    """Return an argument as text. Bytes that are not UTF-8 stay only where they name a file."""
    if word.isascii() or os.path.lexists(word):
        return word
    return word.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _is_escaped(word: str) -> bool:
    return any("\udc80" <= c <= "\udcff" for c in word)


def _dispatch(words: Sequence[str]) -> int:
    if len(words) > 2 and words[0] == "-C":  # noqa: PLR2004
        words = [words[2], "-C", words[1], *words[3:]]
    if len(words) > 1 and words[0] == "help":
        words = [words[1], "--help"]
    name = words[0] if words else ""
    if name in ("", "-h", "--help", "help"):
        print(overview())
        return 0
    if name in ("-V", "--version", "version"):
        print(f"satchel {__version__}")
        return 0
    command = find_command(name)
    if command is None:
        import difflib

        near = difflib.get_close_matches(name, COMMANDS, n=1)
        raise BadInputError(
            f"There is no command `{name[:60]}`.",
            hint=f"Did you mean `satchel {near[0]}`?" if near else "`satchel help` lists them.",
        )
    return command(words[1:])


def find_command(name: str) -> Command | None:
    """Import the module of one command and return its function."""
    if name in ("recall", "recall-sh", "why-injected"):
        from satchel.interfaces.cli.memories import recall as recalling

        return recalling.COMMANDS[name]
    if name in ("learn", "remember", "memory"):
        from satchel.interfaces.cli.memories import remember as remembering

        return remembering.COMMANDS[name]
    if name in ("init", "adopt"):
        from satchel.interfaces.cli.setup import init as setting_up

        return setting_up.COMMANDS[name]
    if name in ("share", "import"):
        from satchel.interfaces.cli.sharing import share as exchanging

        return exchanging.COMMANDS[name]
    if name in ("doctor", "rebuild", "stats", "config"):
        from satchel.interfaces.cli.health import doctor as keeping

        return keeping.COMMANDS[name]
    if name == "serve":
        from satchel.interfaces.cli.server import serve as serving

        return serving.COMMANDS[name]
    if name == "bench":
        from satchel.interfaces.cli.bench import command as measuring

        return measuring.COMMANDS[name]
    return _find_safekeeping_command(name) or _find_deciding_command(name)


def _find_safekeeping_command(name: str) -> Command | None:
    """Return the commands by which what is remembered outlives this machine and this day."""
    if name in ("backup", "restore"):
        from satchel.interfaces.cli.backups import command as backups

        return backups.COMMANDS[name]
    if name == "export":
        from satchel.interfaces.cli.sharing import export as carrying

        return carrying.COMMANDS[name]
    if name == "log":
        from satchel.interfaces.cli.memories import log as history

        return history.COMMANDS[name]
    if name == "sync":
        from satchel.interfaces.cli.sharing import sync as syncing

        return syncing.COMMANDS[name]
    return None


def _find_deciding_command(name: str) -> Command | None:
    """Return the commands by which a person decides what is let in, and who takes part."""
    if name == "undo":
        from satchel.interfaces.cli.setup import undo

        return undo.COMMANDS[name]
    if name == "join":
        from satchel.interfaces.cli.setup import join

        return join.COMMANDS[name]
    if name in ("install", "uninstall"):
        from satchel.interfaces.cli.setup import install as installing

        return installing.COMMANDS[name]
    if name in ("reflect", "review"):
        from satchel.interfaces.cli.learning import reflect as reflecting

        return reflecting.COMMANDS[name]
    if name in ("approve", "quarantine"):
        from satchel.interfaces.cli.sharing import approve

        return approve.COMMANDS[name]
    return _find_knowledge_command(name)


def _find_knowledge_command(name: str) -> Command | None:
    """Return the commands about knowledge other than memories: notes, collections."""
    if name == "learnings":
        from satchel.interfaces.cli.notes import learnings

        return learnings.COMMANDS[name]
    if name == "search-learnings":
        from satchel.interfaces.cli.notes import search_learnings

        return search_learnings.COMMANDS[name]
    if name == "graph":
        from satchel.interfaces.cli.graph import command as graph

        return graph.COMMANDS[name]
    if name == "collection":
        from satchel.interfaces.cli.notes import collections

        return collections.COMMANDS[name]
    if name == "table":
        from satchel.interfaces.cli.tables import command as tables

        return tables.COMMANDS[name]
    if name == "team":
        from satchel.interfaces.cli.sharing import team

        return team.COMMANDS[name]
    return _find_reading_command(name)


def _find_reading_command(name: str) -> Command | None:
    """Return the commands about what an agent reads: briefs, intent, sessions, memory files."""
    if name in ("brief", "prime"):
        from satchel.interfaces.cli.briefs import command as briefs

        return briefs.COMMANDS[name]
    if name == "session":
        from satchel.interfaces.cli.sessions import command as sessions

        return sessions.COMMANDS[name]
    if name == "agent":
        from satchel.interfaces.cli.agents import command as agents

        return agents.COMMANDS[name]
    if name == "route":
        from satchel.interfaces.cli.routing import command as routing

        return routing.COMMANDS[name]
    if name == "instructions":
        from satchel.interfaces.cli.instructions import command as instructions

        return instructions.COMMANDS[name]
    if name in ("task", "bd"):
        from satchel.interfaces.cli.tasks import command as tasks

        return tasks.COMMANDS[name]
    if name == "intent":
        from satchel.interfaces.cli.intent import command as intent

        return intent.COMMANDS[name]
    return _find_lesson_command(name)


def _find_lesson_command(name: str) -> Command | None:
    """Return the commands about lessons: soft rules, guards, assertions; and about forgetting."""
    if name in ("forget", "why"):
        from satchel.interfaces.cli.memories import forget as forgetting

        return forgetting.COMMANDS[name]
    if name == "upkeep":
        from satchel.interfaces.cli.upkeep import command as upkeep

        return upkeep.COMMANDS[name]
    if name == "instincts":
        from satchel.interfaces.cli.instincts import command as instincts

        return instincts.COMMANDS[name]
    if name == "guards":
        from satchel.interfaces.cli.guards import command as guards

        return guards.COMMANDS[name]
    if name == "check":
        from satchel.interfaces.cli.checks import command as checks

        return checks.COMMANDS[name]
    return _find_code_command(name)


def _find_code_command(name: str) -> Command | None:
    """Return the commands that look into the code, and the one that asks everything."""
    if name == "code":
        from satchel.interfaces.cli.code import command as code

        return code.COMMANDS[name]
    if name == "pack":
        from satchel.interfaces.cli.code import packs

        return packs.COMMANDS[name]
    if name == "research":
        from satchel.interfaces.cli.research import command as research

        return research.COMMANDS[name]
    return _find_shell_command(name)


def _find_shell_command(name: str) -> Command | None:
    """Return the commands that fit Satchel into a shell, and into other programs."""
    if name == "schema":
        from satchel.interfaces.cli.shell import schema as describing

        return describing.COMMANDS[name]
    if name == "completion":
        from satchel.interfaces.cli.shell import completion as completing

        complete = completing.COMMANDS[name]
        return lambda words: complete(words, COMMANDS, find_command)
    return None


def overview() -> str:
    """Return the list of commands."""
    width = max(len(name) for name in COMMANDS)
    lines = [f"  {name:<{width}}  {text}" for name, text in COMMANDS.items()]
    return "\n".join(
        [
            "Satchel: the memory that coding agents carry from session to session.",
            "",
            "usage: satchel COMMAND [options]      satchel COMMAND --help",
            "",
            *lines,
            "",
            "Every command takes --json. Exit codes: 0 done, 1 failed, 2 bad input, 3 no project",
            "here, 4 not found, 5 a file or the disk refused, 6 busy, 7 not ours to change.",
        ]
    )
