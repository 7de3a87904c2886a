"""Users, as lines of a private ledger, so that past access stays on record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from satchel.core.errors import BadInputError, ConflictError, NotFoundError
from satchel.core.values import NamedTuple
from satchel.features.access.secrets import equal_in_constant_time, hash_of, new_token
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.project.server import ServerStore
    from satchel.project.server_ledgers import ServerLedger

READER, WRITER, ADMIN = "reader", "writer", "admin"
#: Each role includes the ones before it.
ROLES = (READER, WRITER, ADMIN)
#: Every project.
ANY = "*"
#: The machine's owner, identified by the installation's token.
OWNER = "owner"


class Identity(NamedTuple):
    """The user of a request: a role per project (`*` for all), and the token used."""

    user: str
    roles: tuple[tuple[str, str], ...]
    token: str = ""

    @property
    def author(self) -> str:
        """Return the author name for their writing; "" for the owner, whom git knows."""
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


#: The kind of their lines.
KIND = "access"
_MARK = 12
_LONGEST_NAME = 64
#: How long a server caches users from a database, seconds: a token revoked on one machine is
#: refused on the others after that.
HELD_SECONDS = 1.0


class _User(NamedTuple):
    roles: dict[str, str]
    tokens: dict[str, tuple[int, bool]]


class UserStore:
    """Users, their roles and the hashes of their tokens."""

    def __init__(self, ledger: ServerLedger) -> None:
        self.ledger = ledger
        #: The last result, with the ledger's stamp at that time.
        self._known: tuple[object, dict[str, _User]] = (self, {})

    def users(self) -> dict[str, Identity]:
        """Return every user with their roles."""
        return {
            name: Identity(name, tuple(sorted(user.roles.items())))
            for name, user in self._read().items()
        }

    def tokens(self) -> list[Token]:
        """Return every token, without its secret."""
        return [
            Token(mark[:_MARK], name, created, revoked)
            for name, user in self._read().items()
            for mark, (created, revoked) in user.tokens.items()
        ]

    def with_hash(self, wanted: str) -> Identity | None:
        """Return the user of the token with this hash, unless it was revoked."""
        # An unknown token may have just been created on another machine.
        known = self._read(HELD_SECONDS)
        return _with_hash(known, wanted) or _with_hash(self._read(), wanted)

    def add(self, name: str, role: str, project: str) -> None:
        """Add a user, or give them a role in a project; "" removes it."""
        if not name or len(name) > _LONGEST_NAME or not name.isprintable() or name == "owner":
            raise BadInputError(f"{name[:40]!r} is not a name for a user.", hint="Use letters.")
        if role and role not in ROLES:
            raise BadInputError(f"There is no role {role!r}.", hint=f"Roles: {', '.join(ROLES)}.")
        self._write("role", name, role=role, project=project)

    def remove(self, name: str, project: str = "") -> tuple[Identity, int]:
        """Remove a user's role in a project, or all roles and tokens.

        Returns the user with the remaining roles, and how many tokens still work.
        """
        user = self._held(name)
        if project and project not in user.roles:
            raise NotFoundError(
                f"{name!r} has no role in {project!r} of its own.",
                hint="`satchel serve user list`.",
            )
        for one in [project] if project else list(user.roles):
            self._write("role", name, role="", project=one)
        if not project:
            for mark, (_, revoked) in user.tokens.items():
                if not revoked:
                    self._write("revoke", name, mark=mark)
        left = self._held(name)
        live = sum(not revoked for _, revoked in left.tokens.values())
        return Identity(name, tuple(sorted(left.roles.items()))), live

    def issue(self, name: str) -> str:
        """Create a token for a user; it is shown only once."""
        if name not in self._read():
            raise NotFoundError(f"There is no user {name!r}.", hint="`satchel serve user add`.")
        token = new_token()
        self._write("token", name, mark=hash_of(token))
        return token

    def rotate(self, name: str) -> str:
        """Create a token for a user and revoke the earlier ones."""
        before = [mark for mark, (_, revoked) in self._held(name).tokens.items() if not revoked]
        token = self.issue(name)
        for mark in before:
            self._write("revoke", name, mark=mark)
        return token

    def revoke(self, given: str) -> Token:
        """Revoke a token by its hash prefix, or all of a user's."""
        found = [
            (name, mark, created)
            for name, user in self._read().items()
            for mark, (created, revoked) in user.tokens.items()
            if not revoked and given and (mark.startswith(given) or name == given)
        ]
        if not found:
            raise NotFoundError(f"There is no token {given[:40]!r}.", hint="`serve user list`.")
        if len({name for name, _, _ in found}) > 1:
            raise ConflictError(f"{given!r} matches tokens of several users.", hint="Give more.")
        for name, mark, _ in found:
            self._write("revoke", name, mark=mark)
        name, mark, created = found[0]
        return Token(mark[:_MARK], name, created, revoked=True)

    def _held(self, name: str) -> _User:
        users = self._read()
        if name not in users:
            raise NotFoundError(f"There is no user {name!r}.", hint="`satchel serve user add`.")
        return users[name]

    def _write(self, op: str, user: str, **data: Any) -> None:
        self.ledger.append(
            [Record(kind=KIND, source="owner", data={"op": op, "user": user, **data})]
        )

    def _read(self, within: float = 0.0) -> dict[str, _User]:
        stamp = self.ledger.stamp(within)
        known = self._known
        if stamp != known[0]:
            self._known = known = (stamp, _users(records_of(self.ledger)))
        return known[1]


def records_of(ledger: ServerLedger) -> Iterator[Record]:
    """Return the users in a ledger. A hand-edited line gives nobody access."""
    for line in ledger.read():
        record = line.record
        if record is not None and record.kind == KIND and record.data and not record.edited:
            yield record


def take_over(store: ServerStore) -> int:
    """Copy a home's users and tokens into a database without any; return how many lines."""
    given = list(records_of(store.home_ledger("access")))
    if store.database is None or not given:
        return 0
    return len(store.ledger("access").append_after(lambda last: [] if last else given))


def _with_hash(users: dict[str, _User], wanted: str) -> Identity | None:
    found = None
    for name, user in users.items():
        for mark, (_, revoked) in user.tokens.items():
            if equal_in_constant_time(mark, wanted) and not revoked:
                found = Identity(name, tuple(sorted(user.roles.items())), mark[:_MARK])
    return found


def _users(records: Iterator[Record]) -> dict[str, _User]:
    users: dict[str, _User] = {}
    for record in sorted(records, key=lambda one: (one.ts, one.id)):
        data = record.data or {}
        name = str(data.get("user", ""))
        user = users.setdefault(name, _User({}, {}))
        if data.get("op") == "role":
            project, role = str(data.get("project", "")), str(data.get("role", ""))
            user.roles.pop(project, None)
            if role in ROLES:
                user.roles[project] = role
        elif data.get("op") == "token":
            user.tokens[str(data.get("mark", ""))] = (record.ts, False)
        elif data.get("op") == "revoke" and str(data.get("mark", "")) in user.tokens:
            mark = str(data["mark"])
            user.tokens[mark] = (user.tokens[mark][0], True)
    return users
