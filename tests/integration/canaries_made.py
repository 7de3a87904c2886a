"""A home and a project in which everything that is the owner's own holds a word of its own.

Whoever is told one of these words was told what belongs to the person who runs the server.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from integration.transcripts_made import Transcript
from satchel.application.learning.reviewing.review import Review
from satchel.clients.transcript_format.project_key import project_key
from satchel.core.trust import AGENT
from satchel.features.injections.injection_ledger import InjectedItem, Injection
from satchel.features.injections.outcomes import HELPED, outcomes_of
from satchel.features.notes.collections import Collection
from satchel.features.proposals.values import (
    CREATE,
    ENTRY,
    HOME,
    KNOWLEDGE,
    LEARNINGS,
    MEMORIES,
    PROJECT,
    SET_ASIDE,
    Edit,
    Proposal,
)
from satchel.features.sessions.values import Message
from satchel.storage.inbox.events import COMMAND
from satchel.testing import run_git
from satchel.workspace import Workspace

#: Stands in every text, public and private: whoever asks for it finds all there is to find.
EVERYWHERE = "quillfeather"
#: What the project tells everybody.
PUBLIC = "lamplighters"
TASK = "lamp-1"
#: Where a client may keep what is the person's, and where Satchel does.
VARIABLES = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "CURSOR_DATA_DIR", "SATCHEL_HOME")
_SESSION = "5d3a1c9e-0000-4000-8000-000000000001"


def canary(name: str) -> str:
    """Return the word that stands where `name` says, and nowhere else."""
    return f"zq{name}qz"


def said(name: str) -> str:
    """Return a sentence with that word."""
    return f"The {EVERYWHERE} of {canary(name)} is what I keep to myself"


#: Word by word, where it stands below the person's directory.
FILES = {
    "claude": ".claude/CLAUDE.md",
    "codex": ".codex/AGENTS.md",
    "gemini": ".gemini/GEMINI.md",
    "copilot": ".copilot/copilot-instructions.md",
    "clientagent": ".claude/agents/lampist.md",
    "ownmemory": "home/MEMORY.md",
    "user": "home/agents/USER.md",
    "soul": "home/agents/zqagentqz/SOUL.md",
    "note": "base/learnings/debugging-sessions/lamp.md",
    "collection": "papers/lamp.md",
}
#: What is kept in ledgers, and drawn from them.
KEPT = (
    "preference", "lesson", "fact", "rule", "graph", "transcript", "private", "address", "deleted",
    "injected", "inside", "homeproposal", "learningproposal", "aside", "quote", "briefed", "heard",
)  # fmt: skip
#: Other places: the project's auto memory, files beside the tracked ones, names, settings.
OTHERS = ("auto", "claudelocal", "agentslocal", "agent", "routing", "config", "shelf")
EVERY = (*FILES, *KEPT, *OTHERS)


def leaks(told: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the words that were told, by name, each with where."""
    found: dict[str, list[str]] = {}
    for where, text in told:
        for name in EVERY:
            if canary(name) in text and where not in found.setdefault(name, []):
                found[name].append(where)
    return {name: where for name, where in found.items() if where}


