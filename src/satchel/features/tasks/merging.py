"""Merges two lines of one issue left by a merge of branches, without loss. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.quick_json import canonical
from satchel.core.values import Any
from satchel.features.tasks.dialects import moment, status_of, text
from satchel.features.tasks.values import TOMBSTONE

Data = dict[str, Any]


#: Fields that are lists of independent items: items of either line stay.
_LISTS = ("labels", "dependencies", "comments", "blocks", "blocked_by")
#: Fields that follow from others, or are times.
_DERIVED = frozenset(
    "updated_at created_at content_hash dependency_count dependent_count comment_count "  # noqa: SIM905
    "closed_at started_at _type".split()
)


def order_of(data: Data) -> tuple[bool, float, str]:
    """Return the sort key of an issue's versions: the greatest counts.

    A tombstone outlives every version: a merge does not restore deleted issues.
    """
    changed = moment(data.get("updated_at") or data.get("created_at"))
    return status_of(data) == TOMBSTONE, changed, canonical(data)


def merged(versions: Sequence[Data]) -> Data:
    """Return an issue merged from its versions, independent of their order.

    The version changed last gives each field that it has; fields that only others have stay;
    labels, dependencies and comments of all are kept.
    """
    # Equal lines are one version: joining a list with itself must not change it.
    versions = [one for at, one in enumerate(versions) if one not in versions[:at]]
    if len(versions) == 1:
        return versions[0]
    newest, *others = sorted(versions, key=order_of, reverse=True)
    result = dict(newest)
    for other in others:
        for name, value in other.items():
            if name not in result and not (name == "closed_at" and text(result, "status")):
                result[name] = value
    for name in _LISTS:
        lists = [one[name] for one in (newest, *others) if isinstance(one.get(name), list)]
        if lists:
            result[name] = _joined(name, lists)
    return result


def overruled(versions: Sequence[Data]) -> list[tuple[str, Any]]:
    """Return fields and values that `merged` drops in favor of newer ones."""
    result = merged(versions)
    found: dict[tuple[str, str], tuple[str, Any]] = {}
    for version in sorted(versions, key=order_of, reverse=True):
        for name, value in version.items():
            if name in _LISTS or name in _DERIVED or value in (None, "", result.get(name)):
                continue
            found.setdefault((name, canonical(value)), (name, value))
    return list(found.values())


def are_different(one: Data, other: Data) -> bool:
    """Return whether two lines with one id are different issues that collided."""
    born, also = moment(one.get("created_at")), moment(other.get("created_at"))
    apart = bool(born and also and born != also)
    return apart and text(one, "title") != text(other, "title")


def _joined(name: str, lists: Sequence[list[Any]]) -> list[Any]:
    found: dict[str, Any] = {}
    for rows in lists:
        for row in rows:
            found.setdefault(_identity(name, row), row)
    rows = list(found.values())
    if name == "comments":
        rows.sort(key=lambda r: moment(r.get("created_at")) if isinstance(r, dict) else 0.0)
    return rows


def _identity(name: str, row: Any) -> str:
    if not isinstance(row, dict):
        return canonical(row)
    if name == "dependencies":
        return canonical([row.get("depends_on_id"), row.get("type")])
    if name == "comments" and not isinstance(row.get("id"), str):
        # Old comments were numbered on each machine: their numbers identify nothing.
        return canonical([row.get("author"), row.get("text"), row.get("created_at")])
    return canonical(row.get("id")) if name == "comments" else canonical(row)
