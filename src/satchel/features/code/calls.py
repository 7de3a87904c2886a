"""Where a file uses which names, for callers and callees; computed on demand."""

from __future__ import annotations

from satchel.features.code.components import holds_scripts, script_of
from satchel.features.code.grammars import NotParsedError, grammar_of
from satchel.features.code.languages import LANGUAGES, language_of
from satchel.features.code.line_scanner import calls_of


def calls_in(path: str, data: bytes) -> list[tuple[str, int, str]]:
    """Return every use of a name in a file: name, line, kind (call, use, member)."""
    first = data[:200].split(b"\n", 1)[0].decode("utf-8", "replace")
    language = language_of(path, first)
    if holds_scripts(language):
        language, data = "typescript", script_of(data)
    if language not in LANGUAGES:
        return []
    if not LANGUAGES[language].rules:
        return calls_of(data.decode("utf-8", "replace"))
    try:
        return grammar_of(language).calls(data)
    except NotParsedError:
        return calls_of(data.decode("utf-8", "replace"))
