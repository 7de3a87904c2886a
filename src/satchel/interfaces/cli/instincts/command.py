"""`satchel rules`: soft rules, each with a confidence."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from satchel.application.learning.reviewing.instincts import promote
from satchel.core import times
from satchel.core.errors import BadInputError
from satchel.core.trust import clean_line, clean_text
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
from satchel.interfaces.cli.arguments import Options, Parser, content_from, parser_for
from satchel.interfaces.cli.awaiting import warn_unapproved

_UNCHANGED = "Nothing was changed."
_REWORDING = "`satchel rules --json` tells the path; or `satchel rules remove ID` and add another."
_ELSEWHERE = "In CLAUDE.md and its like: `satchel instructions show`; remembered: `satchel list`."


def instincts(words: Sequence[str]) -> int:
    """`satchel rules show|add|reinforce|contradict|remove|review|promote|prune`."""
    if words[:1] == ["edit"]:
        raise BadInputError("A soft rule is reworded in its file.", hint=_REWORDING)
    parser = parser_for("rules", "Soft rules with a confidence, in a file that the team shares.")
    action = parser.actions(required=False)
    parser.set_defaults(action="show", run=_show, id="", history=False)
    show = action("show", "list them, the most certain first, or show one", _show)
    show.add_argument("id", nargs="?", default="", help="an id, or its beginning or end")
    show.flag("--history", "show what was done on this machine")
    _adding(action("add", "add one; one that says the same is confirmed instead", _add))
    more = action("reinforce", "confirm one: 0.1 more, at most 0.9", _reinforce)
    more.add_argument("id")
    less = action("contradict", "contradict one: 0.2 less", _contradict)
    less.add_argument("id")
    less.option("--by", "the rule that holds instead", metavar="RULE")
    for one in (more, less):
        one.option("--agent", "who says so")
    gone = action("remove", "remove one, whatever its confidence", _remove)
    gone.add_argument("id", nargs="+", help="an id, or the beginning of the rule's words")
    gone.flag("--yes", "do it without asking")
    review = action("review", "lower idle ones: 0.1 less for every 30 days", _review)
    promote = action(
        "promote", "turn one, or all that are ripe, into notes of your knowledge base", _promote
    )
    promote.add_argument("id", nargs="?", default="", help="one; without it all that are ripe")
    promote.flag("--force", "replace a note of this title")
    prune = action("prune", "remove those below 0.3", _prune)
    prune.add_argument("id", nargs="*", help="only these")
    for one in (review, promote, prune):
        one.flag("--dry-run", "only show what would be done")
        one.flag("--yes", "do it without asking")
    options = parser.parse_args(words)
    with options.opened() as workspace:
        warn_unapproved(options, workspace, workspace.project.tracked.place("instincts"))
        return options.act(workspace.instincts)


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
    shelf, style = ours.read(), options.style
    order = sorted(shelf.instincts, key=lambda one: (-ours.current_confidence(one), one.line))
    for one in order:
        options.say(f"{ours.current_confidence(one):.2f}  {clean_line(one.rule)}")
        options.say(style.dim(f"      {_about(ours, one)}"))
    if not order:
        options.say('No soft rules. `satchel rules add "Use pnpm, not npm"` adds one.')
    options.say(style.dim(_ELSEWHERE))
    path = clean_line(os.path.relpath(ours.file.path))
    for problem in shelf.problems:
        options.say(style.dim(f"{path}: {clean_line(problem)}"))
    told: dict[str, Any] = {"path": ours.file.path, "problems": list(shelf.problems)}
    told["instincts"] = [{**_fields(ours, one), **options.whose} for one in order]
    return options.done(told | _history(ours, options))


def _show_one(ours: ProjectInstincts, options: Options) -> int:
    one = ours.find(options.id)
    options.say(clean_line(one.rule))
    options.say(_about(ours, one))
    if one.source:
        options.say(f"from: {clean_line(one.source)}")
    return options.done(_fields(ours, one) | _history(ours, options, one.id))


def _history(ours: ProjectInstincts, options: Options, ident: str = "") -> dict[str, Any]:
    """Print the soft rules' history on this machine, if requested; return it as JSON."""
    if not options.history:
        return {}
    events = ours.history(ident)
    for event in events:
        when = times.minute(event.ts).removesuffix(" UTC")
        options.say(f"{when}  {_format_change(event.change)}")
    told = ({"ts": one.ts, "agent": one.agent, **one.change._asdict()} for one in events)
    return {"history": list(told)}


def _add(ours: ProjectInstincts, options: Options) -> int:
    rule = content_from(options.rule, missing="A soft rule needs a text.")
    about = {"scope": options.scope, "category": options.category, "source": options.source}
    tags, sure = tuple(options.tag), options.confidence
    new = NewInstinct(rule, options.evidence, sure, tags=tags, **about)
    edit, clashing = ours.add(new, agent=options.agent)
    _print_changes(edit, options)
    for clash in clashing:
        options.say(
            f"It contradicts line {clash.rule.line}: {clean_line(clash.rule.text)} ({clash.why})"
        )
    against = [{"line": c.rule.line, "rule": c.rule.text, "why": c.why} for c in clashing]
    return options.done({**_json(edit), "contradicts": against})


