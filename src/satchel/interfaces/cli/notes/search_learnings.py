"""`search-learnings`: weighted front-matter search in a directory (reflect's script)."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from typing import Any

from satchel.core.clock import Clock
from satchel.core.errors import NotFoundError
from satchel.core.excerpts import clipped
from satchel.core.trust import clean_line
from satchel.features.notes.checking import UnreadableFile, notes_in
from satchel.features.notes.reading import without_secrets
from satchel.features.notes.weighted import WeightedMatch, weighted_search
from satchel.interfaces.cli.arguments import parser_for, print_json
from satchel.interfaces.cli.awaiting import unapproved_in
from satchel.interfaces.note_rendering import trust_of_path
from satchel.interfaces.rendering import NOT_APPROVED, Style, picked

_DIRECTORY = "./docs/solutions"
_EXCERPT = 400


def search_learnings(words: Sequence[str]) -> int:
    """`satchel search-learnings "query"`."""
    parser = parser_for(
        "search-learnings",
        "Search notes by weighted front matter: title 100, "
        "symptoms 80, key insight 60, tags 40, content 20.",
    )
    parser.add_argument("question", nargs="+", help="words or an error message")
    parser.option(
        "-d", "--dir", f"directory to search ({_DIRECTORY})", default=_DIRECTORY, metavar="PATH"
    )
    parser.option("-c", "--category", "only of this category")
    parser.option("-t", "--tag", "only with this tag")
    parser.count("-l", "--limit", "how many notes (10)", default=10)
    forms = ("full", "summary", "json")
    parser.option("-f", "--format", "how to show them (full)", choices=forms, default="full")
    options = parser.parse_args(words)
    question = " ".join(options.question)
    directory = os.path.join(options.base(), options.dir)
    if not os.path.isdir(directory) and options.dir != _DIRECTORY:
        raise NotFoundError(f"There is no directory {options.dir}.")
    unread: list[UnreadableFile] = []
    found = weighted_search(
        map(without_secrets, notes_in(directory, unread, question)),
        question,
        tag=options.tag,
        category=options.category,
        limit=options.limit,
        now=Clock().now(),
    )
    for bad in unread[:3]:
        options.aside(
            f"note: {clean_line(os.path.relpath(bad.path))} could not be read: "
            f"{clean_line(bad.reason)}"
        )
    if len(unread) > 3:  # noqa: PLR2004
        options.aside(f"note: and {len(unread) - 3} more")
    held = unapproved_in(options.base(), (one.note.path for one in found))
    if options.json or options.format == "json":
        return print_json([_json(one) | trust_of_path(one.note.path, held) for one in found])
    if not found:
        print(f"No learnings found for {clean_line(question)!r}.")
    for one in found:
        print(_text(one, options.style, held, full=options.format == "full"))
    return 0


def _json(one: WeightedMatch) -> dict[str, Any]:
    note = one.note
    return {
        "file": os.path.relpath(note.path),
        **picked(note, "title", "category", "tags", "symptoms", "key_insight", "confidence"),
        "score": one.score,
        "matched": list(one.matched),
    }


def _text(one: WeightedMatch, style: Style, held: Collection[str], *, full: bool) -> str:
    note = one.note
    head = style.bold(f"[{one.score}] {clean_line(note.title)}")
    mark = f" · {NOT_APPROVED}" if note.path in held else ""
    lines = [head, style.dim(f"  {clean_line(os.path.relpath(note.path))}{mark}")]
    rows = [("category", note.category), ("key insight", note.key_insight)]
    if full:
        rows += [
            ("symptoms", "; ".join(note.symptoms)),
            ("root cause", note.text("root_cause")),
            ("tags", ", ".join(note.tags)),
            ("confidence", note.confidence),
            ("matched", ", ".join(one.matched)),
        ]
    lines += [f"  {name}: {clean_line(value)}" for name, value in rows if value]
    if full:
        text = clean_line(" ".join(note.body.split()))
        short = clipped(text, _EXCERPT)
        lines += [f"  {short}"] if short else []
    return "\n".join(lines)
