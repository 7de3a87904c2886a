"""Format instruction files as text for people and as JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import IO, Any

from satchel.core.errors import SatchelError
from satchel.core.excerpts import beginning
from satchel.core.plurals import counted
from satchel.core.trust import clean_line, clean_text
from satchel.engine.statements.contradictions import SAME, Clash
from satchel.features.instructions.loading import LoadedInstructions
from satchel.features.instructions.saving import Proposal
from satchel.features.instructions.service import InstructionFiles
from satchel.features.instructions.trust_policy import EVERYWHERE, Approval
from satchel.features.instructions.values import MemoryFile, Omission, Problem, Segment
from satchel.features.instructions.watching import Changes, FileStats
from satchel.interfaces.rendering import Style, picked
from satchel.storage.files import read_file
from satchel.storage.settings.environment import wants_colour
from satchel.storage.tracked_files import TrackedFiles

#: How many lines of the project's instruction file agents are given.
_TOLD_LINES = 200


def loaded_text(one: InstructionFiles, loaded: LoadedInstructions, text: str, style: Style) -> str:
    """Format the loaded text, followed by the source of each part and any problems."""
    nothing = "No instruction file says anything here."
    if not one.settings.flag("instructions.enabled"):
        nothing = "Instruction files are switched off: `instructions.enabled` is false."
    parts = [text.rstrip("\n") or nothing]
    if one.settings.flag("instructions.provenance") and loaded.segments:
        parts.append(style.bold("Where it comes from"))
        parts += [_segment_line(one, segment, style) for segment in loaded.segments]
    parts += [_left_out_line(one, left) for left in loaded.left_out]
    parts += [f"problem: {problem_text(one, problem)}" for problem in loaded.problems]
    parts += [f"warning: {warning}" for warning in loaded.warnings]
    parts += _above_limit(one)
    budget = loaded.budget
    most = f"at most {budget.most:,} of a context of {budget.context:,}"
    told = f"{loaded.tokens:,} tokens (estimated), {loaded.bytes:,} bytes; {most}"
    parts.append(style.dim(told))
    return parts[0] + "\n\n" + "\n".join(parts[1:])


def _above_limit(one: InstructionFiles) -> list[str]:
    """Return a warning if the project's instruction file is longer than agents are given."""
    path = TrackedFiles(one.root, one.settings.text("layout.preset")).place("memory")
    try:
        lines = read_file(path).count(b"\n")
    except SatchelError:
        return []
    if lines <= _TOLD_LINES:
        return []
    name = clean_line(one.shown(path))
    told = f"{name} has {counted(lines, 'line')}, and agents are told the first {_TOLD_LINES}"
    return [f"{told}: `satchel reflect` proposes what to move to notes"]


def _segment_line(one: InstructionFiles, segment: Segment, style: Style) -> str:
    lines = f"{segment.first_line}-{segment.last_line}"
    name = clean_line(one.shown(segment.path))
    via = clean_line(one.shown(segment.imported_from)) if segment.imported_from else ""
    through = f", imported from {via}" if via else ""
    told = f"  {segment.tier:<13} {name}:{lines}  {segment.tokens:,} tokens  {segment.hash}"
    return told + style.dim(through)


def _left_out_line(one: InstructionFiles, left: Omission) -> str:
    about = ", ".join(clean_line(h)[:60] for h in left.headings[:5])
    more = ", ..." if len(left.headings) > 5 else ""  # noqa: PLR2004
    name = clean_line(one.shown(left.path))
    told = f"left out: {name}:{left.first_line}-{left.last_line}, {left.tokens:,} tokens"
    return f"{told} ({about}{more})" if about else told


def problem_text(one: InstructionFiles, problem: Problem) -> str:
    """Describe a problem: the file, what imports it, and what to do."""
    where = f" (named in {clean_line(one.shown(problem.where))})" if problem.where else ""
    path = clean_line(one.shown(problem.path))[:300]
    hint = problem.hint.replace("PATH", path)
    return clean_line(f"{path}{where}: {problem.told}.") + (f" {clean_line(hint)}" if hint else "")


def loaded_json(one: InstructionFiles, loaded: LoadedInstructions) -> dict[str, Any]:
    """Return everything that `show` knows, for `--json`."""
    return {
        "text": one.text(loaded),
        **picked(loaded, "tokens", "bytes", "left_out", "problems", "warnings"),
        "tokens_are": "estimated",
        "budget": loaded.budget._asdict(),
        "segments": [
            {**one._asdict(), "imported_from": one.imported_from or None} for one in loaded.segments
        ],
        "files": [file_json(one, file) for file in loaded.files],
    }


def file_json(one: InstructionFiles, file: MemoryFile) -> dict[str, Any]:
    """Return one instruction file for `--json`."""
    source = file.source
    return {
        **picked(source, "path", "tier", "kind", "clients"),
        "shown_as": one.shown(source.path),
        **picked(file, "priority", "version", "enabled", "globs", "description", "tokens", "hash"),
        "bytes": file.size,
        "shown": not file.skipped,
        "why_not": file.skipped or None,
    }


