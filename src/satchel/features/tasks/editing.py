"""Edits of one issue as changed fields, touching nothing else. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satchel.core.errors import BadInputError, ConflictError
from satchel.core.ids import as_uuid, new_ulid
from satchel.core.quick_json import loads
from satchel.core.shapes import list_of
from satchel.core.values import Any
from satchel.features.tasks.dialects import (
    FOUNDATION_STATUSES,
    encode_status,
    format_time,
    moment,
    status_of,
    text,
)
from satchel.features.tasks.merging import merged, overruled
from satchel.features.tasks.values import (
    BLOCKED,
    BLOCKS,
    CLOSED,
    IN_PROGRESS,
    LEAST_PRIORITY,
    LONGEST_KIND,
    OPEN,
    PARENT,
    TOMBSTONE,
    TYPES,
)

Data = dict[str, Any]


LONGEST_TITLE = 500


def priority_from(given: str | int) -> int:
    """Parse a priority: 0 to 4, or P0 to P4."""
    word = str(given).strip().upper().removeprefix("P")
    if len(word) == 1 and "0" <= word <= str(LEAST_PRIORITY):
        return int(word)
    raise BadInputError(
        f"{str(given)[:20]!r} is not a priority.", hint="It is 0 (critical) to 4 (backlog)."
    )


def checked_title(given: str) -> str:
    """Return a title on one line. Raises if it is empty or too long."""
    title = " ".join(given.split())
    if not title:
        raise BadInputError("A task needs a title.", hint="`satchel tasks create TITLE`.")
    if len(title) > LONGEST_TITLE:
        raise BadInputError(
            f"The title has {len(title)} characters; it may have {LONGEST_TITLE}.",
            hint="Put the rest into --description.",
        )
    return title


def checked_word(given: str, what: str) -> str:
    """Return a label, state, type or kind as one short word."""
    word = given.strip()
    if not word or len(word) > LONGEST_KIND or any(c in word for c in ",\n\r\t\0"):
        raise BadInputError(
            f"{given[:60]!r} is not a valid {what}.",
            hint=f"One word of at most {LONGEST_KIND} characters, without commas.",
        )
    return word


def new_issue(fields: Mapping[str, Any], *, ident: str, actor: str, now: float) -> Data:
    """Build a beads line for a new issue; `fields` are already validated."""
    when = format_time(now)
    kept = {name: value for name, value in fields.items() if value not in (None, "", [], {})}
    kind = checked_word(str(kept.pop("issue_type", TYPES[0])), "type")
    head = {
        "_type": "issue",
        "id": ident,
        "title": checked_title(str(kept.pop("title", ""))),
        "status": kept.pop("status", OPEN),
        "priority": priority_from(kept.pop("priority", 2)),
        "issue_type": kind,
    }
    times = {"created_at": when, "created_by": actor, "updated_at": when}
    return {**head, **kept, **{name: value for name, value in times.items() if value}}


def edited(data: Data, changes: Mapping[str, Any], now: float) -> Data:
    """Return an issue with some fields changed; None removes a field."""
    result = {**data}
    for name, value in changes.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = value
    if "comments" in changes and "comment_count" in result:
        result["comment_count"] = len(result["comments"])
    if "dependencies" in changes and "dependency_count" in result:
        rows = result.get("dependencies") or ()
        # bd counts blocking dependencies, and nothing else.
        kinds = [row.get("type") for row in rows if isinstance(row, dict)]
        result["dependency_count"] = kinds.count(BLOCKS)
    return touched(result, now)


def touched(data: Data, now: float) -> Data:
    """Return an issue with a newer change time, whatever the clock says."""
    result = dict(data)
    before = moment(result.get("updated_at") or result.get("created_at"))
    result["updated_at"] = format_time(max(now, before + 0.000_001) if before else now)
    # A hash of the earlier fields would be wrong.
    result.pop("content_hash", None)
    return result


def settled(versions: Sequence[Data], now: float) -> Data:
    """Merge an issue's lines; overruled values are kept in a comment."""
    if len(versions) == 1:
        return dict(versions[0])
    result, lost = merged(versions), overruled(versions)
    if lost:
        told = "\n".join(f"{name}: {value}" for name, value in lost)
        return commented(result, f"Merged from two versions; the other had\n{told}", "satchel", now)
    return touched(result, now)


def moved(data: Data, status: str, now: float) -> Data:
    """Set an issue's state and the related times."""
    word = FOUNDATION_STATUSES.get(status, status)
    checked_word(word, "state")
    if word == TOMBSTONE:
        raise BadInputError(
            "A task cannot be moved to that state.", hint="`satchel tasks delete` does that."
        )
    changes: Data = {"status": encode_status(data, word)}
    metadata = data.get("metadata")
    if isinstance(metadata, dict) and "lifecycle" in metadata:
        rest = {name: value for name, value in metadata.items() if name != "lifecycle"}
        changes["metadata"] = rest or None
    if status == "archived":
        if "metadata" in data and not isinstance(metadata, dict):
            raise ConflictError(
                "The task's metadata is not an object.",
                hint="It cannot hold what an archive needs.",
            )
        changes["metadata"] = {**(metadata or {}), "lifecycle": "archived"}
    if word == CLOSED:
        changes["closed_at"] = data.get("closed_at") or format_time(now)
    elif status_of(data) == CLOSED or "closed_at" in data:
        changes |= {"closed_at": None, "close_reason": None, "closed_by_session": None}
        changes |= {"summary": None} if "summary" in data else {}
    if word == IN_PROGRESS and not data.get("started_at"):
        changes["started_at"] = format_time(now)
    return edited(data, changes, now)


