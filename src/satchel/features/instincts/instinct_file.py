"""The file of soft rules and its history: read and changed."""

from __future__ import annotations

from satchel.core.errors import BadInputError
from satchel.features.instincts.operations import Event, read_events, record
from satchel.features.instincts.reading import read_instincts
from satchel.features.instincts.values import Edit, ParsedInstincts
from satchel.storage.owned_files import OwnedFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from satchel.storage.ledger.file import Ledger


class InstinctFile:
    """The instincts of one project.

    Args:
        path: the file, tracked by git; need not exist.
        lock: a lock file outside the work tree.
        root: of the work tree, which the file may not lead out of.
        ledger: where what was done is written down.
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
        try:
            return read_instincts(self.text() if text is None else text)
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
            make: text -> edit; may be called again where the file changes meanwhile.
            shown: the text that a person approved a change of; another one is refused.
            agent: who makes the change.

        Raises `ConflictError` where the file is not the one that was shown.
        """
        edits: list[Edit] = []

        def made(text: str) -> str:
            self.read(text)
            edits.append(make(text))
            return edits[-1].text

        self._file.change(made, shown=shown)
        self.ledger.append([record(change, agent=agent) for change in edits[-1].changes])
        return edits[-1]

    def history(self, ident: str = "") -> list[Event]:
        """Return this machine's changes to one rule, or to all, oldest first."""
        return read_events(self.ledger.path, ident)
