"""The file of soft rules, which holds their state, and their history in a private ledger."""

from __future__ import annotations

from collections.abc import Callable

from satchel.core.errors import BadInputError, SatchelError
from satchel.core.values import NamedTuple
from satchel.features.instincts.reading import instincts_in, read_instincts
from satchel.features.instincts.values import (
    ADDED,
    CONTRADICTED,
    DECAYED,
    PROMOTED,
    PRUNED,
    REINFORCED,
    Change,
    Edit,
    Instinct,
    ParsedInstincts,
)
from satchel.storage.files import read_file
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.lines import decode, split_lines
from satchel.storage.ledger.record import Record
from satchel.storage.owned_files import OwnedFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    Parsed = TypeVar("Parsed")

#: The kind of their lines.
KIND = "instinct"
#: The source of an accepted suggestion's changes, as opposed to a command's.
REVIEW = "review"
NAMES = (ADDED, REINFORCED, CONTRADICTED, DECAYED, PROMOTED, PRUNED)


class Event(NamedTuple):
    """An event in a rule's history, in Unix seconds, UTC."""

    ts: int
    change: Change
    agent: str = ""
    id: str = ""
    source: str = ""


def record(change: Change, *, agent: str = "", source: str = "satchel") -> Record:
    """Build a change's line; the ledger adds its id and time."""
    data = {"op": change.what, "instinct": change.id, "from": change.before, "to": change.after}
    if change.detail:
        data["detail"] = change.detail
    return Record(kind=KIND, content=change.rule, agent=agent, source=source, data=data)


def read_events(path: str, ident: str = "") -> list[Event]:
    """Return the events of one rule, or of all, oldest first."""
    marker = ident.encode("utf-8", "replace")
    found: dict[str, Event] = {}
    for raw in split_lines(read_file(path)):
        if marker not in raw:
            continue
        line = decode(raw).record
        if line is None or line.kind != KIND or not isinstance(line.data, dict):
            continue
        data = line.data
        if data.get("op") not in NAMES or (ident and data.get("instinct") != ident):
            continue
        change = Change(
            str(data.get("instinct") or ""),
            str(data["op"]),
            _number(data.get("from")),
            after=_number(data.get("to")),
            rule=line.content,
            detail=str(data.get("detail") or ""),
        )
        found[line.id] = Event(line.ts, change, line.agent, line.id, line.source)
    return sorted(found.values(), key=lambda event: (event.ts, event.id))


def _number(value: object) -> float:
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if known else 0.0  # type: ignore[arg-type]


class InstinctFile:
    """The instincts of one project.

    Args:
        path: the file, tracked by git; need not exist.
        lock: a lock file outside the work tree.
        root: the work tree, which the file must not leave.
        ledger: records the changes.
    """

    def __init__(self, path: str, lock: str, *, root: str, ledger: Ledger) -> None:
        self.path = path
        self.ledger = ledger
        self._file = OwnedFile(path, lock, root=root)

    def text(self) -> str:
        """Return the file's text, or "". See `OwnedFile.text`."""
        return self._file.text()

    def read(self, text: str | None = None) -> ParsedInstincts:
        """Parse the rules. Raises `BadInputError` naming the file and the line."""
        return self._parsed(read_instincts, self.text() if text is None else text)

    def rules(self, text: str) -> tuple[Instinct, ...]:
        """Return a text's rules without their positions, in less time. Raises like `read`."""
        return self._parsed(instincts_in, text)

    def _parsed(self, parse: Callable[[str], Parsed], text: str) -> Parsed:
        try:
            return parse(text)
        except BadInputError as error:
            if str(error).startswith(self.path):
                raise
            raise BadInputError(
                f"{self.path}: {error}.", hint=error.hint or "Fix it by hand; nothing was changed."
            ) from None

    def apply(
        self, make: Callable[[str], Edit], *, shown: str | None = None, agent: str = ""
    ) -> Edit:
        """Change the file with a function of `editing`, and record what was done.

        Args:
            make: text -> edit; may be called again if the file changes meanwhile.
            shown: the text whose change a user approved; any other is refused.

        Raises `ConflictError` if the file differs from the one shown.
        """
        edits: list[Edit] = []

        def made(text: str) -> str:
            self.read(text)
            edits.append(make(text))
            return edits[-1].text

        self._file.change(made, shown=shown)
        try:
            self.ledger.append([record(change, agent=agent) for change in edits[-1].changes])
        except SatchelError as error:
            raise error.after(f"{self.path} was changed, but its history was not.") from error
        return edits[-1]

    def history(self, ident: str = "") -> list[Event]:
        """Return this machine's changes to one rule, or to all, oldest first."""
        return read_events(self.ledger.path, ident)
