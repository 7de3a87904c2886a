"""`learnings`: search, add and inspect notes (reflect's command line)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from satchel.core.clock import Clock
from satchel.core.errors import BadInputError
from satchel.core.plurals import counted
from satchel.core.trust import clean_line, clean_text
from satchel.features.notes.note_index import UpdateReport
from satchel.features.notes.note_indexes import indexes_of_person
from satchel.features.notes.searching import Findings
from satchel.features.notes.service import NoteService
from satchel.interfaces.cli.arguments import Options, Parser, parser_for, print_json
from satchel.interfaces.cli.awaiting import unapproved_in
from satchel.interfaces.cli.progress import ProgressBar, report_waiting
from satchel.interfaces.note_rendering import (
    findings_json,
    findings_text,
    shown_path,
    trust_of_path,
)
from satchel.interfaces.rendering import NOT_APPROVED, Style, indented, picked
from satchel.project.home import open_home
from satchel.project.person import PersonStore
from satchel.project.place import find_place
from satchel.project.store import ProjectStore
from satchel.workspace import Workspace

_MODES = ("hybrid", "keyword", "semantic", "naive", "local", "global")
_FORMATS = ("rich", "json", "simple", "full", "summary")


def learnings(words: Sequence[str]) -> int:
    """`satchel notes search|add|reindex|stats|critical-patterns|list|check`."""
    return act_on_notes(_parser().parse_args(words))


def act_on_notes(options: Options) -> int:
    """Carry out an action on notes or documents, and report problems of their index."""
    with open_notes(options.base()) as notebook:
        notebook.indexes.on_wait = report_waiting
        code = options.act(notebook)
        if notebook.indexes.complaint:
            options.aside(f"note: {clean_line(notebook.indexes.complaint)}")
    return code


def open_notes(start: str = ".", *, home: str = "", clock: Clock | None = None) -> NoteService:
    """Open the notes of the project that `start` lies in, or the person's alone."""
    own, place = open_home(home), find_place(start)
    if place is not None:
        opened = Workspace(ProjectStore(place, own, clock or Clock()), PersonStore(own, clock))
        notes = opened.notes
        notes.on_close = opened.close
        return notes
    return NoteService(indexes_of_person(PersonStore(own, clock)))


def _parser() -> Parser:
    parser = parser_for("notes", "Search and keep learning notes: the project's and your own.")
    action = parser.actions(metavar=None)
    _add_search(action("search", "search the notes", _search))
    adding = action("add", "copy a note into your knowledge base", _add)
    adding.add_argument("file", help="a Markdown file with title, category and key_insight")
    adding.option(
        "--entities", "-e", "its .entities.yaml; the one beside it unless given", metavar="SIDECAR"
    )
    adding.flag("--force", "replace a note of the same title")
    indexing = action("reindex", "index what has changed; can be interrupted", _reindex)
    indexing.flag("--force", "read every file again")
    indexing.flag("--no-vectors", "by words alone, fastest")
    indexing.flag("--confirm-removal", "missing files were deleted: unindex them")
    action("stats", "count notes, and name what is damaged or missing", _stats)
    critical = action(
        "critical-patterns", "show the critical patterns that everybody should know", _critical
    )
    critical.option("--language", "-l", "only for this language")
    critical.option("--domain", "-d", "only for this domain: a tag, category")
    drawing = action("visualize", "write the graph of notes as one HTML file", _visualize)
    page = "knowledge-graph.html"
    drawing.option("--output", "-o", f"where to ({page})", default=page, metavar="FILE")
    drawing.flag("--user", "your own notes, not the project's")
    action("list", "list the notes", _list).option("--category", "-c", "only of this category")
    checking = action("check", "report every field that is missing or wrong", _check)
    checking.add_argument("path", nargs="*", help="files or directories; all notes unless given")
    return parser


def _add_search(searching: Parser) -> None:
    searching.add_argument("question", nargs="+", help="words, an error message, a question")
    how = "how (hybrid); local and global: by the graph"
    searching.option("--mode", "-m", how, choices=_MODES, default="hybrid")
    searching.option("--tags", "-t", "only notes with all of these tags: a,b")
    searching.option("--category", "-c", "only of this category")
    searching.count("--limit", "how many notes (10)", default=10)
    searching.flag("--explain", "show what each signal gave")
    searching.add_argument("--format", "-f", choices=_FORMATS, default="rich", help="how to show")


