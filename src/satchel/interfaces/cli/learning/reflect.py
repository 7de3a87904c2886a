"""`reflect` and `review`: what sessions taught is proposed, and a person decides."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from satchel.application.learning.reflection import Reflection, ReflectionReport
from satchel.application.learning.review import AppliedProposal, Review, ReviewReport
from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.ids import short_id
from satchel.core.trust import clean_line
from satchel.features.proposals.values import PENDING, QueuedProposal
from satchel.interfaces.cli.arguments import directory_of, parser_for, print_json
from satchel.interfaces.cli.progress import ProgressBar
from satchel.interfaces.rendering import Style
from satchel.storage.settings.environment import wants_colour
from satchel.workspace import Workspace

_SHOWN = 12
_WIDTH = 96


def _reflect_parser() -> argparse.ArgumentParser:
    parser = parser_for("reflect", "Find what sessions taught, and propose it for review.")
    add = parser.add_argument
    auto = "turn reflecting by itself on or off; or only for this agent's file"
    add("what", nargs="?", default="", metavar="on|off|AGENT", help=auto)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--behavioral", action="store_true", help="rules alone, the soft ones too")
    kind.add_argument("--knowledge", action="store_true", help="notes and memory alone")
    kind.add_argument(
        "--review", action="store_true", help="show waiting suggestions of low confidence"
    )
    kind.add_argument("--status", action="store_true", help="show figures about reflection")
    others = "propose memories of other and of removed work trees"
    kind.add_argument("--consolidate", action="store_true", help=others)
    labels = "label the turns of a JSON Lines file: {id, text, prev}"
    kind.add_argument("--classify", metavar="TURNS", help=labels)
    add("--out", metavar="FILE", help="where the labels go; - for standard output")
    one = "read this transcript instead of the project's"
    add("--transcript", action="append", default=[], metavar="FILE", help=one)
    add("--again", action="store_true", help="read unchanged sessions too")
    course = "use the course of sessions alone, not their words"
    add("--no-wordings", action="store_true", help=course)
    add(
        "--dry-run",
        action="store_true",
        help="show what every session teaches and would propose; change nothing",
    )
    add("--explain", action="store_true", help="say why signals were not proposed")
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
            f"`reflect {options.what}` takes no other option.",
            hint="Nothing was switched: give on or off.",
        )
    with Workspace.open(directory_of(options)) as project:
        if options.what in ("on", "off"):
            return _switch(project, options)
        if options.status:
            return _status(project, options)
        if options.review:
            return _waiting(project, options)
        return _run(project, options)


def _asks_more(options: argparse.Namespace) -> bool:
    sources = ("behavioral", "knowledge", "review", "status", "consolidate", "transcript")
    names = (*sources, "again", "no_wordings", "dry_run", "explain")
    return any(getattr(options, name) for name in names)


def _run(project: Workspace, options: argparse.Namespace) -> int:
    reflecting = Reflection(project)
    if options.consolidate:
        from satchel.application.learning.consolidation import consolidate

        proposed = consolidate(reflecting, dry_run=options.dry_run)
        return _tell_consolidated(proposed, options)
    group = "behavioral" if options.behavioral else "knowledge" if options.knowledge else ""
    with ProgressBar("reflecting") as tell:
        done = reflecting.reflect(
            paths=options.transcript, group=group, agent=options.what,
            wordings=not options.no_wordings, again=options.again, dry_run=options.dry_run,
            progress=tell,
        )  # fmt: skip
    if options.json:
        print_json(_as_json(done))
        return 0
    _print_report(done, dry_run=options.dry_run)
    if options.explain:
        for signal, why in done.dropped:
            print(f"  dropped    {clean_line(signal.learning)[:_WIDTH]} ({why})")
    return 0


def _print_report(done: ReflectionReport, *, dry_run: bool) -> None:
    would = "would be " if dry_run else ""
    signals, proposals = len(done.signals), len(done.proposed)
    more = f", {done.unchanged} unchanged since the last time" if done.unchanged else ""
    read = f"{_counted(done.sessions, 'session')} read{more}"
    print(f"{read}: {_counted(signals, 'signal')}, {proposals} {would}proposed.")
    for one in done.proposed[:_SHOWN]:
        print(f"  {one.kind:<10} {one.tier:<6} {clean_line(one.title)[:_WIDTH]}")
        for warning in one.warnings:
            print(f"             ! {clean_line(warning)[:_WIDTH]}")
    if proposals > _SHOWN:
        print(f"  … and {proposals - _SHOWN} more")
    for signal, why in done.known[:_SHOWN]:
        print(f"  known      {clean_line(signal.learning)[:60]} ({clean_line(why)})")
    for path in done.damaged:
        print(f"  unreadable {clean_line(path)}", file=sys.stderr)
    if done.episodes:
        print(f"{_counted(len(done.episodes), 'episode')} written.")
    if proposals and not dry_run:
        print("Nothing has been changed. `satchel review` shows the diffs.")


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _as_json(done: ReflectionReport) -> dict[str, object]:
    return {
        "sessions": done.sessions,
        "unchanged": done.unchanged,
        "signals": [one._asdict() for one in done.signals],
        "proposed": [one._asdict() | {"edits": [e._asdict() for e in one.edits]}
                     for one in done.proposed],
        "known": [{"learning": one.learning, "why": why} for one, why in done.known],
        "dropped": [{"learning": one.learning, "why": why} for one, why in done.dropped],
        "episodes": list(done.episodes),
        "unreadable": list(done.damaged),
    }  # fmt: skip


def _tell_consolidated(proposed: Sequence[object], options: argparse.Namespace) -> int:
    if options.json:
        print_json({"proposed": len(proposed)})
        return 0
    would = "would be " if options.dry_run else ""
    lines = _counted(len(proposed), "line")
    print(f"{lines} of other work trees' memories {would}proposed.")
    return 0


def _switch(project: Workspace, options: argparse.Namespace) -> int:
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


def _status(project: Workspace, options: argparse.Namespace) -> int:
    figures = Reflection(project).figures()
    figures["auto"] = project.project.settings.flag("reflect.auto")
    if options.json:
        print_json(figures)
        return 0
    rate = figures["acceptance_rate"]
    print(f"sessions looked at   {figures['total_sessions_analyzed']}")
    print(f"signals found        {figures['total_signals_detected']} "
          f"({_counts(figures['signals_by_confidence'])})")  # fmt: skip
    print(f"changes proposed     {figures['total_changes_proposed']} "
          f"({_counts(figures['proposed_by_kind'])})")  # fmt: skip
    print(f"accepted             {figures['total_changes_accepted']}"
          + (f", {rate:.0%} of those decided" if rate is not None else ""))  # fmt: skip
    print(f"waiting              {figures['pending']}")
    print(f"automatic            {'on' if figures['auto'] else 'off'}")
    return 0


def _counts(found: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in found.items()) or "none"


def _waiting(project: Workspace, options: argparse.Namespace) -> int:
    with Review(project) as review:
        every = review.pending()
        low = [one for one in every if one.proposal.tier == "low"]
        if options.json:
            print_json([_proposal_json(review, one, every.index(one) + 1) for one in low])
            return 0
        if not low:
            print("Nothing of low confidence waits.")
        for one in low:
            _print_one(review, one, every.index(one) + 1)
    return 0


def _classify(options: argparse.Namespace) -> int:
    from satchel.interfaces.cli.learning.turn_labels import label_file

    return label_file(options.classify, options.out or "-", as_json=options.json)


def review(words: Sequence[str]) -> int:
    """`satchel review`."""
    parser = parser_for("review", "Review proposals as full diffs, and decide.")
    parser.add_argument("answer", nargs="*", metavar="ANSWER",
                        help="Y, N, 1,3, all-knowledge, all-behavioral; nothing: ask")  # fmt: skip
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--reject", metavar="N", help="reject these numbers: 2 or 2,5")
    one.add_argument("--modify", metavar="N", help="reword this one: with --text")
    parser.add_argument("--text", help="the new words; - for standard input")
    one.add_argument("--undo", metavar="ID", help="take back an accepted one")
    parser.add_argument("--all", action="store_true", help="show decided ones too")
    parser.add_argument("--plain", action="store_true", help="ask line by line, without a screen")
    options = parser.parse_args(words)
    _decides_one_thing(options)
    with Workspace.open(directory_of(options)) as project, Review(project) as queue:
        done = queue.resume()
        if done.applied and not options.json:
            before = _counted(len(done.applied), "change")
            print(f"Finished: {before} accepted before.", file=sys.stderr)
        if options.undo:
            return _undo(queue, options)
        if options.modify:
            return _modify(queue, options)
        if options.reject:
            return _reject(queue, options)
        if options.answer:
            return _report(queue, queue.answer(" ".join(options.answer)), options)
        if options.all or options.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
            return _list(queue, options)
        if not queue.pending():
            print("Nothing waits for review.")
            return 0
        return _ask(queue, options)


def _decides_one_thing(options: argparse.Namespace) -> None:
    named = next((name for name in ("reject", "modify", "undo") if getattr(options, name)), "")
    if named and options.answer:
        raise BadInputError(
            f"An answer cannot be combined with --{named}.",
            hint="Numbers change with every decision.",
        )
    if options.text is not None and named != "modify":
        raise BadInputError("--text needs --modify.")


def _ask(queue: Review, options: argparse.Namespace) -> int:
    from satchel.interfaces.cli.learning.review_screen import can_show, show

    if options.plain or not can_show():
        _list(queue, options)
        print("Y (all), N (none), numbers such as 1,3, all-knowledge, all-behavioral; "
              "nothing leaves all waiting: ", end="", flush=True)  # fmt: skip
        answer = sys.stdin.readline().strip()
        return _report(queue, queue.answer(answer), options) if answer else 0
    return _report(queue, show(queue), options)


def _list(queue: Review, options: argparse.Namespace) -> int:
    pending = queue.pending()
    decided = [one for one in queue.queue.all() if one.state != PENDING] if options.all else []
    if options.json:
        print_json(
            [_proposal_json(queue, one, number) for number, one in enumerate(pending, 1)]
            + [_proposal_json(queue, one, 0) for one in decided]
        )
        return 0
    if not pending and not decided:
        print("Nothing waits for review. `satchel reflect` looks for more.")
    for number, one in enumerate(pending, 1):
        _print_one(queue, one, number, colour=wants_colour(terminal=sys.stdout.isatty()))
    for one in decided:
        ident = short_id(one.proposal.id)
        print(f"{ident}  {one.state:<9} {one.proposal.kind:<10} {clean_line(one.proposal.title)}")
    if pending:
        print("`satchel review Y`, `N`, `1,3`, `all-knowledge` or `all-behavioral` decides.")
    return 0


def _proposal_json(queue: Review, one: QueuedProposal, number: int) -> dict[str, object]:
    proposal = one.proposal
    told: dict[str, object] = {
        "number": number, "id": proposal.id, "state": one.state, "kind": proposal.kind,
        "group": proposal.group, "tier": proposal.tier, "title": proposal.title,
        "why": proposal.why, "quote": proposal.quote, "session": proposal.session,
        "turns": list(proposal.turns), "warnings": list(proposal.warnings),
        "trust": proposal.trust, "files": [edit.path for edit in proposal.edits],
    }  # fmt: skip
    if one.state == PENDING:
        told["diff"] = queue.diff(proposal)
    else:
        told |= {"commit": one.decided.commit, "note": one.decided.note}
    return told


def _print_one(queue: Review, one: QueuedProposal, number: int, *, colour: bool = False) -> None:

    proposal = one.proposal
    print(f"[{number}] {proposal.kind} ({proposal.tier}): {clean_line(proposal.title)}")
    print(f"    {clean_line(proposal.why)}")
    for warning in proposal.warnings:
        print(f"    ! {clean_line(warning)}")
    for line in Style(colour=colour).diff(queue.diff(proposal)).splitlines():
        print(f"    {line}")
    print()


def _numbered(queue: Review, given: str) -> list[QueuedProposal]:
    from satchel.features.proposals.selection import select_proposals

    return select_proposals(given, queue.pending())[0]


def _reject(queue: Review, options: argparse.Namespace) -> int:
    gone = queue.reject([one.proposal for one in _numbered(queue, options.reject)])
    return _report(queue, ReviewReport(rejected=gone), options)


def _modify(queue: Review, options: argparse.Namespace) -> int:
    if options.text is None:
        raise BadInputError("--modify needs --text.", hint="--text - reads standard input.")
    found = _numbered(queue, options.modify)
    if len(found) != 1:
        raise BadInputError("Change one suggestion at a time.", hint="--modify 2 --text '…'")
    text = sys.stdin.read() if options.text == "-" else options.text
    made = queue.modify(found[0].proposal, text)
    number = next(n for n, one in enumerate(queue.pending(), 1) if one.proposal.id == made.id)
    if options.json:
        print_json(_proposal_json(queue, queue.queue.find(made.id), number))
        return 0
    _print_one(queue, queue.queue.find(made.id), number)
    print(f"It waits as [{number}]; `satchel review {number}` accepts it.")
    return 0


def _undo(queue: Review, options: argparse.Namespace) -> int:
    standing = queue.last_accepted() if options.undo == "last" else queue.queue.find(options.undo)
    if standing is None:
        raise NotFoundError("No accepted suggestion is in force.")
    files = queue.undo(standing)
    if options.json:
        print_json({"id": standing.proposal.id, "files": files})
        return 0
    print(f"Taken back: {clean_line(standing.proposal.title)}")
    for path in files:
        print(f"  {clean_line(path)}")
    return 0


def _report(queue: Review, done: ReviewReport, options: argparse.Namespace) -> int:
    if options.json:
        print_json(
            {
                "applied": [
                    {"id": one.proposal.id, "files": list(one.files), "commit": one.commit}
                    for one in done.applied
                ],
                "rejected": [one.id for one in done.rejected],
                "failed": [{"id": one.id, "why": why} for one, why in done.failed],
                "waiting": len(queue.pending()),
            }
        )
        return 1 if done.failed else 0
    for one in done.applied:
        _print_applied(one)
    if done.rejected:
        print(f"{len(done.rejected)} rejected; they are not proposed again.")
    for proposal, why in done.failed:
        print(f"not applied: {clean_line(proposal.title)}: {clean_line(why)}", file=sys.stderr)
    waiting = len(queue.pending())
    print(f"{len(done.applied)} applied, {waiting} waiting.")
    return 1 if done.failed else 0


def _print_applied(one: AppliedProposal) -> None:
    commit = f" ({one.commit[:9]})" if one.commit else ""
    print(f"applied: {clean_line(one.proposal.title)}{commit}")
    for path in one.files:
        print(f"  {clean_line(path)}")


COMMANDS = {"reflect": reflect, "review": review}
