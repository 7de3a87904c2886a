"""A project's agents: their identity files, read and searched, and their decisions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from satchel.core.errors import BadInputError, ConflictError
from satchel.core.plurals import counted
from satchel.core.redaction.names import refuse_secret
from satchel.engine.search.tokens import coverage, distinctive_words, shares_enough, stem, words_of
from satchel.features.agents.decisions import checked, entries_in, log_decision, tables
from satchel.features.agents.files import IdentityFiles, check_name
from satchel.features.agents.values import (
    DECISIONS,
    EAGER,
    FILES,
    IDENTITY,
    MEMORY,
    SOUL,
    TEMPLATES,
    USER,
    USER_TEMPLATE,
    Decision,
    IdentityFile,
    IdentityHit,
    is_untouched,
    parts_of,
)
from satchel.project.person import PersonStore
from satchel.project.store import ProjectStore
from satchel.storage.files import replace_file
from satchel.storage.ledger.record import Record
from satchel.storage.locks import FileLock
from satchel.storage.safe_open import is_within


class Memories(Protocol):
    """The part of a project's memories that agents use."""

    def live_everywhere(self, kinds: tuple[str, ...], limit: int) -> Iterable[Record]:
        """Return live records of these kinds, at most `limit` from each store."""

    def remember(self, content: str, *, kind: str, **fields: Any) -> Record:
        """Remember something and return it as saved."""


#: Words -> the files that a question with them is about, most likely first.
_ABOUT = (
    (("decide", "decision", "decided", "rationale", "why"), (DECISIONS,)),
    (("preference", "preferences", "prefer", "settings", "setting", "timezone"), (USER, MEMORY)),
    (
        ("who", "role", "personality", "identity", "soul", "boundaries", "capabilities", "mission"),
        (SOUL, IDENTITY, USER),
    ),
    (("user", "me"), (USER,)),
    (("remember", "memory", "fact", "facts", "routing"), (MEMORY,)),
)
_LEAST = 0.34
#: A file whose subject the question names, before comparing any of its words.
_NAMED_BONUS = 0.5
_EXCERPT = 1200


def files_for(question: str) -> tuple[str, ...]:
    """Return the labels of files relevant to a question, most likely first."""
    words = set(words_of(question))
    found: dict[str, None] = {}
    for names, labels in _ABOUT:
        if words & set(names):
            found.update(dict.fromkeys(labels))
    return tuple(found)


def answers(
    question: str, agent: str, files: Sequence[IdentityFile], limit: int
) -> list[IdentityHit]:
    """Return the sections that answer, best first.

    "Who am I" is answered by the beginning of SOUL.md, whatever its words; other questions by
    sections with their words, those of the relevant files first.
    """
    labels = files_for(question)
    found = []
    for file in files:
        named = _NAMED_BONUS * (1 - labels.index(file.label) / 10) if file.label in labels else 0.0
        for number, part in enumerate(parts_of(file.text)):
            share = coverage(question, f"{part.title} {part.text}")
            titled = 0.2 if _shares_word(question, part.title) else 0.0
            first = 0.05 if number <= 1 else 0.0
            if not _says_something(part.text) or (share < _LEAST and not named):
                continue
            score = min(1.0, named + first + titled + share * (1 - _NAMED_BONUS))
            text = part.text[:_EXCERPT]
            found.append(
                IdentityHit(agent, file.label, file.path, title=part.title, text=text, score=score)
            )
    found.sort(key=lambda hit: -hit.score)
    return found[:limit]


def _says_something(text: str) -> bool:
    """Return whether a section contains more than an empty table."""
    if not text or any(table.rows for table in tables(text)):
        return bool(text)
    if is_untouched(text):
        return False
    return any(line.strip() and not line.lstrip().startswith("|") for line in text.split("\n"))


def _shares_word(question: str, title: str) -> bool:
    asked = {stem(word) for word in words_of(question)}
    return any(stem(word) in asked for word in words_of(title))


#: Agents that a message names.
_NAMED = 6
_MODE = 0o644
#: Words that ask for decisions without naming a subject.
_ASKING = {"decide", "decided", "decision", "decisions"}


