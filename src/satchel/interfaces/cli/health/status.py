"""`status`: the state of the project on one screen."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.health.status import ProjectStatus, project_status
from satchel.core import times
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.interfaces.cli.arguments import parser_for

#: Kinds shown by name; the rest only counts in the total.
_NAMED = 4
#: Names for people, for kinds with another internal name.
_WORDS = {"learned": "lesson", "constraint": "rule"}


def status(words: Sequence[str]) -> int:
    """`satchel status`, and `satchel` alone in a project."""
    parser = parser_for("status", "Show how this project stands, and the next step.")
    options = parser.parse_args(words)
    with options.opened() as workspace:
        found, now = project_status(workspace), workspace.project.clock.now()
    style = options.style
    return options.reply(
        found,
        f"{style.bold(clean_line(found.project))}  {style.dim(clean_line(found.root))}",
        *(f"{style.dim(f'{name:<13}')} {value}" for name, value in _rows(found, now)),
    )


def _rows(found: ProjectStatus, now: float) -> list[tuple[str, str]]:
    kinds = sorted(found.memories.items(), key=lambda one: (-one[1], one[0]))[:_NAMED]
    told = ", ".join(counted(n, _WORDS.get(kind, kind.replace("_", " "))) for kind, n in kinds)
    total = f"{sum(found.memories.values()):,}"
    waiting = [
        counted(found.suggestions, "suggestion") if found.suggestions else "",
        f"{found.unapproved:,} unapproved" if found.unapproved else "",
    ]
    # They wait for nobody: most memories are never shared.
    private = f", {found.unshared:,} not shared" if found.unshared else ""
    last = "none yet"
    if found.last is not None:
        age, tokens = times.age(now - found.last.at), counted(found.last.tokens, "token")
        last = f"{age} ago, told {tokens}" if age != "now" else f"just now, told {tokens}"
    rules = [f"{count:,} in {clean_line(path)}" for path, count in found.rules.items()]
    remembered = found.memories.get("constraint", 0)
    rules += [f"{remembered:,} in memory"] if remembered else []
    markers = "git conflict markers in " + ", ".join(map(clean_line, found.conflicts))
    return [
        *([("merge", markers)] if found.conflicts else []),
        ("memories", (f"{total} ({told})" if told else total) + private),
        *([("missing", clean_line(found.missing))] if found.missing else []),
        *([("rules", " · ".join(rules))] if rules else []),
        ("waiting", " · ".join(filter(None, waiting)) or "nothing"),
        ("agents", ", ".join(found.agents) or "none has Satchel's hooks"),
        ("last session", last),
        ("next", found.next_step or "nothing waits for you"),
    ]
