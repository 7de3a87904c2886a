"""`memory`, `list`, `show`: look at memories, correct and hide them."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from satchel.core.excerpts import beginning
from satchel.core.ids import short_id
from satchel.core.kinds import BY_THE_WAY, KINDS, kind_named
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.engine.search.documents import Filter
from satchel.interfaces.cli.arguments import (
    Options,
    confirmed,
    moment_from,
    parser_for,
    print_json,
    terminal_width,
)
from satchel.interfaces.cli.instructions.about_files import about_files
from satchel.interfaces.cli.memories.correcting import edit
from satchel.interfaces.cli.naming import led_on, named
from satchel.interfaces.list_rendering import list_text
from satchel.interfaces.rendering import record_json, record_text, said_of
from satchel.project.place import may_be_joined
from satchel.storage.inbox.faults import worked_around
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace

#: Every session leaves one: in the first weeks a plain list would have little else.
_CHECKPOINT = "checkpoint"
#: Rules are mostly kept in places other than memories.
_RULE, _RULES = (
    "constraint",
    ("Soft rules: `satchel rules`. CLAUDE.md, AGENTS.md and the like: `satchel instructions`."),
)


def memory(words: Sequence[str]) -> int:
    """`satchel memory list|show|edit|delete|restore|history|facts`; of files: show, add, ..."""
    if about_files(words):
        from satchel.interfaces.cli.instructions.command import instructions

        return instructions(words, "memory")
    parser = parser_for(
        "memory",
        "Look at memories, correct and hide them. Without an id `show` and `edit` are for "
        "instruction files, as are `list --files`, add, refresh, stats, trust and watch; see "
        "`satchel instructions --help`.",
    )
    action = parser.actions(metavar=None)
    listing = action("list", "list memories, newest first; --files: instruction files", _list)
    listing.words("named", "only these kinds: lessons, decisions, rules, ...", metavar="KIND")
    listing.options("--kind", "only this kind")
    listing.option("--task", "only of this task")
    listing.option("--epic", "only of this epic")
    listing.option("--tag", "only with this tag")
    listing.option("--since", "only written since then", metavar="TIME")
    listing.count("--limit", "how many (20)", default=20)
    listing.flag("--all", "include deleted and expired ones")
    listing.option("--at", "as they were at this time", metavar="TIME")
    showing = action("show", "show one memory; without an id: instruction files", _show)
    showing.description = (
        "Show one memory. Without an id: the instruction files, which take --client, "
        "--beyond, --model, --budget, --touching, --agent, --requested and --text; "
        "`satchel instructions show --help` tells them."
    )
    showing.add_argument("id", help="id, its beginning, or key")
    action("history", "show every version of it", _history).memory("history")
    deleting = action("delete", "delete a memory; its history stays", _delete)
    deleting.memory("hide")
    deleting.flag("--yes", "do not ask")
    deleting.flag("--share", "for colleagues too, if shared")
    editing = action("edit", "correct a memory; earlier versions stay", edit)
    editing.add_argument("id", help="id, its beginning, or key")
    editing.add_argument("content", nargs="*", help="the new text; without it your editor opens")
    editing.add_argument("--content", "--text", dest="given", help="the same, as an option")
    editing.option("--kind", "make it one of another kind: rule, decision, ...")
    action("restore", "bring a deleted memory back", _restore).memory("restore")
    facts = action("facts", "list facts that hold, or that held at a time", _facts)
    facts.option("--as-of", "facts that held at this time", metavar="TIME")
    facts.option("--about", "only with this subject")
    scoped = action("scoped", "show memories that matter to a task", _scoped)
    scoped.option("--task", "id of the task")
    options = parser.parse_args(words)
    with options.opened() as workspace:
        return options.act(workspace)


def _list(workspace: Workspace, options: Options) -> int:
    options.kind += options.named
    only = Filter(
        kinds=tuple(_kind_or_foreign(k) for k in options.kind),
        task=options.task,
        epic=options.epic,
        tag=options.tag,
        since=int(moment_from(options.since)) if options.since else 0,
    )
    if options.at:
        from satchel.application.history.time_travel import listed_at

        items = listed_at(workspace, moment_from(options.at), only, options.limit)
    else:
        plain = not (options.json or options.kind or options.all)
        if plain:
            only = only._replace(without=(*BY_THE_WAY, _CHECKPOINT))
        items = workspace.memories.list(only, options.limit, all_versions=options.all)
        if plain and not items:
            only = only._replace(without=BY_THE_WAY)
            items = workspace.memories.list(only, options.limit)
    records = [item.record for item in items]
    states = {} if options.at else workspace.branches.states(records, wait=True)
    if options.json:
        told = {name: {"git": one._asdict()} for name, one in states.items()}
        return print_json(
            [{**record_json(i.record, i.source), **told.get(i.record.id, {})} for i in items]
        )
    replaced = workspace.memories.replaced(items)
    now = workspace.project.clock.now()
    away = {name: one.briefly for name, one in states.items()}
    gone = [one for one in records if one.deleted_at is not None]
    before = {one.id: _said_before(workspace, one) for one in gone}
    shown = list_text(
        items, options.style, now, terminal_width(), replaced=replaced, before=before, away=away
    )
    print(shown or _nothing(workspace, only))
    total = 0 if options.at or options.all else workspace.memories.count(only)
    if total > len(items):
        print(f"{len(items):,} of {total:,}, newest first; --limit {total} lists all.")
    if _CHECKPOINT in only.without:
        left_out = workspace.memories.count(only._replace(kinds=(_CHECKPOINT,), without=()))
        if left_out:
            print(f"{counted(left_out, 'checkpoint')} more: `satchel list --kind checkpoint`.")
    return 0


def _said_before(workspace: Workspace, deleted: Record) -> str:
    """Return a deleted memory's text, since its last line has none."""
    versions = workspace.memories.history(deleted.id)
    return next((said_of(one.record) for one in versions if one.record.content), "")