def _search(notebook: NoteService, options: Options) -> int:
    tags = [tag.strip() for tag in options.tags.split(",") if tag.strip()]
    with ProgressBar("Indexing") as progress:
        how = {"mode": options.mode, "category": options.category, "limit": options.limit}
        found = notebook.search(" ".join(options.question), tags=tags, progress=progress, **how)
    held = unapproved_in(options.base(), (one.path for one in found.items))
    if options.json or options.format == "json":
        return print_json(findings_json(found, held))
    print_problems(found, options)
    if options.mode in ("local", "global") and found.mode != options.mode:
        options.aside(f"note: the graph has nothing here; searched by {found.mode}")
    print(findings_text(found, options.style, options.format, explain=options.explain, held=held))
    return 0


def print_problems(found: Findings, options: Options) -> None:
    """Print on standard error which files could not be included."""
    if found.damaged:
        options.warn(
            f"note: {counted(found.damaged, 'file')} could not be read: `satchel notes stats` or "
            "`satchel docs status` names them"
        )
    if found.missing:
        options.warn(
            f"note: {counted(found.missing, 'file')} missing now, searched as before "
            "(`satchel docs status`)"
        )
    if found.waiting:
        options.warn(
            f"note: {counted(found.waiting, 'text')} without vectors yet, found by words; "
            "`satchel notes reindex` makes them"
        )
    if found.busy:
        options.warn("note: another process is indexing; the newest changes may be missing")


def _add(notebook: NoteService, options: Options) -> int:
    sidecar = options.entities and _placed(options, options.entities)
    added = notebook.add(_placed(options, options.file), sidecar=sidecar, force=options.force)
    return options.reply(
        added._asdict(),
        f"Added {added.id}: {clean_line(shown_path(added.path))}",
        (f"It replaced {clean_line(shown_path(added.replaced))}." if added.replaced else None),
        (f"Secrets were removed: {', '.join(added.redacted)}." if added.redacted else None),
    )


def _reindex(notebook: NoteService, options: Options) -> int:
    with ProgressBar("Indexing") as progress:
        done = notebook.reindex(
            force=options.force, confirmed=options.confirm_removal, progress=progress
        )
    states = notebook.status()
    # A file below two directories is reported once.
    damaged = list({one.path: one for state in states for one in state.damage}.values())
    held = len({path for state in states for path in state.held})
    options.say(reading_report(done))
    told = {"read": done.read, "added": done.added, "removed": done.removed}
    told |= {"damaged": len(damaged), "missing": held}
    if not options.no_vectors:
        told |= embedded(notebook, as_json=options.json)
    for one in damaged[:5]:
        options.say(f"not readable: {clean_line(shown_path(one.path))}: {clean_line(one.reason)}")
    if len(damaged) > 5:  # noqa: PLR2004
        options.say(f"and {len(damaged) - 5} more; `satchel notes stats` names them")
    if held:
        options.say(f"{counted(held, 'file')} missing and kept: `satchel notes stats` says why.")
    return options.done(told)


def reading_report(done: UpdateReport) -> str:
    """Report how many files were read, with the result."""
    read, removed = counted(done.read, "file"), counted(done.removed, "file")
    return f"Read {read}: {counted(done.added, 'new chunk')}; {removed} removed."


def embedded(
    notebook: NoteService, *, name: str = "", most: int = 0, as_json: bool = False
) -> dict[str, int]:
    """Create missing vectors, report it, and return the counts."""
    with ProgressBar("Vectors") as progress:
        made = notebook.indexes.embed(progress, name=name, most=most)
    if not as_json and made.done:
        print(f"Made {made.done} vectors.")
    if not as_json and made.left and not made.why:
        print(
            f"{counted(made.left, 'text')} without vectors yet, found by words; "
            "`satchel notes reindex` makes them."
        )
    return {"vectors": made.done, "without_vectors": made.left}


def _stats(notebook: NoteService, options: Options) -> int:
    notes = notebook.notes()
    states = notebook.status()
    counts: dict[str, dict[str, int]] = {"category": {}, "confidence": {}, "language": {}}
    for note in notes:
        for name, value in (
            ("category", note.category),
            ("confidence", note.confidence),
            ("language", note.language),
        ):
            key = value or "-"
            counts[name][key] = counts[name].get(key, 0) + 1
    style = options.style
    options.say(counted(len(notes), "note"))
    for name, rows in counts.items():
        said = ", ".join(f"{clean_line(k)} {n}" for k, n in sorted(rows.items()) if k != "-")
        if said:
            options.say(style.dim(f"  by {name}: ") + said)
    for state in states:
        options.say(status_text(state, style))
    return options.done(
        {
            "notes": len(notes),
            "by": {name: dict(sorted(rows.items())) for name, rows in counts.items()},
            "directories": [status_json(state) for state in states],
        }
    )