def closed(data: Data, reason: str, session: str, now: float) -> Data:
    """Close an issue with a reason as its summary. A closed one keeps its time."""
    result = moved(data, CLOSED, now)
    if reason or "close_reason" not in result:
        result["close_reason"] = reason or "Closed"
    if "summary" in data or "blocked_by" in data:
        result["summary"] = reason
    if session:
        result["closed_by_session"] = session
    return result


def reopened(data: Data, reason: str, actor: str, now: float) -> Data:
    """Reopen an issue, keeping its close reason as a comment."""
    if status_of(data) != CLOSED:
        raise ConflictError(
            f"{data['id']} is {status_of(data)}, not closed.", hint="There is nothing to reopen."
        )
    before = text(data, "close_reason", "summary")
    told = [f"Reopened: {reason}" if reason else "Reopened."]
    told += [f"It had been closed with: {before}"] if before else []
    result = moved(data, OPEN, now)
    return commented(result, "\n".join(told), actor, now) if reason or before else result


def claimed(data: Data, actor: str, now: float, *, again: bool) -> Data:
    """Assign an issue to someone who starts working on it.

    `again`: its assignee may claim it again, which changes nothing.

    Raises `ConflictError` if somebody else has it, or it is done.
    """
    status, holder = status_of(data), text(data, "assignee", "assigned_to")
    if status == CLOSED:
        raise ConflictError(f"{data['id']} is closed.", hint="`satchel tasks reopen` opens it.")
    if holder == actor and status == IN_PROGRESS and again:
        return data
    if status == IN_PROGRESS or (holder and holder != actor):
        raise ConflictError(
            f"{data['id']} is already claimed by {holder or 'somebody'}.",
            hint="`satchel tasks ready` shows what nobody has.",
        )
    if status in (BLOCKED, "pinned"):
        raise ConflictError(f"{data['id']} is {status}.", hint="`satchel tasks show` says why.")
    name = "assigned_to" if "assigned_to" in data else "assignee"
    return edited(moved(data, IN_PROGRESS, now), {name: actor}, now)


def commented(data: Data, said: str, author: str, now: float, *, request: str = "") -> Data:
    """Add a comment, unless one of the same `request` exists."""
    if not said.strip():
        raise BadInputError("The comment is empty.", hint="Give its text in quotes.")
    rows = data.get("comments")
    ident = as_uuid(request or new_ulid(int(now * 1000)))
    if request and any(isinstance(one, dict) and one.get("id") == ident for one in list_of(rows)):
        return data
    comment = {
        "id": ident,
        "issue_id": data["id"],
        "author": author,
        "text": said,
        "created_at": format_time(now),
    }
    return edited(data, {"comments": [*list_of(rows), comment]}, now)


def labelled(data: Data, add: Sequence[str], remove: Sequence[str], now: float) -> Data:
    """Add and remove labels. No-ops change nothing."""
    rows = data.get("labels")
    before = list(rows) if isinstance(rows, list) else []
    after = [one for one in before if one not in remove]
    after += [
        one for one in dict.fromkeys(checked_word(a, "label") for a in add) if one not in after
    ]
    return data if after == before else edited(data, {"labels": after or None}, now)


def linked(
    data: Data, target: str, kind: str, actor: str, now: float, *, metadata: str = ""
) -> Data:
    """Add a dependency, keeping an existing one of the same kind and target."""
    rows = data.get("dependencies")
    before = list(rows) if isinstance(rows, list) else []
    if any(
        isinstance(r, dict) and (r.get("depends_on_id"), r.get("type")) == (target, kind)
        for r in before
    ):
        return data
    row = {
        "issue_id": data["id"],
        "depends_on_id": target,
        "type": kind,
        "created_at": format_time(now),
        "created_by": actor,
        "metadata": metadata,
    }
    row = {name: value for name, value in row.items() if value}
    changes: Data = {"dependencies": [*before, row]}
    if kind == PARENT and "parent" in data:
        changes["parent"] = target
    return edited(data, changes, now)


def unlinked(data: Data, target: str, kind: str, now: float) -> Data:
    """Remove dependencies on an issue: of one kind, or all for ""."""
    changes: Data = {}
    rows = data.get("dependencies")
    if isinstance(rows, list):
        kept = [
            row
            for row in rows
            if not (
                isinstance(row, dict)
                and row.get("depends_on_id") == target
                and kind in ("", row.get("type"))
            )
        ]
        if kept != rows:
            changes["dependencies"] = kept or None
    for name, of in (("blocked_by", "blocks"), ("blocks", "")):
        ids = data.get(name)
        if isinstance(ids, list) and target in ids and of and kind in ("", of):
            changes[name] = [one for one in ids if one != target]
    for name in ("parent", "parent_id"):
        if data.get(name) == target and kind in ("", PARENT):
            changes[name] = None
    return edited(data, changes, now) if changes else data


def tombstoned(data: Data, reason: str, actor: str, now: float) -> Data:
    """Delete an issue, leaving a tombstone so that no merge or import restores it."""
    grave = {
        "status": TOMBSTONE,
        "deleted_at": format_time(now),
        "deleted_by": actor or None,
        "delete_reason": reason or None,
        "original_type": data.get("issue_type"),
        "dependencies": None,
    }
    return edited(data, grave, now)


def with_metadata(data: Data, put: Mapping[str, str], take: Sequence[str], now: float) -> Data:
    """Set and remove metadata keys; values that are JSON are parsed."""
    before = data.get("metadata", {})
    if not isinstance(before, dict):
        raise ConflictError("The task's metadata is not an object.", hint="It is left as it is.")
    after = {name: value for name, value in before.items() if name not in take}
    for name, value in put.items():
        try:
            after[name] = loads(value)
        except ValueError:
            after[name] = value
    return edited(data, {"metadata": after or None}, now)
