"""Loads sources into segments: reads, parses heads, expands imports, removes duplicates, fits.

If two files contain or import the same, the highest priority keeps it; files are shown lowest
priority first, because agents let later text override earlier text.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from satchel.clients.contract.instructions import ALWAYS, CONDITIONAL, ON_REQUEST, Source
from satchel.core.hashing import digest
from satchel.core.token_budget import estimate_tokens
from satchel.core.trust import clean_line, clean_text
from satchel.core.values import NamedTuple
from satchel.features.instructions.budget import Budget, fit
from satchel.features.instructions.compiled import CompiledRules, Part
from satchel.features.instructions.discovery import READS, run_concurrently
from satchel.features.instructions.front_matter import FrontMatter, read_front_matter
from satchel.features.instructions.globs import matches
from satchel.features.instructions.importing import Importer
from satchel.features.instructions.places import CLIENTS
from satchel.features.instructions.reading import Reader, Text
from satchel.features.instructions.scanning import NONE, dialect_of
from satchel.features.instructions.values import (
    Expanded,
    Fragment,
    Limits,
    MemoryFile,
    Omission,
    Problem,
    Segment,
)
from satchel.storage.safe_open import is_within

#: Most bytes of instruction files to read.
_MOST_READ = 1_000_000
#: Imports are followed in this many times the bytes that can be shown; the rest is cut anyway.
_FOLLOWED = 4


class Options(NamedTuple):
    """What to load.

    Attributes:
        limits: of imports.
        budget: limits of the text to show.
        imports: a dialect for all files, or `auto`.
        client: only what this client reads; "" or `all` for everything.
        beyond: leave out files that this client reads itself; "" for none.
        touching: paths being worked on, for rules that apply to some files only.
        requested: also show files that agents read on demand.
    """

    limits: Limits
    budget: Budget
    imports: str = "auto"
    client: str = ""
    beyond: str = ""
    touching: tuple[str, ...] = ()
    requested: bool = False


class LoadedInstructions(NamedTuple):
    """What an agent gets: segments, lowest priority first, and all remarks."""

    segments: list[Segment]
    files: list[MemoryFile]
    left_out: list[Omission]
    problems: list[Problem]
    warnings: list[str]
    budget: Budget
    tokens: int
    bytes: int
    #: Every file that was read, imports too: if one changes, this is out of date.
    read: tuple[str, ...] = ()


class _Candidate(NamedTuple):
    """A file with its head and text, before composition."""

    file: MemoryFile
    text: Text
    head: FrontMatter

    @property
    def raw(self) -> str:
        """The text below the head, unchanged."""
        return self.head.body.decode("utf-8", "replace")


def load(
    sources: Sequence[Source],
    reader: Reader,
    options: Options,
    *,
    root: str,
    home: str,
    shown: Callable[[str], str] = str,
) -> LoadedInstructions:
    """Read sources and compose what an agent gets. Never raises for a file's content.

    `shown` converts a path to the form shown to agents.
    """
    problems: list[Problem] = []
    sources = _affordable(sources, reader.most, problems)
    texts = run_concurrently(lambda s: reader.read(s.path, s.owner, found=True), sources, READS)
    found = [
        _candidate(source, text, options, root, problems)
        for source, text in zip(sources, texts, strict=True)
    ]
    found.sort(key=lambda one: one.file.priority)  # stable: front matter may set another one
    its_own = CLIENTS.get(options.client)
    for name in its_own.in_place_of_others if its_own else ():
        found = _without_overridden(found, options.client, name)
    importer = Importer(reader, options.limits, home)
    chosen, files = _expanded(found, importer, options, problems)
    segments = [part for source in chosen for part in source]
    fitted = fit(segments, options.budget, lambda path: _around(segments, path, shown))
    text = rendered(fitted.kept, shown)
    tokens, size = estimate_tokens(text), len(text.encode("utf-8", "replace"))
    whole = sum(segment.tokens for segment in segments)
    whole_size = sum(len(segment.text.encode("utf-8", "replace")) for segment in segments)
    warnings = options.budget.warnings(max(whole, tokens), max(whole_size, size))
    read = [one.text.path for one in found]
    read += [segment.path for segment in segments if segment.imported_from]
    return LoadedInstructions(
        fitted.kept,
        files,
        fitted.left_out,
        problems=problems,
        warnings=warnings,
        budget=options.budget,
        tokens=tokens,
        bytes=size,
        read=tuple(dict.fromkeys(read)),
    )


def _affordable(sources: Sequence[Source], most: int, problems: list[Problem]) -> Sequence[Source]:
    """Drop the lowest priorities beyond what would ever be shown."""
    room, kept = _MOST_READ, list[Source]()
    for source in reversed(sources):
        room -= min(_size(source.path), most)
        if room >= 0:
            kept.append(source)
    if len(kept) < len(sources):
        count = len(sources) - len(kept)
        told = f"instruction files have more than {_MOST_READ:,} bytes; not read: {count}"
        problems.append(Problem("full", sources[0].path, told))
    return kept[::-1]


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0


def _without_overridden(found: list[_Candidate], client: str, override: str) -> list[_Candidate]:
    """Keep one file per directory: the overriding one, if it is not empty."""
    over = {
        os.path.dirname(one.file.source.path)
        for one in found
        if os.path.basename(one.file.source.path) == override and one.head.body.strip()
        if not one.file.skipped
    }
    kept = []
    for one in found:
        place, name = os.path.split(one.file.source.path)
        if place in over and name != override and not one.file.skipped:
            told = f"{client} reads {override} instead"
            one = one._replace(file=one.file._replace(skipped=told))  # noqa: PLW2901
        kept.append(one)
    return kept


def rendered(segments: Sequence[Segment], shown: Callable[[str], str] = str) -> str:
    """Join segments, each instruction file between two lines that name it."""
    files: list[list[Segment]] = []
    for segment in segments:
        if files and files[-1][0].file == segment.file:
            files[-1].append(segment)
        else:
            files.append([segment])
    out = []
    for parts in files:
        above, below = _lines_around(parts[0], shown)
        text = "".join(part.text for part in parts).strip("\n")
        out.append(f"{above}{text}{below}")
    return "\n".join(out)


def _lines_around(segment: Segment, shown: Callable[[str], str]) -> tuple[str, str]:
    name = clean_line(shown(segment.file))
    return f"--- {segment.tier.upper()}: {name} ---\n", f"\n--- End of {name} ---\n"


def _around(segments: Sequence[Segment], path: str, shown: Callable[[str], str]) -> int:
    """Return a file's overhead in bytes: two lines, and a separator."""
    segment = next(one for one in segments if one.file == path)
    return 1 + sum(len(line.encode("utf-8", "replace")) for line in _lines_around(segment, shown))


