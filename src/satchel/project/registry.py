"""Registering a place: which private state belongs to it. Starts git, once for each clone.

Every private state holds an `identity.json`: the project's id, its root commits, and where it was
seen. The registry holds one small entry for each place, so that hooks need not look further.
"""

from __future__ import annotations

import os

from satchel.core import quick_json
from satchel.core.errors import (
    BusyError,
    NoProjectError,
    NotReadableError,
    NotWritableError,
    StoreError,
)
from satchel.core.hashing import digest, is_whole, sealed
from satchel.core.ids import new_ulid, slug
from satchel.project.place import Place, find_place, known_key
from satchel.storage.locks import FileLock, read_file, replace_file
from satchel.storage.paths import PROJECT_FILE, UserHome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_GIT_SECONDS = 20
_HEX = "hex:"


def project_key(home: UserHome, place: Place) -> str:
    """Return the key of this place's private state, registering the place if it is new.

    Raises `NoProjectError` where nothing says which project this is.
    """
    key = known_key(home.registry, place)
    if key:
        return key
    file = os.path.join(place.root, PROJECT_FILE)
    if not place.project_id and os.path.isfile(file):
        raise NotReadableError(
            f"{file} names no project: its line `id = ...` is missing.",
            hint="Take it from git again, or remove the file and run `satchel init`.",
        )
    if not place.project_id:
        raise NoProjectError(
            f"{place.root} is not a Satchel project yet.", hint="Run `satchel init` there once."
        )
    try:
        return register(home, place)
    except NotWritableError:
        # A full or read-only disk: what was known before can still be read.
        roots, shallow = root_commits(place)
        mine = _match(_identities(home, place.project_id), roots, place, shallow=shallow)
        if mine is None:
            raise
        return str(mine["key"])


def register(home: UserHome, place: Place) -> str:
    """Decide and write down which private state belongs to this place."""
    roots, shallow = root_commits(place)
    with FileLock(os.path.join(home.registry, "lock"), timeout=10):
        siblings = _identities(home, place.project_id)
        mine = _match(siblings, roots, place, shallow=shallow)
        if mine is None:
            mine = {"key": _new_key(place, roots, siblings), "roots": [], "anchors": []}
        mine["id"] = place.project_id
        mine["roots"] = sorted({*mine["roots"], *([] if shallow else roots)})
        mine["anchors"] = sorted({*mine["anchors"], _spelled(place)})
        status = os.stat(place.anchor)
        entry = {
            "id": place.project_id,
            "key": mine["key"],
            "inode": [status.st_dev, status.st_ino],
            "place": _spelled(place),
            "unborn": bool(place.common) and not roots,
        }
        _keep(home.project_state(mine["key"]).identity, mine)
        _keep(os.path.join(home.registry, place.entry_name()), entry)
    return str(mine["key"])


def places_of(home: UserHome) -> list[str]:
    """Return the top of every project that is registered and still there, each project once."""
    found: dict[str, str] = {}
    try:
        names = sorted(os.listdir(home.registry))
    except OSError:
        return []
    for name in names:
        entry = _read(os.path.join(home.registry, name))
        spelled = str(entry.get("place", ""))
        raw = bytes.fromhex(spelled[len(_HEX) :]) if spelled.startswith(_HEX) else spelled.encode()
        anchor, _, below = os.fsdecode(raw).partition("\0")
        # Of a repository the anchor is its `.git`; a bare one has no work tree of its own.
        top = os.path.dirname(anchor) if os.path.basename(anchor) == ".git" else anchor
        root = os.path.join(top, below) if below else top
        if os.path.isfile(os.path.join(root, PROJECT_FILE)):
            found.setdefault(str(entry.get("key", "")), root)
    return list(found.values())


def _identities(home: UserHome, project_id: str) -> list[dict[str, Any]]:
    """Every private state of projects with this id. A damaged identity is passed over."""
    found = []
    try:
        keys = sorted(os.listdir(os.path.join(home.path, "projects")))
    except OSError:
        return []
    for key in keys:
        identity = _read(home.project_state(key).identity)
        if identity.get("id") == project_id and identity.get("key") == key:
            found.append(identity)
    return found


