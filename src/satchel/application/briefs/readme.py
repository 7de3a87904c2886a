"""The gist of a README: what the project is, and the commands to work on it. Pure."""

from __future__ import annotations

from satchel.core.values import NamedTuple
from satchel.engine.markdown.sections import Section, lines_of, sections

_PURPOSE_CHARACTERS = 700
_MOST_COMMANDS = 8
_COMMAND_CHARACTERS = 160
#: Headings for sections on setting up, running and testing.
_HOW = (
    "install",
    "setup",
    "set up",
    "getting started",
    "quick",
    "usage",
    "develop",
    "test",
    "build",
    "run",
    "contribut",
    "start",
)
_RULES = ("convention", "style", "guideline", "principle", "rule")
_NOT_PROSE = ("<", "![", "[![", "|", "```", "~~~", "---", "===", ">")


class Gist(NamedTuple):
    """The gist of a README: purpose, commands, and headings about conventions."""

    purpose: str
    commands: tuple[str, ...]
    conventions: tuple[str, ...]


def gist_of(text: str) -> Gist:
    """Extract the gist of a README. Without headings, the first paragraph is the purpose."""
    every = sections(text)
    purpose = ""
    commands: list[str] = []
    conventions: list[str] = []
    for section in every:
        body = text[section.start : section.end]
        if not purpose:
            purpose = _first_prose(body, section)
        heading = section.title.lower()
        if heading.startswith(_HOW) or any(f" {word}" in heading for word in _HOW):
            commands += _commands(body)
        if any(word in heading for word in _RULES):
            conventions += _bullets(body)
    return Gist(
        purpose[:_PURPOSE_CHARACTERS],
        tuple(dict.fromkeys(commands))[:_MOST_COMMANDS],
        tuple(conventions[:_MOST_COMMANDS]),
    )


def _first_prose(body: str, section: Section) -> str:
    """Return the first paragraphs of prose, skipping badges, tables and code."""
    kept: list[str] = []
    for line in lines_of(body):
        bare = line.text.strip()
        heading = section.level and line.start == 0
        if line.code or heading or bare.startswith("#") or bare.startswith(_NOT_PROSE):
            if kept:
                break
            continue
        if not bare and kept and len(" ".join(kept)) > _PURPOSE_CHARACTERS // 3:
            break
        if bare:
            kept.append(bare)
    return " ".join(kept)


def _commands(body: str) -> list[str]:
    found = []
    for line in lines_of(body):
        bare = line.text.strip().removeprefix("$ ").strip()
        if line.code and bare and not bare.startswith(("```", "~~~", "#")):
            found.append(bare[:_COMMAND_CHARACTERS])
    return found


def _bullets(body: str) -> list[str]:
    lines = [line.text.strip() for line in lines_of(body) if not line.code]
    return [line[2:].strip()[:_COMMAND_CHARACTERS] for line in lines if line[:2] in ("- ", "* ")]
