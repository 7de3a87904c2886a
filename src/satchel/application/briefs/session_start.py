"""The brief of a session's start, and of a subagent's."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from satchel.application.briefs.composing import compose
from satchel.application.briefs.labels import item_of
from satchel.application.briefs.sections import Brief, Item, Section
from satchel.core.kinds import kinds_in
from satchel.core.scope import Scope
from satchel.core.trust import clean_line
from satchel.core.values import NamedTuple
from satchel.engine.search.documents import Filter
from satchel.features.memories.service import Memories
from satchel.storage.ledger.record import Record
from satchel.storage.settings.table import Settings

#: Records -> how the code that they are about stands, by record id: words for those whose code is
#: not as it was, None for those whose code is gone. Others are not in it.
Standing = Callable[[Sequence[Record]], Mapping[str, str | None]]


def everything_stands(_: Sequence[Record]) -> Mapping[str, str | None]:
    """Look at no code."""
    return {}


_MOST_CONSTRAINTS = 40
_OPEN_CHECKPOINTS = 2
_CHECKPOINT_TOKENS = 320
_NEXT_STEPS = 5
_DECISIONS = 5
_PREFERENCES = 10
_AMONG = 4


def session_brief(
    stores: Sequence[Memories],
    settings: Settings,
    *,
    scope: Scope,
    nonce: str,
    budget: int,
    waiting_to_share: int = 0,
    search_command: str = "satchel recall",
    role: str = "",
    around: Sequence[Section] = (),
    standing: Standing = everything_stands,
    seldom: Collection[str] = (),
) -> Brief:
    """Compose what a session starts with: rules, where things stand, what was learned lately.

    Args:
        stores: project first, then the user's own.
        scope: task and epic that the session works on, if any is known.
        nonce: of the fence.
        budget: most tokens, fence included.
        waiting_to_share: memories that could go to the team's ledger.
        search_command: what an agent types to search.
        role: name of the subagent this is for; its own memories come first.
        around: what is no memory, as intent; it comes after the constraints.
        standing: how the code of memories stands; those whose code is gone are left out.
        seldom: identities of memories that never were of use; others come before them.
    """
    rules, *sections = memory_sections(
        stores, settings, scope, search_command=search_command, role=role, standing=standing,
        seldom=seldom,
    )  # fmt: skip
    footer = f'Search: {search_command} "keyword"'
    if waiting_to_share:
        footer += f" | {waiting_to_share} waiting to be shared: satchel share"
    label = f"brief for {clean_line(role)}" if role else "session brief"
    return compose(
        _once([rules, *around, *sections]), budget=budget, nonce=nonce, label=label, footer=footer
    )


class _Showing(NamedTuple):
    """How memories are shown: when, how long, which not, and which only if there is room."""

    now: float
    most: int
    standing: Standing
    seldom: Collection[str]

    def items(
        self, records: Sequence[Record], why: str, *, tokens: int = 0, count: int = 0
    ) -> tuple[Item, ...]:
        """Show records: all, or of so many the first, those that never were of use last."""
        told = self.standing(records)
        kept = [r for r in records if told.get(r.id) is not None or r.id not in told]
        if count:
            kept = sorted(kept, key=lambda r: r.identity in self.seldom)[:count]
        most = tokens or self.most
        return tuple(
            item_of(r, self.now, most_tokens=most, why=why, standing=told.get(r.id) or "")
            for r in kept
        )


def memory_sections(
    stores: Sequence[Memories],
    settings: Settings,
    scope: Scope,
    *,
    search_command: str = "satchel recall",
    role: str = "",
    standing: Standing = everything_stands,
    seldom: Collection[str] = (),
) -> list[Section]:
    """Return every section of memories in the order of importance: constraints first."""
    project = stores[0]
    most = settings.integer("brief.max_item_tokens")
    items = _Showing(project.clock.now(), most, standing, seldom).items
    scoped = project.scoped(scope)
    near = [r for r in [*scoped.task, *scoped.epic] if r.kind not in ("activity", "checkpoint")]
    rules = [*scoped.project, *scoped.active][:_MOST_CONSTRAINTS]
    shown = settings.integer("brief.recent")
    recent, total = _recent(project, shown, role)
    active = items(rules, "active constraint")
    return [
        Section("constraints", f"## Constraints ({len(active)})", active),
        Section("scoped", f"## For {scope.task or scope.epic}", items(near, "same task or epic")),
        Section(
            "checkpoint",
            "## Where the last session stopped",
            items(_checkpoints(project, scope), "latest checkpoint", tokens=_CHECKPOINT_TOKENS),
        ),
        Section(
            "next_steps",
            "## Next Steps",
            items(_newest(project, "next_steps", _NEXT_STEPS), "", count=_NEXT_STEPS),
        ),
        Section(
            "recent",
            f"## Recent Knowledge ({total} entries)",
            items(recent, "most recent", count=shown),
            f'{search_command} "keyword"',
        ),
        Section(
            "decisions",
            "## Decisions",
            items(
                _newest(project, "decisions", _DECISIONS), "most recent decision", count=_DECISIONS
            ),
        ),
        Section("preferences", "## Preferences", items(_preferences(stores), "preference")),
    ]


def _recent(project: Memories, count: int, role: str) -> tuple[list[Record], int]:
    """Return the newest learnings and how many there are; a role's own come first."""
    kinds = (*kinds_in("recent"), "investigation", "pattern")
    now = project.clock.now()
    counts = project.index.counts(project.sources, now=now, only=Filter(kinds=kinds))
    total = sum(counts.values())
    # More than are shown: some may be held back, or be about code that is gone.
    newest = project.live(kinds=kinds, limit=count * _AMONG)
    if role:
        newest.sort(key=lambda r: r.agent != role)
    return newest, total


def _newest(project: Memories, section: str, count: int) -> list[Record]:
    return project.live(kinds=kinds_in(section), limit=count * _AMONG)


def _checkpoints(project: Memories, scope: Scope) -> list[Record]:
    """Return the newest checkpoint of each of the last sessions, those of this task first."""
    by_session: dict[str, Record] = {}
    for record in project.live(kinds=kinds_in("checkpoint"), limit=40):
        by_session.setdefault(record.session or record.id, record)
    found = sorted(by_session.values(), key=lambda r: (r.task != scope.task, -r.ts))
    return found[:_OPEN_CHECKPOINTS]


def _preferences(stores: Sequence[Memories]) -> list[Record]:
    """Return preferences; the project's own hide the user's of the same name."""
    found: dict[str, Record] = {}
    for store in stores:
        for record in store.live(kinds=kinds_in("preferences"), limit=_PREFERENCES):
            named = record._replace(content=f"{record.key}: {record.content}")
            found.setdefault(record.identity, named)
    return list(found.values())[:_PREFERENCES]


def _once(sections: Sequence[Section]) -> list[Section]:
    """Leave every memory to the first section that shows it."""
    seen: set[str] = set()
    kept = []
    for section in sections:
        items = [i for i in section.items if not i.identity or i.identity not in seen]
        seen |= {item.identity for item in items}
        kept.append(section._replace(items=tuple(items)))
    return kept
