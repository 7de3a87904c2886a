"""`instructions compile`: write one source of rules to every client's instruction file."""

from __future__ import annotations

import os
import sys

from satchel.clients.settings_files import plan
from satchel.clients.settings_files.rule_blocks import CURRENT
from satchel.clients.setup import compiling
from satchel.clients.setup.compiling import TARGETS
from satchel.core.errors import BadInputError
from satchel.core.plurals import counted
from satchel.core.trust import clean_line, clean_text
from satchel.features.instructions.scanning import without_import_notes
from satchel.interfaces.cli.arguments import AddAction, Options
from satchel.interfaces.cli.setup import agreeing
from satchel.interfaces.cli.setup.init import journal_of, place_to_change
from satchel.storage.paths import UserHome
from satchel.storage.settings.environment import home_path
from satchel.workspace import Workspace


def add_compile(action: AddAction) -> None:
    """Add the action with its options."""
    one = action("compile", "write one source of rules into every client's file")
    one.flag("--check", "change nothing; exit 1 on drift")
    one.option(
        "--targets", f"comma-separated: {', '.join(TARGETS)}; all unless given", metavar="NAMES"
    )
    one.option(
        "--source",
        "the rules; .satchel/rules.md unless given, else AGENTS.md, else BEANS.md",
        metavar="PATH",
    )
    one.flag("--overwrite", "discard edits inside a block")
    one.flag("--remove", "remove the blocks")
    one.flag("--yes", "do not ask")


def run_compile(options: Options) -> int:
    """Compile, compare or remove; return the exit code."""
    place = place_to_change(options.base())
    targets = _targets(options.targets)
    if options.remove:
        planned = compiling.plan_without_rules(place.root, targets)
    else:
        source = _expanded(place.root, compiling.read_source(place.root, options.source))
        if options.check:
            return _check(place.root, source, targets, options)
        planned = compiling.plan_rules(place.root, source, targets, overwrite=options.overwrite)
    options.diff = True
    agreeing.show(planned, options, place.root)
    files = [os.path.relpath(change.path, place.root) for change in planned.changes]
    if files:
        options.agree("Apply this?", "Nothing was changed.")
        plan.apply(planned, journal_of(UserHome(home_path()), place))
    done = f"{counted(len(files), 'file')} changed. `satchel undo --setup` reverts this."
    return options.reply(
        {"changed": files, "notes": list(planned.notes)},
        done if files else "Every file matches the rules.",
    )


def _expanded(root: str, source: compiling.Source) -> compiling.Source:
    """Inline imported rules, because not every client follows imports."""
    if "@" not in source.body and not source.body.startswith("---"):
        return source
    with Workspace.open(root) as workspace:
        loaded = workspace.instructions.expanded(os.path.join(root, *source.name.split("/")))
    for one in loaded.problems:
        print(f"note: {clean_line(one.path)}: {clean_line(one.told)}", file=sys.stderr)
    text = without_import_notes("".join(segment.text for segment in loaded.segments))
    return compiling.with_body(source, text) if text.strip() else source


def _check(root: str, source: compiling.Source, targets: tuple[str, ...], options: Options) -> int:
    found = compiling.drift_of(root, source, targets)
    drifted = [one for one in found if one.state != CURRENT]
    for one in found:
        options.say(f"{one.state:<8} {clean_line(os.path.relpath(one.path, root))}")
    for one in drifted:
        options.say()
        options.say(clean_text(one.detail.rstrip("\n")))
    if drifted:
        options.warn("\n`satchel instructions compile` writes what is missing or stale.")
    return options.done({"source": source.name, "targets": found}, 1 if drifted else 0)


def _targets(given: str) -> tuple[str, ...]:
    names = [name.strip() for name in given.split(",") if name.strip()] or list(TARGETS)
    for name in names:
        if name not in TARGETS:
            raise BadInputError(
                f"There is no target `{clean_line(name)[:40]}`.", hint=f"Say {', '.join(TARGETS)}."
            )
    return tuple(dict.fromkeys(names))
