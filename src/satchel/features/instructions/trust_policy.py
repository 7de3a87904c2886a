"""Which files may import which: forbidden places, and approvals by content.

A repository's files may import files of the repository. For others the user approves the current
content, per project; a changed file needs a new approval.
"""

from __future__ import annotations

import os

from satchel.clients.contract.instructions import MACHINE, REPOSITORY, SHARED, USER
from satchel.core import quick_json
from satchel.core.hashing import is_whole, sealed
from satchel.core.values import Any, NamedTuple
from satchel.storage.locks import read_file, replace_file
from satchel.storage.safe_open import is_within, open_text

#: Never read, even if approved: system-generated files and credentials.
_CLOSED = ("/proc", "/sys", "/dev", "/boot")
_CLOSED_IN_HOME = (
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".password-store",
    ".netrc",
    os.path.join(".config", "gcloud"),
    os.path.join(".config", "gh"),
    os.path.join(".local", "share", "keyrings"),
)
#: World-writable places: readable only by approval, or if the project is there.
_OPEN_TO_ALL = ("/tmp", "/var", "/run", "/private/tmp", "/private/var")  # noqa: S108
#: Stands for all projects in an approval.
EVERYWHERE = "*"
#: Maximum number of files that one folder's approval covers.
MOST_IN_FOLDER = 200


class TrustPolicy(NamedTuple):
    """The policy of one project. All paths are real paths.

    Attributes:
        root: top of the project's work tree.
        home: the user's.
        user_places: directories of the user's instruction files; may be outside the home.
        managed: directories of the machine's administrator.
        team: the team's shared directory; "" for none.
        approved: real path -> SHA-256 of the approved content, for this project.
    """

    root: str
    home: str
    user_places: tuple[str, ...] = ()
    managed: tuple[str, ...] = ()
    team: str = ""
    approved: dict[str, str] = {}  # noqa: RUF012 -- never changed

    def objection(self, real: str, owner: str) -> str:
        """Return why a file may not be read for `owner`'s files; "" if it may.

        An approved one may be opened; `still_approved` compares its content.
        """
        if self.closed(real):
            return "its place is off limits"
        if self.at_home(real, owner) or real in self.approved:
            return ""
        if any(is_within(real, p) for p in _OPEN_TO_ALL) and not is_within(real, self.home):
            return "anybody can write there"
        return (
            "it is outside the project"
            if owner in (REPOSITORY, SHARED)
            else "it is outside your home"
        )

    def closed(self, real: str) -> bool:
        """Return whether a place is forbidden to everyone."""
        places = [*_CLOSED, *(os.path.join(self.home, name) for name in _CLOSED_IN_HOME)]
        return any(is_within(real, place) for place in places)

    def at_home(self, real: str, owner: str) -> bool:
        """Return whether a file is where its owner may import it without approval.

        A project in a world-writable place may read there, as may a home directory.
        """
        if owner == MACHINE:
            return any(is_within(real, place) for place in self.managed)
        places: tuple[str, ...] = (self.home, *self.user_places) if owner == USER else ()
        if owner == SHARED and self.team:
            places = (self.team,)
        return any(is_within(real, place) for place in (self.root, *places))

    def still_approved(self, real: str, owner: str, sha256: str) -> bool:
        """Return whether a file may be shown: in its place, or unchanged since approval."""
        return self.at_home(real, owner) or self.approved.get(real) == sha256


class Approval(NamedTuple):
    """An approved file: its project, its content, and when."""

    project: str
    path: str
    sha256: str
    at: int


class Approvals:
    """The approvals in the user's home.

    Args:
        path: of that file; "" for none.
    """

    def __init__(self, path: str) -> None:
        self._path = path

    def all(self) -> list[Approval]:
        """Return every approval; none if the file is missing or damaged."""
        if not self._path:
            return []
        try:
            line = read_file(self._path)
            kept: Any = quick_json.loads(line.decode()) if is_whole(line) else {}
            rows = kept.get("approved", [])
            return [Approval(str(r[0]), str(r[1]), str(r[2]), int(r[3])) for r in rows]
        except (ValueError, TypeError, AttributeError, IndexError):
            return []

    def of(self, project: str) -> dict[str, str]:
        """Return approvals for one project, or everywhere: real path -> SHA-256."""
        found = [one for one in self.all() if one.project in (project, EVERYWHERE)]
        found.sort(key=lambda one: one.project == project)  # the project's own word is the last
        return {one.path: one.sha256 for one in found}

    def add(self, project: str, files: dict[str, str], now: float) -> None:
        """Approve files with their content, replacing their earlier approvals."""
        kept = [o for o in self.all() if o.project != project or o.path not in files]
        kept += [Approval(project, path, digest, int(now)) for path, digest in files.items()]
        self._keep(kept)

    def remove(self, project: str, place: str) -> list[str]:
        """Revoke a file, or everything below a folder; return what was revoked."""
        gone = [o for o in self.all() if o.project == project and is_within(o.path, place)]
        if gone:
            self._keep([one for one in self.all() if one not in gone])
        return [one.path for one in gone]

    def _keep(self, approvals: list[Approval]) -> None:
        rows = [list(one) for one in sorted(approvals)]
        replace_file(self._path, sealed(quick_json.dumps({"approved": rows}))[0])


def approvable(
    place: str, grounds: TrustPolicy, extensions: tuple[str, ...], most: int
) -> dict[str, str]:
    """Return what approving a file or folder would cover: real path -> SHA-256.

    For a folder, up to 200 files below it with one of `extensions`, sorted.
    """
    from satchel.core.hashing import digest

    found: dict[str, str] = {}
    for path in _files_at(place, extensions):
        opened = open_text(path, lambda real: "closed" if grounds.closed(real) else "", most=most)
        if not opened.refused:
            found[opened.real] = digest(opened.data).hex()
        if len(found) >= MOST_IN_FOLDER:
            break
    return found


def _files_at(place: str, extensions: tuple[str, ...]) -> list[str]:
    if not os.path.isdir(place):
        return [place]
    found: list[str] = []
    for directory, below, names in os.walk(place):
        below[:] = sorted(name for name in below if not name.startswith("."))
        found += [os.path.join(directory, n) for n in sorted(names) if n.endswith(extensions)]
        if len(found) > MOST_IN_FOLDER:
            break
    return found
