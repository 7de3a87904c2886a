"""Research in a project: notes, memories, code, documentation and, if configured, the web."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Any

from satchel.application.outlet import Outlet
from satchel.application.recall.results import CODE as CODE_TIER
from satchel.application.recall.results import WARM, Result
from satchel.application.recall.routing import GRAPH
from satchel.application.recall.service import recall_memories
from satchel.application.recall.unapproved import files_of
from satchel.application.research.conflicts import conflicts_between
from satchel.application.research.documentation import TEXTS
from satchel.application.research.dossier import file_name, markdown_of, query_hash, summary_of
from satchel.application.research.gathering import gather
from satchel.application.research.values import (
    CODE,
    DOCS,
    LEARNINGS,
    MEMORIES,
    SOURCES,
    WEB,
    Conflict,
    Dossier,
    Finding,
    Report,
)
from satchel.application.services import Services, private_states
from satchel.core.errors import BadInputError, BusyError, NotWritableError
from satchel.core.excerpts import beginning
from satchel.core.ids import short_id
from satchel.core.plurals import counted
from satchel.core.redaction.names import kept_name
from satchel.core.redaction.redactor import redact
from satchel.core.times import DAY
from satchel.core.trust import UNAPPROVED
from satchel.engine.search.records import StoredMemory
from satchel.engine.search.tokens import coverage
from satchel.storage.files import read_file, replace_file

_EACH = 5
#: Seconds that all sources have together.
_PATIENCE = 30.0
#: How much of them the first map of the code may take, in seconds.
_MAP_PATIENCE = 25.0
#: The share of a question's significant words that a piece of code must have.
_LEAST_OF_CODE = 0.5
_TEXT = 1200


class Research:
    """Answers research questions about an open project."""

    def __init__(self, work: Services) -> None:
        self.work = work
        #: Notes found that wait for this user's approval.
        self._held: set[str] = set()

    def ask(
        self, question: str, *, only: Sequence[str] = (), fresh: bool = False, save: bool = True
    ) -> Dossier:
        """Query every source at once; return the findings and disagreements.

        Args:
            only: names of sources; () for all.
            fresh: ask again, even if an answer for this commit is stored.
            save: write the dossier below `research/`.
        """
        asked = redact(" ".join(question.split()))[0]
        if not asked:
            raise BadInputError("There is nothing to research.", hint="Put the question in quotes.")
        unknown = [name for name in only if name not in SOURCES]
        if unknown:
            raise BadInputError(
                f"There is no source {unknown[0]!r}.", hint=f"Sources are {', '.join(SOURCES)}."
            )
        commit, branch = self._commit()
        kept = None if fresh else self._kept(self._key(asked, commit, only))
        if kept is not None:
            return kept
        self._held = set()
        findings, reports = gather(self._sources(asked, only), patience=_PATIENCE)
        if self._held:
            told = f"{counted(len(self._held), 'note')} held back: `satchel approve`"
            reports = [
                one._replace(why=told) if one.source == LEARNINGS and not one.why else one
                for one in reports
            ]
        conflicts = conflicts_between(findings)
        generator = self.work.models.generator()
        summary, written_by = summary_of(asked, findings, conflicts, generator)
        if written_by:
            written_by = self.work.project.settings.text("model.generate")
        dossier = Dossier(
            asked,
            self.work.project.clock.now(),
            commit,
            branch=branch,
            findings=tuple(findings),
            conflicts=tuple(conflicts),
            reports=tuple(reports),
            summary=summary,
            written_by=written_by,
        )
        if save:
            dossier = dossier._replace(path=self._saved(dossier))
        if all(not report.why for report in reports):
            # Not the key from before: looking at a person's own new files notes them as theirs.
            self._keep(self._key(asked, commit, only), dossier)
        return dossier

    def _sources(
        self, question: str, only: Sequence[str]
    ) -> dict[str, Callable[[], Sequence[Finding]]]:
        url = self.work.project.settings.text("research.web_url")
        every: dict[str, Callable[[], Sequence[Finding]]] = {
            LEARNINGS: lambda: self._learnings(question),
            MEMORIES: lambda: self._memories(question),
            DOCS: lambda: self._docs(question),
            CODE: lambda: self._code(question),
        }
        if url:
            every[WEB] = lambda: self._web(url, question)
        elif WEB in only:
            raise BadInputError(
                "No web search is configured.",
                hint="Set `research.web_url` to an address with {query} in it.",
            )
        return {name: ask for name, ask in every.items() if not only or name in only}

    def _learnings(self, question: str) -> list[Finding]:
        """Query notes by words and meaning, weighted front matter, and the graph."""
        from satchel.application.recall.tiers.project_tiers import ProjectTiers

        with self.work.reopened() as work:
            tiers = ProjectTiers(work, question, by_meaning=True)
            notes = tiers.order(tiers.documents(_EACH))
            graph = tiers.ask(WARM, GRAPH, _EACH)
        # Memories reached through the graph belong to another source.
        known = {note.identity for note in notes}
        others = [p for p in graph if os.path.isabs(p.identity) and p.identity not in known]
        outlet = Outlet(self.work)
        shown = [
            one
            for one in (*notes, *others)
            if all(outlet.admits(path) for path in files_of(self.work, one))
        ]
        self._held |= outlet.waiting_files
        return _findings(LEARNINGS, shown, _EACH + 3)

    def _memories(self, question: str) -> list[Finding]:
        with self.work.reopened() as work:
            answer = recall_memories(work, question, limit=_EACH)
            found = [StoredMemory(one.record, one.source, one.score) for one in answer.items]
            shown = [one.record for one in Outlet(work).admitted(found)]
        scores = {one.record.id: one.score for one in answer.items}
        return [
            Finding(
                MEMORIES,
                record.title or beginning(record.content, 120),
                record.content[:_TEXT],
                place=f"{record.kind} {short_id(record.id)}",
                score=scores[record.id],
                at=record.when,
            )
            for record in shown
        ]

    def _code(self, question: str) -> list[Finding]:
        from satchel.application.recall.tiers.project_tiers import ProjectTiers

        with self.work.reopened() as work:
            # Relevance is judged below.
            tiers = ProjectTiers(work, question, weak=True)
            try:
                pieces = tiers.ask(CODE_TIER, "", _EACH * 3)
            except BusyError:
                # The mapping process outlives this one; the next question finds it finished.
                if not _mapped_in_time(work):
                    raise
                pieces = tiers.ask(CODE_TIER, "", _EACH * 3)
        # Prose is found by the documentation source, with the sentence that answers.
        code = [p for p in pieces if not p.place.partition(":")[0].endswith(TEXTS)]
        return _findings(CODE, [p for p in code if _concerns(question, p)], _EACH)

    def _docs(self, question: str) -> list[Finding]:
        """Search the work tree's Markdown: README, docs and the rest, without unapproved notes.

        What else nobody approved is marked, as `recall` marks it.
        """
        from satchel.application.briefs.service import BriefComposer
        from satchel.application.research.documentation import search_documentation

        paths = BriefComposer(self.work).files()
        root = self.work.project.place.root
        table = self.work.models.table()
        found = search_documentation(root, paths, question, limit=_EACH, table=table)
        outlet, told = Outlet(self.work), set(self.work.project.tracked.spoken())
        files = {one: os.path.join(root, one.place.rpartition(":")[0]) for one in found}
        outlet.admitted_files(files.values())
        waiting = outlet.waiting_files
        self._held |= waiting & told
        return [
            one._replace(trust=UNAPPROVED if files[one] in waiting else "")
            for one in found
            if files[one] not in waiting & told
        ]

    def _web(self, url: str, question: str) -> list[Finding]:
        from satchel.application.research.web import search_web
        from satchel.storage.settings.environment import secret_named

        name = self.work.project.settings.text("research.web_key_name")
        return search_web(url, question, _EACH, key=secret_named(name) if name else "")

    # Keeping

    def _commit(self) -> tuple[str, str]:
        from satchel.project.place import branch_of, commit_of

        root = self.work.project.place.root
        return commit_of(root), kept_name(branch_of(root))

    def _key(self, asked: str, commit: str, only: Sequence[str]) -> str:
        return f"{query_hash(asked)}-{commit[:7] or 'none'}-{self._state_of(only)}"

    def _state_of(self, only: Sequence[str]) -> str:
        """Return a stamp that changes with the knowledge: ledgers, notes, sources, user."""
        from satchel.core.hashing import short_hash

        work = self.work
        # An answer made from all of a user's data is not for others.
        whose = "others" if work.person is None else ""
        marks = [",".join(only), work.project.settings.text("research.web_url"), whose]
        ledgers = [state.ledgers for _, state in private_states(work)]
        tracked = work.project.tracked
        places = (tracked.knowledge, tracked.solutions, work.project.state.notes.index, *ledgers)
        for place in places:
            names = (
                [os.path.join(place, n) for n in sorted(os.listdir(place))]
                if os.path.isdir(place)
                else [place]
            )
            marks += [
                f"{os.stat(n).st_size}:{os.stat(n).st_mtime_ns}"
                for n in names
                if os.path.isfile(n) and "injections" not in n
            ]
        return short_hash("|".join(marks).encode())

    def _saved(self, dossier: Dossier) -> str:
        try:
            return self._save(dossier)
        except NotWritableError as error:
            self.work.project.work_around("research", error)
            return ""

    def _save(self, dossier: Dossier) -> str:
        root = self.work.project.place.root
        path = os.path.join(self.work.project.tracked.research, file_name(dossier))
        if os.path.islink(os.path.dirname(path)):
            raise BadInputError(f"{os.path.dirname(path)} is a link.", hint="Make it a directory.")
        number = 2
        while os.path.exists(path) and not self._same(path, dossier):
            path = os.path.join(
                self.work.project.tracked.research, file_name(dossier)[:-3] + f"-{number}.md"
            )
            number += 1
        replace_file(path, markdown_of(dossier).encode(), mode=0o644)
        return os.path.relpath(path, root)

    def _same(self, path: str, dossier: Dossier) -> bool:
        """Return whether a file answers the same question and may be replaced."""
        return f"query_hash: {query_hash(dossier.question)}" in read_file(path).decode(
            "utf-8", "replace"
        ).replace("'", "")

    def _kept(self, key: str) -> Dossier | None:
        from satchel.core.quick_json import loads

        path = os.path.join(self.work.project.state.research, key + ".json")
        days = self.work.project.settings.number("research.keep_days")
        try:
            age = self.work.project.clock.now() - os.stat(path).st_mtime
            if age > days * DAY:
                return None
            return _dossier(loads(read_file(path).decode()))
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def _keep(self, key: str, dossier: Dossier) -> None:
        from satchel.core.quick_json import dumps

        directory = self.work.project.state.research
        path = os.path.join(directory, key + ".json")
        try:
            replace_file(path, dumps(_plain(dossier)).encode())
            now = self.work.project.clock.now()
            os.utime(path, (now, now))
            for name in os.listdir(directory):
                other = os.path.join(directory, name)
                if name.endswith(".json") and now - os.stat(other).st_mtime > _PURGED * DAY:
                    os.unlink(other)
        except (NotWritableError, OSError):
            return  # an answer is kept only to save time


#: Days after which a stored answer is removed, whoever asked.
_PURGED = 30


def _mapped_in_time(work: Services) -> bool:
    """Wait for the first code map; return false if it takes too long."""
    with work.code as code:
        if not work.project.settings.flag("embed.background"):
            code.refresh()  # nobody else makes it
        end = time.monotonic() + _MAP_PATIENCE
        while not code.is_mapped():
            if time.monotonic() > end:
                return False
            time.sleep(0.1)
    return True


def _concerns(question: str, piece: Result) -> bool:
    """Return whether code shares enough words; a word in many names is chance."""
    words = f"{piece.title} {piece.text} {piece.place}"
    return coverage(question, words) >= _LEAST_OF_CODE


def _findings(source: str, pieces: Sequence[Result], limit: int) -> list[Finding]:
    return [
        Finding(source, p.title, p.text[:_TEXT], place=p.place, score=p.score, at=p.at)
        for p in pieces[:limit]
    ]


def _plain(value: Any) -> Any:
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def _dossier(raw: Any) -> Dossier:
    head, findings, conflicts, reports, tail = raw[:4], raw[4], raw[5], raw[6], raw[7:]
    found = tuple(Finding(*one) for one in findings)
    clashes = tuple(
        Conflict(Finding(*one[0]), one[1], Finding(*one[2]), one[3], one[4]) for one in conflicts
    )
    question, at, commit, branch = head
    summary, written_by, path, _ = tail
    return Dossier(
        question,
        at,
        commit,
        branch=branch,
        findings=found,
        conflicts=clashes,
        reports=tuple(Report(*one) for one in reports),
        summary=summary,
        written_by=written_by,
        path=path,
        cached=True,
    )
