"""Svelte and Vue files: their scripts, and the component that the file defines."""

from __future__ import annotations

import os
import re

from satchel.features.code.values import Symbol

_SCRIPT = re.compile(rb"<script\b[^>]*>(.*?)</script\s*>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<([A-Z][A-Za-z0-9_.]*)")
_MARKUP = frozenset({"svelte", "vue"})


def holds_scripts(language: str) -> bool:
    """Return whether a language embeds scripts in markup."""
    return language in _MARKUP


def script_of(data: bytes) -> bytes:
    """Return a file's scripts with everything else blanked, keeping line numbers."""
    kept = bytearray(re.sub(rb"[^\n]", b" ", data))
    for match in _SCRIPT.finditer(data):
        kept[match.start(1) : match.end(1)] = match.group(1)
    return bytes(kept)


def tags_of(text: str) -> list[str]:
    """Return the components that the markup uses, by name."""
    return _TAG.findall(text)


def component_of(path: str, lines: int) -> Symbol:
    """Return the file's component, named after it, or after its directory for `index`."""
    name = os.path.splitext(os.path.basename(path))[0]
    if name in ("index", "Index"):
        name = os.path.basename(os.path.dirname(path)) or name
    return Symbol(name, "component", 1, max(1, lines), f"<{name} />")


def with_components(symbols: list[Symbol], language: str, text: str) -> list[Symbol]:
    """Mark functions in JSX files that are written like components as such."""
    if language not in ("tsx", "javascript") or not ("/>" in text or "</" in text):
        return symbols
    return [
        symbol._replace(kind="component") if not symbol.parent and _is_component(symbol) else symbol
        for symbol in symbols
    ]


def _is_component(symbol: Symbol) -> bool:
    name = symbol.name
    if symbol.kind == "class":
        return "Component" in symbol.signature
    return symbol.kind == "function" and name[:1].isupper() and not name.isupper()
