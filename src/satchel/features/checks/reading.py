"""Parses files of checks, strictly: a misread assertion proves nothing. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from satchel.core.errors import BadInputError
from satchel.core.values import NamedTuple
from satchel.engine.markdown.yaml_entries import Entry, read_entries

#: The field of the file that holds the list.
FIELD = "checks"
QUERY, ANCHORS, CONTRADICTIONS, BRIEF, GUARDS = (
    "query",
    "no_stale_anchors",
    "no_contradictions",
    "brief",
    "guards_pass",
)
PASSED, FAILED, ERROR = "passed", "failed", "error"


class Check(NamedTuple):
    """An assertion: its name, its subject, and its position in the file.

    `contains` must and `lacks` must not be in a query's results, or in a brief. `tier`, `method`
    and `limit` are as for `recall`. `under` is a brief's most tokens, 0 for any number. `kinds` and
    `excepted` narrow which memories are compared with each other.
    """

    name: str
    about: str
    path: str
    line: int
    query: str = ""
    contains: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    tier: str = ""
    method: str = ""
    limit: int = 0
    task: str = ""
    role: str = ""
    under: int = 0
    kinds: tuple[str, ...] = ()
    excepted: tuple[str, ...] = ()


#: The checks of a project without its own.
BUILT_IN = (
    Check("rules do not contradict each other", CONTRADICTIONS, "", 0),
    Check("memories point at code that is there", ANCHORS, "", 0),
    Check("guards pass their own examples", GUARDS, "", 0),
)


class Result(NamedTuple):
    """A check's result: passed, failed or error, with reasons, one a line."""

    check: Check
    outcome: str
    why: tuple[str, ...]
    seconds: float


class Text(NamedTuple):
    """A query result: its text and its names."""

    text: str
    names: tuple[str, ...] = ()


#: A check's subject -> its other fields, and its name.
_FIELDS = {
    QUERY: ("must_return", "must_not_return", "tier", "method", "limit"),
    ANCHORS: (),
    CONTRADICTIONS: ("kinds", "except"),
    BRIEF: ("under", "contains", "lacks", "task", "role"),
    GUARDS: (),
}
_SWITCHES = (ANCHORS, CONTRADICTIONS, GUARDS)
_MOST_LIMIT = 100


def read_checks(text: str, path: str) -> list[Check]:
    """Parse a file. Raises `BadInputError` with the file, the line and the fix."""
    try:
        listing = read_entries(text, FIELD)
    except BadInputError as error:
        raise BadInputError(
            f"{path}: {error}.", hint=error.hint or "docs/checks.md shows the format."
        ) from None
    if listing.strays:
        raise _wrong(path, listing.strays[0], "a check has fields, such as `query:`")
    odd = [name for name in listing.others if name != "version"]
    if odd:
        raise BadInputError(f"{path}: `{odd[0]}` is not a field; put checks under `{FIELD}:`.")
    return [_check(entry, path) for entry in listing.entries]


def named_once(checks: Sequence[Check]) -> None:
    """Raise `BadInputError` if two checks have the same name."""
    seen: dict[str, Check] = {}
    for check in checks:
        other = seen.setdefault(check.name, check)
        if other is not check:
            raise _wrong(
                check.path,
                check.line,
                f"{check.name[:60]!r} is the name of {other.path}, line {other.line} too",
            )


def _check(entry: Entry, path: str) -> Check:
    fields, line = entry.fields, entry.line
    subjects = [name for name in _FIELDS if name in fields]
    if len(subjects) != 1:
        what = " and ".join(subjects) if subjects else "nothing"
        raise _wrong(
            path, line, f"a check is about one of {', '.join(_FIELDS)}, and this is about {what}"
        )
    about = subjects[0]
    allowed = ("name", about, *_FIELDS[about])
    for name in fields:
        if name not in allowed:
            raise _wrong(path, line, _odd_field(name, allowed, about))
    if about in _SWITCHES and fields[about] is not True:
        raise _wrong(path, line, f"`{about}` is `true`, or the check is left out")
    if about == BRIEF and fields[BRIEF] not in (True, "session"):
        raise _wrong(path, line, "`brief` is `session`")
    reader = _Reader(fields, path, line)
    check = Check(
        reader.text("name") or _name(fields, about),
        about,
        path,
        line,
        query=reader.text(QUERY),
        contains=reader.texts("must_return" if about == QUERY else "contains"),
        lacks=reader.texts("must_not_return" if about == QUERY else "lacks"),
        tier=reader.text("tier"),
        method=reader.text("method"),
        limit=reader.number("limit", most=_MOST_LIMIT),
        task=reader.text("task"),
        role=reader.text("role"),
        under=reader.number("under", most=10**6),
        kinds=reader.texts("kinds"),
        excepted=reader.texts("except"),
    )
    if about == QUERY and not check.query.strip():
        raise _wrong(path, line, "`query` is empty")
    if about == QUERY and not (check.contains or check.lacks):
        raise _wrong(path, line, "a query asserts nothing without must_return or must_not_return")
    if about == BRIEF and not (check.under or check.contains or check.lacks):
        raise _wrong(path, line, "a brief asserts nothing without under, contains or lacks")
    return check


class _Reader:
    def __init__(self, fields: dict[str, Any], path: str, line: int) -> None:
        self.fields = fields
        self.path = path
        self.line = line

    def text(self, name: str) -> str:
        value = self.fields.get(name)
        if value is None or (name == BRIEF and value is True):
            return ""
        if not isinstance(value, str):
            raise _wrong(self.path, self.line, f"`{name}` must be a text; put it into quotes")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        value = self.fields.get(name)
        items = value if isinstance(value, list) else [] if value is None else [value]
        if not all(isinstance(item, str) and item.strip() for item in items):
            raise _wrong(
                self.path, self.line, f"`{name}` must be a list of texts, none of them empty"
            )
        return tuple(items)

    def number(self, name: str, *, most: int) -> int:
        value = self.fields.get(name)
        if value is None:
            return 0
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            raise _wrong(
                self.path, self.line, f"`{name}` must be a whole number from 1 to {most:,}"
            )
        return value


def _name(fields: dict[str, Any], about: str) -> str:
    return str(fields[QUERY])[:80] if about == QUERY else about.replace("_", " ")


def _odd_field(name: str, allowed: Sequence[str], about: str) -> str:
    import difflib

    near = difflib.get_close_matches(name, allowed, n=1)
    meant = f"; did you mean `{near[0]}`?" if near else f"; it takes {', '.join(allowed)}"
    return f"`{name[:40]}` is not a field of a check about {about}{meant}"


def _wrong(path: str, line: int, what: str) -> BadInputError:
    end = "" if what.endswith("?") else "."
    return BadInputError(
        f"{path}, line {line}: {what}{end}", hint="docs/checks.md shows the fields."
    )
