"""Adds an entry to a Markdown file: sanitizes the text and finds its place. Pure.

Every byte that is not the entry stays as it is: line endings, a byte order mark, what follows.
"""

from __future__ import annotations

import os

from satchel.core.errors import BadInputError
from satchel.core.redaction.redactor import redact
from satchel.core.trust import clean_text
from satchel.engine.markdown.sections import sections
from satchel.features.instructions.code_regions import markdown_regions
from satchel.features.instructions.scanning import CLAUDE, GEMINI, mentions

_BOM = b"\xef\xbb\xbf"
_BULLET = "- "
_LONGEST_SECTION = 120
#: Name of an instruction file -> the section that its own client keeps such entries in.
_SECTIONS = {"GEMINI": "Gemini Added Memories", "BEANS": "Beans Added Memories"}
OTHERWISE = "Added Memories"


def section_of(name: str, setting: str = "auto") -> str:
    """Return the section for entries: from the setting, or by the file's name."""
    if setting and setting != "auto":
        return heading_text(setting)
    stem = os.path.basename(name).partition(".")[0].upper()
    return _SECTIONS.get(stem, OTHERWISE)


def heading_text(text: str) -> str:
    """Return a text as a valid heading: one line, without leading marks."""
    return entry_text(text)[:_LONGEST_SECTION].strip()


def entry_text(text: str, *, secrets: bool = False) -> str:
    """Return a text as a valid entry: one line; no heading, item, tag or import.

    Line ends become spaces; leading hyphens and hashes go; `<` and `>` become spaces; terminal
    sequences, controls and direction marks go; secrets too, unless the file is the person's own
    (`secrets`). An import is put in backticks: an entry says something, it brings no file in.
    """
    line = " ".join(clean_text(text).split("\n")).replace("\t", " ")
    line = line.replace("<", " ").replace(">", " ").strip()
    while line[:1] in ("-", "#") and line:
        line = line[1:].lstrip()
    if not secrets:
        line = redact(line)[0]
    return _without_imports(line).strip()


def _without_imports(line: str) -> str:
    for dialect in (CLAUDE, GEMINI):
        for mention in reversed(mentions(line, dialect)):
            written = line[mention.start : mention.end]
            # A backtick in it would end the span; there is none where a scanner ended at one.
            line = (
                line[: mention.start] + "`" + written.replace("`", "") + "`" + line[mention.end :]
            )
    return line


def with_entry(data: bytes, entry: str, section: str) -> bytes:
    """Return a file with `- entry` appended to a section's own text.

    A section that is missing is put at the end, with one blank line before it. A heading in code
    or in a comment is none. Raises `BadInputError` where the entry would stand in either.
    """
    bom = _BOM if data.startswith(_BOM) else b""
    text = data[len(bom) :].decode("utf-8", "surrogateescape")
    newline = "\r\n" if "\r\n" in text and text.count("\r\n") * 2 >= text.count("\n") else "\n"
    line = _BULLET + entry + newline
    at = _end_of(text, section)
    if at is None:
        before = text if not text or text.endswith("\n") else text + newline
        gap = "" if not before or before.endswith(newline * 2) else newline
        made = f"{before}{gap}## {section}{newline}{line}"
    else:
        before, after = text[:at], text[at:]
        if before and not before.endswith("\n"):
            before += newline
        made = before + line + after
    start = len(made) - len(line) if at is None else len(before)
    if _hidden(made, start):
        raise BadInputError(
            "The entry would land inside a code block or a comment that does not end.",
            hint="Close it in the file, or give another --section.",
        )
    return bom + made.encode("utf-8", "surrogateescape")


def _end_of(text: str, title: str) -> int | None:
    """Return the end of a section's own text, without trailing blank lines."""
    found = [
        section
        for section in sections(text)
        if section.level and section.title == title and not _hidden(text, section.start)
    ]
    if not found:
        return None
    section = next((one for one in found if one.level == 2), found[0])  # noqa: PLR2004
    own = text[section.start : section.end]
    kept = own.rstrip()
    end = section.start + len(kept)
    newline = text.find("\n", end)
    return len(text) if newline < 0 else newline + 1


def _hidden(text: str, at: int) -> bool:
    """Return whether a position is in code or a comment, where no agent sees a rule."""
    regions = markdown_regions(text, comments=True)
    return any(begin <= at < end for begin, end in regions)
