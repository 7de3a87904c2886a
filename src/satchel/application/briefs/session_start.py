"""The briefs at the start of a session and of a subagent."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from satchel.application.briefs.composing import compose, item_of
from satchel.application.briefs.contradicting import (
    beside_files,
    lines_of_clients,
    outdated_marked,
    with_contradictions,
)
from satchel.application.briefs.learned_rules import read_in_files
from satchel.application.briefs.sections import Brief, Item, Reader, Section
from satchel.application.briefs.stopping import last_checkpoints
from satchel.application.briefs.unread_files import FILES
from satchel.application.outlet import Outlet, Shown
from satchel.core.ids import chosen_key
from satchel.core.kinds import kinds_in
from satchel.core.plurals import counted
from satchel.core.scope import Scope
from satchel.core.trust import AGENT, REPO, USER, clean_line, new_nonce
from satchel.core.values import NamedTuple
from satchel.features.injections.injection_ledger import RESUMED, STARTED, Injection
from satchel.features.injections.outcomes import rarely_useful
from satchel.features.proposals.waiting import count_untold
from satchel.project.place import may_be_joined
from satchel.storage.ledger.record import Record
from satchel.storage.settings.environment import installed_command
from satchel.storage.settings.table import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.services import Services

#: The section that tells of them.
GONE = "gone"
_MOST_CONSTRAINTS = 40
#: Most tokens of the last checkpoint, and of the one before, which its request identifies.
_CHECKPOINT_TOKENS, _EARLIER_TOKENS = 320, 60
_NEXT_STEPS = 5
_DECISIONS = 5
_PREFERENCES = 10
_AMONG = 4
#: The user's words, and what colleagues shared and the user approved.
_OF_PEOPLE = (USER, REPO)
#: Most older lessons of the user after the newest ones, and the reason for them.
_OLDER, _WHY_OLDER = 7, "older, a person stated it"
#: So few are told whole: a newcomer, or a second machine, would only have to ask for the rest.
_FEW = 24
#: What an agent types to search.
_SEARCH = "satchel recall"
_NOT_APPROVED = "not approved"
_AROUND_WORDS = ".,;:!?\"'`*_-+|>"
_REMEMBER = 'Remember what lasts: {} learn "what, when it applies, why"'
#: Asks for the trailer that `satchel why` reads; most characters of a session's id in it.
_TRAILER, _LONGEST_ID = "End commit messages with the line: Satchel-Session: {}", 100


def how_to_remember() -> str:
    """Return the line on how to remember from a shell, usually at most 45 tokens."""
    return _REMEMBER.format(installed_command())


def session_brief(
    work: Services,
    outlet: Outlet,
    reader: Reader,
    *,
    scope: Scope,
    budget: int,
    around: Sequence[Section],
) -> Brief:
    """Compose the session brief: rules, current state, recent lessons.

    Args:
        scope: task and epic that the session works on, if known.
        budget: most tokens, fence included.
        around: sections other than memories, such as intent; they follow the constraints.
    """
    project, role = work.project, reader.role
    rules, *sections = memory_sections(
        outlet,
        project.settings,
        scope,
        role=role,
        seldom=rarely_useful(project),
        is_read=read_in_files(work, "" if role else reader.client),
    )
    if outlet.gone and not role:
        told = work.injections.told_in(GONE)
        sections.append(_about_gone_code(outlet, project.settings, told))
    footer = f'Search: {_SEARCH} "keyword"'
    waiting = waiting_line(count_untold(project))
    trailer = _trailer(reader.session) if project.settings.flag("hooks.trailer") else ""
    last = "\n".join(filter(None, (waiting, reader.how or how_to_remember(), trailer)))
    label = f"brief for {clean_line(role)}" if role else "session brief"
    held = _held_back(outlet, may_be_joined=may_be_joined(project.state.identity))
    sections = beside_files(
        [rules, *around, *sections], FILES, lambda: lines_of_clients(work, reader.client)
    )
    brief = compose(
        _once([held, *sections]),
        budget=budget,
        nonce=new_nonce(),
        label=label,
        footer=f"{footer}\n{last}" if role else footer,
        # A subagent with nothing to be told gets no brief.
        always="" if role else last,
    )
    waits = tuple(one.text for one in held.items if one.why == _NOT_APPROVED)
    return brief._replace(news=waiting, waits=waits)


def _trailer(session: str) -> str:
    """Return the line that asks to name the session in commits; "" for an id of odd characters."""
    plain = session.isascii() and session.replace("-", "").replace("_", "").isalnum()
    return _TRAILER.format(session) if plain and len(session) <= _LONGEST_ID else ""


def _about_gone_code(outlet: Outlet, settings: Settings, told: Collection[str]) -> Section:
    """Record once which memories are about code that no longer exists."""
    fresh = [one for one in outlet.gone.values() if one.record.identity not in told]
    items = _Showing(outlet.now, settings.integer("brief.max_item_tokens"), ()).items
    shown = items(fresh, "its code is gone")
    title = "## About code that is gone (said once; `satchel anchor` lists them)"
    return Section(GONE, title, shown)


def resumed_brief(
    outlet: Outlet, settings: Settings, *, scope: Scope, budget: int, held: Sequence[Injection]
) -> Brief:
    """Compose what a resumed conversation lacks: memories newer than its last brief.

    Args:
        scope: task and epic that the session works on, if any is known.
        budget: most tokens, fence included.
        held: what it was told and still contains; at least one.
    """
    since = max((one.ts for one in held if one.event in (STARTED, RESUMED)), default=held[0].ts)
    told = {item.identity for one in held for item in one.items}

    def is_new(record: Record) -> bool:
        # What the session itself said is in its conversation.
        mine = record.session == held[0].session
        return record.ts >= since and not mine and record.identity not in told

    sections = memory_sections(outlet, settings, scope, wanted=is_new)
    label = "new since this session was left"
    return compose(_once(sections), budget=budget, nonce=new_nonce(), label=label)


def waiting_line(suggestions: int) -> str:
    """Return a short line about pending suggestions, or ""."""
    if not suggestions:
        return ""
    return f"{counted(suggestions, 'suggestion waits', 'suggestions wait')}: satchel review"


def _held_back(outlet: Outlet, *, may_be_joined: bool) -> Section:
    """Return a line on how much of the repository's content waits for approval."""
    items = []
    waiting = outlet.waiting_lines() + len(outlet.waiting_files)
    if waiting:
        what = "1 thing from this repository is waiting"
        if waiting > 1:
            what = f"{waiting} things from this repository are waiting"
        text = f"{what} for the person's approval: `satchel approve`"
        items.append(Item(text, why=_NOT_APPROVED))
    if may_be_joined:
        text = "Private memory that may belong to this project is kept separately: `satchel join`"
        items.append(Item(text, why="not joined"))
    if outlet.not_here:
        held = counted(len(outlet.not_here), "memory", "memories")
        text = f"{held} of work that is not part of this history: `{_SEARCH}` shows them marked"
        items.append(Item(text, why="on another branch, or reverted"))
    return Section("held_back", "## Held back", (*items, *not_reached(outlet).items))