def _nothing(workspace: Workspace, only: Filter) -> str:
    """Say that a list is empty, and what else exists or waits for approval."""
    from satchel.application.outlet import Outlet

    every = workspace.memories.count(Filter(without=BY_THE_WAY))
    # What was worked around is told below this: a ledger may be gone.
    none = 'Nothing is remembered yet. Start with `satchel remember "..."`.'
    told = [] if every else ["Nothing is left to list." if worked_around else none]
    waiting = Outlet(workspace).waiting_lines()
    if waiting:
        shared = counted(waiting, "shared memory waits", "shared memories wait")
        rest = f"{shared} for your approval; `satchel approve` shows them."
        told = [rest if every else f"Nothing to list yet: {rest}"]
    kinds = " or ".join(KINDS[k].noun if k in KINDS else k for k in only.kinds)
    if not every and may_be_joined(workspace.project.state.identity):
        told.append("Private memory that may belong to this project is apart: `satchel join`.")
    if every or kinds:
        told.insert(0, f"No memory is of the kind {kinds}." if kinds else "No memory matches.")
    if every:
        told.append(f"`satchel list` shows {counted(every, 'other')}.")
    return "\n".join([*told, *([_RULES] if _RULE in only.kinds else [])])


def _kind_or_foreign(text: str) -> str:
    """Parse a kind, including kinds that only foreign ledgers use."""
    return text if text in ("investigation", "pattern", "injection") else kind_named(text).name


def _show(workspace: Workspace, options: Options) -> int:
    item = named(workspace, options.id)  # programs get what they named
    shown, told = led_on(workspace, item)
    text = record_text(shown, options.style, workspace.project.clock.now())
    return options.reply(record_json(item.record, item.source), *told, text)


def _history(workspace: Workspace, options: Options) -> int:
    items = workspace.memories.history(named(workspace, options.id).record.id)
    return options.reply(
        [record_json(i.record, i.source) for i in items],
        list_text(items, options.style, workspace.project.clock.now()),
    )


def _delete(workspace: Workspace, options: Options) -> int:
    item = named(workspace, options.id)
    # `undo` brings it back: who cannot be asked need not be.
    if not options.yes and sys.stdin.isatty() and not options.json:
        options.say(record_text(item, options.style, workspace.project.clock.now()))
        options.agree("\nHide this memory?", "Nothing was hidden.")
    record = workspace.memories.delete(item.record.id)
    options.say(f"Hid {short_id(record.id)}. Its history stays until it is purged: until then")
    options.say(f"`satchel restore {short_id(record.id)}` or `satchel undo` brings it back.")
    _share_deletion(workspace, record, options)
    return options.done(record_json(record))


def _share_deletion(workspace: Workspace, record: Record, options: Options) -> None:
    """Share the deletion of a shared memory if wanted; otherwise say who still sees it."""
    from satchel.application.exchange.sharing import deletion_note, share, sharing_step

    own = workspace.memories.own
    note = deletion_note(own, record)
    if not note:
        if options.share:
            options.remark("It was never shared, so there is no deletion to share.")
        return
    if not options.share:
        options.remark(note)
    if not (options.share or (not options.yes and confirmed("Share the deletion?", yes=False))):
        options.remark(sharing_step(record))
        return
    share(own, [record])
    target = os.path.relpath(workspace.project.tracked.knowledge, workspace.project.place.root)
    options.say(f"Shared the deletion to {clean_line(target)}: colleagues see it until you commit")
    options.say("that file and they pull it.")


def _restore(workspace: Workspace, options: Options) -> int:
    record = workspace.memories.restore(named(workspace, options.id).record.id)
    told = f"Brought back {short_id(record.id)}: {beginning(said_of(record), 80)}"
    return options.reply(record_json(record), told)


def _facts(workspace: Workspace, options: Options) -> int:
    workspace.refresh()
    moment = moment_from(options.as_of) if options.as_of else None
    facts = workspace.memories.facts(as_of=moment, about=options.about)
    for fact in facts:
        options.say(f"{short_id(fact.id)}  {_format_fact(fact)}")
    if not facts:
        options.say("No fact held at that time.")
    return options.done([record_json(fact) for fact in facts])


def _format_fact(fact: Record) -> str:
    data = fact.data or {}
    parts = [str(data[n]) for n in ("subject", "predicate", "object") if data.get(n)]
    return clean_line(" | ".join(parts) if parts else fact.content)


def _scoped(workspace: Workspace, options: Options) -> int:
    from satchel.application.briefs.memory_brief import memory_brief
    from satchel.application.outlet import Outlet

    workspace.refresh()
    found = Outlet(workspace, whole=True).scoped(workspace.scope(options.task))[0]
    return options.reply(
        {name: [record_json(r) for r in step] for name, step in found._asdict().items()},
        memory_brief(found) or "No memory matters to this task.",
    )
