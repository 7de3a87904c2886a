"""Exports and imports a project or a user; knows where everything is stored."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence

from satchel import __version__
from satchel.application.approval import refuse_agent
from satchel.application.exchange.export.archive import (
    PERSON,
    PROJECT,
    TRACKED,
    Entry,
    entry_of,
    read_archive,
    read_entry,
)
from satchel.application.exchange.export.import_archive import (
    ImportReport,
    import_file,
    import_home_file,
    import_lines,
)
from satchel.application.exchange.importing import add_imported
from satchel.application.exchange.privacy import (
    PRIVATE_KINDS,
    is_shareable_file,
    purged_by,
    shareable_lines,
    without_purged,
)
from satchel.application.forgetting.places import Rules, SearchedFiles, scrubbed
from satchel.application.forgetting.receipts import forgotten_in
from satchel.application.forgetting.resurrected_lines import rules_for_returned
from satchel.application.forgetting.returned_turns import ForgottenTurns, forgotten_turns
from satchel.application.forgetting.said_again import said_before
from satchel.application.forgetting.state_files import place_in_state
from satchel.application.forgetting.values import LEDGER as FORGOTTEN
from satchel.application.forgetting.values import LEDGER_FILE, LINES, Place
from satchel.application.services import Services
from satchel.core.values import Any, NamedTuple
from satchel.features.sessions.compression import lines_in
from satchel.project.approvals.rules import line_mark, place_mark
from satchel.project.inventory import (
    IDENTITY,
    LEDGER,
    MEMORIES,
    PACKED,
    WHOLE,
    HomeFile,
    home_file_of,
    home_files,
    local_path,
    refuse_misplaced,
)
from satchel.storage.files import make_private_directory, read_file
from satchel.storage.git_attributes import keep_attributes
from satchel.storage.ledger.lines import decode, split_lines
from satchel.storage.paths import archive_of
from satchel.storage.safe_open import escapes_root, is_within
from satchel.storage.tracked_files import PRESETS

_LEDGER, _ARCHIVE = "tracked/knowledge.jsonl", "tracked/knowledge.archive.jsonl"
#: Tracked files without any user's content: `init` creates them.
_MADE = (".gitattributes", "project.toml")


class Export(NamedTuple):
    """An export: the manifest's head, the files, and what stays, as lines and files by name."""

    head: dict[str, Any]
    files: dict[Entry, bytes]
    lines_left: int
    files_left: tuple[str, ...]


def export(
    work: Services, *, person: bool, kinds: Sequence[str] = (), private: bool = False
) -> Export:
    """Collect everything durable of a project, or of the user.

    Args:
        project: an open project; its inbox is drained first.
        person: export the user's own data instead of the project's.
        kinds: only these kinds of files; none for all.
        private: include what is marked private, names somebody or contains a secret.
    """
    refuse_misplaced(work.owner().home)
    work.refresh()
    files: dict[Entry, bytes] = {}
    lines_left, files_left = 0, []
    sources = _of_person(work) if person else _of_project(work)
    for path, file, data in sources:
        if kinds and file.kind not in kinds:
            continue
        if private:
            kept = data
        elif file.sort == LEDGER and file.kind not in PRIVATE_KINDS:
            lines = split_lines(data)
            out = shareable_lines(lines)
            lines_left += len(lines) - len(out)
            kept = b"".join(raw + b"\n" for raw in out)
        elif is_shareable_file(file, data):
            kept = data
        else:
            files_left.append(path)
            continue
        files[entry_of(path, file.kind, file.sort, kept)] = kept
    head = {"satchel": __version__, "made": int(work.project.clock.now()), "private": private}
    if not person:
        place = work.project.place
        head["project"] = {"id": place.project_id, "name": os.path.basename(place.root)}
    return Export(head, files, lines_left, tuple(files_left))


def _of_project(work: Services) -> Iterator[tuple[str, HomeFile, bytes]]:
    root = f"projects/{work.project.key}"
    for one in home_files(work.owner().home):
        if one.state == root:
            data = read_file(local_path(work.owner().home.path, one.path))
            yield f"{PROJECT}/{one.path[len(root) + 1 :]}", one, data
    yield from _of_work_tree(work)


def _of_person(work: Services) -> Iterator[tuple[str, HomeFile, bytes]]:
    home = work.owner().home
    for one in home_files(home):
        if not one.path.startswith("projects/"):
            yield f"{PERSON}/{one.path}", one, read_file(local_path(home.path, one.path))


