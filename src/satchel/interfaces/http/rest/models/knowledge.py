"""Notes, context packs, tables."""

from __future__ import annotations

from typing import Annotated

from satchel.interfaces.http.rest.models.fields import (
    Answer,
    Extensible,
    Held,
    Page,
    Plain,
    Time,
    Tokens,
    says,
)

_PATH = says("Path from the root of the project.", "lib/pay.py")
_LINE = says("Line, from 1.", 42)
_RELEVANCE = says("How well it fits the task, 0 to 1.", 0.8)
_REASON = says("Why it is in the pack.", "names the symbol")
_LANGUAGE = says("Its language.", "python")


class NoteHit(Answer):
    """A matching note."""

    id: Annotated[str, says("Id of the note.", "relay-ports")]
    title: Annotated[str, says("Its title.", "Ports of the relay")]
    path: Annotated[str, says("Where it lies.", "learnings/relay-ports.md")]
    score: Annotated[float, says("How well it answers; higher is better.", 0.7)]
    parts: Annotated[dict[str, float], says("What made up the score.", {"text": 0.7})]
    excerpt: Annotated[str, says("The passage that answers best.", "The relay listens on 9000.")]
    key_insight: Annotated[str, says("Its key insight.", "9000, not 8000.")]
    trust: Held = ""


class NoteHits(Answer):
    """Matching notes, best first."""

    notes: Annotated[list[NoteHit], says("The notes.")]
    mode: Annotated[str, says("How they were searched.", "hybrid")]


class Excerpt(Answer):
    """The part of a file that is shown."""

    start_line: Annotated[int, _LINE]
    end_line: Annotated[int, _LINE]
    total_lines: Annotated[int, says("Lines of the whole file.", 300)]


class PackFile(Answer):
    """A file of a pack, or the part of it that fits."""

    path: Annotated[str, _PATH]
    content: Annotated[str, says("Its text.", "RATE = 19")]
    language: Annotated[str, _LANGUAGE]
    relevance: Annotated[float, _RELEVANCE]
    reason: Annotated[str, _REASON]
    token_estimate: Tokens
    excerpt: Annotated[Excerpt | None, says("The part shown, if it is not the whole file.")] = None


class PackSymbol(Answer):
    """A definition with its code."""

    name: Annotated[str, says("Its name.", "find_user")]
    kind: Annotated[str, says("function, class, ...", "function")]
    file_path: Annotated[str, _PATH]
    line: Annotated[int, _LINE]
    end_line: Annotated[int, _LINE]
    signature: Annotated[
        str, says("Its parameters and what it returns.", "def find_user(id: str) -> User")
    ]
    code: Annotated[str, says("Its code.", "return users[id]")]
    documentation: Annotated[str, says("Its doc comment.", "")]
    relevance: Annotated[float, _RELEVANCE]
    reason: Annotated[str, _REASON]
    token_estimate: Tokens


class PackDependency(Answer):
    """Who calls or uses whom."""

    source: Annotated[str, says("Who.", "login", alias="from")]
    to: Annotated[str, says("Whom.", "find_user")]
    type: Annotated[str, says("calls, imports, ...", "calls")]
    from_file: Annotated[str, _PATH]
    to_file: Annotated[str, _PATH]


class RankedFile(Plain):
    """A matching file, whether or not it fits."""

    path: Annotated[str, _PATH]
    score: Annotated[float, _RELEVANCE]
    role: Annotated[str, says("source, test, ...", "source")]
    parts: Annotated[dict[str, float], says("What made up the score.", {"words": 0.6})]


class PackMetadata(Answer):
    """How a pack was made."""

    generation_time_ms: Annotated[int, says("Milliseconds.", 35)]
    codegraph_available: Annotated[bool, says("Whether the code map was used.", True)]
    codegraph_queries: Annotated[list[str], says("The queries to the code map.", ["find user"])]
    warnings: Annotated[list[str], says("What could not be read.", [])]


class ContextPack(Answer):
    """The code relevant to a task, as Beads Console models it."""

    id: Annotated[str, says("Id of the pack.", "pack-1")]
    name: Annotated[str, says("Its name.", "find user")]
    project_id: Annotated[str, says("Id of its project.", "shop")]
    task: Annotated[str, says("What it was made for.", "find user")]
    generation_method: Annotated[str, says("codegraph, heuristic or manual.", "codegraph")]
    profile: Annotated[str, says("The type of project that was detected.", "web")]
    entry_point_type: Annotated[str, says("query, file or symbol.", "query")]
    commit: Annotated[str, says('The commit it was made at; "" for none.', "9f2c1ab")]
    files: Annotated[list[PackFile], says("Files.")]
    symbols: Annotated[list[PackSymbol], says("Definitions.")]
    dependencies: Annotated[list[PackDependency], says("How they depend on each other.")]
    ranked: Annotated[list[RankedFile], says("Every file that was found, best first.")]
    max_tokens: Annotated[int, says("How many tokens it may take.", 50000)]
    total_tokens: Tokens
    created_at: Time
    metadata: Annotated[PackMetadata, says("How it was made.")]


class TableField(Plain):
    """One field of a table."""

    name: Annotated[str, says("Its name.", "price")]
    type: Annotated[str, says("text, number, date, choice, ...", "number")]
    required: Annotated[bool, says("Whether every row must have it.", False)]


class Table(Plain):
    """A table."""

    name: Annotated[str, says("Its name.", "suppliers")]
    fields: Annotated[list[TableField], says("Its fields.")]
    rows: Annotated[int, says("How many rows it has.", 3)]
    trust: Held


class Tables(Plain):
    """The tables of a project."""

    tables: Annotated[list[Table], says("The tables, by name.")]


class TableRow(Extensible):
    """A row: its id, its version, and the fields of its table."""

    id: Annotated[str, says("Id of the row.", "01M8ZKA")]
    version: Annotated[int, says("How often it was written.", 1)]


class RowPage(Page):
    """One page of rows."""

    rows: Annotated[list[TableRow], says("The rows.")]
