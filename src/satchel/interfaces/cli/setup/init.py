"""`init`, `adopt`, `undo`: turn a repository into a project and give clients their hooks."""

from __future__ import annotations

import os
from collections.abc import Sequence

from satchel.application import approval
from satchel.application.exchange.found_here import Found, decisions_here, found_here, shared_here
from satchel.clients.claude_code import wiring as claude_code
from satchel.clients.registry import BY_NAME, CLAUDE_CODE, WHOLE
from satchel.clients.settings_files import plan
from satchel.clients.settings_files.hook_entries import FOUND
from satchel.clients.settings_files.plan import FileChange, Plan
from satchel.clients.setup import beads_memory_scripts, wiring
from satchel.clients.setup.wired import (
    CLIENTS,
    PROJECT,
    clients_here,
    found_on_machine,
    next_step,
    places_of,
)
from satchel.core.errors import (
    BadInputError,
    ConflictError,
    NoProjectError,
    NotWritableError,
    SatchelError,
)
from satchel.core.trust import clean_line
from satchel.interfaces.cli.arguments import Options, parser_for
from satchel.interfaces.cli.own_command import lay_ready, own_command
from satchel.interfaces.cli.setup import agreeing
from satchel.project.place import Place
from satchel.project.registry import place_for_init, project_id_for, register
from satchel.storage.git_attributes import merged_by_union
from satchel.storage.paths import PROJECT_FILE, UserHome, archive_of
from satchel.storage.platforms import notes_on_hooks
from satchel.storage.safe_open import escapes_root
from satchel.storage.settings.environment import home_path
from satchel.storage.tracked_files import PRESETS, TrackedFiles
from satchel.workspace import Workspace

#: The id is on a line of its own, for readers without a TOML parser.
_PROJECT_FILE = """\
# This directory is a Satchel project. Commit this file: the id is what clones and
# worktrees share their memories by.
[project]
id = "{id}"
"""


def init(words: Sequence[str]) -> int:
    """`satchel init`."""
    parser = parser_for("init", "Make this repository a Satchel project and wire its hooks.")
    parser.add_argument("--layout", choices=sorted(PRESETS), help="layout of tracked files")
    parser.flag("--gate", "block subagents with unfinished work")
    parser.flag("--no-hooks", "do not wire any agent client")
    parser.flag("--mcp", "also wire the MCP server")
    parser.flag("--skills", "also install the skills")
    parser.flag("--print", "print the hooks without changing anything")
    parser.flag("--dry-run", "show which files would change and stop")
    agreeing.add_options(parser)
    options = parser.parse_args(words)
    place = place_to_change(options.base())
    if options.print:
        print(claude_code.render_print(place.root, FOUND))
        return 0
    standing = found_preset(place.root)
    preset = options.layout or standing
    if place.project_id and preset != standing:
        raise ConflictError(
            f"This project has the layout `{standing}` already.",
            hint="Change `preset` under [layout] in .satchel/project.toml, and move the ledger.",
        )
    if options.gate and options.no_hooks:
        raise BadInputError(
            "The gate is a part of the hooks.",
            hint="Leave out --no-hooks, or run `satchel config set hooks.gate_subagent_stop true`.",
        )
    parts = [part for part in (wiring.MCP, wiring.SKILLS) if getattr(options, part)]
    planned = _planned(place, preset, gate=options.gate, hooks=not options.no_hooks, parts=parts)
    if options.dry_run:
        return _would_change(place, planned, options)
    return _carry_out(place, planned, preset, options)


def next_steps(clients: Sequence[str], root: str) -> list[str]:
    """Print what the user must do in each client before its hooks run."""
    return [f"next, {CLIENTS[name].label}: {next_step(name, root)}." for name in clients]


def place_of_home() -> Place:
    """Return the place under which changes to the user's own files are recorded."""
    return Place(os.path.expanduser("~"), "", "", "")


def place_to_change(directory: str) -> Place:
    """Return the directory that a command may turn into a project or write client files in.

    Raises:
        BadInputError: it is the user's home.
        NotWritableError: nothing can be written there.
    """
    place = place_for_init(directory)
    if os.path.realpath(place.root) == os.path.realpath(os.path.expanduser("~")):
        raise BadInputError(
            "Your home directory is not a project.", hint="Run `satchel init` in a repository."
        )
    if not os.access(place.root, os.W_OK):
        raise NotWritableError(
            f"{place.root} cannot be written; nothing was changed.", hint="Check who owns it."
        )
    return place


