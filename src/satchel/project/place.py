"""Finds a directory's project without starting git. Cheap, because hooks import it."""

from __future__ import annotations

import os

from satchel.core.errors import StoreError
from satchel.core.hashing import digest, object_in
from satchel.storage.files import SETTINGS_SIZE, read_file, read_object
from satchel.storage.paths import PROJECT_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: How many bytes at the end of HEAD's reflog to read for its last line.
_LOG_END = 4096
#: Bytes to read of a worktree's index, and those before its first file.
_INDEX_START, _INDEX_HEAD = 5000, 12
#: In a place's entry: nobody has looked yet for what lay uncommitted there.
UNSEEN = "unseen"


class Place:
    """A directory that may be a project: its work tree, and its repository.

    Attributes:
        root: the directory that holds `.satchel/project.toml`, or the work tree's top.
        common: git's common directory, shared by all worktrees; "" outside git.
        below: path of `root` below the top of the work tree; "" at the top.
        project_id: the id in project.toml; "" if there is none in this work tree.
    """

    __slots__ = ("below", "common", "project_id", "root")

    def __init__(self, root: str, common: str, below: str, project_id: str) -> None:
        self.root = root
        self.common = common
        self.below = below
        self.project_id = project_id

    @property
    def anchor(self) -> str:
        """Return the directory shared by the project's work trees on this machine."""
        return self.common or self.root

    def entry_name(self) -> str:
        """Return the name of this place's registry file."""
        return digest(f"{self.anchor}\0{self.below}".encode("utf-8", "surrogateescape")).hex()[:32]


def find_place(start: str) -> Place | None:
    """Search upwards from `start` for a project file, or else the top of a git work tree."""
    here = os.path.realpath(start)
    root = ""
    while True:
        if not root and os.path.isfile(os.path.join(here, PROJECT_FILE)):
            root = here
        git = os.path.join(here, ".git")
        if os.path.lexists(git):
            common = _common_directory(git)
            if common:
                below = os.path.relpath(root, here) if root and root != here else ""
                root = root or here
                return Place(root, common, below, read_project_id(root))
        parent = os.path.dirname(here)
        if parent == here:
            return Place(root, "", "", read_project_id(root)) if root else None
        here = parent


#: Branches that no task is named after; "" is none.
TRUNKS = ("", "main", "master", "trunk", "develop")


def read_project_id(root: str) -> str:
    """Return the id in the project file below `root`, without a TOML parser, or "".

    The file is written by `satchel init` with the id on a line of its own.
    """
    try:
        data = read_file(os.path.join(root, PROJECT_FILE), most=SETTINGS_SIZE)
    except StoreError:
        return ""
    for line in data.decode("utf-8", "replace").splitlines():
        name, equals, value = line.partition("=")
        if equals and name.strip() == "id":
            return value.partition("#")[0].strip().strip("\"'")
    return ""


def known_key(registry: str, place: Place) -> str:
    """Return the private-state key registered for this place; "" if unregistered."""
    entry = entry_of(registry, place)
    same_project = place.project_id in ("", entry.get("id"))
    # Registered before the first commit: ask again once there may be one.
    settled = not entry.get("unborn") or _is_unborn(place.common)
    return str(entry.get("key", "")) if same_project and settled else ""


def entry_of(registry: str, place: Place) -> dict[str, Any]:
    """Return what is registered for a place; {} for nothing.

    It is valid only for the exact directory it was made for: another repository at the same path
    has another inode.
    """
    try:
        entry = object_in(read_file(os.path.join(registry, place.entry_name()), most=SETTINGS_SIZE))
        status = os.stat(place.anchor)
        return entry if entry.get("inode") == [status.st_dev, status.st_ino] else {}
    except (OSError, ValueError, TypeError, StoreError):
        return {}


def may_be_joined(identity: str) -> bool:
    """Return whether a private state with this `identity.json` may belong to another.

    See `registry`: such a place waits for the user's answer.
    """
    return bool(read_object(identity).get("alike"))


def _is_unborn(common: str) -> bool:
    """Return whether a repository has no branch yet, without running git."""
    if any(os.path.exists(os.path.join(common, name)) for name in ("packed-refs", "reftable")):
        return False
    try:
        return not os.listdir(os.path.join(common, "refs", "heads"))
    except (FileNotFoundError, NotADirectoryError):
        return True  # git makes the directory with the first branch, if it was removed


def _common_directory(git: str) -> str:
    """Resolve `.git`, a directory or the file of a worktree or submodule; "" if unconfirmed.

    An unpacked archive may name any repository in such a file, so the repository must confirm it:
    it lists its worktrees, a submodule's says where it is checked out, and one that is inside the
    work tree came with it.
    """
    file = git
    if not os.path.isdir(git):
        try:
            text = read_file(git, most=SETTINGS_SIZE).decode("utf-8", "surrogateescape")
        except StoreError:
            return ""
        if not text.startswith("gitdir:"):
            return ""
        git = os.path.join(os.path.dirname(git), text[len("gitdir:") :].strip())
        shared = os.path.join(git, "commondir")
        if os.path.isfile(shared):
            if not _is_listed(git, file):
                return ""
            git = os.path.join(git, read_file(shared).decode("utf-8", "surrogateescape").strip())
            return os.path.realpath(git) if os.path.isdir(git) else ""
    if (git != file or os.path.islink(file)) and not _is_of_here(git, file):
        return ""
    git = os.path.realpath(git)
    return git if os.path.isdir(git) else ""


