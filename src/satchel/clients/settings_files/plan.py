"""Plans of file changes: shown, applied, undone."""

import base64
import json
import os
import stat
from collections.abc import Sequence
from typing import Any, NamedTuple

from satchel.clients.settings_files.hook_entries import command_of, handlers_in, is_ours, without
from satchel.clients.settings_files.jsonc import Document
from satchel.clients.settings_files.owned_parts import without_parts
from satchel.clients.settings_files.settings_text import parse_settings, with_hooks_set
from satchel.core.errors import ConflictError, NotFoundError, NotReadableError, NotWritableError
from satchel.storage.files import flush_directory, own


class FileChange(NamedTuple):
    """A file: None in `before` creates it, None in `after` deletes it.

    `parts` names our parts of it (see `owned_parts`); () for Claude Code's hook entries.
    """

    path: str
    before: bytes | None
    after: bytes | None
    why: str
    parts: tuple[str, ...] = ()


class Plan(NamedTuple):
    """What would be changed, and notes for the user."""

    changes: tuple[FileChange, ...]
    notes: tuple[str, ...]


def diff(plan: Plan) -> str:
    """Return a plan as a unified diff."""
    import difflib

    out: list[str] = []
    for change in plan.changes:
        if b"\0" in (change.before or b"") + (change.after or b""):
            out.append(f"+++ {change.path}: not text\n")
            continue
        lines = difflib.unified_diff(
            (change.before or b"").decode(errors="replace").splitlines(keepends=True),
            (change.after or b"").decode(errors="replace").splitlines(keepends=True),
            "/dev/null" if change.before is None else change.path,
            "/dev/null" if change.after is None else change.path,
        )
        for line in lines:
            whole = line.endswith("\n")
            out.append(line if whole else line + "\n\\ No newline at end of file\n")
    return "".join(out)


def read_or_none(path: str) -> bytes | None:
    """Read a file; None if it is missing.

    Raises:
        NotReadableError: it exists, but is not a readable file.
    """
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise NotReadableError(f"{path} is not a file")
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotReadableError(f"{path} cannot be read: {error.strerror}") from None


def notes_on_link(path: str) -> list[str]:
    """Say what really changes, if a file or its folder is a link."""
    if os.path.islink(path) or os.path.islink(os.path.dirname(path)):
        return [f"{path} leads to {os.path.realpath(path)}, which is what changes"]
    return []


def apply(plan: Plan, journal_path: str) -> None:
    """Apply a plan, all or nothing, so that `undo` can revert it.

    Raises:
        ConflictError: a file changed since the plan was made.
        NotWritableError: a file could not be written; those already written are restored.
    """
    if not plan.changes:
        return
    targets = [os.path.realpath(change.path) for change in plan.changes]
    for change, target in zip(plan.changes, targets, strict=True):
        _expect(target, change.before)
    entries = _journal_entries(plan, targets, journal_path)
    _write_journal(journal_path, entries)
    done: list[tuple[FileChange, str]] = []
    try:
        for change, target in zip(plan.changes, targets, strict=True):
            _put(target, change.after, expected=change.before)
            done.append((change, target))
    except (OSError, ConflictError) as error:
        for change, target in reversed(done):
            _put(target, change.before, expected=change.after)
        if isinstance(error, ConflictError):
            raise
        raise _not_written(str(error.filename), error) from None


def as_before(planned: Plan, journals: Sequence[str]) -> Plan:
    """Restore original bytes of files with otherwise the same content as before installation.

    Removing entries alone cannot tell whether an empty object was there before.

    Args:
        planned: the plan that removes entries.
        journals: those of earlier plans, newest first.
    """
    changes = []
    for change in planned.changes:
        before = _first_known(os.path.realpath(change.path), change.before, journals)
        if before is not None and _says_same(before, change.after or b""):
            changes.append(change._replace(after=before))
        else:
            changes.append(change)
    return planned._replace(changes=tuple(changes))


