"""`satchel intent`: the project's intent, its anchors, and the tasks linked to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from satchel.core.errors import BadInputError
from satchel.core.plurals import counted
from satchel.core.trust import clean_line, clean_text
from satchel.features.intent.excerpt import excerpt
from satchel.features.intent.finding import below, name_of
from satchel.features.intent.service import ProjectIntent
from satchel.features.intent.values import PRIMARY, RELATED, Intent, IntentSection, Link
from satchel.interfaces.cli.arguments import Options, parser_for
from satchel.interfaces.cli.awaiting import warn_unapproved
from satchel.interfaces.rendering import picked


def intent(words: Sequence[str]) -> int:
    """`satchel intent show|anchors|link|unlink|links|check|new`."""
    parser = parser_for("intent", "What this project is for: PROJECT_INTENT.md and its anchors.")
    action = parser.actions()
    show = action("show", "show the document, a section, or what a task gets", _show)
    show.add_argument("anchor", nargs="?", default="", help="only this section, and what is below")
    show.option("--task", "what an agent that works on this task gets")
    show.count("--max-tokens", "its budget, tokens (intent.max_tokens)")
    action("anchors", "list sections with their anchors", _anchors)
    link = action("link", "link a task to a section", _link)
    link.add_argument("task")
    link.add_argument("anchor")
    link.flag("--related", "the task only touches it")
    link.option("--note", "why")
    link.add_argument("--by", default="user", help="user (default) or agent")
    unlink = action("unlink", "remove a link", _unlink)
    unlink.add_argument("task")
    unlink.add_argument("anchor", nargs="?", default="", help="without one, all of the task's")
    links = action("links", "list links", _links)
    links.option("--task", "only of this task")
    links.option("--anchor", "only to this section")
    action("check", "find duplicate, orphan and broken anchors; exit 1 for any", _check)
    action("new", "write a first document", _new).option("--name", "name of the project")
    options = parser.parse_args(words)
    with options.opened() as workspace:
        warn_unapproved(options, workspace, workspace.project.tracked.intent)
        return options.act(workspace.intent)


def _show(project: ProjectIntent, options: Options) -> int:
    if options.task or options.max_tokens:
        if options.anchor:
            raise BadInputError(
                "An anchor and --task exclude each other.", hint="Leave one of them out."
            )
        project.read()
        made = project.excerpt(task=options.task, budget=options.max_tokens)
        told = {"text": made.text, "tokens": made.tokens, "linked": list(made.linked)}
        told |= {"shown": len(made.shown), "omitted": len(made.omitted)}
        return options.reply(told, clean_text(made.text))
    document = project.read()
    chosen = document.sections
    if options.anchor:
        section = project.section(options.anchor)
        chosen = (section, *below(document, section.number))
    whole = excerpt(document._replace(sections=_renumbered(chosen)), budget=10**9)
    return options.reply(_document(document, chosen), clean_text(whole.text.partition("\n\n")[2]))


def _renumbered(chosen: Sequence[IntentSection]) -> tuple[IntentSection, ...]:
    numbers = {section.number: number for number, section in enumerate(chosen)}
    return tuple(
        s._replace(number=numbers[s.number], parent=numbers.get(s.parent, -1)) for s in chosen
    )


def _document(document: Intent, chosen: Sequence[IntentSection]) -> dict[str, Any]:
    return {
        "version": clean_line(document.version),
        "created_at": clean_line(document.created_at),
        "updated_at": clean_line(document.updated_at),
        "hash": document.hash,
        "sections": [
            {
                **picked(s, "anchor", "path", "level", "line"),
                "title": clean_line(s.title),
                "text": clean_text(s.body),
            }
            for s in chosen
        ],
        "problems": document.problems,
    }


def _anchors(project: ProjectIntent, options: Options) -> int:
    document = project.read()
    linked: dict[str, list[str]] = {}
    for link in project.links.all():
        linked.setdefault(link.anchor, []).append(link.task)
    heads = [s for s in document.sections if s.level]
    style = options.style
    width = max((len(name_of(s)) for s in heads), default=0)
    for s in heads:
        tasks = clean_line(", ".join(linked.get(s.anchor, []) if s.anchor else []))
        name = s.anchor or style.dim(f"({s.path})")
        pad = " " * (width - len(s.anchor or f"({s.path})"))
        tail = style.dim(f"  <- {tasks}") if tasks else ""
        options.say(f"{name}{pad}  {'  ' * (s.level - 1)}{clean_line(s.title)}{tail}")
    if not heads:
        options.say("The document has no headings.")
    rows = [{**picked(s, "anchor", "path", "line"), "title": clean_line(s.title)} for s in heads]
    return options.done([{**row, "tasks": linked.get(row["anchor"], [])} for row in rows])


def _link(project: ProjectIntent, options: Options) -> int:
    how = RELATED if options.related else PRIMARY
    wanted = Link(
        options.task, options.anchor, how, added_at="", added_by=options.by, note=options.note
    )
    kept, new = project.link(wanted)
    done = "linked" if new else "linked already, now renewed"
    options.say(f"{clean_line(kept.task)} {done}: {kept.anchor} ({kept.relevance})")
    return options.done({**_link_json(kept), "new": new})


def _unlink(project: ProjectIntent, options: Options) -> int:
    gone = project.links.remove(options.task, options.anchor)
    options.say(f"{counted(gone, 'link')} of {clean_line(options.task)} removed")
    return options.done({"removed": gone})


def _links(project: ProjectIntent, options: Options) -> int:
    found = [
        link
        for link in project.links.all()
        if options.task in ("", link.task) and options.anchor in ("", link.anchor)
    ]
    if options.json:
        return options.done([_link_json(link) for link in found])
    for link in found:
        note = f"  {clean_line(link.note)}" if link.note else ""
        who = f"{link.added_by} {link.added_at[:10]}".strip()
        print(
            f"{clean_line(link.task)}  {link.relevance:<7}  {clean_line(link.anchor)}{note}"
            f"  ({clean_line(who)})"
        )
    damage = project.links.damage()
    if not found and not damage:
        print("No links yet: `satchel intent link TASK ANCHOR`.")
    if damage:
        raise BadInputError(damage, hint="Nothing is lost: fix the file by hand.")
    return 0


def _link_json(link: Link) -> dict[str, str]:
    return {
        "task": clean_line(link.task),
        "anchor": clean_line(link.anchor),
        "relevance": link.relevance,
        "added_at": clean_line(link.added_at),
        "added_by": clean_line(link.added_by),
        "note": clean_text(link.note),
    }


def _check(project: ProjectIntent, options: Options) -> int:
    problems = project.check()
    for one in problems:
        where = f"line {one.line}: " if one.line else ""
        options.say(f"{where}{one.kind}: {clean_line(one.text)}\n  {clean_line(one.hint)}")
    if not problems:
        count = sum(bool(s.anchor) for s in project.read().sections)
        options.say(f"{count} anchors, nothing wrong.")
    return options.done(
        [{k: clean_text(str(v)) for k, v in p._asdict().items()} for p in problems],
        1 if problems else 0,
    )


def _new(project: ProjectIntent, options: Options) -> int:
    path = project.create(options.name)
    return options.reply(
        {"path": path}, f"{path} written. Fill it in, then `satchel intent check`."
    )
