"""`satchel reflect`: find lessons in past sessions and suggest them."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from satchel.application.learning.reflection.inputs import WAITS
from satchel.application.learning.reflection.service import Reflection, ReflectionReport
from satchel.application.learning.reviewing.review import Review
from satchel.application.learning.reviewing.words import noun_of
from satchel.application.learning.signals.classifying import classify
from satchel.core.errors import BadInputError
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.features.proposals.selection import in_review_order
from satchel.interfaces.cli.arguments import Options, Parser, parser_for, print_json
from satchel.interfaces.cli.learning.review import print_one, proposal_json
from satchel.interfaces.cli.progress import ProgressBar
from satchel.interfaces.rendering import picked
from satchel.storage.files import not_usable
from satchel.workspace import Workspace

_SHOWN = 12
_WIDTH = 96


def _reflect_parser() -> Parser:
    parser = parser_for("reflect", "Find lessons in past sessions, and suggest them for review.")
    auto = "turn reflecting by itself on or off; or only for this agent's file"
    parser.option("what", auto, nargs="?", metavar="on|off|AGENT")
    kind = parser.add_mutually_exclusive_group()
    for name, text in (
        ("behavioral", "only rules, including soft ones"),
        ("knowledge", "only notes and memory"),
        ("review", "show waiting suggestions of low confidence"),
        ("status", "show figures about reflection"),
        ("consolidate", "suggest memories of other and removed work trees"),
    ):
        kind.add_argument(f"--{name}", action="store_true", help=text)
    labels = "label the turns of a JSON Lines file: {id, text, prev}"
    kind.add_argument("--classify", metavar="TURNS", help=labels)
    parser.option("--out", "where the labels go; - for standard output", metavar="FILE")
    parser.options("--transcript", "read this transcript instead of the project's", metavar="FILE")
    parser.flag("--again", "read unchanged sessions too")
    parser.flag("--no-wordings", "use only the course of sessions, not their words")
    parser.flag("--dry-run", "show what every session teaches and would propose; change nothing")
    parser.flag("--explain", "like --dry-run; also say why signals are left out")
    return parser


def reflect(words: Sequence[str]) -> int:
    """`satchel reflect`."""
    options = _reflect_parser().parse_args(words)
    options.dry_run = options.dry_run or options.explain
    if options.classify:
        return label_file(options.classify, options.out or "-", options)
    if options.out:
        raise BadInputError("--out needs --classify.")
    if options.what in ("on", "off") and _asks_more(options):
        raise BadInputError(
            f"`reflect {options.what}` takes no other option.", hint="Use on or off."
        )
    with options.opened() as project:
        if options.what in ("on", "off"):
            return _switch(project, options)
        if options.status:
            return _status(project, options)
        if options.review:
            return _waiting(project, options)
        return _run(project, options)


def _asks_more(options: Options) -> bool:
    sources = ("behavioral", "knowledge", "review", "status", "consolidate", "transcript")
    names = (*sources, "again", "no_wordings", "dry_run", "explain")
    return any(getattr(options, name) for name in names)


def _run(project: Workspace, options: Options) -> int:
    reflecting = Reflection(project)
    if options.consolidate:
        from satchel.application.learning.reflection.consolidation import consolidate

        return _tell_consolidated(consolidate(reflecting, dry_run=options.dry_run), options)
    group = "behavioral" if options.behavioral else "knowledge" if options.knowledge else ""
    with ProgressBar("reflecting") as tell:
        how = {"wordings": not options.no_wordings, "again": options.again}
        how |= {"paths": options.transcript, "agent": options.what, "dry_run": options.dry_run}
        done = reflecting.reflect(group=group, progress=tell, **how)
    _print_report(done, options)
    return options.done(_as_json(done))


def _print_report(done: ReflectionReport, options: Options) -> None:
    would = "would be " if options.dry_run else ""
    proposals = len(done.proposed)
    more = f", {done.unchanged} unchanged since the last time" if done.unchanged else ""
    counts = [f"{proposals} {would}proposed"]
    counts += [f"{len(done.known)} known"] * bool(done.known)
    counts += [f"{len(done.dropped)} left out"] * bool(done.dropped)
    options.say(f"{counted(done.sessions, 'session')} read{more}: {', '.join(counts)}.")
    for one in in_review_order(done.proposed)[:_SHOWN]:
        options.say(f"  {noun_of(one):<10} {one.tier:<6} {clean_line(one.title)[:_WIDTH]}")
        for warning in one.warnings:
            options.say(f"             ! {clean_line(warning)[:_WIDTH]}")
    if proposals > _SHOWN:
        options.say(f"  … and {proposals - _SHOWN} more")
    for signal, why in done.known[:_SHOWN]:
        options.say(f"  known      {clean_line(signal.learning)[:60]} ({clean_line(why)})")
    for signal, why in done.dropped if options.explain else ():
        label = "waits" if why == WAITS else "left out"
        options.say(f"  {label:<10} {clean_line(signal.learning)[:_WIDTH]} ({why})")
    for path in done.damaged:
        options.warn(f"  unreadable {clean_line(path)}")
    if done.episodes:
        options.say(f"{counted(len(done.episodes), 'episode')} written.")
    if done.unchanged or (done.dropped and not options.explain):
        options.say(
            "`satchel reflect --explain` tells what each session taught, and what not, why."
        )
    if done.waiting:
        wait = counted(done.waiting, "suggestion waits", "suggestions wait")
        options.say(f"{wait}: `satchel review`.")


def _as_json(done: ReflectionReport) -> dict[str, object]:
    return {
        **picked(done, "sessions", "unchanged", "signals", "proposed", "episodes", "waiting"),
        "known": [{"learning": one.learning, "why": why} for one, why in done.known],
        "dropped": [{"learning": one.learning, "why": why} for one, why in done.dropped],
        "unreadable": list(done.damaged),
    }


def _tell_consolidated(proposed: Sequence[object], options: Options) -> int:
    would = "would be " if options.dry_run else ""
    lines = counted(len(proposed), "line")
    return options.reply(
        {"proposed": len(proposed)}, f"{lines} of other work trees' memories {would}proposed."
    )


def _switch(project: Workspace, options: Options) -> int:
    from satchel.storage.settings.person_file import put_settings

    on = options.what == "on"
    put_settings(project.owner().home.configuration, "reflect", {"auto": on})
    if on:
        options.say("Reflection runs by itself when a session is compacted or ends.")
        options.say("What they teach waits in `satchel review`; nothing is changed without you.")
    else:
        options.say("Reflection runs only when you ask: `satchel reflect`.")
    return options.done({"reflect.auto": on})


def _status(project: Workspace, options: Options) -> int:
    figures = Reflection(project).figures()
    figures["auto"] = project.project.settings.flag("reflect.auto")
    rate = figures["acceptance_rate"]
    return options.reply(
        figures,
        f"sessions looked at   {figures['total_sessions_analyzed']}",
        f"signals found        {figures['total_signals_detected']} "
        f"({_counts(figures['signals_by_confidence'])})",
        f"changes proposed     {figures['total_changes_proposed']} "
        f"({_counts(figures['proposed_by_kind'])})",
        f"accepted             {figures['total_changes_accepted']}"
        + (f", {rate:.0%} of those decided" if rate is not None else ""),
        f"waiting              {figures['pending']}",
        f"automatic            {'on' if figures['auto'] else 'off'}",
    )


def _counts(found: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in found.items()) or "none"


def _waiting(project: Workspace, options: Options) -> int:
    with Review(project) as review:
        low = [one for one in review.pending() if one.proposal.tier == "low"]
        if options.json:
            return print_json([proposal_json(review, one) for one in low])
        if not low:
            print("Nothing of low confidence waits.")
        for one in low:
            print_one(review, one)
    return 0


def label_file(path: str, out: str, options: Options) -> int:
    """Read JSON lines {id, text, prev} and write {id, labels} for each, in order."""
    turns = _turns(path)
    lines = []
    counts: dict[str, int] = {}
    for turn in turns:
        found = classify(str(turn.get("text") or ""), str(turn.get("prev") or ""))
        labels = sorted(verdict.label for verdict in found)
        for label in labels:
            counts[label] = counts.get(label, 0) + 1
        lines.append(json.dumps({"id": turn["id"], "labels": labels}, ensure_ascii=False) + "\n")
    if out == "-":
        sys.stdout.write("".join(lines))
        return 0
    try:
        with open(out, "w", encoding="utf-8") as file:
            file.writelines(lines)
    except OSError as error:
        raise not_usable(out, error, writing=True) from error
    told = {"turns": len(turns), "labels": dict(sorted(counts.items())), "out": out}
    if options.json:
        print(json.dumps(told))
    else:
        named = ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "no label"
        print(f"{counted(len(turns), 'turn')}: {named}. Written to {out}.")
    return 0


def _turns(path: str) -> list[dict[str, Any]]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.readlines()
    except OSError as error:
        raise not_usable(path, error, writing=False) from error
    turns = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            turn = json.loads(line)
        except (ValueError, RecursionError):
            turn = None
        if not isinstance(turn, dict) or "id" not in turn:
            raise BadInputError(
                f"{path}:{number} is not a turn.",
                hint='Each line is {"id": …, "text": …, "prev": …}.',
            )
        turns.append(turn)
    return turns
