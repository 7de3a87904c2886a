"""A second search for secrets, off the hot path, with the rules of `betterleaks` if installed.

It knows some services that our own table does not; ours knows values after names, which it mostly
does not. Optional: without the package this does nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SHORTEST = 8


def second_pass(text: str) -> tuple[str, tuple[str, ...]]:
    """Return `text` without what betterleaks finds, and the names of the rules that matched."""
    from satchel.core.redaction.scanning import MARK

    engine = _engine()
    if engine is None or not text:
        return text, ()
    found: dict[str, str] = {}
    for finding in engine.scan_string(text):
        if len(finding.secret) >= _SHORTEST and MARK not in finding.secret:
            found.setdefault(finding.secret, finding.rule_id)
    kinds: dict[str, None] = {}
    # Longest first: one secret may be part of another.
    for secret in sorted(found, key=len, reverse=True):
        if secret in text:
            text = text.replace(secret, f"{MARK}{found[secret]}]")
            kinds[found[secret]] = None
    return text, tuple(kinds)


def _engine() -> Any:
    import importlib

    try:
        return importlib.import_module("betterleaks")
    except (ImportError, OSError):
        # Not installed, or its library does not load on this platform.
        return None
