"""Writes a note and its sidecar from a signal."""

from __future__ import annotations

import os

from satchel.application.learning.drafting.routes import note_category
from satchel.application.learning.signals.values import Signal
from satchel.core import times
from satchel.core.excerpts import beginning
from satchel.core.values import NamedTuple
from satchel.engine.markdown.yaml_text import write_yaml
from satchel.features.graph.extraction import extract
from satchel.features.graph.sidecars import Sidecar, encode_sidecar, only_named_in
from satchel.features.notes.values import document_id, slug

_TITLE = 80
_MOST_TAGS = 6
#: Longer content is a text, and goes into the note itself.
_SYMPTOM_LINES = 20
_LANGUAGES = {
    ".py": "python",
    ".go": "go",
    ".rs": "rust",
    ".ts": "typescript",
    ".tsx": "typescript",
    ".js": "javascript",
    ".jsx": "javascript",
    ".java": "java",
    ".rb": "ruby",
    ".php": "php",
    ".cs": "csharp",
    ".kt": "kotlin",
    ".swift": "swift",
    ".c": "c",
    ".cpp": "cpp",
    ".sh": "shell",
    ".sql": "sql",
}


class NoteText(NamedTuple):
    """A note not yet written: its id, name, directory, text, and its sidecar's text."""

    id: str
    title: str
    category: str
    file: str
    text: str
    sidecar: str


def note_text(signal: Signal, *, session: str, now: float, links: tuple[str, ...] = ()) -> NoteText:
    """Write a signal's note: front matter as in reflect, three sections."""
    title = title_of(signal)
    body = _body(signal, session)
    ident = document_id(title, body)
    category = note_category(signal)
    day = times.day(signal.at or now)
    found = extract(f"{signal.learning}\n{signal.error}", title=title)
    drawn = only_named_in(found, f"{title}\n{body}")
    symptom = signal.error or signal.quote
    tags = _tags(signal, [entity.name for entity in drawn.entities])
    fields: dict[str, object] = {
        "type": "learning",
        "title": title,
        "category": category,
        "tags": tags,
        "symptoms": [] if symptom.count("\n") > _SYMPTOM_LINES else [symptom],
        "root_cause": signal.learning,
        "key_insight": signal.learning,
        "created": day,
        "confidence": signal.tier,
        "learning_type": signal.learning_type,
        "scope": "project",
    }
    language = _language(signal.files)
    if language:
        fields["language"] = language
    if links:
        fields["links"] = list(links)
    if session:
        fields["provenance"] = {"source_tool": "reflect", "session": session}
    text = f"---\n{write_yaml(fields)}---\n{body}"
    sidecar = encode_sidecar(Sidecar(ident, drawn, int(signal.at or now))).decode("utf-8")
    return NoteText(
        ident,
        title,
        category,
        file=slug(title)[:60].strip("-") or "note",
        text=text,
        sidecar=sidecar,
    )


def title_of(signal: Signal) -> str:
    """Return a note's title: its lesson, cut at a word."""
    line = " ".join(signal.learning.replace("`", "").replace("*", "").split()).strip(" .")
    return beginning(line, _TITLE)


def _body(signal: Signal, session: str) -> str:
    problem = signal.error or signal.quote
    lines = ["", "## Problem", "", _quoted(problem)]
    if signal.attempts:
        times = "once" if signal.attempts == 1 else f"{signal.attempts} times"
        lines += ["", f"It failed {times} before it passed."]
    lines += ["", "## Solution", "", signal.learning]
    if signal.files:
        names = ", ".join(f"`{os.path.basename(path)}`" for path in signal.files[:8])
        lines += ["", f"Changed: {names}."]
    who = "the person" if signal.role == "user" else "the agent"
    where = f" in session {session}" if session else ""
    lines += ["", "## Context", "", f"Said by {who}{where} ({signal.kind.replace('_', ' ')})."]
    if signal.quote and signal.quote not in (problem, signal.learning):
        lines += ["", _quoted(signal.quote)]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines() if line.strip()) or "> (not told)"


def _tags(signal: Signal, entities: list[str]) -> list[str]:
    named = [slug(name) for name in entities]
    every = [signal.category, *named] if signal.category != "unknown" else named
    kept = [tag for tag in dict.fromkeys(every) if tag and len(tag) <= 30]  # noqa: PLR2004
    return kept[:_MOST_TAGS] or ["reflect"]


def _language(files: tuple[str, ...]) -> str:
    kinds = [_LANGUAGES.get(os.path.splitext(path)[1].lower(), "") for path in files]
    known = [kind for kind in kinds if kind]
    return max(set(known), key=lambda kind: (known.count(kind), kind)) if known else ""
