"""Parses beans' `config.yaml` when its memory is adopted. Pure."""

from __future__ import annotations

from satchel.core.errors import BadInputError
from satchel.core.values import NamedTuple
from satchel.engine.markdown.yaml_text import read_yaml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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

    A file name of its own stands before our default ones, which are still read. Raises
    `BadInputError` where the text is not YAML.
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
