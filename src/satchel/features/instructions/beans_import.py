"""Imports settings for instruction files from beans' `config.yaml`, unless already set."""

from __future__ import annotations

import os

from satchel.core.errors import BadInputError
from satchel.core.values import NamedTuple
from satchel.features.instructions.beans_settings import settings_of
from satchel.storage.locks import read_file
from satchel.storage.paths import UserHome
from satchel.storage.settings.table import parsed

#: Where these settings stand in the person's file.
SECTION = "instructions"


class AdoptedSettings(NamedTuple):
    """Settings to adopt, by our names; those already set; those without meaning here."""

    path: str
    settings: dict[str, bool | int | float | str]
    kept: tuple[str, ...] = ()
    not_understood: tuple[str, ...] = ()


def beans_settings(home: UserHome) -> AdoptedSettings | None:
    """Return the settings to adopt from `~/.beans/config.yaml`; None if there is none.

    What the person has set already stays as it is; a file that is not YAML is not understood.
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
