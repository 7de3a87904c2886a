"""Writes single settings to a configuration file, changing nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from satchel.core.errors import ConflictError
from satchel.core.values import Any
from satchel.storage.files import SETTINGS_SIZE, read_file, replace_file

Value = str | bool | int | float | None


def with_settings(text: str, section: str, values: Mapping[str, Value]) -> str:
    """Return a TOML text with these values in a section, all other lines unchanged.

    None takes a value out.
    """
    lines, found = text.splitlines(), -1
    for place, line in enumerate(lines):
        if line.split("#")[0].strip() == f"[{section}]":
            found = place
    if found < 0:
        lines += ["", f"[{section}]"] if lines else [f"[{section}]"]
        found = len(lines) - 1
    end = next(
        (n for n in range(found + 1, len(lines)) if lines[n].lstrip().startswith("[")), len(lines)
    )
    body = [line for line in lines[found + 1 : end] if line.partition("=")[0].strip() not in values]
    new = [f"{name} = {toml_value(value)}" for name, value in values.items() if value is not None]
    return "\n".join([*lines[: found + 1], *new, *body, *lines[end:]]) + "\n"


def put_settings(path: str, section: str, values: Mapping[str, Value]) -> None:
    """Set values in a section of a configuration file; on error, nothing is written.

    None takes a value out.

    Raises `ConflictError` where the file is written in a way that this cannot change.
    """
    replace_file(path, file_with_settings(path, section, values))


def file_with_settings(path: str, section: str, values: Mapping[str, Value]) -> bytes:
    """Return what `put_settings` would write, or raise as it would."""
    import tomllib

    try:
        before = read_file(path, most=SETTINGS_SIZE).decode("utf-8")
    except UnicodeDecodeError:
        raise ConflictError(
            f"{path} is not a text file in UTF-8; nothing was changed.",
            hint="Move it away: Satchel then begins a new one.",
        ) from None
    after = with_settings(before, section, values)
    try:
        old, new = tomllib.loads(before), tomllib.loads(after)
    except tomllib.TOMLDecodeError:
        old, new = {}, {}
    held = {**old.get(section, {}), **values}
    wanted: dict[str, Any] = {**old, section: {k: v for k, v in held.items() if v is not None}}
    if new != wanted:
        raise ConflictError(
            f"{path} could not be changed safely.",
            hint=f"Set {', '.join(values)} in its section [{section}] by hand.",
        )
    return after.encode()


def toml_value(value: str | bool | float) -> str:  # noqa: FBT001 -- either is a value
    """Return a value as TOML writes it; JSON's escapes are valid in its texts."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    import json

    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
