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


def _renamed(value: NamedTuple, **names: str) -> dict[str, Any]:
    """Return a value's fields under the names of Beads Console; without those named ""."""
    told = {names.get(name, name): field for name, field in value._asdict().items()}
    return {name: field for name, field in told.items() if name}


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
        told = _renamed(self, tokens="tokenEstimate", start="", end="", total="")
        if (self.start, self.end) != (1, self.total):
            lines = {"startLine": self.start, "endLine": self.end, "totalLines": self.total}
            told["excerpt"] = lines
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
        names = {"path": "filePath", "end": "endLine", "tokens": "tokenEstimate"}
        return _renamed(self, **names, language="")


class Dependency(NamedTuple):
    """A relation between two symbols or files of the pack: which calls or uses which."""

    source: str
    target: str
    kind: str
    source_path: str
    target_path: str

    def as_json(self) -> dict[str, Any]:
        """Return Beads Console's `ContextDependency`."""
        ends = {"source": "from", "target": "to", "kind": "type"}
        return _renamed(self, **ends, source_path="fromFile", target_path="toFile")


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
            "ranked": [_renamed(one, language="") for one in self.ranked],
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
