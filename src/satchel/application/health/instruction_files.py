"""The files of instructions and rules: conflicts that git left in them, and how many rules."""

from __future__ import annotations

import os

from satchel.application.findings import WARNING, Finding
from satchel.application.services import Services
from satchel.core.errors import SatchelError
from satchel.engine.markdown.conflicts import sides_of
from satchel.engine.search.source_reader import why_refused
from satchel.features.instructions.rule_lines import items_in
from satchel.storage.files import SETTINGS_SIZE, TOLD_SIZE, WHOLE_SIZE, names_in, size_of, text_in
from satchel.storage.paths import archive_of
from satchel.storage.safe_open import is_within


def unfinished_merges(work: Services) -> dict[str, int]:
    """Return paths in which git left a conflict, and the line of the first marker."""
    found = {}
    for path in (*work.instructions.places(), work.project.tracked.place("instincts")):
        sides = sides_of(text_in(path))
        if sides is not None:
            found[path] = sides.line
    return found


def unread_files(work: Services) -> list[Finding]:
    """Report what stands where a file is read: a pipe, a directory, or one that is too large."""
    project = work.project
    tracked, state = project.tracked, project.state
    places = [tracked.place("memory"), tracked.intent, *tracked.spoken()]
    approvals = state.ledger("approvals")
    sizes = {
        **dict.fromkeys(places, TOLD_SIZE),
        **dict.fromkeys((state.identity, state.lost), SETTINGS_SIZE),
        **dict.fromkeys((approvals, archive_of(approvals)), TOLD_SIZE),
        **{os.path.join(state.inbox, one): WHOLE_SIZE for one in names_in(state.inbox)},
    }
    found = []
    for path, most in sizes.items():
        why = why_refused(path)
        if not why and size_of(path) > most:
            what = "agents are told of" if path in places else "Satchel reads"
            why = f"has {size_of(path) >> 20} MB, and {what} {most >> 20} at most"
        if why:
            step = "Put an ordinary text file there, or remove it."
            found.append(Finding(WARNING, path, why, step))
    return found


def rules_by_place(work: Services) -> dict[str, int]:
    """Return how many rules this project's files hold, by path below the work tree."""
    root = work.project.place.root
    paths = [one for one in dict.fromkeys(work.instructions.places()) if is_within(one, root)]
    counts = {os.path.relpath(one, root): items_in(text_in(one)) for one in paths}
    try:
        soft = len(work.instincts.read().instincts)
    except SatchelError:
        soft = 0  # doctor tells what is wrong with the file
    counts[os.path.relpath(work.project.tracked.place("instincts"), root)] = soft
    return {path: count for path, count in counts.items() if count}
