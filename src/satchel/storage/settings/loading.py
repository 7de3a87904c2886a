"""Resolves settings from the user's file, the project's, then the environment; snapshots.

Hooks read the snapshot: `tomllib` alone costs more than a hook may. A snapshot is good as long
as the two files have the size and time it was made from.
"""

from __future__ import annotations

import os

from satchel.core import quick_json
from satchel.core.errors import BadInputError, StoreError
from satchel.core.hashing import object_in, sealed
from satchel.storage.files import SETTINGS_SIZE, read_file, replace_file
from satchel.storage.settings.environment import overrides
from satchel.storage.settings.table import SETTINGS, SHARED, Settings, parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def load_settings(user_file: str, project_file: str, snapshot: str = "") -> Settings:
    """Resolve settings. With `snapshot`, use it if valid, otherwise renew it."""
    stamp = [_stamp(user_file), _stamp(project_file)]
    values = _from_snapshot(snapshot, stamp) if snapshot else None
    if values is None:
        values = _from_toml(user_file)
        values |= _of_repository(project_file)
        if snapshot:
            _keep_snapshot(snapshot, stamp, values)
    values.update(from_environment())
    return Settings(values)


def ignored_settings(project_file: str) -> list[str]:
    """Return what a repository's file sets that only a user may set, or nobody; it is ignored."""
    return sorted(dict(_set_in(project_file)).keys() - SHARED)


def _of_repository(project_file: str) -> dict[str, Any]:
    """Return the settings in a repository's file that it may set.

    Whatever is wrong with it is told to agents too, unasked: no message repeats its words.
    """
    return {
        name: parsed(name, value, project_file, quotes=False)
        for name, value in _set_in(project_file)
        if name in SHARED
    }


def origins(user_file: str, project_file: str) -> dict[str, str]:
    """Return the source of each non-default setting, by name."""
    found = dict.fromkeys(_from_toml(user_file), user_file)
    found |= dict.fromkeys(_of_repository(project_file), project_file)
    return found | dict.fromkeys(from_environment(), "the environment")


def last_settings(snapshot: str, user_file: str) -> Settings:
    """Return the settings to go by while a file is broken.

    The last resolved ones, unless the user's file has changed since: a repository whose file is
    broken from the first must not take the user's own settings away.
    """
    stamp = _stamp(user_file)
    try:
        kept = object_in(read_file(snapshot, most=SETTINGS_SIZE))
        last, resolved = dict(kept.get("values", {})), list(kept.get("stamp", []))[:1]
    except (ValueError, TypeError, AttributeError, StoreError):
        last, resolved = {}, []
    if resolved != [stamp]:
        try:
            last = _from_toml(user_file)
        except (BadInputError, StoreError):
            return Settings(last)
    return Settings(last)


def _stamp(path: str) -> list[int]:
    try:
        status = os.stat(path)
    except OSError:
        return [0, 0]
    return [status.st_size, status.st_mtime_ns]


def _from_snapshot(path: str, stamp: list[list[int]]) -> dict[str, Any] | None:
    try:
        kept = object_in(read_file(path, most=SETTINGS_SIZE))
        return dict(kept["values"]) if kept["stamp"] == stamp else None
    except (ValueError, KeyError, TypeError, StoreError):
        return None  # absent, older, or damaged: it is derived and rebuilt


def _keep_snapshot(path: str, stamp: list[list[int]], values: dict[str, Any]) -> None:
    try:
        replace_file(path, sealed(quick_json.dumps({"stamp": stamp, "values": values}))[0])
    except StoreError:
        return  # a full or read-only disk: the next reader resolves the files again


def read_toml(path: str) -> dict[str, Any]:
    """Read a TOML file; {} if it is missing or empty.

    Raises:
        BadInputError: it is not valid; the file and the place are named, its words are not.
    """
    data = read_file(path, most=SETTINGS_SIZE)
    if not data:
        return {}
    import re
    import tomllib

    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        at = re.search(r" \(at [a-z0-9, ]*\)$", str(error))
        raise BadInputError(
            f"{path} is not valid TOML{at.group() if at else ''}.",
            hint="Fix that line; nothing was changed.",
        ) from None


def _from_toml(path: str) -> dict[str, Any]:
    return {name: parsed(name, value, path) for name, value in _set_in(path)}


def _set_in(path: str) -> list[tuple[str, Any]]:
    """Return what a file sets, by dotted name: those without section, then each section's."""
    tables = read_toml(path)
    # [project] holds the project's identity, not settings.
    tables.pop("project", None)
    pairs: list[tuple[str, Any]] = []
    for section, table in tables.items():
        named = (
            {f"{section}.{name}": value for name, value in table.items()}
            if isinstance(table, dict)
            else {section: table}
        )
        for name, value in named.items():
            listed = isinstance(value, list)
            pairs.append((name, ",".join(map(str, value)) if listed else value))
    return pairs


def from_environment() -> dict[str, Any]:
    """Return settings from the environment. Raises `BadInputError` for invalid ones."""
    given = overrides()
    if not given:
        return {}
    by_spelling = {s.name.replace(".", "_"): s.name for s in SETTINGS}
    return {
        by_spelling[spelling]: parsed(by_spelling[spelling], value, f"SATCHEL_{spelling.upper()}")
        for spelling, value in given.items()
        if spelling in by_spelling
    }
