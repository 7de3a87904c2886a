"""`satchel reflect`: find lessons in past sessions and suggest them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from satchel.application.learning.reflection import Reflection, ReflectionReport
from satchel.application.learning.review import Review
from satchel.application.learning.review_words import noun_of
from satchel.core.errors import BadInputError
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.features.proposals.selection import in_review_order
from satchel.interfaces.cli.arguments import Options, Parser, parser_for, print_json
from satchel.interfaces.cli.learning.review import print_one, proposal_json
from satchel.interfaces.cli.progress import ProgressBar
from satchel.interfaces.rendering import picked
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
    one = "read this transcript instead of the project's"
    parser.options("--transcript", one, metavar="FILE")
    parser.flag("--again", "read unchanged sessions too")
    parser.flag("--no-wordings", "use only the course of sessions, not their words")
    parser.flag("--dry-run", "show what every session teaches and would propose; change nothing")
    parser.flag("--explain", "say why signals were not proposed")
    return parser


def reflect(words: Sequence[str]) -> int:
    """`satchel reflect`."""
    parser = _reflect_parser()
    options = parser.parse_args(words)
    if options.classify:
        return _classify(options)
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
        from satchel.application.learning.consolidation import consolidate

        proposed = consolidate(reflecting, dry_run=options.dry_run)
        return _tell_consolidated(proposed, options)
    group = "behavioral" if options.behavioral else "knowledge" if options.knowledge else ""
    with ProgressBar("reflecting") as tell:
        done = reflecting.reflect(
            paths=options.transcript,
            group=group,
            agent=options.what,
            wordings=not options.no_wordings,
            again=options.again,
            dry_run=options.dry_run,
            progress=tell,
        )
    if options.json:
        return print_json(_as_json(done))
    _print_report(done, dry_run=options.dry_run)
    if options.explain:
        for signal, why in done.dropped:
            print(f"  dropped    {clean_line(signal.learning)[:_WIDTH]} ({why})")
    return 0


def _print_report(done: ReflectionReport, *, dry_run: bool) -> None:
    would = "would be " if dry_run else ""
    signals, proposals = len(done.signals), len(done.proposed)
    more = f", {done.unchanged} unchanged since the last time" if done.unchanged else ""
    read = f"{counted(done.sessions, 'session')} read{more}"
    print(f"{read}: {counted(signals, 'signal')}, {proposals} {would}proposed.")
    if done.unchanged and not (done.sessions or dry_run):
        print("`satchel reflect --dry-run` tells what every session teaches, read before or not.")
    for one in in_review_order(done.proposed)[:_SHOWN]:
        print(f"  {noun_of(one):<10} {one.tier:<6} {clean_line(one.title)[:_WIDTH]}")
        for warning in one.warnings:
            print(f"             ! {clean_line(warning)[:_WIDTH]}")
    if proposals > _SHOWN:
        print(f"  … and {proposals - _SHOWN} more")
    for signal, why in done.known[:_SHOWN]:
        print(f"  known      {clean_line(signal.learning)[:60]} ({clean_line(why)})")
    for path in done.damaged:
        print(f"  unreadable {clean_line(path)}", file=sys.stderr)
    if done.episodes:
        print(f"{counted(len(done.episodes), 'episode')} written.")
    if proposals and not dry_run:
        print("Nothing has been changed. `satchel review` shows the diffs.")


def _as_json(done: ReflectionReport) -> dict[str, object]:
    return {
        **picked(done, "sessions", "unchanged", "signals", "proposed", "episodes"),
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
    if options.json:
        print_json({"reflect.auto": on})
    elif on:
        print("Reflection runs by itself when a session is compacted or ends.")
        print("What they teach waits in `satchel review`; nothing is changed without you.")
    else:
        print("Reflection runs only when you ask: `satchel reflect`.")
    return 0


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
        every = review.pending()
        low = [one for one in every if one.proposal.tier == "low"]
        if options.json:
            return print_json([proposal_json(review, one, every.index(one) + 1) for one in low])
        if not low:
            print("Nothing of low confidence waits.")
        for one in low:
            print_one(review, one, every.index(one) + 1)
    return 0


def _classify(options: Options) -> int:
    from satchel.interfaces.cli.learning.turn_labels import label_file

    return label_file(options.classify, options.out or "-", as_json=options.json)


COMMANDS = {"reflect": reflect}
