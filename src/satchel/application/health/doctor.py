"""The doctor: every check, most severe findings first. Changes nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from satchel.application.findings import (
    ERROR,
    NOTE,
    SEVERITIES,
    WARNING,
    Finding,
    listed,
    without_places,
)
from satchel.application.health import private_state, surroundings
from satchel.application.health.derived_stores import findings_of
from satchel.application.health.instruction_files import unfinished_merges, unread_files
from satchel.application.health.ledger_lines import (
    Damaged,
    LedgerLines,
    index_findings,
    line_findings,
    lost_end_findings,
    read_lines,
)
from satchel.application.health.private_state import run_check
from satchel.application.services import Services
from satchel.clients.setup.checking import guarding_clients
from satchel.core.errors import SatchelError, StoreError
from satchel.features.memories.service import Memories
from satchel.project.derived_store import engine_is_safe
from satchel.project.store import ProjectStore
from satchel.storage import git
from satchel.storage.ledger.file import Ledger
from satchel.storage.settings.loading import load_settings


def _lesson_findings(work: Services) -> list[Finding]:
    """Check each existing file; an unreadable one does not hide the others."""
    found: list[Finding] = [
        *_committed_local_files(work.project.place.root),
        *_unfinished_merges(work),
        *unread_files(work),
    ]
    looks: tuple[tuple[str, Callable[[Services], list[Finding]]], ...] = (
        ("instincts", _instincts),
        ("guards", _guards),
    )
    for thing, look in looks:
        if not os.path.lexists(work.project.tracked.place(thing)):
            continue
        try:
            found += look(work)
        except SatchelError as error:
            what = str(error).rstrip(".")
            found.append(Finding(WARNING, thing, what, error.hint or "Fix it by hand."))
    return found


def _unfinished_merges(work: Services) -> list[Finding]:
    """Report instruction and rule files in which git left a conflict."""
    found = []
    for path, line in unfinished_merges(work).items():
        what = f"line {line} is a git conflict marker: a merge was not finished"
        step = (
            f"Keep the rules of both sides, and remove the markers. `{os.path.basename(path)} "
            "merge=union` in .gitattributes lets git keep both the next time."
        )
        found.append(Finding(ERROR, path, what, step))
    return found


def _instincts(work: Services) -> list[Finding]:
    problems = list(work.instincts.read().problems)
    if not problems:
        return []
    step = "`satchel rules` shows all; fix them in the file."
    return [Finding(NOTE, "instincts", listed(problems), step)]


def _guards(work: Services) -> list[Finding]:
    standings = work.guards.statuses()
    found = []
    broken = [f"line {one.guard.line}: {one.wrong[0]}" for one in standings if one.wrong]
    if broken:
        step = "`satchel guards` shows all; a broken guard never acts."
        found.append(Finding(WARNING, "guards", listed(broken), step))
    edited = [one.guard.id for one in standings if one.edited]
    if edited:
        what = f"edited since they were approved; the approved version acts: {listed(edited)}"
        found.append(Finding(NOTE, "guards", what, "`satchel guards show ID`, then `approve`."))
    waiting = [one.guard.id for one in standings if one.state == "waiting" and not one.edited]
    if waiting:
        what = f"not approved on this machine, so off: {listed(waiting)}"
        found.append(Finding(NOTE, "guards", what, "`satchel guards show ID`, then `approve`."))
    active = sum(one.state == "active" for one in standings)
    if active and not guarding_clients(work.project.place.root)[0]:
        what = f"{active} approved never act: the hook before tools is missing"
        found.append(Finding(WARNING, "guards", what, "`satchel guards install` wires it."))
    return found


def _committed_local_files(root: str) -> list[Finding]:
    """Warn about files committed to git that are personal by name."""
    try:
        out = git.answer(root, "ls-files", "-z", "--", "*.local.md")
    except git.GitError:
        return []
    paths = [path for path in out.split("\0") if path]
    if not paths:
        return []
    what = f"committed, though `.local.md` means for you alone: {listed(paths)}"
    return [Finding(WARNING, "instructions", what, "`git rm --cached` and ignore them.")]


def _settings(path: str) -> list[Finding]:
    """Report a broken settings file of the user; the project's is checked with git."""
    try:
        load_settings(path, "")
    except SatchelError as error:
        return [Finding(ERROR, path, str(error), "Until then the previous settings apply.")]
    return []