def _of_work_tree(work: Services) -> Iterator[tuple[str, HomeFile, bytes]]:
    ledger = work.project.tracked.knowledge
    for path, name in ((ledger, _LEDGER), (archive_of(ledger), _ARCHIVE)):
        if os.path.isfile(path) and not escapes_root(path, work.project.tracked.root):
            yield name, HomeFile(name, MEMORIES, LEDGER), read_file(path)
    for path in _owned_files(work):
        below = os.path.relpath(path, work.project.tracked.root).replace(os.sep, "/")
        yield f"{TRACKED}/files/{below}", HomeFile(below, TRACKED, WHOLE), read_file(path)


def _owned_files(work: Services) -> list[str]:
    tracked = work.project.tracked
    things = [name for name in PRESETS["default"] if name not in ("knowledge", "check_workflow")]
    places = [tracked.place(name) for name in things]
    places += [tracked.solutions, tracked.intent, *tracked.routing, *tracked.tasks]
    found: set[str] = set()
    for place in places:
        if os.path.isfile(place):
            found.add(place)
        for where, _, names in os.walk(place):
            found.update(os.path.join(where, name) for name in names)
    return sorted(
        path
        for path in found
        if os.path.isfile(path)
        and not os.path.islink(path)
        and not escapes_root(path, tracked.root)
        and os.path.basename(path) not in _MADE
    )


def import_archive(
    work: Services, path: str, *, kinds: Sequence[str] = (), approvals: bool = False
) -> ImportReport:
    """Import an archive of `export` into this project and home; idempotent.

    Args:
        work: an open project.
        path: see `read_archive`.
        kinds: only these kinds of files; none for all.
        approvals: the archive is this person's own: everything in it is taken as it is. Otherwise
            its memories and files wait for approval, and what cannot wait stays out.

    Raises `NotReadableError` for a damaged archive, before anything is written.
    """
    if approvals:
        refuse_agent(work)
    done = ImportReport()
    make_private_directory(work.project.state.path)
    with tempfile.TemporaryDirectory(dir=work.project.state.path, suffix=".tmp") as directory:
        entries, root = read_archive(path, directory)
        turns = _turns_forgotten_here(work)
        rules = _forgotten_rules(work, entries, root, turns)
        for entry in entries:
            if kinds and entry.kind not in kinds:
                continue
            data = read_entry(root, entry)
            if turns.retold_in(os.path.join(*entry.path.split("/")), data):
                done = done.plus(ImportReport(left=(entry.path,)))
                continue
            data = turns.kept_packed(data) if entry.sort == PACKED else data
            data, gone = _without_forgotten(work, entry, data, rules)
            done = done.plus(ImportReport(purged=gone))
            if entry.path.startswith(TRACKED + "/"):
                done = done.plus(_take_tracked(work, entry, data, own=approvals))
            elif approvals:
                done = done.plus(import_home_file(work.owner().home, work.project.key, entry, data))
            else:
                done = done.plus(_take_foreign(work, entry, data))
    work.refresh()
    return done


def _turns_forgotten_here(work: Services) -> ForgottenTurns:
    """Return what was forgotten of the project's archived sessions, and of the person's."""
    home, states = work.owner().home, (work.project.state.path, work.owner().home.user_state.path)
    files = [local_path(home.path, one.path) for one in home_files(home) if one.sort == PACKED]
    ours = [one for one in files if any(is_within(one, state) for state in states)]
    return forgotten_turns(read_file(one) for one in ours)


def _forgotten_rules(
    work: Services, entries: Sequence[Entry], root: str, turns: ForgottenTurns
) -> Rules | None:
    """Return rules that remove what was erased here, or where the archive was made."""
    ledgers = {
        entry.path: split_lines(read_entry(root, entry))
        for entry in entries
        if entry.sort == LEDGER
    }
    receipts = work.project.ledger(FORGOTTEN)
    lines = split_lines(read_file(receipts.archive) + b"\n" + read_file(receipts.path))
    for path, theirs in ledgers.items():
        if HomeFile(path, "", LEDGER).ledger == FORGOTTEN:
            lines += theirs
    archives = [read_entry(root, one) for one in entries if turns and one.sort == PACKED]
    lost = (text for data in archives for text in turns.lost(lines_in(data, whole=True)))
    known = forgotten_in(lines)
    searched = SearchedFiles(work.project, work.owner().home)
    own = (split_lines(read_file(one)) for one in searched.ledgers())
    again = said_before([raw for read in (*own, *ledgers.values()) for raw in read])
    return rules_for_returned(known._replace(ids=known.ids | again), ledgers.values(), lost)


