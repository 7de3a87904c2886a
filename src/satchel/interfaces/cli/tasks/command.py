"""`satchel tasks`: the issue graph; `satchel bd`: the same with bd's arguments and JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from satchel.application.learning.listening.task_comments import dispatches
from satchel.core.errors import (
    AmbiguousIdError,
    BadInputError,
    BusyError,
    ConflictError,
    NotFoundError,
    SatchelError,
)
from satchel.core.plurals import counted
from satchel.core.quick_json import dumps
from satchel.core.trust import clean_line
from satchel.engine.search.source_reader import why_refused
from satchel.features.tasks.editing import priority_from
from satchel.features.tasks.files import PartlyDoneError
from satchel.features.tasks.index import TaskFilter, TaskView, as_beads, with_neighbours
from satchel.features.tasks.issue_graph import SORTS
from satchel.features.tasks.lifecycle import STATES
from satchel.features.tasks.project_tasks import ProjectTasks
from satchel.features.tasks.values import EPIC
from satchel.features.tasks.view import statuses_from
from satchel.interfaces.cli.arguments import Options, Parser, count_from, moment_from, parser_for
from satchel.interfaces.cli.awaiting import warn_unapproved
from satchel.interfaces.cli.tasks import bulk_actions
from satchel.interfaces.cli.tasks import changes as change
from satchel.interfaces.cli.tasks import text as told
from satchel.interfaces.rendering import cleaned

_READY, _LISTED = 100, 50
#: bd's names for our errors, in its JSON.
_CODES = (
    (NotFoundError, "not_found"),
    (AmbiguousIdError, "ambiguous_id"),
    (ConflictError, "conflict"),
    (BusyError, "busy"),
    (BadInputError, "invalid_input"),
)


def task(words: Sequence[str]) -> int:
    """`satchel tasks ready|show|list|create|update|close|…`."""
    return _run("tasks", words)


def bd(words: Sequence[str]) -> int:
    """`satchel bd ready|show|create|update|close|sync`, for agents that know bd.

    Every refusal ends with exit code 1, as in bd; with `--json`, in bd's JSON.
    """
    try:
        return _run("bd", words)
    except SatchelError as error:
        if "--json" in words:
            code = next((name for kind, name in _CODES if isinstance(error, kind)), "error")
            text = cleaned({"schema_version": 1, "error": str(error), "code": code})
            print(dumps({**text, "hint": error.hint} if error.hint else text), file=sys.stderr)
        else:
            print(f"Error: {clean_line(str(error))}", file=sys.stderr)
            if error.hint:
                print(f"hint: {clean_line(error.hint)}", file=sys.stderr)
        return 1


def _run(name: str, words: Sequence[str]) -> int:
    options = _parser(name).parse_args(words)
    with (
        options.opened() as workspace,
        ProjectTasks(workspace.project, getattr(options, "actor", "")) as tasks,
    ):
        if options.action in _SHOWING:
            warn_unapproved(options, workspace, *workspace.project.tracked.tasks)
        try:
            code = options.act(tasks)
        except PartlyDoneError as error:
            # Each task that was not refused is done, and reported.
            if error.done:
                shown = [tasks.view.show(one)[0] for one in error.done]
                change.print_tasks(shown, options, "closed")
            for name_, one in list(error.refused.items())[1:]:
                options.warn(f"{clean_line(name_)}: {clean_line(str(one))}")
            raise
        return code


def _parser(name: str) -> Parser:
    parser = parser_for(name, "Tasks: what is ready, what blocks what.")
    action = parser.actions()
    ready = action("ready", "what can be started now, most urgent first", _ready)
    _filters(ready)
    ready.add_argument("--sort", default=SORTS[0], help=f"{', '.join(SORTS)}")
    ready.flag("--claim", "claim the first of them")
    change.actor_option(ready)
    show = action("show", "show tasks with what they wait for and what waits for them", _show)
    show.add_argument("ids", nargs="+", metavar="ID")
    listing = action("list", "list tasks; closed ones with --all or --status closed", _list)
    _filters(listing)
    listing.options("-s", "--status", "only in this state")
    listing.flag("--all", "closed ones too")
    listing.option("--title", "only with this in the title")
    listing.option("--updated-after", "changed since then", metavar="WHEN")
    epic = action("epic", "list epics with how far they are, or one with its tasks", _epic)
    epic.add_argument("id", nargs="?", default="")
    action("states", "count tasks by stage", _states)
    action("check", "find damaged lines, duplicate ids, cycles; exit 1 for any", _check)
    change.add_actions(action)
    bulk_actions.add_actions(action)
    return parser


def _filters(parser: Parser) -> None:
    parser.option("-n", "--limit", "how many (ready 100, list 50; 0 all)")
    parser.option("-p", "--priority", "only of this priority, 0 to 4")
    parser.option("-a", "--assignee", "only of this person or agent")
    parser.flag("-u", "--unassigned", "only unassigned tasks")
    parser.options("-l", "--label", "only with this label")
    parser.option("-t", "--type", "only of this type")
    parser.option("--parent", "only below this epic or task", metavar="ID")


def _only(options: Options) -> TaskFilter:
    labels = [one.strip() for text in options.label for one in text.split(",") if one.strip()]
    return TaskFilter(
        priority=priority_from(options.priority) if options.priority else -1,
        assignee=options.assignee,
        unassigned=options.unassigned,
        labels=tuple(labels),
        issue_type=options.type,
        parent=options.parent,
    )


def _limit(options: Options, usual: int) -> int:
    if not options.limit:
        return usual
    return 0 if options.limit == "0" else count_from(options.limit, "--limit")


def _nothing_ready(tasks: ProjectTasks) -> str:
    if tasks.view.listed(limit=1):
        return "Nothing is ready. `satchel tasks list` shows what blocks the others."
    return 'No open tasks. `satchel tasks create "TITLE"` makes one.'


def _ready(tasks: ProjectTasks, options: Options) -> int:
    if options.claim:
        return change.print_tasks([tasks.claim(sort=options.sort)], options, "claimed")
    limit = _limit(options, _READY)
    found = tasks.view.ready(_only(options), sort=options.sort, limit=limit)
    return _print_listed(tasks, options, found, limit, "" if found else _nothing_ready(tasks))


def _print_listed(
    tasks: ProjectTasks, options: Options, found: Sequence[TaskView], limit: int, nothing: str
) -> int:
    for one in found:
        options.say(told.line(one, options.style))
    if not found:
        options.say(nothing)
    elif limit and len(found) == limit:
        options.say(f"The first {limit}; --limit 0 shows all.")
    _warn(tasks, options)
    return options.done([as_beads(one) for one in found])


def _show(tasks: ProjectTasks, options: Options) -> int:
    found = [tasks.view.show(one) for one in options.ids]
    style = options.style
    sent = {} if options.json else dispatches(options.workspace)
    for number, one in enumerate(found):
        options.say(("\n" if number else "") + told.whole(*one, style))
        for line in sent.get(one[0].id, ()):
            options.say(style.dim(clean_line(line)))
    _warn(tasks, options)
    return options.done([with_neighbours(*one) for one in found])


def _list(tasks: ProjectTasks, options: Options) -> int:
    only = _only(options)._replace(
        statuses=statuses_from(options.status, everything=options.all),
        words=options.title,
        since=moment_from(options.updated_after) if options.updated_after else 0.0,
    )
    limit = _limit(options, _LISTED)
    found = tasks.view.listed(only, limit=limit)
    some = found or tasks.view.stages()
    none = "No tasks match." if some else "No tasks yet: `satchel tasks create TITLE`."
    return _print_listed(tasks, options, found, limit, none)


def _epic(tasks: ProjectTasks, options: Options) -> int:
    style = options.style
    if options.id:
        shown, _, _ = tasks.view.show(options.id)
        below = tasks.view.listed(TaskFilter(parent=shown.id))
        count, done = tasks.view.children(shown.id)
        options.say(told.line(shown, style) + f"  {done} of {count} closed")
        for one in below:
            options.say("  " + told.line(one, style))
        rows = [as_beads(one) for one in below]
        return options.done({**as_beads(shown), "children": rows, "total": count, "closed": done})
    found = tasks.view.listed(TaskFilter(issue_type=EPIC))
    epics = [(one, *tasks.view.children(one.id)) for one in found]
    for one, count, done in epics:
        ends = "; it can be closed" if count and count == done and one.stage != "completed" else ""
        options.say(f"{told.line(one, style)}  {done} of {count} closed{ends}")
    if not epics:
        options.say("No epics yet: `satchel tasks create TITLE --type epic`.")
    rows = [{**as_beads(one), "total": count, "closed": done} for one, count, done in epics]
    return options.done(rows)


def _states(tasks: ProjectTasks, options: Options) -> int:
    counts = tasks.view.stages()
    for state, meaning in STATES.items():
        options.say(f"{state:<12} {counts.get(state, 0):>6}  {options.style.dim(meaning)}")
    return options.done({state: counts.get(state, 0) for state in STATES})


def _check(tasks: ProjectTasks, options: Options) -> int:
    problems = tasks.view.problems()
    for one in problems:
        options.say(
            f"{clean_line(one.path)}: {clean_line(one.what)}\n  {clean_line(one.next_step)}"
        )
    if not problems:
        options.say(f"{counted(sum(tasks.view.stages().values()), 'task')}, nothing wrong.")
    return options.done(problems, 1 if problems else 0)


def _warn(tasks: ProjectTasks, options: Options) -> None:
    """Warn that the answer may be stale, as bd did not answer, or that a file is not read."""
    if tasks.view.is_stale:
        options.warn("bd keeps these tasks and did not answer: this is its last export.")
    for path in options.workspace.project.tracked.tasks:
        if why := why_refused(path):
            options.warn(f"{clean_line(path)} {why}: its tasks are missing here.")


#: Actions that print what tasks say.
_SHOWING = ("ready", "show", "list", "epic")
