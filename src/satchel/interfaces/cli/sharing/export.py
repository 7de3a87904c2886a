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
from satchel.interfaces.cli.arguments import Options, parser_for
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
    options.say(
        f"Exported {counted(len(made.files), 'file')}, {size(total)}, to {clean_line(options.path)}"
    )
    if made.lines_left or made.files_left:
        left_files = counted(len(made.files_left), "file")
        options.say(
            f"Left out: {counted(made.lines_left, 'line')}, {left_files}: private, personal,"
        )
        options.say("with a secret or not to be judged; --private includes them.")
        for name in made.files_left[:_SHOWN]:
            options.say(f"  {clean_line(name)}")
    left = {"lines_left": made.lines_left, "files_left": made.files_left}
    return options.done({**made.head, "files": list(made.files), **left})


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


def import_archive(workspace: Workspace, path: str, options: Options) -> int:
    """`satchel import` of an archive made by `export`."""
    check_kinds(options.kind)
    done = take_in(workspace, path, kinds=options.kind, approvals=options.approvals)
    waiting = len(held(workspace.memories))
    known = f"{counted(done.known_lines, 'line')} and {counted(done.known_files, 'file')}"
    brought = f"{counted(done.lines, 'line')} and {counted(done.files, 'file')}"
    options.say(f"Imported {brought}; {known} were here already.")
    if waiting:
        options.say(awaiting_text(waiting))
    if done.purged:
        options.say(f"{counted(done.purged, 'line')} were purged or forgotten here and stay so.")
    for title, names in (
        ("Exist here with other content, left as they are", done.differ),
        ("Not imported", done.left),
    ):
        if names:
            options.say(f"{title}:")
            for name in names[:_SHOWN]:
                options.say(f"  {clean_line(name)}")
    return options.done({**done._asdict(), "waiting": waiting})


COMMANDS = {"export": export}
