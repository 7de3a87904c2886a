"""The state of the code that memories are about: fresh, moved, changed or gone."""

from __future__ import annotations

from satchel.core.errors import SatchelError
from satchel.core.values import Any, NamedTuple
from satchel.project.background import is_large

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from satchel.features.code.anchors.rules import Anchor, AnchorState
    from satchel.features.code.service import Code
    from satchel.storage.ledger.record import Record

#: Most pieces of code that one brief checks.
_MOST = 60
#: Seconds between background processes that map code.
_MAP_EVERY = 30.0
#: Not at its path, and no map says whether it is elsewhere.
MISSING = "missing"


class CodeState(NamedTuple):
    """The state of a memory's code: the worst of its anchors, also in words."""

    state: str
    told: str
    states: tuple[AnchorState, ...] = ()

    @property
    def gone(self) -> bool:
        """Return whether all of a memory's code is gone; then it is not injected."""
        return self.state == "gone"


def code_states(code: Code, records: Iterable[Record]) -> dict[str, CodeState]:
    """Return the state of records' code by id, leaving out records without anchors.

    Costs a look at each file; the map is used only for code no longer at its path.
    """
    anchored = [record for record in records if record.data and "anchors" in record.data]
    if not anchored:
        return {}
    from satchel.features.code.anchors.rules import anchors_in

    by_record = {record.id: anchors_in(record.data) for record in anchored}
    wanted = [anchor for anchors in by_record.values() for anchor in anchors][:_MOST]
    try:
        found = dict(zip(wanted, _looked_up(code, wanted), strict=True))
    except SatchelError:
        return {}  # a map that cannot be read hides no memory
    standing = {}
    for ident, anchors in by_record.items():
        states = [found[anchor] for anchor in anchors if anchor in found]
        if states:
            left = [one for one in states if one.state != "gone"]
            worst = max(left or states, key=lambda one: _ORDER.index(one.state))
            standing[ident] = CodeState(
                worst.state, "; ".join(map(_format_state, states)), tuple(states)
            )
    return standing


def _looked_up(code: Code, wanted: list[Anchor]) -> list[AnchorState]:
    """Look up anchors. Without a map, code that is not at its path counts as missing only."""
    from satchel.features.code.anchors.pinning import states
    from satchel.features.code.anchors.rules import GONE

    project = code.project
    whole = False

    def opened_map() -> object:
        nonlocal whole
        # Hooks never create a map; callers with time do, unless the repository is large.
        if code.is_mapped() or (project.patient and not is_large(project.place.common)):
            code.refresh()
        whole = code.is_mapped()
        return code.store

    try:
        found = states(code.root, wanted, opened_map)  # type: ignore[arg-type]
    finally:
        code.close()
    if whole:
        return found
    return [one._replace(state=MISSING) if one.state == GONE else one for one in found]


def pinned(code: Code, places: Sequence[str]) -> dict[str, Any]:
    """Return a record's `data` for places in the code, `path` or `path:symbol`.

    Raises `NotFoundError` for a missing file or symbol.
    """
    from satchel.features.code.anchors.rules import as_data

    try:
        anchors = [code.pin(*_place_of(place)) for place in places]
    finally:
        code.close()
    map_for_anchors(code)
    return as_data(anchors)


def _place_of(place: str) -> tuple[str, str]:
    """Split `src/store.py:Store.open` at the last colon, but not after a drive letter."""
    path, colon, symbol = place.rpartition(":")
    return (path, symbol) if colon and len(path) > 1 else (place, "")


def map_for_anchors(code: Code) -> None:
    """Build the map for looking up anchors, in the background if it is large."""
    try:
        if code.is_mapped() or not is_large(code.project.place.common):
            code.refresh()
        else:
            map_in_background(code)
    except SatchelError:
        return  # the memory is kept anyway; the next reader maps
    finally:
        code.close()


def map_in_background(code: Code) -> None:
    """Build the first map of a large repository in a background process."""
    project = code.project
    if project.settings.flag("embed.background"):
        project.start_in_background("code", project.state.lock("code-map"), _MAP_EVERY)


_ORDER = ("fresh", "moved", "changed", MISSING, "gone")


def _format_state(one: AnchorState) -> str:
    anchor = one.anchor
    name = f"{anchor.path}:{anchor.symbol}" if anchor.symbol else anchor.path
    where = f"{one.path}:{one.symbol}" if one.symbol else one.path
    if one.state == "moved":
        return f"code moved: {name} is now {where}"
    if one.state == "changed" and (one.path, one.symbol) != (anchor.path, anchor.symbol):
        return f"code moved and changed since: {name} is now {where}"
    words = {
        "fresh": "code as it was",
        "changed": "code changed since",
        "gone": "code gone",
        MISSING: "not found, and nothing is mapped yet",
    }
    return f"{words[one.state]}: {name}"
