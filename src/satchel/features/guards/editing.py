"""Edits of `guards.yaml`: every function takes the file's text and returns a new one. Pure."""

from __future__ import annotations

from satchel.core.errors import BadInputError, ConflictError
from satchel.core.redaction.redactor import redact_value
from satchel.engine.markdown.yaml_entries import read_entries, with_entry
from satchel.features.guards.reading import read_guards
from satchel.features.guards.values import FIELD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def with_guard(text: str, fields: dict[str, Any]) -> str:
    """Return the text with a guard added; unchanged if the same guard exists.

    Args:
        text: of the file; "" for none.
        fields: as the file has them, for example those of a `Draft`. Secrets are taken out.

    Raises `BadInputError` for a guard that is wrong, `ConflictError` where another has its id.
    """
    clean, _ = redact_value(fields)
    alone = read_guards(with_entry(read_entries("", FIELD), clean))
    if alone.problems:
        raise BadInputError(
            f"This is not a guard: {'; '.join(next(iter(alone.problems.values())))}.",
            hint="docs/guards.md shows the fields.",
        )
    (new,) = alone.guards
    shelf = read_guards(text)
    for guard in shelf.guards:
        if guard.digest == new.digest:
            return text
        if guard.id == new.id:
            raise ConflictError(
                f"A guard {new.id} already exists.", hint=f"`satchel guards show {new.id}`."
            )
    return with_entry(shelf.listing, clean)
