"""Critical patterns: required reading for a language or domain.

They come from `patterns/critical-patterns.md`, section by section, and from notes of HIGH
confidence.
"""

from __future__ import annotations

from collections.abc import Iterable

from satchel.core.values import NamedTuple
from satchel.engine.markdown.sections import sections
from satchel.engine.search.tokens import words_of
from satchel.features.notes.values import HIGH, LearningNote

FILE = "critical-patterns.md"
_LONGEST = 500


class CriticalPattern(NamedTuple):
    """A pattern: its name, what to do, and its location."""

    title: str
    insight: str
    source: str
    path: str
    category: str = ""
    language: str = ""
    tags: tuple[str, ...] = ()


def is_required_reading(path: str) -> bool:
    """Return whether a path is the file of critical patterns."""
    return path.replace("\\", "/").rsplit("/", 1)[-1] == FILE


def critical_patterns(
    notes: Iterable[LearningNote], *, language: str = "", domain: str = ""
) -> list[CriticalPattern]:
    """Return the critical patterns for a language and domain, or all."""
    found: list[CriticalPattern] = []
    for note in notes:
        if is_required_reading(note.path):
            found += _sections(note, language, domain)
        elif note.confidence == HIGH and _concerns(note, language, domain):
            insight = note.key_insight or note.text("rule") or note.text("fix")
            found.append(
                CriticalPattern(
                    note.title,
                    insight,
                    "note",
                    path=note.path,
                    category=note.category,
                    language=note.language,
                    tags=note.tags,
                )
            )
    found.sort(key=lambda one: (one.source != "file", one.path, one.title.lower()))
    return found


def _sections(note: LearningNote, language: str, domain: str) -> list[CriticalPattern]:
    found = []
    every = sections(note.body)
    for section, following in zip(every, [*every[1:], None], strict=True):
        if section.level and following is not None and following.level > section.level:
            continue  # but the heading of the sections inside it
        head, _, rest = note.body[section.start : section.end].strip().partition("\n")
        text = (rest if section.title else f"{head}\n{rest}").strip().lstrip("=-").strip()
        words = set(words_of(f"{' '.join(section.path)} {text}"))
        about = {*words, note.language, *(tag.lower() for tag in note.tags)}
        if not text or not all(
            not wanted or set(words_of(wanted)) <= about for wanted in (language, domain)
        ):
            continue
        title = section.title or note.title
        found.append(CriticalPattern(title, text[:_LONGEST], "file", note.path, tags=note.tags))
    return found


def _concerns(note: LearningNote, language: str, domain: str) -> bool:
    tags = {tag.lower() for tag in note.tags}
    if language and language.lower() not in {note.language, *tags}:
        return False
    scope = note.text("scope").lower().removeprefix("domain:")
    about = {note.category.lower(), note.text("framework").lower(), scope, *tags}
    return not domain or domain.lower() in about
