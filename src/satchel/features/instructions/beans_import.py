"""Taking over what `config.yaml` of beans says of memory files, into the person's own settings."""

from __future__ import annotations

import os

from satchel.core.errors import BadInputError
from satchel.core.values import NamedTuple
from satchel.features.instructions.beans_settings import settings_of
from satchel.storage.locks import read_file
from satchel.storage.paths import UserHome
from satchel.storage.settings.table import parsed

_SECTION = "instructions"


class AdoptedSettings(NamedTuple):
    """What was taken over, by our names; what the person had set otherwise; what says nothing."""

    path: str
    settings: dict[str, bool | int | float | str]
    kept: tuple[str, ...] = ()
    not_understood: tuple[str, ...] = ()


def adopt_beans_settings(home: UserHome) -> AdoptedSettings | None:
    """Take over `~/.beans/config.yaml`; None where there is none.

    What the person has set already stays as it is; a file that is not YAML is not understood.
    """
    import tomllib

    from satchel.storage.settings.person_file import put_settings

    path = os.path.join(os.path.expanduser("~"), ".beans", "config.yaml")
    data = read_file(path)
    if not data:
        return None
    try:
        found = settings_of(data.decode("utf-8-sig", "replace"))
        wanted = {name: parsed(name, value, path) for name, value in found.settings.items()}
    except BadInputError as error:
        return AdoptedSettings(path, {}, not_understood=(str(error),))
    own = tomllib.loads(read_file(home.configuration).decode("utf-8-sig")).get(_SECTION, {})
    new = {n: value for n, value in wanted.items() if n.partition(".")[2] not in own}
    if new:
        spelled = {name.partition(".")[2]: _spelled(value) for name, value in new.items()}
        put_settings(home.configuration, _SECTION, spelled)
    kept = [
        name
        for name in wanted
        if name not in new and _spelled(own[name.partition(".")[2]]) != _spelled(wanted[name])
    ]
    return AdoptedSettings(path, new, tuple(kept), found.not_understood)


def _spelled(value: bool | float | str) -> str:  # noqa: FBT001 -- a value, not a switch
    return str(value).lower() if isinstance(value, bool) else str(value)
