"""`satchel check`: assertions about the memory, for people and CI."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from satchel.application.health.run_checks import ProjectChecks
from satchel.core.errors import BadInputError
from satchel.core.trust import clean_line
from satchel.features.checks.reading import PASSED, Check, Result
from satchel.interfaces.cli.arguments import Options, parser_for
from satchel.interfaces.rendering import picked
from satchel.storage.files import replace_file

_MODE = 0o644


def check(words: Sequence[str]) -> int:
    """`satchel check`: exit with 0 if all checks pass, 1 if any fails."""
    parser = parser_for("check", "Run the assertions about the memory that the repository keeps.")
    parser.add_argument("name", nargs="*", help="only those whose name contains this")
    parser.option("--junit", "write JUnit's XML too", metavar="FILE")
    parser.flag("--list", "list them without running any")
    parser.flag("--init", "write a first file and a workflow")
    options = parser.parse_args(words)
    with options.opened() as workspace:
        checks = ProjectChecks(workspace)
        if options.init:
            return _init(checks, options)
        chosen = checks.chosen(options.name)
        if options.list:
            return _list(chosen, options)
        if options.junit:
            _writable(options.junit)
        return _print_results(checks.run(chosen), options)


def _init(checks: ProjectChecks, options: Options) -> int:
    made = [os.path.relpath(path, checks.work.project.place.root) for path in checks.init()]
    return options.reply({"made": made}, *(f"made {clean_line(path)}" for path in made))


def _list(chosen: list[Check], options: Options) -> int:
    for one in chosen:
        place = f"{clean_line(one.path)}, line {one.line}" if one.path else "built in"
        options.say(f"{clean_line(one.name)}  ({one.about}, {place})")
    return options.done(chosen)


def _print_results(results: list[Result], options: Options) -> int:
    failed = [one for one in results if one.outcome != PASSED]
    if options.junit:
        from satchel.features.checks.junit import junit

        replace_file(os.path.abspath(options.junit), junit(results).encode("utf-8"), mode=_MODE)
    style = options.style
    for one in results:
        options.say(f"{one.outcome:<7} {clean_line(one.check.name)}")
        for why in one.why:
            options.say(style.dim(f"        {clean_line(why)}"))
    options.say(f"{len(results) - len(failed)} of {len(results)} hold.")
    if not any(one.check.path for one in results):
        options.say("These are built in; `satchel check --init` writes checks of your own.")
    counts = {"passed": len(results) - len(failed), "failed": len(failed)}
    return options.done({**counts, "checks": [_fields(one) for one in results]}, 1 if failed else 0)


def _fields(one: Result) -> dict[str, Any]:
    told = picked(one.check, "name", "about", "path", "line")
    told |= {"outcome": one.outcome, "why": list(one.why), "seconds": round(one.seconds, 3)}
    return told


def _writable(path: str) -> None:
    """Fail before anything runs if the report cannot be written."""
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))) or os.path.isdir(path):
        raise BadInputError(f"{path} cannot be written.", hint="Name a file in a directory.")
