"""`config`: show settings and where they come from, and change them."""

from __future__ import annotations

import os
from collections.abc import Sequence

from satchel.core.errors import BadInputError, UnknownSettingError
from satchel.core.trust import refuse_agent
from satchel.interfaces.cli.arguments import Options, parser_for
from satchel.storage.settings.environment import variable_of
from satchel.storage.settings.loading import from_environment, origins
from satchel.storage.settings.person_file import put_settings
from satchel.storage.settings.table import PERSONS, SETTINGS, SHARED, parsed
from satchel.workspace import Workspace

#: What people type to see all of them.
_LISTS = ("list", "ls", "show")
_ACTIONS = ("set", "unset")


def config(words: Sequence[str]) -> int:
    """`satchel config [[get] NAME | set NAME VALUE | unset NAME]`."""
    parser = parser_for("config", "Show settings, their values and what they mean; change them.")
    parser.words(
        "words", "only this setting, also get NAME; set NAME VALUE; unset NAME", metavar="NAME"
    )
    parser.flag("--project", "set it in this project's file, for colleagues too")
    options = parser.parse_args(words)
    action, *rest = options.words or [""]
    if action in _ACTIONS:
        return _change(action, rest, options)
    if action == "get" and not rest:
        raise BadInputError("Write `satchel config get NAME`.", hint="`satchel config` lists them.")
    listed = action in _LISTS and not rest
    names = [] if listed else rest if action == "get" else options.words
    if len(names) > 1:
        raise BadInputError("One setting at a time.", hint="`satchel config set NAME VALUE`.")
    return _show(names[0] if names else "", options)


def _change(action: str, words: list[str], options: Options) -> int:
    if len(words) != (2 if action == "set" else 1):
        form = "set NAME VALUE" if action == "set" else "unset NAME"
        raise BadInputError(f"Write `satchel config {form}`.")
    name, *given = words
    section, _, short = _known(name).partition(".")
    with options.opened() as workspace:
        project = workspace.project
        path = project.tracked.project_file if options.project else project.configuration
        if options.project and name not in SHARED:
            raise BadInputError(
                f"{name} can only be set in your own file.", hint="Without --project."
            )
        if name in PERSONS:
            refuse_agent(project.trust)
        new = parsed(name, given[0], "The command line") if given else None
        put_settings(path, section, {short: new})
        value = workspace.reopened().project.settings.as_dict()[name]
        came = _origins(workspace).get(name, "")
    if given and came != path:
        over = f"; {_place(came)} goes before it" if came else ""
        told = f"{name} = {_written(value)}  (written to {_place(path)}{over})"
    else:
        told = f"{name} = {_written(value)}  ({_place(came) if came else 'default'})"
    return options.reply({name: value}, told)


def _origins(workspace: Workspace) -> dict[str, str]:
    """Return the source of each non-default setting: a file or a variable."""
    project = workspace.project
    came = origins(project.configuration, project.tracked.project_file)
    return {**came, **{one: variable_of(one) for one in from_environment()}}


def _known(name: str) -> str:
    if name not in {one.name for one in SETTINGS}:
        import difflib

        near = difflib.get_close_matches(name, [one.name for one in SETTINGS], n=1)
        raise UnknownSettingError(
            f"There is no setting `{name[:60]}`.",
            hint=f"Did you mean `{near[0]}`?" if near else "`satchel config` lists them.",
        )
    return name


def _show(name: str, options: Options) -> int:
    part = f"{name}."
    if name and not any(one.name.startswith(part) for one in SETTINGS):
        _known(name)
    with options.opened() as workspace:
        values, came = workspace.project.settings.as_dict(), _origins(workspace)
    shown = {k: v for k, v in values.items() if name in ("", k) or k.startswith(part)}
    # A section may be declared in several places: shown once, where the first stands.
    sections = [one.partition(".")[0] for one in shown]
    shown = dict(sorted(shown.items(), key=lambda one: sections.index(one[0].partition(".")[0])))
    style, told = options.style, {one.name: one for one in SETTINGS}
    section = ""
    for one, value in shown.items():
        if name != one and one.partition(".")[0] != section:
            options.say(("\n" if section else "") + style.bold(f"[{one.partition('.')[0]}]"))
            section = one.partition(".")[0]
        default = _written(told[one].default)
        where = "default" if one not in came else f"default {default}, from {_place(came[one])}"
        options.say(f"{style.bold(one)} = {_written(value)}  ({where})")
        options.say(style.dim(f"  {told[one].help}"))
    return options.done(shown)


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _place(path: str) -> str:
    home = os.path.expanduser("~")
    return "~" + path[len(home) :] if path.startswith(home + os.sep) else path
