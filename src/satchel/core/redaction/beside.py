"""Judges a letters-only password in JSON or YAML by its neighbors.

`"password": "required"` is a message, and `"password": "Kennwort"` a label. With a user beside it,
or under a key that names a system (`smtpPassword`), it is a real password.
"""

from __future__ import annotations

from satchel.core.redaction.values import STATES, name_words, names_password, says_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_USERS = ("user", "username", "user_name", "login", "uid", "email", "db_user", "account")
_SYSTEMS = frozenset(
    (
        *("db", "database", "mysql", "mariadb", "postgres", "postgresql", "mongo", "redis", "sql"),
        *("smtp", "imap", "mail", "ftp", "sftp", "ssh", "ldap", "wifi", "wlan", "vpn", "proxy"),
        *("root", "admin", "master", "keystore", "truststore", "rabbitmq", "registry", "jdbc"),
    )
)
_SHORTEST = 6
#: How many characters before and after a value to search for its object's other keys.
_AROUND = 300


def is_told(name: str, value: str, users: Iterable[str]) -> bool:
    """Return whether letters under a password key are a password.

    Args:
        name: the key.
        value: its value.
        users: the user named in the same object.
    """
    if len(value) < _SHORTEST or not value.isalpha() or says_state(value):
        return False
    # `mypassword` is a placeholder in manuals.
    if not names_password(name) or names_password(value):
        return False
    if not _SYSTEMS.isdisjoint(name_words(name)[:-1]):
        return True
    return any(user and user != value and user.lower() not in STATES for user in users)


def is_user(name: str) -> bool:
    """Say whether a key names a user."""
    return name.lower() in _USERS


def users_beside(text: str, start: int, end: int) -> list[str]:
    """Return the users in the lines of YAML before and after a line with a password."""
    above, _, indent = text[max(0, start - _AROUND) : start].rpartition("\n")
    rest, _, below = text[end : end + _AROUND].partition("\n")
    if indent.strip() or rest.strip():
        return []  # not a line of its own
    before, after = above.rpartition("\n")[2], below.partition("\n")[0]
    pairs = [one[len(indent) :].partition(":") for one in (before, after) if one.startswith(indent)]
    return [user.strip(" \"'") for name, _, user in pairs if is_user(name)]


def users_around(text: str, start: int, end: int) -> list[str]:
    """Return the user named in the JSON object around part of a text."""
    first = text.rfind("{", max(0, start - _AROUND), start) + 1 or max(0, start - _AROUND)
    last = text.find("}", end, end + _AROUND)
    parts = text[first : last if last >= 0 else end + _AROUND].replace("\\", "").split('"')
    # Every second part was quoted: a key, or the value after a colon.
    return [
        parts[i + 2]
        for i in range(1, len(parts) - 2, 2)
        if is_user(parts[i]) and parts[i + 1].strip() == ":"
    ]
