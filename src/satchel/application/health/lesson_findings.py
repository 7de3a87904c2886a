"""`doctor`'s findings on the files of lessons: soft rules, guards, checks."""

from __future__ import annotations

import os

from satchel.application.findings import NOTE, WARNING, Finding, listed
from satchel.clients.setup.checking import guarding_clients
from satchel.core.errors import SatchelError
from satchel.storage import git

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from satchel.application.services import Services


def lesson_findings(work: Services) -> list[Finding]:
    """Check each existing file; an unreadable one does not hide the others."""
    found: list[Finding] = _committed_local_files(work.project.place.root)
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
        what = f"edited since they were approved, and acting as approved: {listed(edited)}"
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
    """Warn about personal files, going by their name, that are committed to git."""
    try:
        out = git.answer(root, "ls-files", "-z", "--", "*.local.md")
    except git.GitError:
        return []
    paths = [path for path in out.split("\0") if path]
    if not paths:
        return []
    what = f"committed, though `.local.md` means for you alone: {listed(paths)}"
    return [Finding(WARNING, "instructions", what, "`git rm --cached` and ignore them.")]
