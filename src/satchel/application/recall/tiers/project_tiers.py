"""The tiers of a project: what each answers from, and in which order they are queried."""

from __future__ import annotations

import os
from collections.abc import Callable

from satchel.application.recall.conversions import (
    STRUCTURED_KINDS,
    as_decided,
    memory_results,
    note_result,
)
from satchel.application.recall.questions import HYBRID, KEYWORD, SEMANTIC
from satchel.application.recall.results import (
    ARCHIVE,
    CODE,
    HOT,
    NUMBERED,
    TIERS,
    WARM,
    Result,
    Route,
    RoutedAnswer,
    Routing,
)
from satchel.application.recall.routing import (
    DEFAULT,
    DOCUMENTS,
    GRAPH,
    IDENTITY,
    INSTRUCTIONS,
    MEMORIES,
    PREFERENCES,
    RECORDS,
    RULES,
    SOURCES,
    TABLES,
    TASKS,
    asked_about,
    read_routing,
    route_of,
)
from satchel.application.recall.search.reranking import candidates, rerank_results
from satchel.application.recall.service import recall_memories
from satchel.application.recall.tiers.cascade import TierCascade, answer_routed, fuse_by_rank
from satchel.application.recall.unapproved import with_trust
from satchel.application.services import Services, private_states
from satchel.core.errors import BadInputError, SatchelError, StoreAwayError
from satchel.engine.search.documents import Filter
from satchel.engine.search.tokens import (
    COMMON,
    LEAST_COVERAGE,
    coverage,
    distinctive_words,
    words_of,
)
from satchel.storage.ledger.record import Record
from satchel.storage.safe_open import read_inside

#: Words that ask for all preferences rather than one.
_PREFERENCES = ("preference", "preferences", "setting", "settings", "show", "list")
#: Every question about the asker or their likes contains one of these words.
_OF_ONESELF = frozenset(
    ("i", "me", "my", "mine", "myself", "you", "your", "prefer", "preference", "preferences")
)
#: Where notes that retell sessions lie.
_EPISODES = "episodes"
#: Largest routing file, bytes.
_LARGEST = 256 * 1024