def _is_of_here(git: str, file: str) -> bool:
    """Return whether the directory that a file or link `.git` names belongs to this work tree."""
    top, real = os.path.dirname(file), os.path.realpath(git)
    return real.startswith(os.path.join(top, "")) or _work_tree_in(real) == top


def _work_tree_in(git: str) -> str:
    """Return the work tree that a repository's configuration names, as a submodule's; or ""."""
    for name in ("config.worktree", "config"):
        try:
            lines = (
                read_file(os.path.join(git, name)).decode("utf-8", "surrogateescape").split("\n")
            )
        except StoreError:
            continue
        section = ""
        for line in map(str.strip, lines):
            section = line.lower() if line.startswith("[") else section
            key, equals, value = line.partition("=")
            if section == "[core]" and equals and key.strip().lower() == "worktree":
                plain = value.strip().strip('"').replace('\\"', '"').replace("\\\\", "\\")
                return os.path.realpath(os.path.join(git, plain))
    return ""


def _is_listed(git: str, file: str) -> bool:
    """Return whether a worktree's entry names the file that names it, or one that was moved."""
    try:
        back = read_file(os.path.join(git, "gitdir")).decode("utf-8", "surrogateescape").strip()
    except StoreError:
        return False
    # Newer versions of git may write a path relative to the entry.
    back = os.path.join(git, back)
    if not os.path.lexists(back):
        return _was_checked_out(git, os.path.dirname(file))
    return os.path.realpath(back) == os.path.realpath(file)


def _was_checked_out(git: str, top: str) -> bool:
    """Return whether git wrote what is in a moved worktree: its index has a file's inode there."""
    try:
        with open(os.path.join(git, "index"), "rb") as file:
            entry = file.read(_INDEX_START)[_INDEX_HEAD:]
        # Of the first file: times, device and inode; then mode, owner, size, hash, flags; its name.
        name = entry[62:].lstrip(b"\0").partition(b"\0")[0]
        status = os.lstat(os.path.join(os.fsencode(top), name))
    except (OSError, ValueError):
        return False
    return bool(name) and entry[20:24] == (status.st_ino & 0xFFFFFFFF).to_bytes(4, "big")


def branch_of(start: str) -> str:
    """Return the branch checked out around `start`, from HEAD; "" if detached or outside."""
    head = _head_of(start)[1]
    mark = "ref: refs/heads/"
    # With reftable, HEAD only says that this file is not used.
    return head[len(mark) :] if head.startswith(mark) and head != f"{mark}.invalid" else ""


def commit_of(start: str) -> str:
    """Return the commit checked out around `start`, without running git, or ""."""
    git, head = _head_of(start)
    if not head.startswith("ref: "):
        return head
    name = head[len("ref: ") :]
    link = os.path.join(git, "commondir")
    shared = git
    if os.path.isfile(link):
        shared = os.path.join(git, read_file(link).decode("utf-8", "surrogateescape").strip())
    for place in (git, shared):
        try:
            found = read_file(os.path.join(place, *name.split("/"))).decode().strip()
        except (StoreError, UnicodeDecodeError):
            continue
        if found:
            return found
    try:
        packed = read_file(os.path.join(shared, "packed-refs")).decode("utf-8", "replace")
    except StoreError:
        return ""
    rows = (line.split(" ", 1) for line in packed.splitlines() if not line.startswith(("#", "^")))
    return next((row[0] for row in rows if row[-1] == name), "")


def last_move(start: str) -> tuple[str, int, str]:
    """Return HEAD's last reflog entry: commit, Unix time, action.

    Reads the file and runs no git. Returns `("", 0, "")` if there is no reflog or it is unreadable.
    """
    before, _, what = _log_end(start).rpartition("\n")[2].partition("\t")
    # Old and new commit, a name that may contain spaces, seconds, time zone.
    words = before.split(" ")
    if len(words) < 4 or not words[-2].isdigit():  # noqa: PLR2004
        return "", 0, ""
    return words[1], int(words[-2]), what


def only_committed_since(start: str, commit: str) -> bool:
    """Return whether HEAD moved from a commit to its current one by plain commits only.

    Reads the end of the reflog and runs no git. Merges, pulls and checkouts are not plain commits.
    """
    for line in reversed(_log_end(start).split("\n")):
        before, _, what = line.partition("\t")
        if not what.startswith("commit: "):
            return False
        if before.partition(" ")[0] == commit:
            return True
    return False


def _log_end(start: str) -> str:
    """Return the last lines of HEAD's reflog; "" if there is none."""
    git, _ = _head_of(start)
    try:
        with open(os.path.join(git, "logs", "HEAD"), "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _LOG_END))
            return file.read(_LOG_END).decode("utf-8", "replace").rstrip("\n") if git else ""
    except OSError:
        return ""


def _head_of(start: str) -> tuple[str, str]:
    """Return the git directory around `start` and the text of its HEAD; "" for both outside git."""
    here = os.path.realpath(start)
    while not os.path.lexists(os.path.join(here, ".git")):
        parent = os.path.dirname(here)
        if parent == here:
            return "", ""
        here = parent
    git = os.path.join(here, ".git")
    try:
        if os.path.isfile(git):
            pointer = read_file(git, most=SETTINGS_SIZE).decode("utf-8", "surrogateescape")
            git = os.path.join(here, pointer.removeprefix("gitdir:").strip())
        return git, read_file(os.path.join(git, "HEAD")).decode("utf-8", "replace").strip()
    except StoreError:
        return "", ""
