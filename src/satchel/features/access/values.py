"""Users and their permissions. Values."""

from __future__ import annotations

from satchel.core.values import NamedTuple

READER, WRITER, ADMIN = "reader", "writer", "admin"
#: Each may what those before it may.
ROLES = (READER, WRITER, ADMIN)
#: Every project.
ANY = "*"
#: The person whose machine it is, by the token of the installation.
OWNER = "owner"


class Identity(NamedTuple):
    """The user of a request: a role per project (`*` for all), and the token used."""

    user: str
    roles: tuple[tuple[str, str], ...]
    token: str = ""

    @property
    def author(self) -> str:
        """Return the author name for what they write; "" for the owner, whom git knows."""
        return "" if self.user == OWNER else self.user

    def role_in(self, *projects: str) -> str:
        """Return the highest role in a project with these names, or ""."""
        held = [role for project, role in self.roles if project in (ANY, *projects)]
        return max(held, key=ROLES.index, default="")

    def may(self, role: str, *projects: str) -> bool:
        """Return whether this user has at least this role there."""
        held = self.role_in(*projects)
        return bool(held) and ROLES.index(held) >= ROLES.index(role)


class Token(NamedTuple):
    """A token without its secret; `mark` is the hash prefix that identifies it."""

    mark: str
    user: str
    created: int
    revoked: bool