class World:
    """One person's directory with a project in it.

    Args:
        at: an empty directory, which the environment calls the person's own.
    """

    def __init__(self, at: Path) -> None:
        self.at, self.home, self.root = at, at / "home", at / "work" / "shop"
        for name, below in FILES.items():
            self._write(at / below, said(name) + ".\n")
        self._write(at / FILES["note"], f"---\ntitle: {said('note')}\n---\n{said('note')}\n")
        auto = f".claude/projects/{project_key(str(self.root))}/memory/MEMORY.md"
        self._write(at / auto, f"- {said('auto')}\n")
        self._write(self.root / "README.md", f"# Shop\nOf {EVERYWHERE} and {PUBLIC}.\n")
        self._write(self.root / "lamp.py", f"def {EVERYWHERE}():\n    return '{PUBLIC}'\n")
        self._write(self.root / "AGENTS.md", f"- The {EVERYWHERE} is for {PUBLIC}.\n")
        self._project_files()
        run_git(str(self.root), "init", "--quiet")
        run_git(str(self.root), "add", "--all")
        run_git(str(self.root), "commit", "--quiet", "--message", "first")
        self._write(self.root / "CLAUDE.local.md", said("claudelocal") + "\n")
        self._write(self.root / "AGENTS.local.md", said("agentslocal") + "\n")
        self._settings()
        self.idents: list[str] = []
        with ExitStack() as stack:
            work = stack.enter_context(Workspace.open(str(self.root), home=str(self.home)))
            self.key = work.project.key
            self._remember(work)
            self._keep_elsewhere(work)
            self._propose(work)
            self._draw(work)

    def _write(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def _project_files(self) -> None:
        """What the project itself has of everything: so that each route has something to tell."""
        own = self.root / ".satchel"
        self._write(own / "project.toml", '[project]\nid = "01TESTTESTTESTTESTTESTTEST"\n')
        self._write(
            own / "intent.md", f"# Lamps {{#anchor:lamps}}\nOf {PUBLIC} and {EVERYWHERE}.\n"
        )
        self._write(own / "MEMORY.md", f"- {EVERYWHERE} is lit by {PUBLIC}\n")
        self._write(own / "tables" / "lamps.yaml", "table: lamps\nfields:\n  name: text\n")

    def _settings(self) -> None:
        self._write(
            self.home / "config.toml",
            f'[notes]\nknowledge_base = "{self.at}/base"\n[chat]\nmodel = "{canary("config")}"\n',
        )
        rule = {"pattern": canary("routing"), "tier": "warm"}
        routing = {"patterns": [rule], "cascade": ["hot", "warm", "structured", "archive", "code"]}
        self._write(self.home / "memory-query-routing.json", json.dumps(routing))
        profile = f"id: {canary('agent')}\nrole: lampist\nkeywords: [{EVERYWHERE}]\n"
        self._write(self.home / "agents" / canary("agent") / "profile.yaml", profile)

    def _remember(self, work: Workspace) -> None:
        """Memories of the project, public and private, and of the person."""
        made = [
            work.learn(f"The {EVERYWHERE} is lit by {PUBLIC}", task=TASK),
            work.remember(f"Never wet the {EVERYWHERE} of {PUBLIC}", kind="constraint"),
            work.learn(said("private"), visibility="private", task=TASK),
            work.remember(said("briefed"), kind="constraint", visibility="private"),
            work.learn(f"Ask {canary('address')}@harbour.org about the {EVERYWHERE}"),
            work.remember(said("lesson"), kind="learned", user=True),
            work.remember(f"{EVERYWHERE} | kept by | {canary('fact')}", kind="fact", user=True),
            work.remember(said("rule"), kind="constraint", user=True),
            work.remember(said("preference"), kind="preference", key=EVERYWHERE, user=True),
        ]
        gone = work.learn(f"{canary('deleted')} lights it: {canary('deleted')}@harbour.org")
        work.memories.delete(gone.id)
        self.idents += [one.id for one in (*made, gone)]
        self.private = made[2]
        outcomes_of(work.project).note("s1", {one.identity: (HELPED, 20) for one in made[:5]})
        command = f'bd comment {TASK} "LEARNED: {canary("heard")}@harbour.org keeps {EVERYWHERE}"'
        event = {"what": COMMAND, "command": command, "session": _SESSION}
        work.project.inbox.append(event, work.project.clock.now())

    def _keep_elsewhere(self, work: Workspace) -> None:
        """Sessions, what was injected into them, transcripts, collections."""
        with work.tasks as tasks:
            task = tasks.create(f"Light the {EVERYWHERE}")
        with work.sessions as sessions:
            session = sessions.new(title=f"About {PUBLIC}", task=TASK)
            sessions.move(session.id, "start")
            sessions.say(session.id, Message("user", f"What of {EVERYWHERE}?"))
            folder = self.at / ".claude" / "projects" / project_key(str(self.root))
            said_in = Transcript(str(self.root), _SESSION).person(
                f"No. Always light the {EVERYWHERE} with {canary('transcript')}, never with a match"
            )
            said_in.agent(f"Noted: {said('transcript')}").write(str(folder / f"{_SESSION}.jsonl"))
            sessions.archive.import_transcripts(clients=("claude",))
        decision = work.routing.route(f"Who lights the {EVERYWHERE}?")
        work.routing.outcome(decision.id, "success")
        self.idents += [task.id, TASK, session.id, _SESSION, decision.id, "s1", "lamps"]
        items = (
            InjectedItem("", "", "instructions", 1, 5, "", said("injected")),
            InjectedItem("", self.private.id, "recent", 2, 5, "", said("inside")),
        )
        work.injections.note(Injection(0, "s1", "SessionStart", "", 10, 100, 0, items))
        brief = work.briefs.session()
        work.briefs.note_injection(brief, session="s1", event="SessionStart")
        with work.notes as notes:
            notes.add_collection(Collection(canary("shelf"), str(self.at / "papers")), user=True)

    def _propose(self, work: Workspace) -> None:
        """Changes that wait for the person's word: of their own files, and of the project's."""
        edits = {
            "homeproposal": Edit(CREATE, HOME, "lamp.md", said("homeproposal")),
            "learningproposal": Edit(CREATE, LEARNINGS, "lamp.md", said("learningproposal")),
            "aside": Edit(SET_ASIDE, MEMORIES, self.private.id, said("aside")),
            "quote": Edit(ENTRY, PROJECT, "AGENTS.md", f"Light {PUBLIC}", "Rules"),
        }
        wanted = []
        for name, edit in edits.items():
            words = PUBLIC if name == "quote" else said(name)
            wanted.append(
                Proposal("memory", KNOWLEDGE, words, words, "high", (edit,), name,
                         quote=said(name), session=_SESSION, trust=AGENT)
            )  # fmt: skip
        with Review(work) as review:
            made = review.queue.propose(wanted)
        self.idents += [one.id for one in made]

    def _draw(self, work: Workspace) -> None:
        """What is derived, from everything that the owner sees: it lies there when others ask."""
        with work.graph as graph:
            graph.ingest(f"`{EVERYWHERE}` uses `{canary('graph')}`", user=True)
            graph.search(EVERYWHERE)
        with work.notes as notes:
            notes.reindex()
        work.research.ask(EVERYWHERE, save=False)
        work.ask(EVERYWHERE, tier="code")


__all__ = [
    "EVERY", "EVERYWHERE", "PUBLIC", "TASK", "VARIABLES", "World", "canary", "leaks", "said",
]  # fmt: skip
