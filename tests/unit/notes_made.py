"""Notes for tests: reflect's own example, and shelves over real files and a real database."""

import os
from pathlib import Path

from satchel.core.clock import FixedClock
from satchel.engine.search.documents import Hit, View
from satchel.features.notes.note_index import IndexedDirectory, NoteIndex
from satchel.storage.paths import NotesState

NOW = FixedClock().now()
EXAMPLE = """---
title: "Tokio runtime panic"
category: debugging-sessions # or patterns, decisions, anti-patterns
tags: [rust, async, tokio]
symptoms:
  - "nested runtime panic on block_on"
root_cause: "Calling block_on inside an async context"
key_insight: "Use Handle::spawn, never block_on inside async code"
created: "2026-03-16"
confidence: high
language: rust
framework: tokio
---
## Problem
What went wrong and how it manifested.
## Solution
Step-by-step resolution with code.
## Context
When this applies, version constraints, alternatives considered.
"""
SIDECAR = """document_id: tokio-runtime-panic-abc123
entities:
  - name: "tokio"
    type: technology # technology | error | pattern | function | concept | tool
    description: "Async runtime for Rust"
  - name: "block_on"
    type: function
    description: "Blocking call to run an async future"
relationships:
  - source: "block_on"
    target: "nested runtime panic"
    type: caused_by # caused_by | solves | requires | relates_to
    description: "Calling block_on inside async context triggers panic"
    strength: 9 # 1-10
"""


def note(title: str, body: str = "Some body.", **fields: object) -> str:
    rows = {"title": title, "category": "decisions", "key_insight": f"insight of {title}", **fields}
    head = "".join(f"{name}: {value}\n" for name, value in rows.items())
    return f"---\n{head}---\n{body}\n"


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    # Older than a tick of the clock, or it would be read once more to be sure.
    os.utime(path, (NOW, NOW))
    return path


def open_shelf(directory: Path, *roots: IndexedDirectory) -> NoteIndex:
    return NoteIndex(roots, NotesState(str(directory)), patience=5.0)


def found(shelf: NoteIndex, question: str) -> list[Hit]:
    return shelf.index.search(question, View(shelf.sources(), NOW), limit=50)


def titles(shelf: NoteIndex, question: str = "insight") -> list[str]:
    return sorted({hit.document.title for hit in found(shelf, question)})