def files_text(one: InstructionFiles, files: Sequence[MemoryFile], style: Style) -> str:
    """List the files, one a line, lowest priority first."""
    lines = []
    for file in files:
        name = clean_line(one.shown(file.source.path))
        told = f"{file.source.tier:<13} {file.priority:>4}  {file.tokens:>6,} tokens  {name}"
        if file.skipped:
            told += style.dim(f"  not shown: {clean_line(_short(one, file.skipped))}")
        if file.description:
            told += style.dim(f"  {beginning(file.description, 80)}")
        lines.append(told)
    return "\n".join(lines)


def _short(one: InstructionFiles, told: str) -> str:
    return told.replace(one.root + "/", "").replace(os.path.expanduser("~"), "~")


def stats_json(loaded: LoadedInstructions, stats: FileStats) -> dict[str, Any]:
    """Return counts by tier, and how much was read."""
    tiers: dict[str, dict[str, int]] = {}
    for segment in loaded.segments:
        row = tiers.setdefault(segment.tier, {"segments": 0, "tokens": 0})
        row["segments"] += 1
        row["tokens"] += segment.tokens
    return {
        "files": len(loaded.files),
        "shown": sum(not file.skipped for file in loaded.files),
        "imported": len({s.path for s in loaded.segments if s.imported_from}),
        "tiers": tiers,
        "tokens": loaded.tokens,
        "bytes": loaded.bytes,
        "left_out_tokens": sum(left.tokens for left in loaded.left_out),
        "budget": loaded.budget._asdict(),
        "problems": len(loaded.problems),
        "warnings": loaded.warnings,
        "unchanged_since_last_look": stats.hits,
        "read_anew": stats.misses,
    }


def stats_text(loaded: LoadedInstructions, stats: FileStats) -> str:
    """Format counts by tier, and how much was read."""
    told = stats_json(loaded, stats)
    files = counted(told["files"], "instruction file")
    lines = [f"{files}, {told['shown']} shown, {told['imported']} imported"]
    for tier, row in told["tiers"].items():
        lines.append(f"  {tier:<13} {row['segments']} segments, {row['tokens']:,} tokens")
    size = f"{loaded.tokens:,} tokens (estimated), {loaded.bytes:,} bytes"
    lines.append(f"{size}; share {loaded.budget.share:,}, at most {loaded.budget.most:,} tokens")
    if told["left_out_tokens"]:
        lines.append(f"{told['left_out_tokens']:,} tokens were left out")
    lines += [f"warning: {warning}" for warning in loaded.warnings]
    lines.append(
        f"{counted(stats.hits, 'file')} unchanged since the last look, {stats.misses} read again"
    )
    return "\n".join(lines)


def changes_text(one: InstructionFiles, changes: Changes) -> str:
    """List files that were added, changed or removed, one a line."""
    lines = []
    for word in ("added", "changed", "removed"):
        lines += [f"{word}: {clean_line(one.shown(path))}" for path in getattr(changes, word)]
    return "\n".join(lines)


def say_proposal(one: InstructionFiles, proposal: Proposal, *, to: IO[str] | None = None) -> None:
    """Print the diff and any objections to it."""
    stream = to or sys.stdout
    for clash in proposal.clashes:
        print(_clash_line(one, clash), file=stream)
    for note in proposal.notes:
        print(f"note: {clean_line(note)}", file=stream)
    if proposal.changes:
        style = Style(colour=wants_colour(terminal=stream.isatty()))
        print(style.diff(clean_text(proposal.diff)), end="", file=stream)


def _clash_line(one: InstructionFiles, clash: Clash) -> str:
    where = f"{clean_line(one.shown(clash.rule.path))}:{clash.rule.line}"
    text = beginning(clean_line(clash.rule.text), 160)
    if clash.what == SAME:
        return f"already there: {where}: {text}"
    return f"conflict: {where}: {text} ({clean_line(clash.why)})"


def proposal_json(
    one: InstructionFiles, proposal: Proposal, *, written: list[str]
) -> dict[str, Any]:
    """Return what was, or would be, saved."""
    return {
        **picked(proposal, "entry", "section", "target", "notes"),
        "written": written,
        "already_there": proposal.repeats is not None,
        "diff": clean_text(proposal.diff),
        "clashes": [
            {
                "what": clash.what,
                "why": clash.why,
                "path": one.shown(clash.rule.path),
                "line": clash.rule.line,
                "text": clean_line(clash.rule.text),
            }
            for clash in proposal.clashes
        ],
    }


def trust_text(
    one: InstructionFiles, approved: Sequence[Approval], pending: Sequence[Problem]
) -> str:
    """Format which files are approved and which wait for approval."""
    lines = []
    for a in approved:
        whose = ", everywhere" if a.project == EVERYWHERE else ""
        lines.append(f"approved{whose}: {clean_line(a.path)}  {a.sha256[:16]}")
    lines += [f"waiting: {problem_text(one, problem)}" for problem in pending]
    return "\n".join(lines) or "Nothing outside the project is approved or waits for approval."
