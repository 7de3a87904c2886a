"""What surrounds the ledgers: inbox, faults, quarantine, git and the clients' configuration."""

from __future__ import annotations

import os

from satchel.application.findings import ERROR, NOTE, WARNING, Finding, listed
from satchel.clients.claude_code.wiring import check_claude_code
from satchel.clients.registry import CLAUDE_CODE
from satchel.clients.settings_files.hook_entries import NOT_FOUND, found_command, last_not_found
from satchel.clients.setup.checking import (
    check_clients,
    check_rules,
    check_servers,
    check_wired_twice,
    wired_clients,
)
from satchel.clients.setup.wired import CLIENTS, clients_here, next_step
from satchel.core import times
from satchel.core.plurals import counted
from satchel.storage import git
from satchel.storage.files import changed_at, names_in
from satchel.storage.inbox.faults import faults
from satchel.storage.inbox.lost import lost, not_kept_text
from satchel.storage.inbox.spool import Inbox
from satchel.storage.ledger.quarantine import Quarantine
from satchel.storage.paths import PrivateState
from satchel.storage.tracked_files import TrackedFiles

_SILENT = 7 * times.DAY
_MOST_CAUSES = 10
_GIT_SECONDS = 2.0


def inbox_findings(inbox: Inbox, now: float) -> list[Finding]:
    """Report what is waiting in the inbox, and what killed processes left there."""
    found = []
    events = inbox.peek()
    if events:
        begun = [int(e["ts"]) for e in events if isinstance(e.get("ts"), int)]
        age = max(0, int(now) - min(begun, default=int(now)))
        count = counted(len(events), "event waits", "events wait")
        what = f"{count}, the oldest since {times.span(age)}"
        severity = WARNING if age > times.DAY else NOTE
        found.append(Finding(severity, "inbox", what, "`satchel upkeep drain` drains it."))
    names = names_in(inbox.directory)
    taken = [name for name in names if name.startswith("taken-")]
    if taken:
        what = f"a drain did not finish: {listed(taken)}"
        found.append(Finding(WARNING, "inbox", what, "`satchel upkeep drain` continues it."))
    torn = [name for name in names if name.endswith((".part", ".tmp"))]
    if torn:
        what = f"a hook was killed while it wrote {listed(torn)}"
        step = f"Look into them in {inbox.directory}; what they contain was never acknowledged."
        found.append(Finding(WARNING, "inbox", what, step))
    return found


#: What a hook notes when it misses its deadline; how late it was does not matter.
_GAVE_UP = "gave up after"


def fault_findings(state: PrivateState) -> list[Finding]:
    """Report errors that hooks have swallowed, by cause, most frequent first."""
    causes: dict[tuple[str, str], list[int]] = {}
    for fault in faults(state.faults):
        ts = fault.get("ts")
        what = str(fault.get("what", ""))
        cause = (str(fault.get("where", "")), _GAVE_UP if what.startswith(_GAVE_UP) else what)
        causes.setdefault(cause, []).append(ts if isinstance(ts, int) else 0)
    ranked = sorted(causes.items(), key=lambda one: (-len(one[1]), one[0]))
    found = []
    for (where, what), seen in ranked[:_MOST_CAUSES]:
        often = "once" if len(seen) == 1 else f"{len(seen)} times"
        last = times.minute(max(seen))
        step = f"Delete {state.faults} when it is fixed."
        told = what
        if what == _GAVE_UP:
            told = "gave up: the machine was too busy to answer in time"
            step = "The agent went on without the answer; what was said is still read afterwards."
        named = "hooks" if where == "hook" else f"hook {where}"
        found.append(Finding(WARNING, named, f"{told} ({often}, last {last})", step))
    if len(ranked) > _MOST_CAUSES:
        more = f"{len(ranked) - _MOST_CAUSES} more causes of faults in {state.faults}"
        found.append(Finding(WARNING, "hooks", more))
    return found


def lost_findings(state: PrivateState) -> list[Finding]:
    """Report what hooks could not keep."""
    known = lost(state.lost)
    if known is None:
        return []
    step = f"Delete {state.lost} when it is fixed; what was said then has to be said again."
    return [Finding(ERROR, "hooks", not_kept_text(known), step)]


def quarantine_findings(state: PrivateState) -> list[Finding]:
    """Report what is in quarantine."""
    entries = Quarantine(state.quarantine).entries()
    logged = {str(entry.get("file", "")) for entry in entries}
    files = [name for name in names_in(state.quarantine) if name.endswith(".raw")]
    unlogged = [name for name in files if name not in logged]
    if not entries and not unlogged:
        return []
    reasons = listed(
        [f"{os.path.basename(str(e.get('source', '')))}: {e.get('reason', '')}" for e in entries]
        + [f"{name}: no reason was recorded" for name in unlogged]
    )
    count = len(entries) + len(unlogged)
    what = f"{counted(count, 'line')} that could not be read ({reasons})"
    step = "Each is kept unchanged in a file of its own."
    return [Finding(WARNING, state.quarantine, what, step)]