def _reinforce(ours: ProjectInstincts, options: Options) -> int:
    return _done(ours.reinforce(options.id, agent=options.agent), options)


def _contradict(ours: ProjectInstincts, options: Options) -> int:
    return _done(ours.contradict(options.id, by=options.by, agent=options.agent), options)


def _remove(ours: ProjectInstincts, options: Options) -> int:
    one = ours.find(" ".join(options.id))
    options.say(f"{one.id}  {clean_line(one.rule)}")
    options.agree("Remove it?", _UNCHANGED)
    return options.reply(_json(ours.remove(one.id)), "Removed. `satchel undo` brings it back.")


def _review(ours: ProjectInstincts, options: Options) -> int:
    found = ours.review()
    edit, told = found.edit, _json(found.edit)
    _print_changes(edit, options)
    for what, step, rules in (("ripe", "promote", found.ripe), ("weak", "prune", found.weak)):
        told[what] = [_fields(ours, one) for one in rules]
        for one in rules:
            options.say(f"{what}: {one.id}  {clean_line(one.rule)}  (`satchel rules {step}`)")
    if not edit.changes:
        options.say("Nothing is idle.")
    applied = bool(edit.changes) and not options.dry_run
    if applied:
        options.agree("Write this?", _UNCHANGED)
        ours.write_review(found)
    return options.done({**told, "applied": applied})


def _promote(ours: ProjectInstincts, options: Options) -> int:
    ripe = [options.id] if options.id else [one.id for one in ours.review().ripe]
    told: list[dict[str, Any]] = []
    for ident in ripe:
        instinct, draft = ours.draft(ident)
        options.say(clean_text(draft.note))
        options.say(clean_text(f"# sidecar\n{draft.sidecar}"))
        row: dict[str, Any] = {"id": instinct.id, "note": draft.note, "sidecar": draft.sidecar}
        if not options.dry_run:
            options.agree("Add this note to your knowledge base?", _UNCHANGED)
            added = promote(options.workspace, instinct, draft, force=options.force)
            row |= {"path": added.path, "note_id": added.id}
            options.say(f"{instinct.id} is a note: {clean_line(added.path)}")
        told.append({**row, "applied": not options.dry_run})
    return options.reply(
        told[0] if options.id else {"promoted": told},
        ("Nothing is ripe: certain (0.8), universal, and no note yet." if not ripe else None),
    )


def _prune(ours: ProjectInstincts, options: Options) -> int:
    found = ours.review()
    wanted = [ours.find(given).id for given in options.id] or [one.id for one in found.weak]
    rules = {one.id: clean_line(one.rule) for one in found.weak}
    for ident in wanted:
        options.say(f"{ident}  {rules.get(ident, '')}")
    if not wanted:
        options.say("No soft rule is below 0.3.")
    edit = Edit(found.text, ())
    if wanted and not options.dry_run:
        options.agree("Remove these?", _UNCHANGED)
        edit = ours.prune(wanted, shown=found.text)
    if edit.changes:
        options.say(f"{len(edit.changes)} removed.")
    return options.done({**_json(edit), "pruned": wanted, "applied": bool(edit.changes)})


def _done(edit: Edit, options: Options) -> int:
    return options.reply(_json(edit), *map(_format_change, edit.changes))


def _json(edit: Edit) -> dict[str, Any]:
    return {"changes": edit.changes}


def _print_changes(edit: Edit, options: Options) -> None:
    for change in edit.changes:
        options.say(_format_change(change))


def _format_change(change: Change) -> str:
    step = f"{change.before:g} -> {change.after:g}" if change.before != change.after else ""
    step = step or f"{change.after:g}"
    detail = f" ({clean_line(change.detail)})" if change.detail else ""
    return f"{change.what} {change.id} {step}: {clean_line(change.rule)}{detail}"


def _about(ours: ProjectInstincts, one: Instinct) -> str:
    parts = [
        one.id or f"line {one.line}",
        one.scope,
        one.category,
        f"{one.reinforcement_count} times" if one.reinforcement_count > 1 else "",
        f"last {one.last_reinforced}" if one.last_reinforced else "",
        f"{one.confidence:g} in the file" if ours.current_confidence(one) != one.confidence else "",
        f"promoted: {one.promoted}" if one.promoted else "",
    ]
    return clean_line(", ".join(filter(None, parts)))


def _fields(ours: ProjectInstincts, one: Instinct) -> dict[str, Any]:
    return {**one._asdict(), "tags": list(one.tags), "worth": ours.current_confidence(one)}
