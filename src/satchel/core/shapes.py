"""Values of JSON where an object or a list is expected, whatever somebody wrote there."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def dict_of(value: Any) -> dict[str, Any]:
    """Return a value if it is an object, or an empty one."""
    return value if isinstance(value, dict) else {}


def list_of(value: Any) -> list[Any]:
    """Return a value if it is a list, or an empty one."""
    return value if isinstance(value, list) else []