def _candidate(
    source: Source, text: Text, options: Options, root: str, problems: list[Problem]
) -> _Candidate:
    rule = "cursor" if source.path.endswith(".mdc") else ""
    head = read_front_matter(_limited(text.data, source), rule=rule)
    priority = source.priority if head.priority is None else head.priority
    kind = source.kind if head.kind == ALWAYS else head.kind
    body = clean_text(head.body.decode("utf-8", "replace"))
    file = MemoryFile(
        source._replace(kind=kind),
        priority,
        head.version,
        enabled=head.enabled,
        size=text.size,
        tokens=estimate_tokens(body),
        hash=text.sha256[:16],
        description=clean_line(head.description),
        globs=head.globs,
    )
    if text.refused:
        hint = ""
        if text.real and "closed" not in text.told:
            hint = "`satchel memory trust PATH` approves it as it is."
        problems.append(Problem(text.refused, text.real or text.path, text.told, hint))
        return _Candidate(file._replace(skipped=text.told), text, head)
    problems += [Problem("front-matter", source.path, clean_line(told)) for told in head.told]
    if not text.whole:
        told = f"only its first {len(text.data):,} of {text.size:,} bytes were read"
        problems.append(Problem("large", source.path, told))
    return _Candidate(file._replace(skipped=_reason(file, options, root)), text, head)


def _limited(data: bytes, source: Source) -> bytes:
    """Return the first lines and bytes of a file that is only read in part."""
    if source.most_bytes and len(data) > source.most_bytes:
        data = data[: source.most_bytes]
        data = data[: data.rfind(b"\n") + 1] or data
    if source.most_lines:
        lines = data.splitlines(keepends=True)
        data = b"".join(lines[: source.most_lines])
    return data


