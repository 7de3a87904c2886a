"""One list of everything remembered: memories, notes, soft rules and guards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from satchel.application.outlet import held_back
from satchel.core.errors import NotFoundError, SatchelError
from satchel.core.hashing import digest
from satchel.core.kinds import BY_THE_WAY, KINDS
from satchel.core.times import DAY, seconds_of
from satchel.core.trust import UNAPPROVED
from satchel.core.values import NamedTuple
from satchel.engine.search.documents import Filter
from satchel.features.guards.service import GuardStatus
from satchel.features.injections.outcomes import Usefulness
from satchel.features.instincts.values import Instinct
from satchel.features.notes.values import LearningNote
from satchel.interfaces.http.console.presentation import GUARD, NOTE, RULE, sentence
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace

#: Omitted from the list unless its kind is requested.
LISTED = Filter(without=tuple(BY_THE_WAY))
AGES = {"1": "Today", "7": "7 days", "30": "30 days"}
#: Most values of one facet to offer.
_OFFERED = 8
#: How many of the newest memories to search for authors and branches.
_SAMPLE = 2_000
_TRUSTS = ("user", "agent", "repo", "tool", "web", "imported")


class Row(NamedTuple):
    """A row of the list. It was used in `used` of `shown` sessions, if that was judged."""

    key: str
    kind: str
    trust: str
    text: str
    when: float
    task: str = ""
    used: int = 0
    shown: int = 0


class Wanted(NamedTuple):
    """The query: words, and one value per facet; "" for all."""

    q: str = ""
    kind: str = ""
    trust: str = ""
    author: str = ""
    age: str = ""
    task: str = ""
    branch: str = ""

    def given(self) -> dict[str, str]:
        """Return the query without empty values."""
        return {name: value for name, value in self._asdict().items() if value}


class Facet(NamedTuple):
    """A filter of the list: its values with names and counts; -1 if the count is unknown."""

    name: str
    title: str
    values: list[tuple[str, str, int]]


def filter_of(wanted: Wanted, now: float) -> Filter:
    """Return the query as a filter for the index."""
    facets = (("trust", wanted.trust), ("agent", wanted.author), ("branch", wanted.branch))
    having = [facet for facet in facets if facet[1]]
    only = LISTED._replace(task=wanted.task, having=tuple(having))
    if wanted.kind in KINDS:
        only = only._replace(kinds=(wanted.kind,), without=())
    if wanted.age in AGES:
        only = only._replace(since=int(now - DAY * int(wanted.age)))
    return only


def page_of(
    work: Workspace,
    wanted: Wanted,
    start: int,
    limit: int,
    useful: dict[str, Usefulness],
    others: list[Row],
) -> tuple[list[Row], int]:
    """Return a page of the list, newest first, and the total.

    Args:
        others: notes, soft rules and guards, from `others_of`.
    """
    now = work.project.clock.now()
    if wanted.q.strip():
        found = _searched(work, wanted, useful, others)
        return found[start : start + limit], len(found)
    others = _chosen(others, wanted, now)
    if wanted.kind and wanted.kind not in KINDS:
        return others[start : start + limit], len(others)
    # A memory at `start` of the whole has at most all the others before it.
    first = max(0, start - len(others))
    stored, total = work.memories.page(filter_of(wanted, now), first, start - first + limit)
    rows = [_row(one.record, useful) for one in stored]
    merged = sorted([*rows, *others], key=lambda one: -one.when)
    return merged[start - first : start - first + limit], total + len(others)


def _row(one: Record, useful: dict[str, Usefulness]) -> Row:
    done = useful.get(one.identity)
    used, shown = (done.used + done.helped, done.shown) if done else (0, 0)
    trust = "imported" if one.edited else one.trust
    text = (sentence(one.title, one.content, one.kind) or one.id)[:300]
    row = Row(one.id, one.kind, trust, text, one.when, task=one.task)
    return row._replace(used=used, shown=shown)


def others_of(work: Workspace) -> list[Row]:
    """Return notes, soft rules and guards, newest first."""
    return sorted([*_notes(work), *_rules(work), *_guards(work)], key=lambda one: -one.when)


def _chosen(others: list[Row], wanted: Wanted, now: float) -> list[Row]:
    """Filter by the query; only memories have a task, a branch and an author."""
    if wanted.task or wanted.branch or wanted.author or wanted.kind in KINDS:
        return []
    since = now - DAY * int(wanted.age) if wanted.age in AGES else 0
    return [
        one
        for one in others
        if wanted.kind in ("", one.kind) and one.when >= since and wanted.trust in ("", one.trust)
    ]


def _notes(work: Workspace) -> list[Row]:
    with work.notes as notes:
        found = notes.notes()
    held = held_back(work, (one.path for one in found))
    return [note_row(one, held=one.path in held) for one in found]


def note_row(one: LearningNote, *, held: bool = False) -> Row:
    """Return a note's row; `held` if nobody has approved it."""
    when = seconds_of(one.text("created") or one.text("date")) or 0.0
    return Row(note_key(one), NOTE, UNAPPROVED if held else "user", one.title, when)


