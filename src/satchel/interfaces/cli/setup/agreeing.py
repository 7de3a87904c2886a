"""Show a plan of file changes on one screen and ask before writing anything."""

from __future__ import annotations

import difflib
import os
import sys

from satchel.clients.settings_files import plan
from satchel.clients.settings_files.plan import FileChange, Plan
from satchel.core.errors import BadInputError
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.interfaces.cli.arguments import Options, Parser, is_interactive, print_diff


def add_options(parser: Parser) -> None:
    """Add `--diff` and `--yes`."""
    parser.flag("--diff", "show every line that would change")
    parser.flag("--yes", "apply without asking")


def agree(
    planned: Plan, options: Options, root: str, *, refused: str = "Nothing was changed."
) -> bool:
    """Show the changes and ask; return whether there is anything to apply.

    Raises:
        BadInputError: the answer was no, or there is nobody to answer.
    """
    show(planned, options, root)
    if planned.changes and not (options.yes or _asked(planned, options)):
        raise BadInputError(refused, hint="Pass --yes to skip the question.")
    return bool(planned.changes)


def show(planned: Plan, options: Options, root: str) -> None:
    """Print what would change, with `--diff` every line of it, and the notes."""
    if planned.changes and not options.json:
        if options.diff:
            print_diff(plan.diff(planned), options)
        else:
            print_summary(planned, options, root)
    for note in planned.notes:
        options.aside(f"note: {clean_line(note)}")


def print_summary(planned: Plan, options: Options, root: str) -> None:
    """Print one line per file: new, changed or deleted, the size of the change, its purpose."""
    style = options.style
    rows = [(_state(one), os.path.relpath(one.path, root), _size(one)) for one in planned.changes]
    wide = max(len(path) for _, path, _ in rows)
    for (state, path, size), one in zip(rows, planned.changes, strict=True):
        told = f"{size}: {one.why}" if one.why else size
        print(f"{state:<8} {clean_line(path):<{wide}}  {style.dim(clean_line(told))}")


def _asked(planned: Plan, options: Options) -> bool:
    """Ask until the answer is yes or no; `d` shows the full diff first."""
    if not is_interactive():
        return False
    while True:
        print("Apply this? [y/N, d: every line] ", end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline().strip().lower()
        if answer not in ("d", "diff"):
            return answer in ("y", "yes")
        print_diff(plan.diff(planned), options)


def _state(change: FileChange) -> str:
    if change.before is None:
        return "new"
    return "deleted" if change.after is None else "changed"


def _size(change: FileChange) -> str:
    before, after = ((text or b"").splitlines() for text in (change.before, change.after))
    if change.before is None or change.after is None:
        return counted(len(before) + len(after), "line")
    steps = difflib.SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes()
    added = sum(to - at for tag, _, _, at, to in steps if tag != "equal")
    taken = sum(to - at for tag, at, to, _, _ in steps if tag != "equal")
    return " ".join(f"{sign}{n}" for sign, n in (("+", added), ("-", taken)) if n)
