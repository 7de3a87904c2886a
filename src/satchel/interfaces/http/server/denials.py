"""What the gate in front of every route answers in place of a route."""

from __future__ import annotations

from satchel.features.access.limits import BODY_SECONDS, MOST_BODY
from satchel.features.access.users import Identity


class Denied(Exception):  # noqa: N818 -- an answer, not an error
    """A response sent instead of the requested one."""

    def __init__(self, status: int, title: str, detail: str = "", **headers: str) -> None:
        super().__init__(title)
        self.status, self.title, self.detail, self.headers = status, title, detail, headers


TOO_LARGE = Denied(413, "Content Too Large", f"At most {MOST_BODY:,} bytes.")
UNKNOWN_USERS = Denied(
    503, "Service Unavailable", "The server's users cannot be read now.", **{"retry-after": "1"}
)
TOO_MANY = Denied(
    503, "Service Unavailable", "Too many requests at the same time.", **{"retry-after": "1"}
)
_UNKNOWN = "Send the token: `Authorization: Bearer …`."
NO_TOKEN = Denied(401, "Unauthorized", _UNKNOWN, **{"www-authenticate": "Bearer"})
TOO_SLOW = Denied(408, "Request Timeout", f"A body has {BODY_SECONDS:.0f} seconds.")


def for_people(denied: Denied, identity: Identity | None) -> tuple[str, str]:
    """Return the error page with the next step, for people in a browser."""
    wait = denied.headers.get("retry-after", "")
    if wait:
        return denied.detail or "Too many requests at once.", f"Try again in {wait} seconds."
    if denied.status == 403 and identity:  # noqa: PLR2004
        return (
            f"{denied.detail} You are signed in as {identity.user}.",
            "The server's operator grants roles: `satchel serve user add NAME --role ROLE`.",
        )
    return denied.detail, ""
