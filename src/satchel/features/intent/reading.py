"""Parses `PROJECT_INTENT.md`: headings, anchors, problems. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from satchel.core.hashing import digest
from satchel.engine.markdown.front_matter import Parts, read_fields, split
from satchel.engine.markdown.sections import Section, lines_of, sections
from satchel.features.intent.values import Intent, IntentSection, Problem

#: The pattern that Beads Console uses.
ANCHOR = re.compile(r"\{#anchor:([a-z0-9-]+(?:\.[a-z0-9-]+)*)\}")
_ALMOST = re.compile(r"\{\s*#\s*anchor\s*:?[^}\n]*\}?", re.IGNORECASE)
_CODE_SPAN = re.compile(r"(?<!`)(`+)[^`].*?\1")
_NOT_IN_SLUG = re.compile(r"[^a-z0-9]+")
_FIELDS = ("version", "created_at", "updated_at")


def read_intent(data: bytes) -> Intent:
    """Parse a document. Never fails: errors are listed in `problems`."""
    parts = split(data)
    fields, problems = _front_matter(parts)
    text = parts.body.decode("utf-8", "replace").replace("\r\n", "\n")
    found = _sections(text, parts.body_line)
    problems += [*_duplicates(found), *_strays(text, parts.body_line)]
    if not any(section.level for section in found):
        problems.append(
            Problem(
                "no_sections",
                1,
                "The document has no headings.",
                "Begin a section with `## Title {#anchor:title}`.",
            )
        )
    return Intent(
        fields["version"],
        fields["created_at"],
        fields["updated_at"],
        sections=tuple(found),
        problems=tuple(sorted(problems, key=lambda one: one.line)),
        hash=digest(data).hex(),
    )


def slug_of(title: str) -> str:
    """Return a title's id: `Target Users` becomes `target-users`."""
    return _NOT_IN_SLUG.sub("-", title.lower()).strip("-")


def _front_matter(parts: Parts) -> tuple[dict[str, str], list[Problem]]:
    """Parse three fields without a YAML parser, which would cost more than the rest."""
    fields = dict.fromkeys(_FIELDS, "")
    fields["version"] = "1"
    if parts.unclosed:
        hint = "End it with a line `---`."
        return fields, [Problem("front_matter", 1, "The front matter is not closed.", hint)]
    if not parts.has_fields:
        hint = "Begin the file with `---`, `version: 1`, `updated_at: …`, `---`."
        return fields, [Problem("front_matter", 1, "There is no front matter.", hint)]
    for line in parts.yaml.decode("utf-8", "replace").splitlines():
        name, colon, value = line.partition(":")
        if colon and name in fields:
            fields[name] = value.split(" #")[0].strip().strip("\"'")
    missing = [name for name in _FIELDS if not fields[name]]
    problems = []
    if missing:
        text = f"The front matter lacks {', '.join(missing)}."
        problems.append(Problem("front_matter", 1, text, "Times are ISO 8601, like 2026-01-20."))
    return fields, problems


def front_matter_problems(data: bytes) -> list[Problem]:
    """Also validate the front matter as YAML, which is slower than `read_intent`."""
    from satchel.core.errors import BadInputError

    try:
        read_fields(split(data))
    except BadInputError as error:
        return [Problem("front_matter", 1, f"{error}.", error.hint or "Write `name: value` lines.")]
    return []


def _sections(text: str, first_line: int) -> list[IntentSection]:
    found: list[IntentSection] = []
    open_at: dict[int, int] = {}  # level -> number of the last section of that level
    line, at = first_line, 0
    for section in sections(text):
        line += text.count("\n", at, section.start)
        at = section.start
        parent = max((open_at[above] for above in open_at if above < section.level), default=-1)
        number = len(found)
        title, anchor = _title(section.title)
        path = slug_of(title)
        if parent >= 0 and found[parent].path:
            path = f"{found[parent].path}.{path}"
        found.append(
            IntentSection(
                number,
                section.level,
                title,
                anchor=anchor,
                path=path if section.level else "",
                parent=parent,
                line=line,
                body=_body(text, section),
            )
        )
        if section.level:
            open_at = {level: n for level, n in open_at.items() if level < section.level}
            open_at[section.level] = number
    return found


def _title(raw: str) -> tuple[str, str]:
    match = ANCHOR.search(raw)
    title = ANCHOR.sub("", raw)
    return " ".join(title.split()), match.group(1) if match else ""


def _body(text: str, section: Section) -> str:
    """Return the text below a heading, without the heading's one or two lines."""
    own = text[section.start : section.end]
    if not section.level:
        return own.strip("\n")
    first, _, rest = own.partition("\n")
    if not first.lstrip(" ").startswith("#"):  # a setext heading: its underline too
        rest = rest.partition("\n")[2]
    return rest.strip("\n").rstrip()


def _duplicates(found: list[IntentSection]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for section in found:
        if not section.anchor:
            continue
        if section.anchor in first:
            text = f"The anchor {section.anchor} is already on line {first[section.anchor]}."
            yield Problem("duplicate_anchor", section.line, text, "Give each section its own.")
        first.setdefault(section.anchor, section.line)


def _strays(text: str, first_line: int) -> Iterator[Problem]:
    """Yield anchors without a heading, and malformed anchors."""
    heads = {section.start for section in sections(text) if section.level}
    for number, line in enumerate(lines_of(text), start=first_line):
        if line.code or "{" not in line.text:
            continue
        said = _CODE_SPAN.sub("", line.text)
        for match in _ALMOST.finditer(said):
            if not ANCHOR.fullmatch(match.group()):
                text_of = f"`{match.group()[:60]}` is not an anchor."
                hint = "Anchors are `{#anchor:path.to.section}` of a-z, 0-9 and -."
                yield Problem("broken_anchor", number, text_of, hint)
            elif line.start not in heads:
                text_of = f"The anchor {match.group(0)[9:-1]} is not on a heading."
                hint = "Put it at the end of a heading's line."
                yield Problem("orphan_anchor", number, text_of, hint)
