"""`log`: what was remembered, changed and deleted, and the state at a given time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from satchel.application.history.time_travel import (
    Event,
    accepted_rules,
    events,
    listed_at,
    matching,
    memory_lines,
    operation_lines,
)
from satchel.core import times
from satchel.core.errors import NotFoundError
from satchel.core.excerpts import clipped
from satchel.core.ids import short_id
from satchel.core.kinds import BY_THE_WAY, kind_named
from satchel.core.trust import clean_line
from satchel.engine.search.documents import Filter
from satchel.interfaces.cli.arguments import moment_from, parser_for
from satchel.interfaces.list_rendering import list_text
from satchel.interfaces.rendering import Style, label_of, record_json, title_of
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace

_WIDTH = 72


def log(words: Sequence[str]) -> int:
    """`satchel log`."""
    parser = parser_for("log", "What was remembered, accepted, changed and hidden; newest first.")
    parser.option("--at", "show instead what was there at that time", metavar="TIME")
    parser.option("--since", "only what was written since", metavar="TIME")
    parser.option("--until", "only what was written until", metavar="TIME")
    parser.options("--kind", "only this kind")
    parser.option("--branch", "only what was learnt on this branch")
    parser.count("--limit", "how many (30)", default=30)
    parser.flag(
        "--all",
        "include agents' comings and goings, and other ledgers: graph, suggestions, approvals",
    )
    options = parser.parse_args(words)
    kinds = tuple(options.kind) if options.all else tuple(kind_named(k).name for k in options.kind)
    since = moment_from(options.since) if options.since else 0.0
    until = moment_from(options.until) if options.until else float("inf")
    at = moment_from(options.at) if options.at else None
    with options.opened() as workspace:
        is_of_branch = _of_branch(workspace, options.branch)
        if at is not None:
            every = listed_at(workspace, at, Filter(kinds=kinds, since=int(since)), sys.maxsize)
            held = [one for one in every if is_of_branch(one.record)]
            items = held[: options.limit]
            return options.reply(
                [record_json(i.record, i.source) for i in items],
                list_text(items, options.style, at) or "Nothing was there at that time.",
            )
        lines = memory_lines(workspace) + (operation_lines(workspace) if options.all else [])
        accepted = accepted_rules(workspace)
    found = [
        one
        for one in sorted([*events(lines), *accepted], key=lambda one: one.record.ts)
        if matching(one.record, kinds)
        and (options.all or kinds or one.record.kind not in BY_THE_WAY)
        if since <= one.record.ts <= until
        if is_of_branch(one.record)
    ][-options.limit :][::-1]
    style = options.style
    return options.reply(
        [{"what": one.what, **record_json(one.record, one.ledger)} for one in found],
        "\n".join(_format_event(one, style) for one in found)
        or (
            f"Nothing that you asked for was learnt on branch {clean_line(options.branch)}."
            if options.branch
            else "Nothing was written in that time."
        ),
    )


def _of_branch(workspace: Workspace, name: str) -> Callable[[Record], bool]:
    """Return whether records are of a branch, under any name that it had; of any if "".

    Raises `NotFoundError` if neither git nor a memory knows the branch.
    """
    from satchel.features.branches.reflogs import former_names
    from satchel.storage.commits import History

    if not name:
        return lambda _: True
    place = workspace.project.place
    places = (f"refs/heads/{name}", f"refs/remotes/*/{name}")
    if all(line.record.branch != name for line in memory_lines(workspace)) and not (
        place.common and History(place.root).names(*places)
    ):
        raise NotFoundError(
            f"There is no branch {name[:60]!r}, and nothing was learnt on one of that name.",
            hint="`git branch --all` lists the branches.",
        )
    former = former_names(place.common, name) if place.common else {}
    return lambda one: one.branch == name or one.when <= former.get(one.branch, -1)


def _format_event(one: Event, style: Style) -> str:
    record = one.record
    said = title_of(record) or record.content
    if not said and one.before is not None:
        said = title_of(one.before) or one.before.content
    text = clean_line(said or record.key)
    text = clipped(text, _WIDTH)
    when, label = times.minute(record.when), label_of(record)
    head = f"{when}  {one.what:<10}  {short_id(record.id)}  {label:<10} "
    return style.dim(head) + f"{text}" + style.dim(f"  ({clean_line(one.ledger)})")