def note_key(one: LearningNote) -> str:
    """Return a note's key, which does not reveal its location."""
    return "n-" + digest(one.path.encode("utf-8", "replace")).hex()[:16]


def _rules(work: Workspace) -> list[Row]:
    try:
        found = work.instincts.read().instincts
    except SatchelError:
        return []
    trust = UNAPPROVED if held_back(work, [work.instincts.file.path]) else "user"
    return [
        Row(f"r-{one.id}", RULE, trust, one.rule, seconds_of(one.created) or 0.0) for one in found
    ]


def _guards(work: Workspace) -> list[Row]:
    try:
        found = work.guards.statuses()
    except SatchelError:
        return []
    trust = {"active": "user", "off": "agent"}
    return [
        Row(f"g-{one.guard.id}", GUARD, trust.get(one.state, ""), one.guard.message, 0.0)
        for one in found
    ]


def _searched(
    work: Workspace, wanted: Wanted, useful: dict[str, Usefulness], others: list[Row]
) -> list[Row]:
    now = work.project.clock.now()
    rows: list[Row] = []
    if wanted.kind in ("", *KINDS):
        answer = work.recall(wanted.q, limit=100, only=filter_of(wanted, now), weak=True)
        rows = [_row(one.record, useful) for one in answer.items]
    words = wanted.q.lower().split()
    chosen = _chosen(others, wanted, now)
    fitting = [one for one in chosen if all(word in one.text.lower() for word in words)]
    return [*fitting[:20], *rows]


def find_note(work: Workspace, key: str) -> LearningNote:
    """Return a note by its key. Raises `NotFoundError`."""
    with work.notes as notes:
        for one in notes.notes():
            if note_key(one) == key:
                return one
    raise NotFoundError("This note no longer exists.")


def find_rule(work: Workspace, key: str) -> Instinct:
    """Return a soft rule by its key. Raises `NotFoundError`."""
    return work.instincts.find(key.removeprefix("r-"))


def find_guard(work: Workspace, key: str) -> GuardStatus:
    """Return a guard by its key. Raises `NotFoundError`."""
    for one in work.guards.statuses():
        if f"g-{one.guard.id}" == key:
            return one
    raise NotFoundError("This guard no longer exists.")


def facets_of(work: Workspace, counts: dict[str, int]) -> list[Facet]:
    """Return the filters; authors, tasks and branches come from the newest memories."""
    now = work.project.clock.now()
    kinds = [(kind, kind, n) for kind, n in counts.items() if n]
    stored, total = work.memories.page(LISTED, 0, _SAMPLE)
    records = [one.record for one in stored]
    since = {days: LISTED._replace(since=int(now - DAY * int(days))) for days in AGES}
    ages = [(days, name, work.memories.page(since[days], 0, 0)[1]) for days, name in AGES.items()]

    def found(values: Iterable[str], most: int = _OFFERED) -> list[tuple[str, str, int]]:
        counted = Counter(values).most_common(most + 1)
        # With more memories than were searched, the count is unknown.
        return [(one, one, n if total <= _SAMPLE else -1) for one, n in counted if one][:most]

    trusts = found(("imported" if one.edited else one.trust for one in records), len(_TRUSTS))
    return [
        Facet("kind", "Kind", kinds),
        Facet("trust", "Trust", [one for name in _TRUSTS for one in trusts if one[0] == name]),
        Facet("author", "Author", found(one.agent for one in records)),
        Facet("age", "Age", ages),
        Facet("task", "Task", found(one.task for one in records)),
        Facet("branch", "Branch", found(one.branch for one in records)),
    ]


def kind_counts(work: Workspace, others: Sequence[Row]) -> dict[str, int]:
    """Count memories by kind, and notes, soft rules and guards in `others`."""
    found: dict[str, int] = {}
    for store in work.memories.stores.every():
        if work.person is not None and store is work.memories.stores.person:
            continue
        for kind, n in store.index.counts(store.view(LISTED)).items():
            found[kind] = found.get(kind, 0) + n
    ordered = {kind: found[kind] for kind in KINDS if kind in found}
    return ordered | {name: sum(one.kind == name for one in others) for name in (NOTE, RULE, GUARD)}
