"""Which file of a home is which file of the remote: projects have other names on each machine."""

from __future__ import annotations

import os
from collections.abc import Iterable

from satchel.core import quick_json
from satchel.core.errors import BadInputError
from satchel.core.hashing import digest, is_whole, sealed
from satchel.core.values import NamedTuple
from satchel.project.inventory import Holding, holding_of, local_path
from satchel.project.registry import read_identity
from satchel.storage.locks import read_file, replace_file
from satchel.storage.paths import UserHome

PERSON, PROJECTS, MARK = "person", "projects", "satchel-sync.json"
_IDENTITY = "identity"


class ProjectIdentity(NamedTuple):
    """Which project a private state is of: its id and the root commits of its repository."""

    id: str
    roots: tuple[str, ...]

    def is_same(self, other: ProjectIdentity) -> bool:
        """Return whether two are of one project; without commits, its id says so alone."""
        both_bare = not self.roots and not other.roots
        return self.id == other.id and (both_bare or bool({*self.roots} & {*other.roots}))

    def spelled(self) -> bytes:
        """Encode it for the remote, without paths, which belong to one machine."""
        return quick_json.dumps({"id": self.id, "roots": list(self.roots)}).encode() + b"\n"


def identity_from(data: bytes) -> ProjectIdentity | None:
    """Read an identity; None for a damaged one."""
    try:
        fields = quick_json.loads(data.decode())
        return ProjectIdentity(str(fields["id"]), tuple(map(str, fields["roots"])))
    except (ValueError, KeyError, TypeError):
        return None


def identities_here(home: UserHome) -> dict[str, ProjectIdentity]:
    """Every project's private state in a home, by key; not one that may be another's yet."""
    try:
        keys = sorted(os.listdir(os.path.join(home.path, PROJECTS)))
    except OSError:
        return {}
    found = {}
    for key in keys:
        line = read_file(home.project_state(key).identity)
        identity = identity_from(line) if is_whole(line) else None
        if identity is not None and not read_identity(home, key).get("alike"):
            found[key] = identity
    return found


class PathMapping:
    """Names of projects here and there.

    Args:
        home: whose.
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

    def remote_path(self, holding: Holding) -> str:
        """Return where a file of this home lies in the remote; "" for a state of no project."""
        path = _without_archive(holding)
        parts = path.split("/")
        if parts[0] != PROJECTS:
            return f"{PERSON}/{path}"
        name = self._there.get(parts[1], "")
        return "/".join([PROJECTS, name, *parts[2:]]) if name else ""

    def holding(self, remote: str) -> Holding | None:
        """Return what a path of the remote is in this home; None if it does not belong here."""
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
        return holding_of(path) if path else None

    def make_projects(self) -> list[str]:
        """Make private states for projects that this machine has not seen; return their keys."""
        for name, key in self._new.items():
            one = self.identities[name]
            fields = {"anchors": [], "id": one.id, "key": key, "roots": list(one.roots)}
            path = self.home.project_state(key).identity
            if not os.path.exists(path):
                replace_file(path, sealed(quick_json.dumps(fields))[0])
        return sorted(self._new.values())


def identity_path(name: str) -> str:
    """Return where the identity of a project lies in the remote."""
    return f"{PROJECTS}/{name}/{_IDENTITY}"


def named_identity(path: str) -> str:
    """Return the project that a path of the remote is the identity of; "" for none."""
    parts = path.split("/")
    return parts[1] if len(parts) == 3 and parts[0] == PROJECTS and parts[2] == _IDENTITY else ""  # noqa: PLR2004


def _without_archive(holding: Holding) -> str:
    """Return the path of a ledger for its archive too: in the remote they are one."""
    return (
        holding.path.removesuffix(".archive.jsonl") + ".jsonl"
        if (holding.path.endswith(".archive.jsonl") and holding.sort == "ledger")
        else holding.path
    )


def _free(name: str, identity: ProjectIdentity, taken: Iterable[str]) -> str:
    if name and name not in taken and name not in (".", "..") and "\\" not in name:
        return name
    return f"project-{digest(identity.spelled()).hex()[:16]}"
