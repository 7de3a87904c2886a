"""`satchel rules`: soft rules, each with a confidence."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from satchel.application.learning.promotion import promote
from satchel.core import times
from satchel.core.errors import BadInputError
from satchel.core.trust import clean_line, clean_text
from satchel.features.instincts.instinct_file import Event
from satchel.features.instincts.service import ProjectInstincts
from satchel.features.instincts.values import (
    CATEGORIES,
    EVIDENCE,
    SCOPES,
    Change,
    Edit,
    Instinct,
    NewInstinct,
)
from satchel.interfaces.cli.arguments import (
    Options,
    Parser,
    action_of,
    confirmed,
    content_from,
    parser_for,
    print_json,
)
from satchel.interfaces.cli.awaiting import warn_unapproved

_REWORDING = "`satchel rules --json` tells the path; or `satchel rules remove ID` and add another."
_ELSEWHERE = "In CLAUDE.md and its like: `satchel instructions show`; remembered: `satchel list`."
_NOBODY = "Pass --yes to skip the question."


def instincts(words: Sequence[str]) -> int:
    """`satchel rules show|add|reinforce|contradict|remove|review|promote|prune`."""
    if words[:1] == ["edit"]:
        raise BadInputError("A soft rule is reworded in its file.", hint=_REWORDING)
    parser = parser_for("rules", "Soft rules with a confidence, in a file that the team shares.")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    parser.set_defaults(action="show", run=_show, id="", history=False)
    show = action_of(actions, "show", "list them, the most certain first, or show one", _show)
    show.add_argument("id", nargs="?", default="", help="an id, or its beginning or end")
    show.flag("--history", "show what was done on this machine")
    _adding(action_of(actions, "add", "add one; one that says the same is confirmed instead", _add))
    more = action_of(actions, "reinforce", "confirm one: 0.1 more, at most 0.9", _reinforce)
    more.add_argument("id")
    less = action_of(actions, "contradict", "contradict one: 0.2 less", _contradict)
    less.add_argument("id")
    less.option("--by", "the rule that holds instead", metavar="RULE")
    for action in (more, less):
        action.option("--agent", "who says so")
    gone = action_of(actions, "remove", "remove one, whatever its confidence", _remove)
    gone.add_argument("id", nargs="+", help="an id, or the beginning of the rule's words")
    gone.flag("--yes", "do it without asking")
    review = action_of(actions, "review", "lower idle ones: 0.1 less for every 30 days", _review)
    promote = action_of(
        actions,
        "promote",
        "turn one, or all that are ripe, into notes of your knowledge base",
        _promote,
    )
    promote.add_argument("id", nargs="?", default="", help="one; without it all that are ripe")
    promote.flag("--force", "replace a note of this title")
    prune = action_of(actions, "prune", "remove those below 0.3", _prune)
    prune.add_argument("id", nargs="*", help="only these")
    for action in (review, promote, prune):
        action.flag("--dry-run", "only show what would be done")
        action.flag("--yes", "do it without asking")
    options = parser.parse_args(words)
    with options.opened() as workspace:
        options.workspace = workspace
        code = options.act(workspace.instincts)
        warn_unapproved(workspace, workspace.project.tracked.place("instincts"))
        return code


def _adding(add: Parser) -> None:
    add.add_argument("rule", nargs="*", help="the rule, or - for standard input")
    add.option("--evidence", "what it rests on", choices=tuple(EVIDENCE))
    add.option("--confidence", "0 to 0.9 (by evidence, or 0.5)", type=float, default=None)
    add.add_argument("--scope", choices=SCOPES, default="project", help="where it holds")
    add.option("--category", "what it is about", choices=CATEGORIES, default="convention")
    add.option("--source", "where it comes from, in words")
    add.options("--tag", "may be repeated")
    add.option("--agent", "who says so")


def _show(ours: ProjectInstincts, options: Options) -> int:
    if options.id:
        return _show_one(ours, options)
    shelf = ours.read()
    order = sorted(shelf.instincts, key=lambda one: (-ours.current_confidence(one), one.line))
    if options.json:
        told: dict[str, Any] = {"path": ours.file.path, "problems": list(shelf.problems)}
        told["instincts"] = [_fields(ours, one) for one in order]
        if options.history:
            told["history"] = [_event(event) for event in ours.history()]
        return print_json(told)
    style = options.style
    for one in order:
        print(f"{ours.current_confidence(one):.2f}  {clean_line(one.rule)}")
        print(style.dim(f"      {_about(ours, one)}"))
    if not order:
        print('No soft rules. `satchel rules add "Use pnpm, not npm"` adds one.')
    print(style.dim(_ELSEWHERE))
    for problem in shelf.problems:
        print(style.dim(f"{clean_line(os.path.relpath(ours.file.path))}: {clean_line(problem)}"))
    if options.history:
        _print_history(ours.history())
    return 0


def _show_one(ours: ProjectInstincts, options: Options) -> int:
    one = ours.find(options.id)
    events = ours.history(one.id) if options.history else []
    if options.json:
        told = _fields(ours, one)
        if options.history:
            told["history"] = [_event(event) for event in events]
        return print_json(told)
    print(clean_line(one.rule))
    print(_about(ours, one))
    if one.source:
        print(f"from: {clean_line(one.source)}")
    _print_history(events)
    return 0


def _print_history(events: Sequence[Event]) -> None:

    for event in events:
        when = times.minute(event.ts).removesuffix(" UTC")
        print(f"{when}  {_format_change(event.change)}")


def _add(ours: ProjectInstincts, options: Options) -> int:
    rule = content_from(options.rule, missing="A soft rule needs a text.")
    new = NewInstinct(
        rule,
        options.evidence,
        options.confidence,
        scope=options.scope,
        category=options.category,
        source=options.source,
        tags=tuple(options.tag),
    )
    edit, clashing = ours.add(new, agent=options.agent)
    if options.json:
        against = [{"line": c.rule.line, "rule": c.rule.text, "why": c.why} for c in clashing]
        return print_json({**_json(edit), "contradicts": against})
    _print_changes(edit)
    for clash in clashing:
        print(f"It contradicts line {clash.rule.line}: {clean_line(clash.rule.text)} ({clash.why})")
    return 0


def _reinforce(ours: ProjectInstincts, options: Options) -> int:
    return _done(ours.reinforce(options.id, agent=options.agent), options)


def _contradict(ours: ProjectInstincts, options: Options) -> int:
    return _done(ours.contradict(options.id, by=options.by, agent=options.agent), options)


def _remove(ours: ProjectInstincts, options: Options) -> int:
    one = ours.find(" ".join(options.id))
    if not options.json:
        print(f"{one.id}  {clean_line(one.rule)}")
    _ask("Remove it?", options)
    edit = ours.remove(one.id)
    return options.reply(_json(edit), "Removed. `satchel undo` brings it back.")


def _review(ours: ProjectInstincts, options: Options) -> int:
    found = ours.review()
    edit = found.edit
    told = {
        **_json(edit),
        "ripe": [_fields(ours, one) for one in found.ripe],
        "weak": [_fields(ours, one) for one in found.weak],
    }
    if not options.json:
        _print_changes(edit)
        for one in found.ripe:
            print(f"ripe: {one.id}  {clean_line(one.rule)}  (`satchel rules promote`)")
        for one in found.weak:
            print(f"weak: {one.id}  {clean_line(one.rule)}  (`satchel rules prune`)")
        if not edit.changes:
            print("Nothing is idle.")
    applied = bool(edit.changes) and not options.dry_run
    if applied:
        _ask("Write this?", options)
        ours.write_review(found)
    if options.json:
        print_json({**told, "applied": applied})
    return 0


def _promote(ours: ProjectInstincts, options: Options) -> int:
    ripe = [options.id] if options.id else [one.id for one in ours.review().ripe]
    told: list[dict[str, Any]] = []
    for ident in ripe:
        instinct, draft = ours.draft(ident)
        if not options.json:
            print(clean_text(draft.note))
            print(clean_text(f"# sidecar\n{draft.sidecar}"))
        row: dict[str, Any] = {"id": instinct.id, "note": draft.note, "sidecar": draft.sidecar}
        if not options.dry_run:
            _ask("Add this note to your knowledge base?", options)
            added = promote(options.workspace, instinct, draft, force=options.force)
            row |= {"path": added.path, "note_id": added.id}
            if not options.json:
                print(f"{instinct.id} is a note: {clean_line(added.path)}")
        told.append({**row, "applied": not options.dry_run})
    return options.reply(
        told[0] if options.id else {"promoted": told},
        ("Nothing is ripe: certain (0.8), universal, and no note yet." if not ripe else None),
    )


def _prune(ours: ProjectInstincts, options: Options) -> int:
    found = ours.review()
    wanted = [ours.find(given).id for given in options.id] or [one.id for one in found.weak]
    weak = {one.id: one for one in found.weak}
    if not options.json:
        for ident in wanted:
            rule = weak[ident].rule if ident in weak else ""
            print(f"{ident}  {clean_line(rule)}")
        if not wanted:
            print("No soft rule is below 0.3.")
    edit = Edit(found.text, ())
    if wanted and not options.dry_run:
        _ask("Remove these?", options)
        edit = ours.prune(wanted, shown=found.text)
    if options.json:
        applied = bool(edit.changes)
        print_json({**_json(edit), "pruned": wanted, "applied": applied})
    elif edit.changes:
        print(f"{len(edit.changes)} removed.")
    return 0


def _ask(question: str, options: Options) -> None:
    if not confirmed(question, yes=options.yes):
        raise BadInputError("Nothing was changed.", hint=_NOBODY)


def _done(edit: Edit, options: Options) -> int:
    if options.json:
        print_json(_json(edit))
    else:
        _print_changes(edit)
    return 0


def _json(edit: Edit) -> dict[str, Any]:
    return {"changes": edit.changes}


def _print_changes(edit: Edit) -> None:
    for change in edit.changes:
        print(_format_change(change))


def _format_change(change: Change) -> str:
    step = f"{change.before:g} -> {change.after:g}" if change.before != change.after else ""
    step = step or f"{change.after:g}"
    detail = f" ({clean_line(change.detail)})" if change.detail else ""
    return f"{change.what} {change.id} {step}: {clean_line(change.rule)}{detail}"


def _about(ours: ProjectInstincts, one: Instinct) -> str:
    parts = [one.id or f"line {one.line}", one.scope, one.category]
    parts.append(f"{one.reinforcement_count} times" if one.reinforcement_count > 1 else "")
    if one.last_reinforced:
        parts.append(f"last {one.last_reinforced}")
    if ours.current_confidence(one) != one.confidence:
        parts.append(f"{one.confidence:g} in the file")
    parts.append(f"promoted: {one.promoted}" if one.promoted else "")
    return clean_line(", ".join(part for part in parts if part))


def _fields(ours: ProjectInstincts, one: Instinct) -> dict[str, Any]:
    return {**one._asdict(), "tags": list(one.tags), "worth": ours.current_confidence(one)}


def _event(event: Event) -> dict[str, Any]:
    return {"ts": event.ts, "agent": event.agent, **event.change._asdict()}


COMMANDS = {"rules": instincts}
