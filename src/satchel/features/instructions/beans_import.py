"""Imports settings for instruction files from beans' `config.yaml`, unless already set."""

from __future__ import annotations

import os

from satchel.core.errors import BadInputError
from satchel.core.values import Any, NamedTuple
from satchel.engine.markdown.yaml_text import read_yaml
from satchel.storage.files import read_file
from satchel.storage.paths import UserHome
from satchel.storage.settings.table import parsed

Value = bool | int | float | str


_NAMES = "AGENTS.md,CLAUDE.md,GEMINI.md,BEANS.md"
#: Key below `memory:` -> our setting, and the type of its value.
_KEYS: dict[str, tuple[str, type]] = {
    "enabled": ("instructions.enabled", bool),
    "fileName": ("instructions.file_names", str),
    "tokenBudgetPercent": ("instructions.budget_percent", float),
    "maxImportDepth": ("instructions.import_depth", int),
    "watchFiles": ("instructions.watch", bool),
    "excludePaths": ("instructions.exclude", list),
    "loadLocalFiles": ("instructions.local_files", bool),
    "debugProvenance": ("instructions.provenance", bool),
}
_OLDER = {"memoryFileName": "fileName"}


class BeansSettings(NamedTuple):
    """Settings by our names, and keys that are unknown or have invalid values."""

    settings: dict[str, Value]
    not_understood: tuple[str, ...]


def settings_of(text: str) -> BeansSettings:
    """Return the settings for instruction files in a `config.yaml`.

    Its own file name precedes our default ones, which are still read. Raises `BadInputError` if the
    text is not YAML.
    """
    whole = read_yaml(text)
    if whole is None:
        return BeansSettings({}, ())
    if not isinstance(whole, dict):
        raise BadInputError("config.yaml is not a list of `key: value` lines")
    table = whole.get("memory")
    strange = [str(key) for key in whole if key != "memory" and key not in _OLDER]
    fields: dict[str, Any] = dict(table) if isinstance(table, dict) else {}
    if table is not None and not isinstance(table, dict):
        strange.append("memory")
    fields |= {_OLDER[key]: whole[key] for key in _OLDER if key in whole}
    settings: dict[str, Value] = {}
    for key, value in fields.items():
        name, kind = _KEYS.get(_OLDER.get(key, key), ("", str))
        taken = _taken(value, kind) if name else None
        if taken is None:
            strange.append(f"memory.{key}")
        else:
            settings[name] = _with_defaults(taken) if name.endswith("file_names") else taken
    return BeansSettings(settings, tuple(strange))


def _taken(value: object, kind: type) -> Value | None:
    if kind is bool:
        return value if isinstance(value, bool) else None
    if kind is list:
        items = value if isinstance(value, list) else [value]
        if all(isinstance(item, str) and "," not in item for item in items):
            return ",".join(str(item).strip() for item in items)
        return None
    if kind is str:
        plain = isinstance(value, str) and value.strip() and not set(value) & set("/\\,\0")
        return str(value).strip() if plain else None
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        return None
    return kind(value) if float(kind(value)) == float(value) else None


def _with_defaults(name: Value) -> str:
    rest = [one for one in _NAMES.split(",") if one != name]
    return ",".join([str(name), *rest])


#: Where these settings are in the person's file.
SECTION = "instructions"


class AdoptedSettings(NamedTuple):
    """Settings to adopt, by our names; those already set; those without meaning here."""

    path: str
    settings: dict[str, bool | int | float | str]
    kept: tuple[str, ...] = ()
    not_understood: tuple[str, ...] = ()


def beans_settings(home: UserHome) -> AdoptedSettings | None:
    """Return the settings to adopt from `~/.beans/config.yaml`; None if there is none.

    Settings that the person already has stay as they are; a file that is not YAML has none.
    """
    import tomllib

    path = os.path.join(os.path.expanduser("~"), ".beans", "config.yaml")
    data = read_file(path)
    if not data:
        return None
    try:
        found = settings_of(data.decode("utf-8-sig", "replace"))
        wanted = {name: parsed(name, value, path) for name, value in found.settings.items()}
    except BadInputError as error:
        return AdoptedSettings(path, {}, not_understood=(str(error),))
    own = tomllib.loads(read_file(home.configuration).decode("utf-8-sig")).get(SECTION, {})
    new = {n: value for n, value in wanted.items() if n.partition(".")[2] not in own}
    kept = [
        name
        for name in wanted
        if name not in new and _spelled(own[name.partition(".")[2]]) != _spelled(wanted[name])
    ]
    return AdoptedSettings(path, new, tuple(kept), found.not_understood)


def _spelled(value: bool | float | str) -> str:  # noqa: FBT001 -- a value, not a switch
    return str(value).lower() if isinstance(value, bool) else str(value)
