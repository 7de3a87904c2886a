"""The types of problems: their page, their meaning, and what to do about them."""

from __future__ import annotations

from satchel.core.values import NamedTuple

#: The address of the pages, one per kind.
PROBLEMS = "/api/problems"


class ProblemType(NamedTuple):
    """A type of problem: its name in the page's address, its meaning and the next step."""

    name: str
    status: int
    meaning: str
    next_step: str


#: Status and name -> the meaning and the next step.
_TOLD = {
    (400, "invalid-request"): (
        "The request cannot be understood, or asks for something that does not exist.",
        "`detail` says what is wrong, `hint` how to fix it.",
    ),
    (401, "unauthorized"): (
        "The request has no token, or an invalid one.",
        "Send `Authorization: Bearer TOKEN`; `satchel serve token` prints the owner's.",
    ),
    (403, "forbidden"): (
        "Your role does not allow it, or the request came from another site.",
        "Ask whoever runs the server for the role, or send no foreign `Origin`.",
    ),
    (404, "not-found"): (
        "Nothing here has this id, name or path.",
        "List what is there first; a deleted memory can be restored.",
    ),
    (405, "method-not-allowed"): (
        "The path exists, but does not support this method.",
        "The `Allow` header and /api/docs list the methods of each path.",
    ),
    (408, "too-slow"): ("The body of the request took too long to arrive.", "Send it again."),
    (409, "conflict"): (
        (
            "It conflicts with the current state: it was decided already, an id could be several "
            "things, or an `Idempotency-Key` was used for another request."
        ),
        "Read it again; give more of the id; make a new key.",
    ),
    (412, "changed-meanwhile"): (
        "It has changed since you read it: `If-Match` does not match.",
        "Read it again, apply your change to what it says now, and send the new `ETag`.",
    ),
    (413, "too-large"): (
        "The body of the request is larger than the server accepts.",
        "Send less: a body may have 2 MiB.",
    ),
    (421, "wrong-host"): (
        "The server does not accept the name in `Host`.",
        "Use the address that `satchel serve` prints, or `--behind-proxy NAME`.",
    ),
    (422, "invalid-fields"): (
        "Fields of the request are missing or have the wrong type.",
        (
            "`errors` names each: `pointer` leads to a field of the body (RFC 6901), `parameter` "
            "names one of the path, query or headers."
        ),
    ),
    (429, "too-many-requests"): (
        "One user sent more requests than the server allows.",
        "Wait for the number of seconds in `Retry-After`.",
    ),
    (500, "server-error"): (
        "Something went wrong in Satchel itself.",
        "`satchel doctor` may know more; please report it.",
    ),
    (502, "model-unavailable"): (
        "A configured model did not answer.",
        "Check its address and key, or try again.",
    ),
    (503, "busy"): (
        "The server, a lock or the team's database has no room for it just now.",
        "Try again after the number of seconds in `Retry-After`.",
    ),
    (507, "storage"): (
        "A file cannot be read or written, or the disk is full.",
        "`satchel doctor` says which file.",
    ),
}
_ALL = tuple(ProblemType(name, status, *told) for (status, name), told in _TOLD.items())
BY_NAME = {one.name: one for one in _ALL}
BY_STATUS = {one.status: one for one in _ALL}


def problem_uri(status: int) -> str:
    """Return the address of the page for a status; `about:blank` if there is none."""
    known = BY_STATUS.get(status)
    return f"{PROBLEMS}/{known.name}" if known else "about:blank"