def status_json(state: Any) -> dict[str, Any]:
    """Return the status of a directory, for `--json`."""
    return {
        **picked(state.root, "name", "path", "pattern"),
        **picked(state, "state", "files", "unreadable", "cut"),
        "missing": list(state.held),
        "damaged": [{"path": d.path, "reason": d.reason} for d in state.damage],
    }


def status_text(state: Any, style: Style) -> str:
    """Format the status of a directory, with the next step if something is wrong."""
    head = f"{style.bold(clean_line(state.root.name))}  {clean_line(shown_path(state.root.path))}"
    lines = [f"{head}  {counted(state.files, 'file')}"]
    notes = state.root.name in ("docs/solutions", "knowledge base")
    if state.state == "missing" and not state.held:
        lines[0] += style.dim("  (no directory yet)")
    elif state.held:
        step = "satchel notes reindex" if notes else "satchel docs update"
        what = {"missing": "the directory is missing", "empty": "the directory is empty"}.get(
            state.state, "many files vanished at once"
        )
        if state.state == "ok":
            what = "the directory cannot be read"
        lines.append(f"  missing: {counted(len(state.held), 'file')}, still found ({what}).")
        lines.append(style.dim(f"  If they were deleted on purpose: `{step} --confirm-removal`."))
    lines += [
        f"  not readable: {clean_line(shown_path(one.path))}: {clean_line(one.reason)}"
        for one in state.damage
    ]
    lines += [f"  may not be read: {clean_line(shown_path(one))}" for one in state.unreadable]
    if state.cut:
        lines.append("  there are too many files: give a pattern, or a smaller tree")
    return "\n".join(lines)


def _critical(notebook: NoteService, options: Options) -> int:
    found = notebook.critical_patterns(language=options.language, domain=options.domain)
    held = unapproved_in(options.base(), (one.path for one in found))
    style = options.style
    for one in found:
        options.say(style.bold(clean_line(one.title)))
        if one.insight:
            options.say(f"  {indented(clean_text(one.insight))}")
        mark = f" · {NOT_APPROVED}" if one.path in held else ""
        options.say(style.dim(f"  {clean_line(shown_path(one.path))}{mark}"))
    if not found:
        options.say("No critical patterns for that.")
    return options.done([{**one._asdict(), **trust_of_path(one.path, held)} for one in found])


def _visualize(_: NoteService, options: Options) -> int:
    path = os.path.join(options.directory, options.output)
    with Workspace.open(options.directory) as workspace:
        shown = workspace.graph.visualize(path, user=options.user)
    wrote = counted(shown, "entity", "entities")
    return options.reply(
        {"path": path, "entities": shown},
        f"Wrote {wrote} to {clean_line(shown_path(path))}; open it in a browser.",
    )


def _list(notebook: NoteService, options: Options) -> int:
    found = notebook.notes(options.category)
    held = unapproved_in(options.base(), (note.path for note in found))
    style = options.style
    for note in found:
        mark = f" · {NOT_APPROVED}" if note.path in held else ""
        head = f"{clean_line(note.category) or '-':<22} {note.confidence or '-':<6}  "
        place = f"  {shown_path(note.path)}{mark}"
        options.say(style.dim(head) + clean_line(note.title) + style.dim(place))
    if not found:
        options.say("No notes yet. Begin with `satchel notes add NOTE.md`.")
    names = ("title", "category", "kind", "tags", "confidence", "key_insight", "path")
    rows = [{"id": n.text("id"), **picked(n, *names)} for n in found]
    return options.done([{**row, **trust_of_path(row["path"], held)} for row in rows])


def _check(notebook: NoteService, options: Options) -> int:
    from satchel.features.notes.checking import problems_in

    given = [_placed(options, path) for path in options.path]
    places = given or [notebook.indexes.knowledge_base]
    project = notebook.indexes.project
    if not given and project is not None:
        places.insert(0, project.tracked.solutions)
    for path in given:
        if not os.path.exists(path):
            raise BadInputError(f"There is nothing at {path}.")
    checked, problems = problems_in(places)
    for one in problems:
        field = f"`{clean_line(one.field)}` " if one.field else ""
        options.say(
            f"{clean_line(shown_path(one.path))}: {field}{clean_line(one.what)}. "
            f"{clean_line(one.next_step)}"
        )
    options.say(f"{counted(checked, 'file')}, {counted(len(problems), 'problem')}.")
    return options.done({"files": checked, "problems": problems}, 2 if problems else 0)


def _placed(options: Options, path: str) -> str:
    """Resolve a path relative to the directory given by `-C`."""
    return os.path.normpath(os.path.join(options.directory, path))
