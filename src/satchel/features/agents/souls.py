"""SOUL.md: who an agent is. Parsed leniently: sections in any order, level and case."""

from __future__ import annotations

from satchel.engine.markdown.sections import lines_of, sections
from satchel.features.agents.values import Capability, Part, Soul

_DASHES = (" — ", " \u2013 ", " - ", ": ")
_FORBIDS = ("must not", "must never", "never ", "do not", "don't", "may not", "cannot")


def parts_of(text: str) -> list[Part]:
    """Split a file into sections, including the text before the first heading."""
    found = []
    for section in sections(text):
        lines = list(lines_of(text[section.start : section.end]))
        body = [line.text for line in lines[1 if section.level else 0 :]]
        told = "\n".join(body).strip()
        if section.title or told:
            items = tuple(item for item in map(_item, body) if item)
            found.append(Part(section.title, told, items))
    return found


def read_soul(text: str, name: str) -> Soul:
    """Read the known sections of a SOUL.md; others are left as text."""
    parts = parts_of(text)
    titled = next((p.title for p in parts if p.title.lower().startswith("agent:")), "")
    boundaries = _items_of(parts, "boundaries", "limits", "constraints")
    return Soul(
        name=titled.partition(":")[2].strip() or name,
        role=_text_of(parts, "role"),
        division=_text_of(parts, "division"),
        capabilities=tuple(map(_capability, _items_of(parts, "capabilities"))),
        boundaries=boundaries,
        must_not=tuple(b for b in boundaries if b.lower().lstrip("*_ ").startswith(_FORBIDS)),
        sections=tuple(parts),
    )


def _part(parts: list[Part], *names: str) -> Part | None:
    for name in names:
        for part in parts:
            if part.title.lower().strip(" *_:#").startswith(name):
                return part
    return None


def _text_of(parts: list[Part], *names: str) -> str:
    part = _part(parts, *names)
    return part.text if part is not None else ""


def _items_of(parts: list[Part], *names: str) -> tuple[str, ...]:
    part = _part(parts, *names)
    if part is None:
        return ()
    return part.items or tuple(line.strip() for line in part.text.split("\n") if line.strip())


def _item(line: str) -> str:
    text = line.strip()
    for mark in ("- ", "* ", "+ "):
        if text.startswith(mark):
            return text[len(mark) :].strip()
    number, dot, rest = text.partition(". ")
    return rest.strip() if dot and number.isdigit() else ""


def _capability(item: str) -> Capability:
    for dash in _DASHES:
        name, found, description = item.partition(dash)
        if found:
            return Capability(name.strip("*_` "), description.strip())
    return Capability(item.strip("*_` "))
