"""A client's own state, such as trusted folders. Read-only."""

from typing import Any

from satchel.clients.settings_files.jsonc import Document
from satchel.clients.settings_files.plan import read_or_none
from satchel.clients.settings_files.toml_text import parse_toml
from satchel.core.errors import SatchelError


def kept_in(path: str) -> dict[str, Any]:
    """Return a file's object, JSON or TOML; {} if unreadable."""
    try:
        raw = read_or_none(path) or b""
        value = parse_toml(raw, path) if path.endswith(".toml") else Document(raw, path).root.value
    except (OSError, SatchelError):
        return {}
    return value if isinstance(value, dict) else {}


def member_in(path: str, *names: str) -> Any:
    """Return a nested member of such an object, or None."""
    value: Any = kept_in(path)
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value
