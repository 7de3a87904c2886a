"""Parses `guards.yaml` leniently: an invalid guard does not disable the others. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from satchel.core.errors import AmbiguousIdError, BadInputError, NotFoundError
from satchel.core.hashing import digest
from satchel.core.quick_json import canonical
from satchel.core.values import Any
from satchel.engine.markdown.yaml_entries import Entry, read_entries
from satchel.features.guards.matching import Call, call_of, fires
from satchel.features.guards.patterns import check_pattern, from_glob, pattern_matches
from satchel.features.guards.values import (
    ACTIONS,
    FIELD,
    SERVER_TOOLS,
    TOOLS,
    WRITING,
    Example,
    ExampleResult,
    Guard,
    GuardPatterns,
    GuardScope,
    ParsedGuards,
)

_ROOT = "/project"
_PATTERNS = ("command", "path", "content", "unless")


def compile_guard(guard: Guard) -> dict[str, Any]:
    """Return a guard as JSON values that `matching` reads.

    Raises `BadInputError` for an unusable pattern.
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


#: Largest file of guards to read, in characters.
LARGEST = 262_144

_FIELDS = ("id", "from", "when", "action", "message", "scope", "examples")
_WHEN = ("tools", "command", "path", "content", "unless")
_WHERE = ("paths", "agents", "branches")
_EXAMPLE = ("tool", "command", "path", "content", "branch", "agent", "cwd")
_LONGEST_MESSAGE = 1000
#: Most guards to list for an ambiguous id.
_NAMED = 10
#: Length of a digest: a shorter one could be found by trying, and others write these files.
_DIGEST = 32


def read_guards(
    text: str,
    *,
    only: Collection[str] | None = None,
    instead: Mapping[str, dict[str, Any]] | None = None,
) -> ParsedGuards:
    """Parse a file's text, or only the guards with these digests.

    Args:
        only: digests of the guards to read.
        instead: guard -> the fields to use for one with this id and another digest.

    Raises `BadInputError` with the line for any other file, and for a large one: a hook may have to
    read it.
    """
    if len(text) > LARGEST:
        raise BadInputError(f"it has more than {LARGEST // 1024} KB")
    listing = read_entries(text, FIELD)
    if only is not None:
        known = instead or {}
        entries = []
        for one in listing.entries:
            if digest_of(one.fields) in only:
                entries.append(one)
            elif one.fields.get("id") in known:
                entries.append(one._replace(fields=known[one.fields["id"]]))
        listing = listing._replace(entries=tuple(entries))
    guards, problems = [], {}
    seen: set[str] = set()
    for entry in listing.entries:
        wrong: list[str] = []
        guard = _guard(entry, wrong)
        if guard.id in seen:
            wrong.append(f"the id {guard.id} occurs twice")
        seen.add(guard.id)
        guards.append(guard)
        wrong += problems_of(guard)
        if wrong:
            problems[entry.line] = tuple(wrong)
    for line in listing.strays:
        problems[line] = ("it is not a guard",)
    return ParsedGuards(listing, tuple(guards), listing.entries, problems)


def find(shelf: ParsedGuards, given: str) -> tuple[Guard, Entry]:
    """Return a guard by id, or by the start or end of it."""
    pairs = list(zip(shelf.guards, shelf.entries, strict=True))
    found = [pair for pair in pairs if given and pair[0].id == given] or [
        pair
        for pair in pairs
        if given and (pair[0].id.startswith(given) or pair[0].id.endswith("-" + given))
    ]
    if not found:
        raise NotFoundError(
            f"There is no guard {given[:60]!r}.", hint="`satchel guards` lists them."
        )
    if len(found) > 1:
        raise AmbiguousIdError(
            f"{given[:60]!r} could be {', '.join(guard.id for guard, _ in found[:_NAMED])}.",
            hint="Give more of the id.",
        )
    return found[0]


def digest_of(fields: dict[str, Any]) -> str:
    """Return the digest an approval refers to: all fields, in any order and spelling."""
    return digest(canonical(fields).encode("utf-8", "replace")).hex()[:_DIGEST]


