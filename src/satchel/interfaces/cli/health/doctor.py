"""`doctor`, `rebuild`, `stats`: check and maintain a project."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.findings import Finding, listed
from satchel.application.health.derived import directories
from satchel.application.health.statistics import Statistics
from satchel.clients.settings_files.hook_entries import forget_not_found, found_command
from satchel.core.errors import BusyError
from satchel.core.kinds import KINDS
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.interfaces.cli.arguments import Options, parser_for, print_json
from satchel.interfaces.rendering import Style, size

#: Derived data -> what to count of it.
_COUNTED = {
    "memories": "lines",
    "notes": "files of notes",
    "graph": "entities",
    "sessions": "files of sessions",
    "thread": "sessions of the thread",
    "branches": "memories of other work",
    "tables": "versions of rows",
    "tasks": "tasks",
    "code": "files of code",
}


def rebuild(words: Sequence[str]) -> int:
    """`satchel rebuild`."""
    import time

    from satchel.application.health.derived_stores import rebuild as rebuild_derived

    parser = parser_for("rebuild", "Rebuild what is derived: indexes and graph. Loses nothing.")
    parser.option("--only", "only one of them", choices=tuple(_COUNTED))
    options = parser.parse_args(words)
    with options.opened() as workspace:
        started = time.monotonic()
        done = rebuild_derived(workspace, options.only)
        seconds = time.monotonic() - started
    told = ", ".join(f"{count} {_COUNTED[what]}" for what, count in done.items())
    return options.reply(
        {"documents": done.get("memories", 0), **done, "seconds": round(seconds, 3)},
        f"Indexed {told} in {seconds:.2f} s.",
    )


def doctor(words: Sequence[str]) -> int:
    """`satchel doctor`: exit code 7 if something is wrong."""
    options = parser_for("doctor", "Find and explain problems. Repairs nothing.").parse_args(words)
    with options.opened() as workspace:
        findings = workspace.examine()
        engine = workspace.memories.own.index.database.engine()
    if options.json:
        print_json({"engine": engine, "findings": findings})
    else:
        print_findings(findings, options, engine)
    if found_command():
        forget_not_found()  # it has been told
    return 7 if any(f.severity == "error" for f in findings) else 0


def print_findings(findings: Sequence[Finding], options: Options, engine: str) -> None:
    """Print findings with their next steps, and how many there are."""
    for finding in findings:
        subject, what = clean_line(finding.subject), clean_line(finding.what)
        options.say(f"{options.style.bold(finding.severity)}: {subject}: {what}")
        if finding.next_step:
            options.say(options.style.dim(f"  {clean_line(finding.next_step)}"))
    wrong = sum(1 for one in findings if one.severity != "note")
    options.say(f"{engine}. " + (f"{counted(wrong, 'finding')}." if wrong else "Nothing is wrong."))


def stats(words: Sequence[str]) -> int:
    """`satchel stats`."""
    parser = parser_for("stats", "Count memories, tokens and bytes.")
    parser.flag("--usefulness", "show which memories earn their tokens")
    options = parser.parse_args(words)
    with options.opened() as workspace:
        if options.usefulness:
            from satchel.interfaces.cli.memories.why_injected import print_usefulness

            return print_usefulness(workspace, options)
        figures = workspace.statistics()
    style = options.style
    options.say(style.bold("Memories"))
    for kind, number in figures.by_kind.items():
        noun = KINDS[kind].noun if kind in KINDS else kind
        what = "  starts, ends and commits of sessions" if kind == "activity" else ""
        options.say(f"  {noun:<18} {number:>7}{style.dim(what)}")
    options.say(style.bold("Files"))
    for file in figures.files:
        lines = f"{file.lines:>7} lines" if file.lines is not None else " " * 13
        options.say(f"  {file.name:<28} {size(file.size):>10} {lines}")
    options.say(_derived(figures, style))
    options.say(style.bold("Vectors"))
    options.say(f"  {figures.vectors}")
    options.say(style.bold("Injected"))
    week, total = figures.injected_week, figures.injected_total
    sessions = counted(figures.sessions, "session")
    options.say(f"  {week:,} tokens in 7 days; {total:,} in all, in {sessions}")
    options.say(style.bold("Inbox"))
    options.say(f"  {counted(figures.waiting, 'event')} waiting")
    options.say(f"{figures.engine}")
    options.done(figures.as_json())
    if not figures.missing:
        return 0
    options.aside(f"Partial answer: {clean_line(figures.missing)}")
    return BusyError.exit_code


def _derived(figures: Statistics, style: Style) -> str:
    lines = [style.bold("Notes")]
    for one in directories(figures.notes):
        told = f"{counted(one.files, 'file'):>13}"
        told += f", {one.missing} missing" if one.missing else ""
        told += f", {one.damaged} not readable" if one.damaged else ""
        lines.append(f"  {clean_line(one.name):<18}{told}")
    for notes in figures.notes:
        of = clean_line(listed([one.root.name for one in notes.directories]))
        lines.append(f"  index of {of}: {size(notes.size)}, vectors: {notes.vectors}")
    if figures.graphs:
        lines.append(style.bold("Graph"))
    for graph in figures.graphs:
        entities = counted(graph.counts["entities"], "entity", "entities")
        told = f"{entities}, {counted(graph.counts['relations'], 'relation')}"
        lines.append(f"  {graph.whose:<18}{size(graph.size):>10}, {told}")
    return "\n".join(lines)
