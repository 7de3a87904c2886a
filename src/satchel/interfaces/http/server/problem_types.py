"""The types of problems: their page, their meaning, and what to do about them."""

from __future__ import annotations

from satchel.core.values import NamedTuple

#: Where the pages are, one for each kind.
PROBLEMS = "/api/problems"


class ProblemType(NamedTuple):
    """A type of problem: its name in the page's address, its meaning and the next step."""

    name: str
    status: int
    meaning: str
    next_step: str


_ALL = (
    ProblemType(
        "invalid-request",
        400,
        "The request cannot be understood, or asks for something that does not exist.",
        "`detail` says what is wrong, `hint` how to fix it.",
    ),
    ProblemType(
        "unauthorized",
        401,
        "The request has no token, or an invalid one.",
        "Send `Authorization: Bearer TOKEN`; `satchel serve token` prints the owner's.",
    ),
    ProblemType(
        "forbidden",
        403,
        "Your role does not allow it, or the request came from another site.",
        "Ask whoever runs the server for the role, or send no foreign `Origin`.",
    ),
    ProblemType(
        "not-found",
        404,
        "Nothing here has this id, name or path.",
        "List what is there first; a deleted memory can be restored.",
    ),
    ProblemType(
        "method-not-allowed",
        405,
        "The path exists, but does not support this method.",
        "The `Allow` header and /api/docs list the methods of each path.",
    ),
    ProblemType(
        "too-slow", 408, "The body of the request took too long to arrive.", "Send it again."
    ),
    ProblemType(
        "conflict",
        409,
        "It conflicts with the current state: it was decided already, an id could be several "
        "things, or an `Idempotency-Key` was used for another request.",
        "Read it again; give more of the id; make a new key.",
    ),
    ProblemType(
        "changed-meanwhile",
        412,
        "It has changed since you read it: `If-Match` does not match.",
        "Read it again, apply your change to what it says now, and send the new `ETag`.",
    ),
    ProblemType(
        "too-large",
        413,
        "The body of the request is larger than the server accepts.",
        "Send less: a body may have 2 MiB.",
    ),
    ProblemType(
        "wrong-host",
        421,
        "The server does not accept the name in `Host`.",
        "Use the address that `satchel serve` prints, or `--behind-proxy NAME`.",
    ),
    ProblemType(
        "invalid-fields",
        422,
        "Fields of the request are missing or have the wrong type.",
        "`errors` names each: `pointer` leads to a field of the body (RFC 6901), `parameter` "
        "names one of the path, query or headers.",
    ),
    ProblemType(
        "too-many-requests",
        429,
        "One user sent more requests than the server allows.",
        "Wait for the number of seconds in `Retry-After`.",
    ),
    ProblemType(
        "server-error",
        500,
        "Something went wrong in Satchel itself.",
        "`satchel doctor` may know more; please report it.",
    ),
    ProblemType(
        "model-unavailable",
        502,
        "A configured model did not answer.",
        "Check its address and key, or try again.",
    ),
    ProblemType(
        "busy",
        503,
        "The server, a lock or the team's database has no room for it just now.",
        "Try again after the number of seconds in `Retry-After`.",
    ),
    ProblemType(
        "storage",
        507,
        "A file cannot be read or written, or the disk is full.",
        "`satchel doctor` says which file.",
    ),
)
BY_NAME = {one.name: one for one in _ALL}
BY_STATUS = {one.status: one for one in _ALL}


def problem_uri(status: int) -> str:
    """Return the address of the page for a status; `about:blank` if there is none."""
    known = BY_STATUS.get(status)
    return f"{PROBLEMS}/{known.name}" if known else "about:blank"