def found_preset(root: str) -> str:
    """Return the preset whose files already exist."""
    project = os.path.join(root, ".satchel", "project.toml")
    if os.path.isfile(project):
        with open(project, encoding="utf-8", errors="replace") as file:
            for line in file:
                name, _, value = line.partition("=")
                if name.strip() == "preset":
                    return value.strip().strip("\"'")
        return "default"  # anything else was not there first
    if os.path.isdir(os.path.join(root, ".beads", "memory")):
        return "beads"
    agents = os.path.join(root, ".agents")
    if os.path.isdir(agents) and os.listdir(agents) != ["skills"]:  # those are of any client
        return "agents"
    return "beans" if os.path.isdir(os.path.join(root, ".beans")) else "default"


def _merged(tracked: TrackedFiles) -> list[FileChange]:
    """Return the attributes that let git merge files whose lines are whole records."""
    ledger, rules = tracked.knowledge, tracked.place("instincts")
    ledgers = (ledger, archive_of(ledger))
    if os.path.dirname(ledger) == os.path.dirname(rules):
        found = [merged_by_union(*ledgers, rules)]
    else:
        found = [merged_by_union(*ledgers)]
        # Elsewhere they get it once there are any.
        found += [merged_by_union(rules)] if os.path.lexists(rules) else []
    return [
        FileChange(path, held or None, wanted, "merges shared lines by union")
        for path, held, wanted in found
        if held != wanted
    ]


def _planned(place: Place, preset: str, *, gate: bool, hooks: bool, parts: Sequence[str]) -> Plan:
    """Plan the project file, the layout's own files and the clients' hooks."""
    changes: list[FileChange] = []
    path = TrackedFiles(place.root).project_file
    if plan.read_or_none(path) is None:
        text = _PROJECT_FILE.format(id=project_id_for(UserHome(home_path()), place))
        if preset != "default":
            text += f'\n[layout]\npreset = "{preset}"\n'
        changes.append(FileChange(path, None, text.encode(), "makes this directory a project"))
    notes: list[str] = []
    changes += _merged(TrackedFiles(place.root, preset))
    if preset == "beads":
        shim = TrackedFiles(place.root, "beads").place("recall_shim")
        after = beads_memory_scripts.recall_shim().encode()
        standing = plan.read_or_none(shim)
        if standing != after:
            changes.append(FileChange(shim, standing, after, "recall.sh answers from Satchel"))
    for one in changes:
        if escapes_root(one.path, place.root):
            # A clone's link to the user's Satchel directory would make the home a project.
            raise BadInputError(
                f"{one.path} leads out of the work tree, through a link; nothing was written.",
                hint="Put an ordinary directory there.",
            )
    if hooks:
        if CLAUDE_CODE in clients_here(place.root):
            wired = claude_code.plan_claude_code(place.root, FOUND, gate=gate)
            changes += wired.changes
            notes += wired.notes
        elif gate:
            notes.append("--gate guards Claude Code's subagents; it is not used here")
        notes += notes_on_hooks()
    for wired in _wired_clients(place.root, hooks=hooks, parts=parts):
        changes += wired.changes
        notes += wired.notes
    return Plan(tuple(changes), tuple(dict.fromkeys(notes)))


def _wired_clients(root: str, *, hooks: bool, parts: Sequence[str]) -> list[Plan]:
    """Plan the clients here, except Claude Code's hooks, skipping broken files."""
    command = own_command() if hooks or parts else ""
    asked = wiring.WiringRequest(
        (), (), PROJECT, root, command, own_skills=UserHome(home_path()).skills
    )
    plans = [Plan((), ())]
    found = clients_here(root)
    others = [name for name in found if name in WHOLE and name != CLAUDE_CODE]
    # A part shares the hooks of its whole; everything else is its own.
    whole = {name for name in found if name in WHOLE}
    others += [n for n in found if n not in whole and (parts or BY_NAME[n].part_of not in found)]
    if parts and CLAUDE_CODE in found:
        plans.append(wiring.plan_wiring(asked._replace(clients=(CLAUDE_CODE,), parts=tuple(parts))))
    for name in others:
        wanted = (*([wiring.HOOKS] if hooks else []), *parts)
        try:
            one = wiring.plan_wiring(asked._replace(clients=(name,), parts=wanted))
        except SatchelError as error:
            plans.append(Plan((), (f"{CLIENTS[name].label} is not wired: {error}",)))
            continue
        known = {change.path for made in plans for change in made.changes}
        fresh = tuple(change for change in one.changes if change.path not in known)
        plans.append(one._replace(changes=fresh))
    return plans