def not_reached(outlet: Outlet) -> Section:
    """Return the line that says which memories could not be read, if any."""
    told = (Item(clean_line(outlet.missing), why="not reached"),) if outlet.missing else ()
    return Section("not_reached", "## Missing", told)


class _Showing(NamedTuple):
    """How to show memories: the time, the format, and which only if there is room, or never."""

    now: float
    most: int
    seldom: Collection[str]
    wanted: Callable[[Record], bool] | None = None

    def items(
        self, shown: Sequence[Shown], why: str, *, tokens: int = 0, count: int = 0
    ) -> tuple[Item, ...]:
        """Return memories as items: all, or the first of many, never-used ones last."""
        kept = [one for one in shown if self.wanted is None or self.wanted(one.record)]
        if count:
            kept = sorted(kept, key=lambda one: one.record.identity in self.seldom)[:count]
        most = tokens or self.most
        return tuple(
            item_of(one.record, self.now, most_tokens=most, why=why, standing=one.note)
            for one in kept
        )

    def older_last(self, shown: Sequence[Shown], count: int, why: str) -> tuple[Item, ...]:
        """Return memories as items: the newest `count` for one reason, and older ones."""
        return (*self.items(shown[:count], why), *self.items(shown[count:], _WHY_OLDER))


def memory_sections(
    outlet: Outlet,
    settings: Settings,
    scope: Scope,
    *,
    role: str = "",
    seldom: Collection[str] = (),
    wanted: Callable[[Record], bool] | None = None,
    is_read: Callable[[Record], bool] = lambda _: False,
) -> list[Section]:
    """Return the memory sections in order of importance: constraints first.

    What `is_read` is left out: the client reads it in a file.
    """
    most = settings.integer("brief.max_item_tokens")
    showing = _Showing(outlet.now, most, seldom, wanted)
    items = showing.items
    scoped, every = outlet.scoped(scope, rules=_MOST_CONSTRAINTS * _AMONG)
    by_id = {one.record.id: one for one in every}
    about = [r for r in [*scoped.task, *scoped.epic] if r.kind not in ("activity", "checkpoint")]
    near = [by_id[r.id] for r in about]
    standing = [by_id[r.id] for r in [*scoped.project, *scoped.active] if not is_read(r)]
    decided, decided_in_all = _decisions(outlet, seldom, is_read)
    rules, decisions = with_contradictions(standing[:_MOST_CONSTRAINTS], decided)
    count = settings.integer("brief.recent")
    stood = last_checkpoints(outlet, scope)
    kinds = (*kinds_in("recent"), "investigation", "pattern")
    newest, decisions = outdated_marked(_recent(outlet, kinds, count, role, seldom), decisions)
    newest = [one for one in newest if not is_read(one.record)]
    recent = showing.older_last(newest, count, "most recent")
    known = max(outlet.count(kinds), len(recent))
    return [
        Section("constraints", f"## Constraints ({len(rules)})", items(rules, "active constraint")),
        Section("scoped", f"## For {scope.task or scope.epic}", items(near, "same task or epic")),
        Section(
            "checkpoint",
            f"## Where the last session{'s' * (len(stood) > 1)} stopped",
            (
                *items(stood[:1], "latest checkpoint", tokens=_CHECKPOINT_TOKENS),
                *items(stood[1:], "earlier checkpoint", tokens=_EARLIER_TOKENS),
            ),
        ),
        Section(
            "next_steps",
            "## Next Steps",
            items(_newest(outlet, "next_steps", _NEXT_STEPS), "", count=_NEXT_STEPS),
        ),
        Section(
            "recent", _recent_title(len(recent), known, wanted), recent, f'{_SEARCH} "keyword"'
        ),
        Section(
            "decisions",
            _decisions_title(len(decisions), decided_in_all, wanted),
            showing.older_last(decisions, _DECISIONS, "most recent decision"),
            f'{_SEARCH} "keyword"',
        ),
        Section("preferences", "## Preferences", items(_preferences(outlet), "preference")),
    ]


