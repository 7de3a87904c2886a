"""`instructions`, and `memory` for instruction files: AGENTS.md, CLAUDE.md and similar files."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from satchel.clients.registry import ALIASES
from satchel.core.errors import BadInputError
from satchel.core.plurals import counted
from satchel.core.trust import clean_line, clean_text
from satchel.features.instructions import adding, approving
from satchel.features.instructions.adding import SessionList
from satchel.features.instructions.loading import LoadedInstructions
from satchel.features.instructions.service import InstructionFiles, InstructionRequest
from satchel.interfaces.cli.arguments import (
    AddAction,
    Options,
    content_from,
    parser_for,
    seconds_from,
)
from satchel.interfaces.cli.awaiting import warn_unapproved
from satchel.interfaces.cli.editing import open_editor
from satchel.interfaces.cli.instructions import text as shown_as
from satchel.interfaces.cli.instructions.compile import add_compile, run_compile
from satchel.interfaces.rendering import picked
from satchel.storage.settings.environment import editor

#: Most files, and lines of each, to show before approval.
_GLANCES, _GLANCE_LINES = 10, 12


def instructions(words: Sequence[str], name: str = "instructions") -> int:
    """`satchel instructions show|list|add|edit|refresh|stats|trust|watch|compile`."""
    parser = parser_for(name, "Instruction files: what AGENTS.md and similar files tell agents.")
    action = parser.actions(metavar=None)
    _add_reading(action)
    _add_writing(action)
    add_compile(action)
    options = parser.parse_args(words)
    if options.action == "compile":
        return run_compile(options)
    directory = options.base()
    with options.opened() as workspace:
        return options.act(InstructionFiles(workspace.project, workspace.person, directory))


def _add_reading(action: AddAction) -> None:
    show = action("show", "show what an agent is told, and where it comes from", _show)
    show.count("--budget", "tokens at most", metavar="N")
    show.flag("--text", "the text alone, as an agent gets it")
    listing = action("list", "list instruction files, whether shown or not, and why", _list)
    listing.flag("--files", "instruction files: nothing else here")
    for sub in (show, listing):
        sub.add_argument("--client", choices=(*ALIASES, "all"), default="all", help="its view")
        sub.option("--beyond", "what it does not read", choices=ALIASES)
        sub.option("--model", "model whose context counts")
        sub.options("--touching", "a file being worked on; may be repeated", metavar="PATH")
        sub.option("--agent", "name of an agent with memory of its own")
        sub.flag("--requested", "include files that agents read on demand")
    stats = action("stats", "count files, tokens, bytes, and what is cached", _stats)
    stats.option("--model", "model whose context counts")
    action("refresh", "read everything again; show what has changed", _refresh)
    watch = action("watch", "report changes until interrupted", _watch)
    watch.option("--for", "stop after this long", dest="seconds", metavar="DURATION")


def _add_writing(action: AddAction) -> None:
    add = action("add", "save an entry in an instruction file, after showing the diff", _add)
    add.add_argument("content", nargs="*", help="what to keep; `-` reads standard input")
    add.option("--section", "heading to add it under")
    add.add_argument("--target", default="project", help="project, local, global or a path")
    add.option("--session", "session that may say `always`", metavar="ID")
    add.flag("--anyway", "even if it is there already")
    add.flag("--dry-run", "show the diff and stop")
    edit = action("edit", "open an instruction file in your editor", _edit)
    edit.add_argument("target", nargs="?", default="project", help="project, local, global, path")
    trust = action("trust", "approve what files outside the project say", _trust)
    trust.option("path", "a file or folder; without one, list them", nargs="?")
    trust.flag("--revoke", "withdraw an approval")
    trust.flag("--everywhere", "for all of your projects")
    for sub in (add, trust):
        sub.flag("--yes", "do not ask")


def _loaded(one: InstructionFiles, options: Options, budget: int = 0) -> LoadedInstructions:
    wanted = picked(options, "client", "beyond", "model", "agent", "requested")
    touching = tuple(options.touching)
    return one.loaded(InstructionRequest(**wanted, touching=touching, budget=budget))


def _show(one: InstructionFiles, options: Options) -> int:
    loaded = _loaded(one, options, options.budget)
    # What clients read themselves reaches an agent without us.
    spoken = {*options.workspace.project.tracked.spoken()}
    shown = dict.fromkeys(path for part in loaded.segments for path in (part.file, part.path))
    warn_unapproved(options, options.workspace, *(path for path in shown if path in spoken))
    text = one.text(loaded)
    if options.text:
        options.say(text, end="")
    else:
        options.say(shown_as.loaded_text(one, loaded, text, options.style))
    return options.done(shown_as.loaded_json(one, loaded))


def _list(one: InstructionFiles, options: Options) -> int:
    loaded = _loaded(one, options)
    return options.reply(
        [shown_as.file_json(one, file) for file in loaded.files],
        shown_as.files_text(one, loaded.files, options.style) or "No instruction file was found.",
    )


def _stats(one: InstructionFiles, options: Options) -> int:
    loaded = one.loaded(InstructionRequest(model=options.model))
    one.file_stats.keep(one.stamped(loaded.read))
    return options.reply(
        shown_as.stats_json(loaded, one.file_stats), shown_as.stats_text(loaded, one.file_stats)
    )


def _refresh(one: InstructionFiles, options: Options) -> int:
    changes = one.refresh()
    told = shown_as.changes_text(one, changes) or "Nothing has changed."
    return options.reply(changes._asdict(), told)


def _watch(one: InstructionFiles, options: Options) -> int:
    import signal
    import time

    # The entry point would exit at once; here an interrupt ends the watching.
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    end = time.monotonic() + (seconds_from(options.seconds) if options.seconds else 1e12)
    options.say(f"Watching {len(one.loaded().read)} instruction files; Ctrl-C ends it.", flush=True)
    try:
        for changes in one.watch(time.sleep, lambda: time.monotonic() >= end):
            if options.json:
                import json

                print(json.dumps(changes._asdict()), flush=True)
            else:
                print(shown_as.changes_text(one, changes), flush=True)
    except KeyboardInterrupt:
        print(file=sys.stderr)
    return 0


def _add(one: InstructionFiles, options: Options) -> int:
    content = content_from(options.content, missing="There is nothing to save.")
    proposal = adding.propose_entry(
        one, content, options.target, options.section, anyway=options.anyway
    )
    if not options.json or not options.yes:
        shown_as.say_proposal(one, proposal, to=sys.stderr if options.json else sys.stdout)
    if proposal.repeats is not None and not proposal.changes:
        return options.done(shown_as.proposal_json(one, proposal, written=[]))
    session = SessionList(one, options.session)
    if options.dry_run:
        return 0
    if not options.yes and not session.allows(proposal.target):
        answer = _asked(options.session)
        if answer == "always":
            session.allow(proposal.target)
        elif answer != "yes":
            raise BadInputError(
                "Nothing was written.", hint="Review it, then pass --yes to skip the question."
            )
    written = proposal.apply()
    one.refresh()
    name = clean_line(one.shown(proposal.target))
    return options.reply(
        shown_as.proposal_json(one, proposal, written=written),
        f"Saved in {name}, below `{proposal.section}`.",
    )


def _asked(session: str) -> str:
    """Ask for approval: yes, always in this session, or no. Without a terminal, no."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return "no"
    choices = "[y/N/a = always in this session]" if session else "[y/N]"
    print(f"Write this? {choices} ", end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline().strip().lower()
    if session and answer in ("a", "always"):
        return "always"
    return "yes" if answer in ("y", "yes") else "no"


def _edit(one: InstructionFiles, options: Options) -> int:
    path = adding.target_of(one, options.target).path
    words = editor()
    if not words:
        raise BadInputError(
            "Without an id, `edit` opens an instruction file, and no editor is set.",
            hint='`satchel edit ID "..."` gives a memory new words; with EDITOR or VISUAL set, '
            f"`satchel edit` opens {os.path.basename(path)}.",
        )
    os.makedirs(os.path.dirname(path), exist_ok=True)
    code, changes = open_editor(words, path), one.refresh()
    told = {"path": path, "editor_exit_code": code, **changes._asdict()}
    text = shown_as.changes_text(one, changes) or "Nothing has changed."
    return options.reply(told, text, code=0 if code == 0 else 1)


def _trust(one: InstructionFiles, options: Options) -> int:
    if not options.path:
        pending = [
            p for p in one.loaded().problems if p.what in ("elsewhere", "changed") and p.hint
        ]
        return options.reply(
            {"approved": approving.approved(one), "waiting": pending},
            shown_as.trust_text(one, approving.approved(one), pending),
        )
    if options.revoke:
        paths = approving.revoke(one, options.path)
        return options.reply(
            {"revoked": paths},
            "\n".join(f"No longer approved: {clean_line(path)}" for path in paths),
        )
    found = approving.would_approve(one, options.path)
    for number, (path, digest) in enumerate(found.items()):
        options.say(f"{digest[:16]}  {clean_line(path)}")
        lines = approving.preview(path).splitlines() if number < _GLANCES else []
        options.say("".join(f"    {line}\n" for line in lines[:_GLANCE_LINES]), end="")
    options.agree(
        "Let this project's agents read what these files say now?", "Nothing was approved."
    )
    found = approving.approve(one, options.path, everywhere=options.everywhere, shown=found)
    count = counted(len(found), "file")
    return options.reply(
        {"approved": found},
        clean_text(f"Approved {count}, as they are now; a change is asked about again."),
    )
