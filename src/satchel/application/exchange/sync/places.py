"""Maps files of a home to files of the remote: project names differ by machine."""

from __future__ import annotations

import os
from collections.abc import Iterable

from satchel.core import quick_json
from satchel.core.errors import BadInputError
from satchel.core.hashing import digest, is_whole, sealed
from satchel.core.values import NamedTuple
from satchel.project.inventory import HomeFile, home_file_of, local_path
from satchel.project.registry import read_identity
from satchel.storage.files import names_in, read_file, replace_file
from satchel.storage.paths import UserHome

PERSON, PROJECTS, MARK = "person", "projects", "satchel-sync.json"
_IDENTITY = "identity"


class ProjectIdentity(NamedTuple):
    """A project's identity: its id and its repository's root commits."""

    id: str
    roots: tuple[str, ...]

    def is_same(self, other: ProjectIdentity) -> bool:
        """Return whether both are one project; without commits, the id decides."""
        both_bare = not self.roots and not other.roots
        return self.id == other.id and (both_bare or bool({*self.roots} & {*other.roots}))

    def spelled(self) -> bytes:
        """Encode the identity for the remote, without paths, which are local."""
        return quick_json.dumps({"id": self.id, "roots": list(self.roots)}).encode() + b"\n"


def identity_from(data: bytes) -> ProjectIdentity | None:
    """Parse an identity; None if it is damaged."""
    try:
        fields = quick_json.loads(data.decode())
        return ProjectIdentity(str(fields["id"]), tuple(map(str, fields["roots"])))
    except (ValueError, KeyError, TypeError):
        return None


def identities_here(home: UserHome) -> dict[str, ProjectIdentity]:
    """Return the identity of every private state by key, except undecided ones."""
    found = {}
    for key in names_in(os.path.join(home.path, PROJECTS)):
        line = read_file(home.project_state(key).identity)
        identity = identity_from(line) if is_whole(line) else None
        if identity is not None and not read_identity(home, key).get("alike"):
            found[key] = identity
    return found


class PathMapping:
    """The mapping of local and remote project names.

    Args:
        theirs: identities of the remote, by their names there.
    """

    def __init__(self, home: UserHome, theirs: dict[str, ProjectIdentity]) -> None:
        self.home = home
        here = identities_here(home)
        self.identities = dict(theirs)
        self._there: dict[str, str] = {}
        for key, identity in here.items():
            known = [n for n, one in theirs.items() if one.is_same(identity)]
            name = known[0] if known else _free(key, identity, theirs)
            roots = tuple(sorted({*identity.roots, *(theirs[name].roots if known else ())}))
            self._there[key] = name
            self.identities[name] = ProjectIdentity(identity.id, roots)
        self._here = {name: key for key, name in self._there.items()}
        self._new = {
            name: _free(name, one, here) for name, one in theirs.items() if name not in self._here
        }

    def remote_path(self, file: HomeFile) -> str:
        """Return a local file's path in the remote; "" for a state without project."""
        path = _without_archive(file)
        parts = path.split("/")
        if parts[0] != PROJECTS:
            return f"{PERSON}/{path}"
        name = self._there.get(parts[1], "")
        return "/".join([PROJECTS, name, *parts[2:]]) if name else ""

    def file(self, remote: str) -> HomeFile | None:
        """Return the local file of a remote path, or None if it does not belong here."""
        root, _, below = remote.partition("/")
        if root == PROJECTS:
            name, _, rest = below.partition("/")
            key = self._here.get(name) or self._new.get(name)
            path = f"{PROJECTS}/{key}/{rest}" if key and rest else ""
        else:
            path = below if root == PERSON and not below.startswith(PROJECTS + "/") else ""
        try:
            local_path(self.home.path, path)
        except BadInputError:
            return None
        return home_file_of(path) if path else None

    def make_projects(self) -> list[str]:
        """Create private states for projects new to this machine; return their keys."""
        for name, key in self._new.items():
            one = self.identities[name]
            fields = {"anchors": [], "id": one.id, "key": key, "roots": list(one.roots)}
            path = self.home.project_state(key).identity
            if not os.path.exists(path):
                replace_file(path, sealed(quick_json.dumps(fields))[0])
        return sorted(self._new.values())


def identity_path(name: str) -> str:
    """Return the path of a project's identity in the remote."""
    return f"{PROJECTS}/{name}/{_IDENTITY}"


def named_identity(path: str) -> str:
    """Return the project whose identity is at a remote path; "" if none."""
    parts = path.split("/")
    return parts[1] if len(parts) == 3 and parts[0] == PROJECTS and parts[2] == _IDENTITY else ""  # noqa: PLR2004


def _without_archive(file: HomeFile) -> str:
    """Return a ledger's path also for its archive, because the remote joins them."""
    return (
        file.path.removesuffix(".archive.jsonl") + ".jsonl"
        if (file.path.endswith(".archive.jsonl") and file.sort == "ledger")
        else file.path
    )


def _free(name: str, identity: ProjectIdentity, taken: Iterable[str]) -> str:
    if name and name not in taken and name not in (".", "..") and "\\" not in name:
        return name
    return f"project-{digest(identity.spelled()).hex()[:16]}"
