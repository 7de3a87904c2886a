"""The actions of `satchel tasks` that change a task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from satchel.application.learning.listening import task_comments
from satchel.core.errors import BadInputError
from satchel.core.excerpts import beginning
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.features.tasks.dialects import format_time
from satchel.features.tasks.index import TaskView, as_beads
from satchel.features.tasks.lifecycle import PENDING
from satchel.features.tasks.project_tasks import ProjectTasks
from satchel.features.tasks.values import KINDS, TYPES, Change
from satchel.interfaces.cli.arguments import Options, Parser, confirmed, content_from, moment_from
from satchel.interfaces.cli.tasks import text as told
from satchel.storage.ledger.record import Record

#: Options -> the fields of beads that they set.
_FIELDS = {
    "description": "description",
    "design": "design",
    "acceptance": "acceptance_criteria",
    "notes": "notes",
    "assignee": "assignee",
    "external_ref": "external_ref",
}


def actor_option(parser: Parser) -> None:
    """Add `--actor`."""
    parser.option("--actor", "who acts (BEADS_ACTOR, or git's user name)")


def add_actions(action: Any) -> None:
    """Add every action of this module to a parser."""
    _create(action)
    _update(action)
    close = action("close", "close tasks, with what was done", _do_close)
    close.add_argument("ids", nargs="+", metavar="ID")
    close.option("-r", "--summary", "--reason", "what was done", dest="summary")
    close.option("--session", "the session that did it")
    close.flag("--force", "even if something blocks it")
    reopen = action("reopen", "reopen a closed task", _do_reopen)
    reopen.add_argument("id")
    reopen.option("-r", "--reason", "why")
    claim = action("claim", "claim a task: of many who ask at once, one gets it", _do_claim)
    claim.add_argument("id", nargs="?", default="", help="without one, the first that is ready")
    comment = action("comment", "add a comment; `LEARNED: …` in it is remembered", _do_comment)
    comment.add_argument("id")
    comment.add_argument("text", nargs="*", help="or `-` for standard input")
    dep = action("dep", "add or remove a dependency between tasks", _do_dep)
    dep.add_argument("what", choices=("add", "remove", "rm"))
    dep.add_argument("id", help="the task that depends")
    dep.add_argument("on", metavar="ON", help="the task it depends on")
    dep.option("-t", "--type", f"blocks (default), {', '.join(KINDS[1:6])}")
    dep.option("--gate", "for waits-for: all-children or any-children")
    label = action("label", "add or remove labels", _do_label)
    label.add_argument("what", choices=("add", "remove"))
    label.add_argument("id")
    label.add_argument("labels", nargs="+", metavar="LABEL")
    delete = action("delete", "delete tasks; a tombstone keeps them from coming back", _do_delete)
    delete.add_argument("ids", nargs="+", metavar="ID")
    delete.option("-r", "--reason", "why")
    delete.flag("--force", "do not ask")
    for one in (close, reopen, claim, comment, dep, label, delete):
        actor_option(one)


def _create(action: Any) -> None:
    create = action("create", "create a task", _do_create)
    create.add_argument("words", nargs="*", metavar="TITLE")
    create.option("--title", "the title, instead of words")
    create.add_argument("-t", "--type", default="task", help=", ".join(TYPES[:5]) + ", …")
    create.add_argument("-p", "--priority", default="2", help="0 (critical) to 4 (backlog)")
    create.options("-l", "--labels", "--label", "labels, separated by commas")
    create.option("--parent", "the epic or task it is part of", metavar="ID")
    create.options("--blocks", "this waits for the new task", metavar="ID")
    create.options("--blocked-by", "the new task waits for this", metavar="ID")
    create.options("--discovered-from", "the task during which it was found", metavar="ID")
    create.options("--deps", "other dependencies, separated by commas", metavar="KIND:ID")
    create.option("--defer-until", "not ready before", metavar="WHEN")
    create.option("--id", "this id instead of a new one")
    create.flag("--silent", "print only the id")
    _texts(create)
    actor_option(create)


def _update(action: Any) -> None:
    update = action("update", "change a task", _do_update)
    update.add_argument("ids", nargs="+", metavar="ID")
    told = "open, in_progress, blocked, deferred, closed, a state of The Foundation, or your own"
    update.option("-s", "--status", told)
    update.add_argument("--title", default=None, help="another title")
    update.add_argument("-t", "--type", default=None, help="another type")
    update.add_argument("-p", "--priority", default=None, help="0 (critical) to 4 (backlog)")
    update.option("--append-notes", "add a line to the notes")
    update.options("--add-label", "add a label")
    update.options("--remove-label", "remove a label")
    update.options("--set-metadata", "set a key of its metadata", metavar="KEY=VALUE")
    update.options("--unset-metadata", "remove a key", metavar="KEY")
    update.add_argument("--parent", default=None, metavar="ID", help="part of this; none for ''")
    update.option("--defer-until", "not ready before; '' for now", default=None, metavar="WHEN")
    update.flag("--claim", "take it")
    update.flag("--force", "close it even if it is blocked")
    _texts(update, default=None)
    actor_option(update)


def _texts(parser: Parser, *, default: str | None = "") -> None:
    parser.add_argument("-d", "--description", default=default, help="what it is about")
    parser.add_argument("--design", default=default, help="design: how it is to be done")
    parser.add_argument("--acceptance", default=default, help="acceptance criteria")
    parser.add_argument("--notes", default=default, help="notes")
    parser.add_argument("-a", "--assignee", "--assigned-to", default=default, help="who has it")
    parser.add_argument("--external-ref", default=default, help="its id elsewhere: gh-9")


def print_tasks(found: Sequence[TaskView], options: Options, done: str) -> int:
    """Print changed tasks; in JSON as an array, as bd does."""
    return options.reply(
        [as_beads(one) for one in found],
        *(f"{done} {told.line(one, options.style)}" for one in found),
    )


def _listed(texts: Sequence[str]) -> list[str]:
    return [one.strip() for text in texts for one in text.split(",") if one.strip()]


def _when(given: str) -> str:
    return format_time(moment_from(given))


def _do_create(tasks: ProjectTasks, options: Options) -> int:
    if options.title and options.words:
        raise BadInputError("The title was given twice.", hint="Leave out --title or the words.")
    title = options.title or " ".join(options.words)
    links = [("parent-child", options.parent)] if options.parent else []
    links += [("blocks-it", one) for one in _listed(options.blocks)]
    links += [("blocks", one) for one in _listed(options.blocked_by)]
    links += [("discovered-from", one) for one in _listed(options.discovered_from)]
    for one in _listed(options.deps):
        kind, colon, ident = one.partition(":")
        links.append((kind, ident) if colon else ("blocks", kind))
    fields: dict[str, Any] = {
        field: getattr(options, name) for name, field in _FIELDS.items() if getattr(options, name)
    }
    fields |= {"issue_type": options.type, "priority": options.priority}
    fields |= {"labels": _listed(options.labels)} if options.labels else {}
    fields |= {"defer_until": _when(options.defer_until)} if options.defer_until else {}
    fields |= {"id": options.id} if options.id else {}
    made = tasks.create(title, links=links, **fields)
    return options.reply(
        as_beads(made),
        (clean_line(made.id) if options.silent else f"created {told.line(made, options.style)}"),
    )


def _do_update(tasks: ProjectTasks, options: Options) -> int:
    fields: dict[str, Any] = {
        field: getattr(options, name) or None
        for name, field in _FIELDS.items()
        if getattr(options, name) is not None
    }
    given = {"title": options.title, "issue_type": options.type, "priority": options.priority}
    fields |= {name: value for name, value in given.items() if value is not None}
    if options.defer_until is not None:
        fields["defer_until"] = _when(options.defer_until) if options.defer_until else None
    pairs = []
    for one in options.set_metadata:
        name, equals, value = one.partition("=")
        if not (name and equals):
            raise BadInputError(
                f"{one[:60]!r} is not of the form KEY=VALUE.", hint="--set-metadata key=value"
            )
        pairs.append((name, value))
    wanted = Change(
        fields,
        options.status,
        options.append_notes,
        add_labels=tuple(_listed(options.add_label)),
        remove_labels=tuple(_listed(options.remove_label)),
        put_metadata=tuple(pairs),
        take_metadata=tuple(options.unset_metadata),
        parent=options.parent,
    )
    if wanted == Change({}) and not options.claim:
        raise BadInputError("Nothing was given to change.", hint="`satchel tasks update --help`.")
    found = []
    for ident in dict.fromkeys(options.ids):
        shown = tasks.claim(ident) if options.claim else None
        if wanted != Change({}):
            shown = tasks.apply(ident, wanted, force=options.force)
        found += [shown] if shown is not None else []
    said = "\n".join(filter(None, (options.notes, options.append_notes)))
    taught = task_comments.learn_from_words(options.workspace, tasks, found[0].id, said)
    print_tasks(found, options, "updated")
    show_remembered(taught, options)
    return 0


def _do_close(tasks: ProjectTasks, options: Options) -> int:
    before = {one.id for one in tasks.view.ready()}
    how = {"session": options.session, "force": options.force}
    work = options.workspace
    found, taught = task_comments.close(work, tasks, options.ids, options.summary, **how)
    print_tasks(found, options, "closed")
    show_remembered(taught, options)
    for one in [] if options.json else tasks.view.ready():
        if one.id not in before and one.stage == PENDING:
            options.say(f"now ready: {told.line(one, options.style)}")
    return 0


def _do_reopen(tasks: ProjectTasks, options: Options) -> int:
    return print_tasks([tasks.reopen(options.id, options.reason)], options, "reopened")


def _do_claim(tasks: ProjectTasks, options: Options) -> int:
    return print_tasks([tasks.claim(options.id)], options, "claimed")


def _do_dep(tasks: ProjectTasks, options: Options) -> int:
    if options.what == "add":
        shown = tasks.depend(options.id, options.on, options.type or "blocks", gate=options.gate)
    else:
        shown = tasks.undepend(options.id, options.on, options.type)
    return print_tasks([shown], options, "changed")


def _do_label(tasks: ProjectTasks, options: Options) -> int:
    labels = tuple(_listed(options.labels))
    add, remove = (labels, ()) if options.what == "add" else ((), labels)
    change = Change({}, add_labels=add, remove_labels=remove)
    return print_tasks([tasks.apply(options.id, change)], options, "labelled")


def _do_delete(tasks: ProjectTasks, options: Options) -> int:
    what = counted(len(options.ids), "task") if options.ids[1:] else "this task"
    question = f"Delete {what}?"
    if not confirmed(question, yes=options.force):
        raise BadInputError("Nothing was deleted.", hint="--force deletes without asking.")
    gone = tasks.delete(options.ids, options.reason)
    return options.reply(
        {"deleted": gone},
        f"deleted {', '.join(clean_line(one) for one in gone)}; a tombstone stays",
    )


def show_remembered(taught: Sequence[Record], options: Options) -> None:
    """Print what was remembered."""
    for one in taught:
        options.say(f"remembered as {one.kind}: {beginning(clean_line(one.content), 100)}")


def _do_comment(tasks: ProjectTasks, options: Options) -> int:
    """Comment on a task."""
    said = content_from(options.text, missing="The comment is empty.")
    shown, taught = task_comments.comment(options.workspace, tasks, options.id, said)
    options.say(f"commented {told.line(shown, options.style)}")
    show_remembered(taught, options)
    memories = [{"id": one.id, "kind": one.kind, "key": one.key} for one in taught]
    comment = (shown.data.get("comments") or [{}])[-1]
    return options.done({**comment, "issue_id": shown.id, "remembered": memories})


def do_learn(_: ProjectTasks, options: Options) -> int:
    """Remember lessons from other people's comments."""
    taught = task_comments.learn_from_comments(options.workspace)
    for one in taught:
        said = beginning(clean_line(one.content), 100)
        options.say(f"remembered as {one.kind}: {said} ({clean_line(one.task)})")
    if not taught:
        options.say("The comments contain no new lessons.")
    fields = ("id", "kind", "key", "task")
    return options.done([{name: getattr(one, name) for name in fields} for one in taught])