def _decisions(
    outlet: Outlet, seldom: Collection[str], is_read: Callable[[Record], bool]
) -> tuple[list[Shown], int]:
    """Return the decisions to show, and how many there are in all; never-used ones come last."""
    newest = _newest(outlet, "decisions", _DECISIONS + _OLDER)
    decided = [one for one in newest if not is_read(one.record)]
    decided.sort(key=lambda one: one.record.identity in seldom)
    # Those that were replaced are in the count, and in no brief.
    every = len(newest) < (_DECISIONS + _OLDER) * _AMONG
    known = len(newest) if every else outlet.count(kinds_in("decisions"))
    return _and_said(decided, _DECISIONS, seldom), known - len(newest) + len(decided)


def _recent_title(here: int, known: int, wanted: object) -> str:
    """Return the title, with the total, as beads memory's title has it."""
    if here < known:
        return _title_of_some("Recent Knowledge", here, known, wanted)
    return f"## Recent Knowledge ({counted(known, 'entry', 'entries')})"


def _decisions_title(here: int, known: int, wanted: object) -> str:
    """Return the title, with the total if not all are shown."""
    return _title_of_some("Decisions", here, known, wanted) if here < known else "## Decisions"


def _title_of_some(name: str, here: int, known: int, wanted: object) -> str:
    told = counted(known, "entry", "entries")
    return f"## {name} ({here} of {told})" if wanted else f"## {name} ({told}), {here} of them here"


