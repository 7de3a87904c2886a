"""Runs a project's checks: queries the memory, and has `checks` judge the results."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence

from satchel.application.briefs.contradicting import lines_of_project
from satchel.application.briefs.sections import Reader
from satchel.application.briefs.service import BriefComposer
from satchel.application.health.instruction_files import unfinished_merges
from satchel.application.outlet import ASIDE
from satchel.application.recall.tiers.project_tiers import ProjectTiers
from satchel.application.services import Services
from satchel.core.errors import BadInputError, ConflictError, NotFoundError, SatchelError
from satchel.core.kinds import RULE, kinds_for
from satchel.engine.search.documents import Filter
from satchel.engine.statements.contradictions import AGAINST, Rule, clashes
from satchel.features.branches.values import BranchState
from satchel.features.checks.assertions import judge_brief, judge_contradictions, judge_query
from satchel.features.checks.reading import (
    ANCHORS,
    BRIEF,
    BUILT_IN,
    CONTRADICTIONS,
    ERROR,
    FAILED,
    PASSED,
    QUERY,
    Check,
    Result,
    Text,
    named_once,
    read_checks,
)
from satchel.features.checks.templates import EXAMPLE, source_of, workflow
from satchel.features.code.anchored import code_states
from satchel.features.memories.contradicting import contradicting, settled
from satchel.storage.files import replace_file
from satchel.storage.ledger.record import Record
from satchel.storage.safe_open import escapes_root, read_inside

_LARGEST = 1024 * 1024
_MODE = 0o644
_LIMIT = 5
_RULES, _LESSONS = kinds_for(RULE), ("learned", "fact")
#: Most memories to compare, pair by pair. A longer line of a file is prose, which words alone
#: cannot judge.
_LONGEST_RULE = 160
_MOST_COMPARED = 1000
#: States of unchanged code; moved code is followed.
_STANDING = ("fresh", "moved")
#: Most records whose code is checked together.
_TOGETHER = 10


class ProjectChecks:
    """The checks of an open workspace."""

    def __init__(self, work: Services) -> None:
        self.work = work
        self.path = work.project.tracked.place("checks")
        self.directory = work.project.tracked.place("more_checks")

    def read(self) -> list[Check]:
        """Return every check: from the file, then from the directory beside it, by name.

        If the project has none, the built-in ones. Raises `BadInputError` with file and line.
        """
        root = self.work.project.place.root
        paths = [self.path] if os.path.lexists(self.path) else []
        try:
            names = sorted(os.listdir(self.directory))
        except (FileNotFoundError, NotADirectoryError):
            names = []
        paths += [os.path.join(self.directory, n) for n in names if n.endswith((".yaml", ".yml"))]
        checks = []
        for path in paths:
            shown = os.path.relpath(path, root)
            try:
                text = read_inside(root, path, most=_LARGEST).decode("utf-8")
            except UnicodeDecodeError as error:
                raise BadInputError(
                    f"{shown} is not UTF-8 at byte {error.start}.", hint="Save it as UTF-8."
                ) from None
            checks += read_checks(text, shown)
        named_once(checks)
        return checks or list(BUILT_IN)

    def chosen(self, names: Sequence[str]) -> list[Check]:
        """Return checks by name or part of a name; all if none is given."""
        every = self.read()
        for name in names:
            if not any(_means(name, check) for check in every):
                raise NotFoundError(
                    f"There is no check {name[:60]!r}.", hint="`satchel check --list` shows them."
                )
        return [c for c in every if not names or any(_means(name, c) for name in names)]

    def run(self, checks: Iterable[Check]) -> list[Result]:
        """Run checks in turn; a failing one does not stop the next."""
        self.work.refresh()
        results = []
        for check in checks:
            started = time.perf_counter()
            try:
                why = self._why(check)
                outcome = FAILED if why else PASSED
            except SatchelError as error:
                outcome, why = ERROR, [str(error)]
            seconds = time.perf_counter() - started
            results.append(Result(check, outcome, tuple(why), seconds))
        return results

    def init(self) -> list[str]:
        """Write an initial checks file and a workflow; return the files written.

        Raises `ConflictError` if both already exist.
        """
        root, made = self.work.project.place.root, []
        for path, text in (
            (self.path, EXAMPLE),
            (self.work.project.tracked.place("check_workflow"), workflow(_installed_from())),
        ):
            if os.path.lexists(path):
                continue
            if escapes_root(path, root):
                raise ConflictError(f"{path} is outside the project.", hint="Fix the link.")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            replace_file(path, text.encode("utf-8"), mode=_MODE)
            made.append(path)
        if not made:
            raise ConflictError(
                "The checks and their workflow are there already.",
                hint="Edit .satchel/checks.yaml; docs/checks.md shows the fields.",
            )
        return made

    def _why(self, check: Check) -> list[str]:
        if check.about == QUERY:
            return judge_query(check, self._asked(check))
        if check.about == BRIEF:
            brief = BriefComposer(self.work).session(Reader(role=check.role), task=check.task)
            return judge_brief(check, brief.text, brief.tokens)
        if check.about == CONTRADICTIONS:
            return [*self._unfinished_merges(), *self._contradictions(check)]
        return self._stale() if check.about == ANCHORS else self._guards()

    def _asked(self, check: Check) -> list[Text]:
        """Run a query as `satchel recall` would, and return results, best first."""
        tiers = ProjectTiers(self.work, check.query, method=check.method)
        limit = check.limit or _LIMIT
        routed = tiers.only(check.tier, limit) if check.tier else tiers.answer(limit)
        texts = []
        for piece in routed.pieces:
            names: tuple[str, ...] = (piece.place, piece.identity)
            if piece.found is not None:
                names = (piece.found.record.id, piece.found.record.key, *names)
            texts.append(Text(f"{piece.title}\n{piece.text}", tuple(filter(None, names))))
        return texts

    def _holding(self, kinds: tuple[str, ...]) -> list[Record]:
        """Return live memories except those rejected or replaced by a later one."""
        memories = self.work.memories
        found = memories.own.listed(Filter(kinds=kinds))
        gone = memories.replaced(found)
        gone |= {one.record.id for one in found if ASIDE in one.record.tags}
        return [one.record for one in found if one.record.id not in gone]

    def _contradictions(self, check: Check) -> list[str]:
        records = self._here(self._holding(check.kinds or _RULES))
        if len(records) > _MOST_COMPARED:
            count = f"{len(records):,} memories are too many to compare pairwise"
            return [f"{count}; at most {_MOST_COMPARED:,}: name fewer `kinds`"]
        pairs = [
            (_text_of(one.earlier), _text_of(one.later), one.why) for one in contradicting(records)
        ]
        if not check.kinds:
            pairs += self._against_rules(records)
        project = self.work.project
        soft = os.path.relpath(project.tracked.place("instincts"), project.place.root)
        lines = [*lines_of_project(self.work), *self.work.instincts.rules(soft)]
        pairs += [
            (_text_of(record), _line(one.rule), one.why)
            for record in records
            for one in clashes(record.content, lines)
            if one.what == AGAINST
        ]
        pairs += _among(lines)
        return judge_contradictions(check, pairs)

    def _against_rules(self, records: Sequence[Record]) -> list[tuple[Text, Text, str]]:
        """Return lessons, as a merge may have brought them, that certainly contradict a rule."""
        by_id = {one.id: one for one in records}
        rules = [Rule(one.id, 0, one.content) for one in records]
        return [
            (_text_of(by_id[one.rule.path]), _text_of(record), one.why)
            for record in self._here(self._holding(_LESSONS))
            for one in clashes(record.content, rules)
            if one.what == AGAINST and one.certain and not settled(record, by_id[one.rule.path])
        ]

    def _unfinished_merges(self) -> list[str]:
        """Name files whose rules are those of two branches at once."""
        root = self.work.project.place.root
        return [
            f"{os.path.relpath(path, root)} line {line} is a git conflict marker: finish the merge"
            for path, line in unfinished_merges(self.work).items()
        ]

    def _stale(self) -> list[str]:
        # The project's memories, without the user's own.
        own = self.work.memories.stores.every()[0]
        anchored = [one for one in own.live() if one.data and "anchors" in one.data]
        not_here = self._not_here(anchored)
        anchored = [one for one in anchored if one.id not in not_here]
        why = []
        for at in range(0, len(anchored), _TOGETHER):
            some = anchored[at : at + _TOGETHER]
            found = code_states(self.work.code, some)
            for record in some:
                one = found.get(record.id)
                if one is None:
                    why.append(f"{record.id}: its code could not be read")
                elif one.state not in _STANDING:
                    why.append(f"{record.id}: {one.told} ({record.content[:80]!r})")
        return why

    def _not_here(self, records: Sequence[Record]) -> set[str]:
        """Return memories of work that is not part of what is checked out, nor is its code."""
        return {ident for ident, one in self._states(records).items() if one.is_held}

    def _here(self, records: Sequence[Record]) -> list[Record]:
        """Return the memories whose work is part of what is checked out."""
        states = self._states(records)
        return [one for one in records if one.id not in states]

    def _states(self, records: Sequence[Record]) -> Mapping[str, BranchState]:
        branches = self.work.branches
        if not any(one.commit for one in records) or branches.make() is None:
            return {}
        return branches.states(records)

    def _guards(self) -> list[str]:
        guards = self.work.guards
        shelf = guards.read()
        why = [f"line {line}: {what}" for line, wrong in shelf.problems.items() for what in wrong]
        for guard in shelf.guards:
            if not shelf.wrong(guard):
                why += [
                    f"{guard.id} should {'act on' if tried.example.fires else 'let pass'} "
                    f"{tried.example.said!r}"
                    for tried in guards.test(guard)
                    if not tried.right
                ]
        return why


def _among(lines: Sequence[Rule]) -> list[tuple[Text, Text, str]]:
    """Return lines of instruction files that certainly contradict each other, with the reason."""
    short = [line for line in lines if len(line.text) <= _LONGEST_RULE]
    return [
        (_line(one.rule), _line(line), one.why)
        for at, line in enumerate(short)
        for one in clashes(line.text, short[:at])
        if one.what == AGAINST and one.certain
    ]


def _line(rule: Rule) -> Text:
    return Text(rule.text, (f"{rule.path} line {rule.line}",))


def _text_of(record: Record) -> Text:
    return Text(record.content, tuple(filter(None, (record.id, record.key))))


def _means(name: str, check: Check) -> bool:
    return name.casefold() in check.name.casefold()


def _installed_from() -> str:
    """Return where this Satchel was installed from, if a build server can reach it; "" if not."""
    import importlib.metadata  # as slow as all else that `satchel status` imports

    try:
        direct = importlib.metadata.distribution("satchel").read_text("direct_url.json")
    except importlib.metadata.PackageNotFoundError:
        return ""
    return source_of(direct or "")