def client_findings(root: str) -> list[Finding]:
    """Report what keeps hooks from working."""
    found = []
    for what in check_claude_code(root):
        none = what.startswith("no hook")
        if none and CLAUDE_CODE not in clients_here(root):
            continue  # `init` would not install them either
        step = "`satchel init` installs them." if none else ""
        found.append(Finding(NOTE if none else WARNING, "Claude Code", what, step))
    for client, what in check_clients(root):
        step = "`satchel install` adds what is missing; `satchel install --status` tells more."
        found.append(Finding(WARNING, client, what, step))
    for client, what in check_servers(root):
        step = "Put it on your PATH, or run `satchel install --mcp --user`."
        found.append(Finding(WARNING, client, what, step))
    for client, what in check_wired_twice(root):
        found.append(Finding(WARNING, client, what, "`satchel uninstall` removes one of them."))
    for what in check_rules(root):
        step = "`satchel instructions compile --check` says what differs."
        found.append(Finding(NOTE, "compiled rules", what, step))
    return found


def not_found_findings(now: float) -> list[Finding]:
    """Report hooks that ended at once because the command was not found."""
    last = last_not_found()
    if not last:
        return []
    what = f"one did not find the command, last {times.ago(now - last)}: nothing of that was kept"
    step = f"{NOT_FOUND[:1].upper()}{NOT_FOUND[1:]}; `satchel install` links it there."
    if found_command():
        step = "It is found now, so this is said once; it comes again if a client finds it no more."
    return [Finding(WARNING, "hooks", what, step)]


def silent_findings(root: str, state: PrivateState, now: float) -> list[Finding]:
    """Report clients whose installed hooks have not run for a week."""
    found = []
    for name, files in wired_clients(root).items():
        seen = changed_at(state.seen(name))
        since = seen or max(os.stat(path).st_mtime for path in files)
        if now - since > _SILENT:
            told = f"last ran {times.ago(now - seen)}" if seen else "have never run here"
            step = f"If you work in it: {next_step(name, root)}."
            what = f"its hooks are wired, and {told}"
            found.append(Finding(NOTE, CLIENTS[name].label, what, step))
    return found


def git_findings(tracked: TrackedFiles) -> list[Finding]:
    """Check how git treats the files that a team shares."""
    try:
        if git.ask(tracked.root, "rev-parse", "--is-inside-work-tree", seconds=_GIT_SECONDS).code:
            return []
        return (
            _project_file(tracked)
            + _tracked_ledger(tracked)
            + _not_merged(tracked, "instincts", NOTE, "add soft rules", "init")
            + _not_merged(tracked, "tasks", WARNING, "change tasks", "tasks sync")
        )
    except git.GitError as error:
        return [Finding(NOTE, "git", f"was not asked: {error}")]


def settings_findings(tracked: TrackedFiles) -> list[Finding]:
    """Report what the project's file sets without effect: only a user may, or nobody."""
    from satchel.storage.settings.loading import ignored_settings
    from satchel.storage.settings.table import SETTINGS

    found = ignored_settings(tracked.project_file)
    if not found:
        return []
    names = [one.name for one in SETTINGS if one.name in found]
    # Whoever wrote the file chose the other names, and an agent may read this.
    more = len(found) - len(names)
    unknown = [counted(more, "unknown name")] if more else []
    what = (
        f"sets {listed([*names, *unknown])}, which has no effect: only your own file may set that"
    )
    step = "Put it into config.toml in your Satchel home, or remove it."
    return [Finding(WARNING, tracked.project_file, what, step)]


def _project_file(tracked: TrackedFiles) -> list[Finding]:
    path = tracked.project_file
    if not os.path.exists(path):
        step = "`satchel init` makes one, so that clones share this project's memory."
        return [Finding(NOTE, path, "this project has no project.toml", step)]
    if _is_ignored(tracked, path):
        what = "git ignores it, so no clone will know this project"
        return [Finding(WARNING, path, what, "Remove it from .gitignore and commit it.")]
    if not _is_tracked(tracked, path):
        what = "git does not track it, so other clones and work trees do not know this project"
        return [Finding(NOTE, path, what, "Add and commit it.")]
    return []


def _tracked_ledger(tracked: TrackedFiles) -> list[Finding]:
    path = tracked.knowledge
    if not os.path.exists(path):
        return []
    found = []
    if os.path.islink(path):
        what = "is a symbolic link, which Satchel does not write through"
        found.append(Finding(ERROR, path, what, "Put a regular file there."))
    if _is_ignored(tracked, path):
        step = "Remove it from .gitignore, or share nothing."
        found.append(Finding(WARNING, path, "git ignores what is shared with the team", step))
    if _merge(tracked, path) != "union":
        name = os.path.basename(path)
        step = f"Add `{name} text eol=lf merge=union` to .gitattributes beside it."
        what = "two branches that both add lines will conflict: git does not merge it by union"
        found.append(Finding(WARNING, path, what, step))
    return found


def _not_merged(
    tracked: TrackedFiles, name: str, severity: str, doing: str, command: str
) -> list[Finding]:
    """Report a tracked file of lines that git does not merge by union."""
    path = tracked.place(name)
    if not os.path.isfile(path) or not _is_tracked(tracked, path):
        return []
    if _merge(tracked, path) != "unspecified":
        return []
    what = f"two branches that both {doing} will conflict: git does not merge it by union"
    step = f"`satchel {command}` says so in .gitattributes beside it."
    return [Finding(severity, path, what, step)]


def _is_ignored(tracked: TrackedFiles, path: str) -> bool:
    return git.is_ignored(tracked.root, path, seconds=_GIT_SECONDS)


def _is_tracked(tracked: TrackedFiles, path: str) -> bool:
    return git.is_tracked(tracked.root, path, seconds=_GIT_SECONDS)


def _merge(tracked: TrackedFiles, path: str) -> str:
    return git.attribute(tracked.root, "merge", path, seconds=_GIT_SECONDS)