def _reason(file: MemoryFile, options: Options, root: str) -> str:
    source = file.source
    if not file.enabled:
        return "it says `enabled: false`"
    if options.client not in ("", "all") and options.client not in source.clients:
        return f"{options.client} does not read it"
    if options.beyond and options.beyond in source.clients:
        return f"{options.beyond} reads it by itself"
    if source.kind == CONDITIONAL and not _applies(file, options.touching, root):
        return "it is for files that match " + ", ".join(clean_line(g) for g in file.globs[:5])
    if source.kind == ON_REQUEST and not options.requested:
        return "agents read it when they like"
    return ""


def _applies(file: MemoryFile, touching: tuple[str, ...], root: str) -> bool:
    for path in touching:
        whole = os.path.join(root, path)
        below = os.path.relpath(whole, root) if is_within(os.path.normpath(whole), root) else path
        if any(matches(below, glob) for glob in file.globs):
            return True
    return False


def _expanded(
    found: list[_Candidate], importer: Importer, options: Options, problems: list[Problem]
) -> tuple[list[list[Segment]], list[MemoryFile]]:
    """Expand from the highest priority down, so that duplicates stay where they count."""
    bodies: dict[bytes, str] = {}
    compiled = _compiled(found, options)
    chosen: list[list[Segment]] = []
    files: list[MemoryFile] = []
    room = _FOLLOWED * options.budget.most_bytes
    for one in reversed(found):
        file, parts = one.file, list[Part]()
        if not file.skipped:
            parts, by = compiled.parts(file.source.path, one.raw, one.head.body_line)
            told = "" if parts else f"`compile` wrote it: {clean_line(by)} says the same"
            file = file._replace(skipped=told or _repeated(one, importer, bodies))
        files.append(file)
        if file.skipped:
            continue
        room -= sum(len(part.text) for part in parts)
        dialect = dialect_of(os.path.basename(file.source.path), options.imports)
        segments: list[Segment] = []
        for part in parts:
            expanded = importer.expand(
                part.text,
                dialect=dialect if room >= 0 else NONE,
                directory=os.path.dirname(file.source.path),
                owner=one.text.owner,
                path=file.source.path,
                identity=one.text.identity,
                first_line=part.first_line,
            )
            problems += expanded.problems
            segments += _segments(file, expanded)
        chosen.append(segments)
    return chosen[::-1], files[::-1]


def _compiled(found: list[_Candidate], options: Options) -> CompiledRules:
    """Record the files shown, possible sources of rules, and what the client already has."""
    sources = {one.text.real: clean_text(one.raw) for one in found if not one.file.skipped}
    compiled = CompiledRules(sources, imports=options.imports != NONE)
    for one in found:
        if options.beyond and options.beyond in one.file.source.clients:
            compiled.note(one.file.source.path, one.raw)
    return compiled


def _repeated(one: _Candidate, importer: Importer, bodies: dict[bytes, str]) -> str:
    """Return where the same file or text is already shown; "" for the first."""
    known = importer.shown.get(one.text.identity)
    if known is not None:
        return f"{clean_line(known)} imports it" if known else "it is shown under another name"
    body = one.head.body.strip()
    if not body:
        return "it is empty"
    mark = digest(body)
    if mark in bodies:
        return f"it says the same as {clean_line(bodies[mark])}"
    bodies[mark] = one.file.source.path
    return ""


def _segments(file: MemoryFile, expanded: Expanded) -> list[Segment]:
    return [
        Segment(
            piece.path,
            file.source.tier,
            file.priority,
            first_line=piece.first_line,
            last_line=piece.last_line,
            imported_from=piece.imported_from,
            tokens=estimate_tokens(piece.text),
            hash=digest(piece.text.encode("utf-8", "replace")).hex()[:16],
            text=piece.text,
            file=file.source.path,
        )
        for piece in map(_without_secrets, expanded.pieces)
    ]


def _without_secrets(piece: Fragment) -> Fragment:
    """Remove secrets from imports that are not Markdown, which were not meant to be shown."""
    if not piece.imported_from or piece.path.endswith((".md", ".mdc")):
        return piece
    from satchel.core.redaction.redactor import redact

    return piece._replace(text=redact(piece.text)[0])