def root_commits(place: Place) -> tuple[list[str], bool]:
    """Root commits reachable from HEAD, and whether the clone is too shallow to know them."""
    if not place.common:
        return [], False

    from satchel.storage import git

    shallow = os.path.exists(os.path.join(place.common, "shallow"))
    try:
        done = git.ask(place.root, "rev-list", "--max-parents=0", "HEAD", seconds=_GIT_SECONDS)
    except git.NoGitError:
        return [], True
    except git.GitError:
        raise BusyError("git did not answer when asked for the root commit.") from None
    return done.out.split() if done.code == 0 else [], shallow


def project_id_for(home: UserHome, place: Place) -> str:
    """Return the id for a new project.toml: the one this very place had before, or a new one."""
    import time

    try:
        keys = sorted(os.listdir(os.path.join(home.path, "projects")))
    except OSError:
        keys = []
    here = {_spelled(place), _spelled(Place(place.root, "", "", ""))}
    roots, _ = root_commits(place)
    for key in keys:
        known = _read(home.project_state(key).identity)
        again = here & set(known.get("anchors", ())) and known.get("key") == key
        if again and (set(known["roots"]) & set(roots) or not known["roots"] or not roots):
            return str(known["id"])
    return new_ulid(int(time.time() * 1000))


def place_for_init(start: str) -> Place:
    """Return what `satchel init` makes a project of: the work tree's top, else `start`."""
    found = find_place(start)
    if found:
        return found
    return Place(os.path.realpath(start), "", "", "")


def _match(
    siblings: list[dict[str, Any]], roots: list[str], place: Place, *, shallow: bool
) -> dict[str, Any] | None:
    """Find the private state of this project among those with the same id."""
    for sibling in siblings:
        if not shallow and set(sibling["roots"]) & set(roots):
            return sibling
    # A directory that became a repository was a project before, under its own name.
    here = {_spelled(place), _spelled(Place(place.root, "", "", place.project_id))}
    for sibling in siblings:
        # Before the first commit, and outside git, the directory itself is all there is to go by.
        if here & set(sibling["anchors"]) and (not roots or not sibling["roots"]):
            return sibling
    if shallow and len(siblings) == 1:
        return siblings[0]
    for sibling in siblings:
        # A directory without history that is gone from everywhere it was: it has been moved.
        homeless = not any(_still_exists(anchor) for anchor in sibling["anchors"])
        if not roots and not sibling["roots"] and homeless:
            return sibling
    return None


def _new_key(place: Place, roots: list[str], siblings: list[dict[str, Any]]) -> str:
    name = slug(os.path.basename(place.root))[:32] or "project"
    unique = digest("\0".join([place.project_id, *sorted(roots), _spelled(place)]).encode()).hex()
    taken = {sibling["key"] for sibling in siblings}
    key = f"{name}-{unique[:12]}"
    return key if key not in taken else f"{name}-{unique[:24]}"


def _spelled(place: Place) -> str:
    """Encode a place for the registry: its anchor and the path below it, as any bytes."""
    raw = os.fsencode(place.anchor) + b"\0" + os.fsencode(place.below)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return _HEX + raw.hex()


def _still_exists(spelled: str) -> bool:
    raw = bytes.fromhex(spelled[len(_HEX) :]) if spelled.startswith(_HEX) else spelled.encode()
    return os.path.exists(raw.split(b"\0")[0])


def _keep(path: str, value: dict[str, Any]) -> None:
    bare = {name: part for name, part in value.items() if name != "hash"}
    if bare == {name: part for name, part in _read(path).items() if name != "hash"}:
        return
    replace_file(path, sealed(quick_json.dumps(bare))[0])


def _read(path: str) -> dict[str, Any]:
    try:
        line = read_file(path)
        value = quick_json.loads(line.decode()) if is_whole(line) else {}
    except (ValueError, StoreError):
        return {}
    return value if isinstance(value, dict) else {}
