"""`satchel guards`: lessons that act before a tool runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from satchel.clients.claude_code.wiring import plan_guard_hook
from satchel.clients.settings_files import plan
from satchel.clients.settings_files.hook_entries import FOUND
from satchel.clients.setup.checking import guarding_clients
from satchel.clients.setup.wired import CLIENTS
from satchel.core import times
from satchel.core.errors import BadInputError
from satchel.core.hashing import digest
from satchel.core.plurals import counted
from satchel.core.quick_json import loads
from satchel.core.shapes import dict_of
from satchel.core.trust import clean_line, clean_text
from satchel.engine.markdown.yaml_text import write_yaml
from satchel.features.guards.repeats import Rate
from satchel.features.guards.service import GuardStatus, ProjectGuards
from satchel.features.guards.values import ACTIONS, TOOLS, ExampleResult, Guard
from satchel.interfaces.cli.arguments import Options, Parser, parser_for
from satchel.interfaces.cli.setup import agreeing
from satchel.interfaces.rendering import picked

_LARGEST_CALL = 16 * 1024 * 1024


def guards(words: Sequence[str]) -> int:
    """`satchel guards list|show|add|from|test|approve|off|on|remove|try|stats|install`."""
    parser = parser_for(
        "guards", "Lessons that act before a tool runs, once you have approved them."
    )
    action = parser.actions(required=False)
    parser.set_defaults(action="list", run=_list)
    action("list", "list the guards of this work tree and their state here", _list)
    show = action("show", "show one: what it matches, and its examples", _show)
    show.add_argument("id", help="an id, or its beginning or end")
    _adding(action("add", "add one; it acts once it is approved", _add))
    made = action("from", "draft one from a remembered correction", _from)
    made.add_argument("memory", help="id or key of a memory")
    made.flag("--dry-run", "only show the draft")
    test = action("test", "test guards on their own examples; exit 1 if one fails", _test)
    test.add_argument("id", nargs="*", help="only these")
    approve = action("approve", "approve one, as it is now, on this machine", _approve)
    approve.add_argument("id")
    approve.flag("--yes", "do it without asking")
    for name, text, run in (
        ("off", "turn an approved one off", _switch),
        ("on", "turn it on again", _switch),
        ("remove", "remove one from the file", _remove),
    ):
        action(name, text, run).add_argument("id")
    tried = action("try", "show what guards would do with a tool call on standard input", _try)
    tried.flag("--all", "include guards that are not approved")
    action("stats", "count firings, and corrections that repeat earlier ones", _stats)
    install = action("install", "wire the hook that guards need (shows the diff first)", _install)
    agreeing.add_options(install)
    options = parser.parse_args(words)
    with options.opened() as workspace:
        return options.act(workspace.guards)


def _adding(add: Parser) -> None:
    add.option("--id", "its id (made from the day and the message)")
    add.add_argument("--message", required=True, help="what the agent is told")
    add.add_argument("--do", choices=ACTIONS, default="warn", help="what it does")
    add.options("--tool", f"{', '.join(TOOLS)} or mcp__*")
    for name in ("command", "path", "content"):
        add.add_argument(f"--{name}", default="", metavar="PATTERN", help=f"found in the {name}")
    add.option("--unless", "except where this matches", metavar="PATTERN")
    add.options("--in", "only below these paths", dest="paths", metavar="GLOB")
    add.options("--agent", "only these agents")
    add.options("--branch", "only on these", metavar="GLOB")
    add.options("--blocks", "an example that it must act on")
    add.options("--allows", "an example that it must let pass")


def _list(ours: ProjectGuards, options: Options) -> int:
    found = ours.statuses()
    style = options.style
    for one in found:
        fired = f", fired {one.fired} times" if one.fired else ""
        options.say(f"{one.state:<8} {one.guard.action:<5} {clean_line(one.guard.message)}")
        options.say(style.dim(f"         {clean_line(one.guard.id)}{fired}"))
        if one.edited:
            edited = "edited since you approved it; it acts as you approved it"
            options.say(style.dim(f"         {edited}"))
        for wrong in one.wrong:
            options.say(style.dim(f"         line {one.guard.line}: {clean_line(wrong)}"))
    if not found:
        options.say("No guards. `satchel guards from MEMORY` makes one from a correction.")
    _say_if_not_wired(ours, options, any(one.state == "active" for one in found))
    return options.done({"path": ours.file.path, "guards": [_guard_json(one) for one in found]})


def _show(ours: ProjectGuards, options: Options) -> int:
    given = ours.find(options.id)[0]
    one = next(s for s in ours.statuses() if s.guard.line == given.line)
    return options.reply(
        _guard_json(one),
        _text_of(one.guard),
        f"{one.state}" + (f", approved by {clean_line(one.by)}" if one.by else ""),
        *(f"wrong: {clean_line(wrong)}" for wrong in one.wrong),
    )


def _add(ours: ProjectGuards, options: Options) -> int:
    patterns = ("command", "path", "content", "unless")
    when = _given(tools=options.tool, **{name: getattr(options, name) for name in patterns})
    day = times.day(ours.project.clock.now()).replace("-", "")
    mark = digest(f"{options.message}\n{when}".encode("utf-8", "replace")).hex()[:6]
    fields = {
        "id": options.id or f"guard-{day}-{mark}",
        "when": when,
        "action": options.do,
        "message": " ".join(options.message.split()),
        **_given(
            scope=_given(paths=options.paths, agents=options.agent, branches=options.branch),
            examples=_given(blocks=options.blocks, allows=options.allows),
        ),
    }
    return _added(ours, [fields], options)


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value}


def _from(ours: ProjectGuards, options: Options) -> int:
    drafts = ours.drafts(options.memory)
    for draft in drafts:
        options.say(f"This {draft.why}.")
    if options.dry_run:
        return options.reply(
            {"drafts": [{"why": d.why, **d.fields} for d in drafts]},
            clean_text(write_yaml([draft.fields for draft in drafts])).rstrip(),
        )
    return _added(ours, [draft.fields for draft in drafts], options)


def _added(ours: ProjectGuards, every: list[dict[str, Any]], options: Options) -> int:
    made = [ours.add(fields) for fields in every]
    for guard in made:
        ident, path = clean_line(guard.id), clean_line(os.path.relpath(ours.file.path))
        options.say(f"added {ident} to {path}")
        options.say(f"It is off until you approve it: satchel guards approve {ident}")
    return options.done({"added": [_fields(guard) for guard in made]})


def _test(ours: ProjectGuards, options: Options) -> int:
    shelf = ours.read()
    wanted = [ours.find(given)[0] for given in options.id] or list(shelf.guards)
    told, failed = [], 0
    for guard in wanted:
        wrong = shelf.wrong(guard)
        tried = [] if wrong else ours.test(guard)
        failed += bool(wrong) + sum(not one.right for one in tried)
        told.append({"id": guard.id, "wrong": list(wrong), "examples": [_tried(t) for t in tried]})
        _print_test(options, guard, wrong, tried)
    if not wanted:
        options.say("No guards.")
    return options.done({"failed": failed, "guards": told}, 1 if failed else 0)


def _print_test(
    options: Options, guard: Guard, wrong: Sequence[str], tried: Sequence[ExampleResult]
) -> None:
    right = sum(one.right for one in tried)
    options.say(f"{clean_line(guard.id)}: {right} of {len(tried)} examples")
    for what in wrong:
        options.say(f"  wrong: {clean_line(what)}")
    for one in tried:
        if not one.right:
            should = "should act on" if one.example.fires else "should let pass"
            options.say(f"  {should}: {clean_line(one.example.said)}")


def _approve(ours: ProjectGuards, options: Options) -> int:
    guard, _ = ours.find(options.id)
    options.say(_text_of(guard))
    options.agree("Let it act on this machine?", "Nothing was approved.")
    ours.approve(guard.id, digest=guard.digest)
    options.say(f"{clean_line(guard.id)} is active. Approve it again after each edit.")
    wired, missing = guarding_clients(ours.project.place.root)
    if wired:
        options.say(f"It acts in {', '.join(CLIENTS[name].label for name in wired)}.")
        for name in missing:
            options.say(f"Not in {CLIENTS[name].label}: `satchel install {name} --hooks --guard`.")
    _say_if_not_wired(ours, options, active=True)
    told = {"hook": bool(wired), "clients": wired, "clients_without": missing}
    return options.done({"id": guard.id, "state": "active", **told})


def _say_if_not_wired(ours: ProjectGuards, options: Options, active: bool) -> None:  # noqa: FBT001
    if active and not guarding_clients(ours.project.place.root)[0]:
        told = "The hook before tools is not installed: `satchel guards install`."
        options.warn(told)


def _switch(ours: ProjectGuards, options: Options) -> int:
    on = options.action == "on"
    guard = ours.switch(options.id, on=on)
    return options.reply(
        {"id": guard.id, "state": "active" if on else "off"},
        f"{clean_line(guard.id)} is {'active' if on else 'off'}.",
    )


def _remove(ours: ProjectGuards, options: Options) -> int:
    guard = ours.remove(options.id)
    return options.reply({"removed": guard.id}, f"removed {clean_line(guard.id)}")


def _try(ours: ProjectGuards, options: Options) -> int:
    raw = sys.stdin.buffer.read(_LARGEST_CALL)
    try:
        payload = loads(raw.decode("utf-8", "replace"))
    except ValueError as error:
        raise BadInputError(
            f"Standard input is not JSON: {error}.",
            hint='{"tool_name": "Bash", "tool_input": {"command": "npm i"}}',
        ) from None
    said = ours.try_call(dict_of(payload), everything=options.all)
    fired = [{k: one[k] for k in ("id", "action", "message")} for one in said.fired]
    for one in fired:
        options.say(f"{one['action']}: {clean_line(one['message'])} ({clean_line(one['id'])})")
    if not fired:
        options.say("No guard acts on this call.")
    return options.done({"action": said.action or "none", "guards": fired})


def _stats(ours: ProjectGuards, options: Options) -> int:
    from satchel.application.learning.reflection.transcripts import corrections_said

    firings, found = ours.firings(), ours.repeats(corrections_said(options.workspace))
    by_guard: dict[str, int] = {}
    for one in firings:
        by_guard[one.guard] = by_guard.get(one.guard, 0) + 1
    pairs = [
        {"again": again.text, "session": again.session, "before": earlier.text}
        for again, earlier in found.pairs
    ]
    options.say(f"before guards: {_rate(found.before)}")
    options.say(f"since guards:  {_rate(found.since)}")
    for pair in pairs[:10]:
        options.say(f"  again: {clean_line(pair['again'])[:88]}")
    for ident, count in by_guard.items():
        options.say(f"{clean_line(ident)} fired {count} times")
    if not firings:
        options.say("No guard has fired.")
    rates = {
        name: {**rate._asdict(), "rate": round(rate.share, 4)}
        for name, rate in (("before", found.before), ("since", found.since))
    }
    return options.done({"firings": by_guard, **rates, "repeated": pairs})


def _rate(rate: Rate) -> str:
    return (
        f"{rate.repeats} of {rate.corrections} corrections repeat an earlier one "
        f"({rate.share:.0%}), in {counted(rate.sessions, 'session')}"
    )


def _install(ours: ProjectGuards, options: Options) -> int:
    from satchel.interfaces.cli.own_command import lay_ready
    from satchel.interfaces.cli.setup.init import journal_of

    work = ours.project
    planned = plan_guard_hook(work.place.root, FOUND)
    if agreeing.agree(planned, options, work.place.root):
        plan.apply(planned, journal_of(options.workspace.owner().home, work.place))
        lay_ready()
    if planned.changes:
        options.say("The hook before tools is installed. `satchel undo --setup` reverts this.")
    else:
        options.say("The hook before tools is installed already.")
    changed = [os.path.relpath(change.path, work.place.root) for change in planned.changes]
    return options.done({"changed": changed})


def _text_of(guard: Guard) -> str:
    lines = [f"{clean_line(guard.id)}: {guard.action}", f"  says: {clean_line(guard.message)}"]
    for name, value in (*guard.when._asdict().items(), *guard.where._asdict().items()):
        if value:
            told = value if isinstance(value, str) else ", ".join(value)
            lines.append(f"  {name}: {clean_line(told)}")
    for example in guard.examples:
        word = "acts on" if example.fires else "allows"
        lines.append(f"  {word}: {clean_line(example.tool)} {clean_line(example.said)}")
    if guard.source:
        lines.append(f"  from memory {clean_line(guard.source)}")
    return "\n".join(lines)


def _guard_json(one: GuardStatus) -> dict[str, Any]:
    told = {**_fields(one.guard), "state": one.state, "wrong": list(one.wrong)}
    return {**told, "approved_by": one.by, "fired": one.fired, "edited": one.edited}


def _fields(guard: Guard) -> dict[str, Any]:
    return {
        **guard._asdict(),
        "when": _given(**guard.when._asdict()),
        "where": _given(**guard.where._asdict()),
        "examples": [picked(one, "tool", "given", "fires") for one in guard.examples],
    }


def _tried(tried: ExampleResult) -> dict[str, Any]:
    one = tried.example
    return {"said": one.said, "should_act": one.fires, "acted": tried.fired, "right": tried.right}