class AgentFiles:
    """The identity files of an open project's agents.

    Args:
        person: whose files and preferences also count; None if no user data may be read.
        memories: for reading preferences and remembering decisions.
    """

    def __init__(
        self, project: ProjectStore, person: PersonStore | None, memories: Memories
    ) -> None:
        self.project, self._memories = project, memories
        mine = [person.home] if person is not None else []
        self.places = (*project.tracked.agents, *(home.agents for home in mine))
        self._roots = (project.place.root, *(home.path for home in mine))
        self.files = IdentityFiles(self.places, self._roots)

    def names(self) -> list[str]:
        """Return the names of agents that have files."""
        return self.files.names()

    def chosen(self, name: str = "") -> str:
        """Return the selected agent: the one named, the setting's, or the only one.

        "" for none; raises `NotFoundError` for a name without files.
        """
        name = name or self.project.settings.text("agents.default")
        if name:
            return self.files.known(name)
        names = self.names()
        return names[0] if len(names) == 1 else ""

    def unclear(self) -> str:
        """Return why no agent is selected if there are several; otherwise ""."""
        names = [] if self.chosen() else self.names()
        if len(names) <= 1:
            return ""
        return (
            f"{counted(len(names), 'agent')} have files here ({', '.join(names[:_NAMED])}): "
            "`--agent NAME`, or the setting `agents.default`, says who asks."
        )

    def eager(self, name: str = "") -> list[tuple[str, str, str]]:
        """Return the files that every session of an agent starts with: label, path and text."""
        agent = self._agent_or_nobody(name)
        files = self.files.read(agent, EAGER)
        return [(one.label, one.path, one.text) for one in files if not is_untouched(one.text)]

    def read(self, name: str = "", *, everything: bool = False) -> list[IdentityFile]:
        """Read an agent's files: the eager ones, or all."""
        return self.files.read(self._agent_or_nobody(name), FILES if everything else EAGER)

    def search(self, question: str, limit: int = 5, *, agent: str = "") -> list[IdentityHit]:
        """Answer from identity files, and from stored preferences if asked for.

        Args:
            question: "who am I", "what are my preferences", or any words.
            agent: the agent; "" for the default.
        """
        name = self._agent_or_nobody(agent)
        hits = answers(question, name, self.files.read(name, FILES), limit)
        if USER in files_for(question) and MEMORY in files_for(question):
            hits = self._preferences(name) + hits
            hits.sort(key=lambda hit: -hit.score)
        return hits[:limit]

    def decided(self, question: str, limit: int = 5, *, agent: str = "") -> list[IdentityHit]:
        """Answer from DECISIONS.md, of every agent or of the one named.

        A question without a subject gets the last entries.
        """
        asks_for_all = _ASKING.issuperset(distinctive_words(question))
        found = []
        for name in [agent] if agent else self.names():
            for file in self.files.read(name, (DECISIONS,)):
                for text in reversed(entries_in(file.text)):
                    if asks_for_all or shares_enough(question, text):
                        score = coverage(question, text)
                        hit = IdentityHit(
                            name, file.label, file.path, title="", text=text, score=score
                        )
                        found.append(hit)
        found.sort(key=lambda hit: -hit.score)
        return found[:limit]

    def _preferences(self, agent: str) -> list[IdentityHit]:
        found: dict[str, Record] = {}
        for record in self._memories.live_everywhere(("preference",), 100):
            if not record.agent or record.agent.lower() == agent.lower():
                found.setdefault(record.identity, record)
        return [
            IdentityHit(
                record.agent,
                "preference",
                record.id,
                title=record.key,
                text=f"{record.key}: {record.content}",
                score=0.9,
            )
            for record in found.values()
        ]

    def _agent_or_nobody(self, name: str) -> str:
        return self.chosen(name) or "_"

    def new(self, name: str) -> list[str]:
        """Create an agent's missing files; return their paths."""
        agent = check_name(name)
        refuse_secret(agent, "agent")
        made = []
        with FileLock(self.project.state.lock("agents"), timeout=10):
            for label, template in {**TEMPLATES, USER: USER_TEMPLATE}.items():
                path = self.files.path(agent, label)
                shared = label == USER and self.files.read(agent, (USER,))
                if os.path.lexists(path) or shared:
                    continue
                self._inside(path)
                text = template.format(name=agent)
                replace_file(path, text.encode("utf-8"), mode=_MODE)
                made.append(path)
        if not made:
            raise ConflictError(
                f"The agent {agent!r} has all its files.",
                hint=f"`satchel agents show {agent} --all` shows them.",
            )
        return made

    def _inside(self, path: str) -> str:
        """Return a file's real path; raise if links lead outside the project."""
        real = os.path.realpath(path)
        if not any(is_within(real, os.path.realpath(root)) for root in self._roots):
            raise ConflictError(
                f"{path} is outside the project.", hint="Make it a file, not a link."
            )
        return real

    def log_decision(self, decision: Decision, *, agent: str = "") -> tuple[str, str, Record]:
        """Add a row to DECISIONS.md and remember the decision; return path, row, memory."""
        name = agent or self.project.settings.text("agents.default") or self.chosen()
        if not name:
            raise BadInputError(
                "No agent was given for the decision.",
                hint="Give --agent NAME; `satchel agents list` shows them.",
            )
        name = next((n for n in self.names() if n.lower() == name.lower()), check_name(name))
        decision = checked(decision)
        path = self.files.path(name, DECISIONS)
        real = self._inside(path)
        lock = self.project.state.lock("agents")
        row = log_decision(real, lock, decision, name, self.project.clock.now())
        text = f"{decision.topic}: {decision.decision}\nRationale: {decision.rationale}"
        if decision.alternatives:
            text += f"\nAlternatives considered: {', '.join(decision.alternatives)}"
        if decision.applies_to:
            text += f"\nApplies to: {decision.applies_to}"
        record = self._memories.remember(
            text,
            kind="decision",
            title=decision.topic,
            agent=name,
            category="decision",
            data={
                k: list(v) if isinstance(v, tuple) else v
                for k, v in decision._asdict().items()
                if v
            },
        )
        return path, row, record
