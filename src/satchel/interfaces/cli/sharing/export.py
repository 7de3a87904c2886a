"""`export`, and `import` of its archives: move everything durable to another home."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from satchel.application.exchange.export.archive import stream_archive, write_archive
from satchel.application.exchange.export.service import export as collected
from satchel.application.exchange.export.service import import_archive as take_in
from satchel.core.errors import BadInputError
from satchel.core.plurals import counted
from satchel.core.quick_json import dumps
from satchel.core.trust import clean_line
from satchel.features.memories.approvals import held
from satchel.interfaces.cli.arguments import Options, parser_for, print_json
from satchel.interfaces.cli.awaiting import awaiting_text
from satchel.interfaces.rendering import size
from satchel.project.inventory import check_kinds
from satchel.workspace import Workspace

_SHOWN = 20


def export(words: Sequence[str]) -> int:
    """`satchel export FILE`."""
    parser = parser_for("export", "Export all durable data of this project into one archive.")
    parser.add_argument("path", help="NAME.tar.gz, a new directory, or `-` for standard output")
    parser.flag("--user", "your own data instead")
    parser.options("--kind", "only this kind of data; repeatable")
    parser.flag("--private", "include what is private, personal, or verbatim")
    parser.add_argument(
        "--format",
        choices=("archive", "agent-trace"),
        default="archive",
        help="agent-trace: which lines come from which session for certain, as JSON lines",
    )
    options = parser.parse_args(words)
    if options.format == "agent-trace":
        return _traces(options)
    check_kinds(options.kind)
    if options.path == "-" and options.json:
        raise BadInputError("--json and an archive cannot both go to standard output.")
    with options.opened() as workspace:
        made = collected(
            workspace, person=options.user, kinds=options.kind, private=options.private
        )
    if options.path == "-":
        stream_archive(sys.stdout.buffer, made.head, made.files)
        return 0
    write_archive(os.path.abspath(options.path), made.head, made.files)
    total = sum(entry.size for entry in made.files)
    if options.json:
        left = {"lines_left": made.lines_left, "files_left": made.files_left}
        return print_json({**made.head, "files": list(made.files), **left})
    print(
        f"Exported {counted(len(made.files), 'file')}, {size(total)}, to {clean_line(options.path)}"
    )
    if made.lines_left or made.files_left:
        left_files = counted(len(made.files_left), "file")
        print(f"Left out: {counted(made.lines_left, 'line')}, {left_files}: private, personal,")
        print("with a secret or not to be judged; --private includes them.")
        for name in made.files_left[:_SHOWN]:
            print(f"  {clean_line(name)}")
    return 0


def _traces(options: Options) -> int:
    from satchel.application.thread.agent_trace import trace_records

    if options.user or options.kind or options.private:
        raise BadInputError("--user, --kind and --private are for archives.")
    with options.opened() as workspace:
        lines = [dumps(record) + "\n" for record in trace_records(workspace)]
    if options.path == "-":
        sys.stdout.writelines(lines)
        return 0
    path = os.path.abspath(options.path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)
    return options.reply(
        {"records": len(lines), "path": path},
        f"Wrote {counted(len(lines), 'trace record')} to {clean_line(options.path)}",
    )


def import_archive(
    workspace: Workspace, path: str, kinds: Sequence[str], *, approvals: bool, as_json: bool
) -> int:
    """`satchel import` of an archive made by `export`."""
    check_kinds(kinds)
    done = take_in(workspace, path, kinds=kinds, approvals=approvals)
    waiting = len(held(workspace.memories))
    if as_json:
        return print_json({**done._asdict(), "waiting": waiting})
    known = f"{counted(done.known_lines, 'line')} and {counted(done.known_files, 'file')}"
    brought = f"{counted(done.lines, 'line')} and {counted(done.files, 'file')}"
    print(f"Imported {brought}; {known} were here already.")
    if waiting:
        print(awaiting_text(waiting))
    if done.purged:
        print(f"{counted(done.purged, 'line')} were purged or forgotten here and stay so.")
    for title, names in (
        ("Exist here with other content, left as they are", done.differ),
        ("Not imported", done.left),
    ):
        if names:
            print(f"{title}:")
            for name in names[:_SHOWN]:
                print(f"  {clean_line(name)}")
    return 0


COMMANDS = {"export": export}