def _recent(
    outlet: Outlet, kinds: tuple[str, ...], count: int, role: str, seldom: Collection[str]
) -> list[Shown]:
    """Return the newest lessons, those of the agent's role first.

    What the user said lasts longer than what an agent found, so older ones are kept too. An unused
    lesson may just have had no session about its subject, so it only comes after the others.
    """
    # More than are shown: some may be held back, or be about deleted code. Of facts, only those
    # that the user stated or an agent kept outside a task: trackers record many.
    found = outlet.newest((*kinds, "fact"), (count + _OLDER) * _AMONG)
    newest = [one for one in found if one.record.kind != "fact" or _is_told(one.record)]
    if role:
        newest.sort(key=lambda one: one.record.agent != role)
    return _and_said(newest, count, seldom)


def _and_said(found: list[Shown], count: int, seldom: Collection[str]) -> list[Shown]:
    """Return the newest memories, and some older ones that a person stated."""
    said = [one for one in found[count:] if one.record.trust in _OF_PEOPLE]
    said.sort(key=lambda one: one.record.identity in seldom)
    # There may be room for the rest of a few, but not for what no session used.
    rest = said[_OLDER:] if len(found) <= _FEW else ()
    useful = [one for one in rest if one.record.identity not in seldom]
    return found[:count] + said[:_OLDER] + useful


def _is_told(record: Record) -> bool:
    """Return whether a person stated a fact, or an agent kept it outside a task."""
    return record.trust in _OF_PEOPLE or (record.trust == AGENT and not record.task)


def _newest(outlet: Outlet, section: str, count: int) -> list[Shown]:
    return outlet.newest(kinds_in(section), count * _AMONG)


def _preferences(outlet: Outlet) -> list[Shown]:
    """Return preferences; the project's override the user's of the same name.

    A colleague's overrides none of this person's.
    """
    found: dict[tuple[str, bool], Shown] = {}
    for one in outlet.newest(kinds_in("preferences"), _PREFERENCES, everywhere=True):
        record = one.record
        chosen = chosen_key(record.kind, record.key)
        named = record._replace(content=f"{record.key}: {record.content}") if chosen else record
        found.setdefault((record.identity, record.trust == REPO), one._replace(record=named))
    return list(found.values())[:_PREFERENCES]


def _once(sections: Sequence[Section]) -> list[Section]:
    """Keep each memory, and one of two that say the same, only in its first section.

    A line of an instruction file counts without its list mark; a file may repeat its own lines.
    """
    seen: set[str] = set()
    kept = []
    for section in sections:
        items = []
        before = frozenset(seen) if section.name == FILES else seen
        for item in section.items:
            named = f"{item.identity} {item.version}" if item.identity else ""
            marks = {mark for mark in (named, _words_of(item.raw)) if mark}
            if not marks & before:
                items.append(item)
            seen |= marks
        kept.append(section._replace(items=tuple(items)))
    return kept


def _words_of(text: str) -> str:
    """Return a text without capitals, list marks and the punctuation around its words."""
    words = (word.strip(_AROUND_WORDS) for word in text.casefold().split())
    return " ".join(filter(None, words))
