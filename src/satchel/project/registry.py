"""Registers places with their private state. Runs git, once per clone.

Every private state has an `identity.json`: the project's id, the histories it was seen with (each
the root commits of one clone), and where it was seen. The registry has one small entry for each
place, so that hooks need not search.

The id is in a tracked file, which anybody may copy. So a place gets an existing private state only
without guessing: the whole history has the same root commits, or the directory is the same.
Otherwise it starts with its own state, and `satchel join` asks.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from satchel.core import quick_json
from satchel.core.errors import NoProjectError, NotReadableError, NotWritableError, StoreError
from satchel.core.hashing import digest, object_in, sealed
from satchel.core.ids import new_ulid, slug
from satchel.core.values import Any, NamedTuple
from satchel.project.place import UNSEEN, Place, entry_of, find_place, known_key
from satchel.project.roots import root_commits
from satchel.storage.files import SETTINGS_SIZE, read_file, replace_file
from satchel.storage.inbox.lost import lie_ready
from satchel.storage.locks import FileLock
from satchel.storage.paths import PROJECT_FILE, UserHome

_HEX = "hex:"


def project_key(home: UserHome, place: Place) -> str:
    """Return the key of this place's private state, registering a new place.

    Raises `NoProjectError` if nothing identifies the project.
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
    return registered(home, place)


def registered(home: UserHome, place: Place) -> str:
    """Register a place and return its key.

    On a full or read-only disk, the key that it has had so far: earlier entries can be read.
    """
    try:
        return register(home, place)
    except NotWritableError:
        seen = _seen(home, place)
        mine = _match(_identities(home, place.project_id), seen)
        if mine is None:
            raise
        return str(mine["key"])


def register(home: UserHome, place: Place) -> str:
    """Choose and record the private state of this place."""
    seen = _seen(home, place)
    with registry_lock(home):
        siblings = _identities(home, place.project_id)
        mine = _match(siblings, seen)
        earlier = entry_of(home.registry, place)
        if mine is None:
            alike = [one["key"] for one in siblings if _may_be_same(one, seen)]
            if earlier.get("key") and earlier.get("id") != place.project_id:
                # The id changed in this very directory, as a pull may change it.
                alike.append(earlier["key"])
            mine = {"key": _new_key(place, seen.roots, siblings), "anchors": [], "alike": alike}
        mine["id"] = place.project_id
        history = [] if seen.shallow or not seen.roots else [sorted(seen.roots)]
        mine["histories"] = sorted({*map(tuple, _histories(mine)), *map(tuple, history)})
        mine["roots"] = sorted(_roots(mine))
        mine["anchors"] = sorted({*mine["anchors"], seen.spelled})
        entry = {
            "id": place.project_id,
            "key": mine["key"],
            "inode": seen.inode,
            "place": seen.spelled,
            "unborn": bool(place.common) and not seen.roots,
            # Until what lay uncommitted there has been looked for.
            UNSEEN: bool(earlier.get(UNSEEN, not earlier)),
        }
        keep_identity(home, mine)
        # Before the first hook: what it cannot keep is counted there.
        lie_ready(home.project_state(str(mine["key"])).lost)
        _keep(os.path.join(home.registry, place.entry_name()), entry)
    return str(mine["key"])


def note_looked(home: UserHome, place: Place) -> None:
    """Record that what lay uncommitted in a new place was looked for."""
    with registry_lock(home):
        entry = entry_of(home.registry, place)
        if entry.get(UNSEEN):
            _keep(os.path.join(home.registry, place.entry_name()), entry | {UNSEEN: False})


def registry_lock(home: UserHome) -> FileLock:
    """Return the lock that protects the registry and identities."""
    return FileLock(os.path.join(home.registry, "lock"), timeout=10)


def read_identity(home: UserHome, key: str) -> dict[str, Any]:
    """Return a private state's identity; {} if missing or damaged."""
    identity = _read(home.project_state(key).identity)
    return identity if identity.get("key") == key else {}


def heal_identity(home: UserHome, place: Place, key: str) -> bool:
    """Write a missing or damaged identity again, from a place that is registered with it.

    Without it a new clone of the project would begin with a private memory of its own.
    """
    if read_identity(home, key) or entry_of(home.registry, place).get("key") != key:
        return False
    seen = _seen(home, place)
    history = [] if seen.shallow or not seen.roots else [sorted(seen.roots)]
    with registry_lock(home):
        if read_identity(home, key):
            return False
        keep_identity(
            home,
            {
                "key": key,
                "id": place.project_id,
                "anchors": [seen.spelled],
                "alike": [],
                "histories": history,
                "roots": sorted({root for one in history for root in one}),
            },
        )
    return True


def keep_identity(home: UserHome, identity: dict[str, Any]) -> None:
    """Write a private state's identity."""
    _keep(home.project_state(identity["key"]).identity, identity)


def point_to(home: UserHome, key: str, other: str) -> None:
    """Move every place from the private state `key` to another one."""
    for name in sorted(os.listdir(home.registry)):
        path = os.path.join(home.registry, name)
        entry = _read(path)
        if entry.get("key") == key:
            _keep(path, {**entry, "key": other})


def spelled_path(spelled: str) -> str:
    """Return the directory of a place in the registry."""
    raw = bytes.fromhex(spelled[len(_HEX) :]) if spelled.startswith(_HEX) else spelled.encode()
    anchor, _, below = os.fsdecode(raw).partition("\0")
    # A repository's anchor is its `.git`; a bare one has no work tree of its own.
    top = os.path.dirname(anchor) if os.path.basename(anchor) == ".git" else anchor
    return os.path.join(top, below) if below else top


