"""Replaces beads memory's shell scripts, or works beside them."""

import os

from satchel.clients.claude_code.wiring import (
    BEADS_SCRIPTS,
    ClaudeSettings,
    runs_script,
    settings_path,
)
from satchel.clients.settings_files.hook_entries import FOUND_ON, command_of, handlers_in
from satchel.clients.settings_files.plan import Plan, read_or_none
from satchel.clients.settings_files.settings_text import parse_settings

_VALIDATOR = "validate-completion.sh"


def plan_replace_scripts(root: str, command: str) -> Plan:
    """Plan to replace beads memory's four hooks, keeping the script files."""
    file = ClaudeSettings(settings_path(root), root, command)
    present = _names_in([command_of(one) for _, _, one in handlers_in(file.settings)])
    plan = file.plan(
        "Satchel's hooks in place of the scripts",
        # The gate takes over from the validator.
        gate=_VALIDATOR in present or file.is_gated(),
        theirs=lambda one: any(runs_script(command_of(one), name) for name in BEADS_SCRIPTS),
    )
    notes = [f"{name} no longer runs; the file stays" for name in present]
    if _VALIDATOR in present:
        notes.append(f"the gate checks in place of {_VALIDATOR}: docs/claude-code.md")
    local = os.path.join(root, ".claude", "settings.local.json")
    notes += [f"{local} still runs {name}" for name in _names_in(_commands(local))]
    return plan._replace(notes=(*plan.notes, *notes))


def scripts_present(root: str) -> tuple[str, ...]:
    """Return the beads memory scripts that this project's settings run."""
    shared = _commands(settings_path(root))
    local = _commands(os.path.join(root, ".claude", "settings.local.json"))
    return _names_in(shared + local)


def recall_shim() -> str:
    """Return a `recall.sh` that passes the script's arguments to Satchel."""
    return (
        "#!/bin/sh\n"
        "# Written by Satchel, which answers this script's command line from its own memory.\n"
        "# It works from anywhere, and where Satchel is installed elsewhere.\n"
        'cd "$(dirname "$0")/../.." || exit 1\n'
        f'PATH="{FOUND_ON}"\n'
        'exec satchel recall-sh "$@"\n'
    )


def _commands(path: str) -> list[str]:
    settings = parse_settings(read_or_none(path) or b"", path)
    return [command_of(one) for _, _, one in handlers_in(settings)]


def _names_in(commands: list[str]) -> tuple[str, ...]:
    return tuple(
        name for name in BEADS_SCRIPTS if any(runs_script(command, name) for command in commands)
    )
