"""Examples of whole bodies, built from the examples of their fields. Pure."""

from __future__ import annotations

from typing import Any

#: What stands for a value whose field gives no example.
_EMPTY: dict[str, Any] = {
    "string": "text",
    "integer": 1,
    "number": 1.0,
    "boolean": True,
    "object": {},
    "array": [],
}


def example_of(schema: dict[str, Any], schemas: dict[str, Any]) -> Any:
    """Return an example that fits a schema.

    Args:
        schema: of the whole.
        schemas: those that a `$ref` leads to, by name.
    """
    for given in (schema.get("examples"), schema.get("enum")):
        if given:
            return given[0]
    for name in ("const", "default"):
        if name in schema:
            return schema[name]
    if "$ref" in schema:
        return example_of(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    for name in ("anyOf", "oneOf", "allOf"):
        if name in schema:
            return example_of(schema[name][0], schemas)
    if "properties" in schema:
        return _object(schema, schemas)
    if schema.get("type") == "array" and "$ref" in str(schema.get("items")):
        return [example_of(schema["items"], schemas)]
    return _EMPTY.get(str(schema.get("type")), {})


def _object(schema: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """Return every required field, and those that have an example."""
    needed = set(schema.get("required", ()))
    return {
        name: example_of(one, schemas)
        for name, one in schema["properties"].items()
        if name in needed or one.get("examples", [""])[0] not in ("", [], {})
    }
