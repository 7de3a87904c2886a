"""The guards file and the snapshot of it that hooks read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from satchel.core.errors import BadInputError, BusyError, NotWritableError
from satchel.core.values import Any
from satchel.features.guards.approvals import last_approved, read_decisions
from satchel.features.guards.reading import compile_guard, read_guards
from satchel.features.guards.snapshot import active_guards, write_part
from satchel.features.guards.values import ACTIVE, ParsedGuards
from satchel.storage.files import file_stamp
from satchel.storage.inbox.faults import tell
from satchel.storage.locks import FileLock
from satchel.storage.owned_files import OwnedFile
from satchel.storage.paths import PrivateState


class GuardFile:
    """The guards of one work tree.

    Args:
        path: the file, tracked by git; need not exist.
        state: the project's private state, with approvals and the snapshot.
        patience: seconds to wait for another process writing the snapshot.
    """

    def __init__(
        self, path: str, root: str, state: PrivateState, *, patience: float = 10.0
    ) -> None:
        self.path = path
        self.root = root
        self.state = state
        self.patience = patience
        self.trouble = ""
        self._file = OwnedFile(path, state.lock("guards"), root=root)

    def read(
        self,
        text: str | None = None,
        *,
        only: Collection[str] | None = None,
        instead: Mapping[str, dict[str, Any]] | None = None,
    ) -> ParsedGuards:
        """Read all or some guards, using approved versions of edited ones.

        Raises `BadInputError` naming the file and the line.
        """
        text = self._file.text() if text is None else text
        try:
            return read_guards(text, only=only, instead=instead)
        except BadInputError as error:
            raise BadInputError(
                f"{self.path}: {error}.", hint=error.hint or "Fix it by hand; nothing was changed."
            ) from None

    def change(self, make: Callable[[str], str]) -> None:
        """Change the file and its snapshot. `make` returns a text that must parse."""

        def made(text: str) -> str:
            self.read(text)
            return make(text)

        self._file.change(made)
        self.refresh()

    def current(self) -> list[dict[str, Any]]:
        """Return the compiled active guards; the snapshot is written if that is possible."""
        stamp, active = self._active()
        try:
            self._write(stamp, active)
        except (NotWritableError, BusyError) as error:
            tell(f"The guards that hooks read may be older: {error} {error.hint}".strip())
        return active

    def refresh(self) -> list[dict[str, Any]]:
        """Write this work tree's part of the snapshot; return its compiled active guards."""
        stamp, active = self._active()
        self._write(stamp, active)
        return active

    def _active(self) -> tuple[Any, list[dict[str, Any]]]:
        """Return the file's stamp and the compiled active guards.

        An edit loosens nothing: an edited guard acts in its approved form until the new one is
        approved, and if the file is unreadable (`trouble` says why), the last active guards stay
        active. A guard removed from the file is inactive.
        """
        stamp = list(file_stamp(self.path))
        decisions = read_decisions(self.state.ledger("guards"))
        approved = {digest for digest, one in decisions.items() if one.state == ACTIVE}
        instead = {guard: one.fields or {} for guard, one in last_approved(decisions).items()}
        try:
            shelf = self.read(only=approved, instead=instead)
        except BadInputError as error:
            self.trouble = str(error)
            active = active_guards(self.state.guards, self.root, None) or []
        else:
            self.trouble = ""
            active = [compile_guard(one) for one in shelf.guards if not shelf.wrong(one)]
        return stamp, active

    def _write(self, stamp: Any, active: list[dict[str, Any]]) -> None:
        with FileLock(self.state.lock("guards-snapshot"), timeout=self.patience):
            write_part(self.state.guards, self.root, stamp, active)
