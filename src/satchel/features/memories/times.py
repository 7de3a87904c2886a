"""Which times a memory may have."""

from __future__ import annotations

from satchel.core.errors import BadInputError
from satchel.core.values import Any

#: The years 1 to 9999, which every calendar supports.
_FIRST_SECOND, _LAST_SECOND = -62_135_596_800, 253_402_300_799


def check_times(fields: dict[str, Any]) -> None:
    """Reject out-of-range times, and validity that ends before it begins."""
    for name in ("expires_at", "valid_from", "valid_to"):
        value = fields.get(name)
        if value is not None and not _FIRST_SECOND <= value <= _LAST_SECOND:
            raise BadInputError(f"{name} is outside the years 1 to 9999.")
    begin, end = fields.get("valid_from"), fields.get("valid_to")
    if begin is not None and end is not None and end <= begin:
        raise BadInputError("A fact cannot stop holding before it begins to.")