def places_of(home: UserHome) -> list[str]:
    """Return the top of every registered project that still exists, without duplicates."""
    found: dict[str, str] = {}
    for key, root in every_place(home):
        found.setdefault(key, root)
    return list(found.values())


def every_place(home: UserHome) -> list[tuple[str, str]]:
    """Return every registered place that still exists: its private state's key, and its top."""
    try:
        names = sorted(os.listdir(home.registry))
    except OSError:
        return []
    found: list[tuple[str, str]] = []
    for name in names:
        entry = _read(os.path.join(home.registry, name))
        if "place" not in entry:
            continue  # the lock
        root = spelled_path(entry["place"])
        if os.path.isfile(os.path.join(root, PROJECT_FILE)):
            found.append((str(entry.get("key", "")), root))
    return found


def _identities(home: UserHome, project_id: str) -> list[dict[str, Any]]:
    """Return every private state with this project id, skipping damaged identities."""
    found = []
    try:
        keys = sorted(os.listdir(os.path.join(home.path, "projects")))
    except OSError:
        return []
    for key in keys:
        identity = read_identity(home, key)
        if identity.get("id") == project_id:
            found.append(identity)
    return found


def project_id_for(home: UserHome, place: Place) -> str:
    """Return the id for a new project.toml: this place's former one, or a new one."""
    import time

    try:
        keys = sorted(os.listdir(os.path.join(home.path, "projects")))
    except OSError:
        keys = []
    here = {_spelled(place), _spelled(Place(place.root, "", "", ""))}
    roots, _ = root_commits(place)
    for key in keys:
        known = read_identity(home, key)
        if not here & set(known.get("anchors", ())):
            continue
        before = _roots(known)
        if before & set(roots) or not before or not roots:
            return str(known["id"])
    return new_ulid(int(time.time() * 1000))


def place_for_init(start: str) -> Place:
    """Return the directory `satchel init` uses: the work tree's top, or `start`."""
    found = find_place(start)
    if found:
        return found
    return Place(os.path.realpath(start), "", "", "")


class _Seen(NamedTuple):
    """The known facts about a place.

    Attributes:
        roots: root commits of its history.
        shallow: whether the history is incomplete, or git is not available.
        spelled: the place, encoded as in the registry.
        before: the same, from before it became a repository.
        inode: device and inode of its anchor.
        left: places whose directory was moved here.
    """

    roots: list[str]
    shallow: bool
    spelled: str
    before: str
    inode: list[int]
    left: frozenset[str]


def _seen(home: UserHome, place: Place) -> _Seen:
    roots, shallow = root_commits(place)
    status = os.stat(place.anchor)
    inode = [status.st_dev, status.st_ino]
    left = set()
    for name in os.listdir(home.registry) if os.path.isdir(home.registry) else ():
        entry = _read(os.path.join(home.registry, name))
        if entry.get("inode") == inode and not os.path.exists(spelled_path(entry["place"])):
            left.add(entry["place"])
    before = _spelled(Place(place.root, "", "", place.project_id))
    return _Seen(roots, shallow, _spelled(place), before=before, inode=inode, left=frozenset(left))


def _match(siblings: list[dict[str, Any]], seen: _Seen) -> dict[str, Any] | None:
    """Find this project's private state among those with its id, without guessing."""
    if seen.roots and not seen.shallow:
        for sibling in siblings:
            if sorted(seen.roots) in _histories(sibling):
                return sibling
    for sibling in siblings:
        # Before the first commit and outside git, only the directory itself identifies the project:
        # at its place, from before it became a repository, or moved.
        here = {seen.spelled, seen.before, *(() if seen.roots else seen.left)}
        without_history = not _roots(sibling) or not (seen.roots or seen.shallow)
        if here & set(sibling["anchors"]) and without_history:
            return sibling
    return None


def _may_be_same(sibling: dict[str, Any], seen: _Seen) -> bool:
    """Return whether a place may also belong to this state; then the user is asked."""
    roots = _roots(sibling)
    if seen.shallow:
        return True
    if seen.roots and roots:
        return bool(roots & set(seen.roots))
    # A directory without history that has vanished from all its places may have been moved.
    gone = not any(os.path.exists(spelled_path(anchor)) for anchor in sibling["anchors"])
    return not seen.roots and not roots and gone


def _histories(identity: dict[str, Any]) -> list[list[str]]:
    """Return the root commits of each history that a state was seen with."""
    known = identity.get("histories")
    if known is None:
        # Written before histories were kept apart.
        return [sorted(identity["roots"])] if identity.get("roots") else []
    return [list(one) for one in known]


def _roots(identity: dict[str, Any]) -> set[str]:
    return {root for history in _histories(identity) for root in history}


def _new_key(place: Place, roots: Sequence[str], siblings: list[dict[str, Any]]) -> str:
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


def _keep(path: str, value: dict[str, Any]) -> None:
    bare = {name: part for name, part in value.items() if name != "hash"}
    if bare == {name: part for name, part in _read(path).items() if name != "hash"}:
        return
    replace_file(path, sealed(quick_json.dumps(bare))[0])


def _read(path: str) -> dict[str, Any]:
    try:
        return object_in(read_file(path, most=SETTINGS_SIZE))
    except StoreError:
        return {}
