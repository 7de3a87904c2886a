"""Erased memories in backups: removing them there, and keeping them out of a restore."""

from __future__ import annotations

from collections.abc import Iterator

from satchel.application.exchange.backups.vault import Backup, StoredFile, Vault
from satchel.application.exchange.privacy import purged_by, without_purged
from satchel.application.forgetting.places import Rules, scrubbed
from satchel.application.forgetting.receipts import forgotten_in
from satchel.application.forgetting.resurrected_lines import rules_for_returned
from satchel.application.forgetting.returned_turns import forgotten_turns
from satchel.application.forgetting.state_files import place_in_state
from satchel.application.forgetting.values import KEPT, LEDGER, OWNED, Leftover, Place
from satchel.core.errors import SatchelError
from satchel.core.plurals import counted
from satchel.features.sessions.compression import lines_in
from satchel.project.inventory import LEDGER as LEDGER_SORT
from satchel.project.inventory import NOTES, PACKED, HomeFile, home_files, local_path, state_at
from satchel.storage.files import read_file
from satchel.storage.ledger.lines import decode, split_lines
from satchel.storage.paths import UserHome

_STONES = (b'"purged"', b'"forgotten"')


def _place(home: UserHome, file: HomeFile) -> Place:
    path = local_path(home.path, file.path)
    if not file.state:
        return Place(path, OWNED, "a file of yours")
    return place_in_state(state_at(home, file.state), path)


# Forgetting in backups


def backups_that_say(home: UserHome, vault: Vault, rules: Rules) -> list[Leftover]:
    """Return the names of backups that contain the erased memories."""
    return _looked_through(home, vault, rules, files=False, rewrite=False)[1]


def forget_in_backups(
    home: UserHome, vault: Vault, rules: Rules, *, files: bool
) -> tuple[list[Place], list[Leftover]]:
    """Rewrite backups that contain the erased memories; return them and what is left.

    Args:
        files: also rewrite copies of user-owned files.
    """
    if not vault.names():
        return [], []
    with vault.lock():
        return _looked_through(home, vault, rules, files=files, rewrite=True)


def _looked_through(
    home: UserHome, vault: Vault, rules: Rules, *, files: bool, rewrite: bool
) -> tuple[list[Place], list[Leftover]]:
    done: list[Place] = []
    left: list[Leftover] = []
    seen: dict[tuple[str, str], bytes | None] = {}
    for name in vault.names():
        try:
            backup = vault.load(name)
            changed = {
                one: made
                for one in backup.files
                if (made := _changed(home, vault, one, rules, seen)) is not None
            }
        except SatchelError as error:
            left.append(Leftover(vault.manifest(name), "a backup", f"was not searched: {error}"))
            continue
        owned = {one for one in changed if _place(home, one.file).action == OWNED}
        take = {one: made for one, made in changed.items() if files or one not in owned}
        if not rewrite:
            if changed:
                why = "holds it; `satchel forget --backups` takes it out"
                left.append(Leftover(vault.manifest(name), "a backup", why))
            continue
        if take:
            vault.rewrite(backup, take)
            done.append(
                Place(vault.manifest(name), "backup", f"{counted(len(take), 'file')} of a backup")
            )
        if len(take) < len(changed):
            why = "holds files of yours that say it; --files takes it out of them"
            left.append(Leftover(vault.manifest(name), "a backup", why))
    if done:
        vault.sweep()
    return done, left


def _changed(
    home: UserHome,
    vault: Vault,
    one: StoredFile,
    rules: Rules,
    seen: dict[tuple[str, str], bytes | None],
) -> bytes | None:
    """Return a backup file without the erased memories, or None if it contains none."""
    known = (one.file.path, one.hash)
    if known not in seen:
        place = _place(home, one.file)
        data = b"" if place.action in ("", KEPT) else b"".join(vault.contents(one))
        made = scrubbed(place, data, rules) if data else data
        seen[known] = None if made == data else made
    return seen[known]


# Restoring


class SurvivingRecords:
    """What survives a restore: receipts, tombstones of erased memories, marks of erased turns."""

    def __init__(self, home: UserHome, vault: Vault, backup: Backup) -> None:
        self._home = home
        here = [one for one in home_files(home) if one.sort == LEDGER_SORT]
        self._here = {
            one.path: split_lines(read_file(local_path(home.path, one.path))) for one in here
        }
        packed = [one for one in home_files(home) if one.sort == PACKED]
        self._turns = forgotten_turns(read_file(local_path(home.path, one.path)) for one in packed)
        there = {
            one.file.path: split_lines(b"".join(vault.contents(one)))
            for one in backup.files
            if one.file.sort == LEDGER_SORT and one.file.ledger == LEDGER
        }
        receipts = [line for lines in there.values() for line in lines]
        receipts += [raw for one in here if one.ledger == LEDGER for raw in self._here[one.path]]
        known = forgotten_in(receipts)
        stones = [raw for lines in self._here.values() for raw in lines if _is_stone(raw)]
        self._purged, self._purges = purged_by(stones), bool(stones)
        self._rules = rules_for_returned(
            known,
            (
                split_lines(b"".join(vault.contents(one)))
                for one in backup.files
                if one.file.sort == LEDGER_SORT
            ),
            (text for one in backup.files for text in self._lost(vault, one)),
        )

    def _lost(self, vault: Vault, one: StoredFile) -> Iterator[str]:
        if self._turns and one.file.sort == PACKED:
            yield from self._turns.lost(lines_in(b"".join(vault.contents(one)), whole=True))

    def keeps(self, file: HomeFile) -> bool:
        """Return whether a file that the backup lacks is kept; receipts always are."""
        return file.sort == LEDGER_SORT and file.ledger == LEDGER

    def leaves_out(self, vault: Vault, one: StoredFile) -> bool:
        """Return whether a file of the backup retells a session that was forgotten."""
        if not self._turns.sessions or one.file.kind != NOTES:
            return False
        path = local_path(self._home.path, one.file.path)
        return self._turns.retold_in(path, b"".join(vault.contents(one)))

    def contents(self, file: HomeFile, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the restored contents of a file."""
        is_ledger = file.sort == LEDGER_SORT
        here = self._here.get(file.path, []) if is_ledger else []
        stones = here if self.keeps(file) else [raw for raw in here if _is_stone(raw)]
        turns = bool(self._turns) and file.sort == PACKED
        if self._rules is None and not (stones or turns or (is_ledger and self._purges)):
            yield from blocks
            return
        data = b"".join(blocks)
        data = self._turns.kept_packed(data) if turns else data
        place = _place(self._home, file)
        if self._rules is not None and place.action not in ("", KEPT, OWNED):
            data = scrubbed(place, data, self._rules)
        if not is_ledger:
            yield data
            return
        lines = split_lines(data)
        made = list(dict.fromkeys([*without_purged(lines, self._purged), *stones]))
        yield data if made == lines else b"".join(raw + b"\n" for raw in made)


def _is_stone(raw: bytes) -> bool:
    if not any(mark in raw for mark in _STONES):
        return False
    record = decode(raw).record
    return record is not None and record.deleted_at is not None and not record.content