def examine(work: Services, *, every_line: bool = True) -> Sequence[Finding]:
    """Find and explain what is wrong, most severe first. Changes nothing but the index.

    Without `every_line`, ledgers are not read, nor graphs drawn: reports what the index recorded
    about the ledgers. If others can see the findings, they name no path outside the project.
    """
    work.memories.caught_up()
    project = work.project
    derived = [
        *_settings(project.configuration),
        *findings_of(work, graphs=every_line),
        *_lesson_findings(work),
    ]
    found = [*memory_findings(work, every_line=every_line), *derived]
    found.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    if work.person is not None:
        return found
    places = (
        (project.place.root, "."),
        (project.state.path, "(private)"),
        (project.home_path, "(home)"),
    )
    return without_places(found, places)


def memory_findings(work: Services, *, every_line: bool = True) -> list[Finding]:
    """Check the ledgers, their index as it is, the private state, and the clients; see `examine`.

    Writes nothing.
    """
    project, memories = work.project, work.memories.own
    now, shown = project.clock.now(), project.ledger("injections")
    found = _ledgers(memories, shown, now) if every_line else _noted(memories, shown)
    state, index = project.state, memories.index
    found += [
        *run_check("index", lambda: private_state.moved_index_findings(state, index)),
        *run_check("index", lambda: private_state.engine_findings(index, safe=engine_is_safe())),
        *run_check("state", lambda: private_state.writable(state)),
    ]
    told = {one.subject for one in found}
    misplaced = run_check("state", lambda: private_state.misplaced_findings(state))
    found += [one for one in misplaced if one.subject not in told]
    return [*found, *_surrounding_findings(project, now)]


def _surrounding_findings(project: ProjectStore, now: float) -> list[Finding]:
    state, tracked, root = project.state, project.tracked, project.place.root
    return [
        *run_check("state", lambda: private_state.disk_space_findings(state)),
        *run_check("state", lambda: private_state.permission_findings(state)),
        *run_check("state", lambda: private_state.unfinished_findings(state)),
        *run_check("locks", lambda: private_state.lock_findings(state)),
        *run_check("quarantine", lambda: surroundings.quarantine_findings(state)),
        *run_check("inbox", lambda: surroundings.inbox_findings(project.inbox, now)),
        *run_check("lost", lambda: surroundings.lost_findings(state)),
        *run_check("faults", lambda: surroundings.fault_findings(state)),
        *run_check("git", lambda: surroundings.git_findings(tracked)),
        *run_check("settings", lambda: surroundings.settings_findings(tracked)),
        *run_check("Claude Code", lambda: surroundings.client_findings(root)),
        *run_check("clients", lambda: surroundings.silent_findings(root, state, now)),
        *run_check("hooks", lambda: surroundings.not_found_findings(now)),
    ]


def _noted(memories: Memories, shown: Ledger) -> list[Finding]:
    """Report lines that the index could not read, and truncated ledgers."""
    damaged: dict[str, list[Damaged]] = {}
    for one in memories.index.damage():
        damaged.setdefault(one.path, []).append(Damaged(one.line, one.reason))
    found: list[Finding] = []
    for path, lines in damaged.items():
        found += line_findings(LedgerLines(path, frozenset(), tuple(lines), (), ()))
    return found + lost_end_findings([*memories.ledgers.files(), shown])


def _ledgers(memories: Memories, shown: Ledger, now: float) -> list[Finding]:
    """Read every ledger once and compare it with the index."""
    found: list[Finding] = []
    searched = [source.path for source in memories.sources]
    indexed: list[LedgerLines] = []
    for path in (*searched, shown.path, shown.archive):
        try:
            lines = read_lines(path, now)
        except StoreError as error:
            found.append(Finding(ERROR, path, str(error), error.hint))
            continue
        found += line_findings(lines)
        if path in searched:
            indexed.append(lines)
    found += lost_end_findings([*memories.ledgers.files(), shown])
    try:
        behind = memories.index.changed(memories.sources)
    except StoreError:
        behind = []  # comparing says why
    return found + index_findings(indexed, memories.index, behind, frozenset(searched))
