"""`satchel tasks` actions on all tasks: files, merged lines, git, a team's server."""

from __future__ import annotations

import os
import sys

from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.features.tasks.files import LARGEST
from satchel.features.tasks.project_tasks import ProjectTasks
from satchel.interfaces.cli.arguments import AddAction, Options
from satchel.interfaces.cli.tasks.changes import do_learn
from satchel.storage.files import not_usable, open_file, replace_file


def add_actions(action: AddAction) -> None:
    """Add every action of this module to a parser."""
    importing = action("import", "import beads' JSON Lines without losing any", _do_import)
    importing.add_argument("file", metavar="FILE", help="or `-` for standard input")
    importing.flag("--dry-run", "only show what would be imported")
    export = action("export", "export every task as beads' JSON Lines", _do_export)
    export.option("-o", "--output", "instead of printing", metavar="FILE")
    action("learn", "remember new lessons from others' comments", do_learn)
    action("merge", "join lines of one task that a merge of branches left behind", _do_merge)
    sync = action("sync", "commit the tasks' file; publish to your team's server", _do_sync)
    sync.option("-m", "--message", "of the commit")
    sync.flag("--no-publish", "do not publish to the team's server")


def _do_import(tasks: ProjectTasks, options: Options) -> int:
    done = tasks.import_lines(_content(options.file), dry_run=options.dry_run)
    if done is None:
        return options.reply({"imported_by": "bd"}, "bd imported them.")
    would = "would be " if options.dry_run else ""
    options.say(
        f"{done.new} {would}new, {done.changed} {would}changed, {done.unchanged} as they were"
        f"; {done.tombstones} tombstones"
    )
    if done.foreign:
        options.say(f"{done.foreign} lines of other kinds are kept beside them")
    if done.damaged:
        numbers = ", ".join(map(str, done.damaged[:10]))
        options.warn(f"left out, not issues: {counted(len(done.damaged), 'line')}: {numbers}")
    return options.done(done)


def _content(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read(LARGEST + 1)
    try:
        with open_file(path) as file:
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        raise NotFoundError(f"There is no {path}.", hint="Give a file of JSON lines.") from None
    except OSError as error:
        raise not_usable(path, error, writing=False) from None
    if len(data) > LARGEST:
        raise BadInputError(f"{path} has more than {LARGEST // 1024 // 1024} MB.")
    return data


def _do_export(tasks: ProjectTasks, options: Options) -> int:
    data = tasks.export_lines()
    count = data.count(b"\n")
    if not options.output:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return 0
    if os.path.lexists(options.output) and not os.path.isfile(options.output):
        raise BadInputError(f"{options.output} is not an ordinary file.", hint="Name another one.")
    replace_file(os.path.abspath(options.output), data, mode=0o644)
    return options.reply(
        {"path": options.output, "lines": count},
        f"{counted(count, 'line')} written to {options.output}",
    )


def _do_merge(tasks: ProjectTasks, options: Options) -> int:
    merged = tasks.merge()
    if merged:
        options.say(f"{len(merged)} merged: {clean_line(', '.join(merged[:20]))}")
    else:
        options.say("Nothing to merge: each task has one line.")
    return options.done({"merged": merged})


def _do_sync(tasks: ProjectTasks, options: Options) -> int:
    from satchel.application.exchange.team import TeamExchange
    from satchel.features.tasks.sync import sync_tasks

    work = options.workspace
    team = None if options.no_publish else work.memories.stores.team
    publish = None if team is None else TeamExchange(work, team).publish_tasks
    done = sync_tasks(tasks, options.message, publish=publish)
    if done.commit:
        options.say(f"committed {', '.join(done.paths)} as {done.commit}")
    else:
        options.say(done.waits)
    if done.published >= 0:
        options.say(f"{counted(done.published, 'task')} published to the team's server")
    return options.done(done)
