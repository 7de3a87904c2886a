"""A context pack: the code shown to an agent (as in Beads Console)."""

from __future__ import annotations

from satchel.core.values import Any, NamedTuple
from satchel.features.code.symbols.values import RankedFile


class PackRequest(NamedTuple):
    """The request for a pack.

    Attributes:
        task: the text, or the name of a file or symbol.
        entry: query, file or symbol.
        files: paths, for the method `manual`.
    """

    task: str
    name: str = ""
    entry: str = "query"
    method: str = "codegraph"
    profile: str = "auto"
    max_tokens: int = 50_000
    max_symbols: int = 50
    max_depth: int = 2
    files: tuple[str, ...] = ()


class PackFile(NamedTuple):
    """A file, or the part from `start` to `end` of its `total` lines."""

    path: str
    content: str
    language: str
    relevance: float
    start: int
    end: int
    total: int
    reason: str
    tokens: int

    def as_json(self) -> dict[str, Any]:
        """Return Beads Console's `ContextFile`."""
        told: dict[str, Any] = {
            "path": self.path,
            "content": self.content,
            "language": self.language,
            "relevance": self.relevance,
            "reason": self.reason,
            "tokenEstimate": self.tokens,
        }
        if (self.start, self.end) != (1, self.total):
            told["excerpt"] = {
                "startLine": self.start,
                "endLine": self.end,
                "totalLines": self.total,
            }
        return told


class PackSymbol(NamedTuple):
    """A definition with its code."""

    name: str
    kind: str
    path: str
    line: int
    end: int
    signature: str
    code: str
    documentation: str
    language: str
    relevance: float
    reason: str
    tokens: int

    def as_json(self) -> dict[str, Any]:
        """Return Beads Console's `ContextSymbol`."""
        return {
            "name": self.name,
            "kind": self.kind,
            "filePath": self.path,
            "line": self.line,
            "endLine": self.end,
            "signature": self.signature,
            "code": self.code,
            "documentation": self.documentation,
            "relevance": self.relevance,
            "reason": self.reason,
            "tokenEstimate": self.tokens,
        }


class Dependency(NamedTuple):
    """A relation between two symbols or files of the pack: which calls or uses which."""

    source: str
    target: str
    kind: str
    source_path: str
    target_path: str

    def as_json(self) -> dict[str, Any]:
        """Return Beads Console's `ContextDependency`."""
        return {
            "from": self.source,
            "to": self.target,
            "type": self.kind,
            "fromFile": self.source_path,
            "toFile": self.target_path,
        }


class Pack(NamedTuple):
    """A whole pack. `ranked` has every file that was found, whether or not it fits."""

    id: str
    name: str
    project: str
    task: str
    method: str
    profile: str
    entry: str
    max_tokens: int
    files: tuple[PackFile, ...]
    symbols: tuple[PackSymbol, ...]
    dependencies: tuple[Dependency, ...]
    tokens: int
    created: str
    milliseconds: int
    codegraph: bool
    queries: tuple[str, ...]
    warnings: tuple[str, ...]
    ranked: tuple[RankedFile, ...] = ()
    commit: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return Beads Console's `ContextPack`, with the ranking."""
        return {
            "id": self.id,
            "name": self.name,
            "projectId": self.project,
            "task": self.task,
            "generationMethod": self.method,
            "profile": self.profile,
            "entryPointType": self.entry,
            "commit": self.commit,
            "files": [file.as_json() for file in self.files],
            "symbols": [symbol.as_json() for symbol in self.symbols],
            "dependencies": [one.as_json() for one in self.dependencies],
            "ranked": [
                {"path": r.path, "score": r.score, "role": r.role, "parts": r.parts}
                for r in self.ranked
            ],
            "maxTokens": self.max_tokens,
            "totalTokens": self.tokens,
            "createdAt": self.created,
            "metadata": {
                "generationTimeMs": self.milliseconds,
                "codegraphAvailable": self.codegraph,
                "codegraphQueries": list(self.queries),
                "warnings": list(self.warnings),
            },
        }
