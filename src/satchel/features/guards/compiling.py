"""Compiles a guard for the hook, and tests it on its own examples. Pure."""

from __future__ import annotations

from satchel.core.errors import BadInputError
from satchel.features.guards.matching import Call, call_of, fires
from satchel.features.guards.patterns import check_pattern, from_glob, pattern_matches
from satchel.features.guards.values import WRITING, Example, ExampleResult, Guard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ROOT = "/project"
_PATTERNS = ("command", "path", "content", "unless")


def compile_guard(guard: Guard) -> dict[str, Any]:
    """Return a guard as JSON values that `matching` reads.

    Raises `BadInputError` for a pattern that cannot be used.
    """
    made: dict[str, Any] = {
        "id": guard.id,
        "digest": guard.digest,
        "action": guard.action,
        "message": guard.message,
        "tools": list(_tools(guard)),
        "agents": list(guard.where.agents),
        "paths": [_named("scope.paths", from_glob(glob)) for glob in guard.where.paths],
        "branches": [
            _named("scope.branches", from_glob(glob if "/" in glob else "/" + glob))
            for glob in guard.where.branches
        ],
    }
    for name in _PATTERNS:
        pattern = getattr(guard.when, name)
        if pattern:
            made[name] = _named(name, pattern)
    return made


def problems_of(guard: Guard) -> list[str]:
    """Return why a guard cannot be compiled, or is not worth it."""
    wrong = []
    when = guard.when
    if not (when.command or when.path or when.content or when.tools):
        wrong.append("it matches nothing: give `when` a command, path, content or tools")
    if when.unless and not (when.command or when.path or when.content):
        wrong.append("`unless` needs a command, path or content that it excepts from")
    try:
        made = compile_guard(guard)
    except BadInputError as error:
        return [*wrong, str(error)]
    looked = ("command", "path", "content")
    everywhere = [name for name in looked if name in made and pattern_matches(made[name], "")]
    return [*wrong, *(f"`{name}` matches every text" for name in everywhere)]


def try_examples(guard: Guard) -> list[ExampleResult]:
    """Test a guard on its own examples."""
    made = compile_guard(guard)
    return [
        ExampleResult(example, fires(made, call_for(guard, example))) for example in guard.examples
    ]


def call_for(guard: Guard, example: Example) -> Call:
    """Return an example's tool call, filled in with what the guard expects."""
    agents, globs = guard.where.agents, guard.where.paths
    inside = globs[0].replace("**", "x").replace("*", "x") if globs else ""
    cwd = f"{_ROOT}/{example.cwd or inside}".rstrip("/")
    return call_of(
        example.tool,
        example.given,
        root=_ROOT,
        cwd=cwd,
        agent=example.agent or (agents[0] if agents else ""),
        branch=example.branch or (guard.where.branches[0] if guard.where.branches else "main"),
    )


def _tools(guard: Guard) -> tuple[str, ...]:
    if guard.when.tools:
        return guard.when.tools
    if guard.when.command:
        return ("Bash",)
    return WRITING


def _named(name: str, pattern: str) -> str:
    try:
        check_pattern(pattern)
    except BadInputError as error:
        raise BadInputError(f"`{name}` cannot be used: {error}", hint=error.hint) from None
    return pattern