class ProjectTiers:
    """Queries the tiers of an open project.

    Args:
        question: any text; patterns route it (see `recall.routing`).
        method: the search method for memories, notes and documents; "" for the setting.
        weak: give matches too that only seem to answer.
        by_meaning: search documents with vectors, which loads a model.
        agent: the asking agent, whose identity, preferences and decisions count; "" for the
            default.
    """

    def __init__(
        self,
        work: Services,
        question: str,
        *,
        method: str = "",
        weak: bool = False,
        by_meaning: bool = False,
        agent: str = "",
    ) -> None:
        self.work = work
        self.question = question
        self.method = method
        self.weak = weak
        self._searched = False
        self._alone = False
        self.problem = self.missing = ""
        self._by_meaning = by_meaning
        self._agent = work.agents.chosen(agent) if agent else ""

    def answer(self, limit: int) -> RoutedAnswer:
        """Answer from the question's own tier, with memories beside it."""
        routing = self.routing()
        if not any(word not in COMMON for word in words_of(self.question)):
            # A question without a significant word would match by chance.
            routing = routing._replace(cascades=False)
        route = route_of(self.question, routing)
        self._by_meaning = self._by_meaning or route.source == DOCUMENTS
        question = self.question
        if route.matched and route.tier == WARM:
            self.question = asked_about(question, route)
        answer = answer_routed(
            question,
            route,
            routing,
            TierCascade(self.ask),
            lambda: self._remembered(limit),
            limit=limit,
            order=self.order,
        )
        failed = [f"{one.tier}: {one.why}" for one in answer.reports if one.why]
        if failed and (route.matched or not answer.pieces):
            self.problem = "; ".join(filter(None, [self.problem, f"not asked: {failed[0]}."]))
        if route.tier == HOT and not (self._agent or any(p.tier == HOT for p in answer.pieces)):
            self.problem = self.problem or self.work.agents.unclear()
        pieces = tuple(
            one for one in answer.pieces if not one.found or self._ours(one.found.record)
        )
        pieces = with_trust(self.work, pieces)
        return answer._replace(pieces=pieces, problem=self.problem, missing=self.missing)

    def only(self, tier: str, limit: int) -> RoutedAnswer:
        """Answer from a single tier, whatever the question looks like."""
        name, _, source = tier.lower().partition("/")
        name = NUMBERED.get(name.upper(), name)
        if name not in TIERS or (source and source not in SOURCES[name]):
            spelled = [f"{one} ({', '.join(SOURCES[one])})" for one in TIERS]
            raise BadInputError(
                f"There is no tier {tier[:40]!r}.", hint=f"Tiers are {'; '.join(spelled)}."
            )
        self._by_meaning = self._by_meaning or source == DOCUMENTS
        self._alone = True
        tiers = TierCascade(self.ask)
        pieces = self.order(tiers.ask(name, source, limit))
        why = next((one.why for one in tiers.told if one.why), "")
        self.problem = " ".join(filter(None, [self.problem, f"not asked: {why}" if why else ""]))
        return RoutedAnswer(
            self.question,
            Route(name, source, "--tier"),
            with_trust(self.work, pieces),
            tuple(tiers.told),
            problem=self.problem,
            missing=self.missing,
        )

    def routing(self) -> Routing:
        """Return the rules in force: the project's file, the user's, or the default."""
        person = self.work.person
        own = [] if person is None else [person.home.routing]
        for path in (*self.work.project.tracked.routing, *own):
            if os.path.lexists(path):
                try:
                    root = os.path.dirname(path) if path in own else self.work.project.place.root
                    return read_routing(read_inside(root, path, most=_LARGEST), path)
                except SatchelError as error:
                    # A mistake in a table must not break recall for everybody.
                    self.problem = f"{error} The default table routes. {error.hint}".strip()
                    return DEFAULT
        return DEFAULT

    def order(self, found: list[Result]) -> list[Result]:
        """Rerank results found by meaning, once per question."""
        return rerank_results(self.work, self.question, found)

    def ask(self, tier: str, source: str, limit: int) -> list[Result]:
        """Query a tier, or one source in it."""
        try:
            return self._asked(tier, source, limit)
        except StoreAwayError as error:
            self.missing = self.missing or str(error)
            raise

    def _asked(self, tier: str, source: str, limit: int) -> list[Result]:
        names = [source] if source else [n for n in SOURCES[tier] if not self._answered(n)]
        if tier == HOT and not (source or self._alone or self._is_of_oneself()):
            names = [INSTRUCTIONS]
        sources: dict[str, Callable[[int], list[Result]]] = {
            IDENTITY: self._identity,
            PREFERENCES: self._preferences,
            INSTRUCTIONS: self._instructions,
            RULES: self._rules,
            GRAPH: self._graph,
            DOCUMENTS: self.documents,
            MEMORIES: lambda most: self._memories(most)[0],
            RECORDS: lambda most: self._memories(most, Filter(kinds=STRUCTURED_KINDS))[0],
            TABLES: self._tables,
            TASKS: self._tasks,
        }
        if tier == ARCHIVE:
            from satchel.application.recall.tiers.archive import archive_results

            asked_for = bool(source) or self._alone or self.weak
            return archive_results(self.work, self.question, limit, asked_for=asked_for)
        if tier == CODE:
            from satchel.application.recall.tiers.code import code_results

            return code_results(self.work, self.question, source, limit, weak=self.weak)
        return fuse_by_rank(*(sources[name](limit) for name in names))

    def _is_of_oneself(self) -> bool:
        """Return whether a question is about identity or preferences."""
        return not _OF_ONESELF.isdisjoint(words_of(self.question))

    def _answered(self, source: str) -> bool:
        """Return whether the memory search has already covered a source."""
        return self._searched and source in (MEMORIES, RECORDS, RULES)

    # The warm tier. A tier's modules are loaded on use: memories answer most questions.

    def _remembered(self, limit: int) -> tuple[list[Result], int]:
        """Search memories, and notes and collections if there are any."""
        self._searched = True
        limit = candidates(self.work, limit, self.method)
        memories, weak = self._memories(limit)
        notes, soft = self._notes(limit), self._rules(limit)
        # An episode retells a session; a rule made from it says it better.
        retold = not memories and all(one.source == _EPISODES for one in notes)
        soft = soft or (self._rules(limit, near=True) if retold else [])
        if not (notes or soft):
            return memories, weak
        if retold:
            return [*soft, *self._instructions(limit), *notes][:limit], weak
        found = fuse_by_rank(memories, soft, notes)
        if soft:
            found.sort(key=lambda one: bool(one.story_of))
        return found[:limit], weak

    def _instructions(self, limit: int) -> list[Result]:
        from satchel.application.recall.tiers.instructions import instruction_results

        return instruction_results(self.work, self.question, limit)

    def _rules(self, limit: int, *, near: bool = False) -> list[Result]:
        """Search rules, if there are any. If that fails, the other sources still answer."""
        if not self.work.project.tracked.rules:
            return []
        from satchel.application.recall.tiers.rules import rule_results, rules_near

        try:
            search = rules_near if near else rule_results
            return search(self.work, self.question, limit)
        except SatchelError as error:
            self.work.project.note_fault("soft rules", str(error))
            self.missing = self.missing or f"The soft rules are missing: {error}"
            return []

    def _memories(self, limit: int, only: Filter | None = None) -> tuple[list[Result], int]:
        answer = recall_memories(
            self.work,
            self.question,
            limit=limit,
            only=only,
            method=self.method,
            weak=self.weak,
            unapproved=True,
            partial=True,
            rerank=False,
        )
        self.missing = self.missing or answer.missing
        return memory_results(answer.items), answer.weak

    def _has_notes(self) -> bool:
        work = self.work
        indexes = [state.notes.index for _, state in private_states(work)]
        places = (work.project.tracked.solutions, *indexes)
        return any(os.path.exists(path) for path in places)

    def _graph(self, limit: int) -> list[Result]:
        """Query the log of decisions and the knowledge graph."""
        from satchel.application.recall.tiers.graph import graph_results
        from satchel.application.recall.tiers.identity import decision_results

        return [
            *decision_results(self.work, self.question, limit, self._agent),
            *graph_results(self.work, self.question, limit, weak=self.weak),
        ]

    def _notes(self, limit: int) -> list[Result]:
        wanted = self.method or self.work.project.settings.text("recall.method")
        mode = wanted if wanted in (HYBRID, SEMANTIC) else KEYWORD
        return self._noted(limit, mode, strict=not self.weak)

    def documents(self, limit: int) -> list[Result]:
        """Search notes and every collection; a model is loaded only if needed."""
        mode = HYBRID if self._by_meaning else KEYWORD
        # If documents were requested, one shared word is enough; otherwise it is chance.
        return self._noted(limit, mode, strict=not (self.weak or self._by_meaning))

    def _noted(self, limit: int, mode: str, *, strict: bool) -> list[Result]:
        """Search notes and every collection, if there are any."""
        states = [state for _, state in private_states(self.work)]
        has_notes = self._has_notes()
        if not has_notes and not any(os.path.exists(one.collections) for one in states):
            return []  # most projects: no need to load their search
        notes, others = [], []
        # Open until the workspace closes: a server would open them again for each question.
        notebook = self.work.notes
        notebook.indexes.reread()
        try:
            if has_notes:
                found = notebook.search(
                    self.question, mode=mode, limit=limit, rerank=False, strict=strict
                )
                notes = as_decided(self.work, [note_result(one) for one in found.items])
            if notebook.indexes.collections():
                found = notebook.query(
                    self.question, mode=mode, limit=limit, rerank=False, strict=strict
                )
                others = [note_result(one) for one in found.items]
        finally:
            if mode != KEYWORD:
                notebook.close()  # the graph and its vectors, which others change meanwhile
        return fuse_by_rank(notes, others)

    # Structured

    def _tables(self, limit: int) -> list[Result]:
        """Query the tables. If that fails, the other sources still answer."""
        from satchel.application.recall.tiers.structured import table_results

        try:
            return table_results(self.work, self.question, limit)
        except SatchelError as error:
            self.work.project.note_fault("tables", str(error))
            self.missing = self.missing or f"The tables are missing: {error}"
            return []

    def _tasks(self, limit: int) -> list[Result]:
        from satchel.application.recall.tiers.structured import task_results

        return task_results(self.work, self.question, limit)

    # Hot, archive, code

    def _identity(self, limit: int) -> list[Result]:
        """Query the identity files of the selected agent."""
        from satchel.application.recall.tiers.identity import identity_results

        return identity_results(self.work, self.question, limit, self._agent)

    def _preferences(self, limit: int) -> list[Result]:
        """Return stored preferences and those in identity files."""
        stored: dict[str, Result] = {}
        for store in self.work.memories.stores.every():
            for record in store.live(kinds=("preference",), limit=limit):
                piece = Result(
                    HOT,
                    PREFERENCES,
                    record.key,
                    text=record.content,
                    place=record.id,
                    at=record.when,
                    score=1.0,
                    identity=record.identity,
                )
                if self._ours(record) and self._concerns(f"{record.key} {record.content}"):
                    stored.setdefault(record.identity, piece)
        said = [piece for piece in self._identity(limit) if piece.source == IDENTITY]
        return [*stored.values(), *said]

    def _ours(self, record: Record) -> bool:
        """Return whether a memory is not another agent's preference."""
        if not self._agent or record.kind != "preference":
            return True
        return record.agent.lower() in ("", self._agent.lower())

    def _concerns(self, text: str) -> bool:
        """Return whether a text is relevant; a preference question matches all."""
        words = [word for word in distinctive_words(self.question) if word not in _PREFERENCES]
        return not words or coverage(" ".join(words), text) >= LEAST_COVERAGE