def _guard(entry: Entry, wrong: list[str]) -> Guard:
    fields = entry.fields
    wrong += [f"`{name}` is not a field of a guard" for name in fields if name not in _FIELDS]
    when_fields = _mapping(fields.get("when"), "when", _WHEN, wrong)
    when = GuardPatterns(
        tuple(_texts(when_fields.get("tools"), "tools", wrong)),
        *(_text(when_fields.get(name), name, wrong) for name in _WHEN[1:]),
    )
    for tool in when.tools:
        if tool not in TOOLS and not tool.startswith(SERVER_TOOLS):
            wrong.append(
                f"{tool[:40]!r} is not a tool that can be guarded: {', '.join(TOOLS)}, mcp__*"
            )
    where_fields = _mapping(fields.get("scope"), "scope", _WHERE, wrong)
    where = GuardScope(*(tuple(_texts(where_fields.get(name), name, wrong)) for name in _WHERE))
    ident = _text(fields.get("id"), "id", wrong)
    action = _text(fields.get("action"), "action", wrong)
    message = _text(fields.get("message"), "message", wrong)
    if not ident:
        wrong.append("it has no id")
    if action not in ACTIONS:
        wrong.append(f"its action is {action[:40]!r}, none of {', '.join(ACTIONS)}")
    if not message or len(message) > _LONGEST_MESSAGE:
        wrong.append(f"its message must have 1 to {_LONGEST_MESSAGE} characters")
    examples = []
    said = _mapping(fields.get("examples"), "examples", ("blocks", "allows"), wrong)
    for name in ("blocks", "allows"):
        rows = said.get(name)
        for row in rows if isinstance(rows, list) else [] if rows is None else [rows]:
            try:
                examples.append(example_of(row, when, fires=name == "blocks"))
            except BadInputError as error:
                wrong.append(f"examples, {name}: {error}")
    return Guard(
        ident,
        action,
        message,
        when=when,
        where=where,
        examples=tuple(examples),
        source=_text(fields.get("from"), "from", wrong),
        digest=digest_of(fields),
        line=entry.line,
    )


def example_of(row: Any, when: GuardPatterns, *, fires: bool) -> Example:
    """Parse an example: a plain text is the command, path or content to inspect."""
    if isinstance(row, str):
        name = "command" if when.command else "path" if when.path else "content"
        row = {name: row}
    if not isinstance(row, dict) or not row:
        raise BadInputError("an example is a text, or fields such as `command`")
    odd = [str(name) for name in row if name not in _EXAMPLE]
    if odd or not all(isinstance(value, str) for value in row.values()):
        raise BadInputError(f"its fields are {', '.join(_EXAMPLE)}, each a text")
    tool = row.get("tool") or _tool_for(row, when)
    given = {}
    if "command" in row:
        given["command"] = row["command"]
    if "path" in row or tool in WRITING:
        given["file_path"] = row.get("path", "example.txt")
    if "content" in row:
        given["content"] = row["content"]
    said = row.get("command") or row.get("path") or row.get("content") or tool
    return Example(
        tool,
        given,
        fires,
        said=said,
        branch=row.get("branch", ""),
        agent=row.get("agent", ""),
        cwd=row.get("cwd", ""),
    )


def _tool_for(row: dict[str, str], when: GuardPatterns) -> str:
    if "command" in row:
        return "Bash"
    named = [tool for tool in when.tools if tool != "Bash"]
    return named[0] if named else "Write"


def _mapping(value: Any, name: str, allowed: tuple[str, ...], wrong: list[str]) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        wrong.append(f"`{name}` must be `field: value` lines of its own")
        return {}
    wrong += [f"`{name}.{odd}` is not a field of a guard" for odd in value if odd not in allowed]
    return value


def _texts(value: Any, name: str, wrong: list[str]) -> list[str]:
    items = value if isinstance(value, list) else [] if value is None else [value]
    texts = [item for item in items if isinstance(item, str) and item]
    if len(texts) != len(items):
        wrong.append(f"`{name}` must be a list of texts")
    return texts


def _text(value: Any, name: str, wrong: list[str]) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        wrong.append(f"`{name}` must be a text; put it into quotes")
        return ""
    return value
