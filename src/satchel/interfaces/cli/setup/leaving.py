"""What `uninstall` says: which files git tracks, what stays where, and how that goes, too."""

from __future__ import annotations

import os

from satchel.clients.settings_files.plan import Plan
from satchel.core.trust import clean_line
from satchel.project.place import Place, known_key
from satchel.storage import git
from satchel.storage.git import GitError
from satchel.storage.paths import UserHome
from satchel.storage.settings.environment import home_path


def tracked_notes(planned: Plan, root: str) -> list[str]:
    """Say which files of a plan git tracks: colleagues keep them as they are committed."""
    tracked = [one.path for one in planned.changes if _is_tracked(one.path)]
    if not tracked:
        return []
    shown = ", ".join(clean_line(os.path.relpath(path, root)) for path in tracked)
    one = len(tracked) == 1
    told = f"git tracks {shown}: commit the change to take {'it' if one else 'them'} out for"
    back = f"`satchel undo --setup` puts {'the file' if one else 'the files'} back here"
    return [f"{told} colleagues too; until then they keep what is committed, and {back}"]


def what_stays(place: Place, *, user: bool) -> list[str]:
    """Name what lies here still, and how to be rid of that."""
    home = UserHome(home_path())
    key = "" if user else known_key(home.registry, place)
    private = home.project_state(key).path if key else home.path
    whose = "this project's" if key else "every project's"
    told = f"{whose} private memories and state"
    kept = [(private, told)] if os.path.isdir(private) else []
    shared = os.path.join(place.root, ".satchel")
    if not user and os.path.isdir(shared):
        told = "the project's id, and what was shared"
        kept.append((shared, f"{told}; git tracks it" if _is_tracked(shared) else told))
    if not kept:
        return []
    return [
        "What stays:",
        *(f"  {clean_line(path)}  ({what})" for path, what in kept),
        "To remove memories too: `satchel forget` erases the ones you name and writes a receipt;",
        "or remove these directories yourself, after `satchel backup` if in doubt.",
    ]


def _is_tracked(path: str) -> bool:
    directory = os.path.dirname(path)
    try:
        return os.path.isdir(directory) and git.is_tracked(directory, path)
    except GitError:
        return False  # no git, nothing tracked
