"""Tools as values: JSON Schema for their arguments, and validation of arguments. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from satchel.core.errors import BadInputError
from satchel.core.values import NamedTuple
from satchel.workspace import Workspace


class Hints(NamedTuple):
    """What a client may know about a tool before calling it."""

    reads: bool = True
    destroys: bool = False
    repeats: bool = True
    open_world: bool = False


READS = Hints()
ADDS = Hints(reads=False, repeats=False)
CHANGES = Hints(reads=False, destroys=True)


class Call(NamedTuple):
    """A call: the open project, validated arguments with defaults, and the caller.

    `tell` reports progress: steps done, total steps (0: unknown), a message. It raises once nobody
    is waiting for the answer, so that long work stops. `user` is the team's user who asks; "" at
    home.
    """

    workspace: Workspace
    given: dict[str, Any]
    client: str
    tell: Callable[[int, int, str], None]
    user: str = ""


class Tool(NamedTuple):
    """A tool.

    Attributes:
        takes: argument -> JSON Schema, in the order a reader needs them.
        run: returns one text only: clients that also get JSON show the model just the JSON, without
            the fence.
        from_start: whether a client that loads tools on demand should show this one to the model at
            once: an unseen tool is never called.
        reading: the actions of a tool with other hints that change nothing.
    """

    name: str
    title: str
    about: str
    takes: dict[str, dict[str, Any]]
    run: Callable[[Call], str]
    hints: Hints = READS
    from_start: bool = False
    reading: tuple[str, ...] = ()

    def only_reads(self, given: dict[str, Any]) -> bool:
        """Return whether a call with these arguments changes nothing."""
        return self.hints.reads or given.get("action") in self.reading

    @property
    def needs(self) -> tuple[str, ...]:
        """Return the required arguments: texts without a default."""
        return tuple(
            name
            for name, schema in self.takes.items()
            if schema["type"] == "string" and "default" not in schema
        )

    @property
    def input_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the arguments."""
        schema: dict[str, Any] = {"type": "object", "properties": self.takes}
        if self.needs:
            schema["required"] = list(self.needs)
        return {**schema, "additionalProperties": False}


def tool(
    name: str,
    title: str,
    about: str,
    takes: dict[str, dict[str, Any]],
    hints: Hints = READS,
    *,
    from_start: bool = False,
    reading: tuple[str, ...] = (),
) -> Callable[[Callable[[Call], str]], Tool]:
    """Make a tool of the function that answers it."""
    return lambda run: Tool(
        name,
        title,
        about,
        takes=takes,
        run=run,
        hints=hints,
        from_start=from_start,
        reading=reading,
    )


#: Characters of a text argument; the stores have limits of their own below that.
LONGEST = 1_000_000
_SHOWN = 60
_MANY = 1_000
_NAMES = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}


def text(about: str, *, default: str | None = None, choices: tuple[str, ...] = ()) -> Any:
    """Return the schema of a string."""
    schema: dict[str, Any] = {"type": "string"}
    if about:
        schema["description"] = about
    if choices:
        schema["enum"] = list(choices)
    return schema if default is None else {**schema, "default": default}


def count(about: str, *, default: int, most: int, least: int = 1) -> Any:
    """Return the schema of an integer with bounds."""
    schema = {"type": "integer", "default": default, "minimum": least, "maximum": most}
    return {**schema, "description": about} if about else schema


def share(about: str, *, most: float = 1.0) -> Any:
    """Return the schema of a number from 0 up."""
    return {"type": "number", "description": about, "minimum": 0, "maximum": most}


def flag(about: str, *, default: bool = False) -> Any:
    """Return the schema of a boolean."""
    return {"type": "boolean", "description": about, "default": default}


def texts(about: str, *, choices: tuple[str, ...] = ()) -> Any:
    """Return the schema of a list of strings."""
    item: dict[str, Any] = {"type": "string"}
    if choices:
        item["enum"] = list(choices)
    schema = {"type": "array", "items": item}
    return {**schema, "description": about} if about else schema


def rows(about: str, fields: dict[str, Any], needs: tuple[str, ...] = ()) -> Any:
    """Return the schema of a list of objects."""
    item: dict[str, Any] = {"type": "object", "properties": fields}
    if needs:
        item["required"] = list(needs)
    return {"type": "array", "description": about, "items": item}


def mapping(about: str) -> Any:
    """Return the schema of an object with arbitrary fields."""
    return {"type": "object", "description": about}


TEXT: dict[str, Any] = {"type": "string"}
CURSOR = text("from the previous page", default="")


def checked(tool: Tool, given: dict[str, Any] | None) -> dict[str, Any]:
    """Return arguments with defaults; raise `BadInputError` naming the first invalid one."""
    given = {name: value for name, value in (given or {}).items() if value is not None}
    for name in given:
        if name not in tool.takes:
            raise BadInputError(
                f"{tool.name} has no argument {name[:_SHOWN]!r}.",
                hint=f"It takes {', '.join(tool.takes) or 'none'}.",
            )
    for name in tool.needs:
        if name not in given:
            raise BadInputError(
                f"{tool.name} needs the argument `{name}`.", hint=_about(tool.takes[name])
            )
    for name, value in given.items():
        _check(name, value, tool.takes[name])
    defaults = {
        name: schema["default"] for name, schema in tool.takes.items() if "default" in schema
    }
    return {**defaults, **given}


def _about(schema: dict[str, Any]) -> str:
    about = str(schema.get("description", ""))
    return f"It is {about}." if about else ""


def _check(name: str, value: Any, schema: dict[str, Any]) -> None:
    kind = schema["type"]
    if not _is(value, kind):
        raise BadInputError(f"`{name}` takes {_NAMES[kind]}.", hint=_about(schema))
    if kind == "string" and len(value) > LONGEST:
        raise BadInputError(f"`{name}` is longer than {LONGEST:,} characters.", hint="Shorten it.")
    if "enum" in schema and value not in schema["enum"]:
        raise BadInputError(
            f"`{name}` cannot be {value[:_SHOWN]!r}.", hint=f"One of {', '.join(schema['enum'])}."
        )
    if kind in ("integer", "number") and not (
        schema.get("minimum", value) <= value <= schema.get("maximum", value)
    ):
        low, high = schema.get("minimum"), schema.get("maximum")
        raise BadInputError(
            f"`{name}` is {value:g}.", hint=f"Use a value between {low} and {high}."
        )
    if kind == "array":
        _check_items(name, value, schema.get("items", {}))


def _check_items(name: str, values: list[Any], schema: dict[str, Any]) -> None:
    if len(values) > _MANY:
        raise BadInputError(f"`{name}` has more than {_MANY:,} items.", hint="Send fewer at once.")
    for number, one in enumerate(values):
        where = f"{name}[{number}]"
        _check(where, one, schema)
        if schema.get("type") != "object":
            continue
        fields = schema.get("properties", {})
        for needed in schema.get("required", ()):
            if needed not in one:
                raise BadInputError(f"`{where}` needs `{needed}`.", hint=_about(fields[needed]))
        for field, value in one.items():
            if field in fields and value is not None:
                _check(f"{where}.{field}", value, fields[field])


def _is(value: Any, kind: str) -> bool:
    if kind == "string":
        return isinstance(value, str)
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, list if kind == "array" else dict)
