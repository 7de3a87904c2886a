"""Task files: read whole, replaced whole, under one lock outside the work tree."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from satchel.core.errors import BadInputError, BusyError, ConflictError, NotFoundError, SatchelError
from satchel.core.values import Any
from satchel.features.tasks.board import Board, FileText, file_text
from satchel.features.tasks.lines import encode_issue, replaced
from satchel.storage.files import file_stamp, replace_file
from satchel.storage.locks import NestingLock
from satchel.storage.safe_open import escapes_root, read_inside

LARGEST = 256 * 1024 * 1024
_MODE = 0o644
#: Seconds to wait for another process that writes.
_PATIENCE = 30.0


class TaskFiles:
    """The files of one project.

    Args:
        root: of the work tree, which no file may be outside of.
        home: where new tasks go if no file exists yet.
        paths: every file that may hold tasks.
        lock: a lock file outside the work tree.

    Attributes:
        lock: held while the files are changed; its holder may read and change them.
    """

    def __init__(self, root: str, home: str, paths: Sequence[str], lock: str) -> None:
        self.root = root
        self.paths = tuple(dict.fromkeys((home, *paths)))
        self._home = home
        self.lock = NestingLock(lock, timeout=_PATIENCE)

    def home_of(self, board: Board) -> str:
        """Return the file for new tasks: the preset's, or the first that has any."""
        if os.path.lexists(self._home):
            return self._home
        return next((file.path for file in board.files if file.groups), self._home)

    @property
    def home(self) -> str:
        """The file for new tasks."""
        return self._home if os.path.lexists(self._home) else self.home_of(self.read())

    def file_stats(self) -> list[list[Any]]:
        """Return path and stamp of each file that is there."""
        stamps = ((path, file_stamp(path)) for path in self.paths)
        return [[path, *stamp] for path, stamp in stamps if stamp]

    def read(self) -> Board:
        """Read every file. An unreadable one has no tasks, and a reason."""
        return Board([self._file(path) for path in self.paths if os.path.lexists(path)])

    def _file(self, path: str) -> FileText:
        try:
            return file_text(path, read_inside(self.root, path, most=LARGEST))
        except NotFoundError:
            return FileText(path, (), {}, "its link is broken")
        except (BadInputError, OSError) as error:
            return FileText(path, (), {}, str(error))

    def change(
        self,
        work: Callable[[Board], Mapping[str, Mapping[str, Any]]],
        foreign: Callable[[Board], Sequence[bytes]] | None = None,
        raw: Mapping[str, bytes] = MappingProxyType({}),
    ) -> Board:
        """Write the issues that `work` changes; return the board afterwards.

        Nobody else changes the files meanwhile. Each file is replaced atomically. If `work` raises,
        nothing is written. `foreign` has lines of other programs to add, `raw` the original lines
        of imported issues.
        """
        with self.lock:
            stats = self.file_stats()
            board = self.read()
            home = self.home_of(board)
            changed = work(board)
            also = foreign(board) if foreign is not None else ()
            by_path: dict[str, dict[str, bytes]] = {}
            for ident, data in changed.items():
                before = board.every.get(ident)
                if before is None or before.data != data or self._is_untidy(board, ident):
                    line = raw.get(ident) or encode_issue(data)
                    by_path.setdefault(board.place.get(ident, home), {})[ident] = line
            if also:
                by_path.setdefault(home, {})
            if by_path and self.file_stats() != stats:
                # Changed by git or an editor, without Satchel's lock: their writes must not be
                # lost.
                raise BusyError(
                    "Another program changed the tasks' file in the meantime.",
                    hint="Nothing was written; try again.",
                )
            for path, issues in by_path.items():
                self._write(board.file(path), issues, also if path == home else ())
            return board.after(changed, home) if by_path else board

    def _is_untidy(self, board: Board, ident: str) -> bool:
        """Return whether an issue's lines differ from their merged form."""
        file = board.file(board.place.get(ident, ""))
        group = file.groups.get(ident)
        return group is not None and (
            len(group.numbers) > 1 or file.lines[group.numbers[0]].id != ident
        )

    def _write(self, file: FileText, issues: Mapping[str, bytes], foreign: Sequence[bytes]) -> None:
        if file.refused:
            raise ConflictError(
                f"{file.path} cannot be changed: {file.refused}",
                hint="Put an ordinary file there; nothing was written.",
            )
        path = os.path.realpath(file.path)
        if escapes_root(file.path, self.root):
            raise ConflictError(
                f"{file.path} is outside the project; Satchel does not write there.",
                hint="Put a regular file there.",
            )
        data = replaced(file.lines, file.groups, issues, foreign)
        if len(data) > LARGEST:
            raise BadInputError(
                f"{file.path} would grow past {LARGEST // 1024 // 1024} MB.",
                hint="Delete or export what is long done.",
            )
        _make_directory(os.path.dirname(path))
        replace_file(path, data, mode=_mode_of(path))


def _mode_of(path: str) -> int:
    try:
        return os.stat(path).st_mode & 0o777
    except OSError:
        return _MODE


def _make_directory(path: str) -> None:
    """Create a shared directory with git's permissions, not private ones."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        from satchel.storage.files import not_usable

        raise not_usable(path, error, writing=True) from error


class PartlyDoneError(SatchelError):
    """Only some of the tasks were changed; the others have a reason."""

    def __init__(self, done: Sequence[str], refused: Mapping[str, SatchelError]) -> None:
        first = next(iter(refused.values()))
        more = f" ({len(refused) - 1} more were refused)" if len(refused) > 1 else ""
        super().__init__(f"{first}{more}", hint=first.hint)
        self.done = tuple(done)
        self.refused = dict(refused)
        self.exit_code = first.exit_code if not done else 1


def raise_refused(done: Sequence[str], refused: Mapping[str, SatchelError]) -> None:
    """Raise if anything was refused: the error itself if it is the only one."""
    if len(refused) == 1 and not done:
        raise next(iter(refused.values()))
    if refused:
        raise PartlyDoneError(done, refused)
