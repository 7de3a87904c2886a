"""Placeholders for imports: comments in each dialect's syntax. Pure."""

from __future__ import annotations

from satchel.core.trust import clean_line
from satchel.features.instructions.scanning import GEMINI, GEMINI_FLAT
from satchel.storage.safe_open import MISSING

_LONGEST = 300
_AROUND = ("<!-- Imported from:", "<!-- End of import:", "<!-- End of import from:")


def named(path: str) -> str:
    """Return a path for a comment: on one line, and unable to close the comment."""
    return clean_line(path)[:_LONGEST].replace("<", "(").replace(">", ")")


def opening_note(path: str) -> str:
    """Return the comment before an imported text."""
    return f"<!-- Imported from: {named(path)} -->"


def closing_note(path: str, dialect: str) -> str:
    """Return the comment after it."""
    of = "import from" if dialect in (GEMINI, GEMINI_FLAT) else "import"
    return f"<!-- End of {of}: {named(path)} -->"


def without_import_notes(text: str) -> str:
    """Remove the comments around imports, for clients that do not need them."""
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(_AROUND))


def circle_note(path: str, dialect: str) -> str:
    """Return the placeholder for a circular import."""
    if dialect in (GEMINI, GEMINI_FLAT):
        return f"<!-- File already processed: {named(path)} -->"
    return f"<!-- Circular import detected: {named(path)} -->"


def shown_note(path: str) -> str:
    """Return the placeholder for a file already in the context."""
    return f"<!-- Already shown: {named(path)} -->"


def depth_note(path: str) -> str:
    """Return the placeholder for a file beyond the depth limit."""
    return f"<!-- Import depth exceeded for {named(path)} -->"


def refusal_note(path: str, dialect: str, what: str, told: str) -> str:
    """Return the placeholder for a file that is missing or may not be read."""
    if dialect in (GEMINI, GEMINI_FLAT):
        if what == MISSING:
            told = "File not found"
        elif what == "elsewhere":
            told = "Path traversal attempt"
        return f"<!-- Import failed: {named(path)} - {named(told)} -->"
    if what == MISSING:
        return f"<!-- Import not found: {named(path)} -->"
    return f"<!-- Import rejected: {named(path)}: {named(told)} -->"
