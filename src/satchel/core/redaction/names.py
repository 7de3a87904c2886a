"""Names that people give to branches, collections and agents, which end up in files and paths."""

from __future__ import annotations

from satchel.core.errors import BadInputError

#: Fewest letters and digits in a row that are looked at; no token is shorter.
_SHORTEST = 16
_BETWEEN = str.maketrans("-_./", "    ")


def kept_name(name: str) -> str:
    """Return a branch's name as it may be kept: a secret in it is replaced by a mark.

    Redaction is loaded only for a name that has something like a token, since hooks ask, too.
    """
    if not _may_hold_secret(name):
        return name
    from satchel.core.redaction.redactor import redact

    return redact(name)[0]


def refuse_secret(name: str, what: str) -> None:
    """Raise `BadInputError` if a name contains a secret: it would become a file's name."""
    if kept_name(name) != name:
        raise BadInputError(
            f"The name of the {what} contains a secret.", hint="Choose a name without it."
        )


def _may_hold_secret(name: str) -> bool:
    return any(
        len(part) >= _SHORTEST and not part.isalpha() for part in name.translate(_BETWEEN).split()
    )
