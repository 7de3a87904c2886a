"""A sync round: fetch, merge, commit, push. It can be killed at any point and rerun."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from satchel.application.exchange.privacy import is_shareable_file
from satchel.application.exchange.sync.applying import (
    append_lines,
    put_file,
    scrub,
    write_conflict_copy,
)
from satchel.application.exchange.sync.forgotten import Forgotten
from satchel.application.exchange.sync.merging import (
    Lines,
    merge_file,
    merge_lines,
    merge_packed,
    merge_plain,
)
from satchel.application.exchange.sync.places import (
    MARK,
    PathMapping,
    ProjectIdentity,
    identity_from,
    identity_path,
    named_identity,
)
from satchel.application.exchange.sync.report import SyncReport
from satchel.application.exchange.sync.repository import BASE, Repository, check_url
from satchel.core import quick_json
from satchel.core.errors import BusyError, ConflictError, NotFoundError, StoreError
from satchel.core.hashing import blob_hash
from satchel.core.plurals import counted
from satchel.core.shapes import list_of
from satchel.project.inventory import (
    LEDGER,
    LINES,
    PACKED,
    HomeFile,
    check_kinds,
    home_files,
    local_path,
    refuse_misplaced,
    state_at,
)
from satchel.storage.files import read_file, replace_file
from satchel.storage.home_paths import lock_in, lock_name, sync_in
from satchel.storage.ledger.lines import split_lines
from satchel.storage.locks import FileLock
from satchel.storage.paths import UserHome, archive_of

#: Kinds that go through the remote. Approvals, waiting events and verbatim quotes of others do not.
SYNCED = (
    *("memories", "graph", "tables", "instincts", "proposals", "outcomes", "sessions"),
    *("archive", "notes", "agents", "settings", "instructions"),
)
_MARK = b'{"format":"satchel-sync","version":1}\n'
_ROUNDS = 5
#: This many files may be deleted without asking.
_FEW = 5


class Sync:
    """The sync of one home."""

    def __init__(self, home: UserHome) -> None:
        self.home = home
        self.repository = Repository(os.path.join(sync_in(home.path), "repository"))
        self._settings = os.path.join(sync_in(home.path), "sync.json")

    def init(self, url: str, without: Sequence[str] = ()) -> None:
        """Set the remote, and the kinds of data that are not synced.

        Raises `ConflictError` for a remote whose branch has other content.
        """
        check_url(url)
        check_kinds(without)
        if os.path.isdir(os.path.expanduser(url)):
            url = os.path.abspath(os.path.expanduser(url))
        with self._lock():
            old = self.repository.url() if self.repository.exists() else url
            self.repository.make(url)
            try:
                self._check(self.repository.tree(self.repository.fetch()))
            except BaseException:
                self.repository.make(old)
                raise
            kept = {"without": list(without), "remote": url}
            replace_file(self._settings, quick_json.dumps(kept).encode())

    def status(self) -> dict[str, object]:
        """Return the remote and what is unsent, without contacting the remote."""
        kinds = self._kinds()
        base = self.repository.commit_of(BASE)
        round_ = _Round(self, base, base, kinds)
        round_.merge(apply=False)
        done = os.path.join(self.repository.path, *BASE.split("/"))
        return {
            "remote": self.repository.url(),
            "kinds": list(kinds),
            "commit": base,
            "synced": int(os.path.getmtime(done)) if os.path.exists(done) else 0,
            "waiting": round_.changed(),
            "stays": sorted(round_.kept),
        }

    def run(self, now: float, *, dry_run: bool = False, deletions: bool = False) -> SyncReport:
        """Sync this home with the remote.

        Args:
            now: Unix seconds.
            dry_run: only report what would happen.
            deletions: most files of a kind were deleted here, intentionally.

        Raises `BusyError` if other machines were always faster, `StoreError` if the remote cannot
        be reached; what was received is kept, and the next round continues from there.
        """
        with self._lock():
            try:
                return self._rounds(now, dry_run=dry_run, deletions=deletions)
            except StoreError:
                # It only holds what is here and at the remote, so it can be made again.
                if not self.repository.renew():
                    raise
                return self._rounds(now, dry_run=dry_run, deletions=deletions)

    def _rounds(self, now: float, *, dry_run: bool, deletions: bool) -> SyncReport:
        kinds, done = self._kinds(), SyncReport()
        refuse_misplaced(self.home)
        for _ in range(_ROUNDS):
            theirs = self.repository.fetch()
            round_ = _Round(self, theirs, self.repository.base_of(theirs), kinds)
            if not (deletions or dry_run):
                round_.check_deletions()
            round_.merge(apply=not dry_run)
            changed = round_.changed()
            done = done.with_round(round_.report(len(changed)))
            if dry_run or self._sent(round_, theirs, changed, int(now)):
                return done
        raise BusyError("Other machines pushed first every time.", hint="Run it again.")

    def _sent(self, round_: _Round, theirs: str, changed: Sequence[str], now: int) -> bool:
        if not changed and theirs:
            self.repository.put_base(theirs)
            return True
        message = f"Sync {counted(len(changed), 'file')}"
        commit = self.repository.commit(theirs, round_.out, message, now)
        if not self.repository.push(commit):
            return False
        self.repository.put_base(commit)
        return True

    def _kinds(self) -> tuple[str, ...]:
        try:
            kept = quick_json.loads(read_file(self._settings).decode())
            without, remote = list_of(kept["without"]), str(kept.get("remote") or "")
        except (ValueError, KeyError, TypeError, AttributeError):
            without, remote = [], ""
        # Without its repository a home still knows its remote, and fetches everything again.
        if remote and not (self.repository.exists() and self.repository.url()):
            self.repository.make(remote)
        if not self.repository.exists():
            raise NotFoundError(
                "This home is not synced.", hint="`satchel sync init ADDRESS` sets a remote."
            )
        return tuple(kind for kind in SYNCED if kind not in without)

    def _lock(self) -> FileLock:
        return FileLock(lock_in(self.home.path, "sync"), timeout=10.0)

    def _check(self, tree: dict[str, str]) -> None:
        if tree and (MARK not in tree or self.repository.blob(tree[MARK]) != _MARK):
            raise ConflictError(
                "The remote's branch `satchel` holds something else, or was written by a newer "
                "Satchel; nothing was written.",
                hint="Use an empty private repository.",
            )


class _Round:
    """One comparison of both sides and its result. `out` is the tree to send."""

    def __init__(self, sync: Sync, theirs: str, base: str, kinds: Sequence[str]) -> None:
        self.home, self.repository = sync.home, sync.repository
        self.theirs, self.base = sync.repository.tree(theirs), sync.repository.tree(base)
        sync._check(self.theirs)  # noqa: SLF001 -- the other half of it
        names = {named_identity(path): blob for path, blob in self.theirs.items()}
        found = {name: identity_from(self._blob(blob)) for name, blob in names.items() if name}
        known: dict[str, ProjectIdentity] = {name: one for name, one in found.items() if one}
        self.places = PathMapping(sync.home, known)
        self.kinds = kinds
        self.out: dict[str, bytes | str] = {MARK: _MARK}
        self.lines = self.files = self.scrubbed = 0
        self.aside: list[str] = []
        self.kept: list[str] = []
        self.projects: list[str] = []

    def _telling(self) -> Iterator[tuple[HomeFile, bytes]]:
        """Yield the remote's ledgers and archives that differ from this home's."""
        for path, blob in self.theirs.items():
            known = None if path == MARK or named_identity(path) else self.places.file(path)
            if known is None or known.kind not in self.kinds or known.sort not in (LEDGER, PACKED):
                continue
            if blob != blob_hash(read_file(local_path(self.home.path, known.path))):
                yield known, self._blob(blob)

    def _incoming(self, known: HomeFile, blob: str) -> bytes:
        return self.forgotten.incoming(known, self._blob(blob)) if blob else b""

    def _blob(self, name: str) -> bytes:
        return self.repository.blob(name) if name else b""

    def changed(self) -> list[str]:
        """Return the paths where the outgoing tree differs from the remote's."""
        names = {p: c if isinstance(c, str) else blob_hash(c) for p, c in self.out.items()}
        return sorted(p for p in {*names, *self.theirs} if names.get(p) != self.theirs.get(p))

    def report(self, sent: int) -> SyncReport:
        """Return what was done, with how many files are sent."""
        return SyncReport(
            self.lines,
            self.files,
            sent,
            scrubbed=self.scrubbed,
            projects=tuple(self.projects),
            aside=tuple(self.aside),
            kept=tuple(sorted(self.kept)),
            left=self.forgotten.outside.remains,
        )

    def check_deletions(self) -> None:
        """Refuse to send the loss of most files of a kind: a disk may be missing."""
        gone: dict[str, int] = {}
        all_: dict[str, int] = {}
        for path in self.base:
            known = None if path == MARK or named_identity(path) else self.places.file(path)
            if known is None or known.kind not in self.kinds:
                continue
            there = [local_path(self.home.path, known.path)]
            there = self._files_of(known) if known.sort == LEDGER else there
            all_[known.kind] = all_.get(known.kind, 0) + 1
            gone[known.kind] = gone.get(known.kind, 0) + (not any(map(os.path.lexists, there)))
        for kind, count in gone.items():
            if count > _FEW and count * 2 > all_[kind]:
                raise ConflictError(
                    f"{count} of {all_[kind]} files of {kind} are missing here; nothing was sent.",
                    hint="Pass --deletions if that is intended. If not, is a disk missing?",
                )

    def merge(self, *, apply: bool) -> None:
        """Merge every file of both sides."""
        if apply:
            self.projects = self.places.make_projects()
        self.forgotten = Forgotten(self.home, self._telling())
        if apply:
            self.forgotten.scrub()
        here: dict[str, list[HomeFile]] = {}
        for one in home_files(self.home, kinds=self.kinds):
            remote = self.places.remote_path(one)
            if remote:
                here.setdefault(remote, []).append(one)
        for name, identity in self.places.identities.items():
            self.out[identity_path(name)] = identity.spelled()
        for path in sorted({*here, *self.theirs, *self.base}):
            if path == MARK or named_identity(path):
                continue
            known = here.get(path, [None])[0] or self.places.file(path)
            blob = self.theirs.get(path, "")
            if known is None or known.kind not in self.kinds:
                # Another machine's: it stays unchanged there.
                self.out |= {path: blob} if blob else {}
            elif known.sort == LINES and self._is_deleted(path, known, blob, apply=apply):
                continue
            elif known.sort in (LEDGER, LINES):
                self._lines(path, known, blob, apply=apply)
            elif known.sort == PACKED:
                self._packed(path, known, blob, apply=apply)
            else:
                self._file(path, known, blob, apply=apply)

    def _lines(self, path: str, known: HomeFile, blob: str, *, apply: bool) -> None:
        theirs = split_lines(self._incoming(known, blob))
        ledger = known.sort == LEDGER
        files = self._files_of(known)
        with ExitStack() as locks:
            if ledger and apply:
                state = state_at(self.home, known.state)
                locks.enter_context(FileLock(state.lock(lock_name(known.ledger))))
            ours = [raw for file in files for raw in split_lines(read_file(file))]
            done: Lines = merge_lines(ours, theirs) if ledger else merge_plain(ours, theirs)
            if apply and ledger:
                # First: a killed round would find nothing new to record afterwards.
                self.forgotten.note(state_at(self.home, known.state), done.incoming)
            if apply:
                append_lines(files[0], done.incoming)
                scrub(files, done.scrubbed, state_at(self.home, known.state).index)
        self.lines += len(done.incoming)
        self.scrubbed += len(done.scrubbed)
        data = b"".join(raw + b"\n" for raw in done.outgoing)
        if not ledger and not is_shareable_file(known, data):
            self._stays(path, known, blob)
        elif data or blob:
            self.out[path] = data

    def _is_deleted(self, path: str, known: HomeFile, blob: str, *, apply: bool) -> bool:
        """Return whether one side deleted a session's file that the other left as it was."""
        target, base = local_path(self.home.path, known.path), self.base.get(path, "")
        if not base or not os.path.lexists(target):
            return bool(base) and blob in (base, "")
        ours = read_file(target)
        if blob or blob_hash(ours) != base:
            return False
        self.files += 1
        if apply:
            put_file(target, ours, None)
        return True

    def _files_of(self, known: HomeFile) -> list[str]:
        if known.sort == LINES:
            return [local_path(self.home.path, known.path)]
        path = state_at(self.home, known.state).ledger(known.ledger)
        return [path, archive_of(path)]

    def _packed(self, path: str, known: HomeFile, blob: str, *, apply: bool) -> None:
        from satchel.application.exchange.export.import_archive import append_member

        target = local_path(self.home.path, known.path)
        ours = read_file(target)
        if blob == blob_hash(ours) and is_shareable_file(known, ours):
            self.out[path] = blob
            return
        incoming, data = merge_packed(ours, self._incoming(known, blob))
        if incoming and apply:
            append_member(target, incoming)
        self.lines += len(incoming)
        if is_shareable_file(known, data):
            self.out[path] = data
        else:
            self._stays(path, known, blob)

    def _file(self, path: str, known: HomeFile, blob: str, *, apply: bool) -> None:
        target = local_path(self.home.path, known.path)
        ours = read_file(target) if os.path.lexists(target) else None
        if ours is not None and not is_shareable_file(known, ours):
            self._stays(path, known, blob)
            return
        if ours is not None and blob == blob_hash(ours):
            self.out[path] = blob  # the usual case, without starting git
            return
        theirs = (
            self._incoming(known, blob) or (None if self._blob(blob) else b"") if blob else None
        )
        base = self._blob(self.base[path]) if path in self.base else None
        done = merge_file(ours, base, theirs, self.repository.merged)
        if done.here != ours:
            self.files += 1
            if apply:
                put_file(target, ours, done.here)
        if done.there is not None:
            self.out[path] = done.there
        if done.aside is not None:
            self._beside(path, known, done.aside, apply=apply)

    def _beside(self, path: str, known: HomeFile, data: bytes, *, apply: bool) -> None:
        """Keep the remote version of a file beside ours, on both sides."""
        ending = f".theirs-{blob_hash(data)[:8]}"
        self.aside.append(known.path + ending)
        self.out[path + ending] = data
        if apply:
            write_conflict_copy(local_path(self.home.path, known.path) + ending, data)

    def _stays(self, path: str, known: HomeFile, blob: str) -> None:
        self.kept.append(known.path)
        if blob:
            self.out[path] = blob
