"""A project's soft rules: kept in their file, shown to agents, promoted to notes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from satchel.core import times
from satchel.core.errors import BadInputError, ConflictError, SatchelError
from satchel.core.values import NamedTuple
from satchel.features.instincts import editing, lifecycle
from satchel.features.instincts.instinct_file import REVIEW, Event, InstinctFile
from satchel.features.instincts.reading import find
from satchel.features.instincts.values import (
    ADDED,
    CATEGORIES,
    PRUNED,
    SCOPES,
    Edit,
    Instinct,
    NewInstinct,
    ParsedInstincts,
)
from satchel.project.store import ProjectStore
from satchel.storage.home_paths import lock_name
from satchel.storage.inbox.faults import note_fault
from satchel.storage.ledger.file import Ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.engine.statements.contradictions import Clash, Rule
    from satchel.features.instincts.learning_note import Draft

#: Largest file that a session's start reads, in characters.
_LARGEST_BRIEFED = 262_144


class InstinctReview(NamedTuple):
    """The result of a review: the edit, and the rules that are ripe or too weak.

    `text` is the file it was made from.
    """

    text: str
    edit: Edit
    ripe: tuple[Instinct, ...]
    weak: tuple[Instinct, ...]


class ProjectInstincts:
    """The instincts of an open project."""

    def __init__(self, project: ProjectStore) -> None:
        self.project = project
        state = project.state
        ledger = Ledger(
            state.ledger("instincts"), state.lock(lock_name("instincts")), clock=project.clock
        )
        self.file = InstinctFile(
            project.tracked.place("instincts"),
            state.lock("instincts"),
            root=project.place.root,
            ledger=ledger,
        )

    @property
    def today(self) -> date:
        """Return the current day, UTC."""
        return times.utc(self.project.clock.now()).date()

    def read(self) -> ParsedInstincts:
        """Return the parsed file. Raises `BadInputError` if it is unreadable."""
        return self.file.read()

    def rules(self, path: str) -> list[Rule]:
        """Return every soft rule as a line of the file, which is shown as `path`.

        Raises `BadInputError` if it is unreadable.
        """
        from satchel.engine.statements.contradictions import Rule

        return [Rule(path, one.line, one.rule) for one in self.read().instincts]

    def current_confidence(self, instinct: Instinct) -> float:
        """Return a rule's confidence after decay."""
        return lifecycle.current_confidence(instinct, self.today)

    def strongest(self, text: str | None = None) -> list[Instinct]:
        """Return the rules shown to agents, most certain first."""
        shown = [
            (self.current_confidence(one), one)
            for one in self.file.rules(self.file.text() if text is None else text)
            if self.current_confidence(one) >= lifecycle.LOWEST_SHOWN
        ]
        shown.sort(key=lambda pair: (-pair[0], -pair[1].reinforcement_count, pair[1].line))
        return [one for _, one in shown]

    def find(self, reference: str) -> Instinct:
        """Return a rule by its id, or by the start or end of it."""
        return find(self.read(), reference)[0]

    def add(self, new: NewInstinct, *, agent: str = "") -> tuple[Edit, list[Clash]]:
        """Add a rule; return what was done, and the rules it contradicts."""
        clashing = editing.contradicted_by(self.read().instincts, new.rule, path=self.file.path)
        edit = self.file.apply(lambda text: editing.added(text, new, today=self.today), agent=agent)
        return edit, clashing

    def reinforce(self, ident: str, *, agent: str = "") -> Edit:
        """Confirm a rule once."""
        return self.file.apply(
            lambda text: editing.reinforced(text, ident, today=self.today), agent=agent
        )

    def contradict(self, ident: str, *, by: str = "", agent: str = "") -> Edit:
        """Contradict a rule once; `by` is the rule that replaces it."""
        return self.file.apply(
            lambda text: editing.contradicted(text, ident, today=self.today, by=by), agent=agent
        )

    def review(self) -> InstinctReview:
        """Return pending decay, ripe rules and weak rules."""
        text = self.file.text()
        shelf = self.file.read(text)
        edit = editing.reviewed(text, today=self.today)
        ripe = tuple(i for i in shelf.instincts if lifecycle.may_be_promoted(i, self.today))
        weak = tuple(i for i in shelf.instincts if lifecycle.may_be_pruned(i, self.today))
        return InstinctReview(text, edit, ripe, weak)

    def write_review(self, reviewed: InstinctReview | None = None) -> Edit:
        """Record decay, for the text that was shown or the current one."""
        return self.file.apply(
            lambda text: editing.reviewed(text, today=self.today),
            shown=None if reviewed is None else reviewed.text,
        )

    def prune(self, idents: Sequence[str], *, shown: str | None = None) -> Edit:
        """Remove weak rules from the file."""
        return self.file.apply(
            lambda text: editing.pruned(text, idents, today=self.today), shown=shown
        )

    def remove(self, ident: str) -> Edit:
        """Remove a rule from the file, whatever its confidence."""
        return self.file.apply(
            lambda text: editing.pruned(text, [ident], today=self.today, good=True)
        )

    def last_removed(self) -> Event | None:
        """Return the last removal, by a command here, of a rule that the file still lacks."""
        removed = [one for one in self.history() if one.change.what == PRUNED]
        # Rules removed by a suggestion come back when the suggestion is undone.
        removed = [one for one in removed if one.source != REVIEW]
        if not removed:
            return None
        there = {one.rule for one in self.read().instincts}
        return next((one for one in reversed(removed) if one.change.rule not in there), None)

    def bring_back(self, removed: Event) -> Edit:
        """Add a removed rule again, as certain as it was."""
        rule, before = removed.change.rule, removed.change.before
        scope, _, category = removed.change.detail.partition(", ")
        new = NewInstinct(rule, confidence=before)
        if scope in SCOPES and category in CATEGORIES:
            new = new._replace(scope=scope, category=category)
        return self.file.apply(lambda text: editing.added(text, new, today=self.today))

    def draft(self, ident: str) -> tuple[Instinct, Draft]:
        """Return the note that a rule would become.

        Raises `ConflictError` for one that is not ripe: at least 0.8, universal, and without a
        note.
        """
        from satchel.features.instincts.learning_note import draft

        instinct = self.find(ident)
        worth = self.current_confidence(instinct)
        hint = "`satchel rules show` says how each stands."
        if instinct.promoted:
            raise ConflictError(
                f"{instinct.id} is a learning note already: {instinct.promoted}.", hint=hint
            )
        if instinct.scope != "universal":
            raise ConflictError(
                f"{instinct.id} holds for this {instinct.scope}, and only what holds everywhere "
                "is promoted.",
                hint="Set its scope to `universal` in the file if it does.",
            )
        if worth < lifecycle.PROMOTED_FROM:
            raise ConflictError(
                f"{instinct.id} is worth {worth:g}; from {lifecycle.PROMOTED_FROM:g} on it can be "
                "promoted.",
                hint=hint,
            )
        return instinct, draft(instinct, today=self.today, worth=worth)

    def note_promoted(self, instinct: Instinct, note: str) -> None:
        """Mark a rule as promoted to the note with this id."""
        self.file.apply(lambda text: editing.promoted(text, instinct.id, note))

    def history(self, ident: str = "") -> list[Event]:
        """Return this machine's changes to one rule, or to all, oldest first."""
        return self.file.history(ident)

    def added_here(self) -> frozenset[str]:
        """Return the texts of rules that were added on this machine, whoever edits their file."""
        return frozenset(one.change.rule for one in self.history() if one.change.what == ADDED)

    def write_decay(self, *, dry_run: bool) -> str:
        """Record decay as a step of upkeep; return a report."""
        try:
            due = self.review().edit if dry_run else self.write_review()
        except SatchelError as error:
            note_fault(self.project.state.faults, "instincts", str(error), self.project.clock.now())
            return str(error)
        count = len(due.changes)
        return f"{count} {'would fade' if dry_run else 'faded'}" if count else "no instinct is idle"

    def strongest_for_brief(self) -> list[Instinct]:
        """Return the strongest rules.

        Raises `BadInputError` for a file too large to read at a session's start.
        """
        text = self.file.text()
        if len(text) > _LARGEST_BRIEFED:
            raise BadInputError(f"{self.file.path} is too large to be read at a session's start.")
        return self.strongest(text)
