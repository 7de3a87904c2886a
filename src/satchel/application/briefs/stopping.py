"""Where the last sessions stopped: their checkpoints, as long as nobody went on from them."""

from __future__ import annotations

from satchel.application.outlet import Outlet, Shown
from satchel.core.kinds import kinds_in
from satchel.core.scope import Scope
from satchel.core.trust import clean_line
from satchel.storage.ledger.record import Record

_OPEN_CHECKPOINTS = 2
#: Sessions after which a checkpoint is outdated; most presences to check.
_LATER_SESSIONS, _PRESENCES = 3, 100
#: How long sessions on other branches count as concurrent, not as successors, seconds.
_BESIDE_OTHERS = 3 * 86_400


def last_checkpoints(outlet: Outlet, scope: Scope) -> list[Shown]:
    """Return the newest checkpoint of each recent session: of this task, of this branch, others.

    After three later sessions a checkpoint is outdated: its work is done or abandoned. Agents
    working on other branches do not count for some days.
    """
    by_session: dict[str, Shown] = {}
    begun = _begun(outlet)
    for one in outlet.newest(kinds_in("checkpoint"), 40):
        record = one.record
        recent = outlet.now - record.ts < _BESIDE_OTHERS
        only = outlet.branch if recent and record.branch == outlet.branch else ""
        later = {
            each.session
            for each in begun
            if each.ts > record.ts and each.session != record.session
            if not only or each.branch in ("", only)
        }
        if len(later) < _LATER_SESSIONS:
            by_session.setdefault(record.session or record.id, _naming_branch(one, outlet.branch))
    found = sorted(
        by_session.values(),
        key=lambda one: (one.record.task != scope.task, bool(one.note), -one.record.ts),
    )
    # Then the session just before, on any branch, which may be merged by now.
    rest = sorted(found[1:], key=lambda one: -one.record.ts)
    return [*found[:1], *map(_unasked, rest)][:_OPEN_CHECKPOINTS]


def _unasked(one: Shown) -> Shown:
    """Return an earlier checkpoint without the question that it ended on.

    Whoever went on in a later session has answered it, or left it.
    """
    data = one.record.data or {}
    if not str(data.get("open") or "").endswith("?"):
        return one
    return one._replace(record=one.record._replace(data={**data, "open": ""}))


def _naming_branch(one: Shown, here: str) -> Shown:
    """Return a remark on the branch that a session worked on, if not checked out here."""
    branch = one.record.branch
    if one.note or not here or branch in ("", here):
        return one
    return one._replace(note=f"on {clean_line(branch)}")


def _begun(outlet: Outlet) -> list[Record]:
    """Return the presence records of the sessions that began last."""
    seen = [one.record for one in outlet.newest(("activity",), _PRESENCES)]
    return [one for one in seen if one.session and (one.data or {}).get("event") == "agent_online"]
