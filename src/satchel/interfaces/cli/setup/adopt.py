"""`satchel adopt`: import another memory tool's data and decide which tool captures."""

from __future__ import annotations

import os

from satchel.application import approval
from satchel.application.exchange.found_here import OTHER_MEMORIES
from satchel.application.exchange.graphmem import adopt_database
from satchel.clients.settings_files import plan
from satchel.clients.settings_files.hook_entries import FOUND
from satchel.clients.setup import beads_memory_scripts
from satchel.core.errors import BadInputError
from satchel.core.plurals import counted
from satchel.core.trust import USER, clean_text
from satchel.features.instructions.beans_import import SECTION, AdoptedSettings, beans_settings
from satchel.interfaces.cli.arguments import Options
from satchel.interfaces.cli.graph.changes import name_unknown
from satchel.interfaces.cli.own_command import lay_ready
from satchel.interfaces.cli.setup import agreeing
from satchel.interfaces.cli.sharing.approve import show_waiting
from satchel.interfaces.cli.sharing.share import import_file
from satchel.project.place import Place
from satchel.storage.files import read_file
from satchel.storage.paths import UserHome
from satchel.storage.settings.environment import home_path
from satchel.storage.settings.loading import load_settings
from satchel.storage.settings.person_file import file_with_settings
from satchel.workspace import Workspace

#: GraphMem's database and settings, where The Foundation keeps them.
_GRAPHS = ("clawd_brain.db", "mcp-servers/graphmem/clawd_brain.db", "data/clawd_brain.db")
_GRAPH_SETTINGS = ("config/graphmem-evolution.json", "graphmem-evolution.json")


def adopt_found(place: Place, options: Options, *, journal: str) -> int:
    """Import every foreign memory below the place; replace its hooks or let them capture."""
    hooks = beads_memory_scripts.scripts_present(place.root)
    if hooks and not (options.replace or options.beside):
        raise BadInputError(
            f"Another memory tool's hooks are installed here: {', '.join(hooks)}.",
            hint="Pass --replace to let Satchel capture instead, or --beside to leave it to them.",
        )
    with Workspace.open(place.root) as workspace:
        own = os.path.realpath(workspace.project.tracked.knowledge)
        report = _import(workspace, place.root)
        approved, waiting = _approve(workspace, options)
        counts = workspace.memories.own.index.counts(workspace.memories.own.view())
        in_place = os.path.isfile(own)
    changed = _replace_hooks(place, options, journal) if hooks and options.replace else []
    if (options.beside and hooks) or options.replace:
        # The capturing tool is recorded either way, so that a later change is complete.
        changed += _let_capture(place, journal, capture=options.replace)
    beans = _adopt_beans(UserHome(home_path()), journal)
    _say_beans(beans, options)
    for name, done in report.items():
        options.say(f"{name}: {counted(done['read'], 'line')}, {done['written']} imported")
    if in_place:
        options.say(f"{os.path.relpath(own, os.path.realpath(place.root))} is read in place.")
    options.say(f"{counted(sum(counts.values()), 'memory', 'memories')} can be recalled here.")
    if approved:
        options.say(f"{counted(approved, 'thing')} that waited for approval: approved.")
    if waiting:
        waits = counted(waiting, "thing waits", "things wait")
        options.say(f"{waits} for a person's approval: `satchel approve`")
    if options.beside:
        options.say(
            "Satchel captures nothing itself here; what their hooks write is recalled."
            if hooks
            else "No hooks of another memory tool run here: nothing is changed."
        )
    if not report and not in_place and beans is None:
        options.warn("No files of another memory tool were found.")
    told = {"imported": report, "read_in_place": in_place, "approved": approved, "changed": changed}
    return options.done({**told, "settings": beans})


def _import(workspace: Workspace, root: str) -> dict[str, dict[str, int]]:
    report: dict[str, dict[str, int]] = {}
    own = os.path.realpath(workspace.project.tracked.knowledge)
    for name in OTHER_MEMORIES:
        path = os.path.join(root, *name.split("/"))
        # This layout's tracked ledger is read in place; nothing is copied.
        if os.path.isfile(path) and os.path.realpath(path) != own:
            report[name] = import_file(workspace, path)._asdict()
    report |= _adopt_graph(workspace, root)
    workspace.refresh()
    return report


def _replace_hooks(place: Place, options: Options, journal: str) -> list[str]:
    """Replace another tool's hooks with ours after confirmation; return the changed files."""
    planned = beads_memory_scripts.plan_replace_scripts(place.root, FOUND)
    agreeing.agree(planned, options, place.root, refused="The hooks were left as they are.")
    plan.apply(planned, journal)
    lay_ready()
    return [os.path.relpath(change.path, place.root) for change in planned.changes]


def _approve(workspace: Workspace, options: Options) -> tuple[int, int]:
    """Show what waits for approval and approve it; return how many, and what still waits."""
    found = approval.waiting(workspace)
    if not found.total or workspace.project.trust != USER:
        return 0, found.total  # an agent may adopt; approving is for a person
    if not options.json:
        show_waiting(found)
    if not options.confirms(f"Let agents be told of these {found.total}?"):
        return 0, found.total
    approval.approve_all(workspace, found)
    return found.total, 0


def _adopt_beans(home: UserHome, journal: str) -> AdoptedSettings | None:
    """Apply beans' settings for instruction files; `undo` reverts them."""
    found = beans_settings(home)
    if found and found.settings:
        path = home.configuration
        values = {name.partition(".")[2]: value for name, value in found.settings.items()}
        before, after = plan.read_or_none(path), file_with_settings(path, SECTION, values)
        plan.apply(
            plan.Plan((plan.FileChange(path, before, after, "settings of beans"),), ()), journal
        )
    return found


def _say_beans(beans: AdoptedSettings | None, options: Options) -> None:
    if beans is None:
        return
    for name, value in beans.settings.items():
        options.say(f"{clean_text(beans.path)}: {name} = {clean_text(str(value))}")
    for name in beans.kept:
        options.warn(f"note: {name} stays as you have set it")
    if beans.not_understood:
        names = ", ".join(map(clean_text, beans.not_understood))
        options.warn(f"note: not understood, and left there: {names}")


def _let_capture(place: Place, journal: str, *, capture: bool) -> list[str]:
    """Record which tool captures, so that `undo` can revert it; return the changed files."""
    path = UserHome(home_path()).configuration
    elsewhere = set(load_settings(path, "").words("hooks.capture_elsewhere"))
    if (place.project_id not in elsewhere) == capture:
        return []
    listed = ",".join(sorted(elsewhere ^ {place.project_id})) or None
    before = plan.read_or_none(path)
    after = file_with_settings(path, "hooks", {"capture_elsewhere": listed})
    plan.apply(plan.Plan((plan.FileChange(path, before, after, "who captures"),), ()), journal)
    return [path]


def _adopt_graph(workspace: Workspace, root: str) -> dict[str, dict[str, int]]:
    report: dict[str, dict[str, int]] = {}
    paths = {name: os.path.join(root, *name.split("/")) for name in (*_GRAPHS, *_GRAPH_SETTINGS)}
    found = {name: path for name, path in paths.items() if os.path.isfile(path)}
    if not found:
        return report
    with workspace.graph as own:
        for name, path in found.items():
            if name in _GRAPHS:
                read, written = adopt_database(own, path)
                report[name] = {"read": read, "written": written}
            else:
                data = read_file(path)
                own.adopt_settings(data, path)
                name_unknown(data, path)
                report[name] = {"read": 1, "written": 1}
    return report