def _first_known(target: str, now: bytes | None, journals: Sequence[str]) -> bytes | None:
    """Trace a file back through plans, as long as nobody else changed it."""
    for journal in journals:
        try:
            entries = json.loads(read_or_none(journal) or b"{}").get("files", [])
            known = next((one for one in entries if one["target"] == target), None)
            if known and known["exact"] and _decoded(known["after"]) == now:
                now = _decoded(known["before"])
        except (ValueError, KeyError, TypeError, AttributeError):
            break  # `undo` says which one is damaged
    return now


def _says_same(one: bytes, other: bytes) -> bool:
    try:
        values = [Document(raw, "").root.value for raw in (one, other)]
    except ConflictError:
        return False
    return bool(_filled(values[0]) == _filled(values[1]))


def _filled(value: Any) -> Any:
    """Return an object without empty members."""
    if not isinstance(value, dict):
        return value
    known = {name: _filled(one) for name, one in value.items()}
    return {name: one for name, one in known.items() if one not in ({}, [])}


def undone_files(journal_path: str) -> list[str]:
    """Return what undoing a journal would do to each file."""
    raw = read_or_none(journal_path)
    try:
        entries = json.loads(raw or b"")["files"]
        return [
            f"{entry['path']}: " + ("removed" if entry["before"] is None else "put back as it was")
            for entry in reversed(entries)
        ]
    except (ValueError, KeyError, TypeError):
        raise NotReadableError(f"{journal_path} is damaged") from None


def undo(journal_path: str) -> list[str]:
    """Undo a journal; return what was done to each file.

    An untouched file gets its exact bytes back; one edited since loses only Satchel's entries. The
    journal is deleted when nothing is left to undo.
    """
    raw = read_or_none(journal_path)
    if raw is None:
        raise NotFoundError(f"there is nothing to undo: {journal_path} does not exist")
    try:
        entries = json.loads(raw)["files"]
        lines, complete = [], True
        for entry in reversed(entries):
            line, whole = _undo_file(entry)
            lines.append(line)
            complete &= whole
    except (ValueError, KeyError, TypeError):
        raise NotReadableError(f"{journal_path} is damaged") from None
    if complete:
        os.unlink(journal_path)
    return lines


def _undo_file(entry: dict[str, Any]) -> tuple[str, bool]:
    path, target = entry["path"], entry["target"]
    before, after = _decoded(entry["before"]), _decoded(entry["after"])
    now = read_or_none(target)
    if now == before and entry["exact"]:
        return f"{path}: already as it was", True
    if now == after and entry["exact"]:
        _put(target, before, expected=now)
        if before is None:
            _remove_empty(entry["made"])
            return f"{path}: deleted, as it was not there before", True
        if isinstance(entry.get("mode"), int):
            os.chmod(target, entry["mode"])
        return f"{path}: restored", True
    if now is None:
        return f"{path}: was deleted in the meantime; left that way", True
    if entry.get("parts"):
        return _undo_parts(entry, now)
    if not target.endswith(".json"):
        return f"{path}: edited since; left as it is", False
    settings = parse_settings(now, path)
    old, new, present = (_commands(raw, path) for raw in (before, after, now))
    added, removed = new - old, old - new - present
    left = without(settings, lambda one: is_ours(one) or command_of(one) in added)
    missing = f"; not put back: {', '.join(sorted(removed))}" if removed else ""
    if left == settings:
        return f"{path}: edited since; holds no entry of Satchel{missing}", not missing
    _put(target, with_hooks_set(now, path, left.get("hooks")), expected=now)
    done = "edited since; only Satchel's entries were taken out"
    return f"{path}: {done}{missing}", not missing


def _undo_parts(entry: dict[str, Any], now: bytes) -> tuple[str, bool]:
    """Remove our parts from a file edited since, unless that is unsafe."""
    path, target = entry["path"], entry["target"]
    try:
        left = without_parts(now, path, entry["parts"])
    except ConflictError as error:
        return f"{path}: edited since; left as it is ({error})", False
    if left == now and {"skill", "whole"} & set(entry["parts"]):
        return f"{path}: edited since; left as it is", False
    if left == now:
        return f"{path}: edited since; holds nothing of Satchel", True
    _put(target, left, expected=now)
    if left is None:
        _remove_empty(entry["made"])
        return f"{path}: deleted, as nothing else was in it", True
    return f"{path}: edited since; only what is Satchel's was taken out", True


