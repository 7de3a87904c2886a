"""The instincts of one project: kept in their file, shown to agents, promoted to notes."""

from __future__ import annotations

from datetime import date

from satchel.core import times
from satchel.core.errors import BadInputError, ConflictError, SatchelError
from satchel.core.values import NamedTuple
from satchel.features.instincts import editing, lifecycle
from satchel.features.instincts.instinct_file import InstinctFile
from satchel.features.instincts.reading import find
from satchel.storage.home_paths import lock_name
from satchel.storage.inbox.faults import note_fault
from satchel.storage.ledger.file import Ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from satchel.engine.contradictions import Clash
    from satchel.features.instincts.learning_note import Draft
    from satchel.features.instincts.operations import Event
    from satchel.features.instincts.values import Edit, Instinct, NewInstinct, ParsedInstincts
    from satchel.project.store import ProjectStore


#: Characters of a file that a session's start waits for.
_LARGEST_BRIEFED = 262_144


class InstinctReview(NamedTuple):
    """What a review came to: the edit, and which instincts are ripe or too weak after it.

    `text` is the file that it was made of.
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
        """The day, UTC."""
        return times.utc(self.project.clock.now()).date()

    def read(self) -> ParsedInstincts:
        """Return the file as it is. Raises `BadInputError` for one that cannot be read."""
        return self.file.read()

    def current_confidence(self, instinct: Instinct) -> float:
        """Return the confidence of an instinct with all idle time counted."""
        return lifecycle.current_confidence(instinct, self.today)

    def strongest(self, text: str | None = None) -> list[Instinct]:
        """Return the instincts that are shown to agents, the most certain first."""
        shown = [
            (self.current_confidence(one), one)
            for one in self.file.read(text).instincts
            if self.current_confidence(one) >= lifecycle.LOWEST_SHOWN
        ]
        shown.sort(key=lambda pair: (-pair[0], -pair[1].reinforcement_count, pair[1].line))
        return [one for _, one in shown]

    def find(self, reference: str) -> Instinct:
        """Return one instinct by its id, or by the beginning or the end of it."""
        return find(self.read(), reference)[0]

    def add(self, new: NewInstinct, *, agent: str = "") -> tuple[Edit, list[Clash]]:
        """Add an instinct; return what was done, and which others it contradicts."""
        clashing = editing.contradicted_by(self.read().instincts, new.rule, path=self.file.path)
        edit = self.file.apply(lambda text: editing.added(text, new, today=self.today), agent=agent)
        return edit, clashing

    def reinforce(self, ident: str, *, agent: str = "") -> Edit:
        """Confirm an instinct once."""
        return self.file.apply(
            lambda text: editing.reinforced(text, ident, today=self.today), agent=agent
        )

    def contradict(self, ident: str, *, by: str = "", agent: str = "") -> Edit:
        """Contradict an instinct once; `by` is the rule that holds instead."""
        return self.file.apply(
            lambda text: editing.contradicted(text, ident, today=self.today, by=by), agent=agent
        )

    def review(self) -> InstinctReview:
        """Say what idleness would take, what is ripe to be promoted and what is too weak."""
        text = self.file.text()
        shelf = self.file.read(text)
        edit = editing.reviewed(text, today=self.today)
        ripe = tuple(i for i in shelf.instincts if lifecycle.may_be_promoted(i, self.today))
        weak = tuple(i for i in shelf.instincts if lifecycle.may_be_pruned(i, self.today))
        return InstinctReview(text, edit, ripe, weak)

    def write_review(self, reviewed: InstinctReview | None = None) -> Edit:
        """Write idleness down: of the text that was shown, or of the one that is there."""
        return self.file.apply(
            lambda text: editing.reviewed(text, today=self.today),
            shown=None if reviewed is None else reviewed.text,
        )

    def prune(self, idents: Sequence[str], *, shown: str | None = None) -> Edit:
        """Take weak instincts out of the file."""
        return self.file.apply(
            lambda text: editing.pruned(text, idents, today=self.today), shown=shown
        )

    def remove(self, ident: str) -> Edit:
        """Take an instinct out of the file, whatever it is worth."""
        return self.file.apply(
            lambda text: editing.pruned(text, [ident], today=self.today, good=True)
        )

    def draft(self, ident: str) -> tuple[Instinct, Draft]:
        """Return the learning note that an instinct would become.

        Raises `ConflictError` for one that is not ripe: 0.8 at least, universal, and no note yet.
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
        """Mark an instinct as promoted to a note with this id."""
        self.file.apply(lambda text: editing.promoted(text, instinct.id, note))

    def history(self, ident: str = "") -> list[Event]:
        """Return what was done on this machine to one instinct, or to all, oldest first."""
        return self.file.history(ident)

    def write_decay(self, *, dry_run: bool) -> str:
        """Write idleness down as a step of upkeep; say what was done."""
        try:
            due = self.review().edit if dry_run else self.write_review()
        except SatchelError as error:
            note_fault(self.project.state.faults, "instincts", str(error), self.project.clock.now())
            return str(error)
        count = len(due.changes)
        return f"{count} {'would fade' if dry_run else 'faded'}" if count else "no instinct is idle"

    def strongest_for_brief(self) -> list[Instinct]:
        """Return the strongest soft rules.

        Raises `BadInputError` for a file that is too large to be read at a session's start.
        """
        text = self.file.text()
        if len(text) > _LARGEST_BRIEFED:
            raise BadInputError(f"{self.file.path} is too large to be read at a session's start.")
        return self.strongest(text)
