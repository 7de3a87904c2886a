"""Keeps the map in sync with the work tree and its history.

No request looks at every file. Git lists the differences from the checked-out commit (one `git
status`); together with the commit and the differences of last time, that gives every file that can
have changed since. Only those are checked, and only those with another status are read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

from satchel.core import quick_json
from satchel.core.values import NamedTuple
from satchel.features.code.map.reading import FileContent, Tree, read_many
from satchel.features.code.map.repository import Repository, Status, end_of_history, walk
from satchel.features.code.map.store import CodeStore
from satchel.storage.files import stamp_of_status, stamp_text
from satchel.storage.git import GitError

_BATCH = 200


class RefreshReport(NamedTuple):
    """The result of a refresh: files read and dropped, commits added, seconds, `whole`."""

    read: int
    dropped: int
    commits: int
    seconds: float
    whole: bool = False


class BinaryEncoder(NamedTuple):
    """Encodes texts as signs of static vectors. `identity` names the table behind it."""

    identity: str
    codes_of: Callable[[list[str]], list[bytes]]


#: Without a table: no codes.
NO_CODER = BinaryEncoder("", lambda texts: [b""] * len(texts))


def refresh(
    store: CodeStore,
    root: str,
    *,
    common: str,
    coder: BinaryEncoder = NO_CODER,
    most_commits: int,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> RefreshReport:
    """Update the map. The caller holds this work tree's map lock.

    Args:
        common: git's directory, "" for none: where the end of a shallow history changes, past
            commits change too.
        most_commits: how many ancestors' messages and files to keep.
    """
    began = time.perf_counter()
    if store.meta("coder") != coder.identity:
        with store.database.transaction():
            store.database.write(store.sql["forget_bytes"])
            store.put_meta("whole", "no")
            store.put_meta("coder", coder.identity)
    reader = Reader(store, root, coder, progress)
    repository, status = Repository(root), None
    if common:
        try:
            status = repository.status()
        except GitError as error:
            # Not installed, or the repository is another person's: the files are still there.
            _note_git(store, str(error))
    if status is None:
        done = _everything(reader, walk(root))
        return done._replace(seconds=time.perf_counter() - began, whole=True)
    _note_git(store, "")
    old, before = store.meta("head"), _remembered(store)
    same_head = old == status.head and store.meta("whole") == "yes"
    diff = set() if same_head else (repository.between(old, status.head) if old else None)
    if force or diff is None or store.meta("whole") != "yes":
        done = _everything(reader, repository.listing())._replace(whole=True)
    else:
        done = _changed(reader, status, before, diff)
    end = end_of_history(common)
    same_past = same_head and store.meta("shallow") == end
    commits = 0
    if force or not same_past:
        commits = _history(store, repository, status.head, most_commits)
    here = {
        "changed": {path: held for path, held in status.changed.items() if _spellable(path)},
        "new": sorted(filter(_spellable, status.new)),
    }
    text = quick_json.dumps(here)
    if store.meta("differs") != text or not same_past or store.meta("whole") != "yes":
        with store.database.transaction():
            store.put_meta("shallow", end)
            store.put_meta("differs", text)
            store.put_meta("head", status.head)
            store.put_meta("whole", "yes")
    return done._replace(commits=commits, seconds=time.perf_counter() - began)


def _note_git(store: CodeStore, trouble: str) -> None:
    """Record a problem with git; once it is solved, all files are listed again."""
    if store.meta("git") != trouble:
        with store.database.transaction():
            store.put_meta("git", trouble)
            store.put_meta("whole", "no")


def _remembered(store: CodeStore) -> tuple[dict[str, bool], set[str]]:
    """Return what differed from the commit at the last update."""
    text = store.meta("differs")
    held = quick_json.loads(text) if text else {}
    return dict(held.get("changed", {})), set(held.get("new", ()))


class Reader(NamedTuple):
    """What reading files needs."""

    store: CodeStore
    root: str
    coder: BinaryEncoder
    progress: Callable[[int, int], None] | None


def _changed(
    reader: Reader, status: Status, before: tuple[dict[str, bool], set[str]], diff: set[str]
) -> RefreshReport:
    changed_then, new_then = before
    # Untracked or added then, and not mentioned now: ignored by now, or deleted.
    unlisted = {p for p in new_then if p not in status.new and p not in status.changed}
    unlisted |= {p for p, held in changed_then.items() if not held and p not in status.changed}
    unlisted = unlisted - diff - status.new | status.untracked
    look = (diff | status.new | set(status.changed) | set(changed_then)) - unlisted
    dropped = _drop(reader.store, unlisted)
    done = _read(reader, sorted(look))
    return done._replace(dropped=done.dropped + dropped)


def _everything(reader: Reader, listing: Iterable[str]) -> RefreshReport:
    there = [path for path in listing if _spellable(path)]
    dropped = _drop(reader.store, set(reader.store.marks()) - set(there))
    done = _read(reader, there)
    return done._replace(dropped=done.dropped + dropped)


def _spellable(path: str) -> bool:
    """Return whether a path is valid UTF-8; others cannot be shown or requested."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _drop(store: CodeStore, paths: set[str]) -> int:
    if not paths:
        return 0
    with store.database.transaction():
        return sum(store.drop(path) for path in sorted(paths))