def _would_change(place: Place, planned: Plan, options: Options) -> int:
    files = [os.path.relpath(one.path, place.root) for one in planned.changes]
    if files and not options.json:
        agreeing.show(planned, options, place.root)
    nothing = None if files else "Everything is up to date; nothing would be changed."
    return options.reply({"root": place.root, "would_change": files}, nothing)


def _carry_out(place: Place, planned: Plan, preset: str, options: Options) -> int:
    home = UserHome(home_path())
    clients = _clients_of(planned, place.root)
    journal = ""
    if agreeing.agree(planned, options, place.root):
        journal = journal_of(home, place)
        plan.apply(planned, journal)
        lay_ready()
    place = place_to_change(place.root)
    key = register(home, place)
    shim = TrackedFiles(place.root, "beads").place("recall_shim")
    if preset == "beads" and os.path.isfile(shim):
        os.chmod(shim, 0o755)  # noqa: S103 -- a tracked script that the team runs
    born = any(one.path.endswith(PROJECT_FILE) and one.before is None for one in planned.changes)
    with Workspace.open(place.root, home=home.path) as workspace:
        if born:
            approval.believe_self(workspace)
        workspace.refresh()
        if planned.changes:
            found = found_here(workspace)
        else:
            found = [*shared_here(workspace), *decisions_here(workspace)]
    if not options.no_hooks:  # in a clone, a colleague wired theirs
        found += _other_clients(place.root)
    files = [os.path.relpath(c.path, place.root) for c in planned.changes]
    if not place.common:
        options.warn("This is not a git repository: memories stay with this directory.")
    layout = f" with the layout {preset}" if preset != "default" else ""
    options.say(f"{clean_line(place.root)} is a Satchel project{layout}.")
    options.say(f"Private memories are in {clean_line(home.project_state(key).path)}.")
    if journal:
        options.say("`satchel undo --setup` reverts this.")
    _say_found(found, options)
    for step in next_steps(clients, place.root):
        options.say(step)
    if planned.changes and not (options.no_hooks or options.mcp or options.skills):
        options.warn("`satchel install` adds the MCP server and skills.")
    told = {"root": place.root, "key": key, "preset": preset, "changed": files, "found": found}
    return options.done(told)


def _other_clients(root: str) -> list[Found]:
    """Return clients that this user has and `init` does not wire."""
    wired = clients_here(root)
    return [
        Found(f"{CLIENTS[name].label} on this machine", f"satchel install {name}", "wires it here")
        for name in found_on_machine()
        if name in WHOLE and name not in wired
    ]


def _say_found(found: Sequence[Found], options: Options) -> None:
    style = options.style
    if found:
        options.say("Found here:")
    wide = max((len(one.what) for one in found), default=0)
    for one in found:
        options.say(
            f"  {clean_line(one.what):<{wide}}  {style.bold(f'`{one.command}`')} {one.effect}"
        )


def _clients_of(planned: Plan, root: str) -> list[str]:
    """Return the clients whose hooks or MCP server a plan changes."""
    changed, found = {one.path for one in planned.changes}, clients_here(root)
    named = []
    for name in filter(found.__contains__, CLIENTS):
        places = places_of(name, PROJECT, root)
        shared = BY_NAME[name].part_of in found
        if changed & ({places.mcp} if shared else {places.hooks, places.mcp}):
            named.append(name)
    return named


def journal_of(home: UserHome, place: Place) -> str:
    """Return the path of a new journal: one per change, grouped by place."""
    import time

    return os.path.join(_journals(home, place), f"{time.time_ns()}.json")


def journals_of(home: UserHome, place: Place) -> list[str]:
    """Return the journals of earlier changes, newest first."""
    directory = _journals(home, place)
    names = os.listdir(directory) if os.path.isdir(directory) else []
    return [os.path.join(directory, name) for name in sorted(names, reverse=True)]


def _journals(home: UserHome, place: Place) -> str:
    return os.path.join(home.path, "journals", place.entry_name())


def adopt(words: Sequence[str]) -> int:
    """`satchel adopt`."""
    from satchel.interfaces.cli.setup.adopt import adopt_found

    parser = parser_for(
        "adopt", "Take over another memory tool's files and hooks, or work beside it."
    )
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--replace", action="store_true", help="replace their hooks with Satchel's")
    choice.add_argument("--beside", action="store_true", help="leave capture to their hooks")
    agreeing.add_options(parser)
    options = parser.parse_args(words)
    place = place_to_change(options.base())
    if not place.project_id:
        raise NoProjectError(
            f"{place.root} is not a Satchel project yet.", hint="Run `satchel init` first."
        )
    return adopt_found(place, options, journal=journal_of(UserHome(home_path()), place))