def _commands(raw: bytes | None, path: str) -> set[str]:
    """Return commands that are the user's own, or perhaps ours under another name."""
    handlers = handlers_in(parse_settings(raw or b"", path))
    return {command_of(one) for _, _, one in handlers if not is_ours(one)} - {""}


def _journal_entries(plan: Plan, targets: list[str], path: str) -> list[dict[str, Any]]:
    """Merge changes into the previous journal, so that undo restores the original."""
    raw = read_or_none(path)
    try:
        earlier = {one["target"]: one for one in json.loads(raw)["files"]} if raw else {}
    except (ValueError, KeyError, TypeError):
        raise ConflictError(
            f"{path} is damaged, so what it records could not be undone later",
            hint="move it away and try again",
        ) from None
    for change, target in zip(plan.changes, targets, strict=True):
        known = earlier.get(target)
        before, exact = _encoded(change.before), True
        if known is not None:
            exact = known["exact"] and known["after"] == before
            before = known["before"]
        earlier[target] = {
            "path": os.path.abspath(change.path),
            "target": target,
            "why": change.why,
            "parts": sorted({*change.parts, *(known.get("parts", ()) if known else ())}),
            "before": before,
            "after": _encoded(change.after),
            # False: a person edited the file between two installations; there is no single earlier
            # state to restore, and undo only removes our entries.
            "exact": exact,
            "made": known["made"] if known else _missing_directories(target),
            "mode": known.get("mode") if known else _mode_of(target),
        }
    return list(earlier.values())


def _write_journal(path: str, entries: list[dict[str, Any]]) -> None:
    text = json.dumps({"version": 1, "files": entries}, indent=1)
    try:
        _put(os.path.realpath(path), text.encode(), mode=0o600)  # settings may hold secrets
    except OSError as error:
        raise _not_written(path, error) from None


def _not_written(path: str, error: OSError) -> NotWritableError:
    return NotWritableError(
        f"{path} cannot be written: {error.strerror}; nothing was changed.",
        hint="Check who owns the file and its directory.",
    )


def _expect(target: str, before: bytes | None) -> None:
    if read_or_none(target) != before:
        raise ConflictError(
            f"{target} was changed after the plan was made", hint="run the command again"
        )


_ANYTHING = b"\0anything"


def _put(
    target: str, content: bytes | None, *, expected: bytes | None = _ANYTHING, mode: int = -1
) -> None:
    """Write a file atomically; None deletes it. Keeps its permissions."""
    if content is None:
        if expected is not _ANYTHING:
            _expect(target, expected)
        os.unlink(target)
        return
    directory = os.path.dirname(target)
    os.makedirs(directory, exist_ok=True)
    existing = os.stat(target) if os.path.exists(target) else None
    fresh = 0o777 if content.startswith(b"#!") else 0o666
    temporary = os.path.join(directory, f".satchel-{os.urandom(6).hex()}.tmp")
    descriptor = os.open(
        temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode if mode >= 0 else fresh
    )
    try:
        with os.fdopen(descriptor, "wb") as file:
            if existing is not None and mode < 0:
                own(file.fileno(), stat.S_IMODE(existing.st_mode), existing)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if expected is not _ANYTHING:
            _expect(target, expected)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
    flush_directory(directory)


def _mode_of(target: str) -> int | None:
    return stat.S_IMODE(os.stat(target).st_mode) if os.path.exists(target) else None


def _missing_directories(target: str) -> list[str]:
    missing = []
    directory = os.path.dirname(target)
    while not os.path.isdir(directory):
        missing.append(directory)
        directory = os.path.dirname(directory)
    return missing


def _remove_empty(directories: list[str]) -> None:
    for directory in directories:
        try:
            os.rmdir(directory)
        except OSError:
            return  # someone keeps something there now


def _encoded(content: bytes | None) -> str | None:
    return None if content is None else base64.b64encode(content).decode()


def _decoded(content: str | None) -> bytes | None:
    return None if content is None else base64.b64decode(content)