def _read(reader: Reader, paths: Sequence[str]) -> RefreshReport:
    """Read those files whose status has changed."""
    store, root = reader.store, reader.root
    paths = [path for path in paths if _spellable(path)]
    marks = store.marks() if len(paths) > _BATCH else store.marks(paths)
    tree, wanted, gone = Tree(root), [], set()
    for path in paths:
        found = tree.status(path)
        mark = marks.get(path)
        if found is None:
            gone |= {path} if mark else set()
        elif mark is None or mark[0] != stamp_text(stamp_of_status(found)):
            wanted.append(path)
    dropped = _drop(store, gone)
    known = {path: marks[path][1] for path in wanted if path in marks}
    read, waiting = 0, []
    for path, reading in read_many(root, wanted, known):
        waiting.append((path, reading))
        if len(waiting) >= _BATCH:
            read += _put(reader, waiting)
            waiting = []
            if reader.progress is not None:
                reader.progress(read, len(wanted))
    read += _put(reader, waiting)
    return RefreshReport(read, dropped, 0, 0.0)


def _put(reader: Reader, readings: Sequence[tuple[str, FileContent | None]]) -> int:
    store = reader.store
    new = [one for _, one in readings if one is not None and not one.same]
    codes = dict(zip(map(id, new), reader.coder.codes_of([r.about for r in new]), strict=True))
    if not readings:
        return 0
    with store.database.transaction():
        for path, reading in readings:
            if reading is None:
                store.drop(path)
            elif reading.same:
                store.put_stamp(path, reading.file.stamp)
            else:
                store.put(reading, codes[id(reading)] if reading.about else b"")
    return len(new)


def _history(store: CodeStore, repository: Repository, head: str, most: int) -> int:
    """Store exactly the ancestors of the checked-out commit."""
    wanted = repository.ancestors(head, most) if head else []
    place = {sha: at for at, sha in enumerate(wanted)}
    known = {str(row[1]): int(str(row[0])) for row in store.ask("commit_rows")}
    missing = [sha for sha in wanted if sha not in known]
    try:
        commits = list(repository.commits(missing))
    except GitError:
        commits = []
    with store.database.transaction():
        for sha in known.keys() - place.keys():
            store.drop_commit(known[sha])
        still = [(sha, place[sha]) for sha in known.keys() & place.keys()]
        store.database.write_many(store.sql["put_place"], still)
        for commit in commits:
            paths = tuple(p for p in commit.paths if _spellable(p))
            renamed = {o: n for o, n in commit.renamed.items() if _spellable(o + n)}
            store.put_commit(commit._replace(paths=paths, renamed=renamed), place[commit.sha])
    return len(commits)
