"""`/api/users`: the users of a team's server, for the person who runs it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Path, Request

from satchel.features.access.users import OWNER, UserStore
from satchel.interfaces.http.rest import views
from satchel.interfaces.http.rest.models import server as models
from satchel.interfaces.http.rest.models.requests import UserBody
from satchel.interfaces.http.rest.problems import ForbiddenError
from satchel.interfaces.http.rest.responses import Asker, asked, described, routes
from satchel.interfaces.http.server.project_pool import served_by
from satchel.interfaces.rendering import cleaned

router = routes("/api/users", "users")


def users_of(request: Request, asker: Asker) -> UserStore:
    """Return the users; only the server's owner may ask."""
    if asker.user != OWNER:
        raise ForbiddenError("Only the person who runs this server can do this.")
    return served_by(request).book


UserName = Annotated[str, Path(description="Name of the user.")]
Users = Annotated[UserStore, Depends(users_of)]


def _user(users: UserStore, name: str) -> dict[str, Any]:
    held = users.users().get(name)
    tokens = [
        views.filled(models.TokenInfo, one, without="created user", created_at=one.created)
        for one in users.tokens()
        if one.user == name
    ]
    roles = dict(held.roles) if held else {}
    return dict(cleaned({"name": name, "roles": roles, "tokens": tokens}))


@router.get("", **described("List users", models.Users))
def list_users(users: Users) -> dict[str, Any]:
    """Users, their roles and their tokens without the secrets."""
    return {"users": [_user(users, name) for name in sorted(users.users())]}


@router.post("", **described("Add a user or give a role", models.User, 400), status_code=201)
def add_user(body: UserBody, users: Users) -> dict[str, Any]:
    """Add a user, or give one another role in a project. Tokens are created separately."""
    users.add(body.name, body.role, body.project)
    return _user(users, body.name)


@router.delete("/{name}", **described("Take roles away", models.User, 400))
def remove_user(
    name: UserName,
    users: Users,
    project: Annotated[str, asked("Only the role there; all, and tokens, without it.", 200)] = "",
) -> dict[str, Any]:
    """Remove a user's roles and revoke their tokens, or remove only the role in one project."""
    users.remove(name, project)
    return _user(users, name)


@router.post("/{name}/token", **described("Make a token", models.IssuedToken, 400), status_code=201)
def issue_token(name: UserName, users: Users) -> dict[str, Any]:
    """Create a token, shown only once; earlier ones stop working."""
    return {"user": cleaned(name), "token": users.rotate(name)}
