"""`satchel route`: choose an agent for a message, and record the outcome."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from satchel.core import times
from satchel.core.errors import BadInputError, NotWritableError
from satchel.core.ids import short_id
from satchel.core.quick_json import dumps
from satchel.core.trust import clean_line
from satchel.features.routing.messages import UnreadableLine
from satchel.features.routing.service import SOURCES, AgentRouting
from satchel.features.routing.values import Choice, Decision, Score
from satchel.interfaces.cli.arguments import Options, content_from, parser_for, seconds_from
from satchel.interfaces.rendering import Style, cleaned, picked
from satchel.storage.inbox.faults import tell

_SHOWN_TEXT = 72


def route(words: Sequence[str]) -> int:
    """`satchel route TEXT`, and `satchel route to|outcome|profiles|stats|bridge|init`.

    Anything but the name of an action is the text; `to` begins a text that looks like one.
    """
    parser = parser_for("route", "Choose the agent for a message: `satchel route TEXT`.")
    action = parser.actions()
    to = action("to", "choose the agent for a message; `to` may be left out", _to)
    to.add_argument("text", nargs="*", help="the message, in quotes; - reads standard input")
    to.flag("--explain", "show what made up the scores")
    to.flag("--dry-run", "record nothing")
    to.option("--division", "the division that the message belongs to")
    to.option("--task", "the task that it is about")
    outcome = action("outcome", "record the outcome of a decision", _outcome)
    outcome.add_argument("id", help="id of the decision or its beginning; - for the newest")
    outcome.add_argument("outcome", help="success or failure")
    outcome.option("--note", "why")
    action("profiles", "show the profiles in force", _profiles)
    stats = action("stats", "show outcomes by agent, and the newest decisions", _stats)
    stats.count("--limit", "how many decisions (10)", default=10)
    bridge = action("bridge", "route the messages that are still unrouted", _bridge)
    bridge.add_argument(
        "source", help=f"{', '.join(SOURCES)}, a file of JSON lines, or - for standard input"
    )
    bridge.option("--watch", "poll at this interval", metavar="DURATION")
    action("init", "write the shipped profiles as a file to edit", _init)
    options = parser.parse_args(_with_action(list(words), set(parser.known_actions)))
    with options.opened() as workspace, workspace.routing as routing:
        return options.act(routing)


def _with_action(words: list[str], actions: set[str]) -> list[str]:
    """Insert `to` before the first word that is neither an option nor an action."""
    at = 0
    while at < len(words):
        word = words[at]
        if word in ("-h", "--help"):
            return words
        if word == "-C":
            at += 2
        elif word == "--json":
            at += 1
        else:
            break
    if at < len(words) and words[at] in actions:
        return words
    return [*words[:at], "to", *words[at:]]


def _to(routing: AgentRouting, options: Options) -> int:
    text = content_from(list(options.text), missing="There is nothing to route.")
    decision = None if options.dry_run else _recorded(routing, text, options)
    if decision is None:
        choice = routing.choose(text, division=options.division)
    elif decision.choice is None:
        raise BadInputError("There is nothing to route.")
    else:
        choice = decision.choice
    style = options.style
    options.say(_choice_text(routing, choice, style))
    if decision is not None:
        options.say(style.dim(f"{short_id(decision.id)}  how it went: `satchel route outcome`"))
    if options.explain:
        for one in choice.ranked:
            if one.score or one.against or one.agent == choice.agent:
                options.say(_score_text(one, style))
    chosen = picked(choice, "agent", "fallback", "threshold", "ranked")
    return options.done({"id": decision.id if decision is not None else "", **chosen})


def _recorded(routing: AgentRouting, text: str, options: Options) -> Decision | None:
    """Record the decision; None where nothing can be written, which is said with the answer."""
    try:
        return routing.route(text, division=options.division, task=options.task)
    except NotWritableError as error:
        tell(f"The decision was not recorded: {error}")
        return None


def _choice_text(routing: AgentRouting, choice: Choice, style: Style) -> str:
    best = next((one for one in choice.ranked if one.agent == choice.agent), None)
    profile = routing.router.profiles.named(choice.agent)
    who = style.bold(clean_line(choice.agent))
    role = f", {clean_line(profile.role)}" if profile is not None and profile.role != "-" else ""
    if choice.fallback:
        return f"{who}{role}: nobody reached {choice.threshold:g}"
    return f"{who}{role}  {best.score:.2f}" if best is not None else who


def _score_text(one: Score, style: Style) -> str:
    parts = [
        f"{name} {value:.2f}" + (f" ({clean_line(', '.join(found))})" if found else "")
        for name, value, found in (
            ("keyword", one.keyword, one.words),
            ("intent", one.intent, one.intents),
            ("mention", one.mention, one.mentions),
            ("division", one.division, ()),
            ("penalty", one.penalty, one.against),
        )
        if value
    ]
    parts += [f"outcomes x{one.multiplier:.2f}"] if one.multiplier != 1 else []
    told = "; ".join(parts) or "no match"
    return f"  {one.score:.2f} {clean_line(one.agent)}  {style.dim(told)}"


def _outcome(routing: AgentRouting, options: Options) -> int:
    decision = routing.outcome(options.id, options.outcome, note=options.note)
    tally = next((one for one in routing.tallies() if one.agent == decision.agent), None)
    line = f"{clean_line(decision.agent)}: {decision.outcome}"
    if tally is not None:
        every = tally.successes + tally.failures
        line += f"  ({tally.successes} of {every} succeeded, x{tally.multiplier:.2f})"
    options.say(line)
    return options.done({**_decision_json(decision), "agent_outcomes": tally})


def _profiles(routing: AgentRouting, options: Options) -> int:
    profiles = routing.profiles()
    style = options.style
    width = max(len(one.id) for one in profiles.profiles)
    for one in profiles.profiles:
        name = style.bold(f"{clean_line(one.id):<{width}}")
        options.say(f"{name}  {clean_line(one.role)} / {clean_line(one.division) or '-'}")
        words = ", ".join(word for word, _ in one.keywords)
        options.say(style.dim(f"  {clean_line(words)[:96]}"))
    fallback = clean_line(profiles.fallback)
    options.say(f"\nbelow {profiles.threshold:g}: {fallback}; from {clean_line(profiles.path)}")
    every = [{**one._asdict(), "keywords": dict(one.keywords)} for one in profiles.profiles]
    return options.done({**profiles._asdict(), "profiles": every})


def _stats(routing: AgentRouting, options: Options) -> int:
    latest = routing.latest(options.limit)
    tallies = routing.tallies()
    style = options.style
    for one in tallies:
        told = one.successes + one.failures
        options.say(
            f"{style.bold(clean_line(one.agent))}  {one.successes} of {told} went well, "
            f"x{one.multiplier:.2f}"
        )
    for decision in latest:
        options.say(_decision_text(decision, style))
    if not latest:
        options.say("Nothing was routed yet.")
    return options.done({"agents": tallies, "latest": [_decision_json(d) for d in latest]})


def _decision_text(decision: Decision, style: Style) -> str:
    how = decision.outcome or ("fallback" if decision.fallback else f"{decision.score:.2f}")
    again = " (again)" if decision.again else ""
    text = clean_line(decision.text)[:_SHOWN_TEXT]
    return (
        f"{style.dim(short_id(decision.id))}  {style.bold(clean_line(decision.agent))} "
        f"{how}{again}  {text}"
    )


def _decision_json(decision: Decision) -> dict[str, Any]:
    fields = decision._asdict()
    del fields["choice"], fields["order"]
    return {**fields, "at": times.minute(decision.at)}


def _bridge(routing: AgentRouting, options: Options) -> int:
    if options.watch and options.source == "-":
        raise BadInputError("Standard input cannot be watched.", hint="Give a file.")
    pause = seconds_from(options.watch) if options.watch else 0.0
    while True:
        done = _bridge_once(routing, options)
        if not pause:
            return done
        import time

        time.sleep(pause)


def _bridge_once(routing: AgentRouting, options: Options) -> int:
    style = options.style
    unread: list[UnreadableLine] = []
    file = sys.stdin.buffer if options.source == "-" else None
    source = "stdin" if options.source == "-" else options.source
    count = again = 0
    for decision in routing.bridge(source, file, unread=unread):
        if options.json:
            print(dumps(cleaned(_decision_json(decision))), flush=True)
        else:
            print(_decision_text(decision, style), flush=True)
        count += not decision.again
        again += decision.again
    for one in unread:
        options.aside(f"line {one.line} is not a message: {one.why}")
    if not options.json and not options.watch:
        print(f"{count} routed" + (f", {again} were already" if again else ""))
    return 0


def _init(routing: AgentRouting, options: Options) -> int:
    path = routing.write_preset()
    return options.reply(
        {"path": path}, f"wrote {clean_line(os.path.relpath(path))}: 14 profiles to edit"
    )
