"""Where a reflection's changes go in a project, and what already exists there."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress

from satchel.application.learning.drafting.values import SimilarNote, Targets
from satchel.application.learning.reviewing.kept_in_session import kept_in_session, says_it
from satchel.clients.registry import ALIASES, CLAUDE_CODE, alias_of
from satchel.core.errors import NotFoundError, SatchelError
from satchel.core.ids import short_id
from satchel.core.kinds import KNOWLEDGE, kinds_for
from satchel.core.trust import AGENT
from satchel.engine.statements.contradictions import AGAINST, SAME, Clash, Rule, clashes
from satchel.engine.tool_kinds import calls_a_tool
from satchel.features.instructions.adding import known_rules, target_of
from satchel.features.instructions.rule_lines import is_one_item, rules_in
from satchel.features.notes.values import EPISODE
from satchel.features.proposals.values import (
    HOME,
    LEARNINGS,
    MEMORIES,
    PROJECT,
    SET_ASIDE,
    STRUCTURED,
    TAKE_OUT,
    WITHDRAW,
    Edit,
)
from satchel.storage.safe_open import escapes_root, is_within, open_text, read_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services
    from satchel.features.notes.finding import NoteMatch
    from satchel.storage.ledger.record import Record

#: The directory where Claude Code and similar clients look for skills in a repository.
_SKILLS = ".claude/skills"
_AGENT_FOLDERS = (".claude/agents", ".agents/agents")
_LARGEST = 262_144
#: Most memories to compare a suggestion with.
_MOST_MEMORIES = 500
_LOOKED_AT = 6
#: How soon after a statement a change counts as the agent carrying it out, seconds.
_SOON = 120
_WORD = re.compile(r"[A-Za-z0-9_]{3,}")


class ProjectTargets:
    """Finds targets, rules and similar notes; reads each file once."""

    def __init__(self, work: Services) -> None:
        self.work = work
        self.root = work.project.place.root
        self._rules: list[Rule] | None = None
        self._memories: list[Rule] | None = None
        self._written: dict[str, Record] = {}
        #: Pending and just drafted suggestions, which a later one may contradict.
        self.suggested: list[Rule] = []

    def targets(self, session: str = "", client: str = "") -> Targets:
        """Return the targets for one session's lessons.

        Args:
            session: its id.
            client: the session's client, if known; its alias.
        """
        work = self.work
        return Targets(
            instructions=self._below(self._rules_file(client)),
            memory=self._below(work.project.tracked.place("memory")),
            instincts=self._below(work.project.tracked.place("instincts")),
            solutions=self._below(work.project.tracked.solutions),
            skills=_SKILLS,
            agents=self.agents(),
            clashing=self.clashing,
            similar=self.similar,
            now=work.project.clock.now(),
            session=session,
            project=os.path.basename(self.root),
            # reflect's own layout keeps such lines in its MEMORY.md, so continue there.
            remembers=work.project.tracked.preset != "agents",
            has_person=work.person is not None,
            remembered=lambda entry: self.remembered(entry, session),
            kept=lambda entry: self.kept(entry, session),
            outdated=self.outdated,
        )

    def _rules_file(self, client: str) -> str:
        """Return the instruction file for a rule that was said in a client.

        That client reads it, if it reads any; of those it is the one that most of the clients in
        use here read.
        """
        instructions = self.work.instructions
        first = target_of(instructions, "project").path
        names = [os.path.join(self.root, one) for one in instructions.wanted().names]
        paths = sorted(filter(os.path.isfile, names), key=lambda one: one != first)
        if len(paths) < 2:  # noqa: PLR2004 -- nothing to choose from
            return first
        from satchel.clients.setup.checking import wired_clients

        used = {client, *map(alias_of, wired_clients(self.root))} & set(ALIASES)
        read = {one: instructions.read_by(one)[0] for one in used}

        def readers(path: str) -> tuple[bool, int]:
            by = {one for one in used if os.path.realpath(path) in read[one]}
            return client in by, len(by)

        return max(paths, key=readers)

    def _below(self, path: str) -> str:
        return os.path.relpath(path, self.root).replace(os.sep, "/")

    def agents(self) -> dict[str, tuple[str, str]]:
        """Return agents' files by name: the project's before the user's own."""
        found: dict[str, tuple[str, str]] = {}
        home = os.path.realpath(os.path.expanduser("~"))
        places = [(PROJECT, self.root, os.path.join(self.root, one)) for one in _AGENT_FOLDERS]
        if self.work.person is not None:
            mine = os.path.realpath(
                os.path.join(self.work.person.client_home(CLAUDE_CODE), "agents")
            )
            places += [(HOME, home, mine)] if is_within(mine, home) else []
        for below, base, folder in places:
            for path in _markdown_in(folder):
                if not escapes_root(path, base):
                    name = os.path.basename(path).removesuffix(".md")
                    relative = os.path.relpath(path, base).replace(os.sep, "/")
                    found.setdefault(name, (below, relative))
        return found

    # What is there

    def rules(self) -> list[Rule]:
        """Return every line that may be a rule: instructions, agents, MEMORY.md, soft rules."""
        if self._rules is None:
            rules = known_rules(self.work.instructions)
            paths = [self.work.project.tracked.place("memory")]
            paths += [os.path.join(self.base(b), p) for b, p in self.agents().values()]
            seen = {rule.path for rule in rules}
            for path in paths:
                # A link or binary data in its place: doctor reports what is wrong with the file.
                with suppress(SatchelError):
                    rules += [] if path in seen else rules_in(path, self.text_of(path))
            with suppress(SatchelError):
                rules += self.work.instincts.rules(self.work.project.tracked.place("instincts"))
            self._rules = rules
        return self._rules

    def clashing(self, entry: str) -> Sequence[Clash]:
        """Return rules that an entry repeats or contradicts, with display paths.

        Of memories and other suggestions, only contradicted ones.
        """
        standing = [
            one._replace(rule=one.rule._replace(path=self.shown(one.rule.path)))
            for one in clashes(entry, self.rules())
        ]
        others = clashes(entry, [*self.memories(), *self.suggested])
        return [*standing, *(one for one in others if one.what == AGAINST)]

    def remembered(self, entry: str, session: str) -> str:
        """Return the memory that says the same as an entry of a session, or ""."""
        found = [one.rule.path for one in clashes(entry, self.memories()) if one.what == SAME]
        if not found:
            kept = kept_in_session(self.work, session)
            found = [f"memory {short_id(one)}" for one, text in kept if says_it(entry, text)]
        return next(iter(found), "")

    def kept(self, entry: str, session: str) -> Edit | None:
        """Return the edit that puts aside the agent's memory that says the same; None for none."""
        record = self._written.get(self.remembered(entry, session))
        if record is None or record.trust != AGENT:
            return None
        return Edit(SET_ASIDE, MEMORIES, record.id, record.content[:400])

    def memories(self) -> list[Rule]:
        """Return the newest memories, the person's own too, that a suggestion may repeat, by id."""
        if self._memories is None:
            live = self.work.memories.own.live(kinds=kinds_for(KNOWLEDGE), limit=_MOST_MEMORIES)
            self._written = {f"memory {short_id(one.id)}": one for one in live}
            person = self.work.memories.stores.person
            mine = person.live(kinds=kinds_for(KNOWLEDGE), limit=_MOST_MEMORIES) if person else []
            theirs = {f"your memory {short_id(one.id)}": one for one in mine}
            every = {**self._written, **theirs}
            self._memories = [Rule(name, 0, one.content) for name, one in every.items()]
        return self._memories

    # What is to go

    def outdated(self, clash: Clash, at: float) -> Edit | None:
        """Return the edit that removes what a later statement contradicts.

        None if `at`, in Unix seconds, is unknown or not later, for others' files, and for what says
        more than is contradicted.
        """
        if calls_a_tool(clash.rule.text):
            return None
        record = self._written.get(clash.rule.path)
        if record is not None:
            older = 0 < record.when <= at
            return Edit(SET_ASIDE, MEMORIES, record.id, record.content[:400]) if older else None
        place = (clash.rule.path, clash.rule.line, clash.rule.text)
        found = (one for one in self.rules() if (self.shown(one.path), *one[1:]) == place)
        rule = next(found, None)
        if rule is None or not at or changed_since(rule.path, at):
            return None
        edit = self.edit_without(rule)
        return edit if edit and self.says_no_more(rule, edit) else None

    def says_no_more(self, rule: Rule, edit: Edit) -> bool:
        """Return whether nothing but a contradicted choice is lost with a line.

        "Use npm" is one; without "Run tests with npm test" nobody knows how tests are run.
        """
        one_item = edit.operation != TAKE_OUT or is_one_item(self.text_of(rule.path), rule)
        return one_item and not calls_a_tool(rule.text)

    def edit_without(self, rule: Rule) -> Edit | None:
        """Return the edit that removes a rule from this project's files; None for others."""
        if not is_within(rule.path, self.root):
            return None
        if rule.path == self.work.project.tracked.place("instincts"):
            return Edit(STRUCTURED, PROJECT, self._below(rule.path), rule.text, WITHDRAW)
        if not rule.path.endswith(".md"):
            return None
        line = self.text_of(rule.path).splitlines()[rule.line - 1]
        return Edit(TAKE_OUT, PROJECT, self._below(rule.path), line)

    def similar(self, text: str) -> list[SimilarNote]:
        """Return notes on the same subject, most similar first, by shared words."""
        words = _words(text)
        if len(words) < 3:  # noqa: PLR2004 -- nothing to compare
            return []
        notebook = self.work.notes
        try:
            items = notebook.search(" ".join(text.split())[:400], limit=_LOOKED_AT).items
            base = notebook.indexes.knowledge_base
            standing = {one.id: notebook.paths_with_id(one.id) for one in items if one.id}
        except SatchelError:
            return []  # without an index nothing is similar: a duplicate note is better than none
        finally:
            notebook.close()

        def copies(item: NoteMatch, place: tuple[str, str]) -> tuple[tuple[str, str], ...]:
            found = (self._placed(path, base) for path in standing.get(item.id, ()))
            return tuple(dict.fromkeys(one for one in found if one and one != place))

        known = []
        for item in items:
            place = self._placed(item.path, base)
            if place is None or item.kind == EPISODE:
                continue
            held = _words(f"{item.title} {item.key_insight} {item.excerpt}")
            core = _words(f"{item.title} {item.key_insight}")
            near = max(_share(words, held) * 0.9, _alike(words, core))
            known.append(SimilarNote(item.id, item.title, *place, near, copies(item, place)))
        return sorted(known, key=lambda one: -one.near)

    def _placed(self, path: str, base: str) -> tuple[str, str] | None:
        for below, folder in ((PROJECT, self.root), (LEARNINGS, base)):
            if is_within(path, folder):
                return below, os.path.relpath(path, folder).replace(os.sep, "/")
        return None

    def text_of(self, path: str) -> str:
        """Return a text file of the project or the user; "" if unreadable."""
        if is_within(path, self.root):
            try:
                data = read_inside(self.root, path, most=_LARGEST)
            except NotFoundError:
                return ""
        else:
            data = open_text(path, lambda _: "", most=_LARGEST).data
        return data.decode("utf-8", "replace")

    def base(self, below: str) -> str:
        """Return the directory that a suggestion's paths are relative to."""
        if below == PROJECT:
            return self.root
        if below == LEARNINGS:
            notebook = self.work.notes
            try:
                return notebook.indexes.knowledge_base
            finally:
                notebook.close()
        return os.path.realpath(os.path.expanduser("~"))

    def shown(self, path: str) -> str:
        """Return a path's display name."""
        if is_within(path, self.root):
            return os.path.relpath(path, self.root)
        home = os.path.expanduser("~")
        return "~/" + os.path.relpath(path, home) if is_within(path, home) else path


def _markdown_in(folder: str) -> list[str]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    paths = [os.path.join(folder, name) for name in names if name.endswith(".md")]
    return [path for path in paths if os.path.isfile(path)]


def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower()[:8] for word in _WORD.findall(text))


def _share(words: frozenset[str], held: frozenset[str]) -> float:
    return len(words & held) / len(words)


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


def changed_since(path: str, at: float) -> bool:
    """Return whether a file was changed after a time in Unix seconds, or is missing."""
    try:
        return os.stat(path).st_mtime > at + _SOON
    except OSError:
        return True
