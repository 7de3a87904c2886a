"""How memories are presented: names and icons of kinds and trust, ages, Markdown."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from markupsafe import Markup, escape

from satchel.core import times
from satchel.core.kinds import KINDS, LESSON
from satchel.core.trust import clean_line, clean_text
from satchel.core.values import NamedTuple

NOTE, RULE, GUARD = "note", "rule", "guard"
_ICONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "static", "icons.svg")
with open(_ICONS, encoding="utf-8") as _file:
    #: Icon names: a kind of memory without its own icon shares one.
    _DRAWN = frozenset(re.findall(r'<symbol id="([^"]+)"', _file.read()))
_ALIKE = {LESSON: "lesson", "insight": "pattern", "episode": NOTE}
_NAMES = {LESSON: "Lesson", RULE: "Soft rule"}
#: Names of trust in the console.
TRUST = {
    "person": "Approved by a person",
    "agent": "Said by an agent",
    "unapproved": "Not approved: held back from agents",
    "damaged": "Damaged",
}
_BY_PERSON, _BY_AGENT = ("user",), ("agent", "repo")


class Look(NamedTuple):
    """An icon and its label."""

    icon: str
    name: str


def kind_look(kind: str) -> Look:
    """Return the icon and name of a kind of memory, note, soft rule or guard."""
    name = _NAMES.get(kind, kind.replace("_", " ").capitalize())
    return Look(_ALIKE.get(kind) or (kind if kind in _DRAWN else "other"), name)


def kind_names() -> list[str]:
    """Return every kind in the list of memories."""
    return [*KINDS, NOTE, RULE, GUARD]


def trust_look(trust: str) -> Look:
    """Return the icon and name of a record's trust."""
    name = "person" if trust in _BY_PERSON else "agent" if trust in _BY_AGENT else "unapproved"
    return Look(f"trust-{name}", TRUST[name])


def ago(seconds: float, now: float, *, whole: bool = False) -> Markup:
    """Format how long ago something happened, with the exact time as a tooltip.

    Args:
        seconds: when it was.
        whole: whether for a sentence: `3 d ago`; a column has `3 d`.
    """
    if not seconds:
        return Markup('<span class="muted">never</span>')
    try:
        exact = times.iso(seconds)
    except (ValueError, OverflowError, OSError):
        return escape(f"{seconds:g} s")
    shown, age = times.minute(seconds), times.age(now - seconds)
    past = f"{age} ago" if whole and age != "now" else age
    return Markup('<time datetime="{}" title="{}">{}</time>').format(exact, shown, past)


#: A client's event -> when something was shown, in words.
_EVENTS = {
    "SessionStart": "at the start",
    "SessionStart (resume)": "when it was resumed",
    "UserPromptSubmit": "with a prompt",
    "SubagentStart": "to a subagent",
    "PreToolUse": "before a tool ran",
}
#: A section -> its icon, if its name is not an icon's.
_SECTIONS = {
    "recent": "lesson",
    "tasks": "work",
    "intent": "fact",
    "instincts": RULE,
    "memory_files": NOTE,
}
_MARKUP = re.compile(r"<!--[^<>]{0,200}-->|^- \[[^\]\n]{0,200}\] ", re.MULTILINE)
_HEADING = re.compile(r"^#+ (.*)\n", re.MULTILINE)


def occasion(event: str) -> str:
    """Format when something was shown."""
    return _EVENTS.get(event, event)


def section_icon(section: str) -> str:
    """Return the icon of a section of a brief."""
    named = section.removesuffix("s")
    return _SECTIONS.get(section) or (named if named in _DRAWN else "memory")


def shown_line(text: str) -> Markup:
    """Format what an agent was shown on one line, without marks meant for agents."""
    told = _HEADING.sub(r"\1: ", _MARKUP.sub("", text)).strip()
    key, colon, rest = told.partition(": ")
    return inline(rest if colon and key.startswith("preference-") else told)


def sentence(title: str, content: str, kind: str) -> str:
    """Return a memory's content in short; a fact as a sentence."""
    return title or (content.replace(" | ", " ") if kind == "fact" else content)


def clock(seconds: float) -> str:
    """Return the time of day; "" if unknown."""
    return times.minute(seconds)[11:16] if seconds else ""


def inline(text: str) -> Markup:
    """Return a line as HTML, with text in backticks as code."""
    parts = re.split(r"`([^`]+)`", clean_line(text))
    made = [
        Markup("<code>{}</code>").format(p) if n % 2 else escape(p) for n, p in enumerate(parts)
    ]
    return Markup("").join(made)


_BLOCKS = (
    ("fence", re.compile(r"^\s*(```|~~~)")),
    ("heading", re.compile(r"^(#{1,6})\s+(.*?)(?:\s*\{#[^}]*\})?\s*$")),
    ("item", re.compile(r"^\s*[-*+]\s+(.*)")),
    ("number", re.compile(r"^\s*\d+[.)]\s+(.*)")),
    ("quote", re.compile(r"^\s*>\s?(.*)")),
)
_SPANS = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<strong>[^*]+)\*\*|(?<![\w*])\*(?P<em>[^*\s][^*]*)\*"
    r"|\[(?P<text>[^\[\]]{1,500})\]\((?P<url>https?://[^\s)]+)\)"
)


def markdown(text: str) -> Markup:
    """Convert Markdown to HTML: headings, lists, quotes, code, links. The input is untrusted."""
    return Markup("\n").join(_blocks(clean_text(text).splitlines()))


def _blocks(lines: list[str]) -> Iterator[Markup]:
    kind, held = "", list[str]()
    for line in [*lines, ""]:
        new, content = _kind_of(line)
        if kind == "fence":
            if new == "fence":
                yield _block(kind, held)
                kind, held = "", []
            else:
                held.append(line)
            continue
        if new != kind or new in ("", "heading"):
            if held:
                yield _block(kind, held)
            kind, held = new, []
        if new and new != "fence":
            held.append(content)
    if kind == "fence":
        yield _block(kind, held[:-1])


def _kind_of(line: str) -> tuple[str, str]:
    for name, pattern in _BLOCKS:
        found = pattern.match(line)
        if found:
            return name, found.group(found.re.groups)
    return ("text", line) if line.strip() else ("", "")


def _block(kind: str, lines: list[str]) -> Markup:
    if kind == "fence":
        return Markup("<pre><code>{}</code></pre>").format("\n".join(lines))
    if kind == "heading":
        return Markup("<h3>{}</h3>").format(_spans(lines[0]))
    if kind in ("item", "number"):
        items = Markup("").join(Markup("<li>{}</li>").format(_spans(one)) for one in lines)
        return Markup("<{0}>{1}</{0}>").format("ul" if kind == "item" else "ol", items)
    name = "blockquote" if kind == "quote" else "p"
    return Markup("<{0}>{1}</{0}>").format(name, _spans("\n".join(lines)))


def spans(text: str) -> Markup:
    """Convert code, emphasis and links to HTML, keeping line breaks."""
    return _spans(clean_text(text))


def _spans(text: str) -> Markup:
    made, at = Markup(""), 0
    for found in _SPANS.finditer(text):
        made += escape(text[at : found.start()])
        at = found.end()
        if found["url"]:
            link = Markup('<a href="{}" rel="noreferrer noopener">{}</a>')
            made += link.format(found["url"], found["text"])
        else:
            name = found.lastgroup or "code"
            made += Markup("<{0}>{1}</{0}>").format(name, found[name])
    return made + escape(text[at:])