def _without_forgotten(
    work: Services, entry: Entry, data: bytes, rules: Rules | None
) -> tuple[bytes, int]:
    """Return the imported part of a file, and how many erased lines were dropped."""
    root, _, below = entry.path.partition("/")
    if rules is None or root not in (PROJECT, TRACKED) or (root, entry.sort) == (TRACKED, WHOLE):
        return data, 0
    lines = split_lines(data) if entry.sort == LEDGER else []
    kept = [
        raw for raw in lines if (record := decode(raw).record) is None or not rules.goes(record)
    ]
    if len(kept) < len(lines):
        data = b"".join(raw + b"\n" for raw in kept)
    state = work.project.state
    place = place_in_state(state, os.path.join(state.path, *below.split("/")))
    if entry.path in (_LEDGER, _ARCHIVE):
        place = Place(entry.path, LINES, LEDGER_FILE)
    return scrubbed(place, data, rules), len(lines) - len(kept)


def _take_foreign(work: Services, entry: Entry, data: bytes) -> ImportReport:
    """Import memories of a private state that may be anybody's; nothing else of it can wait."""
    place = home_file_of(f"projects/{work.project.key}/{entry.path.removeprefix(PROJECT + '/')}")
    ours = entry.path.startswith(PROJECT + "/") and place is not None
    if entry.kind == IDENTITY:
        return ImportReport()
    if not (ours and place and place.kind == MEMORIES == entry.kind and place.sort == LEDGER):
        return ImportReport(left=(entry.path,))
    ledgers = work.memories.stores.ledgers
    purged = purged_by(raw.raw for one in ledgers.every_private() for raw in one.read())
    given = list(dict.fromkeys(split_lines(data)))
    kept = without_purged(given, purged)
    records = [one for raw in kept if (one := decode(raw).record) is not None]
    written = add_imported(records, ledgers)
    return ImportReport(written, len(kept) - written, purged=len(given) - len(kept))


def _take_tracked(work: Services, entry: Entry, data: bytes, *, own: bool) -> ImportReport:
    ledger = work.memories.stores.ledgers.tracked
    if entry.path in (_LEDGER, _ARCHIVE):
        if ledger is None or not data or escapes_root(ledger.path, work.project.tracked.root):
            return ImportReport(left=(entry.path,) if data else ())
        target = ledger.path if entry.path == _LEDGER else ledger.archive
        keep_attributes(ledger.path)
        with ledger.lock():
            beside = [ledger.path, ledger.archive]
            if not own:
                _hold_lines(work, data, beside)
            return import_lines(target, data, beside)
    below = entry.path.removeprefix(f"{TRACKED}/files/")
    target = local_path(work.project.tracked.root, below)
    if below.split("/")[0] == ".git" or escapes_root(target, work.project.tracked.root):
        return ImportReport(left=(entry.path,))
    if not _is_ours(work, target):
        return ImportReport(left=(entry.path,))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if not (own or os.path.lexists(target)):
        root = os.path.realpath(work.project.tracked.root)
        place = place_mark(os.path.relpath(os.path.realpath(target), root))
        work.project.approvals.hold([place])
    return import_file(target, entry.path, data, mode=0o644)


def _hold_lines(work: Services, data: bytes, beside: Sequence[str]) -> None:
    """Let the lines that a tracked ledger does not have yet wait for approval."""
    there = {raw for path in beside for raw in split_lines(read_file(path))}
    lines = [decode(raw).record for raw in split_lines(data) if raw not in there]
    work.project.approvals.hold(line_mark(one.hash) for one in lines if one is not None)


def _is_ours(work: Services, target: str) -> bool:
    """Return whether a path belongs to Satchel, since an archive may come from anywhere."""
    tracked = work.project.tracked
    places = [
        os.path.join(tracked.root, *path.split("/"))
        for things in PRESETS.values()
        for name, path in things.items()
        if name != "check_workflow"
    ]
    places += [tracked.solutions, tracked.intent, *tracked.routing, *tracked.tasks]
    return any(is_within(target, place) for place in places)
